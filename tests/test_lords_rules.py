"""Lords of War, rule by rule: small positions, and both readings of every ambiguity.

Unless a test says otherwise the first seat has the Orcs and sits below, the second the Dwarves and sits above.
"""

from __future__ import annotations

import numpy as np
import pytest

from boardwright.games.lords.board import ALL_SQUARES, half_turn
from boardwright.games.lords.deployment import can_deploy
from boardwright.games.lords.state import (
    CHALLENGE,
    DEPLOY,
    DRAW,
    DRAW_GAME,
    NO_REINFORCEMENT,
    NO_SHOT,
    RECALL,
    REINFORCE,
    SHOOT,
    SHOOT_AT,
)
from boardwright.kernel import rng
from tests.lords_positions import (
    GAME,
    deploy,
    hand,
    hold_fire,
    kind,
    on_board,
    position,
    recall,
    recalls,
    refill,
    shoot,
    square,
    squares_for,
    targets,
)

# Orcs by printed number, arrows as their owner sees them
ORC_GENERAL = 1  # NW5 N5 NE5, defence 6
REAR_DEATHBRINGER = 2  # SW3 S5 SE3, defence 2
RAVAGER = 3  # NW5 N3 NE2 E1, defence 3
RIGHT_RAVAGER = 4  # NW2 N3 NE5 W1, defence 3
REAR_SHANKER = 6  # S4 SE1, defence 3
BUTCHER = 8  # NW3 N4 NE3 W3 E3, defence 4
SHANKER = 9  # NW1 N4, defence 3
SPIKEMAN = 11  # NE1 E1 SE1, defence 3, spear
DEATHBRINGER = 35  # NW3 N5 NE3, defence 2
BOW_PEST = 19  # NW1 N2 NE1, defence 3, shoots 2
CATAPULT = 24  # W1 E1, defence 4, shoots 4
ORC_COMMANDS = (1, 16, 17, 18, 23, 27)
# Dwarves
DWARF_GENERAL = 1  # NW4 N5 W3, defence 7
DOWAGER = 4  # N5, defence 2
MARAUDER = 6  # N4 NE2 E1, defence 4
REAR_AXETHROWER = 7  # SW3 S3 SE3, defence 4, shoots 3 to the rear
REAR_DOWAGER = 8  # S5, defence 2
SIDE_SLUGGER = 15  # E3, defence 3
SLUGGER = 17  # N3, defence 3
SHARPSHOOTER = 28  # no arrows, defence 4, shoots 5 straight ahead
DWARF_COMMANDS = (1, 5, 10, 18, 31, 32)


def beaten_but_one(commands, others):
    """Nineteen fallen cards, none of them command."""
    return [number for number in range(1, 37) if number not in (*commands, *others)][:19]


# Setup and challenge


def test_a_hand_is_the_general_and_five_cards():
    state = GAME.new(seed=5, armies="elf,undead")
    s = state.record
    for seat in range(2):
        assert s.hand_size[seat] == 6
        assert kind(s, seat, 1) in hand(state, seat)
        assert s.deck_size[seat] == 30
        assert kind(s, seat, 1) not in s.deck[seat].tolist(), "the general is never in the deck"


def test_the_challenges_go_to_squares_that_are_images_of_each_other():
    state = GAME.new(seed=5)
    for seat, where in ((0, "c3"), (1, "e4")):
        assert state.player == seat
        assert squares_for(state, 1) == {where}
        deploy(state, 1, where)
        assert state.record.hand_size[seat] == 6, "a card was drawn"
        assert state.record.deck_size[seat] == 29
    assert half_turn(square("c3")) == square("e4")
    assert (state.player, state.record.phase) == (0, DEPLOY), "the first player takes the first turn"


def test_the_challenge_squares_are_an_option():
    state = GAME.new(seed=5, challenge_squares="d3")
    deploy(state, 1, "d3")
    assert squares_for(state, 1) == {"d4"}


def test_any_card_may_be_the_challenge():
    state = GAME.new(seed=5)
    assert len(state.legal_actions()) == len(set(hand(state, 0)))


@pytest.mark.parametrize(("fights", "survivors"), [(False, {"d3", "d4"}), (True, {"d4"})])
def test_whether_challengers_fight_is_an_option(fights, survivors):
    """An Orc general on d3 strikes a Dowager on d4 with 5, and she strikes back with 5."""
    state = position(hands=((DEATHBRINGER, 1), (DOWAGER, 1)), challenge_squares="d3", challenge_fights=fights)
    state.record.phase = CHALLENGE
    deploy(state, DEATHBRINGER, "d3")
    deploy(state, 1, "d4")
    assert on_board(state) == survivors


# Deployment


def test_a_ravager_engages_from_the_four_squares_its_arrows_allow():
    """The rule sheet's example: not from behind the Marauder, and not from its right hand side."""
    state = position(second={"d4": MARAUDER}, hands=((RAVAGER,), (1,)))
    assert squares_for(state, RAVAGER) == {"d3", "e3", "c3", "c4"}


