"""The oracle of Azijietiškasis durnius, written from AZ-1 to AZ-6 of the rulings and from nothing else."""

from __future__ import annotations

from tests.engine.brute.beating import Beating, higher, suit_of


class Brute(Beating):
    def beats(self, seat: int, card: str, top: str) -> bool:
        if suit_of(top) == "♠" or suit_of(top) == "♣":  # AZ-4, DU-6
            return higher(card, top)
        return higher(card, top) or suit_of(card) == "♣"

    def out_by_beat(self, seat: int) -> None:
        """AZ-5, AZ-6; the winner deals (AZ-1)."""
        points = [-len(hand) for hand in self.hands.values()]
        points[seat - 1] = -sum(points)
        self.finish(points, [seat], None, seat)

    def out_by_lead_or_drag(self, seat: int) -> None:
        self.out_by_beat(seat)
