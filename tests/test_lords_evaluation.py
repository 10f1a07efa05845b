"""Lords of War: the heuristics as the thesis defines them, on built positions; the players made of them."""

from __future__ import annotations

import numpy as np
import pytest

import boardwright as bw
from boardwright.conformance import walk
from boardwright.games.lords import evaluation, fit_evaluation, learned_evaluation
from boardwright.games.lords.heat_maps import DEFAULT_MAPS, HEAT, MAP_NAMES
from boardwright.games.lords.policies import deployment_gain, shot_gain
from boardwright.kernel import MAX_SEATS
from tests.lords_positions import GAME, deploy, kind, position, shoot, square

RAVAGER, BUTCHER, DEATHBRINGER, CATAPULT, GENERAL = 3, 8, 35, 24, 1
MARAUDER, SLUGGER, DOWAGER, DWARF_GENERAL = 6, 17, 4, 1


def evaluated(name, state):
    out = np.zeros(MAX_SEATS)
    GAME.entries.evaluation(name)(state.memory, out)
    return out[:2].tolist()


def built(**options):
    """Orcs: Butcher (defence 4) on d3, Ravager (3) on b2; lost a Deathbringer and a commander. Dwarves: general (7) on
    d5; lost a Slugger."""
    return position({"d3": BUTCHER, "b2": RAVAGER}, {"d5": DWARF_GENERAL}, hands=((2,), (2,)),
                    dead=((DEATHBRINGER, 16), (SLUGGER,)), **options)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("h1", (2 - 2) - (1 - 1)),
        ("h2", 3.5 - 7),
        # Butcher: c4 d4 e4 c3 e3, Ravager: a3 b3 c3 c2, together 8 squares; the general: d4 e4 e5
        ("h3", 8 - 3),
        ("h4", (2 - 2 - 1) - (1 - 1 - 0)),
        ("h5", 3.5),
        ("h6", (3 + 2) - 2),
        ("h7", (4 + 5) - 5),
        ("h8", (4 + 6) - 4),
        ("h9", (4 + 2) - 4),
        ("h10", (3 + 2) - 2),
        ("h11", (1 + 2) - 2),
    ],
)
def test_a_heuristic_counts_what_the_thesis_says(name, first):
    assert evaluated(name, built())[0] == first


def test_heuristics_are_opposite_for_the_two_seats():
    for name in evaluation.HEURISTICS:
        mine, theirs = evaluated(name, built())
        if name == "h5":
            assert (mine, theirs) == (3.5, 7)
        else:
            assert mine == -theirs


def test_without_cards_the_mean_defence_is_zero():
    state = position(second={"d5": DWARF_GENERAL}, hands=((1,), (2,)))
    assert evaluated("h2", state)[0] == -7
    assert evaluated("h5", state)[0] == 0


def test_own_cards_under_own_arrows_are_not_threatened_area():
    state = position({"d3": BUTCHER, "d4": RAVAGER})
    assert evaluation.threatened_squares(state.record, 0) == len({"c4", "e4", "c3", "e3", "c5", "d5", "e5"})


def test_each_heat_map_can_be_read_otherwise():
    assert tuple(DEFAULT_MAPS.values()) == ("front", "back", "left", "right", "centre", "edge")
    for place, letter in enumerate("abcdef"):
        for name in MAP_NAMES:
            state = built(**{f"map_{letter}": name})
            own = sum(HEAT[0, MAP_NAMES.index(name), square(where)] for where in ("d3", "b2"))
            other = HEAT[1, MAP_NAMES.index(name), square("d5")]
            assert evaluated(f"h{6 + place}", state)[0] == own - other


def test_maps_are_reflected_for_the_second_seat():
    front, left = MAP_NAMES.index("front"), MAP_NAMES.index("left")
    assert HEAT[0, front, square("a6")] == HEAT[1, front, square("a1")] == 6
    assert HEAT[0, left, square("a6")] == HEAT[1, left, square("a1")] == 7


def test_scaled_evaluations_are_chances_to_win_and_keep_the_order():
    ahead = position({"d3": BUTCHER}, {}, dead=((), (SLUGGER, DOWAGER)))
    for name in evaluation.HEURISTICS:
        for state in (ahead, built()):
            first, second = evaluated(f"scaled_{name}", state)
            assert 0 < first < 1
            assert first + second == pytest.approx(1)
    assert evaluated("scaled_h4", ahead)[0] > 0.5 > evaluated("scaled_h4", built())[0]


