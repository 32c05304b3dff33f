"""What the views beside the table have in common: the title above, what the buttons do below."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from appliance.screen.canvas import Canvas
from appliance.screen.model import Hints, Picture
from appliance.screen.theme import Colour

_HEAD = 88
FOOT = 64
_MARGIN = 36
WHITE: Colour = (255, 255, 255)


def draw_frame(
    canvas: Canvas, title: str, hints: Hints, colour: Colour | None = None, small: str = ""
) -> pygame.Rect:
    """Draws title and buttons; the box that is left between them. `small`: said at the right of the title."""
    theme, palette = canvas.theme, canvas.theme.palette
    width, height = theme.size
    canvas.fill(palette.table)
    head = pygame.Rect(0, 0, width, theme.px(_HEAD))
    pygame.draw.rect(canvas.surface, colour or palette.panel, head)
    text = WHITE if colour is not None else palette.text
    margin = theme.px(_MARGIN)
    inside = head.inflate(-2 * margin, -theme.px(12))
    if small:
        right = pygame.Rect(inside.left + inside.width * 68 // 100, inside.top, 0, inside.height)
        right.width = inside.right - right.left
        canvas.text(small, right, 26, text if colour else palette.quiet, align="right", lines=2)
        inside.width = right.left - inside.left - margin // 2
    canvas.text(title, inside, 42, text, bold=True, lines=2)
    foot = pygame.Rect(0, height - theme.px(FOOT), width, theme.px(FOOT))
    draw_hints(canvas, foot, hints)
    return pygame.Rect(
        margin, head.bottom + theme.px(20), width - 2 * margin, foot.top - head.bottom - theme.px(36)
    )


def draw_hints(canvas: Canvas, box: pygame.Rect, hints: Hints) -> None:
    """What the buttons do, side by side; a finger on one is a press of it."""
    theme, palette = canvas.theme, canvas.theme.palette
    pygame.draw.rect(canvas.surface, palette.panel, box)
    said = [(keys, words) for keys, words in _keys(hints) if words]
    if not said:
        return
    inside = box.inflate(-theme.px(32), -theme.px(8))
    wide, gap = theme.px(58), theme.px(8)
    part = (inside.width - sum(len(keys) for keys, _ in said) * (wide + gap)) // len(said)
    left = inside.left
    for keys, words in said:
        cell = pygame.Rect(left, box.top, len(keys) * (wide + gap) + part, box.height)
        for sign, button in keys:
            key = pygame.Rect(left, 0, wide, theme.px(42))
            key.centery = inside.centery
            canvas.panel(key, palette.line, radius=8)
            canvas.text(sign, key.inflate(-theme.px(8), 0), 26, palette.text, bold=True, align="middle")
            last = button == keys[-1][1]
            canvas.target(pygame.Rect(left, box.top, cell.right - left if last else wide, box.height), button)
            left = key.right + gap
        rest = pygame.Rect(left, inside.top, cell.right - left - gap, inside.height)
        canvas.text(words, rest, 25, palette.text, lines=2)
        left = cell.right


def _keys(hints: Hints) -> tuple[tuple[tuple[tuple[str, str], ...], str], ...]:
    """The buttons with their signs, and what they do."""
    return (
        ((("▲", "up"), ("▼", "down")), hints.up_down),
        ((("OK", "ok"),), hints.ok),
        ((("↩", "back"),), hints.back),
        ((("⚖", "dispute"),), hints.dispute),
    )


def draw_rows(
    canvas: Canvas, box: pygame.Rect, rows: Sequence[tuple[str, str]], chosen: int, size: float = 34
) -> None:
    """A window of rows around the chosen one; a bar at the side says where it is when not all have room."""
    theme, palette = canvas.theme, canvas.theme.palette
    if not rows:
        return
    fit = max(1, min(len(rows), box.height // theme.px(64)))
    each = min(theme.px(82), box.height // fit)
    first = min(max(0, chosen - fit // 2), len(rows) - fit)
    width = box.width
    if fit < len(rows):
        track = pygame.Rect(box.right - theme.px(10), box.top, theme.px(10), each * fit)
        canvas.panel(track, palette.panel, radius=5)
        thumb = pygame.Rect(track.left, track.top + track.height * first // len(rows), track.width, 0)
        thumb.height = track.height * fit // len(rows)
        canvas.panel(thumb, palette.quiet, radius=5)
        width -= theme.px(22)
    for n in range(first, first + fit):
        row = pygame.Rect(box.left, box.top + (n - first) * each, width, each - theme.px(8))
        canvas.panel(row, palette.turn if n == chosen else palette.panel, radius=12)
        canvas.choice(row, n, chosen, len(rows))
        colour = palette.ink if n == chosen else palette.text
        inside = row.inflate(-theme.px(40), -theme.px(6))
        label, value = rows[n]
        if value:
            right = pygame.Rect(0, inside.top, inside.width * 46 // 100, inside.height)
            right.right = inside.right
            canvas.text(value, right, size, colour, bold=True, align="right", lines=2)
            inside.width = right.left - inside.left - theme.px(16)
        canvas.text(label, inside, size, colour, bold=n == chosen, lines=2)


def draw_answers(canvas: Canvas, box: pygame.Rect, answers: Sequence[str], chosen: int) -> None:
    """Answers to choose among: side by side, below each other on an upright screen."""
    theme, palette = canvas.theme, canvas.theme.palette
    if not answers:
        return
    gap = theme.px(14)
    count = len(answers)
    for n, answer in enumerate(answers):
        if theme.tall:
            each = (box.height - gap * (count - 1)) // count
            cell = pygame.Rect(box.left, box.top + n * (each + gap), box.width, each)
        else:
            each = (box.width - gap * (count - 1)) // count
            cell = pygame.Rect(box.left + n * (each + gap), box.top, each, box.height)
        canvas.panel(cell, palette.turn if n == chosen else palette.panel, palette.line, radius=12)
        canvas.choice(cell, n, chosen, count)
        colour = palette.ink if n == chosen else palette.text
        canvas.text(
            answer, cell.inflate(-theme.px(20), -theme.px(4)), 28, colour, bold=True, align="middle", lines=2
        )


def answers_height(canvas: Canvas, answers: Sequence[str]) -> int:
    """How high a box `draw_answers` needs."""
    count = len(answers) if canvas.theme.tall else min(1, len(answers))
    return canvas.theme.px(78) * count


def draw_cards(
    canvas: Canvas, box: pygame.Rect, cards: Sequence[object], edges: Sequence[Colour | None] = ()
) -> pygame.Rect:
    """Cards side by side, as large as the box allows, in as many rows as make them largest; what is not a
    card is drawn as a back. Returns the box they take."""
    from engine.cards import Card

    if not cards:
        return pygame.Rect(box.topleft, (0, 0))
    best, columns = 0.0, 1
    for each in range(1, len(cards) + 1):
        rows = -(-len(cards) // each)
        width = min(box.width / (each * 1.08), box.height / (rows * 1.08) / 1.4)
        if width > best:
            best, columns = width, each
    width, height = int(best), int(best * 1.4)
    rows = -(-len(cards) // columns)
    step_x, step_y = int(best * 1.08), int(best * 1.4 * 1.08)
    took = pygame.Rect(0, 0, step_x * (columns - 1) + width, step_y * (rows - 1) + height)
    took.center = box.center
    for n, card in enumerate(cards):
        place = pygame.Rect(took.left + n % columns * step_x, took.top + n // columns * step_y, width, height)
        if isinstance(card, Card):
            canvas.card(card, place, edge=edges[n] if edges else None)
        else:
            canvas.back(place)
    return took


def draw_picture(canvas: Canvas, box: pygame.Rect, picture: Picture | None) -> pygame.Rect:
    """A picture of the camera, if there is one."""
    if picture is None:
        return pygame.Rect(box.topleft, (0, 0))
    return canvas.picture(picture.pixels, box)


def split(canvas: Canvas, box: pygame.Rect, part: float) -> tuple[pygame.Rect, pygame.Rect]:
    """Two boxes, the first with this part: side by side, on an upright screen one above the other."""
    gap = canvas.theme.px(24)
    if canvas.theme.tall:
        first = pygame.Rect(box.left, box.top, box.width, round(box.height * part) - gap // 2)
        rest = pygame.Rect(box.left, first.bottom + gap, box.width, box.bottom - first.bottom - gap)
    else:
        first = pygame.Rect(box.left, box.top, round(box.width * part) - gap // 2, box.height)
        rest = pygame.Rect(first.right + gap, box.top, box.right - first.right - gap, box.height)
    return first, rest


def cut(box: pygame.Rect, height: int, gap: int = 0) -> tuple[pygame.Rect, pygame.Rect]:
    """The upper `height` of a box, and what is below it."""
    height = max(0, min(height, box.height))
    upper = pygame.Rect(box.left, box.top, box.width, height)
    below = upper.bottom + gap
    return upper, pygame.Rect(box.left, below, box.width, max(0, box.bottom - below))
