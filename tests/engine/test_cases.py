"""Every record of tests/cases is judged as its expected file says (the format of the handed cases)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.games import GAMES
from engine.record import RecordError, decode
from engine.referee import judge

CASES = Path(__file__).parent.parent / "cases"
RECORDS = sorted(CASES.rglob("*.kort"))


def game_named(text: str) -> str | None:
    for line in text.splitlines():
        if line.startswith("game:"):
            return line.removeprefix("game:").strip()
    return None


def differences(want: dict[str, Any], got: dict[str, Any]) -> Iterator[str]:
    found = {}
    for deal in got["deals"]:
        for action in deal["actions"]:
            extra = action["action"] == "exchange"
            found[f"{action['line']} exchange {action['seat']}" if extra else str(action["line"])] = action
    for line, fields in want.get("actions", {}).items():
        for key, value in fields.items():
            have = found.get(line, {}).get(key)
            if key == "needs_void":
                have, value = sorted(have or []), sorted(value)
            if have != value:
                yield f"line {line}: {key} is {have!r}, not {value!r}"
    for line, action in found.items():
        listed = line in want.get("actions", {}) or action.get("taken_back")
        if "finals" in want and not listed and action["final"] not in want["finals"]:
            yield f"line {line}: final is {action['final']!r} {action.get('rule')}"
    if "deals" in want:
        if len(want["deals"]) != len(got["deals"]):
            yield f"{len(got['deals'])} deals, not {len(want['deals'])}"
        for number, (wanted, deal) in enumerate(zip(want["deals"], got["deals"], strict=False), 1):
            for key, value in wanted.items():
                have = deal.get(key)
                if key == "tricks":
                    have = [trick["winner"] for trick in deal["tricks"]]
                if have != value:
                    yield f"deal {number}: {key} is {have!r}, not {value!r}"
    for key, value in want.get("match", {}).items():
        if got["match"][key] != value:
            yield f"match: {key} is {got['match'][key]!r}, not {value!r}"


def test_there_are_cases() -> None:
    assert len(RECORDS) >= 100


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_case(path: Path) -> None:
    text = decode(path.read_bytes())
    want = json.loads(path.with_name(f"{path.stem}.expected.json").read_text(encoding="utf-8"))
    game = game_named(text)
    if path.parent.name != "bad_input" and game not in GAMES:
        pytest.skip(f"{game} is not there yet")
    if path.parent.name == "bad_input" and game in known_names() and game not in GAMES:
        pytest.skip(f"{game} is not there yet")
    if want["exit"] == 2:
        with pytest.raises(RecordError) as caught:
            judge(text)
        assert want.get("error", ":") in f"FILE.kort:{caught.value.line}: {caught.value.text}"
        return
    match = judge(text)
    assert list(differences(want, match.result())) == []
    assert want["exit"] == int(match.something_wrong)


def known_names() -> set[str]:
    return {path.name for path in CASES.iterdir()}
