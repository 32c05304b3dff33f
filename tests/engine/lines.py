"""Well-formed lines of any game, drawn by lot."""

from __future__ import annotations

import random

from engine.games import GAMES

FORMS = {
    "announce": "{s} announce {r}", "trump": "{s} trump {u}", "trump two": "{s} trump {u} {u2}",
    "away": "{s} away {n}", "throw": "{s} throw {c}", "give": "{s} give {c}",
    "give for": "{s} give {c} for {c2}", "closed": "{s} closed {c}", "play": "{s} play {c}",
    "play !": "{s} play {c} !", "play pair": "{s} play {p}", "take": "{s} take", "draw": "{s} draw",
    "draw card": "{s} draw {c}", "pass": "{s} pass", "put": "{s} put on {t}",
    "put center": "{s} put on center",
    "penalty": "{s} penalty {c}", "call": "{s} call", "laid": "{s} laid {c} {c2}", "hand": "hand {s}: {many}",
    "start": "start: {c}", "fund": "fund {s}: {c}", "center": "center: {c}", "spread": "spread: {many}",
    "show": "{s} show {c}", "expose": "{s} expose {c}",
}  # fmt: skip
OTHERS = ["takeback", "end", "deal", "ruling stand", "ruling void"]


def some_line(rng: random.Random, game: str, seats: int) -> str:
    """A line that a record of this game may have."""
    pack = GAMES[game].pack(GAMES[game].all_options({}))
    forms = [form for form in FORMS if GAMES[game].has_line(form, seats)]
    if rng.random() < 0.12:
        return rng.choice(OTHERS)
    form = FORMS[rng.choice([*forms, *(form for form in forms if form in ("play", "take", "draw"))])]
    suited = [card for card in pack if not card.joker]
    suit, other = rng.sample("♠♣♥♦", 2)
    return form.format(
        s=rng.randint(1, seats), t=rng.choice(["self", *map(str, range(1, seats + 1))]), c=rng.choice(pack),
        c2=rng.choice(["?", rng.choice(pack)]) if "for" in form else rng.choice(pack), u=suit, u2=other,
        n=rng.randint(3, 7), p=rng.choice(["♥K+♥D", "♠D+♠V", "♣K+♣D"]), r=rng.choice(suited).rank,
        many=" ".join(map(str, rng.sample(pack, rng.choice([4, 5, 6, 8, 12, 14, 16])))),
    )  # fmt: skip
