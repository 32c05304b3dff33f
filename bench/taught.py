"""Matches with taught decks: each shown card by card, then played with; what is seen must be what was done.

`python -m bench.taught [--matches N] [--seed S] [--deals D] [--games G,G] [--decks D,D] [--faces DIR ...]
[--folder DIR] [--seconds T] [--again N,N]`. The decks are our own drawings with two alphabets, two without
letters, and each folder of faces (`hA.jpg` …, as `demo --faces` takes) in the folders `--faces`, else in
`faces` of the shared material. A match is D deals long, or shorter where it is won before. What was taught
and played is kept in `--folder`, by the number of the match: the next call, with the same decks and games,
goes on after it; `--again` plays some once more. The exit status is 1 if a record differs.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2

from appliance.demo import Demo, DemoSettings
from appliance.flows import FLOWS, WhichCard
from appliance.people import People
from bench.art import ART, write_faces
from bench.lesson import taught_by_showing
from engine.cards import PACK_56, Card
from engine.games import GAMES
from engine.record import write
from vision.deck import Deck, DrawnDeck, Letters, load_faces

_OWN: dict[str, Letters] = {"TKDV": "TKDV", "AKQJ": "AKQJ"}
_PARITY = {"TKDV": 0, "AKQJ": 1}  # of the seed: by it the demo chooses the letters of its own drawing
_SHARED = Path(os.environ.get("KORTSTALIS_SHARED", "../shared")) / "faces"


@dataclass(frozen=True)
class Played:
    """A match that was played. `same`: what was seen is what was done; `lines` of it were; `asked`: how often
    the table asked which card it is."""

    match: int
    game: str
    players: int
    deck: str
    seed: int
    deals: int
    lines: int
    asked: int
    same: bool
    seconds: float


class _AskedPeople(People):
    """People who count what they are asked."""

    asked = 0

    def _card_asked_about(self, question: WhichCard) -> Card | None:
        self.asked += 1
        return super()._card_asked_about(question)


def main(arguments: Sequence[str] | None = None) -> int:
    """Teaches the decks not yet taught, plays the matches not yet played; the exit status."""
    args = _parsed(arguments)
    cv2.setNumThreads(1)
    start = time.monotonic()
    bench = _Bench(args.folder, args.games, args.decks, args.faces, args.seed, args.deals)
    results = args.folder / "played.jsonl"
    known = _known(results)
    for match in args.again or range(args.matches):
        if match in known and match not in args.again:
            continue
        if time.monotonic() - start > args.seconds:
            break
        known[match] = bench.play(match)
        with results.open("a") as file:
            print(json.dumps(asdict(known[match])), file=file)
        print(known[match], file=sys.stderr, flush=True)
    played = [each for number, each in sorted(known.items()) if number < args.matches]
    _report(played)
    return int(not all(each.same for each in played))


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.taught", description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=50, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first match")
    parser.add_argument("--deals", type=int, default=2, metavar="D", help="how long a match is at most")
    parser.add_argument("--games", default=",".join(FLOWS), metavar="G,…", help="in turn (default: all)")
    parser.add_argument("--decks", metavar="D,…", help="in turn (default: all there are)")
    parser.add_argument("--faces", type=Path, nargs="+", default=[_SHARED], metavar="DIR",
                        help="folders of folders of faces")  # fmt: skip
    parser.add_argument("--folder", type=Path, default=Path("build/taught"), help="for what is kept")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no match after so many")
    parser.add_argument("--again", default="", metavar="N,…", help="play only these, once more")
    args = parser.parse_args(arguments)
    args.faces = {folder.name: folder for root in args.faces if root.is_dir()
                  for folder in sorted(root.iterdir()) if folder.is_dir()}  # fmt: skip
    args.games, args.again = args.games.split(","), [int(each) for each in args.again.split(",") if each]
    there = [*_OWN, *ART, *args.faces]
    args.decks = args.decks.split(",") if args.decks else there
    for given, known in ((args.games, list(FLOWS)), (args.decks, there)):
        for name in given:
            if name not in known:
                parser.error(f"no {name!r}: there is {', '.join(known)}")
    return args


def _known(results: Path) -> dict[int, Played]:
    if not results.is_file():
        return {}
    lines = [Played(**json.loads(line)) for line in results.read_text().splitlines()]
    return {each.match: each for each in lines}


@dataclass(frozen=True)
class _Bench:
    """What is played. `faces`: the folders of faces by their decks' names."""

    folder: Path
    games: Sequence[str]
    decks: Sequence[str]
    faces: Mapping[str, Path]
    first: int
    deals: int

    def play(self, match: int) -> Played:
        """Plays the match of this number, with a deck that was taught."""
        name, game = self.decks[match % len(self.decks)], self.games[match % len(self.games)]
        seats = GAMES[game].players
        players = seats[match // len(self.games) % len(seats)]
        seed = 2 * (self.first + match) + _PARITY.get(name, 0)
        faces, deck = self._taught(name)
        shown = None if faces is None else str(faces)
        settings = DemoSettings(game, players, seed, self.deals, 0.1 * (match % 2), shown, str(deck))
        begun = time.process_time()
        demo = Demo(settings, None, people=_AskedPeople)
        same = demo.play()
        assert isinstance(demo.people, _AskedPeople)
        truth, seen = demo.simulation.match.record(), demo.session.match.record()
        (self.folder / f"{match}.truth.kort").write_text(write(truth))
        (self.folder / f"{match}.seen.kort").write_text(write(seen))
        return Played(
            match, game, players, name, seed, demo.simulation.match.deal_number, len(truth.lines),
            demo.people.asked, same, round(time.process_time() - begun, 1),
        )  # fmt: skip

    def _taught(self, name: str) -> tuple[Path | None, Path]:
        """The folder of a deck's faces (None: the demo draws them) and its taught deck, taught if need be."""
        self.folder.mkdir(parents=True, exist_ok=True)
        faces = self.faces.get(name)
        if name in ART:
            faces = self.folder / name
            if not faces.is_dir():
                write_faces(name, faces)
        file = self.folder / f"{name}.deck"
        if not file.is_file():
            art: Deck = DrawnDeck(_OWN[name]) if faces is None else load_faces(faces)
            number = zlib.crc32(name.encode()) % 1000
            deck, went = taught_by_showing(name, art, PACK_56, number)
            file.write_bytes(deck.save())
            print(f"{name}: {len(deck.cards)} cards taught, {went}", file=sys.stderr, flush=True)
        return faces, file


def _report(played: Sequence[Played]) -> None:
    for title, key in (("deck", "deck"), ("game", "game")):
        print(f"{title:16}{'matches':>9}{'same':>6}{'deals':>7}{'lines':>7}{'asked':>7}")
        for value in dict.fromkeys(getattr(each, key) for each in played):
            _row(value, [each for each in played if getattr(each, key) == value])
        _row("total", played)
        print()
    for each in played:
        if not each.same:
            print(f"match {each.match}: {each.game} {each.players} {each.deck}: the record differs")


def _row(title: str, played: Sequence[Played]) -> None:
    columns = ("same", "deals", "lines", "asked")
    same, deals, lines, asked = (sum(getattr(each, column) for each in played) for column in columns)
    print(f"{title:16}{len(played):9}{same:6}{deals:7}{lines:7}{asked:7}")


if __name__ == "__main__":
    sys.exit(main())
