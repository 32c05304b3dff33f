"""`kortstalis calibrate`: prints the table mat, and finds the table's geometry by it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from appliance.failure import Failure, write_file


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
    seats = range(2, 7)
    parser.add_argument("--players", type=int, choices=seats, default=4, metavar="N", help="how many seats")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the geometry there (JSON)")
    parser.add_argument(
        "--overlay", type=Path, metavar="FILE", help="write the picture with the play areas drawn in"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the mat, or prints the geometry found in the source's first picture."""
    import cv2

    from vision.geometry import GeometryError
    from vision.mat import geometry_from_markers
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
        geometry = geometry_from_markers(frame.image, args.players)
    except GeometryError as error:
        raise Failure(f"{args.source}: {error}: lay the printed mat in the middle of the table") from None
    text = geometry.to_text()
    if args.output is None:
        print(text, end="")
    else:
        write_file(args.output, text)
    if args.overlay is not None:
        import numpy as np

        picture = frame.image.copy()
        for area in geometry.areas:
            outline = geometry.to_picture(np.asarray(area.polygon)).round().astype(np.int32)
            cv2.polylines(picture, [outline], True, (0, 255, 255), 2)
            middle = outline.mean(axis=0).astype(int)
            cv2.putText(
                picture, area.name, tuple(map(int, middle)), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 255, 255), 2
            )
        _save(args.overlay, picture)
    return 0


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
