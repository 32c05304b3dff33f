"""People who lay a card before the one laid last has been seen."""

from __future__ import annotations

from typing import Any

from appliance.haste import HastyPeople
from engine.actions import Action, play
from engine.cards import parse_card

HASTY, NEXT = play(1, parse_card("hA")), play(2, parse_card("d8"))


class Asking:
    """A session that asks whether trumps were called with the card laid in haste."""

    which_card = None
    asking = True


class Answering(HastyPeople):
    def __init__(self, session: Any, offered: Action) -> None:
        super().__init__(None, None, session, None, lambda until: None)  # type: ignore[arg-type]
        self.offered, self.chosen = offered, list[Action]()

    def choose(self, content: Any) -> bool:
        if content != self.offered:
            return False
        self.chosen.append(content)
        self._session.asking = False  # type: ignore[misc]
        return True


def test_what_is_asked_about_a_card_laid_in_haste_is_answered_while_the_next_is_laid() -> None:
    people = Answering(Asking(), HASTY)
    people._hasty = HASTY
    assert people._answer(NEXT)
    assert people.chosen == [HASTY]


def test_what_is_asked_about_the_next_card_is_answered_for_that() -> None:
    people = Answering(Asking(), NEXT)
    people._hasty = HASTY
    assert people._answer(NEXT)
    assert people.chosen == [NEXT]
