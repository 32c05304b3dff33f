"""Where the photographs and cases beside the project are, for the tests that need them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHARED = Path(os.environ.get("KORTSTALIS_SHARED", ROOT.parent / "shared"))


def needs(folder: str) -> pytest.MarkDecorator:
    """Skips a test, visibly, where a folder of the shared material is missing."""
    path = SHARED / folder
    return pytest.mark.skipif(not path.is_dir(), reason=f"the shared material is missing: {folder}")
