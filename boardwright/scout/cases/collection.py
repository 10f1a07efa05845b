"""A collection of cases: the records of all types of decision, with the games they come from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.case_base import CaseBase
from boardwright.scout.cases.indexing import index_cases
from boardwright.scout.cases.representation import CASE, Records

END = 255
"""The type of a case that is the end of a game: the winner's tableau, which SCOUT1 reasons from."""
CONFUSIONS = "confusions"
"""Under which name `meta` has what leave-one-out tests confused: by type, (true, predicted, how often)."""
POLICY_NETWORK = "policy_network"
"""Under which name `meta` has the weights of the policy network."""


@dataclass
class CaseCollection:
    """All cases of a store or a case file. `case_base` gives the case base of one type of decision."""

    records: Records
    groups: NDArray[np.int64]
    """The game of each case."""
    ids: NDArray[np.int64]
    sources: dict[int, str] = field(default_factory=dict)
    """The name of each game, where it has one."""
    meta: dict[str, Any] = field(default_factory=dict)
    """Where the cases come from, and what was learned from them."""

    def __len__(self) -> int:
        return len(self.records)

    @cached_property
    def types(self) -> NDArray[np.uint8]:
        return np.ascontiguousarray(self.records["type"])

    def positions_of(self, kind: int) -> NDArray[np.int64]:
        """Where the cases of a type are."""
        return np.flatnonzero(self.types == kind)

    def case_base(self, kind: int) -> CaseBase:
        """The case base of a type of decision, indexed."""
        positions = self.positions_of(kind)
        return index_cases(self.records[positions], self.groups[positions], self.ids[positions])

    def source(self, group: int) -> str:
        return self.sources.get(group) or f"game {group}"

    @property
    def games(self) -> int:
        return len(np.unique(self.groups))

    def first_games(self, n: int) -> CaseCollection:
        """The cases of its first n games."""
        first = np.unique(self.groups)[:n]
        return self.subset(np.flatnonzero(np.isin(self.groups, first)))

    def subset(self, positions: NDArray[np.int64]) -> CaseCollection:
        return CaseCollection(
            self.records[positions], self.groups[positions], self.ids[positions], self.sources, self.meta
        )


@dataclass(frozen=True)
class GameCases:
    """The cases of one game."""

    name: str
    records: Records


def collection_of(games: Iterable[GameCases], meta: dict[str, Any]) -> CaseCollection:
    """A collection of the cases of several games."""
    parts, groups, sources = [np.zeros(0, CASE)], [np.zeros(0, np.int64)], {}
    for number, game in enumerate(games, 1):
        parts.append(game.records)
        groups.append(np.full(len(game.records), number, np.int64))
        sources[number] = game.name
    records = np.concatenate(parts)
    return CaseCollection(records, np.concatenate(groups), np.arange(1, len(records) + 1), sources, dict(meta))
