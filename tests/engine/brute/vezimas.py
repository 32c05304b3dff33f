"""The oracle of Vežimas su uždaru, written from VU-1 to VU-8 of the rulings and from nothing else.

A card that was turned up is in its owner's hand; `closed` holds those that were not.
"""

from __future__ import annotations

from tests.engine.brute.beating import Beating, suit_of


class Brute(Beating):
    def prepare(self, hands: dict[str, list[str]]) -> None:
        self.closed = {seat: hands[f"closed {seat}"][0] for seat in self.hands}

    def has_parankinis(self) -> bool:
        return False  # VU-7

    def held(self, seat: int) -> int:
        return len(self.hands[seat]) + (1 if seat in self.closed else 0)  # VU-8

    def moves(self, seat: int) -> list[str]:
        """VU-4: the closed card may be turned up on any turn, to lead, to beat or to drag."""
        turning_up = ["closed " + self.closed[seat]] if seat in self.closed else []
        return super().moves(seat) + turning_up

    def act(self, seat: int, words: list[str], drawn: str | None) -> None:
        if words[0] == "closed":
            card = self.closed.pop(seat)
            self.hands[seat].append(card)
            self.trumps[seat] = suit_of(card)
        else:
            super().act(seat, words, drawn)

    def take(self, seat: int) -> None:
        if self.in_play() == [seat] or seat in self.trumps:  # DU-11, VU-5
            super().take(seat)
        else:  # VU-3
            self.hands[seat].append(self.pile.pop())
            self.wait_for(self.after(seat), "beat" if self.pile else "lead")
