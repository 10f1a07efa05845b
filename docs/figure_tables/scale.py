"""What large runs would take, from measured costs."""

from __future__ import annotations

from boardwright.experiments.tables import Table
from figure_tables.results import Figures, TableOf, rounded


def scale_costs(figures: Figures) -> Table:
    """What was measured of a game, a record, a task."""
    found = figures.of("scale")
    return [
        ("", "measured"),
        ("a game of SCOUT (`scout2`) against `netsearch`, one core", f"{found['long_game_s']:.2g} s"),
        (
            "a game of `heuristic` against `ismcts:iterations=100,playout=random` at Race, one core",
            f"{found['ladder_game_s']:.2g} s",
        ),
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


TABLES: dict[str, TableOf] = {
    "scale-costs": scale_costs,
    "scale-runs": scale_runs,
}
