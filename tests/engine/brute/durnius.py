"""The oracle of Durnius, written from DU-1 to DU-12 of the rulings and from nothing else."""

from __future__ import annotations

from tests.engine.brute.beating import SUITS, Beating, suit_of


class Brute(Beating):
    def prepare(self, hands: dict[str, list[str]]) -> None:
        self.free_nine_by: int | None = None
        self.stage = "name"
        if self.trumps:
            self.exchange()

    def legal(self) -> set[tuple[int, str]]:
        if self.result is None and self.stage == "name":
            return self.names()
        if self.result is None and self.stage == "exchange":
            verb = "give " if self.seats == 2 else "throw "
            return {(seat, verb + " ".join(self.owed(seat))) for seat in self.hands if self.owed(seat)}
        return super().legal()

    def names(self) -> set[tuple[int, str]]:
        """DU-2."""
        if self.options["trumps"] == "queen":
            return {(seat, "trump ♣") for seat, hand in self.hands.items() if "♣D" in hand}
        seat = self.mover
        return {(seat, "trump " + suit) for suit in SUITS if suit not in self.trumps.values()}

    def owed(self, seat: int) -> list[str]:
        """DU-3: the nines this seat has to lay, or, with two players, to give; suits in their order."""
        if self.seats == 2:
            suits = [self.trumps[3 - seat]]
        else:
            suits = [suit for suit in SUITS if suit != self.trumps[seat]]
        return [suit + "9" for suit in suits if suit + "9" in self.hands[seat]]

    def act(self, seat: int, words: list[str], drawn: str | None) -> None:
        if words[0] == "trump":
            if self.options["trumps"] == "queen":
                for suit in ["♣", "♠", "♥", "♦"][: self.seats]:
                    self.trumps[seat] = suit
                    seat = seat % self.seats + 1
            else:
                self.trumps[seat] = words[1]
                self.mover = seat % self.seats + 1
            if len(self.trumps) == self.seats:
                self.exchange()
        elif words[0] in ("throw", "give"):
            for nine in words[1:]:
                self.hands[seat].remove(nine)
                owner = [s for s, trump in self.trumps.items() if trump == suit_of(nine)]
                if owner:
                    self.hands[owner[0]].append(nine)
                else:
                    self.pile = [nine]
                    self.free_nine_by = seat
            self.exchange()
        else:
            super().act(seat, words, drawn)

    def exchange(self) -> None:
        """Everybody waits until no nine is owed; then the play begins (DU-3, DU-4)."""
        if any(self.owed(seat) for seat in self.hands):
            self.stage = "exchange"
        elif self.free_nine_by is not None:
            self.wait_for(self.after(self.free_nine_by), "beat")
        else:
            self.wait_for(self.pirmasis, "lead")
