"""Experiments that are grids of matches, and those of Sephton's thesis."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from boardwright.arena.match import Match
from boardwright.executors import InProcess
from boardwright.experiments import experiments, load_experiment
from boardwright.experiments.grid import Cell, Grid, results_of
from boardwright.experiments.grid_claims import (
    CellResult,
    GridClaim,
    WatchedResults,
    above,
    all_of,
    below,
    gain,
    near,
    plan,
    stronger,
    together_above,
    together_below,
)
from boardwright.experiments.model import Conditions, Experiment, Published, Verdict
from boardwright.experiments.quiet import Watch
from boardwright.experiments.run import run_experiment, store_result
from boardwright.experiments.sephton_complexity import complexity_of_decisions, measure_complexity, simpler
from boardwright.experiments.sephton_duplicates import judge as judge_duplicates
from boardwright.experiments.sephton_duplicates import shared_choices
from boardwright.experiments.sephton_parallel import SEARCHES, start_position
from boardwright.experiments.sephton_parallel import judge as judge_times
from boardwright.experiments.sephton_pruning import LIMIT, PAIRS
from boardwright.experiments.sephton_selection import BUDGETS, NOT_TUNED, ROULETTES, _against
from boardwright.experiments.sequential import ALPHA
from boardwright.experiments.tables import NOT_PLAYED, Stored, times_claims

STORED = sorted((Path(__file__).parent.parent / "docs" / "results").glob("sephton-*.json"))
SEPHTON = [name for name in experiments() if name.startswith("sephton")]


def test_a_grid_plays_its_cells_and_sets_the_published_share_beside_ours(tmp_path: Path) -> None:
    grid = Grid(
        [
            Cell("search", "v. random", "uct:iterations=60", "random", 0.9),
            Cell("random", "v. random", "random", "random"),
        ],
        (GridClaim("search wins", above("search", "v. random", 0.5)),),
    )
    experiment = Experiment(
        "small", "connect_four", "a small grid", "", 8, 3, Published("nowhere", 0, "agent", ()), (), conduct=grid.run
    )
    said = io.StringIO()
    assert grid.run(experiment, Conditions(8, tmp_path, Console(file=said, width=120), InProcess()))
    result = json.loads((tmp_path / "result.json").read_text())
    search, random = result["cells"]
    assert (search["games"], search["published"], random["published"]) == (8, 0.9, None)
    assert search["points"] >= 6
    assert search["best_move_rate"] == 1
    assert result["claims"][0]["verdict"] in ("holds", "undecided")
    assert "90 / " in said.getvalue()


def test_cells_with_the_same_agents_are_one_match(tmp_path: Path) -> None:
    cells = [Cell(row, "v. random", "random", "random") for row in ("a", "b")]
    grid = Grid(cells, (GridClaim("not lost", above("b", "v. random", -1)),), games_in="all")
    experiment = Experiment(
        "small", "connect_four", "a small grid", "", 4, 3, Published("nowhere", 0, "agent", ()), (), conduct=grid.run
    )
    folder = tmp_path / "small"
    folder.mkdir()
    assert grid.run(experiment, Conditions(4, folder, Console(file=io.StringIO()), InProcess()))
    result = json.loads((folder / "result.json").read_text())
    assert [cell["games"] for cell in result["cells"]] == [4, 4]
    assert len(list((tmp_path / "all").iterdir())) == 1, "the same agents: the same games"


def test_a_stored_result_brings_others_of_the_same_matches_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def of(name: str, *rows: str) -> Experiment:
        cells = [Cell(row, "v. random", f"uct:iterations={1 + len(row)}", "random") for row in rows]
        grid = Grid(cells, (), games_in="all")
        published = Published("nowhere", 0, "agent", ())
        return Experiment(name, "connect_four", "a small grid", "", 2, 3, published, (), conduct=grid.run)

    declared = {"first": of("first", "a", "ab"), "second": of("second", "a", "abc"), "third": of("third", "abcd")}
    monkeypatch.setattr("boardwright.experiments.run.experiments", lambda: list(declared))
    monkeypatch.setattr("boardwright.experiments.run.load_experiment", declared.__getitem__)
    console, out = Console(file=io.StringIO(), width=120), tmp_path / "games"
    for name, games in (("first", 2), ("second", 2), ("third", 2), ("second", 4)):
        assert run_experiment(declared[name], console, games=games, folder=out)
        found = json.loads((out / name / "result.json").read_text())
        store_result(declared[name], found, out, tmp_path / f"{name}.json", console)

    def games_of(name: str) -> list[int]:
        return [cell["games"] for cell in json.loads((tmp_path / f"{name}.json").read_text())["cells"]]

    assert (games_of("first"), games_of("second"), games_of("third")) == ([4, 2], [4, 4], [2])


def test_a_claim_needs_games_of_the_cells_alone_that_keep_it_open() -> None:
    results = {("a", "x"): CellResult(40, 40), ("b", "x"): CellResult(10, 9), ("c", "x"): CellResult(10, 5)}
    both = all_of([above("a", "x", 0.5), above("b", "x", 0.5)])
    assert (wanted := plan(both, results, 40)).keys() == {("b", "x")}
    assert 10 < wanted["b", "x"] < 20
    assert plan(above("a", "x", 0.5), results, 40) == {}, "decided"
    assert plan(above("c", "x", 0.5), results, 40) == {}, "hopeless if half of the games are won"
    assert plan(below("c", "x", 0.8), results, 40).keys() == {("c", "x")}


@pytest.mark.parametrize(
    ("judge", "verdict"),
    [
        (above("a", "x", 0.5), Verdict.HOLDS),
        (above("b", "x", 0.5), Verdict.OPEN),
        (above("c", "x", 0.5), Verdict.FAILS),
        (below("c", "x", 0.5), Verdict.HOLDS),
        (below("a", "x", 0.5), Verdict.FAILS),
        (near("b", "x", 0.5, 0.2), Verdict.HOLDS),
        (near("a", "x", 0.5, 0.2), Verdict.FAILS),
        (stronger(("a", "x"), ("c", "x")), Verdict.HOLDS),
        (stronger(("c", "x"), ("a", "x")), Verdict.FAILS),
        (together_above([("a", "x"), ("b", "x")], 0.5), Verdict.HOLDS),
        (together_below([("a", "x"), ("b", "x")], 0.5), Verdict.FAILS),
        (all_of([above("a", "x", 0.5), below("c", "x", 0.5)]), Verdict.HOLDS),
        (all_of([above("a", "x", 0.5), above("c", "x", 0.5)]), Verdict.FAILS),
        (all_of([above("a", "x", 0.5), above("b", "x", 0.5)]), Verdict.OPEN),
    ],
)
def test_claims_are_judged_by_intervals(judge: object, verdict: Verdict) -> None:
    results = {("a", "x"): CellResult(100, 90), ("b", "x"): CellResult(100, 50), ("c", "x"): CellResult(100, 10)}
    assert judge(results, ALPHA)[0] is verdict  # type: ignore[operator]


def by_game(*results: float) -> CellResult:
    return CellResult(len(results), sum(results), results=results)


def test_cells_together_are_judged_by_rounds_of_one_game_each() -> None:
    """The first games of each cell are on the same deals; a cell's further games belong to no round."""
    results = {("a", "x"): by_game(*[1] * 30), ("b", "x"): by_game(*[1, 0] * 8), ("c", "x"): by_game(*[0] * 16)}
    both = [("a", "x"), ("b", "x")]
    assert together_above(both, 0.5)(results, ALPHA)[0] is Verdict.HOLDS
    assert together_below(both, 0.5)(results, ALPHA)[0] is Verdict.FAILS
    assert together_above(both, 0.75)(results, ALPHA)[0] is Verdict.OPEN
    assert together_above(both, 0.5)(results, ALPHA)[1].startswith("75 (5")
    assert together_above(both, 0.5)(results, ALPHA)[1].endswith("of 32 games, 16 of each")
    assert together_below([*both, ("d", "x")], 0.5)(WatchedResults(results), ALPHA)[0] is Verdict.OPEN


