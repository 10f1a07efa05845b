"""All benchmarks, or those that are named, one after the other, and their ratios in one table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

NOT_BENCHMARKS = {"run.py", "common.py", "given_away.py"}


def main() -> None:
    rows = []
    for file in sorted(Path(__file__).parent.glob("*.py")):
        if file.name in NOT_BENCHMARKS or (sys.argv[1:] and file.stem not in sys.argv[1:]):
            continue
        print(f"\n== {file.name}", flush=True)
        finished = subprocess.run([sys.executable, str(file)], stdout=subprocess.PIPE, text=True, check=False)
        print(finished.stdout, end="", flush=True)
        last = (finished.stdout.strip().splitlines() or ["nothing printed"])[-1]
        rows.append((file.stem, last if finished.returncode == 0 else f"FAILED with exit {finished.returncode}"))
    print("\n== all")
    for name, last in rows:
        print(f"{name:24} {last}")
    if any(last.startswith("FAILED") for _, last in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
