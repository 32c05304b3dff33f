"""The console, walked through by its five buttons alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.console import Calibrated, Console, Hooks
from appliance.corrections import mend
from appliance.failure import Failure
from appliance.language import Language
from appliance.screen import pages
from appliance.screen.model import Doubt, Shown
from appliance.session import Session
from appliance.settings import Settings, checked_settings, load_settings, save_settings
from engine.actions import parse_action
from engine.cards import parse_card
from engine.games import GAMES
from engine.record import DealLine, Header
from engine.referee import Match, Report
from vision.types import TableEvent

NAMES = ("Rasa", "Jonas", "Ona", "Petras")
OPENING = ("1 announce 9", "1 play ♥10", "2 play ♣T", "3 play ♥V", "4 play ♥D", "4 play ♦T", "1 play ♦10")
LETTERS = {"u": "up", "d": "down", "o": "ok", "b": "back", "?": "dispute"}


class Bench:
    """A console with what it asks of the machine."""

    def __init__(self, **given: object) -> None:
        self.saved: list[Settings] = []
        self.ended = 0
        hooks = Hooks(
            self.begin, games=("dezertyras", "durnius"), save=self.saved.append, ended=self.end,
            likely=lambda line: (parse_card("♣T"), parse_card("♣10")),
            calibrate=lambda: Calibrated(False, 2, 4),
            teaches=True,
            diagnostics=lambda say: (pages.Check("pods", "4", True),),
        )  # fmt: skip
        hooks = replace(hooks, **given)  # type: ignore[arg-type]
        self.console = Console(hooks, Settings(language="en", names=NAMES))

    def begin(self, header: Header, listen: Callable[[Report], None]) -> Session:
        return Session(Match(header), Language("en"), listen=listen)

    def end(self) -> None:
        self.ended += 1

    def press(self, buttons: str) -> None:
        for letter in buttons.replace(" ", ""):
            self.console.press(LETTERS[letter])

    def play(self, *lines: str) -> None:
        for line in lines:
            seat, _, words = line.partition(" ")
            self.console.playing().push(parse_action(int(seat), words.split()))

    def at_table(self, *lines: str) -> Bench:
        self.press("o o oooo o o")
        self.play(*lines)
        return self

    def lay(self, card: str, event: str = "placed", confidence: float = 0.99, seat: int = 2) -> None:
        self.console.event(TableEvent(0.0, event, parse_card(card), confidence, "seat2", seat))  # type: ignore[arg-type]

    @property
    def title(self) -> str:
        page = self.console.page()
        assert not isinstance(page, Shown)
        return page.title

    @property
    def record(self) -> list[str]:
        return [str(content) for content in self.console.playing().match.record().contents]


def menu(bench: Bench) -> list[tuple[str, str]]:
    page = bench.console.page()
    assert isinstance(page, pages.Menu)
    return [(row.label, row.value) for row in page.rows]


def test_from_the_start_to_the_first_card() -> None:
    bench = Bench()
    assert bench.title == "Kortstalis"
    assert [label for label, _ in menu(bench)] == [
        "Play", "Go on with the last match", "The rules", "Settings", "Calibrate the camera", "Teach a deck",
        "About this table",
    ]  # fmt: skip
    bench.press("b")  # the start is never left
    bench.press("o")
    assert (bench.title, menu(bench)) == (
        "Which game?", [("Dezertyras", "4 players"), ("Durnius", "2–4 players")],
    )  # fmt: skip
    bench.press("do")
    assert bench.title == "Durnius: how many play?"
    assert menu(bench) == [("2 players", ""), ("3 players", ""), ("4 players", "")]
    bench.press("b uo")
    assert bench.title == "Who sits on seat 1?"
    assert [label for label, _ in menu(bench)] == [*NAMES, "Player 1", "A new name …"]
    bench.press("ooo")
    assert [label for label, _ in menu(bench)] == ["Petras", "Player 4", "A new name …"]
    bench.press("uo")
    bench.press("ddd ddddddd o dddddddddd oo b ?")  # K, then u twice, one deleted
    assert menu(bench) == [
        ("Deal the cards", ""),
        ("First dealer", "Ku"),
        ("An annulled Seklys", "counts for nothing"),
        ("The own Dezertyras caught", "1 point"),
        ("A violation that is proved", "stands as played"),
    ]
    bench.press("do do dd o")
    assert menu(bench)[1:3] == [("First dealer", "Rasa"), ("An annulled Seklys", "counts as a plain card")]
    assert menu(bench)[4] == ("A violation that is proved", "loses the deal")
    bench.press("d o")
    header = bench.console.playing().match.header
    assert header.players == ("Rasa", "Jonas", "Ona", "Ku")
    assert (header.dealer, header.options) == (1, {"annulled": "plain", "violation": "award"})
    assert bench.saved[-1].names == ("Rasa", "Jonas", "Ona", "Ku", "Petras")
    assert bench.saved[-1].game == "dezertyras"
    bench.press("o dddd o")
    assert bench.record == ["deal", "2 announce 10"]


def test_options_that_do_not_go_together_are_left_out() -> None:
    bench = Bench(games=("dudakas",))
    bench.press("o o u o o o o")
    assert bench.console.page().text == "Rasa, Jonas, Ona"  # type: ignore[union-attr]
    bench.press("dd o")
    assert menu(bench)[2] == ("Cards in the pack", "24")  # 32 are not for three
    bench.press("bbbb d o oooo dd o")
    assert bench.console.page().text == "Rasa, Jonas, Ona, Petras"  # type: ignore[union-attr]
    assert menu(bench)[2] == ("Cards in the pack", "32")


def test_a_refused_card_is_explained_and_the_table_goes_on() -> None:
    bench = Bench().at_table(*OPENING)
    bench.play("3 play ♠9")
    page = bench.console.page()
    assert isinstance(page, pages.Verdict)
    assert (page.title, page.rule) == ("Ona: ♠9 is against the rules", "G-6")
    assert page.text.startswith("Act only on your turn")
    assert page.answers == ("The card goes back", "Correct the reading")
    assert page.moments[0].cards == (parse_card("♠9"),)
    bench.press("o")
    shown = bench.console.page()
    assert isinstance(shown, Shown)
    assert shown.banner is None
    bench.play("3 play ♠9")
    bench.play("2 play ♦K")  # the game goes on without anybody pressing
    assert isinstance(bench.console.page(), Shown)


def test_a_misread_card_is_put_right_in_three_presses() -> None:
    bench = Bench(likely=lambda line: (parse_card("♦V"), parse_card("♦D"))).at_table(*OPENING)
    bench.play("2 play ♦K", "1 play ♠9")
    bench.press("u o")  # it was refused: correct the reading
    page = bench.console.page()
    assert isinstance(page, pages.AskCard)
    assert page.cards[:2] == (parse_card("♦V"), parse_card("♦D"))
    bench.press("b")
    bench.play("3 play ♣9")
    bench.press("? ? o")  # the last action: dispute, dispute, OK
    assert bench.record[-2:] == ["takeback", "3 play ♦V"]
    view = bench.console.playing().match.view()
    assert view.turn != 3


def test_an_open_action_is_marked_and_proved_later_with_both_moments() -> None:
    bench = Bench().at_table(*OPENING)
    shown = bench.console.page()
    assert isinstance(shown, Shown)
    assert shown.doubts == (Doubt(2, (parse_card("♣T"),)),)
    bench.play("2 play ♥K")
    page = bench.console.page()
    assert isinstance(page, pages.Verdict)
    assert (page.title, page.rule) == ("Proved: Jonas broke a rule with ♣T", "DZ-7")
    assert [moment.words for moment in page.moments] == ["Jonas: ♣T", "Jonas: ♥K"]
    assert page.answers == (
        "Let it stand", "The deal is lost by it", "The deal counts nothing", "Correct the reading",
    )  # fmt: skip
    bench.press("ddo")
    assert bench.record[-1] == "ruling void"
    assert bench.console.playing().match.view().stage == "void"


def test_the_dispute_steps_back_and_answers() -> None:
    bench = Bench().at_table(*OPENING)
    bench.press("? uuuu")
    page = bench.console.page()
    assert isinstance(page, pages.Dispute)
    assert (page.place, page.who, page.moment.words) == ("3 of 7", "Jonas", "Jonas: ♣T")
    assert (page.standing, page.rule) == ("open", "DZ-7")
    assert page.verdict.startswith("lawful only without ♠V ♠9")
    assert page.proof.startswith("wrong if Jonas lays or shows one of these")
    bench.press("o o")
    page = bench.console.page()
    assert isinstance(page, pages.Dispute)
    assert page.answer == "Nobody can know yet."
    bench.press("u o o")
    page = bench.console.page()
    assert isinstance(page, pages.Dispute)
    assert (page.answer, page.verdict) == ("Yes, it was lawful.", "according to the rules")
    bench.press("b")
    assert isinstance(bench.console.page(), Shown)


@pytest.mark.parametrize(
    ("buttons", "moved", "last"),
    [
        ("? o dd o oo", 8, "1 play ♦10"),  # somebody else: Rasa's ♦10 was Jonas's
        ("? o ddd o", 7, "4 play ♦T"),  # it did not happen
        ("? o dddd o d o d o", 9, "2 play ♠K"),  # a card of Jonas was missed
    ],
)
def test_other_corrections(buttons: str, moved: int, last: str) -> None:
    bench = Bench().at_table(*OPENING)
    bench.press(buttons)
    assert isinstance(bench.console.page(), Shown | pages.Verdict)
    counting = _counting(bench.record)
    if "oo" in buttons:
        assert counting[-1] == "2 play ♦10"
    else:
        assert (len(counting), counting[-1]) == (moved, last)


def _counting(record: list[str]) -> list[str]:
    lines: list[str] = []
    for line in record:
        if line == "takeback":
            lines.pop()
        else:
            lines.append(line)
    return lines


def test_a_hand_is_shown_and_settles_what_was_open() -> None:
    bench = Bench().at_table(*OPENING)
    bench.press("o dd o d o")
    assert bench.title == "The hand of Jonas"
    for card in ("♠T", "♠K", "♠D", "♣K"):
        bench.lay(card)
    page = bench.console.page()
    assert isinstance(page, pages.HandCheck)
    assert (page.places, len(page.cards), page.complete) == (5, 4, False)
    bench.press("o")  # not yet
    bench.lay("♣K", "removed")
    bench.lay("♣K")
    bench.lay("♣D")
    bench.press("o")
    page = bench.console.page()
    assert isinstance(page, pages.Dispute)
    assert (page.standing, page.moment.words) == ("legal", "Jonas: ♣T")
    bench.press("b")
    before = bench.record
    bench.lay("♣D", "removed")  # back into the hand: nothing happened on the table
    assert before[-1] == "2 show ♠T ♠K ♠D ♣K ♣D"
    assert bench.record == before


def test_undo_after_the_deal_goes_through_the_session() -> None:
    bench = Bench().at_table(*OPENING)
    bench.play("2 play ♠V", "3 play ♦V", "4 play ♦K", "3 play ♥T", "4 play ♥9", "1 play ♣9", "2 play ♣D")
    page = bench.console.page()
    if isinstance(page, pages.Verdict):  # whoever is refused there goes back
        bench.press("o")
    console = bench.console
    console.show_result()
    page = console.page()
    assert isinstance(page, pages.DealResult)
    assert [side.name for side in page.sides] == ["Rasa + Ona", "Jonas + Petras"]
    bench.press("b")
    shown = console.page()
    assert isinstance(shown, Shown)
    assert shown.choice is not None
    assert shown.choice.title == "Take back the last action?"
    before = len(bench.record)
    bench.press("do")
    assert (len(bench.record), bench.record[-1]) == (before + 1, "takeback")


def test_the_menu_of_the_table() -> None:
    bench = Bench().at_table(*OPENING)
    bench.press("o ddd o")
    page = bench.console.page()
    assert isinstance(page, pages.MatchResult)
    assert (page.title, page.course) == ("The match so far", ((0,), (0,)))
    bench.press("b b")
    assert isinstance(bench.console.page(), Shown)
    bench.press("o dddd o")
    assert bench.title == "The rules: Dezertyras"
    bench.press("o d")
    page = bench.console.page()
    assert isinstance(page, pages.RulePage)
    assert (page.number, page.place) == ("DZ-2", "2 of 25")
    bench.press("b b b o uu o d o")
    assert bench.record[-1] == "end"
    bench.press("b")
    bench.console.to_table()
    bench.console.end_match()
    assert (bench.title, bench.ended) == ("Kortstalis", 1)


def test_the_machine() -> None:
    bench = Bench()
    bench.press("ddd o")
    assert menu(bench) == [
        ("Language", "English"), ("Indices of the cards", "Lithuanian (TKDV)"),
        ("Colours of the suits", "two"), ("Look", "dark"), ("Volume", "7 / 10"), ("Turn the screen", "0°"),
        ("Each sound", ""),
    ]  # fmt: skip
    bench.press("d o d o d o d o d o")
    assert [value for _, value in menu(bench)[1:]] == [
        "international (AKQJ)", "four", "light", "8 / 10", "90°", "",
    ]  # fmt: skip
    bench.press("d o")
    assert bench.title == "Each sound"
    assert menu(bench)[0] == ("A card is accepted", "5 / 10")
    assert menu(bench)[5] == ("The dog barks", "10 / 10")
    assert menu(bench)[6] == ("Spoken words, where there are recordings", "yes")
    bench.press("o uu o b")
    assert bench.saved[-1].volumes == {
        "accepted": 6, "turn": 5, "illegal": 10, "proof": 10, "won": 10, "bark": 0,
    }  # fmt: skip
    bench.press("d o")
    assert bench.title == "Nustatymai"
    assert bench.saved[-1] == Settings(
        language="lt",
        indices="AKQJ",
        look="light",
        suits="four",
        volume=8,
        rotation=90,
        names=NAMES,
        volumes=bench.saved[-1].volumes,
    )
    bench.press("o b d o")
    page = bench.console.page()
    assert isinstance(page, pages.Calibration)
    assert (page.good, page.no_picture) == (None, "There is no picture of the camera.")
    bench.press("o")
    page = bench.console.page()
    assert isinstance(page, pages.Calibration)
    assert page.text.startswith("Only 2 of 4 markers were found.")
    bench.press("b d o")
    assert bench.title == "How many cards has the deck?"
    bench.press("b d o")
    page = bench.console.page()
    assert isinstance(page, pages.About)
    assert [check.label for check in page.checks] == ["pods", "Version", "Machine", "Licence"]


def test_the_last_match_goes_on() -> None:
    bench = Bench()
    bench.press("d o")  # there is none: the line goes away
    assert [label for label, _ in menu(bench)][:2] == ["Play", "The rules"]

    def unfinished(listen: Callable[[Report], None]) -> Session:
        session = Session(Match(Header("dezertyras", NAMES, 4)), Language("en"), listen=listen)
        session.push(DealLine())
        return session

    bench = Bench(unfinished=unfinished)
    bench.press("d o o")
    assert bench.record == ["deal", "1 announce T"]


def test_what_cannot_stand_says_so_and_what_can_is_left() -> None:
    bench = Bench().at_table(*OPENING)
    bench.play("3 play ♠9")  # refused (G-2)
    page = bench.console.page()
    assert isinstance(page, pages.Verdict)
    assert "It can't stand" in page.text and "Let it stand" not in page.answers
    bench.press("o")
    bench.play("2 play ♥K")  # an accepted action is proved (G-4)
    page = bench.console.page()
    assert isinstance(page, pages.Verdict)
    assert "It can't stand" not in page.text and page.answers[0] == "Let it stand"
    before = bench.record
    bench.press("o")
    assert bench.record == before and isinstance(bench.console.page(), Shown)
    assert bench.console.playing().match.view().stage not in ("void", "decided")


def test_mending_forgets_what_a_refused_line_showed() -> None:
    bench = Bench().at_table(*OPENING)
    bench.play("3 play ♠9")
    session = bench.console.playing()
    line = session.match.entries[-1].line
    mend(session, line, ())
    assert bench.record[-2:] == ["takeback", "1 play ♦10"]
    assert all(
        entry.taken_back for entry in session.match.entries if entry.line >= line - 1 and entry.line <= line
    )
    with pytest.raises(ValueError, match="line 999 is not one that counts"):
        mend(session, 999, ())


def test_settings_are_kept_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "state" / "settings.json"
    assert load_settings(path) == Settings()
    settings = Settings(language="en", volume=0, names=("Rasa",), game="suo", options={"target": "50"})
    save_settings(path, settings)
    assert load_settings(path) == settings
    assert json.loads(path.read_text(encoding="utf-8"))["volume"] == 0
    assert [file.name for file in path.parent.iterdir()] == ["settings.json"]
    for text, wrong in (
        ('{"langage": "en"}', "unknown key 'langage'; did you mean 'language'?"),
        ('{"volume": 11}', "volume = 11: it is one of 0, 1, 2"),
        ('{"names": ["' + 25 * "a" + '"]}', "names is a list of names of at most 24 letters"),
        ("{", "not JSON"),
        ("[]", "not a table of settings"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(Failure, match=wrong.replace("?", r"\?")):
            load_settings(path)
    with pytest.raises(Failure, match="volumes is a table of accepted, turn"):
        checked_settings({"volumes": {"accepted": 11}}, "x")
    with pytest.raises(Failure, match="options is a table of texts"):
        checked_settings({"options": {"a": 1}}, "x")


def test_no_room_knows_a_game_by_its_name() -> None:
    folder = Path(__file__).parent.parent.parent / "appliance"
    for path in (*(folder / "rooms").glob("*.py"), folder / "console.py", folder / "corrections.py"):
        text = path.read_text(encoding="utf-8")
        assert not [game for game in GAMES if f'"{game}"' in text], path
