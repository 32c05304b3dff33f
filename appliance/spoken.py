"""Lines of a record as people say them: `2 give ♠6 for ?` is "gives ♠6, draws a card"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from appliance.language import Language


def spoken_action(action: str, names: Sequence[str], language: Language) -> str:
    """An action in normal spelling (without its seat) in words; a play is just its card."""
    verb, _, what = action.partition(" ")
    if verb.endswith(":"):
        return _fact(verb[:-1], language) + f": {what}"
    match verb, what:
        case "play", _:
            return what.removesuffix(" !") + (f" {language('Trump!')}" if what.endswith(" !") else "")
        case "put", "on self":
            return language("puts it on the own fund")
        case "put", "on center":
            return language("puts it on the central fund")
        case "put", _:
            return language("puts it on the fund of {player}").format(player=names[int(what[3:]) - 1])
        case "give", _ if what.endswith(" for ?"):
            return language("gives {cards} and draws a card").format(cards=what.removesuffix(" for ?"))
        case "give", _ if " for " in what:
            given, _, drawn = what.partition(" for ")
            return language("gives {cards} and draws {drawn}").format(cards=given, drawn=drawn)
        case "throw", "":
            return language("has nothing to give up")
        case "draw", "":
            return language("draws a card")
        case "trump", _:
            return language("names trumps: {cards}").format(cards=what)
    return _with_cards(verb, language).format(cards=what)


def _with_cards(verb: str, language: Language) -> str:
    said = {
        "announce": language("announces {cards}"),
        "away": language("lays away {cards}"),
        "throw": language("gives up {cards}"),
        "give": language("gives {cards}"),
        "closed": language("turns up {cards}"),
        "take": language("takes"),
        "draw": language("draws {cards}"),
        "pass": language("passes"),
        "penalty": language("pays {cards}"),
        "call": language("calls “One!”"),
        "laid": language("had laid away {cards}"),
        "show": language("shows {cards}"),
        "expose": language("lets {cards} be seen"),
        "exchange": language("gives nothing"),
        "ruling": language("ruling: {cards}"),
        "end": language("the deal is broken off"),
        "takeback": language("taken back"),
    }
    return said[verb]


def _fact(kind: str, language: Language) -> str:
    said = {
        "hand": language("has the hand"),
        "fund": language("fund"),
        "start": language("first card"),
        "center": language("central fund"),
        "spread": language("turned up"),
    }
    return said[kind]


def spoken_need(need: str, names: Sequence[str], language: Language) -> str:
    """A condition of the engine (`Entry.needs`, English) in words."""
    return "; ".join(_need(part, names, language) for part in need.split("; "))


def _need(need: str, names: Sequence[str], language: Language) -> str:
    if found := re.fullmatch(r"(\S+) is the card just drawn", need):
        return language("{card} is the card just drawn").format(card=found[1])
    if found := re.fullmatch(r"(\S+) is not of a pair that was kept", need):
        return language("{card} is not of a pair that was kept").format(card=found[1])
    if found := re.fullmatch(r"seat (\d) holds (\S+)", need):
        return language("{player} has {card}").format(player=names[int(found[1]) - 1], card=found[2])
    if found := re.fullmatch(r"no ace, no figure of (\S) and at most two figures laid away", need):
        return language("no ace, no figure of {suit}, at most two figures laid away").format(suit=found[1])
    if found := re.fullmatch(r"(\d) pairs? kept", need):
        return language("pairs kept: {n}").format(n=found[1])
    if need == "no pair is left in the hand":
        return language("no pair is left in the hand")
    raise ValueError(f"a condition without words: {need!r}")


def spoken_rank(stars: int, language: Language) -> str:
    """The military rank that so many stars bring (DU-13); nothing for none."""
    ranks = (
        "",
        language("junior lieutenant"),
        language("lieutenant"),
        language("senior lieutenant"),
        language("captain"),
        language("major"),
        language("lieutenant colonel"),
        language("colonel"),
        language("major general"),
        language("lieutenant general"),
        language("colonel general"),
        language("army general"),
        language("generalissimo"),
    )
    return ranks[min(stars, len(ranks) - 1)]