def test_the_second_seat_engages_with_turned_arrows():
    state = position({"d3": RAVAGER}, hands=((1,), (MARAUDER,)), active=1)
    assert squares_for(state, MARAUDER) == {"d4", "e4", "e3"}


def test_a_card_need_not_be_near_friends_and_goes_to_empty_squares_only():
    state = position({"a1": BUTCHER, "d3": SHANKER}, {"d4": MARAUDER}, hands=((RAVAGER,), (1,)))
    assert squares_for(state, RAVAGER) == {"e3", "c3", "c4"}


def test_arrows_do_not_reach_around_the_edge():
    state = position(second={"a4": MARAUDER}, hands=((RAVAGER, BUTCHER), (1,)))
    assert squares_for(state, RAVAGER) == {"a3", "b3"}
    assert squares_for(state, BUTCHER) == {"a3", "b3", "b4"}


def test_a_target_grid_is_no_arrow():
    """A Sharpshooter has no arrows: it can only be put beside a friend."""
    state = position({"a1": SLUGGER}, {"d4": RAVAGER}, hands=((SHARPSHOOTER,), (1,)), armies="dwarf,orc")
    assert squares_for(state, SHARPSHOOTER) == {"a2", "b1", "b2"}


def test_spears_and_ranged_units_may_stand_beside_a_friend():
    state = position({"a1": BUTCHER}, {"d4": MARAUDER}, hands=((SPIKEMAN, CATAPULT, SHANKER), (1,)))
    beside = {"a2", "b1", "b2"}
    assert squares_for(state, SPIKEMAN) == beside | {"c3", "c4", "c5"}
    assert squares_for(state, CATAPULT) == beside | {"c4", "e4"}
    assert squares_for(state, SHANKER) == {"d3", "e3"}, "others must engage"


def test_support_gives_the_friend_no_bonus():
    state = position({"c3": SHANKER}, {"c4": MARAUDER}, hands=((SPIKEMAN,), (1,)))
    deploy(state, SPIKEMAN, "b2")
    assert on_board(state) == {"b2", "c4"}, "4 beats the Shanker's 3 all the same, and its 4 does not beat 4"


@pytest.mark.parametrize(("reading", "number"), [("anywhere", 41), ("beside_friend", 3)])
def test_without_an_enemy_on_the_board_any_card_goes(reading, number):
    state = position({"a1": BUTCHER}, hands=((SHANKER,), (1,)), no_enemy=reading)
    assert len(squares_for(state, SHANKER)) == number


def test_without_an_enemy_every_card_of_the_hand_goes():
    s = position().record
    numbers = [number for number in range(1, 37) if kind(s, 0, number) < 6]
    first_of_each = sorted({kind(s, 0, number): number for number in numbers}.values())
    state = position({"a1": first_of_each.pop()}, hands=(first_of_each, (1,)))
    assert [len(squares_for(state, number)) for number in first_of_each] == [41] * len(first_of_each)


def test_without_enemy_and_friend_a_card_goes_anywhere():
    state = position(hands=((SHANKER,), (1,)), no_enemy="beside_friend")
    assert len(squares_for(state, SHANKER)) == 42


def cannot_engage(**options):
    """A rear Deathbringer and Shanker against a Slugger on the opponent's edge, which they cannot get behind."""
    return position(second={"d6": SLUGGER}, hands=((REAR_DEATHBRINGER, REAR_SHANKER), (1,)), **options)


def test_who_cannot_engage_puts_any_card_beside_an_enemy():
    state = cannot_engage()
    beside = {"c6", "e6", "c5", "d5", "e5"}
    assert squares_for(state, REAR_DEATHBRINGER) == squares_for(state, REAR_SHANKER) == beside


@pytest.mark.parametrize(("show", "known"), [(True, 1), (False, 0)])
def test_who_could_not_engage_shows_the_hand(show, known):
    state = deploy(cannot_engage(show_hand=show), REAR_SHANKER, "c6")
    s = state.record
    assert s.known[0, kind(s, 0, REAR_DEATHBRINGER)] == known
    assert sum(s.known[0].tolist()) == known, "the card drawn afterwards is not shown"


def test_who_engages_shows_nothing():
    state = position(second={"d4": MARAUDER}, hands=((RAVAGER, BUTCHER), (1,)))
    deploy(state, RAVAGER, "e3")
    assert sum(state.record.known[0].tolist()) == 0


def test_one_card_that_can_be_placed_rules_out_the_fallback():
    state = position(second={"d6": SLUGGER}, hands=((REAR_SHANKER, RAVAGER), (1,)))
    assert squares_for(state, REAR_SHANKER) == set()
    assert squares_for(state, RAVAGER) == {"d5", "e5", "c5", "c6"}