def test_two_cells_are_compared_deal_by_deal_if_their_games_are_kept() -> None:
    """One wins wherever the other does, and in a third of the other deals too: their intervals overlap."""
    one, other = [1, 1, 1, 0, 0, 1] * 8, [1, 1, 0, 0, 0, 0] * 8
    kept = {("a", "x"): by_game(*one), ("b", "x"): by_game(*other)}
    lost = {place: CellResult(cell.games, cell.points) for place, cell in kept.items()}
    better = stronger(("a", "x"), ("b", "x"))
    assert better(lost, ALPHA)[0] is Verdict.OPEN
    assert better(kept, ALPHA)[0] is Verdict.HOLDS
    assert gain([("b", "x")], [("a", "x")])(kept, ALPHA)[0] is Verdict.FAILS
    assert "+33 points" in better(kept, ALPHA)[1]
    assert "in 48 pairs" in better(kept, ALPHA)[1]


@pytest.mark.parametrize("name", SEPHTON)
def test_experiments_of_the_thesis_are_declared_with_agents_that_can_be_made(name: str) -> None:
    experiment = load_experiment(name)
    assert experiment.conduct is not None
    grid = getattr(experiment.conduct, "__self__", None)
    for cell in getattr(grid, "cells", ()):
        Match(experiment.game, (cell.spec, cell.opponent), experiment.seed, dict(grid.options)).check()


