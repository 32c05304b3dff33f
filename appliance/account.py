"""A judged match as an account for people: deal by deal, action by action, with verdicts and scores."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.language import Language
from engine.progress import Entry
from engine.referee import DealResult, Match

_MARKS = {"legal": " ", "illegal": "✗", "impossible": "∅", "open": "?"}


def account(match: Match, language: Language) -> Iterator[str]:
    """The lines of the account."""
    names = match.header.players
    yield f"{match.game.name}: {', '.join(names)}"
    for number, deal in enumerate(match.deals(), 1):
        yield ""
        title = language("Deal {number}").format(number=number)
        yield f"{title}. {language('{player} deals').format(player=names[deal.dealer - 1])}"
        yield from _deal(deal, names, language)
    yield ""
    standing = match.standing
    yield language("Score: {score}").format(
        score=", ".join(f"{name} {points}" for name, points in zip(names, standing.score, strict=True))
    )
    if standing.winner is not None:
        won = " + ".join(names[seat - 1] for seat in standing.winner)
        yield language("The match is won by {names}").format(names=won)


def _deal(deal: DealResult, names: tuple[str, ...], language: Language) -> Iterator[str]:
    tricks = list(deal.tricks or ())
    laid: list[str] = []
    for entry in deal.entries:
        yield _entry(entry, names, language)
        if tricks and entry.action.startswith("play") and entry.final in ("legal", "open", "illegal"):
            if entry.verdict not in ("illegal", "impossible") and not entry.taken_back:
                laid.append(entry.action)
            if len(laid) == len(tricks[0].cards):
                winner = names[tricks[0].winner - 1]
                yield f"       {language('The trick goes to {player}').format(player=winner)}"
                tricks.pop(0)
                laid.clear()
    outcome = deal.outcome
    if outcome is None:
        yield f"       {language('The deal was not finished')}"
        return
    points = ", ".join(
        f"{name} {value:+d}" for name, value in zip(names, outcome.points, strict=True) if value
    )
    yield f"       {language('Points: {points}').format(points=points or '0')}"


def _entry(entry: Entry, names: tuple[str, ...], language: Language) -> str:
    who = "" if entry.seat is None else names[entry.seat - 1]
    mark = "↶" if entry.taken_back else _MARKS[entry.final]
    text = f"{entry.line:5} {mark} {who:10} {entry.action}"
    if entry.taken_back:
        return f"{text:36} {language('taken back')}"
    return f"{text:36} {verdict_words(entry, language)}".rstrip()


def verdict_words(entry: Entry, language: Language) -> str:
    """What there is to say of a verdict: nothing of a plain legal one."""
    said = []
    if entry.verdict in ("illegal", "impossible"):
        said.append(language("against the rules") if entry.verdict == "illegal" else language("cannot be"))
        if entry.stands:
            said.append(language("it stands"))
    elif entry.verdict == "conditional":
        if entry.needs_void:
            cards = " ".join(map(str, entry.needs_void))
            said.append(language("lawful only without {cards}").format(cards=cards))
        elif entry.needs is not None:
            said.append(language("lawful only if it was so: {what}").format(what=entry.needs))
        if entry.final == "open":
            said.append(language("never settled"))
        else:
            proved = language("proved legal") if entry.final == "legal" else language("proved illegal")
            by = (
                ""
                if entry.settled_by is None
                else " " + language("by line {line}").format(line=entry.settled_by)
            )
            said.append(proved + by)
    if entry.rule is not None and entry.final != "open":
        said.append(f"{entry.rule} {language.rule_short(entry.rule)}".rstrip())
    return "; ".join(said)
