"""Lords of War: the card data, recounted."""

from __future__ import annotations

from collections import Counter

import pytest

from boardwright.games.lords.board import DIRECTIONS
from boardwright.games.lords.cards import (
    ARMIES,
    ARMY_NAMES,
    ARMY_OF_DECK,
    ARROW_VALUE,
    CARDS,
    CLASSES,
    COPIES,
    DECKS,
    GENERAL,
    GRIDS,
    KINDS,
    NUM_DECKS,
    PERSONALISED,
    RANK_COUNTS,
    RANKS,
    VERSIONS,
    deck_at_row,
    deck_number,
    personalised,
    table_row,
)

RECORDED = VERSIONS["as_recorded"]
CORRECTED = VERSIONS["corrected"]


def test_there_are_six_armies_of_36_cards():
    assert ARMIES == ("orc", "dwarf", "elf", "lizardman", "templar", "undead")
    for armies in VERSIONS.values():
        assert [len(cards) for cards in armies.values()] == [CARDS] * 6


@pytest.mark.parametrize("army", ARMIES)
def test_an_army_has_the_printed_number_of_each_rank(army):
    assert Counter(card.rank for card in CORRECTED[army]) == RANK_COUNTS


def test_as_recorded_the_orcs_have_one_elite_too_many():
    ranks = Counter(card.rank for card in RECORDED["orc"])
    assert (ranks["elite"], ranks["veteran"]) == (5, 5)


@pytest.mark.parametrize(
    ("army", "support", "ranged", "defence", "arrows", "attack"),
    [
        ("orc", 12, 6, 128, 133, 335),
        ("dwarf", 20, 10, 136, 110, 276),
        ("elf", 18, 8, 130, 140, 309),
        ("lizardman", 18, 9, 131, 130, 307),
        ("templar", 17, 6, 166, 106, 267),
        ("undead", 15, 8, 135, 144, 322),
    ],
)
def test_the_numbers_on_the_cards_add_up(army, support, ranged, defence, arrows, attack):
    """Totals of the recorded cards, counted apart from this code."""
    cards = RECORDED[army]
    assert sum(card.is_support for card in cards) == support
    assert sum(card.unit_class == "ranged" for card in cards) == ranged
    assert sum(card.defence for card in cards) == defence
    assert sum(value > 0 for card in cards for value in card.arrows) == arrows
    assert sum(map(sum, (card.arrows for card in cards))) == attack


def test_ranged_units_and_only_they_have_a_grid():
    for armies in VERSIONS.values():
        for card in (card for cards in armies.values() for card in cards):
            assert (card.unit_class == "ranged") == (card.missile > 0) == (card.grid in GRIDS)
            assert card.rank in RANKS
            assert card.unit_class in CLASSES


@pytest.mark.parametrize(
    ("grid", "squares"),
    [("block", 9), ("far", 9), ("near", 6), ("rear", 6), ("funnel", 7), ("bolt", 5), ("dart", 7), ("line", 3)],
)
def test_a_grid_has_its_squares(grid, squares):
    assert len(set(GRIDS[grid])) == squares
    assert all(ahead < 0 for _, ahead in GRIDS[grid]) == (grid == "rear")


def test_a_far_grid_leaves_out_the_squares_next_to_the_unit():
    assert {ahead for _, ahead in GRIDS["far"]} == {2, 3, 4}


@pytest.mark.parametrize(
    ("army", "number", "recorded", "corrected"),
    [
        ("orc", 15, {"NW": 5, "N": 5, "NE": 3}, {"NW": 3, "N": 5, "NE": 3}),
        ("dwarf", 34, {"NW": 1, "NE": 1, "E": 1, "SE": 1}, {"NW": 1, "N": 1, "NE": 1, "E": 1, "SE": 1}),
        ("dwarf", 35, {"N": 3}, {"S": 3}),
        ("templar", 25, {"SW": 2, "S": 5, "SE": 2}, {"SW": 2, "S": 5, "SE": 2}),
    ],
)
def test_suspected_slips_can_be_switched(army, number, recorded, corrected):
    for armies, expected in ((RECORDED, recorded), (CORRECTED, corrected)):
        arrows = armies[army][number - 1].arrows
        assert {d: value for d, value in zip(DIRECTIONS, arrows, strict=True) if value} == expected


def test_the_corrected_ravager_is_a_veteran():
    assert (RECORDED["orc"][31].rank, CORRECTED["orc"][31].rank) == ("elite", "veteran")


def test_equal_cards_are_one_kind_and_none_is_lost():
    for deck in range(NUM_DECKS):
        assert COPIES[deck].sum() == CARDS
        assert all(COPIES[deck, : len(DECKS[deck])] > 0)
        assert DECKS[deck][GENERAL[deck]].is_general
        assert COPIES[deck, GENERAL[deck]] == 1
    assert max(map(len, DECKS)) == KINDS
    catapult = next(kind for kind, card in enumerate(DECKS[0]) if card.name == "Orc Catapult")
    assert COPIES[0, catapult] == 2


def test_the_second_seats_cards_are_turned_not_mirrored():
    """Orc Ravager: NW 5, N 3, NE 2, E 1. Turned, these point SE, S, SW and W."""
    ravager = next(kind for kind, card in enumerate(DECKS[0]) if card.arrows[DIRECTIONS.index("NW")] == 5
                   and card.name == "Orc Ravager")  # fmt: skip
    for seat, expected in (
        (0, {"NW": 5, "N": 3, "NE": 2, "E": 1}),
        (1, {"SE": 5, "S": 3, "SW": 2, "W": 1}),
    ):
        values = ARROW_VALUE[table_row(seat, 0) + ravager]
        assert {d: int(value) for d, value in zip(DIRECTIONS, values, strict=True) if value} == expected


def test_personalised_armies_are_the_examples_of_the_rule_sheet():
    orc = Counter(card.name for card in CORRECTED["orc"])
    for army, out, substitute in (
        ("orc_catapults", "Orc Ravager", "Orc Catapult"),
        ("orc_quillshots", "Orc Warhog", "Quillshot"),
    ):
        assert Counter(card.name for card in PERSONALISED[army]) == orc - Counter({out: 2}) + Counter({substitute: 2})
        assert Counter(card.rank for card in PERSONALISED[army]) == RANK_COUNTS


def test_a_card_of_another_rank_cannot_be_swapped_in():
    with pytest.raises(ValueError, match="mine: Quillshot is elite, Orc Ravager is veteran"):
        personalised(CORRECTED, [("mine", "orc", "3", "lizardman 29")])


def test_rows_of_printed_armies_stay_where_they_were_before_there_were_personalised_ones():
    for deck in range(len(VERSIONS) * len(ARMIES)):
        assert [table_row(seat, deck) for seat in (0, 1)] == [
            deck * KINDS,
            (len(VERSIONS) * len(ARMIES) + deck) * KINDS,
        ]


def test_every_deck_has_rows_of_its_own_for_each_seat():
    rows = {table_row(seat, deck): deck for seat in (0, 1) for deck in range(NUM_DECKS)}
    assert sorted(rows) == list(range(0, 2 * NUM_DECKS * KINDS, KINDS))
    assert all(deck_at_row(row) == deck for row, deck in rows.items())


def test_an_army_is_found_by_its_name_in_both_versions_of_the_card_data():
    for version in range(len(VERSIONS)):
        for number, name in enumerate(ARMY_NAMES):
            assert ARMY_OF_DECK[deck_number(version, number)] == name
