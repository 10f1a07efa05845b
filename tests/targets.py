"""Run the targets of the Makefile, all or those that are named, in a fresh clone and as short as they can be.

`make check-targets` does. What is committed is tried: the clone is made from the last commit. A target that fails, or
that changes a page, a recorded game or source code, is named.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
QUICK_TESTS = "TESTS=tests/test_rng.py"
FEW_GAMES = "GAMES=500"
SHORT = {
    "help": (),
    "demo": (),
    "lint": (),
    "compiled": (),
    "collected": (QUICK_TESTS,),
    "format": (),
    "test": (QUICK_TESTS,),
    "test-slow": (QUICK_TESTS,),
    "test-under-load": (QUICK_TESTS,),
    "playthroughs": (),
    "docs": (),
    "site": (),
    "bench": ("BENCH=startup",),
    "mutants": ("MUTANTS=--only arena/record.py --sample 1",),
    "race-million": (FEW_GAMES,),
    "lords-million": (FEW_GAMES,),
    "wonders-invariants": (FEW_GAMES,),
    "scripts-ten-thousand": ("GAMES=20",),
    "test-ray": (),
    "constraints": (),
    "release": (),
    "clean": (),
}
"""Every target but `check-targets` itself, with what makes it short, in the order in which they are run."""
UNCHANGED = ("*.md", "boardwright", "tests")
"""What no target changes in a clone that is up to date. (The picture of the demo has times in it.)"""


def main(names: list[str]) -> int:
    unknown = sorted(set(names) - set(SHORT))
    if unknown:
        print(f"no target {', '.join(unknown)}; there are {', '.join(SHORT)}", file=sys.stderr)
        return 2
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "clone", "--quiet", str(ROOT), folder], check=True)
        for name in names or SHORT:
            began = time.monotonic()
            run = subprocess.run(["make", name, *SHORT[name]], cwd=folder, check=False)
            changed = subprocess.run(
                ["git", "diff", "--exit-code", "--stat", "--", *UNCHANGED], cwd=folder, check=False
            )
            fine = run.returncode == changed.returncode == 0
            failed += [] if fine else [name]
            print(f"== {name}: {'ok' if fine else 'FAILED'}, {time.monotonic() - began:.0f} s", flush=True)
    print(f"failed: {', '.join(failed)}" if failed else "all targets work")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
