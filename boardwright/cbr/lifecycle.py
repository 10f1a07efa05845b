"""The life of a case: figure 6.4 of the dissertation.

During a game the problems met and the cases retrieved are logged. When it is won, its problems and their choices become
cases and wait in the wing of their base, those ranked first that were least like what was retrieved for them; the
retrieved cases get a win to their name. When it is lost, the retrieved cases are judged. A case that does worse than
its class, once it has had its grace, leaves, and the first of the wing takes its place. At the end of an era all are
judged, and everything is archived.

Beyond the figure: a lost game can teach, too, if its winner could be watched; and a policy can ask for proof before a
case leaves, and let the wings wait for the end of the era.

Each game and each era is one transaction of the store.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from boardwright.cbr.archive import read_archive, write_archive
from boardwright.cbr.gamelog import GameLog, Met
from boardwright.cbr.store import GONE, MAIN, WING, BadLibrary, Registry, Row, Store

Promotion = Literal["game", "era"]


@dataclass(frozen=True)
class Policy:
    """How upkeep decides."""

    room: int = 1000
    """How many cases a base may have more than it began with."""
    wing: int = 100
    """How many cases can wait in the wing of a base."""
    grace_retrievals: int = 40
    """A case is judged only when it was retrieved more often than this,"""
    grace_eras: int = 3
    """and at the end of an era only when it has been there for so many."""
    margin: float = 0.3
    """How far below the success rate of its class, as a share of it, a case may be."""
    sure: float = 0.0
    """By how many standard errors more, so that bad luck alone drives no case out; then cases that were never used in a
    won game are not taken for bad ones either. 0: as described."""
    promote: Promotion = "game"
    """When cases of the wing come in: after every game, or at the end of an era."""


@dataclass
class Registered:
    """A class's entry in the registry."""

    retrievals: int = 0
    wins: int = 0

    @property
    def rate(self) -> float:
        return self.wins / self.retrievals if self.retrievals else 0.0


@dataclass
class Changes:
    """What a game or an era has changed in the case bases proper."""

    added: list[Row] = field(default_factory=list)
    removed: list[Row] = field(default_factory=list)


