"""The referee: verdicts that change, evidence, takeback, rulings, views (rulings.md, G-1 … G-8)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import parse_action
from engine.cards import parse_card
from engine.places import OpenTable
from engine.players import Cheat, RandomPlayer, acting
from engine.record import DealLine, Header, RecordError, Ruling, Takeback, write
from engine.referee import Match, judge

HEAD = "game: dezertyras\nplayers: A, B, C, D\ndealer: 4\n"
HEADER = Header("dezertyras", ("A", "B", "C", "D"), 4)


def match_of(lines: str = "", options: str = "") -> Match:
    """The match after these lines, parted by `; `; the first is line 5, or 6 with an option."""
    return judge(HEAD + options + "deal\n" + lines.replace("; ", "\n") + "\n")


def test_worked_example_of_counting() -> None:
    """Nobody showed a heart or a trump, and seat 2's discard is proved: eight unseen, seven forbidden."""
    first = "1 ♥10, 2 ♣T, 3 ♥V, 4 ♥D, 4 ♦T, 1 ♦10, 2 ♦V, 3 ♦K, "
    tricks = first + "4 ♠T, 1 ♠10, 2 ♠D, 3 ♠K, 4 ♣K, 1 ♣10, 2 ♣D, 3 ♣V"
    match = Match(HEADER)
    match.push(DealLine())
    match.push(parse_action(1, ["announce", "9"]))
    reports = []
    for play in tricks.split(", "):
        seat, card = play.split()
        reports.append(match.push(parse_action(int(seat), ["play", card])))
    assert reports[1].entries[0].verdict == "conditional"
    assert [report.changed for report in reports[:-1]] == [()] * 15
    (proved,) = reports[-1].changed
    assert (proved.action, proved.final, proved.rule) == ("play ♣T", "illegal", "DZ-7")
    assert proved.settled_by == reports[-1].line.number == 21
    assert match.view().pending == ()


def test_verdicts_without_hands() -> None:
    match = match_of("1 announce 9; 1 play ♥10; 2 play ♣T")
    assert [entry.verdict for entry in match.entries] == ["legal", "legal", "conditional"]
    assert " ".join(map(str, match.entries[2].needs_void)) == "♠V ♠9 ♣9 ♥T ♥K ♥D ♥V ♥9 ♦9"
    assert match.view().pending == (7,)


def test_a_refused_card_is_evidence_and_an_impossible_one_is_not() -> None:
    match = match_of("1 announce 9; 1 play ♥10; 3 play ♥K; 4 play ♥10; 2 play ♣T; 3 play ♥V; 4 play ♥D")
    refused, impossible = match.entries[2:4]
    assert (refused.verdict, refused.rule) == ("illegal", "G-6")
    assert (impossible.verdict, impossible.rule) == ("impossible", "G-5")
    assert "♥K" not in map(str, match.entries[4].needs_void), "seat 3 showed it"
    assert match_of("1 announce 9; 1 play ♥10; 2 play ♥K").entries[2].verdict == "legal"


def test_a_card_shown_twice_at_once_and_wrong_counts_are_impossible() -> None:
    match = match_of("1 expose ♥K ♥K; 1 show ♥K; hand 1: ♥K ♥D; hand 1: ♥K ♥K ♥D ♥V ♥10 ♥9; 1 expose IMP")
    assert [entry.verdict for entry in match.entries] == ["impossible"] * 5


def test_hand_comes_before_the_first_action() -> None:
    hand = "hand 1: ♥K ♥T ♥D ♥V ♥10 ♥9"
    match = match_of(f"1 announce 9; {hand}")
    assert [(e.seat, e.action, e.verdict, e.rule) for e in match.entries[1:]] == [
        (1, "hand: ♥K ♥T ♥D ♥V ♥10 ♥9", "illegal", "G-6")
    ]
    assert match_of(f"{hand}; hand 2: ♥K ♠T ♠D ♠V ♠10 ♠9").entries[0].verdict == "impossible"
    assert match_of(f"{hand}; {hand}").entries == ()
    late = match_of(f"1 announce 9; 1 play ♠9; {hand}")
    assert late.entries[2].verdict == "impossible", "it was dealt ♠9"