def surrounded(**options):
    """The only enemy stands in a corner, and its neighbours are taken."""
    return position(
        {"a5": 16, "b5": 17, "b6": BUTCHER},
        {"a6": 18},
        hands=((SHANKER, RAVAGER), (1,)),
        **options,
    )


def test_without_room_beside_an_enemy_any_square_will_do():
    state = surrounded()
    assert len(squares_for(state, SHANKER)) == 42 - 4


def test_or_without_room_there_is_no_deployment():
    state = surrounded(no_room="skip", starts_turn=True)
    assert on_board(state) == {"a5", "b5", "b6"}, "the fight takes place all the same: 4 + 4 + 3 beat 6"


def test_without_room_support_units_still_go_beside_a_friend():
    state = position({"a5": 16, "b5": 17, "b6": BUTCHER}, {"a6": 18}, hands=((SPIKEMAN,), (1,)), no_room="skip")
    assert can_deploy(state.record, 0)
    assert "c5" in squares_for(state, SPIKEMAN)


def test_nobody_deploys_on_a_full_board():
    state = position(hands=((1,), (1,)))
    state.record.occupied[0] = ALL_SQUARES
    assert not can_deploy(state.record, 0)
    assert not can_deploy(state.record, 1)


# Elimination


def test_a_deathbringer_beats_a_marauder_but_not_the_slugger_beside_it():
    """The rule sheet's first example: 5 is more than 4, 3 is not more than 3."""
    state = position(second={"d3": MARAUDER, "c3": SLUGGER}, hands=((REAR_DEATHBRINGER,), (1,)))
    deploy(state, REAR_DEATHBRINGER, "d4")
    assert on_board(state) == {"d4", "c3"}
    assert state.scores == (1, 0)


def test_a_ravager_and_a_shanker_beat_a_marauder_together():
    """The second example: 5 and 4 are more than 4; the Ravager is struck with 2 and stays."""
    state = position({"d5": REAR_SHANKER}, {"d4": MARAUDER}, hands=((RIGHT_RAVAGER,), (1,)))
    deploy(state, RIGHT_RAVAGER, "c3")
    assert on_board(state) == {"d5", "c3"}


def test_an_equal_sum_does_not_eliminate():
    state = position(second={"d4": MARAUDER}, hands=((SHANKER,), (1,)))
    deploy(state, SHANKER, "d3")
    assert on_board(state) == {"d4"}, "4 against 4 stays; the Marauder's 4 beats the Shanker's 3"


def test_a_card_may_be_deployed_to_its_own_death():
    state = position(second={"d4": MARAUDER}, hands=((SHANKER,), (1,)))
    deploy(state, SHANKER, "d3")
    assert state.scores == (0, 1)
    assert state.record.dead[0, kind(state.record, 0, SHANKER)] == 1


def test_both_fall_together():
    state = position(second={"d4": DOWAGER}, hands=((DEATHBRINGER,), (1,)))
    deploy(state, DEATHBRINGER, "d3")
    assert on_board(state) == set()
    assert state.scores == (1, 1)


def test_friends_never_hurt_each_other():
    state = position({"d3": DEATHBRINGER, "d4": SHANKER}, {"a6": SLUGGER}, hands=((RAVAGER,), (1,)))
    deploy(state, RAVAGER, "a5")
    assert {"d3", "d4"} <= on_board(state)


def test_all_cards_fight_whoever_deploys():
    """The second seat deploys far away; the first's cards on the board strike all the same."""
    state = position({"d3": SHANKER}, {"a5": SLUGGER}, hands=((1,), (SIDE_SLUGGER, MARAUDER)), active=1)
    deploy(state, MARAUDER, "d4")
    assert on_board(state) == {"a5", "d4"}
    state = position({"d3": DEATHBRINGER, "c3": BUTCHER}, hands=((1,), (SLUGGER,)), active=1)
    deploy(state, SLUGGER, "d4")
    assert on_board(state) == {"c3"}, "the Deathbringer and the Slugger beat each other"


def test_damage_is_not_carried_over():
    """A Marauder with defence 4, struck with 3 in each of two turns, stays."""
    state = position({"a1": 34}, {"d4": MARAUDER}, hands=((BUTCHER,), (SLUGGER,)))
    deploy(state, BUTCHER, "e4")
    refill(state)
    assert state.record.attack[0, square("d4")] == 3
    deploy(state, SLUGGER, "a2")
    assert "d4" in on_board(state)


# Ranged units


def test_a_catapult_can_hit_the_nine_squares_ahead():
    """Third example of the rule sheet. The enemies outside the grid are out of reach."""
    inside = {"c3", "d4", "e5"}
    enemies = dict(zip(sorted(inside | {"b3", "d6", "f4"}), (SLUGGER, MARAUDER, 19, 15, 23, 36), strict=True))
    state = position({"a1": BUTCHER, "e1": SPIKEMAN}, enemies, hands=((CATAPULT,), (1,)))
    deploy(state, CATAPULT, "d2")
    assert state.record.phase == SHOOT
    assert targets(state) == inside


