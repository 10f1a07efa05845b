"""The cases of a file in memory: every option of every situation as a point in a learned space.

An option is judged by the situations that offered it (voting.py), so each option of a situation is a point of its own,
beside those of the same action. The space is that of a network: how much it expects the option, how much the strongest
other one, and its hidden layer, seen through the policy head: the directions in which the logits of the actions differ
most. So the network says which situations are alike for an option, and the cases say what came of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from boardwright.cases.file import CaseFile, find_case_file, read_case_file
from boardwright.cases.outlook import outlooks, tilted
from boardwright.cbr.points import Codes, nearest_points
from boardwright.cbr.retrieval import Neighbours
from boardwright.errors import BadRecord
from boardwright.kernel import Game, Observation, State
from boardwright.learn.imitation import Examples, RecordedGame, final_returns, start
from boardwright.learn.network import Network
from boardwright.learn.network_files import find_network
from boardwright.learn.trajectory import Trajectory

DIRECTIONS = 6
"""Of the hidden layer. With 12 the choices of held-out games of `race` were named as often."""
COORDINATES = 2 + DIRECTIONS
_PROBABILITY = 250.0
"""Square roots of probabilities, so that distances are Hellinger's, in bytes."""
_DEVIATION = 25.0
"""The standard deviation of the first direction, in bytes. With half of it the choices of held-out games of `race` were
named as often, with three times as much more rarely (88.5 instead of 91.1 %)."""
_MIDDLE = 128.0

Floats = NDArray[np.float32]
Whole = NDArray[np.int32]


class Space(NamedTuple):
    """Where situations lie by a network's hidden layer."""

    projection: Floats
    """(hidden units, directions)"""
    middle: Floats

    @classmethod
    def of(cls, network: Network, hidden: Floats, option: NDArray[np.uint16]) -> Space:
        """The directions in which the logits of the options that cases had differ most, the largest first."""
        policy = network.weights.policy.astype(np.float64)
        offered = np.bincount(option, minlength=len(policy)) / max(len(option), 1)
        apart = (policy - offered @ policy) * np.sqrt(offered)[:, None]
        size, direction = np.linalg.eigh(apart.T @ apart)
        largest = np.argsort(-size)[:DIRECTIONS]
        projection = np.ascontiguousarray(direction[:, largest] * np.sqrt(np.maximum(size[largest], 0)), np.float32)
        found = hidden @ projection
        scale = _DEVIATION / max(float(found[:, 0].std()), 1e-6) if len(found) else 1.0
        middle = found.mean(0) * scale if len(found) else np.zeros(projection.shape[1])
        return cls(projection * np.float32(scale), np.asarray(middle, np.float32))

    def codes(self, hidden: Floats) -> Codes:
        """(situations, directions)"""
        return _bytes(hidden @ self.projection - self.middle + _MIDDLE)


def _bytes(numbers: NDArray[Any]) -> Codes:
    """What lies outside counts as the nearest byte."""
    return np.clip(np.rint(numbers), 0, 255).astype(np.uint8)


def expectation_codes(probability: NDArray[Any]) -> Codes:
    """(options, 2), for the options of one situation: how much each is expected, and the strongest of the others."""
    root = _PROBABILITY * np.sqrt(probability)
    first = int(root.argmax())
    other = np.full(len(root), root[first])
    other[first] = np.delete(root, first).max(initial=0.0)
    return _bytes(np.stack([root, other], 1))


@dataclass(frozen=True, eq=False)
class CaseMemory:
    """Cases that can be asked for the nearest. Options come by action, and for each action by case."""

    file: CaseFile
    network: Network
    space: Space
    points: Codes
    """(coordinates, options of all cases)"""
    first: NDArray[np.int64]
    """Where the options of each action begin; behind the last, where they end."""
    case: Whole
    """The case that each option belongs to."""
    taken: NDArray[np.bool_]
    """Whether it was chosen there."""
    chosen: NDArray[np.uint16]
    """What was chosen in each case."""
    result: Floats
    """What the game of each case returned to the seat that chose, scaled to 0 to 1."""
    game: Whole
    """The number of its game in the file."""
    decision: Whole
    """The number of the decision, among those of the game that are cases."""

    def __len__(self) -> int:
        return len(self.chosen)

    def nearest(self, action: int, here: Codes, k: int) -> Neighbours:
        """The options of this action that are nearest, as their numbers. With outlooks, those of any action: what an
        action leads to says more about it than its number."""
        if self.file.outlook:
            return nearest_points(self.points, here, k)
        return nearest_points(self.points, here, k, int(self.first[action]), int(self.first[action + 1]))

    def situation(self, game: Game, case: int) -> tuple[Observation, int]:
        """What the seat saw where a case is from, and the number of the move, from 1 on."""
        for decision, found in enumerate(situations(game, self.file.games[self.game[case]])):
            if decision == self.decision[case]:
                return found
        raise BadRecord(f"case {case} is in no move of its game")


