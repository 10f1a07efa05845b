"""Iterations of search on Lords of War per CPU second, now and at an earlier commit, measured turn by turn in one run.

    python benchmarks/lords_iterations.py [commit]

The earlier program is taken out of Git into a temporary folder and runs in processes of its own. Both decide in the
same positions: the thesis's S1, and two of a random game. Both find the same there (tests/test_lords_fixed_seed.py), so
that the same work is compared.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
BEFORE = "e811520"
"""The commit that attack strengths were still recounted at."""
TARGET = 2.5
ROUNDS = 3
TO_THE_END = "exploration=1,playout=random,plies=-1"
SEARCHES = {
    "uct": (f"uct:iterations=5000,{TO_THE_END}", "open"),
    "ismcts": (f"ismcts:iterations=5000,{TO_THE_END}", "hidden"),
    "pruned": (f"uct:iterations=5000,{TO_THE_END},prune=h4,limit=15", "open"),
    "extrapolated": (f"uct:iterations=5000,{TO_THE_END},prune=h4,limit=15,extrapolate=true", "open"),
}
MOVES = (2, 25, 50)
"""The positions: after so many moves of a random game."""


def measure() -> dict[str, float]:
    """Iterations per CPU second of each search, with whatever version of the package is imported."""
    import numpy as np

    import boardwright as bw

    game, found = bw.game("lords"), {}
    for name, (spec, information) in SEARCHES.items():
        state, random = game.new(seed=1, information=information), np.random.default_rng(1)
        seconds, decided = 0.0, 0
        for move in range(max(MOVES) + 1):
            if move in MOVES:
                agent, observation = bw.agent(spec, game, state.player, seed=1), state.observation(state.player)
                if not decided:
                    agent.decide(observation)  # loads what is compiled
                began = time.process_time()
                agent.decide(observation)
                seconds, decided = seconds + time.process_time() - began, decided + 1
            state.apply(int(random.choice(state.legal_actions())))
        found[name] = 5000 * decided / seconds
    return found


def measured_in(folder: Path) -> dict[str, float]:
    """The same in a process that imports the package from a folder."""
    run = subprocess.run(
        [sys.executable, str(Path(__file__).resolve()), "--measure"],
        env={**os.environ, "PYTHONPATH": str(folder)},
        cwd=folder,
        stdout=subprocess.PIPE,
        check=True,
    )
    return dict(json.loads(run.stdout))


def main(commit: str) -> None:
    from common import close, publish

    with tempfile.TemporaryDirectory() as temporary:
        earlier = Path(temporary)
        archive = subprocess.run(
            ["git", "archive", commit, "boardwright"], cwd=ROOT, stdout=subprocess.PIPE, check=True
        ).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(earlier, filter="data")
        rounds = [(measured_in(earlier), measured_in(ROOT)) for _ in range(ROUNDS)]
    figures, ratios = {}, []
    print(f"{'iterations per CPU second':>26} {commit:>9} {'now':>9}")
    for name in SEARCHES:
        before, now = (max(round_[i][name] for round_ in rounds) for i in (0, 1))
        ratios.append(now / before)
        figures |= {f"{name}_before": before, f"{name}_now": now, f"{name}_ratio": now / before}
        print(f"{name:>26} {before:>9,.0f} {now:>9,.0f}   {now / before:.2f} times")
    publish("lords_iterations", figures)
    close(min(ratios), f"{TARGET} times as many iterations as at {commit}, for each (the least of them)")


if __name__ == "__main__":
    if "--measure" in sys.argv:
        print(json.dumps(measure()))
    else:
        main(sys.argv[1] if len(sys.argv) > 1 else BEFORE)
