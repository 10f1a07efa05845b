"""What the benchmarks measured."""

from __future__ import annotations

from boardwright.experiments.tables import Table
from figure_tables.results import Figures, TableOf, rounded

THESIS_GAME_S = 1_558


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


def lords_speed(figures: Figures) -> Table:
    found = figures.of("lords")
    return [
        ("CPU time on one core", "ours", "target", "the thesis"),
        (
            "random games per second",
            rounded(found["random_games"]),
            f"at least {found['random_games_target']:,.0f}",
            "",
        ),
        *(
            (
                f"5,000 iterations of {name} from S1",
                f"{found[f'{family}_ms']:.0f} ms",
                f"at most {found[f'{family}_target_ms']:.0f} ms",
                f"{found[f'{family}_published_ms']:,.0f} ms",
            )
            for family, name in (("uct", "UCT"), ("ismcts", "ISMCTS"))
        ),
    ]


def lords_iterations(figures: Figures) -> Table:
    found = figures.of("lords_iterations")
    searches = {
        "uct": "UCT",
        "ismcts": "ISMCTS",
        "pruned": "UCT pruned by h4, limit 15",
        "extrapolated": "the same with state extrapolation",
    }
    rows = (
        (text, f"{found[f'{name}_before']:,.0f}", f"{found[f'{name}_now']:,.0f}", f"{found[f'{name}_ratio']:.2f}")
        for name, text in searches.items()
    )
    return [("iterations per CPU second, playouts to the end", "before", "now", "times"), *rows]


def lords_shape(figures: Figures) -> Table:
    """How long games are and how many choices there are, beside the thesis's figures."""
    found = figures.of("lords")

    def values(name: str) -> str:
        low, high = found[f"{name}_low"], found[f"{name}_high"]
        return f"{found[name]:.0f}, nine in ten from {low:.0f} to {high:.0f}"

    return [
        ("", "ours", "the thesis"),
        ("turns of a random game", values("random_turns"), "50 to 120"),
        ("turns of a game of UCT", values("mcts_turns"), "30 to 60"),
        ("choices at a deployment in the middle half of a game of UCT", values("mcts_choices"), "25 to 50"),
        ("children of the root in S1, UCT", f"{found['uct_children']:.0f}", "20 to 30"),
        ("children of the root in S1, ISMCTS", f"{found['ismcts_children']:.0f}", "about 150"),
        ("deployments in S1 over all cards one might hold", f"{found['unknown_deployments']:.0f}", ""),
    ]


def scripts_speed(figures: Figures) -> Table:
    found = figures.of("scripts")
    return [
        ("Connect Four", "measured", "target"),
        ("`random` in this process, ms per decision (median)", rounded(found["in_process_ms"]), ""),
        ("`isolated:random`, the same decisions", rounded(found["isolated_ms"]), ""),
        ("overhead of a decision, pipe included, ms", rounded(found["overhead_ms"]), "at most 0.2"),
        (
            "`examples/scripts/first.py`, random decisions per CPU second of both processes",
            rounded(found["decisions_per_cpu_second"]),
            "3,000",
        ),
        (
            "the same by the clock, with other work on the [machine](figures.md)",
            rounded(found["decisions"]),
            "",
        ),
        ("rule applications/s, asked for in batches", rounded(found["applications"]), "100,000"),
    ]


def cases_speed(figures: Figures) -> Table:
    found = figures.of("cases")
    sizes = [int(name.split("_")[1]) for name in found if name.startswith("retrieval_")]
    rows = [(f"the nearest 32 of {size:,} points", f"{found[f'retrieval_{size}_ms']:.2f} ms") for size in sizes]
    decision = ("a decision of `race` with 100,000 cases", f"{found['decision_ms']:.2f} ms")
    return [("what", "processor time"), *rows, decision]


def scout_speed(figures: Figures) -> Table:
    found, targets = figures.of("scout"), {3_000: 0.1, 300_000: 1, 3_000_000: 5}
    rows = [
        (
            f"{cases:,}",
            f"{found[f'retrieval_{cases}_ms']:.2f} ms",
            f"{found[f'new_{cases}_ms']:.2f} ms",
            f"{target} ms",
        )
        for cases, target in targets.items()
    ]
    return [("cases", "a situation that is among them", "one of a new game", "target"), *rows]


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


TABLES: dict[str, TableOf] = {
    "colonizers-speed": colonizers_speed,
    "race-speed": race_speed,
    "wonders-speed": wonders_speed,
    "lords-speed": lords_speed,
    "lords-iterations": lords_iterations,
    "lords-shape": lords_shape,
    "scripts-speed": scripts_speed,
    "cases-speed": cases_speed,
    "scout-speed": scout_speed,
    "batches": batches,
    "measured": measured,
}