@pytest.mark.parametrize("file", STORED, ids=lambda file: file.stem)
def test_stored_results_are_of_the_experiments_as_declared(file: Path) -> None:
    """Of the declared budget, or of another that the result names; not all cells need be played yet."""
    stored = json.loads(file.read_text(encoding="utf-8"))
    experiment = load_experiment(stored["experiment"])
    assert stored["seed"] == experiment.seed
    assert {claim["claim"] for claim in stored["claims"]} <= set(experiment.claim_texts()), "`show` names them"
    grid = getattr(experiment.conduct, "__self__", None)
    if isinstance(grid, Grid):
        grid = grid.at(stored["iterations"], stored["seconds"])
        declared = {(cell.row, cell.column, cell.spec, cell.opponent, cell.published) for cell in grid.cells}
        kept = [
            tuple(cell[name] for name in ("row", "column", "spec", "opponent", "published")) for cell in stored["cells"]
        ]
        assert set(kept) <= declared
        told = [claim for claim in stored["claims"] if claim["claim"] in {claim.text for claim in grid.claims}]
        assert told == grid.judge(results_of(stored)), "verdicts are those of the cells"


def test_one_match_has_one_figure() -> None:
    found: dict[tuple[str, ...], set[tuple[int, float]]] = {}
    for stored in (json.loads(file.read_text(encoding="utf-8")) for file in STORED):
        for cell in stored.get("cells", ()):
            match = (cell["spec"], cell["opponent"], json.dumps(stored["options"]))
            found.setdefault(match, set()).add((cell["games"], cell["points"]))
    assert {match: figures for match, figures in found.items() if len(figures) > 1} == {}


def test_another_budget_is_that_of_both_agents() -> None:
    grid = load_experiment("sephton-budgets").conduct.__self__  # type: ignore[union-attr]
    small = grid.at(1_000)
    weak = next(cell for cell in small.cells if cell.column == "v. 0.1 times")
    assert "iterations=1000," in weak.spec
    assert "iterations=100," in weak.opponent
    assert "seconds=0.005" in load_experiment("sephton-a3").conduct.__self__.at(None, 0.005).cells[0].spec  # type: ignore[union-attr]


def scheduled(grid: Grid, games: int, shares: dict[str, float], claims_only: bool = False) -> list[tuple[str, int]]:
    """Rows and numbers of games in the order in which they are played, if rows win these shares."""
    results: dict[tuple[str, str], CellResult] = {}
    order = []
    for cell, wanted in grid.schedule(games, results, claims_only=claims_only):
        assert len(order) < 100, "it goes on forever"
        before = results.get(cell.place, CellResult())
        results[cell.place] = CellResult(max(before.games, wanted), max(before.games, wanted) * shares[cell.row])
        if wanted > before.games:
            order.append((cell.row, wanted))
    return order


def test_cells_of_claims_come_first_and_those_that_decide_soonest_go_on() -> None:
    cells = [Cell(row, "x", f"uct:iterations={n}", "random") for n, row in enumerate("abc", 1)]
    claims = [GridClaim(f"{row} wins", above(row, "x", 0.5)) for row in "bc"]
    order = scheduled(Grid(cells, claims), 40, {"a": 0.5, "b": 0.8, "c": 1.0})
    assert order[:4] == [("b", 10), ("c", 10), ("b", 20), ("b", 26)]
    assert order[4:] == [("a", 10), ("a", 40), ("b", 40), ("c", 40)]


def test_a_hopeless_claim_gets_no_more_games_than_the_others() -> None:
    cells = [Cell(row, "x", f"uct:iterations={n}", "random") for n, row in enumerate("ab", 1)]
    grid = Grid(cells, [GridClaim("b wins", above("b", "x", 0.5))])
    assert scheduled(grid, 8, {"a": 1.0, "b": 0.5}) == [("b", 2), ("a", 2), ("a", 8), ("b", 8)]


