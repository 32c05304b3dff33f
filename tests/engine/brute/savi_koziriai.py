"""The oracle of Savi koziriai, written from SK-1 to SK-5 of the rulings and from nothing else."""

from __future__ import annotations

from tests.engine.brute.beating import SUITS, Beating, suit_of


class Brute(Beating):
    def prepare(self, hands: dict[str, list[str]]) -> None:
        self.stage = "name"
        if self.trumps:
            self.exchange()

    def legal(self) -> set[tuple[int, str]]:
        if self.stage == "name":
            free = [suit for suit in SUITS if suit not in self.trumps.values()]
            seats = [seat for seat in self.hands if seat not in self.trumps]
            if self.options["trumps"] == "turn":
                seats = [self.mover]
            return {(seat, "trump " + suit) for seat in seats for suit in free}
        if self.stage == "exchange":
            six = self.trumps[self.receiver()] + "6"
            return {(seat, f"give {six} for ?") for seat, hand in self.hands.items() if six in hand}
        return super().legal()

    def receiver(self) -> int:
        """SK-2: the first seat from Pirmasis that lacks its six; 0 if none does."""
        for n in range(self.seats):
            seat = (self.pirmasis + n - 1) % self.seats + 1
            if self.trumps[seat] + "6" not in self.hands[seat]:
                return seat
        return 0

    def exchange(self) -> None:
        if self.receiver():
            self.stage = "exchange"
        else:
            self.wait_for(self.pirmasis, "lead")

    def act(self, seat: int, words: list[str], drawn: str | None) -> None:
        if words[0] == "trump":
            self.trumps[seat] = words[1]
            self.mover = seat % self.seats + 1
            if len(self.trumps) == self.seats:
                self.exchange()
        elif words[0] == "give":
            assert drawn is not None
            receiver = self.receiver()
            self.hands[receiver].remove(drawn)
            self.hands[seat].append(drawn)
            self.hands[seat].remove(words[1])
            self.hands[receiver].append(words[1])
            self.exchange()
        else:
            super().act(seat, words, drawn)

    def take(self, seat: int) -> None:
        """SK-4."""
        if self.in_play() == [seat] or self.options["take"] == "all":
            super().take(seat)
            return
        count = 10 if suit_of(self.pile[-1]) == self.trumps[seat] else 3
        self.hands[seat] += self.pile[-count:]
        self.pile = self.pile[:-count]
        self.wait_for(self.after(seat), "lead")
