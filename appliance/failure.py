"""What stops a command: one clear line for people, instead of a traceback."""

from __future__ import annotations

from pathlib import Path


class Failure(Exception):
    """The command cannot go on; the text says what, where and what to do, in one line."""


def write_file(path: Path, content: str | bytes) -> None:
    """Writes a file (text as UTF-8); Failure names it and says why it cannot be."""
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise Failure(f"{path}: cannot be written: {error.strerror}") from None
