"""The case controller: the library that SCOUT3 plays from and keeps up while it plays."""

from __future__ import annotations

import threading
from functools import cache, reduce
from pathlib import Path
from typing import Any

import numpy as np

from boardwright.cbr.gamelog import GameLog
from boardwright.cbr.lifecycle import Changes, Keeper, Policy
from boardwright.cbr.memory import Memory
from boardwright.cbr.store import GONE, MAIN, WING, Row, Store
from boardwright.scout.cases.files import IMPRESSIONS, LEARNED, Library, from_rows
from boardwright.scout.cases.indexing import index
from boardwright.scout.cases.representation import CASE, encode
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE, Choice
from boardwright.scout.reasoners.all_reasoners import Reasoning, Settings
from boardwright.scout.reasoners.evaluation import find_impressions
from boardwright.scout.reasoners.policy_network import Impressions
from boardwright.scout.reasoners.recommendation import Asked, Thought

KEPT_UP = (TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE)
"""The bases that change: phase, development, settlement."""


class Controller:
    """A library open for learning. Agents of several games may share it."""

    def __init__(
        self,
        file: Path,
        settings: Settings,
        policy: Policy = Policy(),  # noqa: B008
        *,
        relearn: bool = False,
    ) -> None:
        self.lock = threading.RLock()
        self.store = Store(file)
        self.keeper = Keeper(self.store, KEPT_UP, policy)
        self.settings = settings
        self.relearn = relearn
        """Whether first impressions are fitted anew for every era."""
        self.reasoning = self._as_the_era_began()

    def close(self) -> None:
        self.store.close()

    def game_over(self, log: GameLog, won: bool, score: float, opponent: float, name: str) -> Changes:
        with self.lock:
            changes = self.keeper.game_over(log, won, score, opponent, name)
            _follow(self.reasoning, changes)
            return changes

    def end_era(self) -> Changes:
        """Weights and rankings are made anew once an era, from the library as it is then."""
        with self.lock:
            changes = self.keeper.end_era()
            self.refresh()
            return changes

    def _as_the_era_began(self) -> Reasoning:
        """Weights come from the library at the beginning of the era, so that a run that goes on after a stop has the
        same; the games since then have changed the bases only."""
        archived = {row.id for row in self.keeper.archived() if row.status == MAIN}
        rows = {row.id: row for row in self.store.rows(MAIN, WING, GONE)}
        now = {case for case, row in self.keeper.rows.items() if row.status == MAIN}
        then = [row for case, row in rows.items() if case in archived or row.base not in KEPT_UP]
        changes = Changes(
            added=[rows[case] for case in sorted(now - archived)],
            removed=[rows[case] for case in sorted(archived - now) if rows[case].base in KEPT_UP],
        )
        reasoning = self._reasoning(then)
        _follow(reasoning, changes)
        return reasoning

    def refresh(self) -> None:
        rows = [row for row in self.store.rows(MAIN) if row.base not in KEPT_UP]
        self.reasoning = self._reasoning([*rows, *(row for row in self.keeper.rows.values() if row.status == MAIN)])

    def _reasoning(self, rows: list[Row]) -> Reasoning:
        rows = sorted(rows, key=lambda row: row.id)
        library = from_rows(rows, self.store.sources(), self.store.meta("library", {}))
        if self.relearn:
            library.meta[IMPRESSIONS] = self._impressions(library)
        return Reasoning(library, self.settings)

    def _impressions(self, library: Library) -> dict[str, Any]:
        """What fits the choices of the library as the era begins; found once for each era."""
        era, found = self.store.meta(LEARNED) or (None, {})
        if era != self.keeper.era:
            found = find_impressions(library.records)
            with self.store.transaction():
                self.store.set_meta(LEARNED, (self.keeper.era, found))
        return dict(found)


def _follow(reasoning: Reasoning, changes: Changes) -> None:
    """The bases in memory, as they are after some changes; their weights wait for the end of the era."""
    bases = {**reasoning.bases, TYPE_ACTION: reasoning.phase.base}
    for kind, base in bases.items():
        gone = [row.id for row in changes.removed if row.base == kind]
        new = [row for row in changes.added if row.base == kind]
        if gone:
            base.memory = base.memory.kept(~np.isin(base.memory.ids, gone))
        if new:
            added = _indexed(new)
            if kind == TYPE_ACTION and reasoning.phase.impressions is not None:
                added = _seen_one_by_one(reasoning.phase.impressions, added)
            joined = base.memory.joined(added)
            base.memory = joined.kept(np.argsort(joined.ids))


def _seen_one_by_one(impressions: Impressions, added: Memory) -> Memory:
    """Cases with what they seem to call for. Rounding may depend on how many are looked at together, and a run that
    goes on after a stop looks at more at once."""
    ones = (added.kept(np.array([place])) for place in range(len(added)))
    return reduce(Memory.joined, (impressions.seen(one) for one in ones))


def _indexed(rows: list[Row]) -> Memory:
    records = np.frombuffer(b"".join(row.record for row in rows), CASE)
    ids, groups = (np.array([getattr(row, name) for row in rows], np.int64) for name in ("id", "source"))
    return index(records, groups, ids)


def log_thought(log: GameLog, asked: Asked, thought: Thought) -> None:
    """Remember a decision: the problem with its choice, and the cases that were used for it."""
    if asked.problem.type in KEPT_UP and thought.retrieved:
        log.problem(*_as_case(asked, thought, thought.choice))
        for case in thought.supporters:
            log.retrieval(case.id, case.distance)


def log_lesson(log: GameLog, asked: Asked, thought: Thought, choice: Choice) -> None:
    """Remember what somebody else chose where SCOUT had this thought."""
    if thought.retrieved:
        log.lesson(*_as_case(asked, thought, choice))


def _as_case(asked: Asked, thought: Thought, choice: Choice) -> tuple[int, int, bytes, list[float]]:
    """Base, class, record, and the distances of the cases of its own base."""
    kind, record = asked.problem.type, encode(asked.problem, choice)
    near = [case.distance for case in thought.retrieved if case.kind == kind]
    return kind, int(index(record).classes[0]), record.tobytes(), near


@cache
def controller_for(file: str, settings: Settings, policy: Policy, relearn: bool) -> Controller:
    """The controller of a library, one for each in a process."""
    return Controller(Path(file), settings, policy, relearn=relearn)
