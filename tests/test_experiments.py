"""Experiments: counting, judging, and rerunning a small one from end to end."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from scipy.special import chdtrc
from scipy.stats import fisher_exact

import boardwright as bw
from boardwright.arena.record import GameRecord
from boardwright.errors import BadSpec, CannotWrite, UnknownName
from boardwright.experiments import experiments, load_experiment, tables
from boardwright.experiments.grid import Cell, Grid
from boardwright.experiments.model import (
    Arrangement,
    ChiSquareTest,
    Claim,
    Experiment,
    Published,
    Row,
    Verdict,
    in_seats,
    oftener,
    share,
)
from boardwright.experiments.report import chi_square, shares_differ, show_declaration
from boardwright.experiments.run import run_experiment
from boardwright.experiments.tables import Stored
from boardwright.experiments.tally import Tally


def played(order: list[int], returns: list[float]) -> GameRecord:
    return GameRecord(
        game="g",
        seats=4,
        seed=0,
        agents=["a"] * 4,
        actions=[],
        scores=[10 * r for r in returns],
        returns=returns,
        order=order,
    )


@pytest.fixture
def tally() -> Tally:
    """Two of a kind against two others: A wins 30 games from seat 1, B wins 10 from seat 2 and is last in 30."""
    games = [played([0, 2, 1, 3], [1, 0.2, 0.1, 0])] * 30 + [played([0, 2, 1, 3], [0, 1, 0.2, 0.1])] * 10
    return Tally.of(["A", "A", "B", "B"], games)


def test_counts_follow_agents_and_seats(tally: Tally) -> None:
    a, b = tally.count("A", "agent"), tally.count("B", "agent")
    assert (a.games, a.wins, a.last) == (80, 30, 10)
    assert (b.games, b.wins, b.last) == (80, 10, 30)
    assert tally.count("seat 1", "seat").wins == 30
    assert tally.wins_by_seat("A") == [30, 0, 0, 0]
    assert a.mean_rank == pytest.approx((30 * 1 + 30 * 3 + 10 * 4 + 10 * 2) / 80)
    assert b.mean_score == pytest.approx((30 * 2 + 30 * 0 + 10 * 10 + 10 * 1) / 80)


def test_equal_results_share_places_or_go_by_seat() -> None:
    games = [played([0, 1, 2, 3], [0.8, 0.8, 0.1, 0]), played([3, 2, 1, 0], [0.8, 0.8, 0.1, 0])]
    shared, by_seat = (Tally.of("ABCD", games, ties_by_seat=order) for order in (False, True))
    assert [shared.count(label, "agent").wins for label in "ABCD"] == [0, 0, 0, 0]
    assert [by_seat.count(label, "agent").wins for label in "ABCD"] == [1, 0, 0, 1]
    assert [by_seat.count(label, "agent").shared_first for label in "ABCD"] == [1, 1, 1, 1]
    assert by_seat.count("B", "agent").places == {2: 1, 3: 1}


def test_scores_are_summed_up(tally: Tally) -> None:
    count = tally.count("seat 1", "seat")
    assert (min(count.scores), max(count.scores), count.mean_score) == (0, 10, 7.5)
    assert count.score_spread == pytest.approx((0.75 * 0.25) ** 0.5 * 10)


@pytest.mark.parametrize(
    ("judge", "verdict"),
    [
        (share("A", "wins", above=0.25), Verdict.HOLDS),
        (share("B", "wins", above=0.25), Verdict.FAILS),
        (share("A", "wins", above=0.35), Verdict.OPEN),
        (share("seat 4", "last", by="seat", above=0.25), Verdict.HOLDS),
        (share("seat 2", "last", by="seat", below=0.25), Verdict.HOLDS),
        (oftener("A", "B", "wins"), Verdict.HOLDS),
        (oftener("A", "B", "last"), Verdict.FAILS),
        (in_seats("A", (3, 4), below=0.2), Verdict.HOLDS),
        (in_seats("A", (1,), below=0.2), Verdict.FAILS),
    ],
)
def test_claims_are_judged_by_their_intervals(tally: Tally, judge: object, verdict: Verdict) -> None:
    assert judge(tally)[0] is verdict  # type: ignore[operator]


def test_published_tests_come_out_as_published() -> None:
    """The thesis's χ² on its own counts: 310 of 1,000 wins of seat 1 give 19.2."""
    returns = [[1.0, 0.2, 0.1, 0.0]] * 310 + [[0.2, 1.0, 0.1, 0.0]] * 690
    tally = Tally.of(["R"] * 4, [played([0, 1, 2, 3], r) for r in returns])
    experiment = load_experiment("colonizers-1")
    statistic, p = chi_square(experiment.tests[0], tally, experiment)
    assert statistic == pytest.approx(19.2)
    assert p == pytest.approx(0.00001, abs=5e-6)


