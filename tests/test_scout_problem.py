"""A problem is the whole question, and a whole choice is carried out by our steps."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.errors import BoardwrightError, IllegalAction
from boardwright.games.race.cards import ID
from boardwright.games.race.keldon import verify
from boardwright.kernel import TERMINAL
from boardwright.scout.documents.writing import document_text
from boardwright.scout.problems.from_observation import problem_of
from boardwright.scout.problems.problem import TYPES, Choice
from boardwright.scout.problems.steps import completed_choice, is_first_step, next_step
from tests.race_positions import choose, names, position, recorded, say, trace
from tests.scout_games import questions_of, sampled_questions


def test_the_games_of_the_tests_ask_all_types_of_questions() -> None:
    types = Counter(problem_of(steps[0][0]).type for steps, _ in sampled_questions())
    assert set(types) == set(TYPES)
    assert min(types.values()) >= 5, types


def test_a_question_is_the_same_problem_at_each_of_its_steps() -> None:
    for steps, _ in sampled_questions():
        problem = problem_of(steps[0][0])
        assert all(problem_of(observation) == problem for observation, _ in steps), problem
        assert [is_first_step(observation) for observation, _ in steps] == [True] + [False] * (len(steps) - 1)


def test_a_choice_is_among_the_options_and_within_the_bounds() -> None:
    for steps, choice in sampled_questions():
        problem = problem_of(steps[0][0])
        assert Counter(choice) <= Counter(problem.options), (problem, choice)
        assert problem.minimum <= len(choice) <= problem.maximum, (problem, choice)


def test_a_whole_choice_is_carried_out_step_by_step() -> None:
    for steps, choice in sampled_questions():
        assert [next_step(observation, choice) for observation, _ in steps] == [action for _, action in steps], choice


def test_problems_are_the_questions_of_the_original_program() -> None:
    """Ten games with every question it asked: type, options, how many, for what, and what was chosen."""
    steps: dict[str, list[dict[str, Any]]] = {}
    for step in trace():
        if "entry" in step:
            steps.setdefault(step["game"], []).append(step)
    for name, expected in steps.items():
        save = next(game for game in recorded() if f"({name})" in game.name)
        _, moves = verify.play(save)
        asked = list(questions_of(verify.start(save), moves))
        assert len(asked) == len(expected)
        for (made, choice), step in zip(asked, expected, strict=True):
            problem, where = problem_of(made[0][0]), (name, step["n"])
            assert problem.me.seat == step["seat"], where
            assert (problem.type, problem.round) == (type_of(step), step["round"]), where
            assert sorted(map(str, problem.options)) == sorted(map(str, options_of(step))), where
            assert sorted(map(str, choice)) == sorted(map(str, choice_of(step))), where
            info = step["info"]
            if "count" in info or "min" in info:
                low, high = (info["count"], info["count"]) if "count" in info else (info["min"], info["max"])
                assert (problem.minimum, problem.maximum) == (low, high), where
            for subject in (info[key] for key in ("card", "for_card") if key in info):
                assert problem.subject == (-1 if subject == -1 else ID[subject]), where


def type_of(step: dict[str, Any]) -> int:
    return 3 if step["info"].get("for") == "develop" else step["type"]


def options_of(step: dict[str, Any]) -> list[Any]:
    faces = [int(ID[card]) for card in step["options"]]
    if step["type"] == 0:
        return [1, 2, 3, 5, 7, 8, 9]
    if step["type"] == 16:
        return [1, 2, 3, 4, 5, 6, 7]
    if step["type"] == 13:
        return list(zip(faces, step["special_options"], strict=True))
    if step["type"] == 5:
        return sorted(set(faces))
    return faces + [POWER_THAT_PAYS[int(ID[card])] for card in step.get("special_options", [])]


POWER_THAT_PAYS = {14: (14, 0), 22: (22, 0), 24: (24, 1)}
"""Colony Ship, New Military Tactics, Contact Specialist, with the place of the power on the card."""


def choice_of(step: dict[str, Any]) -> list[Any]:
    kind, value, n, *rest = step["entry"]
    items, specials = rest[:n], rest[n + 1 :]
    faces = [int(ID[card]) for card in items if card >= 0]
    if kind == 0:
        return items[:1]
    if kind == 16:
        return [value]
    if kind == 13:
        return [(faces[0], specials[0])] if faces else []
    if kind == 5:
        return [] if value < 0 else [int(ID[value])]
    return faces + [POWER_THAT_PAYS[int(ID[card])] for card in specials if kind == 6]


def test_a_problem_says_nothing_that_is_hidden() -> None:
    """Everything a seat cannot see is rearranged: its problem and document stay the same."""
    rng = np.random.default_rng(5)
    game = bw.game("race")
    varied = 0
    for seed, seats in enumerate((2, 2, 3, 4)):
        state = game.new(seed=seed, seats=seats)
        while (seat := state.player) != TERMINAL:
            other = state.copy()
            game.information.scramble(other.record, seat, rng)  # type: ignore[misc]
            varied += other != state
            problem = problem_of(state.observation(seat))
            assert problem_of(other.observation(seat)) == problem
            assert document_text(problem_of(other.observation(seat))) == document_text(problem)
            state.apply(int(rng.choice(state.legal_actions())))
    assert varied > 100


def test_what_the_other_player_holds_and_chose_in_secret_is_not_in_the_problem() -> None:
    state = choose(position([["Old Earth"], ["New Sparta"]], [[], ["Gem World"]]), 3)
    problem = problem_of(state.observation(1))
    assert (problem.opponent.action, problem.opponent.hand, problem.me.action) == (0, (), 0)
    assert problem.phases == ()
    state = position([["Old Earth"], ["New Sparta"]], [["Gem World"], ["Mining World"]])
    problem = problem_of(state.observation(0))
    assert (problem.opponent.hand, problem.opponent.hand_size, problem.me.hand) == ((), 1, (13,))


SETTLERS = ["Old Earth", "Colony Ship", "New Military Tactics", "Contact Specialist"]


def settling(world: str, *hand: str) -> bw.State:
    state = position([SETTLERS, ["New Sparta"]], [[world, *hand], []])
    choose(state, 7, 5)
    say(state, f"settle {world}")
    return say(state, "place nothing")


def test_a_payment_offers_the_hand_and_the_powers_that_help() -> None:
    problem = problem_of(settling("Gem World", "Colony Ship", "Comet Zone", "Mining World").observation(0))
    assert (problem.type, problem.subject) == (6, 13)
    assert problem.options == (14, 15, 100, (14, 0), (22, 0)), "the Colony Ship of the hand and that of the tableau"
    assert (problem.minimum, problem.maximum) == (1, 3), "the ship; or two cards, and tactics for nothing"


def carry_out(state: bw.State, choice: Choice) -> Choice:
    while True:
        observation = state.observation(0)
        action = next_step(observation, choice)
        state.apply(action)
        made = completed_choice(observation, action)
        if made is not None:
            return made


@pytest.mark.parametrize(
    ("choice", "hand", "left"),
    [
        (((14, 0),), ["Colony Ship", "Comet Zone", "Mining World"], 4),
        ((14, 15), ["Mining World"], 5),
        ((15, 100), ["Colony Ship"], 5),
        ((14, 100, (22, 0)), ["Comet Zone"], 4),
    ],
)
def test_a_payment_is_carried_out(choice: Choice, hand: list[str], left: int) -> None:
    state = settling("Gem World", "Colony Ship", "Comet Zone", "Mining World")
    assert sorted(map(str, carry_out(state, choice))) == sorted(map(str, choice))
    assert sorted(names(state.record.hand[0])) == sorted(hand)
    assert state.record.size[0] == left


@pytest.mark.parametrize("choice", [(), (14,), (15,), (9,), ((24, 1),), (14, 15, 100), ((14, 0), 15), (15, 15)])
def test_a_choice_that_does_not_fit_is_refused(choice: Choice) -> None:
    state = settling("Gem World", "Colony Ship", "Comet Zone", "Mining World")
    with pytest.raises(IllegalAction, match="does not answer"):
        carry_out(state, choice)


def test_a_military_world_can_be_conquered_or_bought() -> None:
    problem = problem_of(settling("Rebel Miners", "Comet Zone", "Mining World").observation(0))
    assert problem.options == (15, 100, (14, 0), (22, 0), (24, 1))
    assert (problem.minimum, problem.maximum) == (1, 3)


def test_a_seat_that_is_not_asked_has_no_problem() -> None:
    state = bw.game("race").new(seed=1)
    with pytest.raises(BoardwrightError, match="is not asked"):
        problem_of(state.observation(1 - state.player))