def test_a_rear_axethrower_can_hit_the_six_squares_behind():
    enemies = {"c3": 3, "d2": 4, "e3": 5, "d5": 32, "d1": 6}
    state = position(
        {"c4": SLUGGER}, enemies, hands=((REAR_AXETHROWER,), (1,)), armies="dwarf,orc", engaged_may_shoot=True
    )
    deploy(state, REAR_AXETHROWER, "d4")
    assert targets(state) == {"c3", "d2", "e3"}


def test_the_second_seat_shoots_the_other_way():
    state = position({"d3": SHANKER, "d6": BUTCHER}, {"c5": SLUGGER}, hands=((1,), (SHARPSHOOTER,)), active=1)
    deploy(state, SHARPSHOOTER, "d5")
    assert targets(state) == {"d3"}


def test_a_shot_is_a_question_with_no_shot_as_an_answer():
    state = position({"c2": BUTCHER}, {"d4": MARAUDER}, hands=((CATAPULT,), (1,)))
    deploy(state, CATAPULT, "d1")
    assert state.player == 0
    assert state.legal_actions() == [SHOOT_AT + square("d4"), NO_SHOT]
    hold_fire(state)
    assert "d4" in on_board(state)


def test_a_shot_adds_to_the_arrows_of_others():
    """Catapult 4 and Bow Pest 2 from afar, Ravager 2 beside it: 8 beat the general's 7, any two do not."""
    board = {"d2": CATAPULT, "e2": BOW_PEST}
    state = position(board, {"d4": DWARF_GENERAL, "a6": SLUGGER}, hands=((RAVAGER,), (2,)))
    deploy(state, RAVAGER, "c3")
    assert state.record.shooter == square("d2"), "in board order"
    shoot(state, "d4")
    assert state.record.shooter == square("e2")
    shoot(state, "d4")
    assert "d4" not in on_board(state)


def test_two_shots_alone_are_not_enough():
    board = {"d2": CATAPULT, "e2": BOW_PEST}
    state = position(board, {"d4": DWARF_GENERAL, "a6": SLUGGER}, hands=((RAVAGER,), (2,)))
    deploy(state, RAVAGER, "a5")
    shoot(state, "d4")
    shoot(state, "d4")
    assert "d4" in on_board(state)


def test_who_shoots_does_not_fight_with_arrows():
    """A Bow Pest beside a Dowager behind her back: its arrow of 2 and a Spikeman's 1 beat her 2; if it shoots at
    somebody else, she stays."""
    board = {"d3": BOW_PEST}
    enemies = {"d4": 26, "d6": SLUGGER}  # the Dowager strikes W for her owner: towards e4
    for fire, survives in ((False, False), (True, True)):
        state = position(board, enemies, hands=((SPIKEMAN,), (1,)))
        deploy(state, SPIKEMAN, "c4")
        if fire:
            shoot(state, "d6")
        else:
            hold_fire(state)
        assert ("d4" in on_board(state)) == survives


def test_arrows_of_a_unit_that_shot_count_again_in_the_next_turn():
    state = position({"d3": BOW_PEST}, {"d4": 26, "d6": SLUGGER}, hands=((SPIKEMAN,), (REAR_DOWAGER,)))
    deploy(state, SPIKEMAN, "c4")
    shoot(state, "d6")
    refill(state)
    deploy(state, REAR_DOWAGER, sorted(squares_for(state, REAR_DOWAGER))[0])
    assert "d4" not in on_board(state), "in the opponent's turn the Bow Pest fights hand to hand"


def test_a_missile_flies_over_others_and_hits_next_to_the_unit():
    state = position({"d2": SLUGGER, "c1": 6}, {"d3": 6, "d4": 9}, hands=((SHARPSHOOTER,), (1,)), armies="dwarf,orc")
    deploy(state, SHARPSHOOTER, "d1")
    assert targets(state) == {"d3", "d4"}


@pytest.mark.parametrize(("engaged_may_shoot", "asked"), [(False, False), (True, True)])
def test_whether_an_engaged_unit_may_shoot_is_an_option(engaged_may_shoot, asked):
    state = position(
        {"d2": CATAPULT},
        {"d4": SLUGGER, "c2": SIDE_SLUGGER, "e2": 23},
        hands=((RAVAGER,), (1,)),
        engaged_may_shoot=engaged_may_shoot,
    )
    # the Slugger on e2 strikes W for its owner, so away; the one on c2 strikes E for its owner, away as well
    assert state.record.attack[1, square("d2")] == 0
    state = position(
        {"d2": CATAPULT},
        {"d4": SLUGGER, "e2": SIDE_SLUGGER},
        hands=((RAVAGER,), (1,)),
        engaged_may_shoot=engaged_may_shoot,
    )
    assert state.record.attack[1, square("d2")] == 3
    deploy(state, RAVAGER, "c4")
    assert (state.record.phase == SHOOT) == asked


