"""The oracle of Dudakas, written from DK-1 to DK-7 of the rulings and from nothing else."""

from __future__ import annotations

from tests.engine.brute.beating import SUITS, Beating


class Brute(Beating):
    def prepare(self, hands: dict[str, list[str]]) -> None:
        self.led = False

    def legal(self) -> set[tuple[int, str]]:
        """DK-2: a trump may be named by anybody before the first lead, later on one's turn to beat."""
        found = super().legal()
        if self.result is None:
            for seat in self.hands:
                if seat not in self.trumps and (
                    not self.led or (seat == self.mover and self.stage == "beat")
                ):
                    found |= {(seat, "trump " + suit) for suit in SUITS}
        return found

    def act(self, seat: int, words: list[str], drawn: str | None) -> None:
        if words[0] == "trump":
            self.trumps[seat] = words[1]
        else:
            self.led = True
            super().act(seat, words, drawn)

    def out_by_beat(self, seat: int) -> None:
        """DK-4, DK-6."""
        if len(self.in_play()) < 2:
            super().out_by_beat(seat)
        else:
            self.pile = []
            self.wait_for(self.after(seat), "lead")

    def next_dealer(self, seat: int) -> int:
        return self.dealer % self.seats + 1  # DK-7
