"""Agents that do not always play what they think best: how wide they choose, and the companion."""

from __future__ import annotations

import pytest

import boardwright as bw
from boardwright.agents import Spec
from boardwright.arena.holding import HoldingStudy
from boardwright.arena.match import Match
from boardwright.arena.record import parse_record
from boardwright.arena.standings import Standings
from boardwright.executors import InProcess
from boardwright.playstyle.companion import EXPECTED, Companion, Course, share_to_win
from boardwright.registry import make_agent, spec_after
from boardwright.reports.console import as_text
from boardwright.reports.holding import holding_report
from boardwright.reports.standings import standings_as_json, standings_section
from boardwright.search.width import Width, complexities
from tests.test_connect_four import after


def test_online_tuning_widens_while_it_wins_and_narrows_while_it_loses() -> None:
    width = Width(9, tuned=True)
    tops = []
    for mean in (0.6, 0.6, 0.5, 0.2, 0.9):
        width.after(mean)
        tops.append(width.top)
    assert tops == [10, 10, 9, 8, 9], "within 1 to 10; even is not won"
    narrow = Width(1, tuned=True)
    narrow.after(0.0)
    assert narrow.top == 1


def test_simple_positions_are_played_narrowly(connect_four: bw.Game) -> None:
    """Seven columns are the most there can be; with one left, a seventh of the width is used."""
    width = Width(8, complexity=complexities(connect_four)["cx0"])
    full = after(connect_four, "").observation(0)
    state = after(connect_four, "121212212121343434434343565656656565")
    assert len(state.legal_actions()) == 1
    assert width.at(full) == 8
    assert width.at(state.observation(state.player)) == 2


def test_a_width_that_is_not_to_change_stays() -> None:
    width = Width(3)
    width.after(0.9)
    width.after(0.1)
    assert (width.top, width.at(bw.game("connect_four").new(seed=0).observation(0))) == (3, 3)


def test_positions_are_compared_with_the_most_complex_one_so_far() -> None:
    """Also where a game's own measure is below 1."""
    found = iter((0.5, 0.25, 1.0, 0.5))
    width = Width(9, complexity=lambda observation: next(found))
    observation = bw.game("connect_four").new(seed=0).observation(0)
    assert [width.at(observation) for _ in range(4)] == [9, 5, 9, 5]


def test_where_nothing_is_complex_the_choice_is_narrow(connect_four: bw.Game) -> None:
    assert Width(8, complexity=lambda observation: 0.0).at(connect_four.new(seed=0).observation(0)) == 1


def test_complexity_of_lords_of_war_counts_cards_and_threats() -> None:
    game = bw.game("lords")
    state = game.new(seed=3)
    assert {name: measure(state.observation(0)) for name, measure in complexities(game).items() if name != "cx0"} == {
        "cx1": 0,
        "cx2": 0,
        "cx3": 0,
        "cx4": 0,
    }
    state.apply(state.legal_actions()[0])
    measures = complexities(game)
    assert measures["cx4"](state.observation(0)) == 1
    assert measures["cx3"](state.observation(0)) == 0
    assert measures["cx3"](state.observation(1)) == 1
    assert measures["cx2"](state.observation(0)) >= measures["cx1"](state.observation(0)) > 0


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("uct:tune=true", "tune needs `top` and a `select` that draws"),
        ("uct:tune=true,top=3", "tune needs `top` and a `select` that draws"),
        ("uct:complexity=cx0,select=robust_rand", "complexity needs `top`"),
        ("uct:complexity=cx9,select=robust_rand,top=3", "unknown complexity 'cx9'"),
    ],
)
def test_a_width_that_is_not_there_cannot_change(connect_four: bw.Game, spec: str, complaint: str) -> None:
    with pytest.raises(bw.errors.BoardwrightError, match=complaint):
        bw.agent(spec, connect_four, 0)


def test_records_tell_how_often_the_best_move_was_chosen() -> None:
    """RobustChild always plays it; drawing among two plays it about every other time. `random` does not say."""
    always, half = "uct:iterations=50", "uct:iterations=50,select=robust_rand,top=2"
    match = Match("connect_four", (always, half), seed=1)
    records = [parse_record(match.play(index).line()) for index in range(6)]
    standings = Standings.of(match.entrants, records)
    first, second = standings.entrants
    assert first.best_move_rate == 1
    assert second.decisions > 30
    assert 0.25 < (second.best_move_rate or 0) < 0.75, "50 decisions stray so far once in 2,000 matches"
    assert "best move" in as_text_of(standings)
    assert standings_as_json(standings)["agents"][1]["best_move_rate"] == second.best_move_rate
    silent = Match("connect_four", ("random", "random"), seed=1).play(0)
    assert "best_moves" not in silent.line()
    assert parse_record(silent.line()) == silent


def as_text_of(standings: Standings) -> str:
    from boardwright.reports.report import Report

    return as_text(Report([standings_section(bw.game("connect_four"), standings)]))


def test_a_record_with_marks_that_mean_nothing_is_refused() -> None:
    record = Match("connect_four", ("uct:iterations=5", "random"), seed=1).play(0)
    with pytest.raises(bw.errors.BadRecord, match="best_moves"):
        parse_record(record.model_dump_json().replace('"best_moves":["1', '"best_moves":["x'))