def test_of_claims_alone_those_that_stay_open_get_all_their_games() -> None:
    """Ten games can look hopeless by chance."""
    cells = [Cell(row, "x", f"uct:iterations={n}", "random") for n, row in enumerate("abc", 1)]
    grid = Grid(cells, [GridClaim(f"{row} wins", above(row, "x", 0.5)) for row in "bc"])
    assert scheduled(grid, 40, {"b": 0.5, "c": 1.0}, claims_only=True) == [("b", 10), ("c", 10), ("b", 40)]


def samples(**ratios: float) -> dict[tuple[str, int], list[float]]:
    """Milliseconds of ten decisions for each setting, which vary by a few percent."""
    taken = {}
    for mode in ("Root", "Tree", "TreeVL", "Leaf"):
        for threads in (1, 2, 4, 8):
            base = ratios.get(f"{mode}{threads}", 100.0 / threads)
            taken[mode, threads] = [base * (1 + 0.01 * ((3 * i + threads) % 5 - 2)) for i in range(10)]
    return taken


def test_times_can_be_undecided_and_are_not_judged_on_a_loaded_machine() -> None:
    def verdicts(load: float, **ratios: float) -> dict[str, str]:
        return {told["claim"].split()[0]: told["verdict"] for told in judge_times("uct", samples(**ratios), load)}

    clear = verdicts(0.0, Tree2=80, TreeVL2=81, Leaf2=90)
    assert (clear["root"], clear["two"]) == ("holds", "holds")
    assert verdicts(0.0, Tree2=50, TreeVL2=50, Leaf2=50)["root"] == "undecided"
    assert set(verdicts(2.0, Tree2=80, TreeVL2=81, Leaf2=90).values()) == {"undecided"}


def test_what_others_use_is_all_that_is_used_less_the_own_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """A load average counts what the program did itself a minute ago."""
    clocks = {"perf_counter": iter([100.0, 110.0]), "process_time": iter([5.0, 20.0])}
    for name, values in clocks.items():
        monkeypatch.setattr(f"boardwright.experiments.quiet.time.{name}", lambda values=values: next(values))
    used = iter([1000.0, 1018.0])
    monkeypatch.setattr("boardwright.experiments.quiet.machine_seconds", lambda: next(used))
    assert Watch().others() == pytest.approx(0.3), "3 of 18 seconds, in ten"


