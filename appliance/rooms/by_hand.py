"""Cards entered with the buttons, where there is no camera: to the session they are as if seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from appliance.rooms.correct import CardRoom
from appliance.rooms.room import AskRoom, Item
from engine.cards import Card
from vision.types import TableEvent

if TYPE_CHECKING:
    from appliance.console import Console


def lay_by_hand(console: Console) -> None:
    """Asks who lays which card, and where if there are several places for it."""
    view, say = console.playing().match.view(), console.language
    turn = view.turn or (view.expects[0].seat if view.expects else 1)

    def items() -> list[Item]:
        return [
            Item(name, lambda seat=seat: _which(console, seat))  # type: ignore[misc]
            for seat, name in enumerate(view.players, 1)
        ]

    console.enter(AskRoom(console, say("Who lays a card?"), items, chosen=turn - 1))


def ask_any_card(console: Console, title: str, chosen: Callable[[Card], None]) -> None:
    """Asks for a card of the pack: its suit first."""
    match = console.playing().match
    pack = tuple(dict.fromkeys(match.game.pack(match.options)))
    suits: dict[str, list[Card]] = {}
    for card in sorted(pack):
        suits.setdefault("" if card.joker else str(card.suit), []).append(card)

    def of(cards: Sequence[Card]) -> Callable[[], None]:
        def take(card: Card | None) -> None:
            assert card is not None
            chosen(card)

        return lambda: console.enter(CardRoom(console, title, cards, take, None))

    def items() -> list[Item]:
        return [Item(suit or "★", of(cards)) for suit, cards in suits.items()]

    console.enter(AskRoom(console, title, items))


def _which(console: Console, seat: int) -> None:
    session, say = console.playing(), console.language
    who = session.match.header.players[seat - 1]
    title = say("{player}: which card is this?").format(player=who)

    def beside(card: Card) -> None:
        def items() -> list[Item]:
            return [
                Item(say("Alone"), lambda: _where(console, seat, (card,))),
                Item(
                    say("With another card"),
                    lambda: ask_any_card(console, title, lambda other: _where(console, seat, (card, other))),
                ),
            ]

        if session.pairs:
            console.enter(AskRoom(console, f"{who}: {card}", items))
        else:
            _where(console, seat, (card,))

    ask_any_card(console, title, beside)


def _where(console: Console, seat: int, cards: tuple[Card, ...]) -> None:
    session, say = console.playing(), console.language
    places = session.places
    if len(places) < 2:
        _lay(console, seat, cards, places[0] if places else f"seat{seat}")
        return
    names = {f"seat{n}": name for n, name in enumerate(session.match.header.players, 1)}

    def items() -> list[Item]:
        return [
            Item(
                names.get(place, say("In the middle")),
                lambda place=place: _lay(console, seat, cards, place),  # type: ignore[misc]
            )
            for place in places
        ]

    console.enter(AskRoom(console, say("Where does it lie?"), items))


def _lay(console: Console, seat: int, cards: tuple[Card, ...], area: str) -> None:
    """What the camera would have told of it."""
    console.to_table()
    view = console.playing().match.view()
    lying = {laid.card for zone in view.zones if zone.kind in ("fund", "center") for laid in zone.cards}
    t = console.by_hand()
    console.events(
        tuple(TableEvent(t, "moved" if card in lying else "placed", card, 1.0, area, seat) for card in cards)
    )
