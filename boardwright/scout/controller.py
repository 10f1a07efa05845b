"""The Case Controller of the dissertation: the case base that SCOUT3 reasons from, maintained while it plays."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.maintenance import Changes, Maintenance, MaintenancePolicy
from boardwright.cbr.retain import GameTrace
from boardwright.cbr.store import ACTIVE, CANDIDATE, REMOVED, BadCaseBase, Store, StoredCase
from boardwright.scout.cases.building import has_choice
from boardwright.scout.cases.collection import POLICY_NETWORK, CaseCollection
from boardwright.scout.cases.files import (
    COLLECTION,
    ERA_POLICY_NETWORK,
    era_policy_network,
    from_stored,
    stored_records,
)
from boardwright.scout.cases.indexing import index_cases
from boardwright.scout.cases.representation import NO_DESIGN, with_choice
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_PAYMENT, TYPE_SETTLE, Choice
from boardwright.scout.reasoners.all_reasoners import Reasoners
from boardwright.scout.reasoners.placement import solution_of
from boardwright.scout.reasoners.policy_network import PolicyPriors
from boardwright.scout.reasoners.policy_training import train_policy
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation
from boardwright.scout.reasoners.settings import Settings

MAINTAINED = (TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE)
"""The case bases that change: phase, development, settlement."""
PLACEMENTS = (TYPE_DEVELOP, TYPE_SETTLE)


class CaseController:
    """A store open for learning, by a process that has locked it (`exclusive`). Agents of several games may share it;
    they hold the controller's lock while they reason."""

    def __init__(
        self,
        file: Path,
        settings: Settings,
        policy: MaintenancePolicy | Mapping[int, MaintenancePolicy] = MaintenancePolicy(),  # noqa: B008
        *,
        retrain: bool = False,
        source: str = "game",
        games_per_era: int = 0,
    ) -> None:
        self.lock = threading.RLock()
        self.store = Store(file)
        self.settings = settings
        self.retrain = retrain
        """Whether the policy network is trained again for every era."""
        self.source = source
        """What games are called that cases come from."""
        self.games_per_era = games_per_era
        """How many games make an era; 0: somebody else ends eras."""
        try:
            self.maintenance = Maintenance(self.store, MAINTAINED, policy, companions=[TYPE_PAYMENT])
            self.reasoners = self._as_the_era_began()
            self._end_full_era()  # which a killed process may have left
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self.store.close()

    def end_game(self, trace: GameTrace, won: bool | None, score: float, opponent: float) -> Changes:
        with self.lock:
            name = f"{self.source} {self.maintenance.games + 1}"
            changes = self.maintenance.end_game(trace, won, score, opponent, name)
            apply_changes(self.reasoners, changes)
            self._end_full_era()
            return changes

    def _end_full_era(self) -> None:
        if self.games_per_era and self.maintenance.games >= (self.maintenance.era + 1) * self.games_per_era:
            self.end_era()

    def end_era(self) -> Changes:
        """Feature weights and rankings are computed again once per era, from the case base as it is then."""
        with self.lock:
            changes = self.maintenance.end_era()
            unchanged = [case for case in self.store.cases(ACTIVE) if case.base not in MAINTAINED]
            active = [case for case in self.maintenance.cases.values() if case.status == ACTIVE]
            self.reasoners = self._reasoners([*unchanged, *active])
            return changes

    def _as_the_era_began(self) -> Reasoners:
        """Weights come from the case base at the beginning of the era, so that a run that goes on after a stop has the
        same; the games since then have changed the cases only."""
        archived = {case.id for case in self.maintenance.archived() if case.status == ACTIVE}
        stored = {case.id: case for case in self.store.cases(ACTIVE, CANDIDATE, REMOVED)}
        if not archived <= set(stored):
            raise BadCaseBase(f"{self.store.file} has lost cases that are in its archive; go back to an earlier copy")
        stored_records(list(stored.values()), str(self.store.file))  # also those that may come in later
        now = {number for number, case in self.maintenance.cases.items() if case.status == ACTIVE}
        then = [case for number, case in stored.items() if number in archived or case.base not in MAINTAINED]
        changes = Changes(
            added=[stored[number] for number in sorted(now - archived)],
            removed=[stored[number] for number in sorted(archived - now) if stored[number].base in MAINTAINED],
        )
        reasoners = self._reasoners(then)
        apply_changes(reasoners, changes)
        return reasoners

    def _reasoners(self, stored: list[StoredCase]) -> Reasoners:
        stored = with_their_payments(sorted(stored, key=lambda case: case.id))
        cases = from_stored(stored, self.store.sources(), self.store.meta(COLLECTION, {}), str(self.store.file))
        if self.retrain:
            cases.meta[POLICY_NETWORK] = self._policy_network(cases)
        return Reasoners(cases, self.settings)

    def _policy_network(self, cases: CaseCollection) -> dict[str, Any]:
        """Trained on the cases as the era begins; once for each era."""
        era, trained = era_policy_network(self.store) or (None, {})
        if era != self.maintenance.era:
            trained = train_policy(cases.records)
            with self.store.transaction():
                self.store.set_meta(ERA_POLICY_NETWORK, (self.maintenance.era, trained))
        return dict(trained)


