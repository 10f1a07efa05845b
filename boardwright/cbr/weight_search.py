"""Coordinate search for feature weights: each weight in turn is tried larger and smaller, and what helps is kept.

The score comes from leave-one-group-out tests, which the retrieval kernel makes cheap enough to run hundreds of times.
"""

from __future__ import annotations

from collections.abc import Callable

STEPS = (0.0, 0.5, 2.0)
SMALLEST = 0.5
"""What a weight of 0 is tried at."""
WORTHWHILE = 1e-4


def coordinate_search(
    weights: dict[str, float],
    score: Callable[[dict[str, float]], float],
    *,
    passes: int = 2,
    progress: Callable[[str, float], None] = lambda name, best: None,
) -> tuple[dict[str, float], float]:
    """The best weights found and their score."""
    best, value = dict(weights), score(weights)
    for _ in range(passes):
        before = value
        for name in weights:
            tried = {best[name] * step for step in STEPS} if best[name] else {SMALLEST, 4 * SMALLEST, 16 * SMALLEST}
            for candidate in sorted(tried - {best[name]}):
                changed = {**best, name: candidate}
                if not any(changed.values()):
                    continue
                found = score(changed)
                if found > value + WORTHWHILE:
                    best, value = changed, found
            progress(name, value)
        if value - before < WORTHWHILE:
            break
    return best, value
