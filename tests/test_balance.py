"""The balance report counts what it says it counts."""

from __future__ import annotations

import json
import math
from pathlib import Path
from unittest.mock import Mock

import pytest

import boardwright as bw
from boardwright.arena.balance import Balance
from boardwright.arena.record import GameRecord, RecordedFailure
from boardwright.arena.standings import chi_square_of_equal_chances, wilson_interval
from boardwright.cli import main


def drop(columns: str) -> GameRecord:
    """A finished game of Connect Four, columns counted from 1."""
    state = bw.game("connect_four").new(seed=0)
    for column in columns:
        state.apply(int(column) - 1)
    assert state.is_terminal
    return GameRecord(
        game="connect_four",
        seats=2,
        seed=0,
        agents=["a", "a"],
        actions=[int(column) - 1 for column in columns],
        scores=list(state.scores),
        returns=list(state.returns),
        order=[0, 1],
    )


def test_uses_are_counted_for_the_winner_and_for_all(connect_four: bw.Game) -> None:
    report = Balance.of(connect_four, [drop("1212121"), drop("1122334"), drop("71213141")])
    assert [seat.wins for seat in report.seats] == [2, 1]
    by_name = {choice.name: choice for choice in report.choices}
    assert by_name["column 1"].uses == 4 + 2 + 4
    assert by_name["column 1"].by_winner == pytest.approx((4 + 1 + 4) / 10)
    assert by_name["column 2"].by_winner == pytest.approx((0 + 1 + 0) / 6)
    assert by_name["column 1"].usual == pytest.approx((4 + 4 + 4) / 22)


def test_drawn_games_count_for_seats_only(connect_four: bw.Game) -> None:
    report = Balance.of(connect_four, [drop("121212212121343434434343565656656565777777")])
    assert (report.games, report.draws, report.choices) == (1, 1, [])


def test_what_several_processes_have_counted_is_added_up(connect_four: bw.Game) -> None:
    draw = drop("121212212121343434434343565656656565777777")
    first, second = [draw, drop("1212121")], [draw, draw, drop("71213141")]
    merged, whole = Balance.of(connect_four, first), Balance.of(connect_four, first + second)
    merged.merge(Balance.of(connect_four, second))
    assert (merged.games, merged.draws) == (whole.games, whole.draws) == (5, 3)
    assert merged.seats == whole.seats
    assert merged.choices == whole.choices


def test_seats_and_choices_have_the_figures_of_their_games(connect_four: bw.Game) -> None:
    """Four games, three of them won by the first seat, one by the second; a draw; and a forfeit, which counts for
    nothing."""
    games = [drop("1212121"), drop("1122334"), drop("71213141"), drop("1212121")]
    draw = drop("121212212121343434434343565656656565777777")
    failure = RecordedFailure(seat=1, moves=1, reason="too late")
    forfeit = drop("1212121").model_copy(update={"forfeit": failure, "actions": [0], "returns": [1.0, -1.0]})
    report, nothing = Balance(), Balance()
    assert (nothing.seats, nothing.seat_test, nothing.games) == ([], None, 0)
    report.merge(Balance.of(connect_four, [*games, draw, forfeit]))
    first, second = report.seats
    assert (report.games, report.draws) == (5, 1)
    assert (first.seat, second.seat) == tuple(connect_four.seat_name(seat) for seat in (0, 1))
    assert (first.games, first.wins, first.win_rate) == (5, 3, 0.6)
    assert first.interval == wilson_interval(3, 5)
    assert (first.mean_rank, second.mean_rank) == ((3 * 1 + 2 + 1.5) / 5, (3 * 2 + 1 + 1.5) / 5)
    assert first.mean_score == sum(record.scores[0] for record in (*games, draw)) / 5
    assert report.seat_test == chi_square_of_equal_chances([3, 1])
    uses = {"column 2": [(3, 0), (2, 1), (1, 0), (3, 0)]}
    (column,) = (choice for choice in report.choices if choice.name == "column 2")
    assert (column.uses, column.games, column.by_winner) == (9, 4, 1 / 9)
    assert column.usual == (4 + 4 + 4 + 4) / (7 + 7 + 8 + 7)
    spread = math.sqrt(sum((won - used / 9) ** 2 for used, won in uses["column 2"])) / 9
    assert column.margin == pytest.approx(1.96 * spread, rel=1e-3)
    assert column.advantage == column.by_winner - column.usual
    advantages = [choice.advantage for choice in report.choices]
    assert advantages == sorted(advantages, reverse=True)
    assert sum(choice.advantage * choice.uses for choice in report.choices) == pytest.approx(0)


def test_who_comes_first_alone_has_won_however_the_others_share_their_places() -> None:
    final = Mock(**{"game.seat_name": str})
    report = Balance()
    for returns in ((1.0, 0.0, 0.0), (0.5, 0.5, 0.0), (0.0, 0.0, 0.0)):
        report.finished(Mock(forfeit=None, returns=returns, scores=[3.0, 2.0, 1.0]), final)
    assert report.draws == 2
    assert [seat.wins for seat in report.seats] == [1, 0, 0]
    assert [seat.mean_rank for seat in report.seats] == [(1 + 1.5 + 2) / 3, (2.5 + 1.5 + 2) / 3, (2.5 + 3 + 2) / 3]


def test_interval_shrinks_with_the_games(connect_four: bw.Game) -> None:
    few = Balance.of(connect_four, [drop("1212121"), drop("1122334")] * 5)
    many = Balance.of(connect_four, [drop("1212121"), drop("1122334")] * 500)
    assert many.choices[0].margin == pytest.approx(few.choices[0].margin / 10)


def test_balance_command_reports_seats_and_choices(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(
            [
                "balance",
                "connect_four",
                "--agent",
                "uct:iterations=50",
                "--games",
                "60",
                "--json",
                "b.json",
                "--plot",
                "b.png",
            ]
        )
    assert leaving.value.code == 0
    shown = capsys.readouterr().out
    assert "by column" in shown
    assert "Equal chances?" in shown
    report = json.loads(Path("b.json").read_text())
    assert report["games"] == 60
    assert len(report["seats"]) == 2
    assert {choice["group"] for choice in report["choices"]} == {"column"}
    assert Path("b.png").stat().st_size > 10_000
