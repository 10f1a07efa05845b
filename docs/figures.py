"""Tables of README and docs, made from files of results: `make docs`. With --check: say which are not as they would be
made.

Results come from benchmarks/results.json, which the benchmarks write, and from docs/matches/*.json, results of matches
as `--json` writes them. Tables of experiments are checked against docs/results by
tests/test_docs_results.py. A table stands between two comments:

    <!-- table: race-speed -->
    …
    <!-- /table -->
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BENCHMARKS = ROOT / "benchmarks" / "results.json"
RESULTS = ROOT / "docs" / "matches"
_BLOCK = re.compile(r"(<!-- table: ([\w-]+) -->\n)(.*?)(<!-- /table -->)", re.DOTALL)

Table = list[tuple[str, ...]]
"""The heading, and the rows below it."""


class Figures:
    """Results by name."""

    def __init__(self) -> None:
        self.benchmarks: dict[str, Any] = json.loads(BENCHMARKS.read_text())
        self.results: dict[str, Any] = {file.stem: json.loads(file.read_text()) for file in RESULTS.glob("*.json")}

    def of(self, benchmark: str) -> dict[str, float]:
        figures: dict[str, float] = self.benchmarks[benchmark]["figures"]
        return figures

    def won(self, result: str, agent: int = 0) -> str:
        """How often an agent won a match: "95.1 % (93.6–96.3) of 1,000"."""
        found = self.results[result]
        row = found["agents"][agent]
        low, high = row["interval"]
        return f"{100 * row['win_rate']:.1f} % ({100 * low:.1f}–{100 * high:.1f}) of {found['games']:,}"


def rounded(value: float, digits: int = 3) -> str:
    """A figure with its leading digits, grouped: 28,600."""
    if value == 0:
        return "0"
    scaled = float(f"{value:.{digits}g}")
    return f"{scaled:,.0f}" if scaled >= 100 else f"{scaled:g}"


def readme(figures: Figures) -> Table:
    """The README's figures."""
    uct, threads, startup = figures.of("uct_connect_four"), figures.of("threads"), figures.of("startup")
    colonizers, race, net = figures.of("colonizers"), figures.of("race"), figures.of("netsearch")
    scout, wonders = figures.of("scout"), figures.of("wonders")
    eras = figures.results["scout3-eras"]
    return [
        ("what", "ours", "peer or target", "ratio"),
        (
            "UCT on Connect Four, iterations/s on one thread",
            f"{rounded(uct['ours_slowest'])} – {rounded(uct['ours_fastest'])}",
            f"OpenSpiel's C++ `MCTSBot`: {rounded(uct['open_spiel_slowest'])} – {rounded(uct['open_spiel_fastest'])}",
            f"{uct['ratio']:.1f} (geometric mean of nine settings)",
        ),
        (
            "the same on two threads",
            rounded(threads["two"]),
            f"one thread: {rounded(threads['one'])}",
            f"{threads['two'] / threads['one']:.1f}",
        ),
        (
            "`boardwright match connect_four random random --games 1`, warm",
            f"{startup['match_s']:.1f} s",
            "under 1.5 s",
            "",
        ),
        (
            "Colonizers: random games per CPU second",
            rounded(colonizers["random_games"]),
            f"the same rules as plain Python: {rounded(colonizers['random_games_as_python'], 2)}",
            rounded(colonizers["random_games"] / colonizers["random_games_as_python"], 2),
        ),
        (
            "Colonizers: a game with one of each agent",
            f"{colonizers['game_of_each_s']:.2f} s",
            f"the thesis: {THESIS_GAME_S:,} s",
            rounded(THESIS_GAME_S / colonizers["game_of_each_s"], 2),
        ),
        ("Colonizers, experiment 3: games won by ISMCTS", figures.won("colonizers-3"), "the thesis: 37 of 50", ""),
        (
            "Race for the Galaxy: random games per CPU second",
            rounded(race["random_games"]),
            f"the original C program: {race['original_random_games']:,.0f}",
            f"{race['random_games'] / race['original_random_games']:.1f}",
        ),
        (
            "Race for the Galaxy: `netsearch` against `heuristic`",
            figures.won("race-netsearch-heuristic"),
            "at least 90 %",
            "",
        ),
        (
            "Race for the Galaxy: games of `netsearch` against itself per CPU second",
            f"{net['self_play_games']:.1f}",
            f"the original program's AI: {net['original_games']:g}",
            f"{net['self_play_games'] / net['original_games']:.1f}",
        ),
        (
            "SCOUT: nearest neighbours among 300,000 cases",
            f"{scout['retrieval_300000_ms']:.1f} ms",
            f"the same scan with NumPy arrays: {scout['numpy_300000_ms']:.0f} ms",
            f"{scout['numpy_300000_ms'] / scout['retrieval_300000_ms']:.0f}",
        ),
        (
            "SCOUT: games of `scout2` won against `netsearch`. Contains a small network learned from the cases, and"
            " `netsearch` as a partner that trades and consumes",
            figures.won("scout2-netsearch"),
            "the dissertation, against its opponent: 30.2 %",
            "",
        ),
        (
            "SCOUT2 as described, against `netsearch`. Cases alone, no network; `netsearch` is a partner that trades"
            " and consumes",
            figures.won("scout2-as-described"),
            "the dissertation, against its opponent: 30.2 %",
            "",
        ),
        (
            "`scout-hybrid` against `netsearch`. Cases, and a search with `netsearch`'s own network",
            figures.won("scout-hybrid-netsearch"),
            "at least 55 %",
            "",
        ),
        (
            f"SCOUT3: wins per era of {eras['games_per_era']} games, over {eras['eras']} eras, {eras['runs']} runs",
            f"{eras['trend']:+.2f} per era ({eras['interval'][0]:+.2f} to {eras['interval'][1]:+.2f})",
            "the dissertation: no clear trend",
            "",
        ),
        (
            "SCOUT: games against `netsearch` per CPU second",
            f"{scout['games']:.0f}",
            f"the dissertation: {DISSERTATION_GAMES}",
            rounded(scout["games"] / DISSERTATION_GAMES, 2),
        ),
        (
            "7 Wonders: random five-seat games per CPU second",
            rounded(wonders["random_games_5"]),
            f"TAG, as measured before: {wonders['tag_random_games_5']:.0f}",
            f"{wonders['random_games_5'] / wonders['tag_random_games_5']:.0f}",
        ),
    ]


