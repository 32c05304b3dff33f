"""`python -m appliance.screen.gallery DIR`: a picture of every view, walked through by the buttons alone.

The cards and names are made up; the pages are those the console shows at a table.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from appliance import phrases
from appliance.console import Calibrated, Console, Hooks
from appliance.language import LANGUAGES, Language
from appliance.rooms.results import deal_page, match_page
from appliance.screen.model import Choice, Doubt, Hints, Picture, Shown
from appliance.screen.pages import Check, Page
from appliance.session import Session
from appliance.settings import Settings
from engine.actions import Action, parse_action
from engine.cards import Card, parse_card
from engine.games import GAMES
from engine.players import SimplePlayer
from engine.record import Header, Line
from engine.referee import Match, Report
from engine.simulation import Simulation
from engine.view import View
from vision.deck import DrawnDeck
from vision.showing import Held
from vision.types import Image, Outline, Reading, TableEvent

NAMES = ("Rasa", "Jonas", "Ona", "Petras", "Lina", "Tomas")
LONG_NAMES = (
    "Konstantinas-Žygimantas", "Aleksandrina Marijona", "Wilhelmina Woźniakowska", "Žygimantas Augustas II",
    "Marija Magdalena Gražina", "Mmmmmmmmmmmmmmmmmmmmmmmm",
)  # fmt: skip
_DECK = DrawnDeck()
DOCS = ("games", "table", "verdict", "dispute", "hand-check", "match-result-dezertyras", "teach")
_DEAL = (
    "1 announce 9", "1 play ♥10", "2 play ♣T", "3 play ♥V", "4 play ♥D", "4 play ♦T", "1 play ♦10",
)  # fmt: skip
"""A deal that comes to a discard that is open, is proved wrong by the next line."""
_PROOF = "2 play ♥K"


def walk(language: str = "lt", names: tuple[str, ...] = NAMES) -> Iterator[tuple[str, Page]]:
    """Every view by its name, in the order in which a table comes to it."""
    console = Console(_hooks(language), Settings(language="lt" if language == "lt" else "en", names=names))
    press = _presser(console)
    yield "start", console.page()
    press("ok")
    yield "games", console.page()
    press(*"dd", "ok")
    yield "players", console.page()
    press("back", "back", "ok", "ok")  # the first game has only one number of players
    yield "names", console.page()
    press("up", "ok", *(["ok", "d"] * 5))
    yield "spelling", console.page()
    press(*(["back"] * 6))
    press("d", "ok", "ok", "ok", "ok")
    yield "options", console.page()
    press("ok")
    yield "table-deal", console.page()
    press("ok")
    session = console.playing()
    yield "table-announce", console.page()
    for line in _DEAL:
        session.push(parse_action(int(line[0]), line[2:].split()))
    yield "table", console.page()
    press("ok")
    yield "table-menu", console.page()
    press("back", "back")
    yield "table-undo", console.page()
    press("back")
    session.events([TableEvent(1.0, "placed", parse_card("♣9"), 0.4, "seat2", 2)])
    yield "which-card", console.page()
    press("up", "ok")
    press("dispute", "up", "up", "up", "up")
    yield "dispute", console.page()
    press("ok")
    yield "dispute-questions", console.page()
    press("ok")
    yield "dispute-answer", console.page()
    press("dispute")
    yield "correct-card", console.page()
    press("back", "ok", *"dd", "ok")
    yield "correct-seat", console.page()
    press("back", *"dd", "ok")
    yield "missed-whose", console.page()
    press("ok")
    yield "missed-card", console.page()
    press("back", "back", *"dd", "ok")
    yield "wrong", console.page()
    press("u", "ok")
    yield "wrong-kept", console.page()
    press("ok", "ok", "u", "u", "u", "ok")
    yield "by-hand", console.page()
    press("back", *"ddd", *"dd", "ok", "d", "ok")
    for card in ("♥K", "♣K", "♣D"):
        console.event(TableEvent(2.0, "placed", parse_card(card), 0.99, "seat2", 2))
    yield "hand-check", console.page()
    press("back", "back")
    session.push(parse_action(3, ["play", "♠9"]))
    yield "verdict", console.page()
    press("ok")
    session.push(parse_action(int(_PROOF[0]), _PROOF[2:].split()))
    yield "proof", console.page()
    press("back")
    yield from _results(language, names)
    yield from _machine(language)
    yield from tables(language, names)


def _results(language: str, names: tuple[str, ...]) -> Iterator[tuple[str, Page]]:
    say = Language(language)
    for game, seats, options, deals in (
        ("dezertyras", 4, {}, 30),
        ("velnio_ratas", 6, {}, 8),
        ("durnius", 3, {"score": "stars"}, 4),
        ("suo", 4, {}, 2),
    ):
        match = _played(game, names[:seats], options, deals)
        yield f"deal-result-{game}", deal_page(match, say)
        yield f"match-result-{game}", match_page(match, say)


def _played(game: str, names: tuple[str, ...], options: dict[str, str], deals: int) -> Match:
    """A match of so many deals, or until it is won."""
    simulation = Simulation(Header(game, names, None, options), 3, lambda rng: SimplePlayer(game))
    for _ in range(deals):
        simulation.deal()
        for _ in range(300):
            action = simulation.choose()
            if action is None:
                break
            simulation.happened(action)
        if not simulation.between_deals or simulation.match.standing.winner is not None:
            break
    return simulation.match


def _machine(language: str) -> Iterator[tuple[str, Page]]:
    console = Console(_hooks(language), Settings(language="lt" if language == "lt" else "en"))
    press = _presser(console)
    press(*"ddd", "ok")
    yield "settings", console.page()
    press("u", "ok")
    yield "sounds", console.page()
    press("back")
    press("back", "d", "ok")
    yield "calibration", console.page()
    press("ok")
    yield "calibration-found", console.page()
    press("back", "d", "ok")
    yield "teach-pack", console.page()
    press("d", "ok")
    yield "teach", console.page()
    press("ok")
    yield "teach-lay", console.page()
    press("ok")
    yield "teach-end", console.page()
    press("ok")
    yield "teach-kept", console.page()
    press("ok", "d", "ok")
    yield "about", console.page()
    press("back", *"uuuu", "ok", "ok")
    yield "rules", console.page()
    press(*"ddd", "ok")
    yield "rule", console.page()
    press(*(["d"] * 11))
    yield "rule-long", console.page()


def tables(language: str, names: tuple[str, ...] = NAMES) -> Iterator[tuple[str, Page]]:
    """The table of each game with the fewest and the most players, at its fullest."""
    say = Language(language)
    for game in GAMES.values():
        for seats in sorted({game.players[0], game.players[-1]}):
            simulation = Simulation(
                Header(game.id, names[:seats]),
                4,
                lambda rng, id=game.id: SimplePlayer(id),  # type: ignore[misc]
            )
            best: tuple[int, View] | None = None
            for _ in range(2):
                simulation.deal()
                for _ in range(120):
                    view = simulation.match.view()
                    full = sum(min(6, len(zone.cards)) + 4 for zone in view.zones if zone.cards)
                    if best is None or full + len(view.pending) > best[0]:
                        best = (full + len(view.pending), view)
                    action = simulation.choose()
                    if action is None:
                        break
                    simulation.happened(action)
                if not simulation.between_deals:
                    break
            assert best is not None
            shown = _shown(best[1], game.name, say)
            yield f"game-{game.id}-{seats}", shown
            if game.id == "imperatorius" and seats == 4:
                answers = ("♠", "♣", "♥", "♦")
                hints = replace(shown.hints, up_down=say("move"), ok=say("choose"))
                yield "table-choice", replace(shown, choice=Choice(say("Trumps"), answers, 2), hints=hints)


def _shown(view: View, name: str, say: Language) -> Shown:
    doubts = tuple(
        Doubt(laid.seat, (laid.card,))
        for zone in view.zones
        for laid in zone.cards[-1:]
        if laid.seat is not None and zone.kind in ("pile", "trick")
    )
    hints = Hints("", say("menu"), say("undo"), say("dispute"))
    return Shown(view, name, None, None, phrases.waiting_for(view, say), (), doubts, hints)


def _presser(console: Console) -> Callable[..., None]:
    names = {"d": "down", "u": "up"}

    def press(*buttons: str) -> None:
        for button in buttons:
            console.press(names.get(button, button))

    return press


def _session(match: Match, language: Language, listen: Callable[[Report], None]) -> Session:
    return Session(match, language, listen=listen)


def _hooks(language: str) -> Hooks:
    picture = Picture(_felt())
    sessions: list[Session] = []
    seen: dict[int, Picture] = {}
    say = Language(language)

    def begin(header: Header, listen: Callable[[Report], None]) -> Session:
        sessions[:] = [_session(Match(header), say, listen)]
        return sessions[0]

    def moment(line: int) -> Picture:
        lines = sessions[0].match.record().lines
        cards = _cards(lines, line)
        if line not in seen:
            seen[line] = Picture(_lying(cards[0])) if cards else picture
        return seen[line]

    def diagnostics(say: Language) -> tuple[Check, ...]:
        lost = say("There is no picture of the camera.")
        return (
            Check(say("Calibrate the camera"), lost, False),
            Check(say("Teach a deck"), "54 / 54", True),
            *(Check(f"pod {n}", "/dev/ttyACM" + str(n), True) for n in range(6)),
        )

    return Hooks(
        begin, games=tuple(GAMES), picture=moment, camera=lambda: picture,
        calibrate=lambda: Calibrated(True, 4, 4, picture), teaches=True, wrong=lambda wrong: None,
        look=_show_cards, keep_deck=lambda lesson: "2026-12-24 18.30",
        diagnostics=diagnostics, likely=lambda line: (parse_card("♣10"), parse_card("♣V")),
    )  # fmt: skip


def _show_cards(listen: Callable[[Held], None] | None) -> None:
    """Some cards are laid under the camera, and the last one waits for its name."""
    if listen is None:
        return
    for card in ("♠D", "♥7"):
        face = parse_card(card)
        flat = np.asarray(cv2.resize(_DECK.face(face), (128, 176), interpolation=cv2.INTER_AREA), np.uint8)
        outline = Outline(np.array([[0, 0], [128, 0], [128, 176], [0, 176]], np.float32))
        listen(Held(card, flat, Reading(outline, ((face, 0.98),)), True))


def _cards(lines: tuple[Line, ...], number: int) -> tuple[Card, ...]:
    content = next((line.content for line in lines if line.number == number), None)
    return content.cards if isinstance(content, Action) else ()


def _lying(card: Card) -> Image:
    """A picture of one card on the cloth, as the camera keeps it."""
    cloth = np.full((150, 120, 3), (60, 92, 50), np.uint8)
    face = cv2.resize(_DECK.face(card), (80, 112), interpolation=cv2.INTER_AREA)
    turn = cv2.getRotationMatrix2D((40, 56), 5, 1)
    turn[:, 2] += (20, 19)
    size = (120, 150)
    mask = cv2.warpAffine(np.full((112, 80), 255, np.uint8), turn, size, flags=cv2.INTER_AREA)
    laid = cv2.warpAffine(face, turn, size, flags=cv2.INTER_AREA)
    return np.where(mask[..., None] > 127, laid, cloth).astype(np.uint8)


def _felt() -> Image:
    """A picture that stands for the camera's: cloth with a few cards."""
    image = np.full((360, 640, 3), (60, 92, 50), np.uint8)
    rng = np.random.default_rng(1)
    image = np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8)
    places = {"♥10": (290, 220), "♣T": (200, 130), "♥V": (300, 60), "♥D": (400, 140)}
    for card, (x, y) in places.items():
        image[y : y + 84, x : x + 60] = cv2.resize(
            _DECK.face(parse_card(card)), (60, 84), interpolation=cv2.INTER_AREA
        )
    return image


