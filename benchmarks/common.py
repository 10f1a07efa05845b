"""What the benchmarks share: timing against a peer in the same run, the closing line, and the file of results.

Tables in README and docs are made from that file: `make docs`.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boardwright.files import alone, write_json

RESULTS = Path(__file__).parent / "results.json"


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


def publish(benchmark: str, figures: dict[str, float], file: Path = RESULTS) -> None:
    """Put a benchmark's figures into the file of results, in place of earlier ones, with date, machine and commit."""
    with alone(file.with_suffix(".lock"), f"another benchmark is writing {file}; run them one after the other"):
        results: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
        results[benchmark] = {
            "date": datetime.date.today().isoformat(),
            "commit": commit(),
            "machine": f"{_processor()}, {os.cpu_count()} cores",
            "load": round(os.getloadavg()[0], 1),
            "figures": {name: float(f"{value:.4g}") for name, value in figures.items()},
        }
        write_json(file, dict(sorted(results.items())))


def close(ratio: float, target: str) -> None:
    print(f"target: {target}")
    print(f"ratio: {ratio:.2f}")


def commit() -> str:
    """The commit that is measured; with a + if files are changed since."""

    def git(*arguments: str) -> str:
        told = subprocess.run(
            ["git", *arguments], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
        )
        return told.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", "../boardwright")
    return git("rev-parse", "--short", "HEAD") + ("+" if changed else "")


def _processor() -> str:
    """The processor's name, where the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
