"""The examples of the documents are judged as they say."""

from __future__ import annotations

from engine.referee import judge
from tests.shared import ROOT


def test_the_example_of_the_record_is_judged_as_it_says() -> None:
    before, _, _ = (ROOT / "docs" / "record.md").read_text(encoding="utf-8").partition("## Lines")
    text = "\n".join(line[4:] for line in before.splitlines() if line.startswith("    "))
    actions = judge(text).result()["deals"][0]["actions"]
    told = actions[2]
    assert (told["line"], told["action"]) == (8, "play ♣T")
    assert (told["verdict"], told["final"], told["rule"], told["settled_by"]) == (
        "conditional",
        "illegal",
        "DZ-7",
        13,
    )
    assert told["needs_void"][:2] == ["♠V", "♠9"]