@pytest.mark.parametrize("may", [False, True])
def test_whether_the_other_player_shoots_too_is_an_option(may):
    state = position(
        {"d3": SHANKER}, {"d5": SHARPSHOOTER, "a6": SLUGGER}, hands=((RAVAGER,), (2,)), inactive_may_shoot=may
    )
    deploy(state, RAVAGER, "a5")
    if not may:
        assert "d3" in on_board(state)
        return
    assert (state.player, state.record.active) == (1, 0)
    shoot(state, "d3")
    assert "d3" not in on_board(state)


def test_with_both_shooting_the_active_player_is_asked_first():
    state = position(
        {"d3": SHANKER, "g1": CATAPULT},
        {"d5": SHARPSHOOTER, "g3": SLUGGER},
        hands=((RAVAGER,), (2,)),
        inactive_may_shoot=True,
    )
    deploy(state, RAVAGER, "f3")
    assert (state.player, state.record.shooter) == (0, square("g1"))
    hold_fire(state)
    assert (state.player, state.record.shooter) == (1, square("d5"))
    hold_fire(state)
    assert state.record.phase != SHOOT


# The general


def test_who_eliminates_the_general_takes_an_extra_turn():
    state = position({"d3": ORC_GENERAL}, {"d4": DWARF_GENERAL}, hands=((RIGHT_RAVAGER, RAVAGER), (2,)))
    deploy(state, RIGHT_RAVAGER, "c3")
    assert "d4" not in on_board(state), "5 and 5 beat 7"
    assert "d3" in on_board(state), "5 do not beat 6"
    refill(state)
    assert (state.player, state.record.phase) == (0, DEPLOY)
    assert state.record.hand_size[0] == 2, "the hand was refilled before"
    assert state.record.owed.tolist() == [0, 0]
    deploy(state, RAVAGER, "a1")
    refill(state)
    assert state.player == 1, "one extra turn, not more"


def test_if_both_generals_fall_nobody_gets_an_extra_turn():
    """The Dwarf general strikes with 5, and a Marauder with 2 more: more than 6."""
    state = position({"d3": ORC_GENERAL}, {"d4": DWARF_GENERAL, "e4": MARAUDER}, hands=((RIGHT_RAVAGER, RAVAGER), (2,)))
    deploy(state, RIGHT_RAVAGER, "c3")
    assert on_board(state) & {"d3", "d4"} == set()
    refill(state)
    assert state.player == 1
    assert state.record.owed.tolist() == [0, 0]


@pytest.mark.parametrize(("reading", "extra"), [("active", 0), ("either", 1)])
def test_a_general_who_falls_in_his_own_turn(reading, extra):
    state = position(
        second={"d4": DOWAGER, "c4": 19, "e4": MARAUDER}, hands=((ORC_GENERAL, BUTCHER), (2, 36)), extra_turn=reading
    )
    deploy(state, ORC_GENERAL, "d3")
    assert "d3" not in on_board(state), "5, 2 and 2 beat 6"
    assert state.player == 1
    assert state.record.owed.tolist() == [0, extra]


@pytest.mark.parametrize(("reading", "extra"), [("active", 0), ("either", 1)])
def test_the_second_seat_s_general_who_falls_in_his_own_turn(reading, extra):
    state = position(
        {"d3": DOWAGER, "e3": 19, "c3": MARAUDER},
        hands=((2, 36), (ORC_GENERAL, BUTCHER)),
        active=1,
        armies="dwarf,orc",
        extra_turn=reading,
    )
    deploy(state, ORC_GENERAL, "d4")
    assert "d4" not in on_board(state)
    assert state.player == 0
    assert state.record.owed.tolist() == [extra, 0]


# Reinforcement


def test_the_hand_is_refilled_from_the_deck_or_from_the_board():
    state = position({"a1": BUTCHER}, {"d4": MARAUDER}, hands=((RIGHT_RAVAGER,), (1,)))
    deploy(state, RIGHT_RAVAGER, "e3")
    assert state.record.phase == REINFORCE
    assert recalls(state) == {"a1"}
    assert DRAW in state.legal_actions()
    recall(state, "a1")
    assert hand(state, 0) == [kind(state.record, 0, BUTCHER)]
    assert on_board(state) == {"d4", "e3"}
    assert state.record.attack[0, square("a2")] == 0, "its arrows went with it"


