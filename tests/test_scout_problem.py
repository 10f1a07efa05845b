"""A problem is the whole question, and a whole choice is carried out by our steps."""

from __future__ import annotations

from collections import Counter

from boardwright.games.race.scout.model import TYPES
from boardwright.games.race.scout.problem import begins, next_step, problem_of
from tests.scout_games import sampled_questions


def test_the_games_of_the_tests_ask_all_types_of_questions() -> None:
    types = Counter(problem_of(steps[0][0]).type for steps, _ in sampled_questions())
    assert set(types) == set(TYPES)
    assert min(types.values()) >= 5, types


def test_a_question_is_the_same_problem_at_each_of_its_steps() -> None:
    for steps, _ in sampled_questions():
        problem = problem_of(steps[0][0])
        assert all(problem_of(view) == problem for view, _ in steps), problem
        assert [begins(view) for view, _ in steps] == [True] + [False] * (len(steps) - 1)


def test_a_choice_is_among_the_options_and_within_the_bounds() -> None:
    for steps, choice in sampled_questions():
        problem = problem_of(steps[0][0])
        assert Counter(choice) <= Counter(problem.options), (problem, choice)
        assert problem.minimum <= len(choice) <= problem.maximum, (problem, choice)


def test_a_whole_choice_is_carried_out_step_by_step() -> None:
    for steps, choice in sampled_questions():
        assert [next_step(view, choice) for view, _ in steps] == [action for _, action in steps], choice
