"""SCOUT1, SCOUT2 and SCOUT3 at play."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import boardwright as bw
from boardwright.agents import Agent, Decision, Reason, Spec
from boardwright.agents.base import checked_params
from boardwright.arena.match import Match
from boardwright.cbr.evaluation import EvaluationReport
from boardwright.cbr.store import BadCaseBase
from boardwright.errors import BadSpec, BoardwrightError, UnknownName
from boardwright.games.race.cards import DESIGNS
from boardwright.games.race.state import ROUND_ACTIONS, STATE, USE_COLONY_SHIP, USE_TACTICS
from boardwright.kernel import Observation, State
from boardwright.learn.agents import NetSearch
from boardwright.scout.cases.building import ALL_TYPES, cases_of, decisions, has_choice
from boardwright.scout.cases.collection import CaseCollection, collection_of
from boardwright.scout.cases.features import PASS
from boardwright.scout.cases.files import load_cases, write_case_file, write_store
from boardwright.scout.cases.indexing import index_cases
from boardwright.scout.cases.profiles import load_profiles
from boardwright.scout.cases.representation import encode
from boardwright.scout.documents.validation import check_choice
from boardwright.scout.hybrid import ScoutHybrid
from boardwright.scout.problems.answering import answer
from boardwright.scout.problems.from_observation import problem_of, side_of
from boardwright.scout.problems.problem import (
    DESIGN_OF_ID,
    ID_OF_DESIGN,
    SPECIAL_POWERS,
    TYPE_ACTION,
    TYPE_DEVELOP,
    TYPE_PAYMENT,
    TYPE_SETTLE,
    Problem,
    Side,
)
from boardwright.scout.problems.steps import is_first_step, next_step
from boardwright.scout.reasoners.all_reasoners import Reasoners, policy_network_of
from boardwright.scout.reasoners.discriminants import learn_discriminants
from boardwright.scout.reasoners.evaluation import WeightLearner, ask_about, indexed_features
from boardwright.scout.reasoners.expert_rules import chosen_rules, points_of, useless_actions
from boardwright.scout.reasoners.explanation import cases_for
from boardwright.scout.reasoners.hypothetical import placement_problem
from boardwright.scout.reasoners.payment import PaymentReasoner, Ranking, price
from boardwright.scout.reasoners.placement import solutions_of
from boardwright.scout.reasoners.policy_network import PolicyNetwork
from boardwright.scout.reasoners.policy_training import train_policy
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation, RetrievedCase
from boardwright.scout.reasoners.rest import REST_TYPES
from boardwright.scout.reasoners.settings import Settings
from boardwright.scout.scout2 import WITH_CASES, Scout2
from boardwright.scout.scout3 import Scout3
from boardwright.scout.scout_agent import choice_of_partner
from boardwright.scout.weighed_by_cases import WeighedByCases, candidates
from boardwright.search import maxn
from tests.scout_games import design_named


def left_out(reasoners: Reasoners, name: str, limit: int) -> EvaluationReport:
    """The reasoner in charge asked about cases of its own case base, the whole game of each left out."""
    return ask_about(reasoners, reasoners.cases, name, limit, same=True)


def card(name: str) -> int:
    return ID_OF_DESIGN[design_named(name)]


def side(*tableau: str, hand: tuple[str, ...] = (), goods: tuple[str, ...] = (), **given: int) -> Side:
    fields = {"seat": 0, "action": 0, "chips": 0, "score": 0, "military": 0, "hand_size": len(hand)} | given
    return Side(
        **fields,
        tableau=tuple(map(card, tableau)),
        goods=tuple(map(card, goods)),
        hand=tuple(sorted(map(card, hand))),
    )


def problem(kind: int, options: tuple[object, ...], me: Side, **given: object) -> Problem:
    fields = {
        "minimum": 1, "maximum": 1, "subject": -1, "round": 5, "phases": (), "phase": 0, "deck": 60, "discard": 20,
        "pool": 20, "opponent": side("Old Earth", seat=1, hand_size=4),
    } | given  # fmt: skip
    return Problem(type=kind, options=options, me=me, **fields)


@pytest.fixture(scope="module")
def case_base(tmp_path_factory: pytest.TempPathFactory) -> str:
    match = Match("race", ("heuristic", "heuristic"), 21)
    games = [cases_of(match.play(index)) for index in range(60)]
    file = tmp_path_factory.mktemp("scout") / "small.cases"
    write_case_file(collection_of([game for game in games if game is not None], {"from": "heuristic"}), file)
    return str(file)


def play(state: State, specs: list[str], seed: int = 1) -> State:
    agents = [bw.agent(spec, state.game, seat, seed=seed) for seat, spec in enumerate(specs)]
    while not state.is_terminal:
        state.apply(agents[state.player].decide(state.observation(state.player)).action)
    return state


@pytest.mark.parametrize(
    "spec",
    ["scout1", "scout1:retrieval=set", "scout2", "scout3", "scout2:selection=proportional,stages=1,option_rates=false"],
)
def test_every_version_plays_out_of_the_box(spec: str) -> None:
    game = bw.game("race")
    assert play(game.new(seed=4), [spec, "heuristic"]).is_terminal
    assert play(game.new(seed=5), ["random", spec]).is_terminal


def test_scout2_beats_random(case_base: str) -> None:
    """It wins nearly always; 16 or fewer of 20 would happen less than once in 10,000 runs."""
    match = Match("race", (f"scout2:case_base={case_base}", "random"), 3)
    won = 0.0
    for index in range(20):
        record = match.play(index)
        won += record.returns[record.order.index(0)]
    assert won > 16


def test_modules_can_be_given_to_others(case_base: str) -> None:
    """Placements by random, actions by another agent, the rest by cases."""
    game = bw.game("race")
    spec = f"scout2:case_base={case_base},placement=random,phase=(ismcts:iterations=5,playout=random)"
    assert Spec.parse(spec).params["phase"] == "ismcts:iterations=5,playout=random"
    agent = bw.agent(spec, game, 0, seed=1)
    assert isinstance(agent, Scout2)
    play_seat(agent, seed=2)
    assert {"placement", "phase"} <= set(agent._partners)
    assert not {"payment", "discard"} & set(agent._partners)


def play_seat(agent: Scout2, seed: int) -> State:
    state = agent.game.new(seed=seed)
    other = bw.agent("heuristic", agent.game, 1, seed=seed)
    while not state.is_terminal:
        who = agent if state.player == 0 else other
        state.apply(who.decide(state.observation(state.player)).action)
    return state


@pytest.mark.parametrize(
    ("spec", "kind", "message"),
    [
        ("scout2:placement=scout2", BadSpec, "would ask itself"),
        ("scout2:placement=nobody", UnknownName, "unknown agent 'nobody'"),
        ("scout2:case_base=nowhere.db", BadCaseBase, "there is no case base nowhere.db"),
        ("scout2:weights=heavy", UnknownName, "unknown weights 'heavy'"),
        ("scout2:rules=goods+luck", UnknownName, "unknown expert rule 'luck'"),
        ("scout2:stages=3", BadSpec, "stages"),
        ("scout3:learn=true", BadSpec, "learn=true needs case_base"),
    ],
)
def test_what_cannot_be_is_said(spec: str, kind: type[Exception], message: str) -> None:
    game = bw.game("race")
    with pytest.raises(kind, match=message):
        play_seat(bw.agent(spec, game, 0), seed=1)


@pytest.mark.parametrize("seats", [3, 4])
def test_whole_games_with_more_players(seats: int, whole_case_base: str) -> None:
    """By cases of two players, and by those of such games."""
    spec = f"scout2:case_base={whole_case_base},rest=cases"
    record = Match("race", (spec, "scout1:partner_agent=heuristic", *["heuristic"] * (seats - 2)), 4).play(0)
    assert len(record.returns) == seats
    found = cases_of(record, ALL_TYPES, seat=0)
    assert found is not None
    assert len(found.records) > 20
    assert set(found.records["me"]["seat"].tolist()) == {0}


def test_the_same_seed_decides_the_same_again(case_base: str) -> None:
    def moves(seed: int) -> list[int]:
        match = Match("race", (f"scout2:case_base={case_base}", "heuristic"), seed)
        return match.play(0).actions

    assert moves(7) == moves(7)


def test_no_hidden_information_reaches_a_reasoner(case_base: str) -> None:
    """Whatever the seat cannot see is rearranged: the problem and the decision stay the same."""
    game = bw.game("race")
    assert game.information.scramble is not None
    rng = np.random.default_rng(3)
    state = game.new(seed=8)
    tested = 0
    while not state.is_terminal:
        seat = state.player
        other = state.copy()
        game.information.scramble(other.record, seat, rng)
        mine, theirs = state.observation(seat), other.observation(seat)
        assert problem_of(mine) == problem_of(theirs)
        if len(mine.legal_actions()) > 1:
            spec = f"scout2:case_base={case_base}"
            first, second = (bw.agent(spec, game, seat, seed=4).decide(observation) for observation in (mine, theirs))
            assert first.action == second.action
            tested += 1
        state.apply(bw.agent("heuristic", game, seat, seed=1).decide(mine).action)
    assert tested > 30


class Watched(Agent):
    """Takes the first legal action, and keeps what it was shown."""

    def prepare(self) -> None:
        self.shown: list[Observation] = []

    def decide(self, observation: Observation) -> Decision:
        self.shown.append(observation)
        return Decision(observation.legal_actions()[0])


def test_partners_in_process_see_what_the_seat_sees() -> None:
    """Behind the socket they see what a document says, which is less."""
    game = bw.game("race")
    state, agents = game.new(seed=5), [bw.agent("heuristic", game, seat) for seat in range(2)]
    for _ in range(60):
        state.apply(agents[state.player].decide(state.observation(state.player)).action)
    observation = state.observation(state.player)
    problem = problem_of(observation)
    here, there = Watched(game, state.player), Watched(game, state.player)
    choices = choice_of_partner(here, IndexedProblem(problem, observation)), answer(there, problem)
    assert here.shown[0] is observation
    assert there.shown[0] != observation, "cards seen earlier are not in it"
    assert choices[0] == choices[1], "the first of the same options"


PUBLISHED = {
    "described": "weights=dissertation,selection=proportional,option_rates=false,policy_network=false,"
    "hypothetical=true",
    "described-gradient": "weights=dissertation-gradient,k=1,selection=proportional,option_rates=false,"
    "policy_network=false,hypothetical=true",
    "cases-alone": "policy_network=false,discriminants=true,case_weight=0.5,rest=cases",
    "features-alone": "policy_network=false,weights=gradient,rest=cases",
    "learned-space": "space=learned",
    "network-and-cases": "network=(netpolicy:weights=large),policy_network=false",
    "described+partners,placement=cases": "weights=dissertation,selection=proportional,option_rates=false,"
    "policy_network=false,hypothetical=true,phase=netsearch,payment=netsearch,discard=netsearch",
}
"""What the rows of the published table were played with."""


@pytest.mark.parametrize("preset", PUBLISHED)
def test_a_preset_stands_for_the_parameters_of_a_published_row(preset: str) -> None:
    short, long = (
        checked_params(Scout2, Spec.parse(f"scout2:{params}").params)
        for params in (f"preset={preset}", PUBLISHED[preset])
    )
    assert {**short, "preset": ""} == long


def test_what_is_given_beside_a_preset_counts() -> None:
    found = checked_params(Scout2, {"preset": "described", "hypothetical": "false", "k": "7"})
    assert (found["hypothetical"], found["k"], found["weights"]) == (False, 7, "dissertation")
    with pytest.raises(UnknownName, match=r"preset 'describd' of agent 'scout2'; did you mean 'described'\?"):
        checked_params(Scout2, {"preset": "describd"})


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_through_documents_the_same_game_is_played(whole_case_base: str, seats: int) -> None:
    """An observation rebuilt from the problem gets the same choice as the true one, in every question of a game."""
    game = bw.game("race")
    spec = f"scout2:case_base={whole_case_base},rest=cases,policy_network=false"
    here, there = (bw.agent(spec, game, 0, seed=9) for _ in range(2))
    state, asked = game.new(seed=31, seats=seats), None
    others = [bw.agent("heuristic", game, seat, seed=2) for seat in range(seats)]
    while not state.is_terminal:
        observation = state.observation(state.player)
        if state.player != 0:
            state.apply(others[state.player].decide(observation).action)
            continue
        question = problem_of(observation)
        action = here.decide(observation).action
        if question != asked:
            choice = answer(there, question)
            assert next_step(observation, choice) == action, question
        asked = question
        state.apply(action)


def test_a_choice_that_somebody_else_began_is_finished(case_base: str) -> None:
    """Asked in the middle of a payment it would have made otherwise, it still answers what is legal."""
    game, asked = bw.game("race"), 0
    for seed in range(6):
        state = game.new(seed=seed)
        while not state.is_terminal:
            seat, observation = state.player, state.observation(state.player)
            fresh = bw.agent(f"scout2:case_base={case_base}", game, seat, seed=seed)
            assert fresh.decide(observation).action in observation.legal_actions()
            asked += not is_first_step(observation)
            state.apply(bw.agent("random", game, seat, seed=len(str(state))).decide(observation).action)
    assert asked > 20


def test_reasons_name_the_cases(case_base: str) -> None:
    game = bw.game("race")
    agent = bw.agent(f"scout2:case_base={case_base}", game, 0, seed=2)
    assert isinstance(agent, Scout2)
    state = game.new(seed=12)
    other = bw.agent("heuristic", game, 1)
    seen = Counter[int]()
    while not state.is_terminal:
        observation = state.observation(state.player)
        decision = (agent if state.player == 0 else other).decide(observation)
        if state.player == 0 and agent.last_recommendation.votes:
            kind = problem_of(observation).type
            if kind in (TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE):
                seen[kind] += 1
                chosen = next(reason for reason in decision.reasons if reason.action == decision.action)
                assert chosen.weight is not None
                assert sum(reason.weight or 0 for reason in decision.reasons) == pytest.approx(1.0)
                if kind != TYPE_ACTION:
                    assert "case " in chosen.note
                    assert "distance" in chosen.note
        state.apply(decision.action)
    assert seen[TYPE_ACTION] > 5


def test_one_stage_uses_only_solutions_at_hand_and_two_stages_adapt(case_base: str) -> None:
    loaded = load_cases(case_base)
    adapting = {n: Reasoners(loaded, Settings(stages=n)).adapting for n in (1, 2)}
    tested = 0
    for _, question, _ in decisions(Match("race", ("heuristic", "heuristic"), 77).play(0), 0):
        if question.type not in (TYPE_DEVELOP, TYPE_SETTLE) or not question.options:
            continue
        options = solutions_of(question)
        one, two = (adapting[n].retrieve(IndexedProblem(question)) for n in (1, 2))
        assert all(case.solution == case.adapted for case in one)
        assert all(case.adapted in options for case in (*one, *two))
        if one:
            assert two[0].distance <= one[0].distance, "more cases to find a near one among"
        assert all((case.solution == PASS) == (case.adapted == PASS) for case in two)
        tested += 1
    assert tested > 3


def test_two_stage_adaptation_is_right_more_often_than_one_stage() -> None:
    """As published. Asked about 600 developments and 600 worlds of the package's case base, each without its game."""
    settings = Settings(weights="dissertation", selection="best", option_rates=False, policy_network=False)
    right = {}
    for stages in (1, 2):
        reasoners = Reasoners(load_cases("default"), replace(settings, stages=stages))
        reports = [left_out(reasoners, name, 600) for name in ("develop", "settle")]
        right[stages] = sum(report.accuracy for report in reports)
    assert right[2] > right[1]


