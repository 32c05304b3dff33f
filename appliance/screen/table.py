"""The table view: the score, whose turn it is, what lies on the table, and the verdict."""

from __future__ import annotations

import math

import pygame

from appliance.language import Language
from appliance.screen.canvas import Canvas
from appliance.screen.model import Banner, Choice, Shown, Tone
from appliance.screen.theme import Colour
from engine.view import Laid, View, Zone

SCORE_PART = 0.27
"""The part of the screen's width that the score takes."""

_HEAD = 64
_FOOT = 132


def draw_table(canvas: Canvas, shown: Shown, language: Language) -> None:
    """Draws the whole view."""
    theme, palette = canvas.theme, canvas.theme.palette
    width, height = theme.size
    canvas.fill(palette.table)
    side = pygame.Rect(0, 0, round(width * SCORE_PART), height)
    head = pygame.Rect(side.right, 0, width - side.width, theme.px(_HEAD))
    foot = pygame.Rect(side.right, height - theme.px(_FOOT), width - side.width, theme.px(_FOOT))
    middle = pygame.Rect(side.right, head.bottom, head.width, foot.top - head.bottom)
    _draw_score(canvas, side, shown, language)
    _draw_head(canvas, head, shown.view, language)
    _draw_seats(canvas, middle, shown.view)
    if shown.choice is not None:
        _draw_choice(canvas, middle.inflate(-theme.px(80), -theme.px(24)), shown.choice)
    if shown.banner is not None:
        _draw_banner(canvas, foot, shown.banner)
    else:
        box = foot.inflate(-theme.px(40), -theme.px(24))
        canvas.text(shown.waiting, box, 30, palette.text, align="middle", lines=2)


# The score