def test_where_the_system_does_not_tell_it_is_the_load_average(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwright.experiments.quiet._COUNTED", Path("/nowhere/stat"))
    monkeypatch.setattr("boardwright.experiments.quiet.os.getloadavg", lambda: (1.5, 0.0, 0.0))
    assert Watch().others() == 1.5


def test_verdicts_of_an_earlier_run_stand_beside_those_of_the_last() -> None:
    def run(decisions: int, *claims: str) -> dict[str, object]:
        told = [{"claim": claim, "verdict": "holds", "figures": f"{decisions / 100}"} for claim in claims]
        return {"games": decisions, "claims": told}

    stored = Stored.of("a1", {"a1": run(60, "one", "two"), "a1-earlier": run(10, "two"), "a10": run(1, "one")})
    assert times_claims(stored) == [
        ("claim", "60 decisions", "10 decisions, earlier"),
        ("one", "holds: 0.6", ""),
        ("two", "holds: 0.6", "holds: 0.1"),
    ]


def test_decisions_are_timed_after_both_challenges() -> None:
    for options in SEARCHES.values():
        state = start_position(options)
        assert sum(int(cards).bit_count() for cards in state.record.occupied) == 2, "a general of each seat"


def test_complexity_is_measured_where_an_entrant_had_a_choice() -> None:
    record = Match("lords", ("random", "random"), seed=1).play(0)
    values = list(complexity_of_decisions(record, entrant=0))
    assert 10 < len(values) < len(record.actions)
    assert all(set(value) == {"cx0", "cx1", "cx2", "cx3", "cx4"} and value["cx0"] > 1 for value in values)


def test_complexity_of_one_agent_alone_leaves_the_claim_open() -> None:
    """As with `--only`."""
    record = Match("lords", ("random", "random"), seed=1).play(0)
    (judged,) = measure_complexity({("Random", "v. RobustChild"): [record]})["claims"]
    assert (judged["verdict"], judged["figures"]) == (Verdict.OPEN.value, NOT_PLAYED)


def test_positions_are_simpler_if_all_measures_are_lower_beyond_chance() -> None:
    def games(*means: float) -> list[list[dict[str, float]]]:
        """Ten games of two decisions, whose measures vary from game to game."""
        return [
            [{f"cx{i}": mean + 0.1 * (game % 3) + shift for i, mean in enumerate(means)} for shift in (-0.2, 0.2)]
            for game in range(10)
        ]

    lower = simpler(games(1.0, 2.0), games(2.0, 3.0))
    assert lower == (Verdict.HOLDS, "lower: cx0, cx1 (10 and 10 games)")
    alike = simpler(games(1.0, 2.0), games(2.0, 2.01))
    assert alike == (Verdict.OPEN, "lower: cx0; not told apart: cx1 (10 and 10 games)")
    higher = simpler(games(1.0, 2.0), games(2.0, 1.0))
    assert higher == (Verdict.FAILS, "lower: cx0; higher: cx1 (10 and 10 games)")


def tuning(tuned: list[float], untuned: list[float], games: int) -> Verdict:
    """What is said of tuning if all agents have these shares, from the weakest opponent to the strongest."""
    results = {
        (agent + note, _against(opponent)): CellResult(games, share * games)
        for agent in ROULETTES
        for note, shares in (("", tuned), (NOT_TUNED, untuned))
        for opponent, share in zip(BUDGETS[:4], shares, strict=True)
    }
    grid = load_experiment("sephton-tuning").conduct.__self__  # type: ignore[union-attr]
    (claim,) = [claim for claim in grid.claims if "budget" in claim.text]
    verdict: Verdict = claim.judge(WatchedResults(results), ALPHA)[0]
    return verdict


def test_tuning_averages_if_strong_and_weak_agents_come_closer() -> None:
    def averaging(tuned: dict[int, float], untuned: dict[int, float], games: int = 40) -> Verdict:
        results = {
            (agent + note, _against(opponent)): CellResult(games, shares.get(n, 0.5) * games)
            for agent, (n, _) in ROULETTES.items()
            for note, shares in (("", tuned), (NOT_TUNED, untuned))
            for opponent in BUDGETS
        }
        grid = load_experiment("sephton-tuning").conduct.__self__  # type: ignore[union-attr]
        (claim,) = [claim for claim in grid.claims if "averaging" in claim.text]
        verdict: Verdict = claim.judge(WatchedResults(results), ALPHA)[0]
        return verdict

    apart, close = {2: 0.7, 10: 0.3}, {2: 0.55, 10: 0.45}
    assert averaging(close, apart) is Verdict.HOLDS
    assert averaging(apart, close) is Verdict.FAILS
    assert averaging(apart, apart) is Verdict.OPEN
    assert averaging({2: 0.6, 10: 0.3}, apart, games=4) is Verdict.OPEN, "four games say little"


def test_a_budget_that_not_all_agents_have_met_does_not_count() -> None:
    results = {
        (agent + note, _against(opponent)): CellResult(40, 30.0 if n == 2 and note else 20.0)
        for agent, (n, _) in ROULETTES.items()
        for note in ("", NOT_TUNED)
        for opponent in BUDGETS[:-1]
    }
    grid = load_experiment("sephton-tuning").conduct.__self__  # type: ignore[union-attr]
    one_more = {**results, ("RobustRoulette_2", _against(BUDGETS[-1])): CellResult(3, 3.0)}
    assert grid.judge(one_more) == grid.judge(results)


def test_tuning_evens_out_if_results_depend_less_on_the_opponent() -> None:
    steep, flat = [0.9, 0.7, 0.5, 0.3], [0.6, 0.55, 0.5, 0.45]
    assert tuning(flat, steep, 80) is Verdict.HOLDS
    assert tuning(steep, flat, 80) is Verdict.FAILS
    assert tuning(flat, flat, 40) is Verdict.OPEN
    assert tuning([0.8, 0.65, 0.5, 0.35], steep, 5) is Verdict.OPEN, "five games say little"


def test_what_two_heuristics_choose_alike_is_counted_among_the_best_of_each() -> None:
    state = start_position(SEARCHES["uct"])
    assert len(state.legal_actions()) > LIMIT
    found = shared_choices(state, np.random.default_rng(1))
    assert set(found) == set(PAIRS)
    assert all(0 <= shared <= LIMIT for shared in found.values())
    told = judge_duplicates({f"h4{name}": 4.0 if name in ("h2", "h3") else 8.0 for name in PAIRS})
    assert [one["verdict"] for one in told] == ["holds", "holds"]
    told = judge_duplicates({f"h4{name}": 12.0 for name in PAIRS})
    assert [one["verdict"] for one in told] == ["does not hold", "does not hold"]