@pytest.mark.parametrize(("must", "refusal"), [(True, []), (False, [NO_REINFORCEMENT])])
def test_reinforcement_is_one_question_with_each_answer_once(must, refusal):
    board = {"a1": BUTCHER, "c1": REAR_SHANKER}
    state = position(board, {"d4": MARAUDER}, hands=((RIGHT_RAVAGER,), (1,)), must_reinforce=must)
    deploy(state, RIGHT_RAVAGER, "e3")
    assert state.legal_actions() == [DRAW, RECALL + square("a1"), RECALL + square("c1"), *refusal]


@pytest.mark.parametrize("must", [True, False])
def test_every_reinforcement_is_played_at_random(must):
    """And each is the one in its place of the list."""
    board = {"a1": BUTCHER, "c1": REAR_SHANKER}
    state = position(board, {"d4": MARAUDER}, hands=((RIGHT_RAVAGER,), (1,)), must_reinforce=must)
    deploy(state, RIGHT_RAVAGER, "e3")
    legal, choose = state.legal_actions(), state.game.entries.choose("random")
    scratch = np.zeros(state.game.max_legal, np.int64)
    chosen = [choose(state.memory, scratch, rng.generator(seed)) for seed in range(30)]
    assert chosen == [legal[rng.below(rng.generator(seed), len(legal))] for seed in range(30)]
    assert set(chosen) == set(legal)


def test_a_drawn_card_is_the_top_of_the_deck():
    decks = ([SHANKER, BUTCHER + 26], None)
    state = position({"a1": BUTCHER}, {"d4": MARAUDER}, hands=((RIGHT_RAVAGER,), (1,)), decks=decks)
    deploy(state, RIGHT_RAVAGER, "e3")
    state.apply(DRAW)
    assert hand(state, 0) == [kind(state.record, 0, SHANKER)]
    assert state.record.deck_size[0] == 1


@pytest.mark.parametrize(("deck", "draws"), [((SHANKER,), [DRAW]), ((), [])])
def test_the_last_card_of_the_deck_can_be_drawn_and_none_from_an_empty_one(deck, draws):
    board, hands = {"a1": BUTCHER, "c1": REAR_SHANKER}, ((RIGHT_RAVAGER,), (1,))
    state = position(board, {"d4": MARAUDER}, hands=hands, decks=(deck, None))
    deploy(state, RIGHT_RAVAGER, "e3")
    assert state.legal_actions() == [*draws, RECALL + square("a1"), RECALL + square("c1")]


def test_a_recalled_card_is_known_once():
    state = position({"a1": BUTCHER}, {"d4": MARAUDER}, hands=((RIGHT_RAVAGER,), (1,)))
    deploy(state, RIGHT_RAVAGER, "e3")
    recall(state, "a1")
    assert state.record.known[0].sum() == 1


def test_who_need_not_reinforce_is_asked_even_if_there_is_only_the_deck():
    state = position(second={"d4": MARAUDER}, hands=((RAVAGER,), (1,)), must_reinforce=False)
    deploy(state, RAVAGER, "e3")
    assert state.legal_actions() == [DRAW, NO_REINFORCEMENT]


def test_if_nothing_can_be_recalled_a_card_is_drawn_without_a_question():
    state = position(second={"d4": MARAUDER}, hands=((RAVAGER,), (1,)), decks=([BUTCHER], None))
    deploy(state, RAVAGER, "e3")
    assert state.player == 1
    assert hand(state, 0) == [kind(state.record, 0, BUTCHER)]
    assert state.record.deck_size[0] == 0


def test_an_engaged_unit_is_not_recalled():
    state = position({"a1": BUTCHER, "d3": BUTCHER + 26}, {"d4": MARAUDER}, hands=((RAVAGER,), (1,)))
    deploy(state, RAVAGER, "c4")
    assert recalls(state) == {"a1"}, "the Marauder strikes the other Butcher with 4, not more than its defence"


def test_a_unit_deployed_this_turn_is_not_recalled():
    state = position({"a1": BUTCHER}, {"d4": SLUGGER}, hands=((RIGHT_RAVAGER,), (1,)))
    deploy(state, RIGHT_RAVAGER, "e3")
    assert recalls(state) == {"a1"}, "nothing points at the Ravager, but it has just come"


def test_a_unit_that_helped_to_kill_with_an_arrow_is_not_recalled():
    state = position({"a1": BUTCHER, "d5": REAR_SHANKER}, {"d4": MARAUDER}, hands=((RIGHT_RAVAGER,), (1,)))
    deploy(state, RIGHT_RAVAGER, "c3")
    assert recalls(state) == {"a1"}


def test_in_a_later_turn_all_that_are_not_engaged_may_be_recalled():
    board = {"a1": BUTCHER, "d5": REAR_SHANKER, "c3": RIGHT_RAVAGER}
    state = position(board, hands=((), (1,)), starts_turn=True)
    assert recalls(state) == set(board)


