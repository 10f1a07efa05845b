"""The review of a game: every decision judged from what its seat knew then.

    reviewed = review(record)
    reviewed.seats[0].mattered     # the decisions that cost most, with sentences

What was judged is kept in a file as it comes, so that a review which was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from boardwright.agents import Spec
from boardwright.arena.record import GameRecord
from boardwright.coach.analysis import Analysis, OptionValue, analyse
from boardwright.coach.evaluators import Budget, Evaluator, evaluator_spec, make_evaluator, needs
from boardwright.coach.luck import Account, account_of
from boardwright.errors import BadSpec, CannotWrite
from boardwright.executors import Threads
from boardwright.files import open_alone, parse_json, state_folder, write_all
from boardwright.kernel import Game, Observation, State
from boardwright.kernel.ready import make_ready

MATTERED = 5
"""So many decisions are explained in text, at most."""
PHASES = ("opening", "middle", "end")
"""The thirds of a game, by its moves."""
FORMAT = 2
PERSON = "human"
"""The agent that is a person at the terminal."""

# Lichess's formula for the accuracy of one move, from the loss in the chance to win (lichess.org/page/accuracy).
_ACCURACY_SCALE, _ACCURACY_RATE, _ACCURACY_SHIFT = 103.1668, 4.354, 3.1669


@dataclass(frozen=True)
class Decision:
    """One decision of the game, judged."""

    move: int
    """From 1, counting all moves of the game."""
    seat: int
    kind: str
    """What the seat was asked, in a word or two."""
    phase: str
    """When it was asked: one of PHASES."""
    text: str
    """The description of the played option."""
    better: str
    """The description of the better option; empty if there is none."""
    analysis: Analysis
    texts: dict[int, str]
    """All options in words."""
    sentences: tuple[str, ...] = ()
    """Why the better option is better, as far as numbers say so."""

    @property
    def accuracy(self) -> float:
        return accuracy_of(self.analysis.proven_loss)


@dataclass(frozen=True)
class SeatReview:
    seat: int
    name: str
    agent: str
    decisions: tuple[Decision, ...]
    account: Account

    @property
    def mistakes(self) -> list[Decision]:
        """The largest first."""
        found = [decision for decision in self.decisions if decision.analysis.is_mistake]
        return sorted(found, key=lambda decision: -decision.analysis.loss)

    @property
    def mattered(self) -> list[Decision]:
        return self.mistakes[:MATTERED]

    @property
    def accuracy(self) -> float | None:
        return mean_accuracy(self.decisions)

    def by_phase(self) -> dict[str, list[Decision]]:
        return {phase: [d for d in self.decisions if d.phase == phase] for phase in PHASES}

    def by_kind(self) -> dict[str, list[Decision]]:
        kinds = dict.fromkeys(decision.kind for decision in self.decisions)
        return {kind: [d for d in self.decisions if d.kind == kind] for kind in kinds}


@dataclass(frozen=True)
class Review:
    game: str
    title: str
    record: GameRecord
    evaluator: str
    """The spec of the agent that judged."""
    budget: Budget
    """Its budget per decision."""
    seed: int
    """The seed of its random numbers."""
    seats: tuple[SeatReview, ...]


def accuracy_of(loss: float) -> float:
    """From 0 to 100, for a loss from 0 to 1."""
    return min(100.0, max(0.0, _ACCURACY_SCALE * math.exp(-_ACCURACY_RATE * loss) - _ACCURACY_SHIFT))


def mean_accuracy(decisions: Iterable[Decision]) -> float | None:
    found = [decision.accuracy for decision in decisions]
    return sum(found) / len(found) if found else None


@dataclass(frozen=True)
class _Task:
    """A decision that is to be judged."""

    move: int
    seat: int
    observation: Observation
    played: int
    kind: str
    texts: dict[int, str] = field(default_factory=dict)


Progress = Callable[[int, int], None]
"""Hears how many decisions are judged, and how many there are."""


def review(
    record: GameRecord,
    *,
    seats: Sequence[int] | None = None,
    agent: str | None = None,
    budget: Budget | None = None,
    times: int = 1,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = lambda done, total: None,
    store: Path | None = None,
    explain: bool = True,
) -> Review:
    """Review a recorded game. `seats`: of these alone, from 0; `agent`: who judges, by default the strongest of the
    game; `budget`: what it may spend per decision, `times`: so many times that; `store`: the folder in which judged
    decisions are kept (`reviews_folder()`), or None."""
    game = record.load_game()
    reviewed = list(range(record.seats)) if seats is None else list(seats)
    for seat in reviewed:
        if seat not in range(record.seats):
            raise BadSpec(f"there is no seat {seat + 1} in that game; it has seats 1 to {record.seats}")
    tasks = list(_decisions(record, reviewed))
    first = record.start()
    spec = agent or evaluator_spec(game, record.seats, hidden=first.has_hidden_information)
    judges = _Judges(spec, game, record.seats)
    chosen = budget or judges.mine().budget
    chosen = chosen.times(times) if times > 1 else chosen
    make_ready(needs(judges.mine()))
    found = _judge(tasks, judges, chosen, seed, jobs, progress, _kept_in(store, record, spec, chosen, seed))
    decisions = [_decision(task, found[task.move], len(record.actions)) for task in tasks]
    by_seat = {seat: [decision for decision in decisions if decision.seat == seat] for seat in reviewed}
    parts = [_seat_review(game, record, seat, by_seat) for seat in reviewed]
    if explain:
        observations = {task.move: task.observation for task in tasks}
        parts = [_with_sentences(part, observations, judges.mine(), seed) for part in parts]
    judges.close()
    return Review(game.name, game.title, record, spec, chosen, seed, tuple(parts))


def _decision(task: _Task, analysis: Analysis, moves: int) -> Decision:
    return Decision(
        task.move,
        task.seat,
        task.kind,
        PHASES[min(len(PHASES) - 1, (task.move - 1) * len(PHASES) // max(moves, 1))],
        task.texts[task.played],
        "" if analysis.better is None else task.texts[analysis.better],
        analysis,
        task.texts,
    )


def _seat_review(game: Game, record: GameRecord, seat: int, by_seat: Mapping[int, Sequence[Decision]]) -> SeatReview:
    others = by_seat.get(1 - seat) if record.seats == 2 and game.constant_sum else None
    account = account_of(
        [(d.move, d.analysis) for d in by_seat[seat]],
        None if others is None else [(d.move, d.analysis) for d in others],
        _even_share(game, record),
        _scaled(game, record.returns[seat]),
        len(record.actions),
    )
    return SeatReview(seat, game.seat_name(seat), record.agents[seat], tuple(by_seat[seat]), account)


def reviewed_seats(record: GameRecord, seat: int | None) -> list[int] | None:
    """The seat that is asked for, from 0; else the one of the only person, or all."""
    if seat is not None:
        return [seat]
    people = [number for number, agent in enumerate(record.agents) if Spec.parse(agent).name == PERSON]
    return people if len(people) == 1 else None


def _even_share(game: Game, record: GameRecord) -> float:
    """What a seat would get if all got the same; half where the sum of the returns is not constant."""
    return sum(_scaled(game, value) for value in record.returns) / record.seats if game.constant_sum else 0.5


def _scaled(game: Game, value: float) -> float:
    return (value - game.min_utility) / (game.max_utility - game.min_utility)


def kind_of(game: Game, state: State, action: int) -> str:
    """What kind of decision it is: the question, or where the game does not name it what was done."""
    if game.metrics.question is not None:
        return game.metrics.question(state.record)
    group = game.metrics.action_group(state.record, action) if game.metrics.action_group is not None else None
    return group[0] if group is not None else "other"


def _decisions(record: GameRecord, seats: Sequence[int]) -> Iterable[_Task]:
    """The decisions of these seats in which there was a choice, with what the seat knew."""
    game = record.load_game()
    for number, (state, action) in enumerate(record.replay(), 1):
        if action is None or state.player not in seats:
            continue
        legal = state.legal_actions()
        if len(legal) > 1:
            observation = state.observation(state.player)
            texts = {option: game.describe(observation, option) for option in legal}
            yield _Task(number, state.player, observation, action, kind_of(game, state, action), texts)


class _Judges:
    """An evaluator for each thread."""

    def __init__(self, spec: str, game: Game, seats: int) -> None:
        self._about = spec, game, seats
        self._threads = threading.local()
        self._made: list[Evaluator] = []

    def mine(self) -> Evaluator:
        if not hasattr(self._threads, "evaluator"):
            self._threads.evaluator = make_evaluator(*self._about)
            self._made.append(self._threads.evaluator)
        return self._threads.evaluator

    def close(self) -> None:
        for evaluator in self._made:
            evaluator.close()


def _judge(
    tasks: Sequence[_Task],
    judges: _Judges,
    budget: Budget,
    seed: int,
    jobs: int,
    progress: Progress,
    kept: AbstractContextManager[IO[bytes] | None],
) -> dict[int, Analysis]:
    """The analysis of every decision, by its move; those that are kept already are not made again."""
    with kept as stream:
        found = {} if stream is None else _read_kept(stream)
        waiting = [task for task in tasks if task.move not in found]
        progress(len(tasks) - len(waiting), len(tasks))

        def work(task: _Task) -> tuple[int, Analysis]:
            return task.move, analyse(judges.mine(), task.observation, task.played, budget, seed)

        for number, (move, analysis) in enumerate(Threads(max(1, jobs)).run(work, waiting), 1):
            found[move] = analysis
            if stream is not None:
                write_all(stream, (json.dumps({"move": move, **asdict(analysis)}) + "\n").encode())
            progress(len(tasks) - len(waiting) + number, len(tasks))
        return found


def reviews_folder() -> Path:
    """Where judged decisions are kept."""
    return state_folder("coach") / "reviews"


def _kept_in(
    store: Path | None, record: GameRecord, spec: str, budget: Budget, seed: int
) -> AbstractContextManager[IO[bytes] | None]:
    """The file for this review of this game, which nobody else writes meanwhile."""
    if store is None:
        return nullcontext()
    from boardwright import __version__

    about = json.dumps([FORMAT, __version__, record.line(), spec, asdict(budget), seed])
    try:
        store.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"cannot keep reviews in {store}: {error.strerror}") from None
    file = store / f"{record.game.replace('/', '_')}-{hashlib.sha256(about.encode()).hexdigest()[:16]}.jsonl"
    return open_alone(file, "this game is being reviewed in another process; wait until that is done")


def _read_kept(stream: IO[bytes]) -> dict[int, Analysis]:
    """What an earlier run has judged; a line that was cut off is judged again."""
    stream.seek(0)
    found = {}
    for line in stream.read().splitlines():
        try:
            kept = parse_json(line)
            options = tuple(OptionValue(**option) for option in kept.pop("options"))
            move = int(kept.pop("move"))
            found[move] = Analysis(**kept, options=options)
        except (ValueError, TypeError, KeyError, AttributeError):
            continue
    return found


def _with_sentences(
    part: SeatReview, observations: dict[int, Observation], evaluator: Evaluator, seed: int
) -> SeatReview:
    """The decisions that mattered, explained in text."""
    from boardwright.coach.narration import Narration

    telling = {decision.move for decision in part.mattered}
    narration = Narration(evaluator, seed)
    explained = tuple(
        replace(decision, sentences=narration.sentences(decision, observations[decision.move]))
        if decision.move in telling
        else decision
        for decision in part.decisions
    )
    narration.close()
    return replace(part, decisions=explained)


def to_dict(reviewed: Review) -> dict[str, Any]:
    """A review as plain data."""
    return {
        "game": reviewed.game,
        "index": reviewed.record.index,
        "seed": reviewed.record.seed,
        "agents": reviewed.record.agents,
        "judged_by": reviewed.evaluator,
        "budget": asdict(reviewed.budget),
        "review_seed": reviewed.seed,
        "seats": [_seat_dict(part) for part in reviewed.seats],
    }


def _seat_dict(part: SeatReview) -> dict[str, Any]:
    account = part.account
    return {
        "seat": part.seat + 1,
        "name": part.name,
        "agent": part.agent,
        "accuracy": part.accuracy,
        "accuracy_by_phase": {phase: mean_accuracy(found) for phase, found in part.by_phase().items()},
        "by_kind": [
            {
                "kind": kind,
                "decisions": len(found),
                "accuracy": mean_accuracy(found),
                "lost": sum(d.analysis.proven_loss for d in found),
            }
            for kind, found in part.by_kind().items()
        ],
        "account": {
            **asdict(account),
            "luck": account.luck,
            "luck_error": account.luck_error,
            "swings": [asdict(swing) for swing in account.swings],
        },
        "mattered": [decision.move for decision in part.mattered],
        "decisions": [_decision_dict(decision) for decision in part.decisions],
    }


def _decision_dict(decision: Decision) -> dict[str, Any]:
    analysis = decision.analysis
    return {
        "move": decision.move,
        "kind": decision.kind,
        "phase": decision.phase,
        "played": decision.text,
        "better": decision.better,
        "value": analysis.value,
        "loss": analysis.loss,
        "standard_error": analysis.standard_error,
        "determinizations": analysis.determinizations,
        "mistake": analysis.is_mistake,
        "accuracy": decision.accuracy,
        "options": [
            {
                "action": option.action,
                "text": decision.texts[option.action],
                "value": option.value,
                "standard_error": option.standard_error,
            }
            for option in analysis.options
        ],
        "sentences": list(decision.sentences),
    }