def test_votes_for_settle_do_not_go_to_develop_when_no_world_fits(case_base: str) -> None:
    """With nothing to settle there is nothing to divide: as many votes for each action as without the question."""
    settings = Settings(
        weights="dissertation", selection="best", option_rates=False, policy_network=False, rules="none"
    )
    cases = load_cases(case_base)
    asked = IndexedProblem(
        problem(TYPE_ACTION, (1, 2, 3, 5, 7, 8, 9), side("Old Earth", "Gem World", hand=("Space Marines", "Gem World")))
    )
    assert placement_problem(asked.problem, TYPE_SETTLE) is None
    assert placement_problem(asked.problem, TYPE_DEVELOP) is not None
    votes = [
        Reasoners(cases, replace(settings, hypothetical=hypothetical)).reason(asked, random.Random(1)).votes
        for hypothetical in (True, False)
    ]
    assert dict(votes[0]).get((5,)), "the nearest cases settle, so that there is something to lose"
    assert votes[0] == votes[1]


def test_a_case_is_credited_once_per_decision(case_base: str) -> None:
    """Where options are judged one by one, a case that offered several is retrieved several times."""
    reasoners, repeated = Reasoners(load_cases(case_base), Settings(policy_network=False)), 0
    for _, question, _ in decisions(Match("race", ("heuristic", "heuristic"), 78).play(0), 0, 1):
        if question.type in (TYPE_DEVELOP, TYPE_SETTLE) and len(question.options) > 1:
            found = reasoners.reason(IndexedProblem(question), random.Random(1))
            votes = [case.id for case in found.retrieved if case.adapted == found.chosen]
            assert sorted(case.id for case in found.supporting) == sorted(set(votes))
            repeated += len(votes) > len(set(votes))
    assert repeated