def with_their_payments(stored: list[StoredCase]) -> list[StoredCase]:
    """What was paid counts as long as the placement it was paid for is in the case base: the Payment Reasoner ranks
    from the settlement and development cases (5.8.1), at the start of each era."""
    placed = {(case.source, case.cls) for case in stored if case.base in PLACEMENTS}
    payments = [case for case in stored if case.base == TYPE_PAYMENT]
    subjects = stored_records(payments, "the case base")["subject"]
    gone = {
        case.id
        for case, subject in zip(payments, subjects.tolist(), strict=True)
        if subject != NO_DESIGN and (case.source, subject) not in placed
    }
    return [case for case in stored if case.id not in gone]


def apply_changes(reasoners: Reasoners, changes: Changes) -> None:
    """Bring the case bases in memory up to date; their weights wait for the end of the era."""
    for kind, index in reasoners.indexes.items():
        removed = [case.id for case in changes.removed if case.base == kind]
        added = [case for case in changes.added if case.base == kind]
        if removed:
            index.case_base = index.case_base.subset(~np.isin(index.case_base.ids, removed))
        if added:
            new = _indexed(added)
            if kind == TYPE_ACTION and reasoners.policy_network is not None:
                new = _with_policy_features(reasoners.policy_network, new)
            joined = index.case_base.joined(new)
            index.case_base = joined.subset(np.argsort(joined.ids))


def _with_policy_features(network: PolicyPriors, added: CaseBase) -> CaseBase:
    """Computed one by one: rounding may depend on how many are computed together, and a run that goes on after a stop
    has more at once."""
    ones = (added.subset(np.array([position])) for position in range(len(added)))
    return reduce(CaseBase.joined, (network.with_policy_features(one) for one in ones))


def _indexed(cases: list[StoredCase]) -> CaseBase:
    records = stored_records(cases, "the case base")
    ids, groups = (np.array([getattr(case, name) for case in cases], np.int64) for name in ("id", "source"))
    return index_cases(records, groups, ids)


def becomes_case(reasoners: Reasoners, indexed: IndexedProblem, recommendation: Recommendation) -> bool:
    """Whether a decision can become a case: cases were behind it, or there is none of its kind yet, as where SCOUT
    begins with nothing."""
    index = reasoners.indexes.get(indexed.problem.type)
    return index is not None and (bool(recommendation.retrieved) or not len(index))


def trace_solved(
    trace: GameTrace, reasoners: Reasoners, indexed: IndexedProblem, recommendation: Recommendation
) -> None:
    """Trace a decision: the problem with its choice, and the cases that were used for it."""
    if indexed.problem.type == TYPE_PAYMENT and has_choice(indexed.problem):
        trace.add_solved(*_as_payment(indexed, recommendation.choice))
    if becomes_case(reasoners, indexed, recommendation):
        trace.add_solved(*_as_case(indexed, recommendation, recommendation.choice))
        for case in recommendation.supporting:
            trace.add_retrieval(case.id, case.distance)


def trace_judged(
    trace: GameTrace, reasoners: Reasoners, indexed: IndexedProblem, recommendation: Recommendation, choice: Choice
) -> None:
    """Trace a decision with what a critic found: every retrieved case is right or wrong by its own advice, and the
    decision becomes a case if it is the critic's, too."""
    kind = indexed.problem.type
    if not becomes_case(reasoners, indexed, recommendation):
        return
    best = solution_of(kind, choice)
    for case, advice in recommendation.advice:
        trace.add_judged(case.id, case.distance, advice == best)
    if solution_of(kind, recommendation.choice) == best:
        trace.add_confirmed(*_as_case(indexed, recommendation, recommendation.choice))


def trace_observed(
    trace: GameTrace, reasoners: Reasoners, indexed: IndexedProblem, recommendation: Recommendation, choice: Choice
) -> None:
    """Trace what the opponent chose where SCOUT had this recommendation."""
    if becomes_case(reasoners, indexed, recommendation):
        trace.add_observed(*_as_case(indexed, recommendation, choice))


def _as_payment(indexed: IndexedProblem, choice: Choice) -> tuple[int, int, bytes, list[float]]:
    """Base, class and record; nobody compares payments when they are retained."""
    record = with_choice(indexed.record, choice)
    return TYPE_PAYMENT, int(index_cases(record).classes[0]), record.tobytes(), []


def _as_case(
    indexed: IndexedProblem, recommendation: Recommendation, choice: Choice
) -> tuple[int, int, bytes, list[float]]:
    """Base, class, record, and the distances of the cases of its own base."""
    kind, record = indexed.problem.type, with_choice(indexed.record, choice)
    near = [case.distance for case in recommendation.retrieved if case.kind == kind]
    return kind, solution_of(kind, choice), record.tobytes(), near
