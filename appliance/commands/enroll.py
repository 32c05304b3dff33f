"""`kortstalis enroll SOURCE --deck FILE`: teaches a deck, card by card (contract, section 3)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from appliance.failure import Failure, write_file
from appliance.language import DEFAULT, LANGUAGES, Language

if TYPE_CHECKING:
    from appliance.labels import Labels
    from engine.cards import Card
    from vision.showing import Held
    from vision.teach import Lesson, Refusal, Shown


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `enroll`."""
    parser = subparsers.add_parser(
        "enroll", help="teach a deck: show each of its cards once",
        epilog="At the prompt: Enter takes the proposal, a card (♥T, hA, IMP) corrects it, s skips what is "
        "shown, u undoes the last card, q stops.",
    )  # fmt: skip
    parser.add_argument(
        "source", metavar="SOURCE", help="a folder of pictures, one card each; a film; or a camera"
    )
    parser.add_argument("--deck", type=Path, required=True, metavar="FILE", help="the deck file to write")
    parser.add_argument(
        "--pack", type=int, choices=(24, 32, 36, 52, 56), default=52, help="how many cards (default 52)"
    )
    parser.add_argument("--name", metavar="TEXT", help="what the deck is called (else as its file)")
    parser.add_argument("--yes", action="store_true", help="take every proposal without asking")
    parser.add_argument(
        "--labels", type=Path, metavar="FILE", help="the cards in order, one a line, or NAME.jpg CARD"
    )
    parser.add_argument("--lang", choices=LANGUAGES, default=DEFAULT, help="the language of the prompt")
    parser.add_argument("--json", action="store_true", help="one JSON object per card shown, one at the end")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Teaches until the source ends, the deck is whole or somebody stops; 1 if cards are missing then."""
    from appliance.labels import read_labels
    from vision.reader import Reader
    from vision.showing import held_cards
    from vision.sources import SourceError, open_source
    from vision.teach import PACKS, Lesson

    if args.deck.is_dir() or not args.deck.absolute().parent.is_dir():
        raise Failure(f"{args.deck}: cannot be written: not a file in a folder that is there")
    labels = None if args.labels is None else read_labels(args.labels)
    try:
        source = open_source(args.source)
    except SourceError as error:
        raise Failure(str(error)) from None
    lesson, reader = Lesson(PACKS[args.pack]), Reader.load()
    talk = _Talk(lesson, Language(args.lang), labels, ask=not args.yes, as_json=args.json)
    try:
        for held in held_cards(source, reader):
            shown = lesson.show(held.flat, held.reading) if held.flat is not None else None
            if not talk.take(held, shown) or not lesson.missing:
                break
    except SourceError as error:
        raise Failure(str(error)) from None
    finally:
        source.close()
    if lesson.taught:
        date = datetime.now(UTC).date().isoformat()
        write_file(args.deck, lesson.finish(args.name or args.deck.stem, date).save())
    talk.end(args.deck)
    return int(bool(lesson.missing))


class _Talk:
    """The conversation of a lesson: proposals, answers and what became of them."""

    def __init__(
        self, lesson: Lesson, say: Language, labels: Labels | None, *, ask: bool, as_json: bool
    ) -> None:
        self._lesson, self._say, self._labels = lesson, say, labels
        self._ask, self._json = ask, as_json

    def take(self, held: Held, shown: Shown | None) -> bool:
        """Deals with one picture; False to stop."""
        say = self._say
        if shown is None:
            self._told(held, None, None, "no card", say("no card seen"))
            return True
        if self._labels is not None:
            card = self._labels.card(held.name)
            if card is None:
                self._told(held, shown, None, "no label", say("not in the list of labels"))
            else:
                self._teach(held, shown, card)
            return True
        if shown.refusal is not None:
            self._refused(held, shown, shown.refusal)
            # Somebody who is asked may know better: two cards may look nearly the same. In a film the card
            # taught last may have settled once more.
            if not self._ask or (held.moving and shown.refusal.card == self._lesson.taught[-1]):
                return True
        if not self._ask:
            if shown.proposed is None:
                self._told(held, shown, None, "unread", say("not read: say which card it is (--labels)"))
            else:
                self._teach(held, shown, shown.proposed)
            return True
        return self._answered(held, shown)

    def _answered(self, held: Held, shown: Shown) -> bool:
        from engine.cards import NotationError, parse_card

        say = self._say
        while True:
            proposed = "?" if shown.proposed is None else str(shown.proposed)
            count = len(self._lesson.taught) + 1
            prompt = say("{count}. {name}: {card}? [Enter, a card, s skip, u undo, q stop] ")
            print(prompt.format(count=count, name=held.name, card=proposed), end="", file=sys.stderr)
            sys.stderr.flush()
            line = sys.stdin.readline()
            answer = line.strip()
            if not line or answer == "q":
                return False
            if answer == "s":
                return True
            if answer == "u":
                undone = self._lesson.undo()
                text = say("nothing to undo") if undone is None else say("forgotten: {card}")
                print(text.format(card=undone), file=sys.stderr)
                shown = self._lesson.show(shown.flat, held.reading)
                continue
            if not answer and shown.proposed is None:
                continue
            try:
                card = parse_card(answer) if answer else shown.proposed
            except NotationError as error:
                print(error, file=sys.stderr)
                continue
            if card is not None and self._teach(held, shown, card):
                return True

    def _teach(self, held: Held, shown: Shown, card: Card) -> bool:
        refusal = self._lesson.teach(shown, card)
        if refusal is not None:
            self._refused(held, shown, refusal)
            return False
        self._told(held, shown, card, None, str(card))
        return True

    def _refused(self, held: Held, shown: Shown, refusal: Refusal) -> None:
        say = self._say
        texts: dict[str, Callable[[], str]] = {
            "taught": lambda: say("{card} was shown already"),
            "looks alike": lambda: say("looks like {card}, which was shown already"),
            "not in pack": lambda: say("{card} is not in this pack"),
        }
        self._told(held, shown, None, refusal.why, texts[refusal.why]().format(card=refusal.card))

    def _told(self, held: Held, shown: Shown | None, card: Card | None, why: str | None, text: str) -> None:
        if self._json:
            proposed = None if shown is None or shown.proposed is None else str(shown.proposed)
            result: dict[str, Any] = {"picture": held.name, "proposed": proposed}
            result |= {"card": None if card is None else str(card), "refused": why}
            print(json.dumps(result, ensure_ascii=False), flush=True)
        else:
            print(f"{held.name}: {text}", flush=True)

    def end(self, path: Path) -> None:
        """What was taught, and what is missing."""
        say, missing = self._say, self._lesson.missing
        written = str(path) if self._lesson.taught else None
        if self._json:
            result = {
                "deck": written,
                "cards": len(self._lesson.taught),
                "missing": [str(c) for c in missing],
            }
            print(json.dumps(result, ensure_ascii=False), flush=True)
            return
        if written is not None:
            print(f"{path}: " + say.count("{n} card taught", "{n} cards taught", len(self._lesson.taught)))
        if missing:
            print(say("still missing: {cards}").format(cards=" ".join(map(str, missing))))