def test_a_unit_that_helped_to_kill_with_a_shot_is_not_recalled():
    for fire, allowed in ((True, {"a1"}), (False, {"a1", "d2"})):
        state = position({"a1": BUTCHER, "d2": CATAPULT}, {"d4": SLUGGER, "g6": 23}, hands=((RAVAGER,), (1,)))
        deploy(state, RAVAGER, "g5")
        if fire:
            shoot(state, "d4")
        else:
            hold_fire(state)
        assert ("d4" in on_board(state)) != fire
        assert recalls(state) == allowed


def test_a_shooter_whose_target_stays_may_be_recalled():
    state = position({"a1": BUTCHER, "d2": CATAPULT}, {"d4": MARAUDER}, hands=((RAVAGER,), (1,)))
    deploy(state, RAVAGER, "c4")
    shoot(state, "d4")
    assert "d4" not in on_board(state), "1 and 4 beat 4"
    state = position({"a1": BUTCHER, "d2": CATAPULT}, {"d4": MARAUDER, "a6": SLUGGER}, hands=((RAVAGER,), (1,)))
    deploy(state, RAVAGER, "a5")
    shoot(state, "d4")
    assert recalls(state) == {"a1", "d2"}


def test_a_shooter_took_no_part_in_what_its_arrows_point_at():
    """A Bow Pest beside a Dowager shoots at somebody else while a Ravager beats her."""
    for fire, allowed in ((True, {"a1", "d3"}), (False, {"a1"})):
        board = {"a1": BUTCHER, "d3": BOW_PEST}
        state = position(board, {"d4": 26, "d6": MARAUDER}, hands=((RIGHT_RAVAGER,), (1,)))
        deploy(state, RIGHT_RAVAGER, "c3")
        if fire:
            shoot(state, "d6")
        else:
            hold_fire(state)
        assert "d4" not in on_board(state)
        assert recalls(state) == allowed


@pytest.mark.parametrize(("reading", "allowed"), [("after", {"a1", "f4"}), ("before", {"a1"})])
def test_whether_engagement_is_tested_before_or_after_casualties(reading, allowed):
    """A Spikeman on f4 is engaged by a Slugger which falls to others this turn."""
    board = {"a1": BUTCHER, "f4": 20}  # this Spikeman strikes to the left: NW, W, SW
    state = position(board, {"g4": SIDE_SLUGGER}, hands=((DEATHBRINGER,), (1,)), recall_test=reading)
    assert state.record.attack[1, square("f4")] == 3
    deploy(state, DEATHBRINGER, "g3")
    assert "g4" not in on_board(state)
    assert recalls(state) == allowed


@pytest.mark.parametrize(("reading", "allowed"), [("contributed", {"a1", "f4"}), ("engaged", {"a1"})])
def test_what_taking_part_in_a_kill_means(reading, allowed):
    """The Slugger that falls was striking the Spikeman, which had no arrow at it."""
    board = {"a1": BUTCHER, "f4": 20}
    state = position(board, {"g4": SIDE_SLUGGER}, hands=((DEATHBRINGER,), (1,)), took_part=reading)
    deploy(state, DEATHBRINGER, "g3")
    assert recalls(state) == allowed


@pytest.mark.parametrize("must", [True, False])
def test_whether_one_must_reinforce_is_an_option(must):
    state = position({"a1": BUTCHER}, {"d4": MARAUDER}, hands=((RAVAGER,), (1,)), must_reinforce=must)
    deploy(state, RAVAGER, "e3")
    assert (NO_REINFORCEMENT in state.legal_actions()) == (not must)
    if not must:
        state.apply(NO_REINFORCEMENT)
        assert state.record.hand_size[0] == 0


def test_with_an_empty_deck_one_recalls_if_possible():
    state = position({"a1": BUTCHER}, {"d4": MARAUDER}, hands=((RAVAGER, SHANKER), (1,)), decks=([], None))
    deploy(state, RAVAGER, "e3")
    assert DRAW not in state.legal_actions()
    assert recalls(state) == {"a1"}


def test_with_an_empty_deck_and_nothing_to_recall_one_goes_on():
    state = position(second={"d4": MARAUDER}, hands=((RAVAGER, SHANKER), (1,)), decks=([], None))
    deploy(state, RAVAGER, "e3")
    assert state.player == 1
    assert state.record.hand_size[0] == 1


# Empty hands, the end


def test_an_empty_hand_skips_the_deployment_and_may_recall():
    state = position({"a1": BUTCHER}, {"d4": MARAUDER}, hands=((), (2,)), decks=([], None), starts_turn=True)
    assert state.player == 0
    recall(state, "a1")
    assert hand(state, 0) == [kind(state.record, 0, BUTCHER)]
    assert (state.player, state.record.phase) == (1, DEPLOY)


def test_with_an_empty_hand_cards_fight_all_the_same():
    board = {"d3": ORC_GENERAL, "c3": RIGHT_RAVAGER}
    state = position(board, {"d4": DWARF_GENERAL}, hands=((), (2,)), starts_turn=True)
    assert "d4" not in on_board(state)


