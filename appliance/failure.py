"""What stops a command: one clear line for people, instead of a traceback."""

from __future__ import annotations


class Failure(Exception):
    """The command cannot go on; the text says what, where and what to do, in one line."""
