"""The players' pages: their pictures are there, small, and those that the gallery makes."""

from __future__ import annotations

import re

import pytest

from appliance.screen.gallery import DOCS
from tests.shared import ROOT

PAGES = {"lt": "zaidejams.md", "en": "players.md"}


@pytest.mark.parametrize("language", PAGES)
def test_pictures_and_links(language: str) -> None:
    text = (ROOT / "docs" / PAGES[language]).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert sorted(link for link in links if link.endswith(".png")) == sorted(
        f"screens/{language}/{name}.png" for name in DOCS
    )
    for link in links:
        assert (ROOT / "docs" / link).is_file(), link
    for name in DOCS:
        assert 10_000 < (ROOT / "docs/screens" / language / f"{name}.png").stat().st_size < 100_000
    assert f"(docs/{PAGES[language]})" in (ROOT / "README.md").read_text(encoding="utf-8")
