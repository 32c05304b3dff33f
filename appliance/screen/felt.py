"""The felt of the table view: the seats around it, and whatever lies between them, in every game."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from appliance.language import Language
from appliance.screen.canvas import Canvas
from appliance.screen.frame import WHITE, cut
from appliance.screen.model import Doubt, Shown
from appliance.screen.theme import Colour
from engine.cards import Suit
from engine.view import Laid, View, Zone

_FAN = 5
"""So many cards of a heap are shown, the top one whole."""
_STEP = 0.42
"""How far a card of a heap is from the next, in card widths."""


def draw_felt(canvas: Canvas, box: pygame.Rect, shown: Shown, language: Language) -> None:
    """Draws the seats and the cards."""
    theme, view = canvas.theme, shown.view
    seats = len(view.players)
    funds = {zone.seat: zone for zone in view.zones if zone.kind == "fund"}
    height = theme.px(164 if funds else 116)
    width = min(theme.px(264), box.width * (37 if theme.tall else 28) // 100)
    places = {seat: _seat_box(box, seat, seats, width, height) for seat in range(1, seats + 1)}
    for seat, place in places.items():
        doubts = [doubt for doubt in shown.doubts if doubt.seat == seat]
        _draw_seat(canvas, place, view, seat, funds.get(seat), len(doubts))
    inner = _between(box, tuple(places.values()), theme.px(14))
    heaps = [zone for zone in view.zones if zone.kind in ("pile", "center", "drawn") and zone.cards]
    spread = next((zone for zone in view.zones if zone.kind == "spread" and zone.cards), None)
    if any(zone.kind == "trick" for zone in view.zones):
        _draw_trick(canvas, inner, view, shown.doubts)
    elif heaps or spread or view.stock_count:
        if spread is not None:
            upper, inner = cut(inner, inner.height * (40 if heaps or view.stock_count else 100) // 100)
            _draw_heap(canvas, upper, spread.cards, language("turned up"), (), len(spread.cards))
        _draw_heaps(canvas, inner, view, heaps, shown.doubts, language)


def _angle(seat: int, seats: int) -> float:
    """Seat 1 at the bottom, the others clockwise as one looks down on the table."""
    return math.pi / 2 + 2 * math.pi * (seat - 1) / seats


def _seat_box(box: pygame.Rect, seat: int, seats: int, width: int, height: int) -> pygame.Rect:
    angle = _angle(seat, seats)
    label = pygame.Rect(0, 0, width, height)
    label.center = (
        round(box.centerx + math.cos(angle) * (box.width - width) * (0.5 if seats < 5 else 0.577)),
        round(box.centery + math.sin(angle) * (box.height - height) * 0.5),
    )
    if box.height > box.width * 0.66 and 2 < seats < 5 and abs(math.cos(angle)) > 0.5:
        # On an upright screen the seats at the sides move up: the cards need the width below them.
        label.centery = box.top + height * 8 // 5
    return label.clamp(box)


def _between(box: pygame.Rect, places: Sequence[pygame.Rect], gap: int) -> pygame.Rect:
    """The free box in the middle."""
    left, right, top, bottom = box.left, box.right, box.top, box.bottom
    for place in places:
        beside = place.right < box.centerx or place.left > box.centerx
        if beside and (place.top < box.centery < place.bottom or len(places) > 4):
            if place.centerx < box.centerx:
                left = max(left, place.right + gap)
            else:
                right = min(right, place.left - gap)
        elif place.centery < box.centery:
            top = max(top, place.bottom + gap)
        else:
            bottom = min(bottom, place.top - gap)
    return pygame.Rect(left, top, max(1, right - left), max(1, bottom - top))


def _draw_seat(
    canvas: Canvas, box: pygame.Rect, view: View, seat: int, fund: Zone | None, doubts: int
) -> None:
    """A seat: its name, and below it the dealer's chip, the cards in the hand, its trumps, open questions;
    beside it the top of its fund."""
    theme, palette = canvas.theme, canvas.theme.palette
    acting = {view.turn} if view.turn is not None else {expected.seat for expected in view.expects}
    turn = seat in acting
    canvas.panel(box, palette.turn if turn else palette.panel, None if turn else palette.line, radius=16)
    colour = palette.ink if turn else palette.quiet if seat in view.out else palette.text
    inside = box.inflate(-theme.px(20), -theme.px(10))
    name, below = cut(inside, inside.height * (42 if fund is not None else 62) // 100)
    canvas.text(view.players[seat - 1], name, 33, colour, bold=True, lines=3)
    if fund is not None:
        height = below.height
        place = pygame.Rect(below.left, below.top, height * 10 // 14, height)
        if fund.cards:
            canvas.card(fund.cards[-1].card, place)
        else:
            pygame.draw.rect(canvas.surface, palette.line, place, theme.px(2), border_radius=6)
        below.left, below.width = place.right + theme.px(10), below.right - place.right - theme.px(10)
        below = pygame.Rect(below.left, below.centery - theme.px(20), below.width, theme.px(40))
    x = below.left
    badge = below.height
    if view.dealer == seat:
        chip = pygame.Rect(x, below.top, badge, badge).inflate(-theme.px(2), -theme.px(2))
        pygame.draw.circle(canvas.surface, palette.paper, chip.center, chip.width // 2)
        pygame.draw.circle(canvas.surface, palette.ink, chip.center, chip.width // 2, theme.px(2))
        canvas.text("D", chip.inflate(-theme.px(6), 0), 24, palette.ink, bold=True, align="middle")
        x = chip.right + theme.px(8)
    count = view.hand_counts.get(seat, 0)
    words = f"▮{count}" if count else ""
    if fund is not None and len(fund.cards) > 1:
        words += f" ▤{len(fund.cards)}"
    suits = next((fact.suits for fact in view.named if fact.seat == seat and fact.suits), ())
    x_right = below.right
    if doubts:
        mark = pygame.Rect(x_right - badge, below.top, badge, badge)
        pygame.draw.circle(canvas.surface, palette.open, mark.center, badge // 2)
        canvas.text("?", mark.inflate(-theme.px(4), 0), 26, WHITE, bold=True, align="middle")
        x_right = mark.left - theme.px(6)
    if suits:
        chip = pygame.Rect(0, below.top, theme.px(34) * len(suits), badge)
        chip.right = x_right
        _suits(canvas, chip, suits)
        x_right = chip.left - theme.px(6)
    if words:
        canvas.text(words.strip(), pygame.Rect(x, below.top, x_right - x, badge), 28, colour)


def _suits(canvas: Canvas, box: pygame.Rect, suits: Sequence[Suit]) -> None:
    """Suits in their colours on a chip of paper."""
    canvas.panel(box, canvas.theme.palette.paper, radius=6)
    each = box.width // len(suits)
    for n, suit in enumerate(suits):
        cell = pygame.Rect(box.left + n * each, box.top, each, box.height)
        canvas.text(str(suit), cell, 27, canvas.suit_colour(suit), bold=True, align="middle")


# The trick


def _draw_trick(canvas: Canvas, box: pygame.Rect, view: View, doubts: Sequence[Doubt]) -> None:
    trick = next(zone for zone in view.zones if zone.kind == "trick")
    last = next((zone for zone in view.zones if zone.kind == "last trick"), None)
    faded = not trick.cards and last is not None
    cards = last.cards if faded and last is not None else trick.cards
    seats = len(view.players)
    # As large as can be: the lower cards lie on the lower part of the upper ones, all indices are seen.
    height = round(min(box.height * 0.62, box.width * 0.42))
    size = (round(height * 0.71), height)
    doubted = {card for doubt in doubts for card in doubt.cards}
    laid_by: dict[int, int] = {}
    aside = min((box.width - size[0]) * 0.5, size[0] * 1.2)
    for laid in sorted(cards, key=lambda laid: round(math.sin(_angle(laid.seat or 1, seats)), 3)):
        seat = laid.seat or 1
        nth = laid_by[seat] = laid_by.get(seat, -1) + 1
        angle = _angle(seat, seats)
        place = pygame.Rect((0, 0), size)
        place.center = (
            round(box.centerx + math.cos(angle) * aside) + nth * size[0] // 2,
            round(box.centery + math.sin(angle) * (box.height - size[1]) * 0.5),
        )
        _draw_laid(canvas, place, laid, faded, laid.card in doubted)


def _draw_laid(canvas: Canvas, box: pygame.Rect, laid: Laid, faded: bool, doubted: bool) -> None:
    palette = canvas.theme.palette
    edge: Colour | None = None
    if "annulled" in laid.marks:
        edge = palette.quiet
    elif "seklys" in laid.marks or "called" in laid.marks or "deserter" in laid.marks:
        edge = palette.turn
    canvas.card(laid.card, box, faded=faded or "annulled" in laid.marks, edge=edge)
    if "annulled" in laid.marks:
        pygame.draw.line(canvas.surface, palette.wrong, box.topleft, box.bottomright, canvas.theme.px(5))
    if doubted:
        _doubt(canvas, box)


def _doubt(canvas: Canvas, box: pygame.Rect) -> None:
    """The small mark of an action that is still open, in the card's upper right corner."""
    size = max(10, box.width // 3)
    mark = pygame.Rect(box.right - size * 11 // 10, box.top + size // 10, size, size)
    pygame.draw.circle(canvas.surface, canvas.theme.palette.open, mark.center, size // 2)
    font = canvas.theme.font(size * 0.7 / canvas.theme.scale, bold=True)
    image = font.render("?", True, WHITE)
    canvas.surface.blit(image, image.get_rect(center=mark.center))


# Heaps


def _draw_heaps(
    canvas: Canvas, box: pygame.Rect, view: View, heaps: Sequence[Zone], doubts: Sequence[Doubt],
    language: Language,
) -> None:  # fmt: skip
    """The stock, the card just drawn, the heaps: side by side, below each what it is and how many."""
    parts: list[tuple[str, tuple[Laid, ...], int]] = []
    if view.stock_count:
        parts.append((f"{language('stock')} {view.stock_count}", (), 1))
    words = {"pile": language("pile"), "center": language("in the middle"), "drawn": language("drawn")}
    for zone in heaps:
        label = words[zone.kind]
        if len(zone.cards) > 1:
            label += f" {len(zone.cards)}"
        parts.append((label, zone.cards, min(_FAN, len(zone.cards))))
    if not parts:
        return
    if box.height > box.width * 1.3:
        high = box.height // len(parts)
        for n, (label, cards, shown) in enumerate(parts):
            cell = pygame.Rect(box.left, box.top + n * high, box.width, high - canvas.theme.px(8))
            _draw_heap(canvas, cell, cards, label, doubts, shown)
        return
    gap = 0.5
    units = [1 + _STEP * (shown - 1) for _, _, shown in parts]
    each = box.width / (sum(units) + gap * len(parts))
    left = float(box.left)
    for (label, cards, shown), unit in zip(parts, units, strict=True):
        cell = pygame.Rect(round(left), box.top, round(each * (unit + gap)), box.height)
        left += each * (unit + gap)
        _draw_heap(canvas, cell, cards, label, doubts, shown)


def _draw_heap(
    canvas: Canvas, box: pygame.Rect, cards: Sequence[Laid], label: str, doubts: Sequence[Doubt], shown: int
) -> None:
    """The last cards of a heap, overlapping, the top one whole; a back for a stock."""
    theme, palette = canvas.theme, canvas.theme.palette
    box = box.inflate(-theme.px(8), 0)
    above, words = cut(box, box.height - theme.px(42), theme.px(4))
    count = max(1, min(shown, len(cards)))
    step = _STEP if shown <= _FAN else 0.5
    width = min(above.width * 0.94 / (1 + step * (count - 1)), above.height / 1.4, theme.px(240))
    size = (int(width), int(width * 1.4))
    total = round(size[0] * (1 + step * (count - 1)))
    left, top = above.centerx - total // 2, above.centery - size[1] // 2
    if not cards:
        canvas.back(pygame.Rect((left, top), size))
    doubted = {card for doubt in doubts for card in doubt.cards}
    last = cards[-count:]
    for n, laid in enumerate(last):
        place = pygame.Rect((round(left + n * step * size[0]), top), size)
        edge = palette.turn if n == len(last) - 1 and shown <= _FAN else None
        canvas.card(laid.card, place, edge=edge)
        if laid.card in doubted:
            _doubt(canvas, place)
    words.top = top + size[1] + theme.px(4)
    canvas.text(label, words, 25, palette.quiet, align="middle")
