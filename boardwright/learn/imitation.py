"""Learning from recorded games: the policy becomes what the players chose, the value what it came to.

Every recorded decision with two or more legal actions makes a row whose policy target is the action chosen; turn
starts make rows for the value alone, as in self-play. The last tenth of each file is held out: it is never learned
from, and says how often the network names the action that was chosen.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boardwright.errors import BadRecord
from boardwright.kernel import Actions, Bytes, Code, Game, State, Unit, calls, copy_into, types
from boardwright.kernel.automatic_features import FeatureMap, learning_rules, read_features
from boardwright.kernel.calls import LEARNING_RULES, STATE
from boardwright.kernel.contract import NO_TURNS, SavedGame
from boardwright.kernel.replay import replay
from boardwright.learn.loss import evaluate, value_cross_entropy
from boardwright.learn.network import Weights
from boardwright.learn.self_play import TRAJECTORY_FULL, write_turn_start
from boardwright.learn.training_set import TrainingSet
from boardwright.learn.trajectory import TRAJECTORY, Trajectory, has_room, write_row
from boardwright.learn.workspace import WORKSPACE, Workspace

if TYPE_CHECKING:
    from boardwright.kernel.calls import LearningRules as Rules

HELD_OUT = 10
"""One game of so many is held out, the last of each file."""
EVALUATED_TOGETHER = 100
"""Games whose rows are evaluated at once."""


class RecordedGame(NamedTuple):
    """A finished game, and which of its seats are to be imitated."""

    game: SavedGame
    imitated: tuple[bool, ...]


@dataclass
class Examples:
    """Recorded games, checked by replaying them."""

    game: Game
    features: FeatureMap
    learned: list[RecordedGame] = field(default_factory=list)
    held_out: list[RecordedGame] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    """The files' names with a digest each: what the weights depend on."""

    def add_file(self, file: Path, games: Iterable[RecordedGame], seats: int) -> None:
        """The games of a file with so many seats; the last tenth of the whole file is held out."""
        recorded = list(games)
        first_held_out = len(recorded) - len(recorded) // HELD_OUT
        for number, one in enumerate(recorded):
            if one.game.seats == seats:
                final_returns(self.game, one.game, f"{file}, game {number + 1}")
                (self.learned if number < first_held_out else self.held_out).append(one)
        self.files.append(f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()[:16]}")

    def generation(self, seed: int, first: int, count: int) -> tuple[list[Trajectory], list[list[float]]]:
        """Rows of `count` games from number `first` on. Every pass over the games has an order of its own."""
        size = len(self.learned)
        chosen = []
        for number in range(first, first + count):
            order = _order(seed, number // size, size)
            chosen.append(self.learned[order[number % size]])
        return self.rows(chosen)

    def rows(self, games: Sequence[RecordedGame]) -> tuple[list[Trajectory], list[list[float]]]:
        """A trajectory per game, and the returns of its seats, scaled to 0 to 1."""
        low, high = self.game.min_utility, self.game.max_utility
        rules, room = learning_rules(self.game, self.features), Trajectory.with_capacity()
        workspace = Workspace.for_game(self.game, self.features, len(games[0].imitated) if games else None)
        trajectories, results = [], []
        for one in games:
            while True:
                state = start(self.game, one.game)
                rows: Any = kernel()(
                    rules,
                    state.memory,
                    np.array(one.game.actions, np.int64),
                    np.array(one.imitated, np.int64),
                    workspace,
                    room,
                )
                if rows != TRAJECTORY_FULL:
                    break
                room = Trajectory.with_capacity(2 * room.capacity)
            trajectories.append(room.first_rows(rows))
            results.append([(x - low) / (high - low) for x in state.returns])
        return trajectories, results

    def agreement(self, weights: Weights) -> Agreement:
        """How often the network names the action chosen, in the games held out."""
        asked, named = Counter[str](), Counter[str]()
        value_loss, rows_seen = 0.0, 0
        for first in range(0, len(self.held_out), EVALUATED_TOGETHER):
            games = self.held_out[first : first + EVALUATED_TOGETHER]
            trajectories, results = self.rows(games)
            rows = TrainingSet.from_trajectories(trajectories, results, td_lambda=1.0)
            batch = rows.batch(np.arange(rows.rows), len(weights.hidden), len(weights.policy))
            found = evaluate(weights, batch)
            right = found.policy.argmax(1) == batch.policy_target.argmax(1)
            decisions = batch.legal.any(1)
            for question, is_right in zip(self._questions(games), right[decisions].tolist(), strict=True):
                asked[question] += 1
                named[question] += is_right
            value_loss += rows.rows * value_cross_entropy(found.value, batch.value_target)
            rows_seen += rows.rows
        return Agreement(dict(asked), dict(named), value_loss / max(1, rows_seen))

    def _questions(self, games: Sequence[RecordedGame]) -> Iterable[str]:
        """What was asked in each decision of the seats imitated, in order."""
        question = self.game.metrics.question
        for one in games:
            state = start(self.game, one.game)
            for action in one.game.actions:
                if one.imitated[state.player] and len(state.legal_actions()) > 1:
                    yield question(state.record) if question is not None else "decision"
                state.apply(action)


class Agreement(NamedTuple):
    """Decisions with two or more legal actions, by what was asked, and how many of the actions chosen were named."""

    asked: dict[str, int]
    named: dict[str, int]
    value_loss: float
    """The cross entropy of the value, in nats."""

    @property
    def share(self) -> float:
        return sum(self.named.values()) / max(1, sum(self.asked.values()))


@cache
def _order(seed: int, number: int, size: int) -> Any:
    return np.random.default_rng([seed, number]).permutation(size)


def start(game: Game, saved: SavedGame) -> State:
    return game.new(seed=saved.seed, seats=saved.seats, **saved.options)


def final_returns(game: Game, saved: SavedGame, where: str) -> tuple[float, ...]:
    """What a recorded game returned; BadRecord if it cannot be replayed to its end."""
    state = start(game, saved)
    played = replay(state, saved.actions)
    if played < len(saved.actions):
        raise BadRecord(f"{where}: action {played + 1} is not legal; was it played by other rules?")
    if not state.is_terminal:
        raise BadRecord(f"{where}: it stops before the game ends, so nothing can be learned from its result")
    return state.returns


def _imitate(
    rules: Rules, state: Bytes, actions: Actions, imitated: Any, workspace: Workspace, trajectory: Trajectory
) -> int:
    """Actions must be legal, which `final_returns` has checked."""
    rows, turn, seats = 0, NO_TURNS, imitated.size
    for action in actions:
        seat = calls.player(rules, state)
        if turn == NO_TURNS or calls.turn(rules, state) != turn:
            turn = calls.turn(rules, state)
            rows = write_turn_start(rules, state, seats, workspace, trajectory, rows)
            if rows == TRAJECTORY_FULL:
                return TRAJECTORY_FULL
        n = calls.legal(rules, state, workspace.actions)
        if n > 1 and imitated[seat]:
            if not has_room(trajectory, rows, workspace.sparse.index.size, n):
                return TRAJECTORY_FULL
            for i in range(n):
                workspace.policy[i] = 1.0 if workspace.actions[i] == action else 0.0
            copy_into(workspace.observation, state, state.size)
            calls.observe(rules, workspace.observation, seat)
            read_features(rules, workspace.observation, seat, workspace)
            write_row(trajectory, rows, workspace, n, seat, 0.0)
            rows += 1
        calls.apply(rules, state, action)
    return rows


@cache
def code() -> Unit:
    numbers = types.int64[::1]
    signature = types.int64(LEARNING_RULES, STATE, numbers, numbers, WORKSPACE, TRAJECTORY)
    return Unit("learn", {"imitate": (_imitate, signature)})


def kernel() -> Any:
    """`imitate(rules, state, actions, imitated, workspace, trajectory) -> rows`: plays the actions; TRAJECTORY_FULL if
    the trajectory has no room for the game. `imitated` says of every seat whether its decisions make rows."""
    return code().entry_points["imitate"]


def needs(game: Game) -> list[Code]:
    return [*game.entries.learning_code, code]
