"""What the appliance says of its own state on the screen, and the match it goes on with after a start."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from appliance.flows import FLOWS
from appliance.journal import Journal
from appliance.keeper import Keeper
from appliance.rescue import Rescue
from appliance.steady import SteadyCamera
from engine.record import Header
from engine.referee import Match
from vision.events import TableWatcher

Speaker: TypeAlias = Callable[[str], str]


def start_troubles(
    say: Speaker, wrong_config: str | None, safe: bool, rescue: Rescue | None
) -> tuple[str, ...]:
    """What went otherwise than it should at the start; it stays on the screen."""
    troubles = []
    if safe:
        troubles.append(say("Two starts failed: started safely, with the default settings"))
    if wrong_config is not None:
        text = say("The configuration is wrong; the last good one is used: {problem}")
        troubles.append(text.format(problem=wrong_config))
    if rescue is not None:
        text = say("The journal was damaged; saved: {matches} matches, {lines} lines; the old file: {file}")
        troubles.append(text.format(matches=rescue.matches, lines=rescue.lines, file=rescue.kept.name))
    return tuple(troubles)


def present_troubles(say: Speaker, camera: SteadyCamera | None, keeper: Keeper) -> tuple[str, ...]:
    """What is wrong now."""
    troubles = []
    if keeper.trouble is not None:
        text = say("Nothing can be stored, so nothing counts until it can: {problem}")
        troubles.append(text.format(problem=keeper.trouble.rsplit(": ", 1)[-1]))
    if camera is not None and camera.state == "missing":
        troubles.append(
            say("No picture from the camera: is it plugged in? Meanwhile lay cards with the buttons: OK")
        )
    elif camera is not None and camera.state == "frozen":
        troubles.append(say("The camera's picture stands still; the camera is started again."))
    return tuple(troubles)


def table_troubles(say: Speaker, watcher: TableWatcher) -> tuple[str, ...]:
    """What keeps the camera from reading the table."""
    texts = {
        "moved_far": say("The camera was moved: nothing counts until it is put back or calibrated (menu)."),
        "too_dark": say("It is too dark for the camera."),
        "card_outside": say("A card lies partly outside the camera's picture: push it in."),
        "glare": say("Light glares on a card: turn it or the lamp away."),
        "object": say("Something that is no card lies on the table."),
    }
    return tuple(text for state, text in texts.items() if state in watcher.states)


def match_to_go_on_with(journal: Journal, header: Header | None) -> tuple[int, Match] | None:
    """The last match on this table, if nobody has won it and the same people play the same game.

    Without a header, whoever plays whatever can be played on the table.
    """
    stored = next((each for each in reversed(journal.matches()) if not each.played_on), None)
    if stored is None or stored.header.game not in FLOWS:
        return None
    if header is not None and (stored.header.game, stored.header.players) != (header.game, header.players):
        return None
    match = Match(stored.header)
    for line in journal.record(stored.id).lines:
        match.push(line)
    return None if match.standing.winner is not None else (stored.id, match)
