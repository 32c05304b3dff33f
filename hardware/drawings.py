"""Makes the drawings (SVG) beside this file and the tables in README.md, all from the same numbers.

python -m hardware.drawings
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

from hardware import optics, parts, wiring
from vision.mat import PAPERS_MM

HERE = Path(__file__).parent
INK, QUIET, LIGHT, GROUND = "#1d2b36", "#7b8a94", "#c98a00", "#2e7d4f"


class Drawing:
    """An SVG in millimetres of paper; `scale`: paper per unit drawn."""

    def __init__(self, width: float, height: float) -> None:
        self._size = width, height
        self._parts: list[str] = []

    def line(
        self, *points: tuple[float, float], colour: str = INK, width: float = 0.5, dash: str = ""
    ) -> None:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashes}/>'
        )

    def box(
        self, x: float, y: float, width: float, height: float, fill: str = "none", dash: str = "",
        colour: str = INK,
    ) -> None:  # fmt: skip
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}" '
            f'stroke="{colour}" stroke-width="0.5"{dashes}/>'
        )

    def dot(self, x: float, y: float, radius: float, fill: str = INK) -> None:
        self._parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}"/>')

    def text(
        self, x: float, y: float, text: str, size: float = 4, anchor: str = "start", colour: str = INK
    ) -> None:
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
            f'fill="{colour}">{escape(text)}</text>'
        )

    def svg(self) -> str:
        width, height = self._size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}mm" height="{height:g}mm" font-family="DejaVu Sans, sans-serif">'
        )
        return "\n".join(
            [head, f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>', *self._parts, "</svg>\n"]
        )


def mounting() -> str:
    """From the side: camera, picture, lamps, at 1 : 12."""
    scale = 1 / 12
    drawing = Drawing(300, 160)
    floor, middle = 130.0, 150.0
    lens, height = optics.CHOSEN_LENS, optics.CHOSEN_MM
    table = optics.CHOSEN_TABLE.width * scale / 2
    half = lens.width_seen(height) * scale / 2
    eye = floor - height * scale
    drawing.box(middle - table, floor, 2 * table, 3, "#d9c3a0")
    drawing.line((middle - half, floor), (middle, eye), (middle + half, floor), colour=QUIET, dash="3 2")
    drawing.box(middle - 4, eye - 5, 8, 5, "#333")
    drawing.line(
        (middle, eye - 5),
        (middle, eye - 15),
        (middle - table - 4, eye - 15),
        (middle - table - 4, floor + 3),
        width=1.5,
    )
    drawing.text(middle + 7, eye - 1, f"lens, {height / 10:.0f} cm over the table, {lens.degrees:.0f}°")
    drawing.line((middle, eye), (middle, floor), colour=QUIET)
    drawing.text(middle + 2, (eye + floor) / 2 + 10, f"{height / 10:.0f} cm", colour=QUIET)
    seen = lens.width_seen(height) / 10
    drawing.line((middle - half, floor + 8), (middle + half, floor + 8), colour=QUIET)
    drawing.text(
        middle, floor + 13, f"{seen:.0f} cm in the picture; table {optics.CHOSEN_TABLE.name}", anchor="middle"
    )
    distance = optics.lamp_distance(optics.LAMP_MM)
    for side in (-1, 1):
        x, y = middle + side * distance * 10 * scale, floor - optics.LAMP_MM * scale
        drawing.box(x - 6, y - 3, 12, 3, LIGHT)
        drawing.line((x, y), (middle + side * half, floor), colour=LIGHT, dash="1 2")
    x = middle + distance * 10 * scale
    drawing.text(x, floor - optics.LAMP_MM * scale - 6, f"lamp, {distance} cm from the middle", 3.5, "middle")
    drawing.text(middle + half + 6, floor - 3, f"under {optics.steepest_light()}°", 3.5, "start", LIGHT)
    return drawing.svg()


def table_top() -> str:
    """From above: the table, where cards may lie, the picture, the mat, at 1 : 10."""
    scale = 1 / 10
    table, lens = optics.CHOSEN_TABLE, optics.CHOSEN_LENS
    drawing = Drawing(180, 110)
    middle_x, middle_y = 80.0, 55.0

    def around(width: float, depth: float, fill: str, dash: str, colour: str) -> None:
        w, d = width * scale, depth * scale
        drawing.box(middle_x - w / 2, middle_y - d / 2, w, d, fill, dash, colour)

    around(table.width, table.depth, "#efe4d0", "", INK)
    around(*table.field, "#dfeee2", "2 1", GROUND)
    around(lens.width_seen(optics.CHOSEN_MM), lens.depth_seen(optics.CHOSEN_MM), "none", "3 2", QUIET)
    mat = PAPERS_MM["A3"]
    around(mat[0], mat[1], "#fff", "", INK)
    drawing.text(middle_x, middle_y + 1, "mat, A3", 3.5, "middle")
    drawing.text(middle_x, middle_y + table.depth * scale / 2 - 6, "seat 1", 3.5, "middle")
    legend = (
        (INK, f"table {table.name}"),
        (GROUND, f"cards: {optics.EDGE_MM // 10} cm from the edge"),
        (QUIET, "the picture"),
    )
    for n, (colour, text) in enumerate(legend):
        drawing.dot(20 + n * 48, 104, 1.2, colour)
        drawing.text(23 + n * 48, 105, text, 2.4)
    return drawing.svg()


def console() -> str:
    """The header of the Pi with the buttons, lamps and the buzzer."""
    drawing = Drawing(190, 152)
    drawing.text(
        10, 8, "Console buttons on the Pi's 40-pin header (pin 1 at the top left, board edge right)", 3.5
    )
    places: dict[int, tuple[float, float]] = {}
    for pin in range(1, 41):
        x, y = 70.0 + (pin - 1) % 2 * 8, 16.0 + (pin - 1) // 2 * 6
        places[pin] = x, y
        drawing.dot(x, y, 2, GROUND if pin in wiring.PI_GROUNDS else QUIET)
        drawing.text(x - 4 if pin % 2 else x + 4, y + 1, str(pin), 2.5, "end" if pin % 2 else "start", QUIET)
    for n, (name, gpio, pin, ground) in enumerate(wiring.console_rows()):
        x, y = places[pin]
        button = 20.0, 84 + n * 14.0
        drawing.dot(x, y, 2, LIGHT)
        drawing.line(
            (x - 9, y), (54 - n * 4, y), (54 - n * 4, button[1]), (button[0] + 8, button[1]), colour=LIGHT
        )
        drawing.box(button[0] - 8, button[1] - 4, 16, 8, "#eee")
        drawing.text(button[0], button[1] + 1, name, 3.5, "middle")
        drawing.text(
            100, 84 + n * 14, f"{name}: GPIO {gpio} = pin {pin}, other side to ground, pin {ground}", 2.7
        )
        drawing.line((button[0], button[1] + 4), (button[0], button[1] + 7), colour=GROUND)
        drawing.line((button[0] - 3, button[1] + 7), (button[0] + 3, button[1] + 7), colour=GROUND, width=1)
    for n, (name, gpio, pin, ground) in enumerate(wiring.signal_rows()):
        drawing.dot(*places[pin], 2, INK)
        drawing.text(100, 28 + n * 6, f"{name}: GPIO {gpio} = pin {pin}, ground pin {ground}", 2.7)
    drawing.text(100, 20, "green: ground", 3, colour=GROUND)
    drawing.text(100, 76, f"lamps and buzzer (passive piezo): {wiring.SERIES_OHM} Ω each", 2.7)
    return drawing.svg()


def pods() -> str:
    """The Pico with everything that hangs on it."""
    drawing = Drawing(180, 150)
    drawing.text(10, 8, "Seat pods: Raspberry Pi Pico, USB at the top", 3.5)
    drawing.box(75, 14, 30, 126, "#e6f2ea")
    drawing.box(85, 10, 10, 6, "#bbb")
    rows = {pin: f"{what} (GP{gp})" for what, gp, pin in wiring.pod_rows()}
    for pin in range(1, 41):
        left = pin <= 20
        x, y = (78.0, 18 + (pin - 1) * 6.2) if left else (102.0, 18 + (40 - pin) * 6.2)
        ground = pin in wiring.PICO_GROUNDS
        text = rows.get(pin, "ground" if ground else "VBUS, 5 V" if pin == wiring.PICO_VBUS else "")
        fill = LIGHT if pin in rows else GROUND if ground else QUIET
        drawing.dot(x, y, 1.6, fill)
        drawing.text(x + (3 if left else -3), y + 1, str(pin), 2.5, "start" if left else "end", QUIET)
        if text:
            drawing.line((x - 4 if left else x + 4, y), (x - 10 if left else x + 10, y), colour=fill)
            drawing.text(x - 12 if left else x + 12, y + 1, text, 3, "end" if left else "start")
    drawing.text(
        10, 147, f"buzzer: passive piezo through {wiring.SERIES_OHM} Ω to ground; lamps, data: through the"
        f" 74AHCT125 and {wiring.SERIES_OHM} Ω", 2.7,
    )  # fmt: skip
    return drawing.svg()


DRAWINGS = {"mounting.svg": mounting, "table.svg": table_top, "console.svg": console, "pods.svg": pods}


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *(list(map(str, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def tables() -> dict[str, str]:
    """The tables of the README, by name."""
    seen = []
    for lens in optics.LENSES:
        for height in (700, 800, 1000, 1200):
            wide, deep = lens.width_seen(height) / 10, lens.depth_seen(height) / 10
            card = lens.card_px(height)
            fits = "" if card >= optics.LEAST_PX else " (too small)"
            seen.append(
                (lens.name, f"{height / 10:.0f} cm", f"{wide:.0f} × {deep:.0f} cm", f"{card:.0f}{fits}")
            )
    fitting = [(t.name, lens.name, f"{low}–{high} cm", px) for t, lens, low, high, px in optics.heights()]
    lamps = [(f"{mm // 10} cm", f"{optics.lamp_distance(mm)} cm") for mm in (400, 600, optics.LAMP_MM, 1000)]
    total = sum(wiring.CURRENTS.values())
    currents = [
        *((what, f"{ma} mA") for what, ma in wiring.CURRENTS.items()),
        ("**together**", f"**{total} mA**"),
    ]
    return {
        "seen": table(("camera", "height", "table in the picture", "card, pixels high"), seen),
        "heights": table(("table", "camera", "height of the lens", "card at the lowest, pixels"), fitting),
        "lamps": table(("lamp over the table", "at least this far from the middle"), lamps),
        "console": table(("button", "GPIO", "pin", "ground pin"), wiring.console_rows()),
        "signals": table(("lamp or buzzer", "GPIO", "pin", "ground pin"), wiring.signal_rows()),
        "pods": table(("what", "GP", "pin of the Pico"), wiring.pod_rows()),
        "currents": table(("at 5 V, at the most", "current"), currents),
    }


def filled(text: str) -> str:
    """The README with its tables made anew."""
    for name, content in tables().items():
        pattern = re.compile(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if len(pattern.findall(text)) != 1:
            raise ValueError(f"the README has no one place for the table {name!r}")
        text = pattern.sub(lambda match, content=content: match[1] + content + "\n" + match[2], text)  # type: ignore[misc]
    return text


def main() -> None:
    """Writes them."""
    for name, draw in DRAWINGS.items():
        (HERE / name).write_text(draw(), encoding="utf-8")
    (HERE / "numbers.scad").write_text(parts.scad(), encoding="utf-8")
    readme = HERE / "README.md"
    readme.write_text(filled(readme.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"{len(DRAWINGS)} drawings, {len(tables())} tables")


if __name__ == "__main__":
    main()
