"""A run of SCOUT3: it plays era after era and maintains its case base. Every finished game is in the store.

A run is a match with a memory: game number i has the seed and the seats that game i of a match has, but depends on the
case base that the games before it have left. `boardwright scout run` shows it (run_progress.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from boardwright.agents import Decision, Spec
from boardwright.arena.loop import Forfeit, Listener
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, GameRecorder, read_records
from boardwright.arena.record_file import append_record
from boardwright.arena.session import GameSession
from boardwright.cbr.store import BadCaseBase, Store, one_line
from boardwright.errors import BadSpec
from boardwright.executors import Executor
from boardwright.files import atomic_output, check_writable
from boardwright.games.race.declaration import game
from boardwright.kernel import Code, Game, Observation, State
from boardwright.scout.cases.files import DEFAULT, exclusive, load_cases, write_store
from boardwright.scout.digest import DecisionDigest
from boardwright.scout.scout3 import Scout3, open_controller

INITIAL_GAMES = 748
"""So many won games made up the dissertation's first case base."""
RUN = "run"
"""Where the store keeps the plan of its run."""


@dataclass(frozen=True)
class Plan:
    """A run: who plays whom, and how long eras are."""

    scout: str
    """Parameters of scout3."""
    opponent: str
    seed: int
    era: int
    observe_opponent: bool = False
    """Whether SCOUT learns from the games that its opponent wins, too, once they are over."""

    @property
    def entrants(self) -> tuple[str, str]:
        return f"scout3:{self.scout}" if self.scout else "scout3", self.opponent


class RunListener:
    """Hears how a run goes on. Override what you need."""

    def started(self, run: Run, games: int) -> None:
        """The run begins, or goes on; it is played until there are so many games."""

    def finished_game(self, run: Run) -> None:
        """A game is over, and everything learned from it is in the store."""

    def finished_era(self, run: Run, wins: int, games: int) -> None:
        """An era is over: so many of its games were won."""

    def ended(self, run: Run, complete: bool) -> None:
        """All games were played, or the run was stopped before."""