class Keeper:
    """The upkeep of a library."""

    def __init__(self, store: Store, bases: Iterable[int], policy: Policy = Policy()) -> None:  # noqa: B008
        self.store = store
        self.policy = policy
        self.bases = tuple(bases)
        if store.meta("rooms") is None:
            self._begin()
        self._load()

    def _begin(self) -> None:
        sizes = dict.fromkeys(self.bases, 0)
        for row in self.store.rows(MAIN):
            if row.base in sizes:
                sizes[row.base] += 1
        with self.store.transaction():
            self.store.set_meta("rooms", {str(base): size + self.policy.room for base, size in sizes.items()})
            self.store.note(0, "upkeep begins with " + ", ".join(f"{n} cases of base {b}" for b, n in sizes.items()))
            self._archive(0, 0, 0, self.store.rows(MAIN, WING), {})

    def _load(self) -> None:
        rows = [row for row in self.store.rows(MAIN, WING) if row.base in self.bases]
        self.rows = {row.id: row for row in rows}
        self.rooms = {int(base): int(room) for base, room in self.store.meta("rooms").items()}
        self.classes = {key: Registered(*entry) for key, entry in self.store.class_registry().items()}
        (self.games,) = self.store.connection.execute("SELECT COUNT(*) FROM games").fetchone()
        (self.era,) = self.store.connection.execute("SELECT MAX(era) FROM eras").fetchone()
        self.next_id = self.store.next_id()

    def main(self, base: int) -> list[Row]:
        return [row for row in self.rows.values() if row.base == base and row.status == MAIN]

    def wing(self, base: int) -> list[Row]:
        """The waiting cases, the most useful first."""
        waiting = [row for row in self.rows.values() if row.base == base and row.status == WING]
        return sorted(waiting, key=lambda row: (-row.usefulness, row.id))

    def size(self, base: int) -> int:
        return len(self.main(base))

    def game_over(self, log: GameLog, won: bool, score: float, opponent: float, name: str) -> Changes:
        """Learn from a finished game. Nothing of it is kept unless all of it is."""
        changes, touched = Changes(), set[int]()
        game = self.games + 1
        try:
            with self.store.transaction():
                self._count_retrievals(log, won, touched)
                new = self._to_wings(log.problems if won else log.lessons, name, touched)
                if not won:
                    self._judge({case for case, _ in log.retrievals}, changes, game)
                if self.policy.promote == "game":
                    self._replenish(changes, touched, game)
                self.store.add(new)
                self.store.update(self.rows[case] for case in touched | {row.id for row in changes.removed})
                self.store.set_classes(self._counts())
                self.store.connection.execute(
                    "INSERT INTO games VALUES (?, ?, ?, ?, ?)", (game, self.era + 1, int(won), score, opponent)
                )
                self.store.note(game, f"game {game} {'won' if won else 'lost'}, {score:g} to {opponent:g}")
        except BaseException:
            self._load()
            raise
        self.games = game
        self._forget_gone()
        return changes

    def _count_retrievals(self, log: GameLog, won: bool, touched: set[int]) -> None:
        for case, near in log.retrievals:
            row = self.rows.get(case)
            if row is None:
                continue
            row.retrievals += 1
            row.wins += won
            row.similarity += near
            entry = self.classes.setdefault((row.base, row.cls), Registered())
            entry.retrievals += 1
            entry.wins += won
            touched.add(case)

    def _to_wings(self, problems: list[Met], name: str, touched: set[int]) -> list[Row]:
        if not problems:
            return []
        source = self.store.add_source(name)
        new: list[Row] = []
        for met in problems:
            if met.base in self.bases:
                row = Row(self.next_id, met.base, met.cls, source, met.record, WING, 1.0 - met.similarity)
                self.next_id += 1
                self.rows[row.id] = row
                new.append(row)
        for base in self.bases:
            for row in self.wing(base)[self.policy.wing :]:
                row.status = GONE
                touched.add(row.id)
        return new

    def poor(self, row: Row) -> bool:
        """Whether a case does worse than its class may."""
        if not row.retrievals:
            return False
        rate = self.classes.get((row.base, row.cls), Registered()).rate
        error = math.sqrt(rate * (1.0 - rate) / row.retrievals)
        return row.wins / row.retrievals < rate * (1.0 - self.policy.margin) - self.policy.sure * error

    def _judge(self, cases: set[int], changes: Changes, game: int) -> None:
        """Used in a game that was lost: those beyond their grace that do poorly leave."""
        for case in sorted(cases):
            row = self.rows.get(case)
            if row is not None and row.retrievals > self.policy.grace_retrievals and self.poor(row):
                self._remove(row, changes, game)

    def _remove(self, row: Row, changes: Changes, game: int) -> None:
        row.status = GONE
        changes.removed.append(row)
        self.store.note(game, f"case {row.id} of base {row.base} leaves: {row.wins} wins in {row.retrievals} uses")

    def _replenish(self, changes: Changes, touched: set[int], game: int) -> None:
        """Where there is room, the first of the wing comes in."""
        for base in self.bases:
            free = self.rooms[base] - self.size(base)
            for row in self.wing(base)[: max(0, free)]:
                row.status, row.born = MAIN, self.era
                changes.added.append(row)
                touched.add(row.id)
                self.store.note(game, f"case {row.id} of base {base} comes in, usefulness {row.usefulness:.3f}")

    def end_era(self) -> Changes:
        """Judge every case that has been there long enough, replenish, archive."""
        changes, touched = Changes(), set[int]()
        era = self.era + 1
        games, wins = self.store.connection.execute(
            "SELECT COUNT(*), COALESCE(SUM(won), 0) FROM games WHERE era=?", (era,)
        ).fetchone()
        try:
            with self.store.transaction():
                self.era = era
                for row in list(self.rows.values()):
                    if row.status == MAIN and era - row.born >= self.policy.grace_eras and self._unproven(row):
                        self._remove(row, changes, self.games)
                self._replenish(changes, touched, self.games)
                self.store.update(self.rows[case] for case in touched | {row.id for row in changes.removed})
                kept = [row for row in self.rows.values() if row.status != GONE]
                self._archive(era, games, wins, kept, self._counts())
                self.store.note(
                    self.games,
                    f"era {era} ends: {wins} of {games} games won, {len(changes.removed)} cases left,"
                    f" {len(changes.added)} came in",
                )
        except BaseException:
            self._load()
            raise
        self._forget_gone()
        return changes

    def _unproven(self, row: Row) -> bool:
        """Never used in a game that was won, or used often enough to see that it does poorly."""
        unused = row.wins == 0 and not self.policy.sure
        return unused or (row.retrievals > self.policy.grace_retrievals and self.poor(row))

    def _forget_gone(self) -> None:
        self.rows = {case: row for case, row in self.rows.items() if row.status != GONE}

    def _counts(self) -> Registry:
        return {key: (entry.retrievals, entry.wins) for key, entry in self.classes.items()}

    def _archive(self, era: int, games: int, wins: int, rows: list[Row], classes: Registry) -> None:
        blob = write_archive(rows, classes)
        self.store.connection.execute("INSERT INTO eras VALUES (?, ?, ?, ?)", (era, games, wins, blob))

    def archived(self) -> list[Row]:
        """The cases as they were when this era began, without their records."""
        (blob,) = self.store.connection.execute("SELECT archive FROM eras WHERE era=?", (self.era,)).fetchone()
        return read_archive(blob)[0]

    def rollback(self, era: int) -> None:
        """Everything as it was at the end of that era (0: before the first); the log stays and says so."""
        found = self.store.connection.execute("SELECT archive FROM eras WHERE era=?", (era,)).fetchone()
        if found is None:
            raise BadLibrary(f"{self.store.file} has no era {era}; its eras are 0 to {self.era}")
        rows, classes = read_archive(found[0])
        with self.store.transaction():
            run = self.store.connection.execute
            marks = ",".join("?" * len(self.bases))
            run(f"UPDATE cases SET status=? WHERE base IN ({marks})", (GONE, *self.bases))
            self.store.update(rows)
            run("DELETE FROM classes")
            self.store.set_classes(classes)
            run("DELETE FROM games WHERE era>?", (era,))
            run("DELETE FROM eras WHERE era>?", (era,))
            self.store.note(self.games, f"rolled back to the end of era {era}")
        self._load()