def test_evidence_after_the_deal_settles_it() -> None:
    lines = "1 announce 9; 1 play ♥10; 2 play ♣T; 3 play ♠V; 4 play ♥D; 1 play ♠T; 2 expose ♥K"
    match = match_of(lines)
    assert match.entries[5].rule == "G-6", "the deal is decided"
    assert match.entries[2].final == "illegal"
    assert match.entries[2].settled_by == 11
    assert match.standing.score == (1, 0, 1, 0), "violation = stand"


def test_violation_award_acts_at_once_and_ruling_stand_reopens() -> None:
    lines = "1 announce 9; 1 play ♥10; 2 play ♣T; 3 play ♥V; 2 expose ♥K"
    match = match_of(lines, options="option violation: award\n")
    assert match.standing.score == (3, 0, 3, 0)
    assert match.view().stage == "decided"
    report = match.push(parse_action(4, ["play", "♥D"]))
    assert report.entries[0].rule == "G-6"
    report = match.push(Ruling("stand"))
    assert report.reopened
    assert match.standing.score == (0, 0, 0, 0)
    assert match.view().turn == 4
    assert match.push(parse_action(4, ["play", "♥D"])).entries[0].verdict == "legal"


def test_violation_void_keeps_the_dealer() -> None:
    lines = "1 announce 9; 1 play ♥10; 2 play ♣T; 3 play ♥V; 2 expose ♥K"
    match = match_of(lines, options="option violation: void\n")
    assert match.view().stage == "void"
    assert match.next_dealer == 4
    assert match.result()["deals"][0]["points"] is None


def test_ruling_without_a_violation_and_end_after_the_deal_are_refused() -> None:
    match = match_of("ruling void; 1 announce K; 1 play ♥K; 2 play ♠V; 3 play ♥9; 4 play ♦10; end")
    assert [(e.seat, e.action, e.verdict, e.rule) for e in (match.entries[0], match.entries[-1])] == [
        (None, "ruling void", "illegal", "G-6"),
        (None, "end", "illegal", "G-6"),
    ]
    assert match.something_wrong


def test_a_deal_broken_off_is_dealt_again_by_the_same_seat() -> None:
    match = match_of("1 announce 9; end; 1 play ♥T; deal; 1 announce K; deal dealer=2; 3 announce 9")
    result = match.result()
    assert [deal["dealer"] for deal in result["deals"]] == [4, 4, 2]
    assert result["deals"][0]["actions"][1]["rule"] == "G-6"


def test_takeback_undoes_the_end_of_a_deal() -> None:
    match = match_of("1 announce K; 1 play ♥K; 2 play ♠V; 3 play ♥9; 4 play ♦10")
    assert match.standing.score == (3, 0, 3, 0)
    report = match.push(Takeback())
    assert report.reopened
    assert [entry.taken_back for entry in report.changed] == [True]
    assert match.standing.score == (0, 0, 0, 0)
    assert match.view().turn == 4


def test_takeback_with_nothing_left_changes_nothing() -> None:
    match = match_of("1 announce K; takeback; 2 announce 9")
    before = match.result()
    with pytest.raises(RecordError, match="nothing to undo"):
        match.push(Takeback())
    assert match.result() == before


def test_view_names_everything_a_screen_needs() -> None:
    match = match_of("1 announce 9; 1 play ♥9; 2 play ♦9; 3 play ♠V")
    view = match.view()
    assert (view.deal, view.dealer, view.stage, view.turn) == (1, 4, "play", 4)
    assert view.teams == ((1, 3), (2, 4))
    assert [(named.name, str(named.rank)) for named in view.named] == [("sekliai", "9")]
    assert [(str(laid.card), laid.seat, laid.marks) for laid in view.zones[0].cards] == [
        ("♥9", 1, ("lead", "seklys", "annulled")),
        ("♦9", 2, ("seklys", "annulled")),
        ("♠V", 3, ("deserter",)),
    ]
    assert view.hand_counts == {1: 5, 2: 5, 3: 5, 4: 6}
    expected = view.expectation("play")
    assert expected is not None and (expected.seat, expected.source) == (4, "table")
    first = match_of().view().expects[0]
    assert (first.verb, first.source, len(first.ranks)) == ("announce", "button", 6)
    assert Match(HEADER).view().stage == "no deal"


