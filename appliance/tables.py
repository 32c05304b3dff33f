"""Where the table is that a camera looks at: by the mat in its picture, else as it was calibrated once."""

from __future__ import annotations

from pathlib import Path

from vision.geometry import GeometryError, TableGeometry, geometry_from_text, with_seats
from vision.mat import geometry_from_markers
from vision.types import Image


def table_in(picture: Image, seats: int, file: str = "") -> TableGeometry:
    """The table in a picture, H×W×3, shared out among `seats`; GeometryError if it cannot be found.

    `file`: what `calibrate --output` wrote, for the same camera at the same place; empty without one.
    """
    try:
        return geometry_from_markers(picture, seats)
    except GeometryError:
        if not file:
            raise
    return with_seats(calibrated(Path(file)).resized((picture.shape[1], picture.shape[0])), seats)


def calibrated(path: Path) -> TableGeometry:
    """The geometry of a file; GeometryError names it if it cannot be read."""
    try:
        return geometry_from_text(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GeometryError(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, GeometryError) as error:
        raise GeometryError(f"{path}: {error}") from None