def test_or_an_empty_hand_loses():
    state = position({"a1": BUTCHER}, {"d4": MARAUDER}, hands=((), (2,)), starts_turn=True, empty_hand="loses")
    assert state.is_terminal
    assert state.returns == (0, 1)


@pytest.mark.parametrize(
    ("lost", "returns"), [(([13, 14], [2]), (0, 1)), (([13], [2, 3]), (1, 0)), (([13], [2]), (0.5, 0.5))]
)
def test_when_nobody_can_deploy_more_eliminations_win(lost, returns):
    state = position(hands=((), ()), dead=lost, decks=([], []), starts_turn=True)
    assert state.is_terminal
    assert state.returns == returns


def test_twenty_cards_win():
    fallen = beaten_but_one(DWARF_COMMANDS, (MARAUDER, 2))
    state = position({"d5": REAR_SHANKER}, {"d4": MARAUDER}, hands=((RIGHT_RAVAGER,), (2,)), dead=((), fallen))
    deploy(state, RIGHT_RAVAGER, "c3")
    assert state.is_terminal
    assert state.returns == (1, 0)
    assert state.scores == (20, 0)


def test_four_command_cards_win_and_the_general_is_one():
    state = position({"d3": ORC_GENERAL}, {"d4": DWARF_GENERAL}, hands=((RIGHT_RAVAGER,), (2,)), dead=((), (5, 10, 18)))
    deploy(state, RIGHT_RAVAGER, "c3")
    assert state.is_terminal
    assert state.returns == (1, 0)


@pytest.mark.parametrize("fourth", DWARF_COMMANDS[1:])
def test_any_command_card_counts(fourth):
    fallen = [number for number in DWARF_COMMANDS if number != fourth][:3]
    others = {"d3": ORC_GENERAL, "e3": BUTCHER, "d5": REAR_DEATHBRINGER}
    state = position(others, {"d4": fourth}, hands=((RIGHT_RAVAGER,), (2,)), dead=((), fallen))
    deploy(state, RIGHT_RAVAGER, "c3")
    assert state.is_terminal
    assert state.returns == (1, 0)


def test_three_command_cards_do_not():
    state = position({"d3": ORC_GENERAL}, {"d4": DWARF_GENERAL}, hands=((RIGHT_RAVAGER,), (2,)), dead=((), (5, 10)))
    deploy(state, RIGHT_RAVAGER, "c3")
    assert not state.is_terminal


@pytest.mark.parametrize(("reading", "returns"), [("draw", (0.5, 0.5)), ("active", (1, 0))])
def test_both_reach_their_aim_at_once(reading, returns):
    """Deathbringer and Dowager beat each other, each the twentieth."""
    state = position(
        second={"d4": DOWAGER},
        hands=((DEATHBRINGER,), (2,)),
        dead=(beaten_but_one(ORC_COMMANDS, (DEATHBRINGER,)), beaten_but_one(DWARF_COMMANDS, (DOWAGER, 2))),
        both_win=reading,
    )
    deploy(state, DEATHBRINGER, "d3")
    assert state.is_terminal
    assert state.returns == returns
    assert (state.record.winner == DRAW_GAME) == (reading == "draw")


def test_a_turn_with_a_deployment_counts_anew():
    state = position({"a1": BUTCHER}, {"g6": SLUGGER}, hands=((), (2,)), decks=([], []), starts_turn=True)
    assert state.record.skipped == 1
    recall(state, "a1")
    assert (state.player, state.record.skipped) == (1, 0)


def test_after_the_turn_limit_the_game_is_a_draw():
    state = position(second={"d4": MARAUDER}, hands=((RAVAGER,), (2,)), turn_limit=1)
    deploy(state, RAVAGER, "e3")
    assert state.is_terminal
    assert state.returns == (0.5, 0.5)


# Actions and armies


def test_an_action_names_kind_and_square_whatever_else_is_in_the_hand():
    first = position(second={"d4": MARAUDER}, hands=((RAVAGER,), (1,)))
    second = position(second={"d4": MARAUDER}, hands=((RAVAGER, BUTCHER, SHANKER), (1,)))
    assert set(first.legal_actions()) < set(second.legal_actions())


def test_equal_cards_are_one_action():
    state = position(second={"d4": MARAUDER}, hands=((4, 5), (1,)))
    assert len(state.legal_actions()) == len(set(state.legal_actions())) == 4
    deploy(state, 5, "c3")
    assert len(hand(state, 0)) == 2, "one of the two is still there, and a card was drawn"


def test_armies_can_be_paired_at_will():
    state = GAME.new(seed=1, armies="templar,lizardman")
    for general in ("Father Nicodemus", "Kai'itza of Xhotl"):
        assert any(GAME.describe(state, action).startswith(general) for action in state.legal_actions())
        state.apply(state.legal_actions()[0])
