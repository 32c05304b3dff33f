"""Camera, table and light: the arithmetic, once, for the tables and the drawings."""

from __future__ import annotations

import math
from dataclasses import dataclass

from vision.types import CARD_HEIGHT_MM

LEAST_PX = 55  # a card's height in the picture, below which its index cannot be read
EDGE_MM = 100  # nobody lays a card nearer to the edge of the table than this
PICTURE = (1280, 720)


@dataclass(frozen=True)
class Lens:
    """A camera with its lens. `degrees`: the horizontal field of view of the whole picture."""

    name: str
    degrees: float

    def width_seen(self, height_mm: float) -> float:
        """The width of table in the picture, from so high above it, in millimetres."""
        return 2 * height_mm * math.tan(math.radians(self.degrees) / 2)

    def depth_seen(self, height_mm: float) -> float:
        """The depth of table in the picture (its short side)."""
        return self.width_seen(height_mm) * PICTURE[1] / PICTURE[0]

    def card_px(self, height_mm: float) -> float:
        """How many pixels high a card is."""
        return CARD_HEIGHT_MM * PICTURE[0] / self.width_seen(height_mm)

    def highest(self) -> float:
        """The height at which a card is just large enough, in millimetres."""
        return CARD_HEIGHT_MM * PICTURE[0] / LEAST_PX / self.width_seen(1)

    def lowest(self, table: Table) -> float:
        """The height from which all of a table is seen where cards may lie."""
        width, depth = table.field
        return max(width / self.width_seen(1), depth / self.depth_seen(1))


@dataclass(frozen=True)
class Table:
    """A table's top in millimetres, the long side along the picture's."""

    name: str
    width: int
    depth: int

    @property
    def field(self) -> tuple[int, int]:
        """Where cards may lie."""
        return self.width - 2 * EDGE_MM, self.depth - 2 * EDGE_MM


LENSES = (
    Lens("Camera Module 3 (66°)", 66.0),
    Lens("USB webcam, 78° diagonal (70°)", 70.4),
    Lens("USB webcam, 90° diagonal (82°)", 82.2),
    Lens("Camera Module 3 Wide (102°)", 102.0),
)
TABLES = (
    Table("80 × 80 cm", 800, 800),
    Table("90 × 90 cm", 900, 900),
    Table("120 × 80 cm", 1200, 800),
    Table("140 × 90 cm", 1400, 900),
    Table("round, 110 cm", 1100, 1100),
)
CHOSEN_LENS, CHOSEN_TABLE, CHOSEN_MM = LENSES[0], TABLES[0], 1000
LAMP_MM = 800  # how high the lamps' lower edge stands over the table


def heights() -> list[tuple[Table, Lens, int, int, int]]:
    """Each table with a lens that fits: lowest and highest height (cm), a card's pixels at the lowest."""
    rows = []
    for table in TABLES:
        for lens in LENSES:
            low, high = math.ceil(lens.lowest(table) / 10), math.floor(lens.highest() / 10)
            if low <= high:
                rows.append((table, lens, low, high, math.floor(lens.card_px(low * 10))))
    return rows


def steepest_light() -> int:
    """How steeply over the table's edge of the picture a lamp may stand at the most, in degrees.

    The camera sees the picture's edge under half its field of view, so a lamp mirrors in a glossy card
    there if it stands as steep on the other side; lower than that it never does.
    """
    return math.floor(90 - CHOSEN_LENS.degrees / 2)


def lamp_distance(lamp_mm: float, camera_mm: float = CHOSEN_MM) -> int:
    """How far from the middle (cm) a lamp of that height must stand to mirror outside the picture."""
    half = CHOSEN_LENS.width_seen(camera_mm) / 2
    return math.ceil(half * (camera_mm + lamp_mm) / camera_mm / 10)
