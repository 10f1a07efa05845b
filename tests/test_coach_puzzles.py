"""Puzzles, when they come again, the coach at the table and a person's rating."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import boardwright as bw
from boardwright.agents import Agent, Decision
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord
from boardwright.coach import live, rating
from boardwright.coach.analysis import Analysis
from boardwright.coach.live import LiveCoach
from boardwright.coach.puzzles import CLEAR, Puzzle, check_of, read_puzzles, shipped
from boardwright.coach.rating import Result, person_report, rate
from boardwright.coach.repetition import HINTED, RIGHT, WRONG, Repetition
from boardwright.errors import BadRecord, CannotWrite
from boardwright.kernel import Observation
from boardwright.kernel.ready import make_ready
from boardwright.web import puzzles
from tests.connect_four_puzzles import values_of
from tests.connect_four_solver import Solver

SETS = {"race": 100, "wonders": 100, "colonizers": 100, "connect_four": 50, "lords": 100}
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("game", SETS)
def test_shipped_puzzles_fit_the_rules_and_are_clear(game: str) -> None:
    puzzles = shipped(game)
    assert len(puzzles) >= SETS[game]
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    for puzzle in puzzles:
        state = puzzle.state()
        assert state.player == puzzle.seat
        assert puzzle.gap >= CLEAR
        assert puzzle.second_gap >= CLEAR
        assert max(puzzle.values, key=lambda action: puzzle.values[action]) == puzzle.answer


def test_answers_of_connect_four_are_exact() -> None:
    solver, solved = Solver(), 0
    for puzzle in shipped("connect_four"):
        if len(puzzle.actions) >= 14:
            assert values_of(puzzle.state(), solver) == puzzle.values
            solved += 1
    assert solved >= 10


def test_a_puzzle_of_other_rules_is_refused(tmp_path: Path) -> None:
    puzzle = shipped("connect_four")[0]
    with pytest.raises(BadRecord, match="does not fit the rules; it was made for older ones"):
        puzzle.model_copy(update={"actions": [0] * 7}).state()
    with pytest.raises(BadRecord, match="its answer cannot be played"):
        puzzle.model_copy(update={"seat": 1 - puzzle.seat}).state()
    file = tmp_path / "puzzles.jsonl"
    file.write_text('{"game": "race"}\n')
    with pytest.raises(BadRecord, match="line 1: not a puzzle: seats: Field required"):
        read_puzzles(file)


def test_one_option_must_be_clearly_better_than_the_next() -> None:
    values = np.array([[0.9, 0.5, 0.2], [0.8, 0.6, 0.1], [0.9, 0.5, 0.2], [0.8, 0.6, 0.3]])
    found = check_of([7, 8, 9], values)
    assert (found.answer, round(found.gap, 2), found.is_clear) == (7, 0.30, True)
    assert not check_of([7, 8], values[:, :2] * 0.3).is_clear


def test_what_was_wrong_comes_again_sooner(tmp_path: Path) -> None:
    pytest.importorskip("fsrs")
    kept = Repetition(tmp_path / "puzzles.json")
    due = {how: kept.answered(how, how, NOW) for how in (WRONG, HINTED, RIGHT)}
    assert NOW < due[WRONG] < due[HINTED] <= due[RIGHT]
    kept.save()
    again = Repetition.load(kept.file)
    assert again == kept
    assert again.queue([RIGHT, "new", WRONG], NOW) == ["new"]
    assert again.queue([RIGHT, "new", WRONG], NOW + timedelta(days=30)) == [WRONG, RIGHT, "new"]
    assert again.solved([RIGHT, "new", WRONG]) == 1
    intervals = []
    for _ in range(4):
        now = again.due(RIGHT)
        intervals.append(again.answered(RIGHT, RIGHT, now) - now)
    assert intervals == sorted(intervals)
    kept.file.write_text('{"format": 1}')
    with pytest.raises(BadRecord, match="is damaged"):
        Repetition.load(kept.file)


def test_a_person_is_rated_against_fixed_anchors() -> None:
    even = [Result(n, "x", 200.0, float(n % 2)) for n in range(400)]
    found = rate(even)
    assert found.rating == pytest.approx(200, abs=5), "who wins half of the games is as strong as the opponent"
    assert found.low < 200 < found.high
    assert rate(even[:40]).high - rate(even[:40]).low > found.high - found.low
    won = rate([Result(n, "x", 0.0, 1.0) for n in range(10)])
    assert 0 < won.low < won.rating < 1500, "who never lost has a rating, too"


def test_the_rating_follows_the_games_and_names_who_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating, "anchors", lambda: {"connect_four-2": {"random": -300.0}})

    def game(opponent: str, returns: list[float], index: int) -> GameRecord:
        return GameRecord(
            game="connect_four", seats=2, seed=0, agents=["human", opponent], actions=[], scores=returns,
            returns=returns, index=index,
        )  # fmt: skip

    records = [game("random", [1, -1], 0), game("uct", [1, -1], 1), game("random", [-1, 1], 2)]
    found = person_report(records, "connect_four", 2)
    assert [one.games for one in found.curve] == [1, 2]
    assert found.curve[0].rating > found.curve[1].rating
    assert found.left_out == ("uct",)
    assert person_report(records, "connect_four", 3).now is None


class Blunderer(Agent):
    """Stands in for a person who drops discs to the right."""

    interactive = True

    def decide(self, observation: Observation) -> Decision:
        return Decision(observation.legal_actions()[-1])


def test_the_coach_speaks_after_a_decision_and_says_why_when_asked() -> None:
    game = bw.game("connect_four")
    state = game.new(seed=0)
    for column in (3, 0, 3, 0, 3, 0):
        state.apply(column)
    said = StringIO()
    coach = LiveCoach(Console(file=said, width=120))
    agents = [Blunderer(game, 0), Agent(game, 1)]
    coach.started(state, agents)
    assert coach.why() == ["You have not decided anything yet."]
    observation = state.observation(0)
    coach.decided(state, 0, observation, agents[0].decide(observation))
    assert "column 7 cost" in said.getvalue()
    assert "better: column 4" in said.getvalue()
    assert agents[0].answers["why"]()[0].startswith("Column 7 cost")
    before = said.getvalue()
    coach.decided(state, 1, observation, Decision(0))
    assert said.getvalue() == before, "it says nothing of others' decisions"


def test_the_coach_speaks_once_of_a_set_that_is_chosen_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two discards the first is better kept: that is said when both are made, and `w` explains it."""
    game = bw.game("race")
    state = game.new(seed=302703802)
    choice = game.text.set_choice(state.record)  # type: ignore[misc]
    assert choice is not None
    first, second = choice.actions((0, 1))
    costly = Analysis(first, second, 0.4, 0.01, 0.08, 0.01, 64, ())
    harmless = Analysis(second, None, 0.4, 0.01, 0.0, 0.01, 64, ())
    judgements = {first: costly, second: harmless}
    monkeypatch.setattr(live, "analyse", lambda evaluator, observation, action, budget: judgements[action])
    said = StringIO()
    coach = LiveCoach(Console(file=said, width=120))
    coach.started(state, [Blunderer(game, 0), Agent(game, 1)])
    coach.decided(state, 0, state.observation(0), Decision(first))
    assert said.getvalue() == ""
    state.apply(first)
    coach.decided(state, 0, state.observation(0), Decision(second))
    assert said.getvalue() == (
        f"Coach: discard {choice.items[0]} cost 8 ± 1.0 points; better: not to discard {choice.items[0]} (w: why?)\n"
    )
    monkeypatch.setattr(live.Narration, "sentences", lambda self, decision, observation: [decision.text])
    assert coach.why() == [f"discard {choice.items[0]}"]


