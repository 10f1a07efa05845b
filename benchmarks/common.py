"""What the benchmarks share: timing against a peer in the same run, and the closing line."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def side_by_side(ours: Callable[[], object], peer: Callable[[], object], rounds: int = 5) -> tuple[float, float]:
    """Median seconds of both, measured turn by turn so that a busy machine troubles them alike."""
    mine, theirs = [], []
    ours(), peer()  # warm up
    for _ in range(rounds):
        mine.append(seconds(ours))
        theirs.append(seconds(peer))
    return statistics.median(mine), statistics.median(theirs)


def close(ratio: float, target: str) -> None:
    print(f"target: {target}")
    print(f"ratio: {ratio:.2f}")