def _draw_docs(folder: Path) -> None:
    """The pictures of the players' pages, in both languages."""
    from appliance.screen.window import Screen

    for language in LANGUAGES:
        place = folder / language
        place.mkdir(parents=True, exist_ok=True)
        screen = Screen((800, 480), Language(language), window=False)
        screen.adopt(Settings(language="en" if language == "en" else "lt"))
        for name, page in walk(language):
            if name in DOCS:
                screen.show(page)
                screen.save(place / f"{name}.png")


def main() -> None:
    """Draws them all."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    from appliance.config import SIZES
    from appliance.screen.window import Screen

    parser = argparse.ArgumentParser(prog="python -m appliance.screen.gallery", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", metavar="DIR", help="where the pictures go")
    parser.add_argument(
        "--docs", action="store_true", help="the few of the players' pages, into docs/screens"
    )
    parser.add_argument("--lang", choices=LANGUAGES, default="lt")
    parser.add_argument("--size", choices=tuple(SIZES), default="1280x720")
    parser.add_argument("--light", action="store_true", help="the light look")
    parser.add_argument("--upright", action="store_true", help="a screen that stands upright")
    parser.add_argument("--long", action="store_true", help="with the longest names")
    args = parser.parse_args()
    if args.docs:
        _draw_docs(Path("docs/screens"))
        return
    if args.folder is None:
        parser.error("a folder, or --docs")
    args.folder.mkdir(parents=True, exist_ok=True)
    size = SIZES[args.size]
    screen = Screen(size[::-1] if args.upright else size, Language(args.lang), window=False)
    screen.adopt(Settings(language=args.lang, look="light" if args.light else "dark", suits="four"))
    for name, page in walk(args.lang, LONG_NAMES if args.long else NAMES):
        screen.show(page)
        screen.save(args.folder / f"{name}.png")


if __name__ == "__main__":
    main()