class SeatDecisions(Listener):
    """Keeps the decisions of one seat, with what it saw."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.decisions: list[tuple[Observation, int]] = []

    def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
        if seat == self.seat:
            self.decisions.append((observation, decision.action))


@dataclass(frozen=True)
class Beginning:
    """What a store begins with: the first games of a case base."""

    source: str = DEFAULT
    games: int = INITIAL_GAMES

    def make_store(self, file: Path) -> None:
        """The caller has locked the file."""
        cases = load_cases(self.source)
        if not len(cases):
            raise BadCaseBase(f"the case base {self.source} has no cases to begin with")
        write_store(cases.first_games(self.games), file)


def check_plan(file: Path, plan: dict[str, Any]) -> None:
    """A store belongs to one run, or to one server that learns: refuse another, before anything is learned for it."""
    with Store(file) as store:
        before = store.meta(RUN)
    if before is not None and before != plan:
        raise BadCaseBase(
            f"{file} belongs to a run of {one_line(before)}; go on with the same, or begin another case base"
        )


def keep_plan(store: Store, plan: dict[str, Any]) -> None:
    """What the store belongs to from now on."""
    if store.meta(RUN) is None:
        with store.transaction():
            store.set_meta(RUN, plan)


@dataclass(frozen=True)
class Era:
    """The games of a run up to the end of an era, wherever they are played: the store goes there and comes back."""

    plan: Plan

    @property
    def _match(self) -> Match:
        return Match(game.name, ("random", self.plan.opponent), self.plan.seed)

    def needs(self) -> list[Code]:
        return self._match.needs()

    def files(self) -> list[str]:
        return [*self._match.files(), *Spec.parse(self.plan.entrants[0]).files()]

    def logs(self) -> list[str]:
        return self._match.logs()

    def __call__(self, given: tuple[bytes, int]) -> tuple[bytes, list[GameRecord]]:
        """Of a store and a number of games: the store after them, and those that were played."""
        content, games = given
        with TemporaryDirectory() as folder:
            file, record = Path(folder) / "run.db", Path(folder) / "games.jsonl"
            file.write_bytes(content)
            play_run(file, self.plan, games, record=record)
            return file.read_bytes(), read_records(record) if record.exists() else []


class _Recorder(GameRecorder):
    """Writes a game when its last action is played. Only then is it learned from: a run that is killed in between has
    the game in its records, and plays it again."""

    def __init__(self, write: Callable[[GameRecord], None], **about: Any) -> None:
        super().__init__(**about)
        self._write = write

    def applied(self, state: State, seat: int, action: int) -> None:
        super().applied(state, seat, action)
        if state.is_terminal:
            self.ended(state)
            self._write(self.record())

    def forfeited(self, state: State, forfeit: Forfeit) -> None:
        super().forfeited(state, forfeit)
        self._write(self.record())


def append_missing(file: Path, records: Sequence[GameRecord]) -> None:
    """Add games to a record file, but for those that a run wrote before it was killed."""
    there = set(file.read_bytes().splitlines(keepends=True)) if file.exists() else set()
    for record in records:
        if record.line().encode() not in there:
            append_record(file, record)


class Run:
    """A run under way."""

    def __init__(
        self, file: Path, plan: Plan, record: Path | None = None, digest: Callable[[str], None] | None = None
    ) -> None:
        self.plan = plan
        self.digest = digest
        """Where a line about every decision goes, if anywhere."""
        self.record = record
        """Where games are recorded, if anywhere."""
        parsed = Spec.parse(plan.entrants[0])
        if {"case_base", "learn"} & set(parsed.params):
            raise BadSpec("--scout gives parameters of scout3 other than case_base and learn")
        if record is not None:
            check_writable(record)
        check_plan(file, asdict(plan))
        self.params: dict[str, Any] = {**parsed.params, "case_base": str(file)}
        self.controller = open_controller(self.params, "run game")
        keep_plan(self.controller.store, asdict(plan))
        self._first = self.games

    def close(self) -> None:
        self.controller.close()

    @property
    def games(self) -> int:
        return self.controller.maintenance.games

    @property
    def era_is_full(self) -> bool:
        """Whether the era has all its games; after a kill at that moment it is still to be ended."""
        return self.games >= (self.controller.maintenance.era + 1) * self.plan.era

    def play_game(self) -> None:
        """Play the next game and learn from it."""
        index = self.games
        seat = index % 2
        match = Match(game.name, self.plan.entrants, self.plan.seed)
        order = match.order(index)
        recorder = _Recorder(
            self._write,
            game=game.name,
            seed=match.game_seed(index),
            agents=[self.plan.entrants[who] for who in order],
            entrants=list(self.plan.entrants),
            order=list(order),
            match_seed=self.plan.seed,
            index=index,
        )
        session = GameSession(
            game,
            [(self._scout, self.plan.opponent)[who] for who in order],
            seed=match.game_seed(index),
            agent_seeds=[match.agent_seed(index, who) for who in order],
            listeners=[recorder],
        )
        with session:
            scout = session.agents[seat]
            assert isinstance(scout, Scout3)
            if self.plan.observe_opponent:
                observed = SeatDecisions(1 - seat)
                scout.revealed = observed.decisions
                session.listeners.append(observed)
            if self.digest is not None:
                self.digest(f"game {index + 1}, {self.plan.entrants[0]} in seat {seat + 1}")
                session.listeners.append(DecisionDigest(scout, self.digest))
            session.play()

    def _write(self, record: GameRecord) -> None:
        if self.record is not None and record.index == self._first:
            append_missing(self.record, [record])
        elif self.record is not None:
            append_record(self.record, record)

    def _scout(self, game: Game, seat: int, seed: int) -> Scout3:
        return Scout3(game, seat, seed=seed, controller=self.controller, **self.params)

    def end_era(self) -> tuple[int, int]:
        """How many of its games were won, and played."""
        self.controller.end_era()
        return self.controller.store.era_results()[-1]


def wins_by_era(file: Path) -> list[int]:
    with Store(file) as store:
        return [wins for wins, _ in store.era_results()]


def play_run(
    file: Path,
    plan: Plan,
    games: int,
    *,
    beginning: Beginning | None = None,
    record: Path | None = None,
    listeners: Sequence[RunListener] = (),
    digest: Callable[[str], None] | None = None,
    executor: Executor | None = None,
) -> bool:
    """Play until there are so many games; whether it came to that. With a beginning, a store that does not exist yet is
    made. With an executor, each era is played there."""
    with exclusive(file):
        if beginning is not None and not file.exists():
            beginning.make_store(file)
        if executor is not None:
            return _play_elsewhere(executor, file, plan, games, record, listeners)
        run, complete = Run(file, plan, record, digest), False
        try:
            for listener in listeners:
                listener.started(run, games)
            _play(run, games, listeners)
            complete = True
        except KeyboardInterrupt:
            pass
        finally:
            for listener in listeners:
                listener.ended(run, complete)
            run.close()
    return complete


def _play(run: Run, games: int, listeners: Sequence[RunListener]) -> None:
    while run.games < games or run.era_is_full:
        if not run.era_is_full:
            run.play_game()
            for listener in listeners:
                listener.finished_game(run)
        if run.era_is_full:
            wins, played = run.end_era()
            for listener in listeners:
                listener.finished_era(run, wins, played)


def _play_elsewhere(
    executor: Executor, file: Path, plan: Plan, games: int, record: Path | None, listeners: Sequence[RunListener]
) -> bool:
    """A run is a chain: one era after the other. What is stopped in the middle of one goes on at its beginning."""
    run = Run(file, plan, record)
    try:
        for listener in listeners:
            listener.started(run, games)
        while run.games < games or run.era_is_full:
            era = run.controller.maintenance.era
            item = (file.read_bytes(), min(games, (era + 1) * plan.era))
            try:
                ((content, played),) = executor.run(Era(plan), [item])
            except KeyboardInterrupt:
                for listener in listeners:
                    listener.ended(run, False)
                return False
            run.close()
            if record is not None:
                append_missing(record, played)
            with atomic_output(file) as temporary:
                temporary.write_bytes(content)
            run = Run(file, plan, record)
            for listener in listeners:
                listener.finished_game(run)
                if run.controller.maintenance.era > era:
                    listener.finished_era(run, *run.controller.store.era_results()[-1])
        for listener in listeners:
            listener.ended(run, True)
        return True
    finally:
        run.close()
