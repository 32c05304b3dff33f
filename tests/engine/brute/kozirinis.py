"""The oracle of Kozirinis, written from KO-1 to KO-5 of the rulings and from nothing else."""

from __future__ import annotations

from tests.engine.brute.beating import SUITS, Beating, suit_of


class Brute(Beating):
    """`hands["spread"]` is the half that is turned up once both trumps are named."""

    def prepare(self, hands: dict[str, list[str]]) -> None:
        self.spread = list(hands["spread"])
        self.stage = "name"
        self.kept: list[str] = []

    def legal(self) -> set[tuple[int, str]]:
        if self.stage != "name":
            return super().legal()
        if not self.kept:
            return {(self.dealer, f"trump {a} {b}") for a in SUITS for b in SUITS if a != b}
        return {(self.pirmasis, "trump " + suit) for suit in SUITS if suit not in self.kept}

    def act(self, seat: int, words: list[str], drawn: str | None) -> None:
        if words[0] != "trump":
            super().act(seat, words, drawn)
            return
        self.trumps[seat] = words[1]
        if seat == self.dealer:
            self.kept = words[1:]
            return
        # KO-2: trump for trump, plain for plain
        other = next(suit for suit in SUITS if suit not in [*self.kept, words[1]])
        instead = {self.kept[0]: words[1], self.kept[1]: other}
        for card in self.spread:
            if suit_of(card) in instead:
                self.hands[self.dealer].append(card)
                self.hands[self.pirmasis].append(instead[suit_of(card)] + card[1:])
        if self.hands[self.dealer]:
            self.wait_for(self.pirmasis, "lead")  # KO-3
        else:
            self.stage = "dealt anew"

    def out_by_beat(self, seat: int) -> None:
        """KO-4, KO-5."""
        loser = 3 - seat
        dealer = loser if self.options["next_dealer"] == "loser" else self.pirmasis
        self.finish([int(s == loser) for s in self.hands], [seat], loser, dealer)

    def out_by_lead_or_drag(self, seat: int) -> None:
        self.out_by_beat(seat)
