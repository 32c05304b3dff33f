"""Where the appliance keeps things: the XDG directories."""

from __future__ import annotations

from pathlib import Path

import platformdirs

_NAME = "kortstalis"


def journal_path() -> Path:
    """The journal of matches."""
    return Path(platformdirs.user_data_dir(_NAME)) / "journal.sqlite"


def state_folder() -> Path:
    """What the appliance remembers for itself: starts that failed, the last good configuration."""
    return Path(platformdirs.user_state_dir(_NAME))


def config_path() -> Path | None:
    """The usual configuration file, if there is one."""
    path = Path(platformdirs.user_config_dir(_NAME)) / "kortstalis.toml"
    return path if path.is_file() else None


def sheet_path() -> Path:
    """The score that is kept by hand."""
    return journal_path().with_name("score-sheet.json")


def wrong_folder() -> Path:
    """What people at the table said was wrong, a folder each."""
    return Path(platformdirs.user_data_dir(_NAME)) / "wrong"


def deck_folder() -> Path:
    """The decks that were taught on the console."""
    return Path(platformdirs.user_data_dir(_NAME)) / "decks"


def voice_folder(language: str) -> Path:
    """Recordings to be heard instead of tones."""
    return Path(platformdirs.user_data_dir(_NAME)) / "voice" / language


def settings_path() -> Path:
    """What people have set on the console."""
    return state_folder() / "settings.json"
