"""What `doctor --bundle` packs for a report: findings, configuration, logs; nothing personal unless asked.

Personal are the players' names, the journal of matches and the camera's picture.
"""

from __future__ import annotations

import dataclasses
import io
import json
import platform
import re
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from appliance.config import Config, as_toml
from appliance.failure import write_file


def anonymous(config: Config) -> Config:
    """A configuration without the players' names."""
    return dataclasses.replace(
        config, players=tuple(f"P{seat}" for seat in range(1, len(config.players) + 1))
    )


def without_names(text: str, names: Iterable[str]) -> str:
    """A text with each player's name replaced, and home folders too."""
    for seat, name in sorted(enumerate(names, 1), key=lambda pair: -len(pair[1])):
        text = re.sub(rf"\b{re.escape(name)}\b", f"P{seat}", text)
    return re.sub(r"/home/[^/\s]+", "/home/…", text)


def write_bundle(
    path: Path, findings: list[dict[str, Any]], config: Config, log: str, *,
    picture: bytes | None = None, journal: bytes | None = None, personal: bool = False,
) -> tuple[str, ...]:  # fmt: skip
    """Writes the bundle (a zip file); the names of what is in it."""
    names = () if personal else config.players
    machine = {"system": platform.platform(), "python": platform.python_version()}
    files: dict[str, bytes] = {
        "doctor.json": without_names(json.dumps(findings, ensure_ascii=False, indent=1), names).encode(),
        "machine.json": json.dumps(machine, indent=1).encode(),
        "kortstalis.toml": as_toml(config if personal else anonymous(config)).encode(),
        "log.txt": without_names(log, names).encode(),
    }
    if personal and picture is not None:
        files["camera.jpg"] = picture
    if personal and journal is not None:
        files["journal.sqlite"] = journal
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in files.items():
            bundle.writestr(name, content)
    write_file(path, packed.getvalue())
    return tuple(files)