def test_a_finished_game_is_worth_its_result():
    state = position({"d3": GENERAL}, {"d4": DWARF_GENERAL}, hands=((4,), (2,)), dead=((), (5, 10, 18)))
    deploy(state, 4, "c3")
    assert state.is_terminal
    assert evaluated("scaled_h4", state) == [1, 0]


def test_the_rollout_policy_sees_what_a_deployment_does():
    """It counts what h4 gains: a card off the enemy's board and one on his losses; a general one more."""
    state = position({"d3": GENERAL}, {"d4": DWARF_GENERAL}, hands=((4, 9), (2,)))
    s = state.record
    assert deployment_gain(s, 0, kind(s, 0, 4), square("c3")) == 3
    assert deployment_gain(s, 0, kind(s, 0, 9), square("d5")) == 0
    doomed = position(second={"d4": MARAUDER}, hands=((9,), (2,))).record
    assert deployment_gain(doomed, 0, kind(doomed, 0, 9), square("d3")) == -2


def test_the_rollout_policy_shoots_only_what_falls_by_the_shot():
    state = position({"d2": CATAPULT, "e2": 36}, {"d4": SLUGGER, "e4": 9}, hands=((RAVAGER,), (2,)))
    deploy(state, RAVAGER, "c4")
    s = state.record
    assert shot_gain(s, square("d4")) == 2, "4, and the Ravager's 1, beat 3"
    assert shot_gain(s, square("e4")) == -1, "4 do not beat 5"
    shoot(state, "d4")
    assert shot_gain(state.record, square("d4")) == -1, "it falls already"


def test_the_policy_never_hands_over_what_is_not_legal():
    scratch, rng_state = np.zeros(GAME.max_legal, np.int64), np.arange(1, 5).astype(np.uint64)
    for _, state, legal in walk(GAME, 2, {"inactive_may_shoot": True}, seed=9):
        if legal:
            assert GAME.entries.choose("greedy")(state.memory, scratch, rng_state) in legal


def test_the_heuristic_player_takes_a_general_when_it_can():
    state = position({"d3": GENERAL}, {"d4": DWARF_GENERAL}, hands=((4, 9, 14), (2,)))
    decision = bw.agent("heuristic", GAME, 0, seed=1).decide(state.observation(0))
    assert GAME.describe(state, decision.action).endswith("to c3")
    assert decision.reasons[0].value == max(reason.value for reason in decision.reasons)


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["random", "heuristic:evaluation=h2"])
def test_the_heuristic_player_beats_weaker_ones(opponent):
    """A player no better than its opponent would win 35 of 50 games in 3 of 1,000 runs."""
    from boardwright.arena.match import Match

    match = Match("lords", ("heuristic", opponent), seed=5)
    won = sum(record.returns[record.order.index(0)] for record in map(match.play, range(50)))
    assert won >= 35


def test_the_learned_evaluation_is_the_regression_that_was_fitted():
    positions = fit_evaluation.play(games=8, seed=3)
    blocks = fit_evaluation.inputs(positions.states)
    logits = sum(blocks[name] @ learned_evaluation.WEIGHTS[name] for name in learned_evaluation.LOGITS)
    out = np.zeros(MAX_SEATS)
    evaluate = GAME.entries.evaluation("learned")
    assert len({tuple(row) for row in positions.states["row"]}) > 4  # several armies
    for state, logit in zip(positions.states, logits, strict=True):
        evaluate(np.frombuffer(bytearray(state.tobytes()), np.uint8), out)
        assert out[0] == pytest.approx(1 / (1 + np.exp(-logit)))
        assert out[0] + out[1] == pytest.approx(1)


def test_the_learned_evaluation_fears_for_a_commander_that_is_about_to_fall():
    hands = (2,), (2,)
    safe = evaluated("learned", position({"a1": GENERAL}, {"d5": DWARF_GENERAL}, hands=hands))[0]
    struck = evaluated("learned", position({"d4": GENERAL}, {"d5": DWARF_GENERAL}, hands=hands))[0]
    assert struck < safe


def test_of_a_finished_game_the_learned_evaluation_says_the_returns():
    *_, (_, state, _) = walk(GAME, 2, {}, seed=5)
    assert evaluated("learned", state) == list(state.returns)
