"""Šuo with every card known: the oracle written from the rule numbers SU and VP, not from the engine."""

from __future__ import annotations

from tests.engine.brute import vepla


class Brute(vepla.Brute):
    """A deal of Šuo: Vėpla (SU-1, SU-6) but for what stands here."""

    ranks = ("9", "10", "V", "D", "K", "T")

    def __init__(self, seats: int, dealer: int, options: dict[str, str], hands: dict[str, list[str]]) -> None:
        super().__init__(seats, dealer, options, hands)
        self.center = [self.stock.pop(0)]

    def targets(self, card: str) -> set[str]:
        """SU-1: the central fund before any opponent's."""
        if self.continues(card, self.center[-1]):
            return {"center"}
        return super().targets(card)

    def put_elsewhere(self, card: str, target: str) -> None:
        """SU-1: in the middle or on an opponent's fund."""
        if target == "center":
            self.center.append(card)
        else:
            super().put_elsewhere(card, target)

    def err(self, seat: int) -> None:
        """SU-2: an oversight is refused, never carried out."""
        raise AssertionError("an oversight in Šuo")

    def first_lead(self) -> int:
        """SU-3 and SU-4."""
        assert self.last_drawer is not None
        if self.options["trump"] == "hearts":
            self.trump = "♥"
        if self.options["lead"] == "last":
            return self.last_drawer
        return self.next_seat(self.last_drawer)

    def may_beat(self, card: str, top: str, hand: list[str]) -> bool:
        """SU-5."""
        if self.higher(card, top):
            return True
        if card[0] != self.trump or top[0] in ("♣", self.trump):
            return False
        return not any(self.higher(other, top) for other in hand)

    def price(self, loser: int) -> int:
        """SU-7."""
        return len(self.hands[loser]) if self.options["score"] == "penalty" else 1
