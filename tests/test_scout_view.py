"""The view that is rebuilt from a problem is good enough to play from."""

from __future__ import annotations

import numpy as np

from boardwright.games.race.scout.problem import choice_made, problem_of
from boardwright.games.race.scout.view import after_step, view_of
from boardwright.kernel import rng
from tests.scout_games import sampled_questions


def test_a_rebuilt_view_offers_the_same_actions_at_every_step() -> None:
    for steps, _ in sampled_questions():
        problem = problem_of(steps[0][0])
        view = view_of(problem)
        for original, action in steps:
            assert view.legal_actions() == original.legal_actions(), problem
            made = choice_made(view, action)
            assert made == choice_made(original, action)
            if made is None:
                view = after_step(view, action)


def test_a_rebuilt_view_is_the_same_problem() -> None:
    for steps, _ in sampled_questions():
        problem = problem_of(steps[0][0])
        assert problem_of(view_of(problem)) == problem


def test_games_can_be_played_on_from_a_rebuilt_view() -> None:
    game = sampled_questions()[0][0][0][0].game
    playout, scratch, words = game.entries.playout("random"), np.zeros(game.max_legal, np.int64), rng.generator(3)
    for steps, _ in sampled_questions()[::5]:
        view = view_of(problem_of(steps[0][0]))
        sample = view.sample(seed=1)
        assert sample.seen_by(view.seat) == view
        playout(sample.memory, scratch, words)
        assert sample.over
