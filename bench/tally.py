"""What came of films, one JSON line a film, and the tables made of such lines."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

_COLUMNS = ("deals", "plays", "missed", "phantom", "misread", "asked", "seat", "late", "order", "unfinished")


class TallyError(ValueError):
    """A file of films that cannot be read; its message says which line and why."""


@dataclass
class Count:
    """What happened in films. `moves`: bumps of the camera, `followed` of which were noticed."""

    deals: int = 0
    plays: int = 0
    missed: int = 0
    phantom: int = 0
    misread: int = 0
    asked: int = 0
    seat: int = 0
    late: int = 0
    order: int = 0
    unfinished: int = 0
    moves: int = 0
    followed: int = 0
    notes: list[str] = field(default_factory=list)

    def add(self, other: Count) -> None:
        """Adds the figures of other films."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def wrong(self) -> bool:
        """Whether something was recorded that never happened."""
        return bool(self.phantom or self.misread)


@dataclass(frozen=True)
class Filmed:
    """One film and what came of it. `deck`: the folder of card faces, or drawn."""

    seed: int
    game: str
    players: int
    kind: str
    deck: str
    count: Count

    @property
    def name(self) -> str:
        """How a fault of this film is told."""
        return f"{self.seed} {self.game} {self.kind} {Path(self.deck).name}"


def append(path: Path, film: Filmed) -> None:
    """Adds a film to a file, at once: a run that is stopped keeps what it has filmed."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(film), ensure_ascii=False) + "\n")


def read(paths: Iterable[Path]) -> list[Filmed]:
    """The films in some files, by their seeds; of films alike the last one counts. Raises TallyError."""
    films: dict[tuple[int, str, str, str], Filmed] = {}
    for path in paths:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise TallyError(f"{path}: cannot be read: {error}") from None
        for number, line in enumerate(lines, 1):
            try:
                fields = json.loads(line)
                film = Filmed(**{**fields, "count": Count(**fields["count"])})
            except (ValueError, TypeError, KeyError) as error:
                raise TallyError(f"{path}:{number}: not a film of this bench ({error})") from None
            films[film.seed, film.game, film.kind, film.deck] = film
    return sorted(films.values(), key=lambda film: film.seed)


def total(films: Iterable[Filmed]) -> Count:
    """All films together."""
    whole = Count()
    for film in films:
        whole.add(film.count)
    return whole


def report(films: list[Filmed]) -> str:
    """The tables by game, deck and disturbance, every fault with its film and time, and the rates."""
    by: tuple[tuple[str, Callable[[Filmed], str]], ...] = (
        ("game", lambda film: film.game),
        ("deck", lambda film: Path(film.deck).name),
        ("disturbance", lambda film: film.kind),
    )
    whole = total(films)
    lines: list[str] = []
    for title, key in by:
        rows: dict[str, Count] = defaultdict(Count)
        for film in films:
            rows[key(film)].add(film.count)
        lines += [*_table(title, [*sorted(rows.items()), ("total", whole)]), ""]
    faults = [f"  {film.name}: {note}" for film in films for note in film.count.notes]
    lines += [f"{len(faults)} faults and questions" + (", by the film:" if faults else ""), *faults, ""]
    plays = max(1, whole.plays)
    rates = ", ".join(f"{name} {100 * getattr(whole, name) / plays:.2f} %" for name in _COLUMNS[2:-1])
    lines.append(f"of {whole.plays} plays: {rates}")
    lines.append(
        f"camera moved {whole.moves} times, followed {whole.followed}; unfinished films {whole.unfinished}"
    )
    return "\n".join(lines)


def _table(title: str, rows: Iterable[tuple[str, Count]]) -> list[str]:
    lines = [f"{title:14}" + "".join(f"{name:>11}" for name in _COLUMNS)]
    for name, count in rows:
        lines.append(f"{name:14}" + "".join(f"{getattr(count, column):11}" for column in _COLUMNS))
    return lines