@pytest.mark.slow
def test_shipped_puzzles_are_confirmed_with_other_random_numbers() -> None:
    """The strongest agent, in other determinizations than those in which the puzzles were found."""
    from boardwright.coach.analysis import DeterminizationSeeds
    from boardwright.coach.evaluators import evaluator_spec, make_evaluator, needs

    for name in ("race", "colonizers"):
        puzzles = shipped(name)[::5]
        game = bw.game(name)
        evaluator = make_evaluator(evaluator_spec(game, puzzles[0].seats), game, puzzles[0].seats)
        make_ready(needs(evaluator))
        assert sum(_is_confirmed(evaluator, puzzle, DeterminizationSeeds) for puzzle in puzzles) >= 0.95 * len(puzzles)


def _is_confirmed(evaluator: object, puzzle: Puzzle, seeds: object) -> bool:
    observation = puzzle.observation()
    actions = list(puzzle.values)
    found = evaluator.values(observation, actions, seeds(observation, 1234).take(256))  # type: ignore[operator,attr-defined]
    check = check_of(actions, found)
    return check.answer == puzzle.answer and check.gap >= 0.9 * CLEAR


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [("race", 2), ("wonders", 3)])
def test_better_agents_have_a_higher_accuracy_in_their_own_games(game: str, seats: int) -> None:
    """Self-play of each, so that nobody's games are decided early; fixed seeds."""
    from boardwright.coach.review import mean_accuracy, review

    accuracy = []
    for spec in ("random", "heuristic", "netsearch"):
        match = Match(game, (spec,) * seats, seed=5)
        make_ready(match.needs())
        found = [review(match.play(index), explain=False, jobs=2) for index in range(4)]
        accuracy.append(mean_accuracy(d for one in found for part in one.seats for d in part.decisions))
    assert accuracy == sorted(accuracy)


def test_progress_that_cannot_be_kept_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotWrite, match="cannot keep progress in"):
        puzzles.forget()