THESIS_GAME_S = 1_558
DISSERTATION_GAMES = 0.009


def colonizers_speed(figures: Figures) -> Table:
    found = figures.of("colonizers")
    return [
        ("", "here", "target", "thesis"),
        ("random games", f"{rounded(found['random_games'])} per second", "20,000", ""),
        (
            "heuristic games, each seat choosing from its observation",
            f"{rounded(found['heuristic_games'])} per second",
            "5,000",
            "",
        ),
        ("an ISMCTS decision, 200 iterations", f"{found['decision_ms']:.1f} ms", "10 ms", "up to tens of seconds"),
        ("a game with one of each agent", f"{found['game_of_each_s']:.2f} s", "0.5 s", f"{THESIS_GAME_S:,} s"),
    ]


def race_speed(figures: Figures) -> Table:
    found = figures.of("race")
    return [
        ("what", "ours", "original", "ratio"),
        (
            "games of two random players",
            rounded(found["random_games"]),
            f"{found['original_random_games']:,.0f}",
            f"{found['random_games'] / found['original_random_games']:.1f}",
        ),
        (
            "replays of its AI's games",
            rounded(found["replays"]),
            f"{found['original_replays']:,.0f}",
            f"{found['replays'] / found['original_replays']:.1f}",
        ),
        ("games of two heuristic players", rounded(found["heuristic_games"]), "", ""),
    ]


def wonders_speed(figures: Figures) -> Table:
    found = figures.of("wonders")
    tag = found["tag_iterations"]

    def row(what: str, ours: float, theirs: float | None) -> tuple[str, ...]:
        return (what, rounded(ours), f"{theirs:,.0f}" if theirs else "", f"{ours / theirs:.0f}" if theirs else "")

    return [
        ("", "ours", "TAG, same game", "times"),
        row("random games/s, 4 seats", found["random_games_4"], found["tag_random_games_4"]),
        row("random games/s, 5 seats", found["random_games_5"], found["tag_random_games_5"]),
        row("search iterations/s with random playouts to the end, 4 seats", found["iterations_plain"], tag),
        row("the same with `playout=heuristic`", found["iterations_heuristic"], tag),
        row("search by the game's defaults, playouts cut short", found["iterations_defaults"], None),
    ]


