"""7 Wonders: what a seat knows of hands, discards and tucked cards, and what it does not.

docs/rules/wonders.md, section 11.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import boardwright as bw
from boardwright.games.wonders.cards import NAMES, kind_of
from boardwright.games.wonders.state import (
    BUILD,
    DISCARD,
    FROM_PILE,
    HIDDEN,
    SEVENTH,
    STAGE,
    UNKNOWN,
    UNSEEN_CHOICE,
    UNSEEN_DISCARD,
    UNSEEN_DISCARD_LEAVES,
    UNSEEN_STAGE,
    packet_of,
    use_of,
)
from tests.wonders_table import Table


def hand(observation: bw.Position, seat: int) -> list[str]:
    """What stands in the view for the packet a seat holds."""
    s = observation.record
    cards = [s.hand[packet_of(s, seat - 1), i] for i in range(7)]
    return ["?" if card == UNKNOWN else NAMES[card] for card in cards if card != -1]


def samples(observation: bw.Observation, number: int = 200) -> list[bw.State]:
    return [observation.determinize(seed=seed) for seed in range(number)]


def test_a_seat_knows_its_hand_and_nothing_of_hands_it_has_not_held() -> None:
    observation = Table(seats=4).hold(1, "Altar", "Loom").state.observation(0)
    assert hand(observation, 1) == ["Loom", "Altar"]
    assert hand(observation, 3) == ["?"] * 7


def test_choices_stay_hidden_until_all_have_chosen() -> None:
    table = Table().play((DISCARD, "Altar"))
    assert table.state.observation(0).record.chosen[0] >= 0
    assert table.state.observation(1).record.chosen[0] == HIDDEN
    other = Table().play((BUILD, "Theater"))
    assert bytes(other.state.observation(1)) == bytes(table.state.observation(1)), "nothing tells the two choices apart"


def told(table: Table, choice: tuple[int, str], seat: int) -> int:
    """What a seat is told of a choice of the seat to move."""
    (action, *_) = table.can(*choice)
    return int(table.game.entries.action_observation(table.state.memory, action, seat - 1))


def last_to_choose(**settings: object) -> Table:
    """Three of four seats have discarded; the fourth, on Gizah A, could raise a stage. Its packet goes to the first."""
    table = Table("Rhodos A", "Ephesos A", "Olympia A", "Gizah A", seats=4, **settings)  # type: ignore[arg-type]
    table.build(4, "Stone Pit")
    return table.play(*[(DISCARD, "Altar")] * 3)


def test_the_last_choice_shows_a_build_and_no_card_that_goes_face_down() -> None:
    table = last_to_choose()
    assert told(table, (BUILD, "Altar"), 2) == table.can(BUILD, "Altar")[0]
    assert told(table, (DISCARD, "Altar"), 2) == told(table, (DISCARD, "Baths"), 2) == UNSEEN_DISCARD
    assert told(table, (STAGE, "Altar"), 2) == told(table, (STAGE, "Baths"), 2) == UNSEEN_STAGE


def test_who_gets_the_packet_next_is_told_what_is_left_and_not_what_is_gone() -> None:
    """The same rest is told the same, whatever was discarded from it; another rest otherwise."""
    left = []
    for cards, gone in ((("Altar", "Loom", "Press"), "Altar"), (("Baths", "Loom", "Press"), "Baths")):
        table = last_to_choose().hold(4, *cards)
        left.append(told(table, (DISCARD, gone), 1))
        assert left[-1] >= UNSEEN_DISCARD_LEAVES
        assert len({told(table, (DISCARD, card), 1) for card in cards}) == 3
    assert left[0] == left[1]


def test_a_choice_shows_nothing_while_a_deferred_one_is_still_to_come() -> None:
    """In a determinization for seat 2 the choice of seat 1 is asked again, after all others."""
    state = Table().play((DISCARD, "Altar"), (DISCARD, "Altar")).state.observation(1).determinize(seed=1)
    see = state.game.entries.action_observation
    assert state.player == 2
    assert {see(state.memory, action, 1) for action in state.legal_actions()} == {UNSEEN_CHOICE}
    state.apply(state.legal_actions()[0])
    assert state.player == 0
    builds = [action for action in state.legal_actions() if use_of(action) == BUILD]
    assert [see(state.memory, action, 1) for action in builds] == builds, "this one is the last"


def test_babylon_s_seventh_card_goes_face_down_too() -> None:
    table = Table("Babylon B", turn=6).stages(1, 2)
    table.play((BUILD, "Altar"), (BUILD, "Altar"), (BUILD, "Altar"))
    assert table.s.phase == SEVENTH
    assert told(table, (DISCARD, "Baths"), 2) == UNSEEN_DISCARD
    assert told(table, (BUILD, "Baths"), 2) == table.can(BUILD, "Baths")[0]


def test_halikarnassos_is_told_the_discard_that_it_is_about_to_see() -> None:
    table = Table("Halikarnassos B", seats=4).build(1, "Foundry").hold(1, "Altar", "Mine")
    table.play((STAGE, "Altar"), (DISCARD, "Baths"), (DISCARD, "Baths"))
    assert told(table, (DISCARD, "Altar"), 1) == table.can(DISCARD, "Altar")[0]
    assert told(table, (DISCARD, "Altar"), 2) == UNSEEN_DISCARD


@pytest.mark.parametrize(("stages", "is_told"), [(1, True), (2, False)])
def test_halikarnassos_is_not_told_if_babylon_has_a_seventh_card_to_play_first(stages: int, is_told: bool) -> None:
    table = Table("Halikarnassos B", "Babylon B", seats=4, turn=6).stages(2, stages).build(1, "Foundry")
    table.hold(1, "Altar", "Mine")
    table.play((STAGE, "Altar"), (DISCARD, "Baths"), (DISCARD, "Baths"))
    assert (told(table, (DISCARD, "Altar"), 1) == table.can(DISCARD, "Altar")[0]) == is_told


def test_who_gets_the_packet_next_tells_every_rest_and_payment_of_a_stage_apart() -> None:
    table = last_to_choose()
    table.build(1, "Stone Pit").build(3, "Stone Pit").build(4, "Mine").hold(4, "Altar", "Baths", "Loom", "Press")
    table.s.city[3].coins = 20
    table.s.city[3].stages = 2  # the third takes four stones, one of them bought from either side
    actions = [action for card in ("Altar", "Baths", "Loom", "Press") for action in table.can(STAGE, card)]
    see = table.game.entries.action_observation
    assert len({int(see(table.state.memory, action, 0)) for action in actions}) == len(actions)
    assert len(actions) > 4


def test_builds_of_earlier_choosers_are_announced_when_the_turn_is_resolved() -> None:
    table = Table("Rhodos A", "Ephesos A", "Gizah A").build(3, "Stone Pit")
    before = table.play((BUILD, "Altar"), (DISCARD, "Theater")).state.observation(1)
    assert table.game.revealed(before, before) == []
    table.play((STAGE, "Altar"))
    assert table.game.revealed(before, table.state.observation(1)) == [
        "seat 1 builds Altar",
        "seat 3 builds stage 1 of Gizah A",
        "coins: you 3 → 6",
    ]
    before = table.play((DISCARD, "Baths"), (DISCARD, "Baths")).state.observation(0)
    table.play((BUILD, "Tavern"))
    assert table.game.revealed(before, table.state.observation(0)) == [
        "seat 2 discards a card",
        "coins: you 3 → 6, seat 2 6 → 9, seat 3 3 → 8",
    ], "the Tavern was told"


def test_a_visible_build_is_known_to_be_gone_from_a_packet_held_before() -> None:
    table = Table(seats=4).hold(1, "Loom", "Press", "Altar", "Tavern")
    table.play((BUILD, "Loom")).rest_discard()  # packet 1 goes to seat 2
    assert hand(table.state.observation(0), 2) == ["Press", "Altar", "Tavern"], "seat 1 knows what it passed on"


def pass_on_three_cards(second: tuple[int, str]) -> Table:
    """Seat 1 builds a Loom and passes Press, Altar and Tavern on to seat 2, which then plays `second`."""
    table = Table("Ephesos A", "Gizah A", "Rhodos A", "Olympia A", seats=4)
    table.hold(1, "Loom", "Press", "Altar", "Tavern").build(2, "Stone Pit")
    table.play((BUILD, "Loom")).rest_discard()
    table.hold(1, "Mine", "Baths", "Stockade")
    while table.state.player != 1:
        table.play((DISCARD, NAMES[min(k for k in table.s.hand[packet_of(table.s, table.state.player)] if k >= 0)]))
    table.play(second)
    return table.rest_discard()


def test_a_discard_leaves_doubt_about_the_rest_of_the_packet() -> None:
    table = pass_on_three_cards((DISCARD, "Altar"))
    found = Counter(tuple(hand(x, 3)) for x in samples(table.state.observation(0)))
    assert set(found) == {("Press", "Altar"), ("Press", "Tavern"), ("Altar", "Tavern")}
    assert min(found.values()) > 40, "each as likely"


def test_a_tucked_card_leaves_the_same_doubt_and_a_build_none() -> None:
    tucked = {tuple(hand(x, 3)) for x in samples(pass_on_three_cards((STAGE, "Altar")).state.observation(0))}
    assert len(tucked) == 3
    built = {tuple(hand(x, 3)) for x in samples(pass_on_three_cards((BUILD, "Altar")).state.observation(0))}
    assert built == {("Press", "Tavern")}


def test_who_played_a_card_knows_where_it_is() -> None:
    table = pass_on_three_cards((DISCARD, "Altar"))
    observation = table.state.observation(1)
    assert {tuple(hand(x, 3)) for x in samples(observation)} == {("Press", "Tavern")}


def test_halikarnassos_knows_the_pile_it_has_looked_through() -> None:
    table = Table("Halikarnassos B", seats=4).build(1, "Foundry").hold(1, "Altar", "Mine").hold(3, "Palace", "Loom")
    table.play((STAGE, "Altar"), (DISCARD, "Baths"), (DISCARD, "Palace"), (DISCARD, "Baths"))
    observation = table.state.observation(0)
    assert all(x.legal_actions() == table.state.legal_actions() for x in samples(observation, 20))
    table.play((FROM_PILE, "Palace"))
    assert "Palace" in str(table.state.observation(3)), "all see what it builds"
    pile = {tuple(sorted(NAMES[c] for c in x.record.left[0, :, 0])) for x in samples(table.state.observation(0), 20)}
    assert len(pile) == 1


@pytest.mark.parametrize("seats", [3, 5, 7])
def test_samples_agree_with_everything_a_seat_has_seen(seats: int) -> None:
    """Played out independently: a notebook of every hand a seat held is consistent with every sample."""
    game = bw.game("wonders")
    random = np.random.default_rng(seats)
    state = game.new(seed=seats, seats=seats)
    notes: list[tuple[int, int, int, list[int]]] = []  # age, packet, turn, cards
    while not state.is_terminal:
        s = state.record
        if s.phase == 0 and s.mover == 0:
            packet = packet_of(s, 0)
            notes.append((s.age, packet, s.turn, sorted(k for k in s.hand[packet] if k >= 0)))
            for sample in samples(state.observation(0), 3):
                check(sample.record, notes)
        legal = state.legal_actions()
        state.apply(legal[random.integers(len(legal))])


def check(s, notes) -> None:  # type: ignore[no-untyped-def]
    for age, packet, turn, cards in notes:
        later = [s.left[age, packet, t] for t in range(turn, 7) if s.fate[age, packet, t]]
        inside = [k for k in s.hand[packet] if k >= 0] if age == s.age else []
        assert sorted([*later, *inside]) == cards


def test_unseen_guilds_vary_between_samples() -> None:
    game = bw.game("wonders")
    state = game.new(seed=4, seats=3)
    while state.record.age < 2:
        state.apply(state.legal_actions()[0])
    guilds = {
        tuple(sorted({k for p in range(3) for k in x.record.hand[p] if k >= kind_of("Workers Guild")}))
        for x in samples(state.observation(0), 50)
    }
    assert len(guilds) > 5
    assert {len(x) for x in guilds} == {5}


def test_the_first_kind_of_the_list_is_not_dealt_again_if_it_is_in_the_own_hand() -> None:
    """Kinds are counted from 0, and those in the own hand are not dealt again."""
    game = bw.game("wonders")
    states = (game.new(seed=seed, seats=3) for seed in range(60))
    state = next(state for state in states if 0 in state.record.hand[0])
    dealt = Counter(state.record.hand[state.record.hand >= 0].tolist())[0]
    for sample in samples(state.observation(0), 50):
        assert Counter(sample.record.hand[sample.record.hand >= 0].tolist())[0] == dealt
