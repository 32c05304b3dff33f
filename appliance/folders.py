"""Where the appliance keeps things: the XDG directories."""

from __future__ import annotations

from pathlib import Path

import platformdirs

_NAME = "kortstalis"


def journal_path() -> Path:
    """The journal of matches."""
    return Path(platformdirs.user_data_dir(_NAME)) / "journal.sqlite"
