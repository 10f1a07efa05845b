"""Construction rules of Netrunner decks, and reading decks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardwright.decks import BadDeck, Deck, UnknownCard, read_decks, without_duplicates
from boardwright.decks.netrunner import netrunner
from boardwright.decks.netrunner.netrunnerdb import read_cards
from boardwright.decks.netrunner.rules import agenda_points
from boardwright.decks.reading import deck_as_json, parse_line
from tests.made_up_decks import made_up_decks

POOL, RULES = netrunner().pool, netrunner().construction

NOISE = """\
Noise: Hacker Extraordinaire
2 x Aesop's Pawnshop ••
3 x Cache •
1 x Crypsis
3 x Cyberfeeder
3 x Daily Casts
2 x Darwin
2 x Datasucker
3 x Deja Vu
2 x Djinn
2 x Grimoire
1 x Hades Shard •
2 x Hivemind
2 x Imp
2 x Incubator
3 x I've Had Worse
2 x Medium
2 x Parasite
2 x Progenitor
3 x Sure Gamble
3 x Virus Breeding Ground
Cards: 45, Influence Spent: 8/15
"""
"""Listing B.1 of the thesis, as printed."""


def code(title: str) -> str:
    return POOL.find(title).code


def noise_deck(tmp_path: Path) -> Deck:
    file = tmp_path / "noise.txt"
    file.write_text(NOISE)
    (deck,) = read_decks(file, POOL)
    return deck


def changed(deck: Deck, **copies: int) -> Deck:
    return Deck(deck.identity, {**deck.cards, **copies})


def problems(deck: Deck) -> list[str]:
    return [str(problem) for problem in RULES.problems(deck)]


def test_every_fact_of_the_card_file_is_read() -> None:
    assert len(POOL) == 1988
    noise, gamble = POOL.find("Noise: Hacker Extraordinaire"), POOL.find("Sure Gamble")
    assert (noise.minimum, noise.influence_limit, noise.faction) == (45, 15, "anarch")
    assert (gamble.influence, gamble.limit, gamble.side) == (0, 3, "runner")
    assert POOL.find("Hostile Takeover").influence is None, "agendas of a faction have no influence value"
    assert POOL.find("Priority Requisition").points == 3


def test_a_reprint_is_the_same_card() -> None:
    card = POOL.find("Archer")
    assert all(POOL[reprint] is card for reprint, first in POOL.reprints.items() if first == card.code)
    assert sum(first == card.code for first in POOL.reprints.values()) == 3


@pytest.mark.parametrize("title", ["sure gamble", "SURE GAMBLE", "Sure  Gamble", "01050"])
def test_a_title_is_found_however_it_is_typed(title: str) -> None:
    assert POOL.find(title).title == "Sure Gamble"


def test_accents_and_quotes_do_not_matter() -> None:
    assert POOL.find("Deja Vu").title == "Déjà Vu"
    assert POOL.find("I’ve had worse").title == "I've Had Worse"


def test_an_identity_is_found_by_the_first_part_of_its_title() -> None:
    assert POOL.find("noise").code == "01001"
    with pytest.raises(UnknownCard):
        POOL.find("Jinteki")  # several identities begin like this


def test_a_misspelt_title_gets_a_suggestion() -> None:
    with pytest.raises(UnknownCard, match="did you mean 'Corroder'"):
        POOL.find("Coroder")


def test_the_printed_deck_is_legal_and_spends_what_is_printed(tmp_path: Path) -> None:
    deck = noise_deck(tmp_path)
    assert (deck.size, problems(deck), RULES.influence(deck)) == (45, [], 8)


def test_a_deck_below_the_minimum_is_illegal(tmp_path: Path) -> None:
    small = Deck("01001", {c: n for c, n in noise_deck(tmp_path).cards.items() if c != code("Crypsis")})
    assert problems(small) == ["44 cards; Noise: Hacker Extraordinaire needs at least 45"]


def test_too_many_copies_name_the_card(tmp_path: Path) -> None:
    deck = changed(noise_deck(tmp_path), **{code("Medium"): 4, code("Hades Shard"): 2})
    assert "Medium: 4 copies; at most 3 are allowed" in problems(deck)
    assert "Hades Shard: 2 copies; at most 1 are allowed" in problems(deck)


def test_cards_of_the_other_side_are_illegal(tmp_path: Path) -> None:
    deck = changed(noise_deck(tmp_path), **{code("Hedge Fund"): 1})
    assert problems(deck) == ["Hedge Fund: a corp card in a runner deck"]


def test_influence_beyond_the_limit_is_illegal(tmp_path: Path) -> None:
    deck = changed(noise_deck(tmp_path), **{code("Account Siphon"): 2})
    assert problems(deck) == ["16 influence spent; Noise: Hacker Extraordinaire allows 15"]


def test_a_second_identity_is_illegal(tmp_path: Path) -> None:
    assert "a second identity" in problems(changed(noise_deck(tmp_path), **{"02001": 1}))[0]


@pytest.mark.parametrize(("size", "fewest"), [(40, 18), (44, 18), (45, 20), (49, 20), (50, 22), (54, 22), (66, 28)])
def test_agenda_points_follow_the_size(size: int, fewest: int) -> None:
    assert agenda_points(size) == (fewest, fewest + 1)


def test_an_agenda_of_another_faction_is_illegal() -> None:
    corp = next(deck for deck in made_up_decks() if deck.identity == "01067")
    stolen = changed(corp, **{code("Hostile Takeover"): 1})
    assert any(text.startswith("Hostile Takeover: it has no influence value") for text in problems(stolen))


def test_the_professor_pays_nothing_for_the_first_copy_of_a_program() -> None:
    def spent(**cards: int) -> int:
        return RULES.influence(Deck("03029", cards))

    corroder = code("Corroder")
    assert [spent(**{corroder: copies}) for copies in (1, 2, 3)] == [0, 2, 4]
    assert spent(**{code("Account Siphon"): 1}) == 4, "an event is no program"


def test_custom_biotics_has_no_jinteki_cards() -> None:
    snare = changed(Deck("03002", {code("Hedge Fund"): 3}), **{code("Snare!"): 1})
    assert any("Custom Biotics" in text and text.startswith("Snare!") for text in problems(snare))


def test_apex_has_no_resource_that_is_not_virtual() -> None:
    assert any("Kati Jones: Apex" in text for text in problems(Deck("09029", {code("Kati Jones"): 1})))


@pytest.mark.parametrize(
    ("title", "others", "number"),
    [("Mumba Temple", "ice", 15), ("Mumbad Virtual Tour", "asset", 7), ("PAD Factory", "PAD Campaign", 3)],
)
def test_alliance_cards_with_a_condition_of_their_own_are_free_where_it_holds(
    title: str, others: str, number: int
) -> None:
    alliance = POOL.find(title)
    cards = (
        [card for card in POOL if card.kind == others and card.code != alliance.code]
        if others != "PAD Campaign"
        else [POOL.find(others)]
    )
    identity = (
        "Haas-Bioroid: Engineering the Future" if alliance.faction != "haas-bioroid" else "Jinteki: Personal Evolution"
    )

    def cost(copies: int) -> int:
        deck = Deck(
            code(identity),
            {card.code: min(3, copies - 3 * place) for place, card in enumerate(cards) if copies > 3 * place},
        )
        return RULES.influence(Deck(deck.identity, {**deck.cards, alliance.code: 1})) - RULES.influence(deck)

    holds, fails = (number, number + 1) if others == "ice" else (number, number - 1)
    assert (cost(holds), cost(fails)) == (0, alliance.influence)


def test_an_alliance_card_is_free_among_six_cards_of_its_faction() -> None:
    recall, adonis = code("Product Recall"), code("Adonis Campaign")
    few = Deck("01067", {recall: 1, adonis: 3})
    many = changed(few, **{code("Eli 1.0"): 3})
    assert RULES.influence(few) - 3 * POOL[adonis].influence == 2
    assert RULES.influence(many) - 3 * (POOL[adonis].influence + POOL.find("Eli 1.0").influence) == 0


def test_the_arrays_of_requirements_allow_what_the_rules_allow() -> None:
    for deck in made_up_decks():
        assert problems(deck) == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("3x Sure Gamble", (3, "Sure Gamble")),
        ("3 Sure Gamble", (3, "Sure Gamble")),
        ("2 {1} x Adonis Campaign ••", (2, "Adonis Campaign")),
        ("Corroder x2", (2, "Corroder")),
        ("15 Minutes x1", (15, "Minutes x1")),
        ("Noise: Hacker Extraordinaire", (None, "Noise: Hacker Extraordinaire")),
    ],
)
def test_lines_as_people_write_them(line: str, found: tuple[int | None, str]) -> None:
    assert parse_line(line) == found


def test_the_three_forms_give_the_same_deck(tmp_path: Path) -> None:
    deck = noise_deck(tmp_path)
    lines, site = tmp_path / "decks.jsonl", tmp_path / "site.json"
    lines.write_text(deck_as_json(deck) + "\n" + deck_as_json(changed(deck, **{code("Medium"): 3})) + "\n")
    site.write_text(
        json.dumps({"data": [{"name": "x", "date_creation": "2014-01-02T03:04", "cards": {"01001": 1, **deck.cards}}]})
    )
    first, second = read_decks(lines, POOL)
    (from_site,) = read_decks(site, POOL)
    assert first.content == deck.content == from_site.content
    assert second.content != deck.content
    assert from_site.date == "2014-01-02"


def test_cards_of_the_site_make_a_pool(tmp_path: Path) -> None:
    file = tmp_path / "cards.json"
    row = {
        "code": "99001", "title": "New Card", "type_code": "event", "side_code": "runner", "faction_code": "shaper",
        "faction_cost": 2, "deck_limit": 3, "keywords": "Run - Sabotage", "pack_code": "new",
    }  # fmt: skip
    file.write_text(json.dumps({"data": [row, {**row, "code": "99100"}]}))
    pool = read_cards(file)
    assert (pool.find("new card").influence, pool["99100"].code, pool["99001"].subtypes) == (
        2,
        "99001",
        ("Run", "Sabotage"),
    )
    file.write_text('{"data": [{"code": "1"}]}')
    with pytest.raises(BadDeck, match="card 1: KeyError"):
        read_cards(file)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("<!DOCTYPE html><html></html>", "is a web page"),
        ("[]", "has no decks"),
        ('[{"deck": "Elves", "main": ["Forest"]}]', "no decklist: it has no `cards`"),
        ('{"identity": "01001", "cards": {"01050": 0}}', "0 copies of Sure Gamble"),
        ('{"identity": "01001", "cards": {"02001": 1}}', "two identities: Noise.* and Whizzard"),
        ('{"cards": {"01050": 3}}', "no identity among 1 cards"),
        ('{"identity": "01001", "cards": {"Sure Gambel": 3}}', "did you mean 'Sure Gamble'"),
        ('{"identity": "01001", "cards": {}}\n{"identity": ', "line 2: no JSON"),
        ("Noise\n3x Sure Gambel\n", "line 2: unknown card 'Sure Gambel'; did you mean 'Sure Gamble'"),
        ("3x Sure Gamble\n", "no identity"),
    ],
)
def test_bad_files_are_one_clear_line(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "decks"
    file.write_text(content)
    with pytest.raises(BadDeck, match=message) as caught:
        read_decks(file, POOL)
    assert "\n" not in str(caught.value)


def test_broken_decks_of_a_collection_are_skipped_and_named(tmp_path: Path) -> None:
    file, skipped = tmp_path / "decks.jsonl", []
    whole = deck_as_json(made_up_decks()[0])
    file.write_text(f'{whole}\n{{"cards": {{"01050": 3}}}}\n{whole[:30]}\n{whole}\n')
    assert len(read_decks(file, POOL, skipped=skipped)) == 2
    assert skipped[0] == f"{file}, line 2: no identity among 1 cards"
    assert skipped[1].startswith(f"{file}, line 3: no JSON: ")


def test_a_wrong_line_of_a_plain_list_is_named_once(tmp_path: Path) -> None:
    file = tmp_path / "deck.txt"
    file.write_text("Noise\n\n3x Sure Gambel\n")
    with pytest.raises(BadDeck) as caught:
        read_decks(file, POOL)
    assert str(caught.value) == f"{file}, line 3: unknown card 'Sure Gambel'; did you mean 'Sure Gamble'?"


def test_duplicates_are_found_whatever_their_names() -> None:
    deck = made_up_decks()[0]
    again = Deck(deck.identity, dict(reversed(deck.cards.items())), "another name")
    found = without_duplicates([deck, made_up_decks()[1], again])
    assert found.unique == [deck, made_up_decks()[1]]
    assert found.repeated == [(again, deck)]