def test_the_published_test_of_wins_in_a_seat_comes_out_as_published() -> None:
    """Of 37 games that ISMCTS won, it won 6 from seat 2; a quarter would be 9.25."""
    wins_by_seat = (11, 6, 9, 11)
    games = []
    for seat, wins in enumerate(wins_by_seat):
        others = iter(range(3))
        order = [3 if place == seat else next(others) for place in range(4)]
        games += [played(order, [1.0 if place == seat else 0.1 * place for place in range(4)])] * wins
    experiment = load_experiment("colonizers-3")
    (test,) = experiment.tests
    statistic, p = chi_square(test, Tally.of(["Random", "Heuristic", "MaxN", "ISMCTS"], games), experiment)
    assert statistic == pytest.approx(1.52, abs=0.005)
    assert p == pytest.approx(0.21762, abs=0.0005)


@pytest.mark.parametrize("name", [name for name in experiments() if name.startswith("colonizers")])
def test_published_p_values_are_those_of_their_statistics(name: str) -> None:
    for test in load_experiment(name).tests:
        assert test.p == pytest.approx(chdtrc(1, test.statistic), rel=0.2, abs=1e-9)


@pytest.mark.parametrize("name", [name for name in experiments() if name.startswith("colonizers")])
def test_published_figures_are_consistent(name: str) -> None:
    """Of tables that give all seats; Madrid's figure 55 gives one agent's row."""
    published = load_experiment(name).published
    assert sum(row.wins for row in published.rows) == published.games
    assert sum(row.last for row in published.rows) == published.games
    assert sum(row.appearances for row in published.rows) == 4 * published.games
    mean = sum(row.mean_rank * row.appearances for row in published.rows) / (4 * published.games)
    assert mean == pytest.approx(2.5, abs=0.001)
    for row in published.rows:
        assert not row.wins_by_seat or sum(row.wins_by_seat) == row.wins


def test_unknown_experiment_suggests_one() -> None:
    with pytest.raises(UnknownName, match="did you mean 'colonizers-1'"):
        load_experiment("colonizer-1")


def test_shares_differ_when_they_do() -> None:
    assert shares_differ(70, 100, 300, 1000)
    assert not shares_differ(31, 100, 300, 1000)


def small(games: int) -> Experiment:
    return Experiment(
        name="kuhn-test",
        game="kuhn_poker",
        title="a test",
        question="Does it run?",
        games=games,
        seed=1,
        published=Published("nowhere", 10, "agent", (Row("R", 10, 3, 7, 1.7, (2, 1)), Row("O", 10, 7, 3, 1.3, (3, 4)))),
        arrangements=(
            Arrangement("first", "as it was", (("R", "random"), ("O", "optimal"))),
            Arrangement("second", "as it should be", (("R", "random"), ("O", "optimal:alpha=0.3"))),
        ),
        tests=(ChiSquareTest("R", "wins", 0.5, 1.6, 0.2),),
        claims=(Claim("O wins more", oftener("O", "R", "wins")),),
    )


