"""The case bases as a data set for researchers: situations as features, with options, choices and results.

    train, test = load_data_set("race", seats=2)
    train.features          # a sparse matrix, one row per case; train.feature_names says what its columns are
    train.options(7)        # the actions that could be chosen in case 7
    train.chosen[7], train.result[7], train.group[7]

Every tenth game is a test game, with all of its cases: cases of one game are alike, so a split by case would ask about
what is known. `accuracy` is what the leaderboard of docs/cases.md compares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from boardwright.cases.file import CaseFile, find_case_file, read_case_file
from boardwright.cases.memory import network_of
from boardwright.kernel import Game, ready, replay
from boardwright.learn import imitation
from boardwright.learn.imitation import Examples, final_returns
from boardwright.registry import load_game

TEST_GAME = 10
"""One game of so many is for testing."""


@dataclass(frozen=True)
class DataSet:
    """Cases of one game and seat count."""

    file: CaseFile
    """The games that they are from."""
    feature_names: tuple[str, ...]
    features: Any
    """A sparse matrix, one row per case."""
    action: NDArray[np.int64]
    """The options of all cases end to end."""
    option_start: NDArray[np.int64]
    chosen: NDArray[np.int64]
    result: NDArray[np.float64]
    """What the game returned to the seat that chose, scaled to 0 to 1."""
    group: NDArray[np.int64]
    """The number of the game, from 0 in each part."""

    def __len__(self) -> int:
        return len(self.chosen)

    def options(self, case: int) -> list[int]:
        """The actions that could be chosen."""
        options: list[int] = self.action[self.option_start[case] : self.option_start[case + 1]].tolist()
        return options

    def accuracy(self, name: Callable[[int], int]) -> float:
        """The share of cases in which a function of the case's number names what was chosen."""
        return float(np.mean([name(case) == chosen for case, chosen in enumerate(self.chosen.tolist())]))


def load_data_set(game: str, *, seats: int | None = None, case_base: str = "") -> tuple[DataSet, DataSet]:
    """Training and test cases of the package's case base, or of a case file."""
    loaded = load_game(game)
    file = read_case_file(find_case_file(loaded, case_base, loaded.check_seats(seats)), loaded)
    ready.make_ready([*imitation.needs(loaded), replay.code])
    is_test = [number % TEST_GAME == TEST_GAME - 1 for number in range(len(file.games))]
    parts = ([one for one, test in zip(file.games, is_test, strict=True) if test is wanted] for wanted in (False, True))
    train, test = (_data_set(loaded, replace(file, games=games)) for games in parts)
    return train, test


def _data_set(game: Game, file: CaseFile) -> DataSet:
    for number, one in enumerate(file.games, 1):
        final_returns(game, one.game, f"game {number}")
    features = network_of(game, file).features(game)
    trajectories, results = Examples(game, features).rows(file.games)
    columns, chosen, result, group, actions, lengths = [csr_array((0, len(features.names)))], [], [], [], [], []
    for number, (rows, returned) in enumerate(zip(trajectories, results, strict=True)):
        is_case = rows.is_decision
        ends = np.concatenate([[0], rows.feature_end])
        found = (rows.feature_value, rows.feature_index.astype(np.int32), ends)
        columns.append(csr_array(found, shape=(len(is_case), len(features.names)))[is_case])
        chosen.append(rows.action[rows.policy_target > 0])
        result.append(np.array(returned)[rows.seat[is_case]])
        group.append(np.full(int(is_case.sum()), number))
        actions.append(rows.action)
        lengths.append(np.diff(rows.action_end, prepend=0)[is_case])
    return DataSet(
        file,
        features.names,
        vstack(columns, format="csr"),
        _joined(actions),
        np.concatenate([[0], np.cumsum(_joined(lengths))]),
        _joined(chosen),
        np.concatenate([np.zeros(0), *result]),
        _joined(group),
    )


def _joined(parts: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(0, np.int64), *(part.astype(np.int64) for part in parts)])