def test_legal_actions_of_a_hand() -> None:
    match = match_of("1 announce 9; 1 play ♥10")
    hand = [parse_card(card) for card in ("♥K", "♣T", "♠V", "♥9")]
    assert [str(action) for action in match.legal_actions(2, hand)] == ["2 play ♥K"]
    assert [str(action) for action in match.legal_actions(2, hand[1:])] == ["2 play ♠V", "2 play ♥9"]
    assert match.legal_actions(1, hand) == []


def simulated(seed: int, deals: int = 2, rate: float = 0.15) -> Match:
    """A match of random players who cheat; hidden hands, so the referee judges what it can."""
    rng = random.Random(seed)
    match = Match(HEADER)
    cheat = Cheat(RandomPlayer(rng), rate, rng)
    for _ in range(deals):
        match.push(DealLine())
        assert match.deal is not None
        table = OpenTable.deal(match.deal.setup.pack, match.deal.places(), rng)
        while (turn := acting(match.deal, table)) is not None:
            seat, legal = turn
            action = cheat.choose(match.deal, seat, table.only(seat), legal)
            report = match.push(action)
            lawful = action in legal
            verdict = report.entries[0].verdict
            assert verdict in (("legal", "conditional") if lawful else ("illegal", "conditional"))
            if not report.refused:
                for card in action.cards:
                    table.leave(seat, card)
            if rng.random() < 0.1:
                cards = table.cards(seat)
                if cards:
                    match.push(parse_action(seat, ["expose", str(rng.choice(cards))]))
            if match.progress is not None and match.progress.over:
                break
    return match


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_record_state_record_is_the_identity(seed: int) -> None:
    match = simulated(seed)
    text = write(match.record())
    again = judge(text)
    assert again.result() == match.result()
    assert write(again.record()) == text


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_takeback_restores_every_state(seed: int) -> None:
    """Undone to the start and played again, the deal is as it was at every step."""
    record = simulated(seed, deals=1).record()
    match = Match(record.header)
    match.push(record.lines[0])
    results = []
    for line in record.lines[1:]:
        before = match.result(), match.view()
        if not match.push(line.content).refused:
            results.append(before)
    for before, view in reversed(results):
        match.push(Takeback())
        result = match.result()
        kept = len(before["deals"][-1]["actions"])
        assert result["deals"][-1]["actions"][:kept] == before["deals"][-1]["actions"]
        assert all(action["taken_back"] for action in result["deals"][-1]["actions"][kept:])
        assert match.view() == view


def test_verdicts_come_true() -> None:
    """What was settled agrees with the cards: with all hands shown, nothing stays open."""
    rng = random.Random(7)
    open_left = 0
    for seed in range(20):
        match = simulated(seed, deals=1, rate=0.3)
        open_left += len(match.view().pending)
    assert open_left > 0, "there was something to settle"
    for _ in range(20):
        match = Match(HEADER)
        match.push(DealLine())
        assert match.deal is not None
        table = OpenTable.deal(match.deal.setup.pack, match.deal.places(), rng)
        cheat = Cheat(RandomPlayer(rng), 0.3, rng)
        broken = []
        while (turn := acting(match.deal, table)) is not None:
            action = cheat.choose(match.deal, turn[0], table.only(turn[0]), turn[1])
            report = match.push(action)
            if not report.refused:
                if action not in turn[1]:
                    broken.append(report.line.number)
                for card in action.cards:
                    table.leave(action.seat, card)
        for seat in (1, 2, 3, 4):
            if table.counts[seat]:
                match.push(parse_action(seat, ["show", *map(str, table.cards(seat))]))
        accepted = [entry for entry in match.entries if entry.verdict in ("legal", "conditional")]
        assert [entry.line for entry in accepted if entry.final == "illegal"] == broken
        assert all(entry.final != "open" for entry in accepted)


def test_readme_example(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[2] / "engine" / "README.md").read_text(encoding="utf-8")
    code = text.split("```python\n")[1].split("```")[0]
    exec(code, {})
    promised = [line.rsplit("# ", 1)[1].strip() for line in code.splitlines() if "# " in line]
    assert capsys.readouterr().out.splitlines() == promised
