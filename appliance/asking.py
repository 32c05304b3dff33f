"""The questions that people answer with the buttons: what the table cannot see for itself.

They follow from what the rules expect (`View.expects`), whatever the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import permutations

from appliance.flows import BETWEEN_DEALS
from appliance.language import Language
from appliance.spoken import spoken_action
from engine.actions import Action
from engine.cards import Card
from engine.record import Content, DealLine
from engine.view import Expectation, View

Push = Callable[[Content], None]


@dataclass(frozen=True)
class Question:
    """A question on the screen: its answers, what each of them does, and what it says (None: nothing).
    `offer`: nobody has to answer it, the first answer is that nothing is said."""

    title: str
    answers: tuple[str, ...]
    actions: tuple[Callable[[], None], ...]
    says: tuple[Content | Card | None, ...]
    offer: bool = False


def due(view: View, next_dealer: int, say: Language, push: Push) -> Question | None:
    """The question that is due as things stand, None if people need not say anything."""
    if view.stage in BETWEEN_DEALS:
        again = say("New deal after the match") if view.finished else say("Next deal")
        title = say("Deal the cards") if view.stage == "no deal" else again
        answer = say("{player} deals").format(player=view.players[next_dealer - 1])
        return Question(title, (answer,), (partial(push, DealLine()),), (DealLine(),))
    must = [expected for expected in view.expects if expected.must]
    if must:
        spoken = [expected for expected in must if expected.source == "button"]
        if not spoken or len(spoken) < len(must):
            return None
        several = len({expected.seat for expected in spoken}) > 1
        if several and len({expected.verb for expected in spoken}) == 1 and spoken[0].verb == "away":
            spoken, several = spoken[:1], False  # one after the other
        who = view.players[spoken[0].seat - 1]
        title = say("Who is it?") if several else _asks(spoken[0], who, say)
        actions = [action for expected in spoken for action in _actions(expected)]
        return _of(actions, title, several, view, say, push)
    offered = [
        action
        for expected in view.expects
        if expected.source == "button" or expected.verb == "take"
        for action in _actions(expected)
    ]
    if not offered:
        return None
    question = _of(offered, say("Said instead of a card laid"), True, view, say, push)
    return Question(
        question.title,
        (say("Nothing"), *question.answers),
        (_nothing, *question.actions),
        (None, *question.says),
        True,
    )


def _nothing() -> None:
    """The first answer where nothing has to be said: a button pressed too often does no harm."""


def _of(actions: list[Action], title: str, named: bool, view: View, say: Language, push: Push) -> Question:
    def text(action: Action) -> str:
        words = _in_short(action, view, say)
        return f"{view.players[action.seat - 1]}: {words}" if named else words

    pushes = tuple(partial(push, action) for action in actions)
    return Question(title, tuple(map(text, actions)), pushes, tuple(actions))


def _in_short(action: Action, view: View, say: Language) -> str:
    match action.verb:
        case "announce":
            return str(action.rank)
        case "trump":
            return " ".join(map(str, action.suits))
        case "away":
            return str(action.count)
        case "penalty":
            return str(action.card)
    return spoken_action(action.text, view.players, say)


def _asks(expected: Expectation, who: str, say: Language) -> str:
    titles = {
        "announce": say("{player} names the Sekliai"),
        "trump": say("{player} names trumps"),
        "away": say("{player}: how many cards laid away?"),
        "penalty": say("{player} pays with a card"),
    }
    return titles[expected.verb].format(player=who)


def _actions(expected: Expectation) -> Iterator[Action]:
    """What people can say of an expectation."""
    seat, verb = expected.seat, expected.verb
    match verb:
        case "announce":
            yield from (Action(seat, verb, rank=rank) for rank in expected.ranks)
        case "trump" if expected.several == 2:
            yield from (Action(seat, verb, suits=suits) for suits in permutations(expected.suits, 2))
        case "trump":
            yield from (Action(seat, verb, suits=(suit,)) for suit in expected.suits)
        case "away":
            yield from (Action(seat, verb, count=count) for count in reversed(expected.counts))
        case "penalty":
            yield from (Action(seat, verb, (card,)) for card in expected.cards)
        case _:
            yield Action(seat, verb)
