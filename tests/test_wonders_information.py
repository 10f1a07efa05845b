"""7 Wonders: what a seat knows of hands, discards and tucked cards, and what it does not.

docs/rules/wonders.md, section 11.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import boardwright as bw
from boardwright.games.wonders.cards import NAMES, kind_of
from boardwright.games.wonders.state import BUILD, DISCARD, FROM_PILE, HIDDEN, STAGE, UNKNOWN, packet_of
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
