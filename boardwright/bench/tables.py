"""Games at tables, in blocks: a block is a match of its own, which is played once and found again in its file.

Every block has its own seed, which derives one-way from that of the run. When a block of hidden games is over its seed
is shown, as that of any match, and says nothing about the blocks to come.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from boardwright.arena.ladder import Ladder, Results
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.arena.runner import default_record_file, run_match
from boardwright.executors import Executor
from boardwright.files import make_folder
from boardwright.kernel import rng

Table = tuple[int, ...]
LEAST_BLOCK = 20


def block_size(seats: int, least: int = LEAST_BLOCK) -> int:
    """At least so many games that everybody sits everywhere equally often."""
    orders = math.factorial(seats)
    return orders * -(-least // orders)


@dataclass
class BlockRun:
    """The tables of a ladder, of which some are played, block after block."""

    ladder: Ladder
    folder: Path
    executor: Executor
    least_block: int = LEAST_BLOCK
    played: Counter[Table] = field(default_factory=Counter)
    """Blocks of each table."""

    def __post_init__(self) -> None:
        self.results = Results(self.ladder.specs)
        self.block = block_size(self.ladder.seats, self.least_block)
        make_folder(self.folder, "games")

    @property
    def games(self) -> int:
        return self.block * self.played.total()

    def play(self, table: Table) -> list[GameRecord]:
        """The next block of a table; those that were played before are read."""
        match, file = self._next(table)
        outcome = run_match(match, self.block, file=file, resume=file.exists(), executor=self.executor)
        if outcome.interrupted:
            raise KeyboardInterrupt
        records = first_games(read_records(file), self.block)
        self.results.add(table, records)
        self.played[table] += 1
        return records

    def read(self, tables: Iterable[Table]) -> None:
        """All blocks of these tables that were begun before."""
        for table in tables:
            while self._next(table)[1].exists():
                self.play(table)

    def _next(self, table: Table) -> tuple[Match, Path]:
        """The next block of a table, and its file."""
        number = self.played[table]
        seed, salt = rng.derive(self.ladder.seed, number) >> 1, self.ladder.salt
        salt = rng.derive(salt, number) >> 1 if salt else 0
        match = replace(self.ladder, seed=seed, salt=salt).match(table)
        about = hashlib.sha256(default_record_file(match).stem.encode()).hexdigest()[:12]
        return match, self.folder / f"{about}-{number}.jsonl"
