"""What became of the case bases in runs of SCOUT3: their sizes era after era, what was deleted, and case quality.

Case quality is section 7.1.3 of the dissertation: of the cases that a run began with, some are still there at its end.
Cases that several runs have kept are more than chance would leave in all of them, if maintenance can tell good ones.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

from boardwright.cbr.snapshot import unpack_snapshot
from boardwright.cbr.store import ACTIVE, CANDIDATE, REMOVED, Store

BASES = {"phase": 0, "develop": 3, "settle": 5}


def active_by_era(file: Path) -> dict[str, list[set[int]]]:
    """By case base: the cases in use when the run began, and at the end of each era."""
    with Store(file) as store:
        base_of = {case.id: case.base for case in store.cases(ACTIVE, CANDIDATE, REMOVED)}
        eras = range(store.last_era() + 1)
        archives = [unpack_snapshot(store.archive(era) or b"")[0] for era in eras]
    in_use = [{case.id for case in archive if case.status == ACTIVE} for archive in archives]
    return {
        name: [{case for case in cases if base_of.get(case) == base} for cases in in_use]
        for name, base in BASES.items()
    }


def sizes_and_deletions(file: Path) -> dict[str, dict[str, list[int]]]:
    """By case base: how many cases it had at the beginning and after each era, and how many each era deleted."""
    return {
        name: {
            "sizes": [len(cases) for cases in eras],
            "deleted": [len(before - after) for before, after in pairwise(eras)],
        }
        for name, eras in active_by_era(file).items()
    }


def case_quality(files: list[Path]) -> dict[str, dict[str, Any]]:
    """By case base: how many of the first cases each run has kept to its end, how many of them all runs have, and how
    many all would have if each had kept as many at random."""
    histories = [active_by_era(file) for file in files]
    found = {}
    for name in BASES:
        runs = [history[name] for history in histories if history[name]]
        if not runs:
            continue
        first = runs[0][0]
        kept = [eras[0] & eras[-1] for eras in runs]
        expected = float(len(first))
        for cases in kept:
            expected *= len(cases) / max(len(first), 1)
        common = set.intersection(*kept)
        found[name] = {
            "initial": len(first),
            "kept": [len(cases) for cases in kept],
            "kept_by_all": len(common),
            "by_chance": expected,
        }
    return found
