"""The options of the games in words, by their names in a record."""

from __future__ import annotations

from appliance.language import Language


def option_words(name: str, say: Language) -> str:
    """What an option is about."""
    words = {
        "after_draw": say("After drawing one lays"),
        "annulled": say("An annulled Seklys"),
        "deals": say("Deals in a match"),
        "laid_away": say("Figures laid away score for"),
        "lead": say("Leading after the last draw"),
        "next_dealer": say("Next dealer"),
        "own_capture": say("The own Dezertyras caught"),
        "pack": say("Cards in the pack"),
        "parankinis": say("The neighbour’s trump (parankinis)"),
        "score": say("What is counted"),
        "shield": say("The shield holds"),
        "stock_out": say("When the stock runs out"),
        "take": say("Who does not beat takes"),
        "target": say("Played to"),
        "trump": say("Trumps"),
        "trumps": say("Trumps are fixed by"),
        "violation": say("A violation that is proved"),
    }
    return words.get(name, name.replace("_", " "))


def value_words(name: str, value: str, say: Language) -> str:
    """What a value of an option means."""
    words = {
        ("after_draw", "any"): say("any card"),
        ("after_draw", "drawn"): say("only the drawn card"),
        ("annulled", "plain"): say("counts as a plain card"),
        ("annulled", "worthless"): say("counts for nothing"),
        ("laid_away", "all"): say("everybody"),
        ("laid_away", "trickless"): say("those without a trick"),
        ("lead", "last"): say("who drew last"),
        ("lead", "next"): say("the next player"),
        ("next_dealer", "loser"): say("the loser"),
        ("next_dealer", "other"): say("the other player"),
        ("own_capture", "0"): language_points(say, 0),
        ("own_capture", "1"): language_points(say, 1),
        ("own_capture", "3"): language_points(say, 3),
        ("parankinis", "off"): say("not played"),
        ("parankinis", "on"): say("played"),
        ("score", "losses"): say("lost deals"),
        ("score", "penalty"): say("cards left"),
        ("score", "stars"): say("stars"),
        ("shield", "no_foreign_trump"): say("until a foreign trump falls"),
        ("shield", "one_suit"): say("while all are of one suit"),
        ("stock_out", "pass"): say("one passes"),
        ("stock_out", "reshuffle"): say("the pile is shuffled"),
        ("take", "all"): say("the whole pile"),
        ("take", "three"): say("three cards"),
        ("trump", "hearts"): say("always hearts"),
        ("trump", "last"): say("the suit drawn last"),
        ("trumps", "chosen"): say("choosing before the deal"),
        ("trumps", "lot"): say("lot"),
        ("trumps", "queen"): say("the queen of clubs"),
        ("trumps", "seen"): say("choosing with cards in hand"),
        ("trumps", "turn"): say("choosing in turn"),
        ("violation", "award"): say("loses the deal"),
        ("violation", "stand"): say("stands as played"),
        ("violation", "void"): say("voids the deal"),
    }
    if value == "open":
        return say("no end")
    return words.get((name, value), value)


def language_points(say: Language, number: int) -> str:
    """So many points."""
    return say.count("{n} point", "{n} points", number)