def test_others_who_give_away_more_than_luck_does_are_taken_for_weak() -> None:
    weak, equal = Course(), Course()
    for number in range(10):
        left = (20 - number) / 20
        weak.notice(0.5 + 0.05 * number, left)
        equal.notice(0.5, left)
    assert weak.end > 1.5 > EXPECTED > equal.end > 0
    assert weak.weakness > 0.6 > 0.3 > equal.weakness
    assert weak.against_these(0.3, 0.5) > 0.5 > equal.against_these(0.3, 0.5)


def test_what_a_companion_gave_away_itself_is_not_taken_for_luck() -> None:
    kept, gave = Course(), Course()
    for course in (kept, gave):
        course.notice(0.6, 1.0)
    gave.give(0.6, 0.4, 1.0)
    kept.notice(0.6, 0.9)
    gave.notice(0.4, 0.9)
    assert gave.end == pytest.approx(kept.end, abs=0.1)


def test_the_more_clearly_games_would_be_won_the_fewer_a_companion_plays_to_win() -> None:
    shares = [share_to_win(0.5, end) for end in (-1, 0, 0.5, 2)]
    assert shares[0] == 1
    assert 1 > shares[1] > shares[2] > shares[3] > 0.4
    assert share_to_win(0.9, 0.0) == 1, "it cannot do more than play its best"


def test_a_companion_that_plays_to_win_takes_what_was_visited_most(connect_four: bw.Game) -> None:
    """Three in a row: the fourth wins at once."""
    state = after(connect_four, "414141")
    spec = "companion:win_chance=0.01,agent=(uct:iterations=400)"
    decision = bw.agent(spec, connect_four, 0, seed=3).decide(state.observation(0))
    assert "plays its best" in decision.summary
    assert (decision.action, decision.best) == (3, True)


def test_a_companion_gives_away_no_more_than_its_bound_and_says_how_much(connect_four: bw.Game) -> None:
    observation = after(connect_four, "4455").observation(0)
    for bound in (0.05, 0.4):
        spec = f"companion:win_chance=0.9,agent=(uct:iterations=400),bound={bound}"
        yielded = 0
        for seed in range(12):
            decision = bw.agent(spec, connect_four, 0, seed=seed).decide(observation)
            values = {reason.action: (reason.value or 0) / 2 + 0.5 for reason in decision.reasons if reason.visits}
            assert max(values.values()) - values[decision.action] <= bound + 0.05, (
                "the most visited may not be the best"
            )
            yielded += "gives away" in decision.summary
        assert yielded > 0


def test_a_companion_that_is_behind_plays_its_best(connect_four: bw.Game) -> None:
    """The other one threatens to win in two places: nothing is left to give away."""
    observation = after(connect_four, "31415").observation(1)
    for seed in range(8):
        agent = bw.agent("companion:win_chance=0.99,agent=(uct:iterations=6000)", connect_four, 1, seed=seed)
        assert "plays its best" in agent.decide(observation).summary


def test_the_report_of_a_companion_compares_aims_with_results() -> None:
    study = HoldingStudy("connect_four", [0.5], ["random", "ismcts:iterations=20"], "agent=(uct:iterations=60)", seed=1)
    study.check()
    found = study.run(6, InProcess())
    assert [held.games for held in found] == [6, 6]
    report = holding_report(bw.game("connect_four"), study, found)
    assert [row["opponent"] for row in report.data["held"]] == ["random", "ismcts:iterations=20"]
    assert "aims at" in as_text(report)
    with pytest.raises(bw.errors.BadSpec, match=r"a chance of 1\.5 for each of 1 opponents cannot be aimed at"):
        HoldingStudy("connect_four", [1.5], ["random"]).check()


def test_a_companion_makes_up_for_what_was_won_too_often_before(connect_four: bw.Game) -> None:
    def aim(**record: float) -> float:
        companion = make_agent(str(Spec("companion", {name: str(n) for name, n in record.items()})), connect_four, 0)
        assert isinstance(companion, Companion)
        return companion.aim(2)

    assert aim() == aim(played=10, lost=5) == 0.5
    assert aim(played=10, lost=4) < 0.5 < aim(played=10, lost=6)
    assert (aim(played=10, lost=0), aim(played=10, lost=10)) == (0, 1)
    with pytest.raises(bw.errors.BadSpec, match="cannot have won 3 of 2 games"):
        aim(played=2, lost=3)


def test_what_a_companion_carries_over_is_in_its_spec(connect_four: bw.Game) -> None:
    spec = "companion:win_chance=0.3"
    for returns in ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5)):
        spec = spec_after(spec, connect_four, 0, returns)
    assert spec == "companion:win_chance=0.3,played=3,lost=1.5"
    assert spec_after("uct:iterations=9", connect_four, 0, (1.0, 0.0)) == "uct:iterations=9"


def test_a_series_is_nearer_to_the_aim_than_independent_games_are() -> None:
    """Independent games with just these chances would be at most two of 24 off in both cases one time in three. What is
    given away at one decision is at most the bound."""
    study = HoldingStudy("connect_four", [0.3, 0.7], ["uct:iterations=20"], "agent=(uct:iterations=300)", seed=1)
    little, much = study.run(24, InProcess())
    assert abs(24 * little.off) <= 2
    assert abs(24 * much.off) <= 2
    assert 0 < little.given_away < much.given_away
    assert 0 < much.most_given_away <= 0.4 + 1e-9
