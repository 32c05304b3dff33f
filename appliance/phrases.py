"""What the appliance says about verdicts, in the language of the screen."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.language import Language
from appliance.screen.model import Banner, Tone
from appliance.spoken import spoken_action
from engine.moment import Entry
from engine.view import View


def verdict_banner(entry: Entry, view: View, language: Language) -> Banner | None:
    """What is said when an action has been judged; None if it is simply legal or open."""
    if entry.verdict not in ("illegal", "impossible"):
        return None
    who = "" if entry.seat is None else view.players[entry.seat - 1]
    what = spoken_action(entry.action, view.players, language)
    if entry.verdict == "impossible":
        title = language("{player}: {action} cannot be").format(player=who, action=what)
    else:
        title = language("{player}: {action} is against the rules").format(player=who, action=what)
    seats = () if entry.seat is None else (entry.seat,)
    return Banner(Tone.WRONG, title, rule_words(entry.rule, language), entry.rule, seats)


def proof_banner(proved: Sequence[Entry], view: View, language: Language) -> Banner:
    """What is said when earlier actions turn out illegal: the first in full, all of them by name."""
    said = []
    for entry in proved:
        who = "" if entry.seat is None else view.players[entry.seat - 1]
        what = spoken_action(entry.action, view.players, language)
        said.append(language("{player} broke a rule with {action}").format(player=who, action=what))
    title = language("Proved: {what}").format(what=said[0])
    words = rule_words(proved[0].rule, language)
    others = [f"{what} ({entry.rule})" for what, entry in zip(said[1:], proved[1:], strict=True)]
    text = " · ".join([words, *others] if words else others)
    seats = tuple(entry.seat for entry in proved if entry.seat is not None)
    return Banner(Tone.PROVED, title, text, proved[0].rule, seats)


def rule_words(rule: str | None, language: Language) -> str:
    """A rule in as few words as there are."""
    if rule is None:
        return ""
    return language.rule_short(rule) or language.rule(rule)


def deal_banner(view: View, language: Language) -> Banner:
    """What is said at the end of a deal."""
    points = view.last_points or {}
    best = max(points.values(), default=0)
    winners = [seat for seat, gained in points.items() if gained == best and best > 0]
    if view.winner is not None:
        names = joined([view.players[seat - 1] for seat in view.winner])
        return Banner(Tone.GOOD, language("The match is won by {names}").format(names=names))
    if view.stage == "void":
        return Banner(Tone.NEWS, language("The deal counts nothing"))
    if view.stage == "broken off":
        return Banner(Tone.NEWS, language("The deal was broken off"))
    if not winners:
        return Banner(Tone.GOOD, language("The deal is drawn"))
    names = joined([view.players[seat - 1] for seat in winners])
    gained = language.count("{n} point", "{n} points", best)
    title = language("The deal goes to {names}: {points}").format(names=names, points=gained)
    return Banner(Tone.GOOD, title, seats=tuple(winners))


def joined(names: Sequence[str]) -> str:
    """Names side by side."""
    return " + ".join(names)


def waiting_for(view: View, language: Language) -> str:
    """What the table waits for."""
    if view.winner is not None:
        return language("The match is over")
    if not view.expects or view.turn is None:
        return ""
    who = view.players[view.turn - 1]
    if view.expectation("announce") is not None:
        return language("{player} names the Sekliai").format(player=who)
    return language("Next: {player}").format(player=who)
