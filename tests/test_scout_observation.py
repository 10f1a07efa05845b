"""The observation rebuilt from a problem is good enough to play from, and the engine that asks is the referee."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import numpy as np
import pytest

import boardwright as bw
from boardwright.games.race.invariants import HOLDS, NAMES, broken
from boardwright.games.race.keldon import verify
from boardwright.kernel import TERMINAL, Observation, State, rng
from boardwright.registry import make_agent
from boardwright.scout.documents.reading import read_document
from boardwright.scout.documents.validation import check_choice
from boardwright.scout.documents.writing import document_text
from boardwright.scout.problems.answering import ProblemAgent, answer, fallback, forced_choice
from boardwright.scout.problems.from_observation import problem_of
from boardwright.scout.problems.problem import TYPES, BadDocument, Choice, Problem
from boardwright.scout.problems.steps import completed_choice, is_first_step, next_step
from boardwright.scout.problems.to_observation import after_step, observation_or_choice
from boardwright.scout.remote.session import reseated
from tests.race_positions import choose, position, recorded, say
from tests.scout_games import Steps, questions, questions_of, sampled_questions
from tests.scout_inventions import invented


def problems() -> list[Problem]:
    return [problem_of(steps[0][0]) for steps, _ in sampled_questions()]


def one_of_each_type() -> list[Problem]:
    found: dict[int, Problem] = {}
    for problem in reversed(problems()):
        found[problem.type] = problem
    assert set(found) == set(TYPES)
    return list(found.values())


def observation_of(problem: Problem) -> Observation:
    """The observation of the seat that is asked, which must have something to choose."""
    observation = observation_or_choice(problem)
    assert isinstance(observation, Observation)
    return observation


def same_at_every_step(problem: Problem, steps: Steps) -> int:
    """The observation that is rebuilt from a problem shows that problem and has the legal actions of the true one."""
    observation = observation_of(problem)
    assert problem_of(observation) == problem
    for original, action in steps:
        assert observation.legal_actions() == original.legal_actions(), problem
        made = completed_choice(observation, action)
        assert made == completed_choice(original, action)
        if made is None:
            observation = after_step(observation, action)
    return len(steps)


def test_a_rebuilt_observation_is_the_same_problem_with_the_same_actions_at_every_step() -> None:
    for steps, _ in sampled_questions():
        same_at_every_step(problem_of(steps[0][0]), steps)


def test_games_can_be_played_on_from_a_rebuilt_observation() -> None:
    game = bw.game("race")
    playout, scratch, rng_state = game.entries.playout("random"), np.zeros(game.max_legal, np.int64), rng.generator(3)
    for problem in problems()[::11]:
        observation = observation_of(problem)
        sample = observation.determinize(seed=1)
        seen = State(game, observation.memory.copy()).observation(observation.seat)  # equal cards in their usual order
        assert sample.observation(observation.seat) == seen
        found = broken(sample.record, np.zeros(4, np.int64))
        assert found == HOLDS, (NAMES[found], problem)
        playout(sample.memory, scratch, rng_state)
        assert sample.is_terminal


@pytest.mark.parametrize(
    "spec",
    ["random", "heuristic", "flat:iterations=30", "ismcts:iterations=30", "uct:iterations=30,determinizations=3"],
)
def test_any_agent_answers_questions_of_all_types(spec: str) -> None:
    for problem in one_of_each_type():
        agent = make_agent(spec, "race", problem.me.seat, seed=1)
        check_choice(problem, answer(agent, problem))


@pytest.mark.parametrize("games", [1, pytest.param(8, marks=pytest.mark.slow)])
def test_all_questions_of_the_original_program_can_be_answered(games: int) -> None:
    """It also asks where nothing is left to choose."""
    agents = [make_agent("heuristic", "race", seat, seed=1) for seat in (0, 1)]
    forced = 0
    for save in recorded()[:games]:
        _, moves = verify.play(save)
        for steps, _ in questions_of(verify.start(save), moves):
            observation = steps[0][0]
            problem = problem_of(observation)
            assert [is_first_step(observation) for observation, _ in steps] == [True] + [False] * (len(steps) - 1)
            choice = answer(agents[problem.me.seat], problem)
            check_choice(problem, choice)
            assert next_step(observation, choice) in observation.legal_actions()
            forced += forced_choice(problem) is not None
    assert forced > 2 * games


class Answering(ProblemAgent):
    """A heuristic player behind problems."""

    def prepare(self) -> None:
        super().prepare()
        self.agent = make_agent("heuristic", self.game, self.seat, seed=self.seed)

    def choose(self, problem: Problem) -> Choice:
        return answer(self.agent, problem)


def test_games_with_the_original_generator_are_played_by_problems() -> None:
    for seed in range(3):
        state = bw.game("race").new(seed=seed, generator="keldon")
        players = [Answering(state.game, seat, seed=seed) for seat in (0, 1)]
        while (seat := state.player) != TERMINAL:
            state.apply(players[seat].decide(state.observation(seat)).action)


def test_the_deck_must_have_its_true_size() -> None:
    with pytest.raises(BadDocument, match=r"deck 7687219.*not 114; to play, the deck's true size is needed"):
        observation_of(replace(problems()[30], deck=7687219))


def test_only_offered_actions_are_chosen() -> None:
    problem = next(problem for problem in problems() if problem.type == 0)
    for offered in (1, 9):
        limited = replace(problem, options=(offered,))
        assert answer(make_agent("heuristic", "race", problem.me.seat), limited) == (offered,)


def test_a_payment_takes_the_number_of_cards_that_the_engine_wants() -> None:
    problem = next(p for p in problems() if p.type == 6 and p.minimum == p.maximum == 1 and len(p.options) > 4)
    agent = make_agent("heuristic", "race", problem.me.seat)
    for wanted in (2, 3):
        choice = answer(agent, replace(problem, minimum=wanted, maximum=wanted))
        assert len(choice) == wanted


def settling_with_a_ship() -> Problem:
    state = position([["Old Earth", "Colony Ship"], ["New Sparta"]], [["Gem World", "Comet Zone", "Mining World"], []])
    choose(state, 7, 5)
    say(state, "settle Gem World")
    say(state, "place nothing")
    return problem_of(state.observation(0))


def test_a_special_card_that_is_not_offered_is_not_used() -> None:
    problem = settling_with_a_ship()
    assert problem.options == (15, 100, (14, 0))
    withheld = replace(problem, options=(15, 100), minimum=2, maximum=2)
    assert answer(make_agent("random", "race", 0), withheld) == (15, 100)


def test_a_special_card_may_be_offered_by_its_design() -> None:
    plain = replace(settling_with_a_ship(), options=(15, 100, 14))
    answers = {answer(make_agent("random", "race", 0, seed=seed), plain) for seed in range(20)}
    assert answers == {(14,), (15, 100)}


def test_players_may_be_numbered_anew() -> None:
    """Who is first follows from the start worlds, so that numbers alone change nothing."""
    for problem in problems()[::5]:
        if problem.round == 0:
            continue  # the setup goes by numbers
        seats = len(problem.sides)
        other = reseated(problem, (problem.me.seat + 1) % seats)
        assert [side.seat for side in other.sides] == [(side.seat + 1) % seats for side in problem.sides]
        assert observation_of(other).legal_actions() == observation_of(problem).legal_actions()
        assert observation_of(other).record.turn == observation_of(problem).record.turn


def test_powers_that_are_not_offered_count_as_used() -> None:
    problem = next(p for p in problems() if p.type == 13 and len(p.options) > 2)
    fewer = replace(problem, options=problem.options[:2])
    assert problem_of(observation_of(fewer)).options == problem.options[:2]


def test_the_fallback_is_legal() -> None:
    for steps, _ in sampled_questions()[::3]:
        observation = steps[0][0]
        problem = problem_of(observation)
        assert next_step(observation, fallback(problem)) in observation.legal_actions()


def test_no_problem_however_odd_makes_an_agent_fail() -> None:
    """Either the document is refused, or the answer is what it offers and wants."""
    random_numbers = random.Random(4)
    answered, refused = 0, []
    for _ in range(500):
        problem = read_document(document_text(invented(random_numbers)).encode()).problem
        try:
            choice = answer(make_agent("ismcts:iterations=4", "race", 0, seed=1), problem)
        except BadDocument as error:
            refused.append(str(error))
            continue
        check_choice(problem, choice)
        answered += 1
    assert answered > 250
    known = re.compile("no power|at this time there can be|is not in the tableau")
    assert [reason for reason in refused if not known.search(reason)] == []


def test_a_tableau_without_room_is_refused() -> None:
    problem = next(problem for problem in problems() if problem.type == 0)
    free = [face for face in range(60, 80) if face not in (*problem.opponent.tableau, *problem.me.hand)]
    crowded = replace(problem.me, tableau=(*problem.me.tableau, *free)[:12])
    added = len(crowded.tableau) - len(problem.me.tableau)
    with pytest.raises(BadDocument, match="has 12 cards; at this time there can be 11"):
        observation_of(replace(problem, me=crowded, deck=problem.deck - added))


def test_a_question_without_its_power_is_named() -> None:
    problem = next(p for p in problems() if p.type == 15)
    with pytest.raises(BadDocument, match="no power of Gem World in the tableau asks a question of type 15"):
        observation_of(replace(problem, subject=13))
    with pytest.raises(BadDocument, match="no power in the tableau asks a question of type 16"):
        observation_of(
            replace(
                problem,
                type=16,
                subject=-1,
                me=replace(problem.me, tableau=problem.me.tableau[:1], goods=()),
                deck=problem.deck + len(problem.me.tableau) - 1 + len(problem.me.goods),
            )
        )


@pytest.mark.slow
def test_hundreds_of_games_go_through_documents_without_loss() -> None:
    """All recorded games of the original program, and as many of ours again."""
    games = [questions_of(verify.start(save), verify.play(save)[1]) for save in recorded()]
    games += [iter(questions("random", seed)) for seed in range(100, 250)]
    games += [iter(questions("heuristic", seed)) for seed in range(100, 350)]
    asked = stepped = 0
    for game in games:
        for steps, choice in game:
            problem = problem_of(steps[0][0])
            assert all(problem_of(observation) == problem for observation, _ in steps)
            document = read_document(document_text(problem, choice).encode())
            assert (document.problem, document.choice) == (problem, choice)
            if not steps[0][0].record.original:
                stepped += same_at_every_step(problem, steps)
            asked += 1
    assert asked > 80_000
    assert stepped > 40_000
