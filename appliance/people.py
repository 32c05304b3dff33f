"""Simulated people: what they do at the table with their hands and on the console with the buttons.

They know what they want to do (the truth) and see the screen; whether the appliance has seen it they tell
from its record growing. Where their own things lie, `layout` says.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import numpy as np

from appliance.flows import BETWEEN_DEALS, WhichCard
from appliance.layout import Layout, Spot
from appliance.service import Service
from appliance.session import Session
from appliance.simulated import Lay, Pick, Shift, SimulatedTable, Turn
from engine.actions import CENTER, Action, Fact
from engine.cards import Card
from engine.record import Content
from engine.view import View
from vision.types import Points

PATIENCE = 40  # frames until people notice that the table has not seen something
_TRIES = 3
_SPOKEN = ("announce", "trump", "away", "pass", "call")
_GRIDS = {"spread": (8, 2), "laid": (4, 2)}
_AT_ONCE = 4
_HEAPED = 8.0  # mm farther from there than the nearest card: it lies on that one, and is what is seen
_NEAR = 60.0  # mm from where the screen shows a card to where it lies


class People:
    """`let`: lets time pass until something is so, or patience ends."""

    def __init__(
        self,
        table: SimulatedTable,
        layout: Layout,
        session: Session,
        service: Service,
        let: Callable[[Callable[[], bool]], None],
    ) -> None:
        self._table = table
        self._layout = layout
        self._session = session
        self._service = service
        self._let = let

    # What they do

    def gather(self, seat: int) -> None:
        """All cards are taken off the table."""
        lying = self._table.lying()
        for up in (True, False):
            cards = tuple(card.face for card in lying if card.up == up and isinstance(card.face, Card))
            self._table.perform(Pick(seat, cards, up))
        self.quiet()

    def deal(self, dealer: int, closed: Sequence[tuple[int, Card]], stock: Card | None) -> None:
        """Cards are dealt: only what lies face down on the table is seen of it."""
        if stock is not None:
            self._table.perform(Lay(dealer, ((stock, self._layout.stock()),)))
        for seat, card in closed:
            self._table.perform(Lay(seat, ((card, self._layout.beside(seat, up=False)),)))
        self.quiet()

    def turn_up(self, fact: Fact, dealer: int) -> bool:
        """A fact of the deal is turned up; whether it was seen."""
        if fact.kind in _GRIDS:
            return self._lay_out(dealer, fact.kind, fact.cards)
        if fact.kind == "fund":
            spot = self._layout.fund(fact.seat or dealer)
        else:
            spot = self._layout.center() if fact.kind == "center" else self._layout.pile(dealer)
        return self._lay(dealer, ((fact.cards[0], spot),), 1)

    def can(self, action: Action) -> bool:
        """Whether this can be seen to be done; what is said by button: whether it is offered."""
        zones = self._session.match.view().zones
        if action.verb == "take":
            return any(zone.kind == "pile" and zone.cards for zone in zones)
        if action.verb == "put":
            own = any(zone.kind == "fund" and zone.seat == action.seat and zone.cards for zone in zones)
            return (own and action.target != action.seat) or any(zone.kind == "drawn" for zone in zones)
        spoken = action.verb in _SPOKEN or (action.verb == "draw" and not action.cards)
        return not spoken or action in self._session.says

    def act(self, action: Action, before: View, after: View) -> bool:
        """Somebody acts; `before` and `after`: the match as it truly is. Whether it was seen.

        A card drawn in the open is laid only when it is put somewhere.
        """
        if action.verb == "draw" and action.cards:
            if any(zone.kind == "drawn" for zone in after.zones):
                return True
            own = self._layout.fund(action.seat)  # the last of the stock, or drawn against the rules
            return self._lay(action.seat, ((action.card, own),), 1)
        if action.verb in _SPOKEN or action.verb == "draw":
            return self.choose(action)
        seen = getattr(self, f"_{action.verb}")(action, before, after)
        return bool(seen)

    def tidy(self, after: View, seat: int) -> None:
        """Cards that should not lie on the table any more are taken away by a seat."""
        if self._take_away(after, seat):
            self.quiet()
            self._answer(None)

    def slide(self, action: Action, rng: random.Random) -> None:
        """Somebody pushes the card that was played by 2 to 4 cm: no play."""
        lying = [c for c in self._table.lying() if c.up and c.face == action.card]
        if lying:
            card = lying[-1]
            way, far = rng.uniform(0, 6.28), rng.uniform(20, 40)
            x, y = card.x + far * np.cos(way), card.y + far * np.sin(way)
            spot = Spot(float(x), float(y), card.angle + rng.uniform(-8, 8))
            self._table.perform(Shift(action.seat, action.card, spot))
            self.quiet()

    def quiet(self) -> None:
        """Until the table is at rest and has been looked at."""
        self._let(lambda: not self._table.busy and self._service.watcher.state == "still")

    def choose(self, content: Content | Card | None) -> bool:
        """Chooses an answer on the screen with the buttons, if it is offered."""
        choice, says = self._session.choice, self._session.says
        if choice is None or content not in says:
            return False
        for _ in range((says.index(content) - choice.chosen) % len(says)):
            self._session.press("down")
        self._session.press("ok")
        return True

    # How

    def _play(self, action: Action, before: View, after: View) -> bool:
        seat = action.seat
        given = [laid.card for zone in before.zones if zone.kind == "center" for laid in zone.cards]
        if before.stage == "exchange" and given:  # the owners take up what was given
            self._table.perform(Pick(seat, tuple(given)))
            self.quiet()
        if any(zone.kind == "trick" for zone in before.zones):
            places = tuple((card, self._layout.trick(seat, at)) for at, card in enumerate(action.cards))
        else:
            places = tuple((card, self._layout.pile(seat)) for card in action.cards)
        return self._lay(seat, places, 1, action)

    def _throw(self, action: Action, before: View, after: View) -> bool:
        leads = {laid.card for zone in after.zones if zone.kind == "pile" for laid in zone.cards}
        card, seat = action.card, action.seat
        spot = self._layout.pile(seat) if card in leads else self._layout.beside(seat)
        return self._lay(seat, ((card, spot),), 1)

    def _give(self, action: Action, before: View, after: View) -> bool:
        return self._lay(action.seat, ((action.card, self._layout.beside(action.seat)),), 1)

    def _closed(self, action: Action, before: View, after: View) -> bool:
        lines = self._lines()
        self._table.perform(Turn(action.seat, action.card))
        return self._seen(lines + 1)

    def _take(self, action: Action, before: View, after: View) -> bool:
        lines = self._lines()
        if self._take_away(after, action.seat) and self._seen(lines + 1):
            return True
        return self.choose(action)  # the camera has not seen it: it is said

    def _put(self, action: Action, before: View, after: View) -> bool:
        drawn = [zone.cards[0].card for zone in before.zones if zone.kind == "drawn"]
        own = next((z.cards for z in before.zones if z.kind == "fund" and z.seat == action.seat), ())
        card = drawn[0] if drawn else own[-1].card
        spot = self._layout.center() if action.target == CENTER else self._layout.fund(action.target or 1)
        if any(lies.face == card and lies.up for lies in self._table.lying()):
            lines = self._lines()
            self._table.perform(Shift(action.seat, card, spot))
            seen = self._seen(lines + 1)
            still = next((z.cards for z in after.zones if z.kind == "fund" and z.seat == action.seat), ())
            if not drawn and still and still[-1].card == card:  # it was refused: it goes back
                self._table.perform(Shift(action.seat, card, self._layout.fund(action.seat)))
                self.quiet()
            return seen
        return self._lay(action.seat, ((card, spot),), 2)

    def _laid(self, action: Action, before: View, after: View) -> bool:
        self._table.perform(Pick(action.seat, self._heap(), up=False))
        return self._lay_out(action.seat, "laid", action.cards)

    def _heap(self) -> tuple[Card, ...]:
        return tuple(c.face for c in self._table.lying() if not c.up and isinstance(c.face, Card))[:1]

    def _penalty(self, action: Action, before: View, after: View) -> bool:
        said = self.choose(action)
        for zone in after.zones:
            if zone.kind == "fund" and zone.cards and zone.cards[0].card == action.card and zone.seat:
                under = Shift(action.seat, action.card, self._layout.fund(zone.seat), under=True)
                self._table.perform(under)
                self.quiet()
        return said

    def _lay_out(self, seat: int, kind: str, cards: Sequence[Card]) -> bool:
        """Cards are laid side by side, a few at a time; once more if not all of them were seen."""
        columns, rows = _GRIDS[kind]
        lines = self._lines()
        for again in range(_TRIES):
            if again:
                self._table.perform(Pick(seat, tuple(cards)))
                self.quiet()
            for first in range(0, len(cards), _AT_ONCE):
                together = range(first, min(first + _AT_ONCE, len(cards)))
                places = tuple((cards[at], self._layout.grid(at, columns, rows)) for at in together)
                self._table.perform(Lay(seat, places))
                self.quiet()
                self._answer(None)
            if self._seen(lines + 1):
                return True
        return False

    def _lay(
        self, seat: int, places: tuple[tuple[Card, Spot], ...], wanted: int, action: Action | None = None
    ) -> bool:
        """Lays cards; whether so many lines came of it."""
        return self._lay_until(self._lines() + wanted, seat, places, action)

    def _lay_until(
        self, lines: int, seat: int, places: tuple[tuple[Card, Spot], ...], action: Action | None
    ) -> bool:
        """Lays cards, and looks whether the record has so many lines; if not, lays them again."""
        for again in range(_TRIES):
            if again:
                self._table.perform(Pick(seat, tuple(card for card, _ in places)))
                self.quiet()
            self._put_down(seat, places, action, again)
            if self._seen(lines, action):
                return True
            if self._service.closed:
                return False
        return False

    def _put_down(
        self, seat: int, places: tuple[tuple[Card, Spot], ...], action: Action | None, again: int
    ) -> None:
        """Lays the cards down once; `again`: how often they have been laid already."""
        self._table.perform(Lay(seat, places))

    def _seen(self, lines: int, action: Action | None = None) -> bool:
        """Waits until the record has so many lines; answers what the screen asks meanwhile."""
        for _ in range(8):
            asked = self._session.asking
            self._let(lambda: (self._lines() >= lines or self._session.asking) and not self._table.busy)
            if self._lines() >= lines:
                self.quiet()
                return True
            if not self._answer(action) and not asked:
                return False
        return self._lines() >= lines

    def _answer(self, action: Action | None) -> bool:
        """Answers the questions about the table; whether there was one."""
        answered = False
        while self._session.asking:
            question = self._session.which_card
            if question is None:
                if not self._say_which(action):
                    break
            else:
                if not self.choose(self._card_asked_about(question)):
                    break
            answered = True
        return answered

    def _say_which(self, action: Action | None) -> bool:
        """Says which of two actions it was, as whether trumps were called; whether that was asked."""
        return action is not None and self.choose(action)

    def _card_asked_about(self, question: WhichCard) -> Card | None:
        """The card that a question is about; None if none lies there."""
        reading = question.event.reading
        return None if reading is None else self._card_at(reading.outline.corners)

    def _card_at(self, corners: Points) -> Card | None:
        """The card that really lies where the picture shows these corners, if one does."""
        geometry = self._service.watcher.geometry
        if geometry is None:
            return None
        x, y = geometry.to_table(corners).mean(axis=0)
        lying = [card for card in self._table.lying() if card.up and isinstance(card.face, Card)]
        far = [float(np.hypot(card.x - x, card.y - y)) for card in lying]
        least = min(far, default=np.inf)
        if least > _NEAR:
            return None
        heap = [card for card, each in zip(lying, far, strict=True) if each < least + _HEAPED]
        face = heap[-1].face  # the others lie under it
        return face if isinstance(face, Card) else None

    def _take_away(self, after: View, seat: int) -> bool:
        if after.stage in BETWEEN_DEALS:
            return False  # they are gathered for the next deal
        should = {laid.card for zone in after.zones if zone.kind != "last trick" for laid in zone.cards}
        lying = self._table.lying()
        gone = tuple(c.face for c in lying if c.up and isinstance(c.face, Card) and c.face not in should)
        if gone:
            self._table.perform(Pick(seat, gone))
        if after.stock_count == 0 or after.stage == "second stage":
            back = self._heap()
            if back:
                self._table.perform(Pick(seat, back, up=False))
        return bool(gone)

    def _lines(self) -> int:
        return len(self._session.match.record().lines)
