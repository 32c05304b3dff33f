"""A judged match as an account for people: deal by deal, action by action, with verdicts and scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from appliance.language import Language
from appliance.names import shown_names
from appliance.spoken import spoken_action, spoken_need, spoken_rank
from engine.actions import Action, Fact
from engine.moment import Entry
from engine.record import DealLine, Line, Ruling
from engine.referee import DealResult, Match

_MARKS = {"legal": " ", "illegal": "✗", "impossible": "∅", "open": "?"}


def account(match: Match, language: Language) -> Iterator[str]:
    """The lines of the account."""
    names = shown_names(match.header.players)
    yield f"{match.game.name}: {', '.join(names)}"
    if match.header.options:
        yield ", ".join(f"{name}: {value}" for name, value in match.header.options.items())
    lines = {line.number: line for line in match.record().lines}
    for number, (deal, facts) in enumerate(zip(match.deals(), _facts(match), strict=True), 1):
        yield ""
        title = language("Deal {number}").format(number=number)
        yield f"{title}. {language('{player} deals').format(player=names[deal.dealer - 1])}"
        yield from _deal(deal, facts, lines, names, language)
        yield from _came_out(match, deal, language)
    yield ""
    standing = match.standing
    yield language("Score: {score}").format(
        score=", ".join(f"{name} {points}" for name, points in zip(names, standing.score, strict=True))
    )
    if match.view().stars:
        for name, stars in zip(names, standing.score, strict=True):
            if stars:
                yield f"  {name}: {'★' * stars} {spoken_rank(stars, language)}"
    if standing.winner is not None:
        won = " + ".join(names[seat - 1] for seat in standing.winner)
        yield language("The match is won by {names}").format(names=won)


def _facts(match: Match) -> list[list[Line]]:
    """The facts and rulings of each deal, as lines."""
    deals: list[list[Line]] = []
    for line in match.record().lines:
        if isinstance(line.content, DealLine):
            deals.append([])
        elif isinstance(line.content, Fact | Ruling):
            deals[-1].append(line)
    return deals


def _deal(
    deal: DealResult,
    facts: list[Line],
    lines: Mapping[int, Line],
    names: tuple[str, ...],
    language: Language,
) -> Iterator[str]:
    refused = {entry.line for entry in deal.entries}
    waiting = [line for line in facts if line.number not in refused]
    tricks = list(deal.tricks or ())
    laid = 0
    for entry in deal.entries:
        while waiting and waiting[0].number < entry.line:
            yield _fact(waiting.pop(0), names, language)
        yield _entry(entry, lines, names, language)
        if entry.final == "open" and not entry.taken_back and entry.seat is not None:
            yield " " * 20 + "→ " + proof_words(entry, names, language)
        if tricks and entry.action.startswith("play") and not entry.taken_back:
            laid += entry.verdict not in ("illegal", "impossible")
            if laid == len(tricks[0].cards):
                winner = names[tricks.pop(0).winner - 1]
                yield f"       {language('The trick goes to {player}').format(player=winner)}"
                laid = 0
    for line in waiting:
        yield _fact(line, names, language)


def _came_out(match: Match, deal: DealResult, language: Language) -> Iterator[str]:
    names, outcome = match.header.players, deal.outcome
    if outcome is None:
        yield f"       {language('The deal was not finished')}"
        return
    points = ", ".join(
        f"{name} {value:+d}" for name, value in zip(names, outcome.points, strict=True) if value
    )
    yield f"       {language('Points: {points}').format(points=points or '0')}"
    barks = match.barks(outcome)
    if barks is not None:
        yield f"       {barks_words(names[barks[0] - 1], barks[1], language)}"


def barks_words(player: str, times: int, language: Language) -> str:
    """How the šuo of a deal pays (SU-6)."""
    return f"{player}: " + language.count("barks {n} time", "barks {n} times", times)


def _fact(line: Line, names: tuple[str, ...], language: Language) -> str:
    content = line.content
    assert isinstance(content, Fact | Ruling)
    seat = content.seat if isinstance(content, Fact) else None
    who = "" if seat is None else names[seat - 1]
    return f"{line.number:5} · {who:10} {spoken_action(content.text, names, language)}"


def _entry(entry: Entry, lines: Mapping[int, Line], names: tuple[str, ...], language: Language) -> str:
    who = "" if entry.seat is None else names[entry.seat - 1]
    mark = "↶" if entry.taken_back else _MARKS[entry.final]
    text = f"{entry.line:5} {mark} {who:10} {spoken_action(entry.action, names, language)}"
    if entry.taken_back:
        return f"{text:36} {language('taken back')}"
    words = verdict_words(entry, names, language)
    if entry.settled_by is not None:
        content = lines[entry.settled_by].content
        by = f"{entry.settled_by}"
        if isinstance(content, Action | Fact):
            by += "" if content.seat is None else f", {names[content.seat - 1]}"
            by += f" {spoken_action(content.text, names, language)}"
        words += f" ({by})"
    return f"{text:36} {words}".rstrip()


def proof_words(entry: Entry, names: tuple[str, ...], language: Language) -> str:
    """Who could prove an action that is still open right or wrong, and how."""
    assert entry.seat is not None
    who = names[entry.seat - 1]
    if entry.needs_void:
        return language(
            "wrong if {player} lays or shows one of these that was held then; "
            "right if all of them turn up elsewhere, or if {player} shows the hand without them"
        ).format(player=who)
    return language("settled as soon as enough of the cards of {player} have been seen").format(player=who)


def verdict_words(entry: Entry, names: tuple[str, ...], language: Language) -> str:
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
            need = spoken_need(entry.needs, names, language)
            said.append(language("lawful only if: {what}").format(what=need))
        said.append(_BECAME[entry.final](language))
    if entry.rule is not None and entry.final != "open":
        said.insert(0, f"{entry.rule} {language.rule_short(entry.rule)}".rstrip())
    return "; ".join(said)


_BECAME: Mapping[str, Callable[[Language], str]] = {
    "legal": lambda language: language("proved legal"),
    "illegal": lambda language: language("proved illegal"),
    "open": lambda language: language("still open"),
}