def test_experiment_runs_resumes_and_writes_its_result(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console(width=120)
    assert run_experiment(small(20), console, folder=Path("out"))
    assert run_experiment(small(60), console, folder=Path("out"))
    folder = Path("out/kuhn-test")
    assert len((folder / "first.jsonl").read_text().splitlines()) == 60
    assert not list(folder.glob("first.1.jsonl"))
    result = json.loads((folder / "result.json").read_text())
    assert list(result["arrangements"]) == ["first", "second"]
    assert result["arrangements"]["first"]["games"] == 60
    assert result["arrangements"]["first"]["claims"][0]["claim"] == "O wins more"
    assert (folder / "result.png").stat().st_size > 10_000
    shown = capsys.readouterr().out
    assert "as it should be" in shown
    assert "published 1.60" in shown


@pytest.mark.slow
@pytest.mark.parametrize("name", ["colonizers-1", "colonizers-2"])
def test_runs_as_the_author_made_them_give_his_tables(name: str) -> None:
    """1,000 games each, as many as published; no share of wins or last places may differ so much that chance would part
    two runs of the same experiment less than once in 1,000 (Fisher's exact test, 8 shares)."""
    experiment = load_experiment(name)
    arrangement = experiment.arrangements[0]
    match = arrangement.match(experiment.game, experiment.seed)
    tally = Tally.of(arrangement.labels, (match.play(index) for index in range(1000)))
    for row in experiment.published.rows:
        count = tally.count(row.label, "seat")
        for counted, published in (("wins", row.wins), ("last", row.last)):
            ours = count.number(counted)  # type: ignore[arg-type]
            table = [[ours, 1000 - ours], [published, 1000 - published]]
            assert fisher_exact(table).pvalue > 0.001, f"{row.label}, {counted}: ours {ours}, published {published}"


def test_a_budget_is_refused_where_none_is_declared(tmp_path):
    with pytest.raises(BadSpec, match="leave --iterations out"):
        run_experiment(load_experiment("colonizers-3"), Console(file=io.StringIO()), folder=tmp_path, iterations=10)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", experiments())
def test_every_experiment_says_what_it_runs(name: str) -> None:
    """`show` prints each part whole: its name is what --only takes."""
    experiment, console = load_experiment(name), Console(file=io.StringIO(), width=2000)
    show_declaration(experiment, console)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    parts = experiment.parts()
    assert parts
    assert len({part.name for part in parts}) == len(parts)
    for part in parts:
        assert part.name in shown
        assert part.agents in shown
        assert part.published in shown
    for text in experiment.claim_texts():
        assert text in shown


def test_one_part_of_a_grid_is_run_and_the_others_are_kept(tmp_path: Path) -> None:
    cells = [Cell("uct", str(n), f"uct:iterations={n}", "random", 0.8) for n in (2, 4)]
    grid, console = Grid(cells, ()), Console(quiet=True)
    experiment = Experiment(
        "small", "connect_four", "t", "q", 4, 1, Published("", 0, "agent", ()), (), conduct=grid.run
    )
    with pytest.raises(UnknownName, match="uct, 4"):
        run_experiment(experiment, console, folder=tmp_path, only="uct, 5")
    for only, games in (("uct, 4", [4]), ("uct, 2", [4, 4])):
        assert run_experiment(experiment, console, folder=tmp_path, only=only)
        result = json.loads((tmp_path / "small" / "result.json").read_text())
        assert [cell["games"] for cell in result["cells"]] == games


@pytest.mark.parametrize("name", experiments())
def test_every_part_that_is_shown_can_be_asked_for(name: str) -> None:
    experiment = load_experiment(name)
    for part in experiment.parts():
        experiment.check_part(part.name)


def test_a_run_of_eras_is_played_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are told of as far as they were played before."""
    played: list[str] = []
    monkeypatch.setattr("boardwright.scout.run.play_run", lambda file, *_, **__: bool(played.append(file.name) or True))
    monkeypatch.setattr("boardwright.scout.run.wins_by_era", lambda file: [90, 100])
    for name in ("case_quality", "sizes_and_deletions"):
        monkeypatch.setattr(f"boardwright.experiments.scout_eras.{name}", lambda files: {})
    run_experiment(load_experiment("scout-7.5"), Console(quiet=True), folder=tmp_path, only="run3")
    assert played == ["run3.db"]
    assert json.loads((tmp_path / "scout-7.5" / "result.json").read_text())["wins"] == [[90, 100]]


def test_a_result_is_stored_under_its_name(tmp_path: Path) -> None:
    """Where `make docs` finds it."""
    found = bw.experiment("colonizers-1", games=2, out=tmp_path / "runs", store=tmp_path)
    assert json.loads((tmp_path / "colonizers-1.json").read_text()) == found
    heading, *rows = load_experiment("colonizers-1").docs_tables[""](Stored([found]))
    assert heading[1:3] == ("won: table 5.1", "as run, 2 games")
    assert [row[0] for row in rows] == ["seat 1", "seat 2", "seat 3", "seat 4"]


def test_a_folder_to_store_in_that_is_not_there_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(CannotWrite, match="there is no folder"):
        bw.experiment("colonizers-1", games=2, out=tmp_path / "runs", store=tmp_path / "nowhere")
    assert not (tmp_path / "runs").exists()


def test_a_result_that_cannot_be_stored_under_the_name_of_its_budget_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / "sephton-p1-200.json").mkdir()
    with pytest.raises(CannotWrite, match="it is a folder"):
        bw.experiment("sephton-p1", iterations=200, out=tmp_path / "runs", store=tmp_path)
    assert not (tmp_path / "runs").exists()


def test_a_claim_is_judged_by_the_declared_budget_once_all_its_cells_have_games() -> None:
    """Also while it is open there: with fewer iterations a claim may turn round."""

    def result(verdict: str, *figures: str) -> dict[str, list[dict[str, str]]]:
        return {"claims": [{"claim": "a limit of 1 loses", "verdict": verdict, "figures": "; ".join(figures)}]}

    quick = result("does not hold", "85 (62–97) %", "80 (56–95) %")
    half = Stored([result("undecided", "10 (0–54) %", tables.NOT_PLAYED), quick])
    assert tables.claims(half)[1][1:] == ("*does not hold*", "*85 (62–97) %; 80 (56–95) %*")
    whole = Stored([result("undecided", "10 (0–54) %", "0 (0–38) %"), quick])
    assert tables.claims(whole)[1][1:] == ("undecided", "10 (0–54) %; 0 (0–38) %")


def test_tables_of_heuristics_are_in_their_order() -> None:
    cells = [
        {"row": row, "column": "v. h4", "games": 20, "points": 10.0, "interval": (0.2, 0.8), "published": None}
        for row in ("h4h5R", "h10R", "h2R", "h2, negated")
    ]
    assert [row[0] for row in tables.won(Stored([{"cells": cells}]))[1:]] == ["h2R", "h10R", "h4h5R", "h2, negated"]


def test_what_has_more_cells_gives_the_order_of_rows_and_the_means_over_budgets() -> None:
    """A few cells of the declared budget stand where they belong."""

    def cell(row: str, column: str, points: float) -> dict[str, object]:
        return {"row": row, "column": column, "games": 20, "points": points, "interval": (0, 1), "published": None}

    quick = {"cells": [cell(f"Rand_{n}", f"v. {budget} times", 10 / n) for n in (2, 5) for budget in (0.5, 1)]}
    stored = Stored([{"cells": [cell("Rand_5", "v. 1 times", 20)]}, quick])
    assert tables.won(stored) == [
        ("won in % (95 %)", "v. 0.5 times", "v. 1 times"),
        ("Rand_2", "*25 (0–100)*", "*25 (0–100)*"),
        ("Rand_5", "*10 (0–100)*", "100 (0–100)"),
    ]
    assert tables.across_budgets(stored) == [
        ("won in %, mean over 2 budgets", "n = 2", "n = 5"),
        ("Rand", "*25*", "*10*"),
    ]


def test_ranks_and_wins_by_seat_stand_beside_the_published_ones() -> None:
    published = {"label": "MaxN", "mean_rank": 2.54, "wins_by_seat": [5, 2, 1, 0]}
    ours = {"label": "MaxN", "mean_rank": 2.661, "rank_margin": 0.056, "wins_by_seat": [79, 31, 5, 0]}
    stored = Stored(
        [
            {
                "published": {"source": "tables 5.3 and 5.4", "games": 50, "rows": [published]},
                "arrangements": {"as_run": {"games": 1000, "rows": [ours]}},
            }
        ]
    )
    assert tables.mean_ranks(stored) == [("mean rank", "published", "as run"), ("MaxN", "2.54", "2.66 ± 0.06")]
    heading, row = tables.wins_by_seat(stored)
    assert heading[1:] == ("table 5.4, 50 games", "as run, 1,000 games")
    assert row == ("MaxN", "10, 4, 2, 0", "8, 3, 0, 0")