def batches(figures: Figures) -> Table:
    found = figures.of("batches")

    def row(what: str, ours: str, peer: str, whose: str) -> tuple[str, ...]:
        return (what, rounded(found[ours]), f"{whose}: {rounded(found[peer])}", rounded(found[ours] / found[peer], 2))

    rows = [
        row("Connect Four, `step` with planes", "step", "pgx_step", "pgx, jitted scan"),
        row("the same", "step", "pettingzoo", "PettingZoo's own"),
        row("Connect Four, `run`", "run", "pgx_run", "pgx, jitted scan with nothing returned"),
    ]
    kinds = {"run": "`run`", "step_record": "`step` with records", "step_features": "`step` with features"}
    for name, title in (("race", "Race for the Galaxy, 2 seats"), ("wonders", "7 Wonders, 4 seats")):
        for kind, what in kinds.items():
            if f"{name}_{kind}" in found:
                rows.append(row(f"{title}, {what}", f"{name}_{kind}", f"{name}_random_games", "its random games"))
    return [("steps per CPU second", "ours", "beside", "times"), *rows]


def scale_costs(figures: Figures) -> Table:
    """What was measured of a game, a record, a task."""
    found = figures.of("scale")
    return [
        ("", "measured"),
        ("a game of SCOUT (`scout2`) against `netsearch`, one core", f"{found['long_game_s']:.2g} s"),
        ("a game of `heuristic` against `ismcts:iterations=100` at Race, one core", f"{found['ladder_game_s']:.2g} s"),
        ("a record of the first", f"{found['long_record_bytes']:,.0f} bytes"),
        ("collecting a result: recorded and counted", f"{1e6 * found['collect_s']:,.0f} µs"),
        ("an empty task on Ray", f"{1e6 * found['ray_task_s']:,.0f} µs"),
        ("a match of one short game on Ray, beside the game", f"{1e3 * found['table_s']:,.0f} ms"),
        ("to the first result, two processes", f"{found['processes_first_result_s']:.1f} s"),
        ("to the first result, Ray started for it", f"{found['ray_first_result_s']:.1f} s"),
        (
            "games of 20 ms and more per second, two workers of Ray beside two processes",
            f"{found['ray_games'] / found['processes_games']:.2f}",
        ),
    ]


CORES = (10, 100, 1000)
MILLION, LADDER_AGENTS, LADDER_GAMES = 1_000_000, 100, 100


def scale_runs(figures: Figures) -> Table:
    """What large runs would take, computed from the measured costs."""
    found = figures.of("scale")
    central = found["collect_s"] + found["ray_task_s"]
    tables = LADDER_AGENTS * (LADDER_AGENTS - 1) // 2

    def million(cores: int) -> float:
        return MILLION * max(found["long_game_s"] / cores, central)

    def ladder(cores: int) -> float:
        rounds = -(-LADDER_GAMES // cores)
        games = max(rounds * found["ladder_game_s"], LADDER_GAMES * central)
        return tables * (games + found["table_s"])

    rows = [
        ("a million games of SCOUT against `netsearch`", *(duration(million(cores)) for cores in CORES)),
        (f"a ladder of {LADDER_AGENTS} agents, {LADDER_GAMES} games a table", *(duration(ladder(c)) for c in CORES)),
    ]
    return [("run", *(f"{cores:,} cores" for cores in CORES)), *rows]


def duration(seconds: float) -> str:
    for unit, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{rounded(seconds / length, 2)} {unit}"
    return f"{seconds:.0f} s"


def measured(figures: Figures) -> Table:
    """When and where the benchmarks ran."""
    rows = [
        (
            f"`benchmarks/{name}.py`",
            run["date"],
            f"`{run['commit']}`",
            run["machine"],
            "" if run["load"] is None else str(run["load"]),
        )
        for name, run in sorted(figures.benchmarks.items())
    ]
    return [("benchmark", "date", "commit", "machine", "load of the machine"), *rows]


TABLES: dict[str, Callable[[Figures], Table]] = {
    "readme": readme,
    "colonizers-speed": colonizers_speed,
    "race-speed": race_speed,
    "wonders-speed": wonders_speed,
    "batches": batches,
    "scale-costs": scale_costs,
    "scale-runs": scale_runs,
    "measured": measured,
}


def markdown(table: Table) -> str:
    head, *rows = table
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *(f"| {' | '.join(row)} |" for row in rows)]
    return "".join(" ".join(line.split()) + "\n" for line in lines)


def made(text: str, figures: Figures) -> str:
    """A page with its tables made again."""

    def table(block: re.Match[str]) -> str:
        return f"{block[1]}{markdown(TABLES[block[2]](figures))}{block[4]}"

    return _BLOCK.sub(table, text)


def main() -> None:
    figures, stale = Figures(), []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if (new := made(text, figures)) != text:
            stale.append(page)
            if "--check" not in sys.argv:
                page.write_text(new, encoding="utf-8")
                print(page)
    if stale and "--check" in sys.argv:
        sys.exit(f"not as the results say: {', '.join(str(page.relative_to(ROOT)) for page in stale)}; run `make docs`")


if __name__ == "__main__":
    main()
