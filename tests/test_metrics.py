"""Reports over finished games: parts of the score, win rates of what seats had."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import Mock

import pytest

import boardwright as bw
from boardwright.arena.match import Match
from boardwright.arena.metrics import WINNERS, MetricsOverGames, Rate
from boardwright.arena.standings import wilson_interval
from boardwright.cli import main
from boardwright.errors import BadSpec
from boardwright.games.wonders.scoring import PARTS
from boardwright.kernel.metrics import Trait
from boardwright.reports.metrics import plot_metrics

AGENTS = ("heuristic", "rbai1", "madrid_random", "madrid_random")


@pytest.fixture(scope="module")
def report() -> MetricsOverGames:
    match = Match("wonders", AGENTS, 1)
    return MetricsOverGames.of(bw.game("wonders"), [match.play(i) for i in range(40)])


def had(points: float, *traits: Trait) -> Mock:
    return Mock(score_parts=(("points", points),), traits=traits)


def test_rates_and_shares_are_those_of_the_games() -> None:
    """Two games: one that a wins with a tower, and one that a and b win together, b with a tower and c with a moat."""
    tower, moat, hat = Trait("buildings", "tower"), Trait("buildings", "moat"), Trait("clothes", "hat")
    found, second = MetricsOverGames(), MetricsOverGames()
    assert (found.games, found.seats, found.categories) == (0, 0, [])
    seats = {0: had(5, tower), 1: had(3, hat), 2: had(1, moat)}
    final = Mock(**{"game.metrics.seat_metrics": lambda record, seat: seats[seat]})
    found.finished(Mock(forfeit=None, seats=3, returns=(1.0, 0.0, 0.0), agents=("a", "b", "c")), final)
    seats = {0: had(4), 1: had(4, tower), 2: had(2, moat, hat)}
    second.finished(Mock(forfeit=None, seats=3, returns=(0.5, 0.5, 0.0), agents=("a", "b", "c")), final)
    second.finished(Mock(forfeit="failed", seats=9, returns=(1.0, 0.0, 0.0), agents=("a", "b", "c")), final)
    found.merge(second)
    assert (found.games, found.seats) == (2, 3)
    shares = {name: (share.times, share.wins, share.means()) for name, share in found.shares.items()}
    assert shares == {
        "a": (2, 1.5, {"points": 4.5}),
        WINNERS: (1, 1, {"points": 5}),
        "b": (2, 0.5, {"points": 3.5}),
        "c": (2, 0, {"points": 1.5}),
    }
    assert found.categories == ["buildings", "clothes"]
    rates = [(rate.trait, rate.times, rate.wins, rate.rate) for rate in found.by("buildings")]
    assert rates == [(tower, 2, 1.5, 0.75), (moat, 2, 0, 0)], "the best first"
    assert found.by("buildings")[0].interval == wilson_interval(1.5, 2)
    assert Rate(hat).rate == 0
    assert Rate(hat, times=1, wins=1).rate == 1
    found.rates[moat].wins = 1.5
    assert [rate.trait for rate in found.by("buildings")] == [moat, tower], "equals by their names"


def test_every_seat_and_victory_is_counted(report: MetricsOverGames) -> None:
    assert report.games == 40
    assert {name: share.times for name, share in report.shares.items() if name != WINNERS} == {
        "heuristic": 40,
        "rbai1": 40,
        "madrid_random": 80,
    }
    assert sum(share.wins for name, share in report.shares.items() if name != WINNERS) == pytest.approx(40)
    assert sum(rate.times for rate in report.by("board")) == 160
    assert sum(rate.wins for rate in report.by("board")) == pytest.approx(40)


def test_what_several_processes_have_counted_is_added_up(report: MetricsOverGames) -> None:
    merged = MetricsOverGames()
    merged.merge(report)
    merged.merge(report)
    assert (merged.games, merged.seats) == (80, 4)
    for name, share in report.shares.items():
        assert (merged.shares[name].times, merged.shares[name].wins) == (2 * share.times, 2 * share.wins)
        assert merged.shares[name].parts == {part: 2 * points for part, points in share.parts.items()}
    for trait, rate in report.rates.items():
        assert (merged.rates[trait].times, merged.rates[trait].wins) == (2 * rate.times, 2 * rate.wins)


def test_parts_add_up_to_the_scores(report: MetricsOverGames) -> None:
    match = Match("wonders", AGENTS, 1)
    scores = [record.scores[record.order.index(0)] for record in (match.play(i) for i in range(40))]
    means = report.shares["heuristic"].means()
    assert tuple(means) == PARTS
    assert sum(means.values()) == pytest.approx(sum(scores) / 40)


def test_rates_come_best_first_with_intervals(report: MetricsOverGames) -> None:
    rates = report.by("structure")
    assert [rate.rate for rate in rates] == sorted((rate.rate for rate in rates), reverse=True)
    assert all(rate.interval[0] <= rate.rate <= rate.interval[1] for rate in rates)


def test_the_report_is_drawn(report: MetricsOverGames, tmp_path: Path) -> None:
    plot_metrics(tmp_path / "cards.png", bw.game("wonders"), report)
    assert (tmp_path / "cards.png").stat().st_size > 10_000


def test_a_game_without_figures_says_so() -> None:
    with pytest.raises(BadSpec, match="kuhn_poker has no report of its own"):
        MetricsOverGames.of(bw.game("kuhn_poker"), [])


def test_games_are_played_or_read_from_their_records(capsys: pytest.CaptureFixture[str]) -> None:
    for source in (["wonders", *AGENTS, "--games", "6", "--record", "r.jsonl"], ["r.jsonl"]):
        with pytest.raises(SystemExit) as done:
            main(["report", *source, "--json", f"{source[0]}.json"])
        assert not done.value.code
        assert "Win rate by structure" in capsys.readouterr().out
    played, read = (json.loads(Path(f"{name}.json").read_text()) for name in ("wonders", "r.jsonl"))
    assert played == read
    assert played["games"] == 6


def test_those_who_win_together_share_the_victory() -> None:
    final = Mock()
    final.game.metrics.seat_metrics = lambda record, seat: Mock(score_parts=(("points", 3.0),), traits=())
    found = MetricsOverGames()
    found.finished(Mock(forfeit=None, seats=3, returns=(0.5, 0.5, 0.0), agents=("a", "b", "c")), final)
    assert {name: share.wins for name, share in found.shares.items()} == {"a": 0.5, "b": 0.5, "c": 0.0}