def situations(game: Game, recorded: RecordedGame) -> Iterator[tuple[Observation, int]]:
    """What the seat saw in each case of a game, and the number of the move."""
    state: State = start(game, recorded.game)
    for number, action in enumerate(recorded.game.actions, 1):
        if recorded.imitated[state.player] and len(state.legal_actions()) > 1:
            yield state.observation(state.player), number
        state.apply(action)


def read_memory(game: Game, name: str, seats: int, kind: str = "") -> CaseMemory:
    """The cases of a file, which is read again when it has changed between two games; or of the package, which are read
    once. A match stops if a file is replaced under it (arena/match.py)."""
    file = find_case_file(game, name, seats, kind).resolve()
    changed, key = file.stat().st_mtime_ns if name else 0, (game.name, str(file))
    if key not in _memories or _memories[key][0] != changed:
        _memories[key] = changed, remember(game, read_case_file(file, game), file)
    return _memories[key][1]


_memories: dict[tuple[str, str], tuple[int, CaseMemory]] = {}


def network_of(game: Game, file: CaseFile) -> Network:
    return file.network or find_network("cases", game, "", file.seats)


class _Decisions(NamedTuple):
    """The cases of one game."""

    option: NDArray[np.uint16]
    """The options of all, end to end."""
    lengths: NDArray[np.int64]
    chosen: NDArray[np.uint16]
    result: Floats
    hidden: Floats


def remember(game: Game, file: CaseFile, where: str | Path = "") -> CaseMemory:
    """Replay the games of a file. BadRecord if one of them cannot be played by the rules."""
    network = network_of(game, file)
    for number, one in enumerate(file.games, 1):
        final_returns(game, one.game, f"{where}, game {number}")
    trajectories, results = Examples(game, network.features(game)).rows(file.games)
    found = [_decisions(rows, result, network) for rows, result in zip(trajectories, results, strict=True)]
    option = _joined([part.option for part in found], np.uint16)
    lengths = _joined([part.lengths for part in found], np.int64)
    chosen = _joined([part.chosen for part in found], np.uint16)
    hidden = np.concatenate([np.zeros((0, len(network.weights.hidden_bias)), np.float32), *(p.hidden for p in found)])
    sizes = [len(part.chosen) for part in found]
    space = Space.of(network, hidden, option)
    case = np.repeat(np.arange(len(chosen), dtype=np.int32), lengths)
    order = np.argsort(option, kind="stable")
    points = np.zeros((COORDINATES, len(option)), np.uint8)
    outlook = _outlooks(game, file)
    points[:2] = _expectations(network, hidden, option, lengths, outlook, file.outlook)[order].T
    points[2 : 2 + len(space.middle)] = space.codes(hidden)[case[order]].T
    return CaseMemory(
        file,
        network,
        space,
        points,
        first=np.searchsorted(option[order], np.arange(game.num_actions + 1)),
        case=case[order],
        taken=(option == chosen[case])[order],
        chosen=chosen,
        result=_joined([part.result for part in found], np.float32),
        game=np.repeat(np.arange(len(found), dtype=np.int32), sizes),
        decision=_joined([np.arange(size) for size in sizes], np.int32),
    )


def _joined(parts: Sequence[NDArray[Any]], kind: Any) -> NDArray[Any]:
    return np.concatenate([np.zeros(0, kind), *parts]).astype(kind)


def _decisions(rows: Trajectory, result: list[float], network: Network) -> _Decisions:
    """Rows without actions, which are there for the value of turns, are left out."""
    is_case, lengths, weights = rows.is_decision, np.diff(rows.action_end, prepend=0), network.weights
    ends = np.concatenate([[0], rows.feature_end])
    indices = rows.feature_index.astype(np.int32)
    features = csr_array((rows.feature_value, indices, ends), shape=(len(is_case), len(weights.hidden)))
    hidden = np.maximum(features[is_case] @ weights.hidden + weights.hidden_bias, 0)
    results = np.array(result, np.float32)[rows.seat[is_case]]
    return _Decisions(rows.action, lengths[is_case], rows.action[rows.policy_target > 0], results, hidden)


def _outlooks(game: Game, file: CaseFile) -> NDArray[np.float64] | None:
    """The outlooks of all options, end to end, where the file asks for them."""
    if not file.outlook:
        return None
    seen = (observation for one in file.games for observation, _ in situations(game, one))
    return _joined([outlooks(here, here.legal_actions(), file.outlook) for here in seen], np.float64)


def _expectations(
    network: Network,
    hidden: Floats,
    option: NDArray[np.uint16],
    lengths: NDArray[np.int64],
    outlook: NDArray[np.float64] | None,
    evaluation: str,
) -> NDArray[np.uint8]:
    """`expectation_codes` of every case, end to end."""
    policy, bias, found, at = (
        network.weights.policy,
        network.weights.policy_bias,
        np.zeros((len(option), 2), np.uint8),
        0,
    )
    for row, length in zip(hidden, lengths.tolist(), strict=True):
        actions = option[at : at + length]
        logits = policy[actions] @ row + bias[actions]
        chances = np.exp(logits - logits.max())
        chances /= chances.sum()
        if outlook is not None:
            chances = tilted(chances, outlook[at : at + length], evaluation)
        found[at : at + length] = expectation_codes(chances)
        at += length
    return found