def test_what_would_be_placed_supports_an_action_not_a_card_of_the_same_number(case_base: str) -> None:
    """Action 3 is Develop; design number 3 is a card. A case that would place it as a world supports Settle."""
    settings = Settings(weights="dissertation", option_rates=False, policy_network=False, hypothetical=True)
    reasoners, seen = Reasoners(load_cases(case_base), settings), Counter[int]()
    for _, question, _ in decisions(Match("race", ("heuristic", "heuristic"), 79).play(0), 0, 1):
        if question.type == TYPE_ACTION:
            found = reasoners.reason(IndexedProblem(question), random.Random(1))
            placed = [case for case in found.supporting if case.kind != TYPE_ACTION]
            assert all(case.kind == found.chosen and case.adapted != PASS for case in placed), (
                "types are actions' codes"
            )
            seen[found.chosen or 0] += len(placed)
    assert seen[3]
    assert seen[5]
    assert set(seen.elements()) == {3, 5}


@pytest.fixture(scope="module")
def whole_case_base(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Cases of all types of questions."""
    match = Match("race", ("heuristic", "heuristic"), 22)
    games = [cases_of(match.play(index), ALL_TYPES) for index in range(40)]
    cases = collection_of([game for game in games if game is not None], {"from": "heuristic"})
    cases.meta["policy_network"] = train_policy(cases.records)
    file = tmp_path_factory.mktemp("scout") / "whole.cases"
    write_case_file(cases, file)
    return str(file)


def test_scout_plays_whole_games_without_a_partner(whole_case_base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question is answered from cases, and well enough to beat a random player."""
    monkeypatch.setattr(Scout2, "partner", lambda *_: pytest.fail("somebody else was asked"))
    match = Match("race", (f"scout2:case_base={whole_case_base},rest=cases", "random"), 3)
    won = 0.0
    for index in range(6):
        record = match.play(index)
        won += record.returns[record.order.index(0)]
    assert won >= 5


@pytest.mark.parametrize("preset", ["cases-alone", "features-alone"])
def test_the_case_base_of_the_package_needs_no_partner(preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the settings for cases alone: no network is heard, and nobody else is asked."""
    monkeypatch.setattr(Scout2, "partner", lambda *_: pytest.fail("somebody else was asked"))
    monkeypatch.setattr(PolicyNetwork, "probabilities", lambda *_: pytest.fail("the network was asked"))
    match = Match("race", (f"scout2:preset={preset}", "heuristic"), 3)
    assert match.play(0).returns


def test_the_rest_is_answered_as_in_similar_cases(whole_case_base: str) -> None:
    """Every type of question, with choices that the rules allow; more often the choice that was made than by chance."""
    rest = Reasoners(load_cases(whole_case_base), Settings(policy_network=False)).rest
    asked, right, by_chance = 0, 0, 0.0
    for game in range(8):
        for _, question, choice in decisions(Match("race", ("heuristic", "heuristic"), 23).play(game), 0, 1):
            if question.type in REST_TYPES and has_choice(question):
                found = rest.reason(IndexedProblem(question))
                check_choice(question, found.choice)
                if question.minimum == question.maximum == 1:
                    asked, right = asked + 1, right + (found.choice == choice)
                    by_chance += 1 / len(question.options)
    assert asked > 60
    assert right > 1.3 * by_chance


def test_discriminants_predict_choices_of_games_that_they_did_not_see(whole_case_base: str) -> None:
    """They are learned from the cases of 40 games alone, the same each time; one problem and many are judged alike."""
    cases = load_cases(whole_case_base)
    found, again = learn_discriminants(cases), learn_discriminants(cases)
    right, choices = 0, Counter[object]()
    for game in range(12):
        for _, question, choice in decisions(Match("race", ("heuristic", "heuristic"), 29).play(game), 0, 1):
            if question.type == TYPE_ACTION:
                features = IndexedProblem(question).features
                likely = found.probabilities(TYPE_ACTION, features)[0]
                twice = found.probabilities(TYPE_ACTION, features.joined(features))
                np.testing.assert_allclose(twice, [likely, likely], rtol=1e-4, atol=1e-6)
                np.testing.assert_array_equal(again.probabilities(TYPE_ACTION, features)[0], likely)
                right += (ROUND_ACTIONS[int(likely.argmax())],) == choice
                choices[choice] += 1
    assert choices.total() > 150
    assert right > 1.5 * max(choices.values()), "more than by the most frequent choice"


def test_without_cases_discriminants_prefer_nothing() -> None:
    none = load_cases("default").first_games(0)
    found = learn_discriminants(none)
    actions = load_cases("default").case_base(TYPE_ACTION).subset(np.arange(2))
    np.testing.assert_allclose(found.probabilities(TYPE_ACTION, actions), 1 / len(ROUND_ACTIONS), rtol=1e-5)


def test_a_question_without_any_case_is_answered_by_what_comes_first(
    case_base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`rest=cases` with cases of actions and placements alone, as ten games of a person may leave: whole games are
    played, nobody else is asked, and every answer is one that the rules allow."""
    rest, asked = Reasoners(load_cases(case_base), Settings(policy_network=False)).rest, 0
    for _, question, _ in decisions(Match("race", ("heuristic", "heuristic"), 23).play(0), 0, 1):
        if question.type in REST_TYPES and has_choice(question):
            found = rest.reason(IndexedProblem(question))
            check_choice(question, found.choice)
            assert found.choice == question.options[: max(1, question.minimum)]
            asked += 1
    assert asked > 5
    monkeypatch.setattr(Scout2, "partner", lambda *_: pytest.fail("somebody else was asked"))
    assert Match("race", (f"scout2:case_base={case_base},rest=cases", "random"), 3).play(0).returns


def test_in_the_learned_space_near_cases_are_those_of_which_the_network_expects_the_same(whole_case_base: str) -> None:
    loaded = load_cases(whole_case_base)
    reasoners = Reasoners(loaded, Settings(space="learned"))
    network = policy_network_of(loaded)
    assert network is not None
    assert reasoners.policy_network is None, "only the cases vote"
    asked = 0
    for _, question, _ in decisions(Match("race", ("heuristic", "heuristic"), 24).play(0), 0, 1):
        if question.type == TYPE_ACTION:
            indexed = IndexedProblem(question)
            found = reasoners.reason(indexed, random.Random(1))
            here = network.probabilities(TYPE_ACTION, indexed.features)[0]
            base = reasoners.phase.index.case_base
            there = network.probabilities(TYPE_ACTION, base)
            distances = np.sqrt(np.square(np.sqrt(there) - np.sqrt(here)).sum(1))
            expected = np.sort(distances)[: len(found.retrieved)]
            assert [case.distance for case in found.retrieved] == pytest.approx(expected.tolist(), abs=1e-5)
            votes = Counter(int(base.classes[base.ids == case.id][0]) for case in found.retrieved)
            assert {action for (action,), _ in found.votes} <= set(votes)
            asked += 1
    assert asked > 10
    with pytest.raises(BadSpec, match="needs a case base with a policy network"):
        Reasoners(replace(loaded, meta={}), Settings(space="learned"))


def test_without_a_class_for_passing_a_card_is_placed_whenever_one_can_be(case_base: str) -> None:
    """The dissertation has 95 classes, one per card."""
    loaded = load_cases(case_base)
    always = [
        Reasoners(loaded, Settings(passing="never", option_rates=rates, policy_network=False))
        for rates in (False, True)
    ]
    tested = 0
    for _, question, _ in decisions(Match("race", ("heuristic", "heuristic"), 80).play(0), 0, 1):
        if question.type in (TYPE_DEVELOP, TYPE_SETTLE) and question.options:
            for reasoners in always:
                found = reasoners.reason(IndexedProblem(question), random.Random(1))
                assert found.choice
                assert PASS not in [case.adapted for case in found.supporting]
            tested += 1
    assert tested > 5


def test_a_hypothetical_placement_is_what_calling_the_phase_would_offer() -> None:
    """In games, when a seat calls Develop or Settle, what it can place is what was foreseen when it chose, unless the
    hand has changed meanwhile or special cards help."""
    compared = 0
    for game in range(6):
        record = Match("race", ("heuristic", "heuristic"), 5).play(game)
        for seat in (0, 1):
            foreseen: dict[int, Problem | None] = {}
            hand: tuple[int, ...] = ()
            for _, question, choice in decisions(record, seat):
                if question.type == TYPE_ACTION:
                    foreseen = {kind: placement_problem(question, kind) for kind in (TYPE_DEVELOP, TYPE_SETTLE)}
                    hand, called = question.me.hand, choice[0]
                elif question.type in foreseen and called == question.type and question.me.hand == hand:
                    expected = foreseen[question.type]
                    assert set(expected.options if expected else ()) <= set(question.options)
                    special = {card("Colony Ship"), card("Contact Specialist"), card("New Military Tactics")}
                    if not special & set(question.me.tableau):
                        assert (expected.options if expected else ()) == question.options
                    compared += 1
    assert compared > 20


def test_expert_rules_leave_out_what_does_nothing() -> None:
    bare = IndexedProblem(problem(TYPE_ACTION, (1, 2, 3, 5, 7, 8, 9), side("Old Earth")))
    rules = chosen_rules("placeable+goods+producers")
    assert useless_actions(rules, bare) == {3, 5, 7, 8, 9}
    assert useless_actions(chosen_rules("none"), bare) == set()
    rich = side("Alpha Centauri", "Consumer Markets", hand=("Space Marines", "Gem World", "Old Earth"),
                goods=("Alpha Centauri",))  # fmt: skip
    asked = IndexedProblem(problem(TYPE_ACTION, (1, 2, 3, 5, 7, 8, 9), rich))
    assert useless_actions(rules, asked) == {8, 9}, "nothing to consume novelty goods from; the windfall has its good"


def test_points_of_cards_add_up_to_the_score() -> None:
    """Card after card, what each adds to those before it makes the final score by the rules."""
    for number in range(40):
        record = Match("race", ("heuristic", "heuristic"), 41).play(number)
        *_, (end, _) = record.replay()
        for seat, score in enumerate(record.scores):
            whole = side_of(end.memory.view(STATE)[0], seat, 0, ())
            before = [replace(whole, tableau=whole.tableau[:place]) for place in range(len(whole.tableau))]
            added = [points_of(DESIGN_OF_ID[card], me) for card, me in zip(whole.tableau, before, strict=True)]
            assert whole.chips + sum(added) == score


def test_the_last_placement_is_worth_most(case_base: str) -> None:
    worlds = [design.name for design in DESIGNS if design.world and not design.has("start")][:10]
    me = side(
        "Old Earth", *worlds, hand=("Space Marines", "Galactic Federation", "Gem World", "Lost Species Ark World")
    )
    asked = IndexedProblem(problem(TYPE_DEVELOP, (card("Space Marines"), card("Galactic Federation")), me, minimum=0))
    rules = "placeable+goods+producers+endgame"
    aware = Reasoners(load_cases(case_base), Settings(rules=rules)).reason(asked, random.Random(0))
    assert aware.choice == (card("Galactic Federation"),)
    assert "last placement" in aware.note
    early = IndexedProblem(problem(TYPE_DEVELOP, (card("Space Marines"), card("Galactic Federation")), side(
        "Old Earth", hand=("Space Marines", "Galactic Federation")), minimum=0))  # fmt: skip
    assert "last" not in Reasoners(load_cases(case_base), Settings(rules=rules)).reason(early, random.Random(0)).note


def test_payment_ranks_cards_by_how_often_they_were_spent() -> None:
    """Gem World was spent in 3 of 4 payments for Space Marines, Spice World in 1 of 4."""
    hand = ("Gem World", "Spice World", "New Vinland")
    question = problem(TYPE_PAYMENT, tuple(sorted(map(card, hand))), side(hand=hand), subject=card("Space Marines"))
    paid = ["Gem World", "Gem World", "Gem World", "Spice World"]
    records = np.concatenate([encode(question, (card(name),)) for name in paid])
    ranking = Ranking(index_cases(records), records["subject"])
    rates = ranking.rates(design_named("Space Marines"))
    assert rates[design_named("Gem World")] == pytest.approx((3 + 6 * 4 / 6) / 10)
    assert rates[design_named("Spice World")] == pytest.approx((1 + 6 * 2 / 6) / 10)
    reasoner = PaymentReasoner(index_cases(records), records["subject"])
    assert reasoner.reason(IndexedProblem(question)).choice == (card("Gem World"),)
    two = problem(TYPE_PAYMENT, question.options, question.me, subject=card("Space Marines"), minimum=2, maximum=2)
    assert set(reasoner.reason(IndexedProblem(two)).choice) == {card("Gem World"), card("Spice World")}


def test_special_cards_are_used_where_they_are_needed() -> None:
    """A world of defence 5 with 3 military: New Military Tactics is the only way."""
    tactics = SPECIAL_POWERS[USE_TACTICS]
    me = side("New Sparta", "New Military Tactics", "Rebel Outpost", hand=("Gem World", "Spice World"))
    question = problem(
        TYPE_PAYMENT, (*me.hand, tactics), me, subject=card("Rebel Outpost"), minimum=1, maximum=1,
    )  # fmt: skip
    assert price(question, 0) is None
    assert price(question, USE_TACTICS) == 0
    record = encode(question, (tactics,))
    reasoner = PaymentReasoner(index_cases(record), record["subject"])
    assert reasoner.reason(IndexedProblem(question)).choice == (tactics,)
    ship = SPECIAL_POWERS[USE_COLONY_SHIP]
    me = side("Old Earth", "Colony Ship", "Spice World", hand=("Gem World", "New Vinland"))
    cheap = problem(TYPE_PAYMENT, (*me.hand, ship), me, subject=card("Spice World"), minimum=1, maximum=2)
    assert price(cheap, 0) == 2
    assert ship not in reasoner.reason(IndexedProblem(cheap)).choice, "two cards are cheaper than the ship"


def test_scout1_places_what_similar_winners_had(case_base: str) -> None:
    game = bw.game("race")
    placed = 0
    for seed in (3, 4, 5):
        agent = bw.agent(f"scout1:case_base={case_base}", game, 0, seed=1)
        state, other = game.new(seed=seed), bw.agent("heuristic", game, 1)
        while not state.is_terminal:
            observation = state.observation(state.player)
            decision = (agent if state.player == 0 else other).decide(observation)
            if (
                state.player == 0
                and problem_of(observation).type in (TYPE_DEVELOP, TYPE_SETTLE)
                and decision.reasons[0].note
            ):
                placed += 1
                assert "case " in decision.reasons[0].note
            state.apply(decision.action)
    assert placed > 6


def test_tests_leave_out_the_game_of_the_case(case_base: str) -> None:
    """Nothing a reasoner retrieves in a test is from the case's own game."""
    loaded = load_cases(case_base)
    reasoners = Reasoners(loaded, Settings())
    seen = []
    for kind, reasoner in ((TYPE_ACTION, reasoners.phase), (TYPE_SETTLE, reasoners.placement)):
        reason = reasoner.reason

        def checked(
            asked: IndexedProblem, rng: random.Random, *, exclude_group: int, reason: object = reason
        ) -> object:
            recommendation = reason(asked, rng, exclude_group=exclude_group)  # type: ignore[operator]
            seen.append(exclude_group)
            assert all(case.group != exclude_group for case in recommendation.retrieved)
            return recommendation

        reasoner.reason = checked  # type: ignore[method-assign, assignment]
        report = left_out(reasoners, "phase" if kind == TYPE_ACTION else "settle", 40)
        assert report.cases == 40
        assert report.accuracy > report.guessing
    assert len(set(seen)) > 20


def test_the_case_base_helps_to_tell_actions(case_base: str) -> None:
    """Far better than the most frequent action, which is right in less than two of five cases."""
    report = left_out(Reasoners(load_cases(case_base), Settings()), "phase", 150)
    assert report.accuracy > 0.5


def test_profiles_are_data() -> None:
    profiles = load_profiles("dissertation")
    assert profiles["phase"].numbers["game_round"] == 8, "high"
    assert profiles["phase"].sets["player_tableau"] == 16, "very high"
    assert profiles["placement"].numbers["opponent_tableau_size"] == 1, "very low"
    assert "pool" not in profiles["placement"].numbers
    assert profiles["phase"].windows


def test_weights_from_a_file(tmp_path: Path, case_base: str) -> None:
    file = tmp_path / "mine.json"
    file.write_text('{"phase": {"k": 3, "numbers": {"pool": 2}, "sets": {}}}')
    assert load_profiles(str(file))["phase"].k == 3
    file.write_text('{"phase": {"k": 3, "numbers": {"pol": 2}, "sets": {}}}')
    with pytest.raises(UnknownName, match="unknown feature 'pol'"):
        load_profiles(str(file))
    file.write_text("[]")
    with pytest.raises(BadSpec, match="does not hold feature weights"):
        load_profiles(str(file))


def test_scout3_without_learning_plays_like_scout2(case_base: str) -> None:
    games = [
        Match("race", (f"{name}:case_base={case_base}", "heuristic"), 7).play(0).actions
        for name in ("scout2", "scout3")
    ]
    assert games[0] == games[1]


def test_a_case_base_is_loaded_once(case_base: str) -> None:
    first: CaseCollection = load_cases(case_base)
    assert load_cases(case_base) is first
    assert Scout3(bw.game("race"), 0, case_base=case_base).reasoners.cases is first


def test_an_option_has_the_rate_at_which_it_was_taken_where_it_was_offered(case_base: str) -> None:
    """Rates by hand: the cases nearest to a problem among those that offered the card, with its usual rate added."""
    loaded = load_cases(case_base)
    reasoners = Reasoners(loaded, Settings(weights="dissertation"))
    settled = loaded.case_base(TYPE_SETTLE)
    offered, taken = settled.membership("offered"), settled.membership("taken")
    assert (taken <= offered).all()
    assert (taken.sum(1) <= 1).all()
    rates = reasoners.placement.rates[TYPE_SETTLE]  # type: ignore[union-attr]
    option = int(np.argmax(offered.sum(0)))
    assert len(rates.cases_offering(option)) == offered[:, option].sum()
    question = problem(TYPE_SETTLE, (ID_OF_DESIGN[option],), side("Old Earth", hand=("Gem World",)), minimum=0)
    (found,) = rates.rates(IndexedProblem(question), [option])
    chosen = sum(case.adapted == option for case in found.cases())
    usual = (taken[:, option].sum() + 0.5) / (offered[:, option].sum() + 1)
    assert found.rate == pytest.approx((chosen + 2 * usual) / (len(found.cases()) + 2))


def test_weights_are_judged_by_the_votes_for_what_was_chosen(case_base: str) -> None:
    """The same figure as the test of the reasoner gives, without its expert rules."""
    loaded = load_cases(case_base)
    profile = load_profiles("dissertation")["phase"].switched(generalise=True, auxiliary=True, windows=True)
    learner = WeightLearner(loaded, "phase", profile, limit=100)
    settings = Settings(weights="dissertation", hypothetical=False, rules="none", option_rates=False)
    report = left_out(Reasoners(loaded, settings), "phase", 100)
    assert learner.score(profile.numbers | profile.sets) == pytest.approx(report.shares / report.cases)


def test_weights_can_be_learned_for_what_a_profile_indexes(case_base: str) -> None:
    """Single cards and groups, derived numbers where it has any, and nothing else."""
    profiles = load_profiles("dissertation")
    placement, phase = (indexed_features(profiles[kind]) for kind in ("placement", "phase"))
    assert set(placement) == set(profiles["placement"].numbers) | set(profiles["placement"].sets)
    assert {"player_tableau", "player_tableau_groups", "player_trade_value"} <= set(phase)
    assert not {"deck", "player_military", "options", "player_action"} & set(phase)
    learner = WeightLearner(load_cases(case_base), "placement", profiles["placement"], limit=40)
    learned, _ = learner.learn(6, lambda *_: None, "gradient", placement)
    assert set(learned.numbers) | set(learned.sets) <= set(placement)
    assert learned.numbers != profiles["placement"].numbers


NETWORK = "network=(netpolicy:weights=large)"


def decisions_of(spec: str, games: int = 1) -> list[tuple[int, int]]:
    """What an agent decides in games of two others: (type of problem, action)."""
    found, race = [], bw.game("race")
    for seed in range(games):
        state, agent = race.new(seed=seed), bw.agent(spec, race, 0, seed=1)
        others = [bw.agent("heuristic", race, seat) for seat in range(2)]
        while not state.is_terminal:
            observation = state.observation(state.player)
            if state.player == 0 and len(observation.legal_actions()) > 1:
                found.append((problem_of(observation).type, agent.decide(observation).action))
            state.apply(others[state.player].decide(observation).action)
    return found


def test_a_network_has_its_say_beside_the_votes_of_cases(case_base: str) -> None:
    """All of it, none of it, or something in between; what is not voted on it decides alone."""
    plain = f"scout2:case_base={case_base},rules=none"
    cases = decisions_of(plain)
    network = decisions_of("netpolicy:weights=large")
    alone, without, mixed = (decisions_of(f"{plain},{NETWORK},network_weight={w}") for w in (1, 0, 0.5))
    assert alone == network
    for at, (kind, action) in enumerate(cases):
        assert without[at] == ((kind, action) if kind in WITH_CASES else network[at])
    voted = [at for at, (kind, _) in enumerate(cases) if kind in WITH_CASES]
    assert any(mixed[at] != cases[at] for at in voted)
    assert any(mixed[at] != network[at] for at in voted)


def test_who_is_named_for_a_module_decides_there_instead_of_the_network(case_base: str) -> None:
    agent = bw.agent(f"scout2:case_base={case_base},{NETWORK},discard=heuristic", bw.game("race"), 0)
    assert isinstance(agent, Scout2)
    asked = {module: agent.spec_for(module) for module in ("phase", "placement", "payment", "discard", "rest")}
    network = "netpolicy:weights=large"
    assert asked == {
        "phase": "cases", "placement": "cases", "payment": network, "discard": "heuristic", "rest": network
    }  # fmt: skip
    with pytest.raises(BadSpec, match="network=heuristic gives no policy priors"):
        bw.agent(f"scout2:case_base={case_base},network=heuristic", bw.game("race"), 0)
    with pytest.raises(BadSpec, match="give the network to its search"):
        bw.agent(f"scout-hybrid:case_base={case_base},{NETWORK}", bw.game("race"), 0)


def hybrid(case_base: str, **params: object) -> ScoutHybrid:
    given = "".join(f",{name}={value}" for name, value in params.items())
    spec = f"scout-hybrid:case_base={case_base},search=(netsearch:determinizations=2,turns=2){given}"
    agent = bw.agent(spec, bw.game("race"), 0, seed=1)
    assert isinstance(agent, ScoutHybrid)
    return agent


def weighed_by_cases(agent: ScoutHybrid, **params: float) -> WeighedByCases:
    return WeighedByCases(
        agent.partner("search", agent.search), Recommendation(()), **{"prior_weight": 0.03, "case_share": 0.5, **params}
    )


def test_cases_can_say_which_options_the_search_may_choose() -> None:
    """The fewest options with most of the votes, and the favourite of the search's own policy."""
    reasons = [Reason(a, value=0.5, weight=w) for a, w in ((1, 0.1), (2, 0.2), (3, 0.6), (5, 0.05), (7, 0.05))]
    shares = {1: 0.7, 2: 0.25, 5: 0.05}
    assert [r.action for r in candidates(reasons, shares, 0.9)] == [1, 2, 3]
    assert [r.action for r in candidates(reasons, shares, 0.5)] == [1, 3]
    assert [r.action for r in candidates(reasons, shares, 1.0)] == [1, 2, 3, 5]
    assert [r.action for r in candidates(reasons, {}, 0.9)] == [3], "no votes: the policy's favourite"


def test_a_hybrid_whose_cases_name_candidates_chooses_among_them(case_base: str) -> None:
    agent, asked = hybrid(case_base, cases_as="candidates", coverage=0.5), 0
    state, other = bw.game("race").new(seed=4), bw.agent("heuristic", bw.game("race"), 1)
    while not state.is_terminal:
        decision = (agent if state.player == 0 else other).decide(state.observation(state.player))
        if state.player == 0 and agent.last_problem is not None and agent.last_problem.problem.type == TYPE_ACTION:
            reasons = [reason for reason in decision.reasons if reason.weight]
            assert len(reasons) < 7 or not agent.last_recommendation.votes
            asked += 1
        state.apply(decision.action)
    assert asked > 5


def test_the_search_looks_at_nothing_but_the_candidates(case_base: str) -> None:
    """With two candidates of many options it makes two rollouts in each determinization."""
    agent = hybrid(case_base)
    state = bw.game("race").new(seed=4)
    while problem_of(state.observation(state.player)).type != TYPE_ACTION or state.player != 0:
        state.apply(state.legal_actions()[0])
    observation = state.observation(0)
    options = observation.legal_actions()
    search = agent.partner("search", agent.search)
    assert isinstance(search, NetSearch)
    policy = search.policy(observation)
    favourite = max(policy, key=policy.__getitem__)
    other = next(action for action in options if action != favourite)
    votes = tuple(((option,), 1.0) for option in problem_of(observation).options)
    voted = next(vote for vote in votes if next_step(observation, vote[0]) == other)
    by_cases = Recommendation((), votes=(voted,))
    decision = WeighedByCases(search, by_cases, 0.03, 0.0, coverage=0.95).decide(observation)
    assert len(options) > 2
    assert {reason.action for reason in decision.reasons} == {favourite, other}
    assert "2 determinizations, 4 rollouts" in decision.summary


def test_a_payment_names_the_cases_behind_it(case_base: str) -> None:
    """Each card that could be given away, with how often it was, and the nearest case where it was offered."""
    reasoners, asked = Reasoners(load_cases(case_base), Settings(policy_network=False)), 0
    for _, question, _ in decisions(Match("race", ("heuristic", "heuristic"), 81).play(0), 0, 1):
        if question.type == TYPE_PAYMENT and has_choice(question):
            found = reasoners.payment.reason(IndexedProblem(question))
            assert {choice for choice, _ in found.votes} == {(c,) for c in question.options if isinstance(c, int)}
            assert found.retrieved
            assert {case.kind for case in found.retrieved} == {TYPE_PAYMENT}
            asked += 1
    assert asked > 5


def test_the_hybrid_lets_cases_decide_where_the_search_is_of_two_minds(case_base: str) -> None:
    agent = hybrid(case_base)
    shares = {3: 0.9, 5: 0.1}

    def best(reasons: list[Reason], **params: float) -> int:
        merit = weighed_by_cases(agent, **params).merit
        return max(reasons, key=lambda reason: merit(reason, shares[reason.action])).action

    close_race = [Reason(3, value=0.50, weight=0.5), Reason(5, value=0.501, weight=0.5)]
    assert best(close_race) == 3
    assert best(close_race, case_share=0) == best(close_race, prior_weight=0) == 5
    clear = [Reason(3, value=0.40, weight=0.5), Reason(5, value=0.60, weight=0.5)]
    assert best(clear) == 5
    play_seat(agent, seed=3)


def test_the_hybrid_says_what_the_search_found_and_which_cases_there_are(case_base: str) -> None:
    agent = hybrid(case_base)
    state = agent.game.new(seed=2)
    seen = set()
    while not state.is_terminal:
        observation = state.observation(state.player)
        decision = bw.agent("heuristic", agent.game, state.player, seed=1).decide(observation)
        if state.player == 0 and len(observation.legal_actions()) > 1:
            decision = agent.decide(observation)
            assert decision.reasons[0].action == decision.action
            assert all(reason.value is not None for reason in decision.reasons if reason.visits)
            assert "determinizations" in decision.summary
            kind = problem_of(observation).type
            noted = any(reason.note.startswith("case ") for reason in decision.reasons)
            assert noted <= (kind in WITH_CASES)
            seen.add((kind in WITH_CASES, noted))
        state.apply(decision.action)
    assert {(True, True), (False, False)} <= seen


def test_modules_of_the_hybrid_can_be_given_to_others(case_base: str) -> None:
    agent = hybrid(case_base, phase="random", payment="heuristic", rest="heuristic")
    play_seat(agent, seed=2)
    assert {"phase", "payment", "rest", "search"} == set(agent._partners)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ("case_share=-0.1", "case_share"),
        ("case_share=1.5", "case_share"),
        ("prior_weight=-1", "prior_weight"),
        ("search=(netsearch:turns=0)", "turns"),
        ("search=scout-hybrid", "would ask itself"),
    ],
)
def test_the_hybrid_refuses_what_makes_no_sense(params: str, message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        Match("race", (f"scout-hybrid:{params}", "random")).check()


@pytest.mark.parametrize(
    ("entrants", "message"),
    [
        (("scout3", "random", "random"), "'scout3' plays race with 2 players, not 3"),
        (("scout2:phase=scout2", "random"), "would ask itself"),
        (("scout1:partner_agent=nobody", "random"), "unknown agent 'nobody'"),
    ],
)
def test_a_match_is_refused_before_it_begins(entrants: tuple[str, ...], message: str) -> None:
    with pytest.raises(BoardwrightError, match=message):
        Match("race", entrants).check()


def test_a_match_that_is_to_teach_is_refused(case_base: str, tmp_path: Path) -> None:
    file = tmp_path / "cases.db"
    write_store(load_cases(case_base), file)
    with pytest.raises(BadSpec, match="a match does not learn"):
        Match("race", (f"scout3:learn=true,case_base={file}", "random")).check()


def test_a_recommendation_names_its_policy_priors() -> None:
    """Of what is offered, in percent; without a policy network there are none."""
    me = side("Old Earth", hand=("Gem World", "Secluded World", "Space Marines"), action=5)
    asked = IndexedProblem(problem(TYPE_SETTLE, (card("Gem World"), card("Secluded World")), me, minimum=0))
    note = bw.agent("scout2", bw.game("race"), 0).reason(asked).note
    assert "times the policy prior: " in note
    assert {name for name in ("Gem World", "Secluded World", "nothing") if name in note} > {"Gem World"}
    assert "policy" not in bw.agent("scout2:policy_network=false", bw.game("race"), 0).reason(asked).note


def test_a_critic_is_made_ready_and_checked_before_the_first_game() -> None:
    race = bw.game("race")
    plain, judged = (bw.agent(f"scout3:{spec}", race, 0) for spec in ("credit=game", "credit=critic,critic=maxn"))
    assert maxn.code not in plain.needs()
    assert maxn.code in judged.needs()
    with pytest.raises(UnknownName, match="nobody"):
        bw.agent("scout3:credit=critic,critic=nobody", race, 0).check_seats(2)


def test_a_reason_names_each_case_once_the_nearest_first() -> None:
    """Where options are judged one by one, a case is retrieved for several of them."""
    card = DESIGN_OF_ID[ID_OF_DESIGN[next(iter(ID_OF_DESIGN))]]
    near, far, other = (
        RetrievedCase(TYPE_DEVELOP, number, 1, 3, distance, card, adapted)
        for number, distance, adapted in ((7, 0.5, card), (8, 1.5, card), (9, 0.1, PASS))
    )
    asked = problem(TYPE_DEVELOP, (ID_OF_DESIGN[card],), side("Old Earth"))
    note = cases_for(asked, Recommendation((), cases=lambda: (far, other, near, far, near)), (ID_OF_DESIGN[card],))
    assert re.findall(r"case (\d+)", note) == ["7", "8"]
