"""Running a match from start to finish: games recorded, interruption survived, listeners notified of progress."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from boardwright.arena.accumulators import Accumulator, Merging, Playing
from boardwright.arena.behaviour import check_behaviour
from boardwright.arena.loop import LeaveGame
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games
from boardwright.arena.record_file import RecordFile, open_record_file
from boardwright.arena.seeds import HiddenSeed
from boardwright.arena.standings import Standings
from boardwright.errors import AgentFailed, BadRecord, BoardwrightError, CannotWrite, FileChanged
from boardwright.executors import Executor, InProcess, WorkerDied
from boardwright.kernel import replay
from boardwright.kernel.ready import make_ready
from boardwright.scripts.process import end_idle

RECORDS_FOLDER = Path("matches")
_LONGEST_NAME = 150
KNOWN = (
    "this match was over, so that its seed was in its records already, where agents that are not our own may have read"
    " it; another --record file begins a match with a seed of its own"
)


def default_record_file(match: Match) -> Path:
    """A file named after the match, so that `--resume` finds it again."""
    hidden = match.hidden_seed or match.has_foreign_agents  # they could read it there
    seed = "hidden_seed" if hidden else f"seed{match.seed}"
    parts = [Path(match.game_name).stem, *match.entrants, seed]
    parts += [f"{name}={value}" for name, value in sorted(match.options.items())]
    name = "-".join(re.sub(r"[^\w.=+]+", "_", part) for part in parts)
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
    seed: int | None = None
    salt: int = 0
    """The match's, as far as they may be shown."""


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
    listeners: Sequence[MatchListener | Accumulator] = (),
) -> Outcome:
    """Play `games` games, or what is left of them. Every finished game is on disk before the next is counted."""
    merging = Merging([listener for listener in listeners if isinstance(listener, Accumulator)])
    match_listeners = [listener for listener in listeners if isinstance(listener, MatchListener)]
    with ExitStack() as stack:
        stack.callback(end_idle)
        match.check()
        make_ready([*match.needs(), *([replay.code] if resume else [])])
        file = file or default_record_file(match)
        hidden = HiddenSeed(file) if match.hidden_seed else None
        if file.parent == RECORDS_FOLDER:
            _make_records_folder()
        notes: list[str] = []
        out = stack.enter_context(_locked(file, resume, notes))
        if hidden is not None:
            match = hidden.resumed(match) if resume else match
            if not match.hidden_seed:
                notes.append(KNOWN)
            hidden.keep(match.seed, match.salt)
        kept = _kept_games(match, out, games, notes) if resume else []
        standings = Standings.of(match.entrants, kept)
        outcome = Outcome(standings, file, games, notes=notes)
        if not match.hidden_seed:
            outcome.seed, outcome.salt = match.seed, match.salt
        match.begin()
        played = {record.index for record in kept}
        for record in kept if merging.listeners else ():
            merging.replay(record)
        playing = Playing(match, merging.pristine)
        indices = (index for index in range(games) if index not in played)
        with _listening(match, standings, games, match_listeners):
            try:
                for record, found in (executor or InProcess()).run(playing, indices):
                    out.append(record)
                    standings.add(record)
                    merging.add(record.index, found)
                    for listener in match_listeners:
                        listener.finished_game(record, standings)
            except (KeyboardInterrupt, LeaveGame):
                outcome.interrupted = True
            except (AgentFailed, CannotWrite, FileChanged) as error:
                where = f" in {_games(error.items)}" if isinstance(error, WorkerDied) else ""
                kept_in = f"{standings.games} finished games are kept in {file}, --resume goes on after them"
                message = f"{error}{where}; {kept_in}"
                if isinstance(error, AgentFailed):
                    raise AgentFailed(message, traceback=error.traceback) from error
                raise type(error)(message) from error
            finally:
                merging.end()
        if hidden is not None and not outcome.interrupted:
            hidden.reveal(match.seed, match.salt)
            outcome.seed, outcome.salt = match.seed, match.salt
            notes.append(
                f"the seed of the match was {match.seed}, hidden from the agents until now; --seed {match.seed} --salt"
                f" {match.salt} plays it again"
            )
    return outcome


@contextmanager
def _listening(match: Match, standings: Standings, games: int, listeners: Sequence[MatchListener]) -> Iterator[None]:
    with ExitStack() as stack:
        for listener in listeners:
            listener.started(match, standings, games)
            stack.callback(listener.ended, standings)
        yield


@contextmanager
def _locked(file: Path, resume: bool, notes: list[str]) -> Iterator[RecordFile]:
    """The record file, locked before anything else is done with it. Without `resume` the games of an earlier run are
    put aside; those that another process is playing are left alone."""
    with ExitStack() as stack:
        out = stack.enter_context(open_record_file(file))
        if resume and out.is_empty:
            notes.append(f"nothing to resume in {file}; starting from the first game")
        elif not resume and not out.is_empty:
            aside = out.put_aside(before=HiddenSeed(file).goes_with)
            HiddenSeed(file).forget()
            notes.append(f"the games of an earlier run are now in {aside}")
            out = stack.enter_context(open_record_file(file))
        yield out


def _kept_games(match: Match, out: RecordFile, games: int, notes: list[str]) -> list[GameRecord]:
    """The games that an earlier run has left. What does not fit is not believed."""
    records = out.recover(warn=notes.append)
    for number, record in enumerate(records, 1):
        try:
            match.check_record(record)
        except BoardwrightError as error:
            raise BadRecord(f"{out.file}, line {number}: {error}") from None
    check_behaviour(match, records)
    kept = first_games(records, games)
    if records:
        notes.append(f"{len(kept)} games kept from {out.file}")
    return kept


def _games(indices: list[int]) -> str:
    """The games that a process may have been playing when it died."""
    first, last = min(indices) + 1, max(indices) + 1
    return f"game {first}" if first == last else f"one of the games {first} to {last}"


def _make_records_folder() -> None:
    try:
        RECORDS_FOLDER.mkdir(exist_ok=True)
    except OSError as error:
        raise CannotWrite(
            f"cannot record games in {RECORDS_FOLDER}: {error.strerror}; choose another file with --record"
        ) from None