def _draw_score(canvas: Canvas, box: pygame.Rect, shown: Shown, language: Language) -> None:
    theme, palette, view = canvas.theme, canvas.theme.palette, shown.view
    pygame.draw.rect(canvas.surface, palette.panel, box)
    inner = box.inflate(-theme.px(36), -theme.px(32))
    name = pygame.Rect(inner.left, inner.top, inner.width, theme.px(44))
    canvas.text(shown.game_name, name, 34, palette.text, bold=True)
    deal = pygame.Rect(inner.left, name.bottom, inner.width, theme.px(30))
    text = language("Deal {number}").format(number=view.deal) if view.deal else language("No deal yet")
    canvas.text(text, deal, 22, palette.quiet)
    foot = theme.px(34) * len(shown.troubles)
    sides = view.teams or tuple((seat,) for seat in range(1, len(view.players) + 1))
    top = deal.bottom + theme.px(18)
    gap = theme.px(12)
    each = min(theme.px(190), (inner.bottom - foot - top - gap * (len(sides) - 1)) // len(sides))
    for n, side in enumerate(sides):
        row = pygame.Rect(inner.left, top + n * (each + gap), inner.width, each)
        _draw_side(canvas, row, view, side)
    for n, trouble in enumerate(shown.troubles):
        row = pygame.Rect(inner.left, inner.bottom - theme.px(34) * (n + 1), inner.width, theme.px(32))
        canvas.text("⚠ " + trouble, row, 17, palette.turn, lines=2)


def _draw_side(canvas: Canvas, box: pygame.Rect, view: View, side: tuple[int, ...]) -> None:
    """One pair's or player's row: names above, the total large, the last deal's points beside it."""
    theme, palette = canvas.theme, canvas.theme.palette
    won = view.winner is not None and set(side) <= set(view.winner)
    canvas.panel(box, palette.good if won else palette.table, palette.turn if won else palette.line)
    inside = box.inflate(-theme.px(28), -theme.px(14))
    names = " + ".join(view.players[seat - 1] for seat in side)
    tall = box.height >= theme.px(96)
    if tall:
        label = pygame.Rect(inside.left, inside.top, inside.width, theme.px(30))
        number = pygame.Rect(inside.left, label.bottom, inside.width * 2 // 3, inside.bottom - label.bottom)
        points = pygame.Rect(number.right, number.top, inside.right - number.right, number.height)
    else:
        label = pygame.Rect(inside.left, inside.top, inside.width * 6 // 10, inside.height)
        number = pygame.Rect(label.right, inside.top, inside.width * 25 // 100, inside.height)
        points = pygame.Rect(number.right, inside.top, inside.right - number.right, inside.height)
    canvas.text(names, label, 22, palette.text)
    total = view.score.get(side[0], 0)
    size = min(84.0, number.height / theme.scale * 0.85)
    canvas.text(str(total), number, size, palette.text, bold=True, align="left" if tall else "right")
    if view.last_points is not None and view.last_points.get(side[0]):
        gained = view.last_points[side[0]]
        canvas.text(f"{gained:+d}", points, min(30.0, size), palette.turn, bold=True, align="right")


def _draw_head(canvas: Canvas, box: pygame.Rect, view: View, language: Language) -> None:
    """What the table has fixed: the Sekliai, trump suits."""
    theme, palette = canvas.theme, canvas.theme.palette
    parts = []
    for fact in view.named:
        if fact.rank is not None:
            parts.append((language("Sekliai"), _rank(canvas, str(fact.rank))))
        elif fact.suits:
            who = language("Trumps") if fact.seat is None else view.players[fact.seat - 1]
            parts.append((who, " ".join(map(str, fact.suits))))
    if not parts:
        return
    each = box.width // len(parts)
    for n, (label, value) in enumerate(parts):
        cell = pygame.Rect(box.left + n * each, box.top + theme.px(12), each, box.height - theme.px(12))
        left = pygame.Rect(
            cell.left + theme.px(8), cell.top, cell.width * 6 // 10 - theme.px(16), cell.height
        )
        right = pygame.Rect(cell.left + cell.width * 6 // 10, cell.top, cell.width * 4 // 10, cell.height)
        canvas.text(label, left, 24, palette.quiet, align="right")
        canvas.text(value, right, 38, palette.turn, bold=True)


def _rank(canvas: Canvas, rank: str) -> str:
    return {"T": "A", "D": "Q", "V": "J"}.get(rank, rank) if canvas.letters == "AKQJ" else rank


# The table


def _draw_seats(canvas: Canvas, box: pygame.Rect, view: View) -> None:
    theme = canvas.theme
    seats = len(view.players)
    for seat in range(1, seats + 1):
        _draw_seat(canvas, _seat_box(box, seat, seats, theme.px(210), theme.px(56)), view, seat)
    card = _card_size(box)
    trick = next((zone for zone in view.zones if zone.kind == "trick"), None)
    last = next((zone for zone in view.zones if zone.kind == "last trick"), None)
    if trick is not None:
        faded = not trick.cards and last is not None
        zone = last if faded and last is not None else trick
        for laid in zone.cards:
            _draw_laid(canvas, _card_box(box, laid.seat or 1, seats, card), laid, zone.cards, faded)
    for zone in view.zones:
        if zone.kind in ("pile", "center") and zone.cards:
            _draw_pile(canvas, box, zone, card)


def _angle(seat: int, seats: int) -> float:
    """Seat 1 at the bottom, the others clockwise as one looks down on the table."""
    return math.pi / 2 + 2 * math.pi * (seat - 1) / seats


def _seat_box(box: pygame.Rect, seat: int, seats: int, width: int, height: int) -> pygame.Rect:
    angle = _angle(seat, seats)
    label = pygame.Rect(0, 0, width, height)
    label.center = (
        round(box.centerx + math.cos(angle) * (box.width - width) * 0.49),
        round(box.centery + math.sin(angle) * (box.height - height) * 0.49),
    )
    return label.clamp(box)


def _card_size(box: pygame.Rect) -> tuple[int, int]:
    height = round(box.height * 0.31)
    return round(height * 0.71), height


def _card_box(box: pygame.Rect, seat: int, seats: int, size: tuple[int, int]) -> pygame.Rect:
    angle = _angle(seat, seats)
    place = pygame.Rect((0, 0), size)
    place.center = (
        round(box.centerx + math.cos(angle) * box.width * 0.155),
        round(box.centery + math.sin(angle) * box.height * 0.185),
    )
    return place


def _draw_seat(canvas: Canvas, box: pygame.Rect, view: View, seat: int) -> None:
    theme, palette = canvas.theme, canvas.theme.palette
    turn = view.turn == seat
    out = seat in view.out
    canvas.panel(box, palette.turn if turn else palette.panel, None if turn else palette.line, radius=28)
    colour = palette.ink if turn else palette.quiet if out else palette.text
    inside = box.inflate(-theme.px(28), -theme.px(8))
    badge = theme.px(34)
    name = pygame.Rect(inside.left, inside.top, inside.width - badge, inside.height)
    if view.dealer == seat:
        chip = pygame.Rect(inside.left, 0, badge, badge)
        chip.centery = inside.centery
        pygame.draw.circle(canvas.surface, palette.paper, chip.center, badge // 2)
        canvas.text("D", chip, 18, palette.ink, bold=True, align="middle")
        name = pygame.Rect(
            chip.right + theme.px(6), inside.top, inside.width - 2 * badge - theme.px(6), inside.height
        )
    canvas.text(view.players[seat - 1], name, 25, colour, bold=turn)
    count = pygame.Rect(inside.right - badge, inside.top, badge, inside.height)
    if view.hand_counts.get(seat):
        canvas.text(str(view.hand_counts[seat]), count, 20, colour, align="right")


def _draw_laid(canvas: Canvas, box: pygame.Rect, laid: Laid, trick: tuple[Laid, ...], faded: bool) -> None:
    palette = canvas.theme.palette
    edge: Colour | None = None
    if "annulled" in laid.marks:
        edge = palette.quiet
    elif "seklys" in laid.marks or "called" in laid.marks or "deserter" in laid.marks:
        edge = palette.turn
    canvas.card(laid.card, box, faded=faded or "annulled" in laid.marks, edge=edge)
    if "annulled" in laid.marks:
        pygame.draw.line(canvas.surface, palette.wrong, box.topleft, box.bottomright, canvas.theme.px(5))


def _draw_pile(canvas: Canvas, box: pygame.Rect, zone: Zone, size: tuple[int, int]) -> None:
    """The last cards of a pile, overlapping, the top one whole."""
    cards = zone.cards[-5:]
    step = size[0] // 2
    left = box.centerx - (size[0] + step * (len(cards) - 1)) // 2
    for n, laid in enumerate(cards):
        place = pygame.Rect((left + n * step, box.centery - size[1] // 2), size)
        canvas.card(laid.card, place, edge=canvas.theme.palette.turn if n == len(cards) - 1 else None)


# What is said


def _draw_banner(canvas: Canvas, box: pygame.Rect, banner: Banner) -> None:
    theme, palette = canvas.theme, canvas.theme.palette
    colour = {
        Tone.WRONG: palette.wrong,
        Tone.PROVED: palette.wrong,
        Tone.GOOD: palette.good,
        Tone.NEWS: palette.open,
    }[banner.tone]
    white = (255, 255, 255)
    pygame.draw.rect(canvas.surface, colour, box)
    inside = box.inflate(-theme.px(44), -theme.px(20))
    if banner.rule is not None:
        chip = pygame.Rect(inside.left, 0, theme.px(104), theme.px(54))
        chip.centery = inside.centery
        canvas.panel(chip, palette.paper, radius=10)
        canvas.text(banner.rule, chip.inflate(-theme.px(12), 0), 28, palette.ink, bold=True, align="middle")
        inside = pygame.Rect(chip.right + theme.px(22), inside.top, 0, inside.height)
        inside.width = box.right - theme.px(22) - inside.left
    if not banner.text:
        canvas.text(banner.title, inside, 34, white, bold=True, lines=2)
        return
    title = pygame.Rect(inside.left, inside.top, inside.width, inside.height * 45 // 100)
    text = pygame.Rect(inside.left, title.bottom, inside.width, inside.height - title.height)
    canvas.text(banner.title, title, 34, white, bold=True)
    canvas.text(banner.text, text, 25, white, lines=2)


def _draw_choice(canvas: Canvas, box: pygame.Rect, choice: Choice) -> None:
    theme, palette = canvas.theme, canvas.theme.palette
    whole = box
    box = pygame.Rect(0, 0, box.width, theme.px(52 + 42 + 76 * len(choice.answers)))
    box = box.clip(pygame.Rect(0, 0, whole.width, whole.height))
    box.center = whole.center
    canvas.panel(box, palette.panel, palette.turn, radius=18)
    inside = box.inflate(-theme.px(48), -theme.px(32))
    title = pygame.Rect(inside.left, inside.top, inside.width, theme.px(52))
    canvas.text(choice.title, title, 32, palette.text, bold=True, align="middle")
    if not choice.answers:
        return
    # A window of answers around the chosen one, when not all have room.
    room = inside.bottom - title.bottom - theme.px(10)
    least = theme.px(46)
    fit = max(1, min(len(choice.answers), room // least))
    first = min(max(0, choice.chosen - fit // 2), len(choice.answers) - fit)
    each = min(theme.px(76), room // fit)
    for n in range(first, first + fit):
        row = pygame.Rect(inside.left, title.bottom + theme.px(10) + (n - first) * each, inside.width, each)
        row = row.inflate(0, -theme.px(6))
        if n == choice.chosen:
            canvas.panel(row, palette.turn, radius=12)
        colour = palette.ink if n == choice.chosen else palette.text
        canvas.text(choice.answers[n], row.inflate(-theme.px(24), 0), 32, colour, bold=True, align="middle")
