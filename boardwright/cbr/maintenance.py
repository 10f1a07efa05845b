"""Case-base maintenance over many games: figure 6.4 of the dissertation.

When a game is won, its solved problems become candidate cases, ranked by how little they resemble what was retrieved
for them; the retrieved cases are credited with a win. When a game is lost, the retrieved cases are judged: a case that
does worse than its class, once its grace period is over, is removed, and the first candidate takes its place. Grace is
measured in retrievals and in eras. At the end of an era all cases are judged, those that were hardly ever retrieved
too, and everything is archived. A game that ends in a tie was won by nobody and teaches nothing.

Each case base has a policy of its own: how many candidates may wait for it, how long its grace is.

Two words of the dissertation are kept, since the figure uses them: the *registry* counts how often each class was
retrieved and how often in won games, and an *era* is a maintenance period of some hundred games. Its *wing* of a case
base is our list of candidates.

Beyond the figure: a lost game can teach, too, if its winner was observed; a policy can ask for proof before a case is
removed, and let candidates wait for the end of the era; and cases can be credited by a critic instead of the result.

Each game and each era is one transaction of the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from boardwright.cbr.retain import GameTrace, Judgement, SolvedProblem
from boardwright.cbr.revise import Usage, below_class
from boardwright.cbr.snapshot import pack_snapshot, unpack_snapshot
from boardwright.cbr.store import (
    ACTIVE,
    CANDIDATE,
    LARGEST,
    REMOVED,
    BadCaseBase,
    Registry,
    Store,
    StoredCase,
    one_line,
)

Promotion = Literal["game", "era"]
CAPACITY = "capacity"
"""Where the store keeps how many cases each base may have."""


@dataclass(frozen=True)
class MaintenancePolicy:
    """How maintenance decides."""

    max_growth: int = 1000
    """How many cases a base may have more than it began with."""
    max_candidates: int = 100
    """How many candidates can wait for a place in a base."""
    grace_retrievals: int = 40
    """A case is judged only when it was retrieved more often than this."""
    grace_eras: int = 3
    """A case is judged only when it has been there for so many."""
    rare_retrievals: int = 3
    """After its grace, a case that was retrieved less often than this is removed at the end of an era, unless it wins
    often (the next setting)."""
    exceptional: float = 0.5
    """A case that wins more often than its class, by more than this share of its rate, is kept. A case that was never
    retrieved is not."""
    margin: float = 0.3
    """How far below the success rate of its class, as a share of it, a case may be."""
    standard_errors: float = 0.0
    """By how many standard errors more, so that bad luck alone removes no case; then cases that were never used in a
    won game, or rarely, are not taken for bad ones either. 0: as described."""
    promote: Promotion = "game"
    """When candidates come in: after every game, or at the end of an era."""
    most_removed: float = 1.0
    """The largest share of a base that the end of an era may remove; the worst go first. Where few games are won, most
    cases have not been in a won one when their grace ends, and without a bound nearly all of them go at once."""


@dataclass
class Changes:
    """Which cases a game or an era has added to the case bases, and removed from them."""

    added: list[StoredCase] = field(default_factory=list)
    removed: list[StoredCase] = field(default_factory=list)


class Maintenance:
    """Keeps the case bases of a store up to date, game after game."""

    def __init__(
        self,
        store: Store,
        bases: Iterable[int],
        policy: MaintenancePolicy | Mapping[int, MaintenancePolicy] = MaintenancePolicy(),
        companions: Iterable[int] = (),
    ) -> None:
        """`policy`: one for all bases, or one for each. `companions`: bases whose cases go with those of others, as
        what was paid for a card goes with its placement; they are stored as they come, and nobody judges them."""
        self.store = store
        self.companions = tuple(companions)
        self.bases = tuple(bases)
        self.policies = {base: policy if isinstance(policy, MaintenancePolicy) else policy[base] for base in self.bases}
        if store.meta(CAPACITY) is None:
            self._begin()
        self._load()

    def _begin(self) -> None:
        sizes = dict.fromkeys(self.bases, 0)
        for case in self.store.cases(ACTIVE):
            if case.base in sizes:
                sizes[case.base] += 1
        with self.store.transaction():
            self.store.set_meta(CAPACITY, {str(base): n + self.policies[base].max_growth for base, n in sizes.items()})
            begun = ", ".join(f"{n} cases of base {b}" for b, n in sizes.items())
            self.store.note(0, f"maintenance begins with {begun}")
            self._archive(0, 0, 0, self.store.cases(ACTIVE, CANDIDATE), {})

    def _load(self) -> None:
        cases = [case for case in self.store.cases(ACTIVE, CANDIDATE) if case.base in self.bases]
        self.cases = {case.id: case for case in cases}
        self._waiting = {base: dict[int, StoredCase]() for base in self.bases}
        self._sizes = dict.fromkeys(self.bases, 0)
        for case in cases:
            if case.status == ACTIVE:
                self._sizes[case.base] += 1
            else:
                self._waiting[case.base][case.id] = case
        self.capacity = self._capacity()
        self.registry = {key: Usage(*entry) for key, entry in self.store.class_registry().items()}
        self.games = self.store.game_count()
        self.era = self.store.last_era()
        self.next_id = self.store.next_id()

    def _capacity(self) -> dict[int, int]:
        found = self.store.meta(CAPACITY)
        wanted = {str(base) for base in self.bases}
        if not isinstance(found, dict) or not wanted <= set(found):
            raise BadCaseBase(f"{self.store.file} does not say how many cases its bases may have")
        rooms = {base: found[str(base)] for base in self.bases}
        if not all(type(room) is int and 0 <= room < LARGEST for room in rooms.values()):
            raise BadCaseBase(f"{self.store.file}: the capacity of its bases is {one_line(rooms)}")
        return rooms

    def active(self, base: int) -> list[StoredCase]:
        """The cases of a case base."""
        return [case for case in self.cases.values() if case.base == base and case.status == ACTIVE]

    def candidates(self, base: int) -> list[StoredCase]:
        """The waiting cases, the most useful first."""
        return sorted(self._waiting[base].values(), key=lambda case: (-case.usefulness, case.id))

    def size(self, base: int) -> int:
        return self._sizes[base]

    def end_game(self, trace: GameTrace, won: bool | None, score: float, opponent: float, name: str) -> Changes:
        """Learn from a finished game (`won` is None: a tie). Nothing of it is kept unless all of it is."""
        changes, touched = Changes(), set[int]()
        game = self.games + 1
        try:
            with self.store.transaction():
                credited = trace.credited(won)
                self._count_retrievals(credited, touched)
                new = self._retain(trace.candidates(won), name, touched)
                self._revise({credit.case for credit in credited if not credit.right}, changes, game)
                self._promote([b for b in self.bases if self.policies[b].promote == "game"], changes, touched, game)
                self.store.add(new)
                self.store.update(self.cases[case] for case in touched | {case.id for case in changes.removed})
                self.store.set_classes(self._counts())
                self.store.add_game(game, self.era + 1, bool(won), score, opponent)
                how = "tied" if won is None else "won" if won else "lost"
                self.store.note(game, f"game {game} {how}, {score:g} to {opponent:g}")
        except BaseException:
            self._load()
            raise
        self.games = game
        self._drop_removed(touched, changes)
        return changes

    def _count_retrievals(self, credited: list[Judgement], touched: set[int]) -> None:
        for number, near, right in credited:
            case = self.cases.get(number)
            if case is None:
                continue
            case.retrievals += 1
            case.wins += right
            case.similarity += near
            entry = self.registry.setdefault((case.base, case.cls), Usage())
            entry.retrievals += 1
            entry.wins += right
            touched.add(number)

    def _retain(self, problems: list[SolvedProblem], name: str, touched: set[int]) -> list[StoredCase]:
        """Add candidates; where there are too many, the least useful are removed."""
        if not problems:
            return []
        source = self.store.add_source(name)
        new: list[StoredCase] = []
        for solved in problems:
            if solved.base in (*self.bases, *self.companions):
                status = CANDIDATE if solved.base in self.bases else ACTIVE
                case = StoredCase(
                    self.next_id, solved.base, solved.cls, source, solved.record, status, solved.usefulness
                )
                self.next_id += 1
                new.append(case)
                if status == CANDIDATE:
                    self.cases[case.id] = self._waiting[case.base][case.id] = case
        for base in self.bases:
            most = self.policies[base].max_candidates
            for case in self.candidates(base)[most:] if len(self._waiting[base]) > most else ():
                case.status = REMOVED
                del self._waiting[base][case.id]
                touched.add(case.id)
        return new

    def does_poorly(self, case: StoredCase) -> bool:
        """Whether a case does worse than its class may, after enough retrievals to tell."""
        policy = self.policies[case.base]
        return case.retrievals > policy.grace_retrievals and below_class(
            Usage(case.retrievals, case.wins),
            self.of_class(case),
            margin=policy.margin,
            standard_errors=policy.standard_errors,
        )

    def of_class(self, case: StoredCase) -> Usage:
        """What the registry says of the class of a case."""
        return self.registry.get((case.base, case.cls), Usage())

    def past_grace(self, case: StoredCase) -> bool:
        """Whether a case has been there for long enough to be judged, in finished eras."""
        return self.era - case.era >= self.policies[case.base].grace_eras

    def _revise(self, used: set[int], changes: Changes, game: int) -> None:
        """Judge the cases used in a lost game, or found wrong: those past their grace period that do poorly are
        removed."""
        for number in sorted(used):
            case = self.cases.get(number)
            if case is not None and self.past_grace(case) and self.does_poorly(case):
                self._remove(case, changes, game)

    def _remove(self, case: StoredCase, changes: Changes, game: int) -> None:
        if case.status == ACTIVE:
            self._sizes[case.base] -= 1
        self._waiting[case.base].pop(case.id, None)
        case.status = REMOVED
        changes.removed.append(case)
        self.store.note(
            game, f"case {case.id} of base {case.base} removed: {case.wins} wins in {case.retrievals} retrievals"
        )

    def _promote(self, bases: Iterable[int], changes: Changes, touched: set[int], game: int) -> None:
        """Where there is room, the first candidates come in."""
        for base in bases:
            free = self.capacity[base] - self.size(base)
            for case in self.candidates(base)[:free] if free > 0 else ():
                case.status, case.era = ACTIVE, self.era
                self._sizes[base] += 1
                del self._waiting[base][case.id]
                changes.added.append(case)
                touched.add(case.id)
                self.store.note(game, f"case {case.id} of base {base} added, usefulness {case.usefulness:.3f}")

    def end_era(self) -> Changes:
        """Judge every case that has been there long enough, promote candidates, archive."""
        changes, touched = Changes(), set[int]()
        era = self.era + 1
        games, wins = self.store.games_of_era(era)
        try:
            with self.store.transaction():
                self.era = era
                for base in self.bases:
                    for case in self._to_remove(base):
                        self._remove(case, changes, self.games)
                self._promote(self.bases, changes, touched, self.games)
                self.store.update(self.cases[case] for case in touched | {case.id for case in changes.removed})
                kept = [case for case in self.cases.values() if case.status != REMOVED]
                self._archive(era, games, wins, kept, self._counts())
                self.store.note(
                    self.games,
                    f"era {era} ends: {wins} of {games} games won, {len(changes.removed)} cases removed,"
                    f" {len(changes.added)} added",
                )
        except BaseException:
            self._load()
            raise
        self._drop_removed(touched, changes)
        return changes

    def _to_remove(self, base: int) -> list[StoredCase]:
        """The cases of a base that the end of an era removes. Where there are more than may go at once, those first
        that were used most without a win; what was hardly used has had no chance to show what it is worth."""
        active = self.active(base)
        unproven = [case for case in active if self.past_grace(case) and self._unproven(case)]
        most = int(self.policies[base].most_removed * len(active))
        if len(unproven) <= most:
            return unproven
        worst = sorted(unproven, key=lambda case: (case.wins - case.retrievals, case.id))[:most]
        return sorted(worst, key=lambda case: case.id)

    def _unproven(self, case: StoredCase) -> bool:
        """Never used in a game that was won, or rarely without exceptional success, or often enough to see that it
        does poorly."""
        policy = self.policies[case.base]
        if self.does_poorly(case):
            return True
        if policy.standard_errors:
            return False
        if case.wins == 0:
            return True
        usual = self.of_class(case).rate * (1.0 + policy.exceptional)
        return case.retrievals < policy.rare_retrievals and case.wins / case.retrievals <= usual

    def _drop_removed(self, touched: set[int], changes: Changes) -> None:
        """Forget what was removed, among the cases that a game or an era has touched."""
        for number in touched | {case.id for case in changes.removed}:
            if self.cases[number].status == REMOVED:
                del self.cases[number]

    def _counts(self) -> Registry:
        return {key: (entry.retrievals, entry.wins) for key, entry in self.registry.items()}

    def _archive(self, era: int, games: int, wins: int, cases: list[StoredCase], registry: Registry) -> None:
        self.store.add_era(era, games, wins, pack_snapshot(cases, registry))

    def archived(self) -> list[StoredCase]:
        """The cases as they were when this era began, without their records."""
        return self._snapshot(self.era)[0]

    def _snapshot(self, era: int) -> tuple[list[StoredCase], Registry]:
        found = self.store.archive(era)
        if found is None:
            raise BadCaseBase(f"{self.store.file} has no era {era}; its eras are 0 to {self.era}")
        try:
            return unpack_snapshot(found)
        except ValueError as error:
            raise BadCaseBase(f"{self.store.file}: the archive of era {era} is damaged: {error}") from None

    def rollback(self, era: int) -> None:
        """Everything as it was at the end of that era (0: before the first); the log stays and says so."""
        cases, registry = self._snapshot(era)
        with self.store.transaction():
            self.store.forget_after(era, self.bases)
            self.store.update(cases)
            self.store.set_classes(registry)
            self.store.note(self.games, f"rolled back to the end of era {era}")
        self._load()
