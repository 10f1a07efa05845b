"""Running a match from start to finish: games recorded, interruption survived, listeners told of progress."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from boardwright.arena.loop import LeaveGame
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, recover_records
from boardwright.arena.standings import Standings
from boardwright.errors import AgentFailed, BadRecord, CannotWrite
from boardwright.executors import Executor, InProcess
from boardwright.files import claim

RECORDS_FOLDER = Path("matches")
_LONGEST_NAME = 150


def default_record_file(match: Match) -> Path:
    """A file named after the match, so that `--resume` finds it again."""
    words = [Path(match.game_name).stem, *match.entrants, f"seed{match.seed}"]
    words += [f"{name}={value}" for name, value in sorted(match.options.items())]
    name = "-".join(re.sub(r"[^\w.=]+", "_", word) for word in words)
    if len(name) > _LONGEST_NAME:  # others may begin alike
        name = f"{name[:_LONGEST_NAME]}-{hashlib.sha256(name.encode()).hexdigest()[:12]}"
    return RECORDS_FOLDER / f"{name}.jsonl"


@dataclass
class Outcome:
    standings: Standings
    file: Path
    wanted: int
    interrupted: bool = False
    notes: list[str] = field(default_factory=list)


class MatchListener:
    """Hears how a match goes on. Override what you need."""

    def started(self, match: Match, standings: Standings, games: int) -> None:
        """The match begins, or goes on from these standings; `games` are wanted in all."""

    def finished_game(self, record: GameRecord, standings: Standings) -> None:
        """A game is over, recorded and counted."""

    def ended(self, standings: Standings) -> None:
        """No more games are played: all are, or the match was stopped."""


def run_match(
    match: Match,
    games: int,
    *,
    file: Path | None = None,
    resume: bool = False,
    executor: Executor | None = None,
    listeners: Sequence[MatchListener] = (),
) -> Outcome:
    """Play `games` games, or what is left of them. Every finished game is on disk before the next is counted."""
    match.check()
    file = file or default_record_file(match)
    notes: list[str] = []
    kept = _kept_games(match, file, games, resume, notes)
    standings = Standings.of(match.entrants, kept)
    outcome = Outcome(standings, file, games, notes=notes)
    played = {record.index for record in kept}
    indices = (index for index in range(games) if index not in played)
    with _open_records(file) as out, _listening(match, standings, games, listeners):
        try:
            for record in (executor or InProcess()).run(match.play, indices):
                out.write(record.line())
                out.flush()
                standings.add(record)
                for listener in listeners:
                    listener.finished_game(record, standings)
        except (KeyboardInterrupt, LeaveGame):
            outcome.interrupted = True
        except AgentFailed as error:
            raise AgentFailed(
                f"{error}; {standings.games} finished games are kept in {file}, --resume goes on after them",
                traceback=error.traceback,
            ) from error
        except OSError as error:
            raise CannotWrite(f"cannot write {file}: {error.strerror}") from None
    return outcome


@contextmanager
def _listening(match: Match, standings: Standings, games: int, listeners: Sequence[MatchListener]) -> Iterator[None]:
    with ExitStack() as stack:
        for listener in listeners:
            listener.started(match, standings, games)
            stack.callback(listener.ended, standings)
        yield


def _kept_games(match: Match, file: Path, games: int, resume: bool, notes: list[str]) -> list[GameRecord]:
    """The games an earlier run has left, if they are to be continued; otherwise its file is put aside."""
    if not file.exists():
        if resume:
            notes.append(f"nothing to resume in {file}; starting from the first game")
        return []
    if not resume:
        aside = _put_aside(file)
        notes.append(f"the games of an earlier run are now in {aside}")
        return []
    records, files = recover_records(file), match.files()
    for number, record in enumerate(records, 1):
        if not match.owns(record):
            raise BadRecord(
                f"{file}, line {number}: a game of another match ({record.game}: {' '.join(record.entrants)},"
                f" seed {record.match_seed}); give the same game, agents, options and seed, or another --record file"
            )
        for name, before in record.files.items():
            if files.get(name) != before:
                raise BadRecord(
                    f"{file}, line {number}: played with another {name}, which has been replaced since; bring the old"
                    f" one back, give the new one another name, or move {file} away to begin anew"
                )
    kept = first_games(records, games)
    notes.append(f"{len(kept)} games kept from {file}")
    return kept


def _put_aside(file: Path) -> Path:
    if not file.is_file():
        raise CannotWrite(f"cannot record games in {file}: it is not an ordinary file")
    number = 1
    while (aside := file.with_name(f"{file.stem}.{number}{file.suffix}")).exists():
        number += 1
    try:
        file.rename(aside)
    except OSError as error:
        raise CannotWrite(f"cannot move {file} out of the way: {error.strerror}") from None
    return aside


@contextmanager
def _open_records(file: Path) -> Iterator[Any]:
    """The file open for appending, and nobody else's meanwhile."""
    try:
        if file.parent == RECORDS_FOLDER:
            file.parent.mkdir(exist_ok=True)
        stream = file.open("a", encoding="utf-8")
    except OSError as error:
        raise CannotWrite(
            f"cannot record games in {file}: {error.strerror}; choose another file with --record"
        ) from None
    with stream:
        claim(stream, f"another process is recording games in {file}; wait for it or choose another file")
        yield stream
