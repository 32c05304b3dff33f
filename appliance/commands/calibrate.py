"""`kortstalis calibrate`: prints the table mat, and finds the table's geometry by it or by four cards."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from appliance.failure import Failure, write_file
from engine.games import GAMES

if TYPE_CHECKING:
    from vision.geometry import TableGeometry
    from vision.types import Image

_WITH_ALL_AREAS = "vepla"  # a game with a centre and a stock besides the seats' own places


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """The command line of `calibrate`."""
    parser = subparsers.add_parser("calibrate", help="print a table mat; find the table's geometry")
    parser.add_argument(
        "source", nargs="?", metavar="SOURCE", help="a camera, a picture or a film of the table"
    )
    parser.add_argument(
        "--mat", type=Path, metavar="FILE", help="write the mat to print (.pdf or .png), and stop"
    )
    parser.add_argument("--paper", choices=("A3", "A2", "A1"), default="A3", help="the mat's size")
    parser.add_argument(
        "--tiles", action="store_true", help="the mat on A4 pages, to cut and put together (.pdf)"
    )
    parser.add_argument(
        "--cards", action="store_true", help="without a mat: four cards lie in the corners of the table"
    )
    parser.add_argument(
        "--card-size", default="63x88", metavar="WxH", help="the cards' size in mm, as 63x88 or 57x89"
    )
    parser.add_argument("--game", choices=GAMES, metavar="G", help="with the areas of this game")
    seats = range(2, 7)
    parser.add_argument("--players", type=int, choices=seats, default=4, metavar="N", help="how many seats")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the geometry there (JSON)")
    parser.add_argument(
        "--overlay", type=Path, metavar="FILE", help="write the picture with the play areas drawn in"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the mat, or prints the geometry found in the source's first picture."""
    from appliance.flows import FLOWS
    from vision.geometry import GeometryError, with_seats
    from vision.overlay import with_areas
    from vision.sources import SourceError, open_source

    if args.mat is not None:
        _print_mat(args)
        return 0
    if args.source is None:
        raise Failure("calibrate needs a SOURCE, or --mat FILE to print a mat first")
    try:
        source = open_source(args.source)
        frame = source.read()
        source.close()
    except SourceError as error:
        raise Failure(str(error)) from None
    if frame is None:
        raise Failure(f"{args.source}: no picture")
    try:
        geometry = _found(frame.image, args)
    except GeometryError as error:
        todo = "see --help" if args.cards else "lay the printed mat in the middle of the table"
        raise Failure(f"{args.source}: {error}: {todo}") from None
    geometry = with_seats(geometry, args.players, FLOWS[args.game or _WITH_ALL_AREAS]().areas)
    text = geometry.to_text()
    if args.output is None:
        print(text, end="")
    else:
        write_file(args.output, text)
    if args.overlay is not None:
        _save(args.overlay, with_areas(frame.image, geometry))
    return 0


def _found(picture: Image, args: argparse.Namespace) -> TableGeometry:
    if not args.cards:
        from vision.mat import geometry_from_markers

        return geometry_from_markers(picture, args.players)
    from vision.corners import geometry_from_cards

    return geometry_from_cards(picture, _card_size(args.card_size), args.players)


def _card_size(text: str) -> tuple[float, float]:
    """`63x88` as two numbers of millimetres."""
    size = re.fullmatch(r"(\d+(?:\.\d+)?)\s*[x×]\s*(\d+(?:\.\d+)?)", text)
    if size is None or not 30 <= float(size[1]) < float(size[2]) <= 200:
        raise Failure(f"--card-size {text!r}: width and height in mm, as 63x88 (poker) or 57x89 (bridge)")
    return float(size[1]), float(size[2])


def _print_mat(args: argparse.Namespace) -> None:
    from vision.mat import mat_png
    from vision.sheet import mat_pdf

    kind = args.mat.suffix.lower()
    if kind not in (".pdf", ".png"):
        raise Failure(f"{args.mat}: the mat is written as .pdf or .png")
    if args.tiles and kind != ".pdf":
        raise Failure(f"{args.mat}: --tiles needs a .pdf")
    write_file(args.mat, mat_pdf(args.paper, tiles=args.tiles) if kind == ".pdf" else mat_png(args.paper))


def _save(path: Path, image: Any) -> None:
    import cv2

    if path.suffix.lower() not in (".png", ".jpg", ".jpeg"):
        raise Failure(f"{path}: write a .png or .jpg")
    write_file(path, cv2.imencode(path.suffix, image)[1].tobytes())
