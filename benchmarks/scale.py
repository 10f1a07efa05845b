"""What games cost beyond one process: Ray against local processes, and what a game, a record and a task take.

Throughput is that of games of some 20 ms between the first result and the last, two workers each, in turns; how long
each takes to the first result is told apart. Ray is optional: `pip install 'boardwright[ray]'`. docs/scale.md computes
from these figures what large runs cost.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from common import close, publish

from boardwright.arena.match import Match
from boardwright.arena.runner import run_match
from boardwright.errors import MissingExtra
from boardwright.executors import InProcess, Processes
from boardwright.kernel.ready import make_ready

WORKERS, GAMES, ROUNDS = 2, 80, 2
SHORT = Match("connect_four", ("uct:iterations=500", "uct:iterations=500"), seed=1)
LADDER = Match("race", ("heuristic", "ismcts:iterations=100,playout=random"), seed=1)
LONG = Match("race", ("scout2", "netsearch"), seed=1)


def timed(results: Iterator[Any]) -> tuple[float, float]:
    """Seconds to the first result, and results per second after it."""
    began = time.perf_counter()
    next(results)
    first = time.perf_counter()
    rest = sum(1 for _ in results)
    return first - began, rest / (time.perf_counter() - first)


def seconds_per_game(match: Match, games: int) -> tuple[float, float]:
    """CPU seconds of one process, and bytes of a record."""
    make_ready(match.needs())
    match.play(0)
    began = time.process_time()
    records = [match.play(index) for index in range(1, games + 1)]
    return (time.process_time() - began) / games, statistics.mean(len(record.line()) for record in records)


def overhead_per_record(games: int = 2_000) -> float:
    """Seconds that the process which collects results needs for each: writing it down and counting it."""
    match = Match("kuhn_poker", ("optimal", "optimal"), seed=1)
    played = list(InProcess().run(match.play, range(games)))

    class Handed:
        def run(self, function: Any, items: Any) -> Iterator[Any]:
            return iter(played)

    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        run_match(match, games, file=Path(folder) / "games.jsonl", executor=Handed())
        return (time.perf_counter() - began) / games


def no_work() -> None:
    pass


def seconds_per_table(place: Any, tables: int = 7) -> float:
    """What a match costs beside its games: checks, files, sending it out."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(tables):
            match = Match("kuhn_poker", ("optimal", "optimal"), seed=seed)
            began = time.perf_counter()
            run_match(match, 1, file=Path(folder) / f"{seed}.jsonl", executor=place)
            found.append(time.perf_counter() - began)
    return statistics.median(found)


def main() -> None:
    figures: dict[str, float] = {}
    for name, match, games in (("short", SHORT, 20), ("ladder", LADDER, 20), ("long", LONG, 6)):
        figures[f"{name}_game_s"], figures[f"{name}_record_bytes"] = seconds_per_game(match, games)
        print(
            f"{match.game_name}, {' against '.join(match.entrants)}: {1000 * figures[f'{name}_game_s']:.0f} ms a game,"
            f" {figures[f'{name}_record_bytes']:.0f} bytes a record"
        )
    figures["collect_s"] = overhead_per_record()
    print(f"collecting a result: {1e6 * figures['collect_s']:.0f} µs")
    ratio = 0.0
    try:
        from boardwright.ray_executor import OnRay

        places: dict[str, Any] = {"processes": Processes(WORKERS), "ray": OnRay(workers=WORKERS)}
    except MissingExtra as error:
        print(error)
        places = {"processes": Processes(WORKERS)}
    rates: dict[str, list[float]] = {name: [] for name in places}
    for _ in range(ROUNDS):
        for name, place in places.items():
            start, rate = timed(place.run(SHORT.play, range(GAMES)))
            rates[name].append(rate)
            figures.setdefault(f"{name}_first_result_s", start)
    for name, found in rates.items():
        figures[f"{name}_games"] = statistics.median(found)
        start = figures[f"{name}_first_result_s"]
        print(f"{name}: {figures[f'{name}_games']:.1f} games/s, first result after {start:.1f} s")
    if "ray" in places:
        import ray

        nothing = ray.remote(no_work)
        ray.get([nothing.remote() for _ in range(20)])
        began = time.perf_counter()
        ray.get([nothing.remote() for _ in range(1_000)])
        figures["ray_task_s"] = (time.perf_counter() - began) / 1_000
        print(f"an empty task on Ray: {1e6 * figures['ray_task_s']:.0f} µs")
        figures["table_s"] = seconds_per_table(places["ray"])
        print(f"a table of one short game on Ray: {1e3 * figures['table_s']:.0f} ms")
        ratio = figures["ray_games"] / figures["processes_games"]
    publish("scale", figures)
    close(ratio, "at least 0.9 of the games per second of two local processes")


if __name__ == "__main__":
    main()
