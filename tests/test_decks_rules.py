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


# Every rule in both of its forms


@pytest.mark.parametrize("identity", ["01001", "03029", "03002", "09029", "01067", "01054"])
def test_the_arrays_of_requirements_say_what_is_said_of_each_card(identity: str) -> None:
    """Noise; The Professor, Custom Biotics and Apex with rules of their own; two corps. Alliance cards at full cost."""
    cards = [card.code for card in POOL]
    found = RULES.requirements(identity, 45, cards)
    of = POOL[identity]
    for place, code_ in enumerate(cards):
        card = POOL[code_]
        single = problems(Deck(identity, {code_: 1}))
        own = [text for text in single if text.startswith(f"{card.title}: ")]
        assert found.limit[place] == (0 if own else card.limit), card.title
        assert found.points[place] == card.points
        if not own and "Alliance" not in card.subtypes:
            one, two = (RULES.influence(Deck(identity, {code_: copies})) for copies in (1, 2))
            assert two - one == found.cost[place], card.title
            assert one == (0 if found.first_is_free[place] else found.cost[place]), card.title
            assert RULES.influence_by_card(Deck(identity, {code_: 1})) == ({code_: one} if one else {})
    assert (found.points_low, found.points_high) == ((20, 21) if of.side == "corp" else (0, 0))
    assert found.budget == of.influence_limit
    assert RULES.group(identity) == of.faction
    assert RULES.minimum_size(identity) == of.minimum
    assert found.first_is_free.any() == (identity == "03029")


def test_what_is_no_identity_has_no_size_and_drafts_are_not_constructed() -> None:
    with pytest.raises(BadDeck, match="Sure Gamble is no identity but of the kind event"):
        RULES.minimum_size("01050")
    assert problems(Deck("01050", {})) == ["Sure Gamble: it is no identity but of the kind event"]
    draft = next(card for card in POOL if card.is_identity and card.draft)
    assert f"{draft.title}: this identity is for drafts only" in problems(Deck(draft.code, {}))
    assert not any("drafts" in text for text in problems(Deck("01001", {})))
    assert (RULES.side("01050"), RULES.released("01050")[:2]) == ("runner", "20")


def test_agenda_points_have_two_right_values() -> None:
    """With 45 cards 20 or 21, whatever else is wrong."""
    agenda = {
        points: next(c for c in POOL if c.points == points and c.faction == "neutral-corp") for points in (1, 2, 3)
    }
    for points, right in ((19, False), (20, True), (21, True), (22, False)):
        threes, rest = divmod(points, 3)
        cards = {agenda[3].code: threes, **({agenda[rest].code: 1} if rest else {})}
        deck = Deck("01067", {**cards, code("Hedge Fund"): 45 - sum(cards.values())})
        assert (
            any(f"{points} agenda points; a deck of 45 cards needs 20 or 21" in text for text in problems(deck))
            != right
        )
    assert not any("agenda" in text for text in problems(Deck("01001", {})))


def test_influence_may_be_spent_to_the_last_point() -> None:
    """Account Siphon costs 4, Desperado 3, Inside Job 3: 15 of Noise's 15, then 16."""
    siphon, fifteen = code("Account Siphon"), {code("Account Siphon"): 3, code("Desperado"): 1}
    assert RULES.influence(Deck("01001", fifteen)) == 15
    assert not any("influence spent" in text for text in problems(Deck("01001", fifteen)))
    assert any("16 influence spent" in text for text in problems(Deck("01001", {siphon: 4})))


def test_museum_of_history_is_free_in_fifty_cards_and_others_among_six_of_their_faction() -> None:
    museum, recall, eli = code("Museum of History"), code("Product Recall"), code("Eli 1.0")
    own, stranger = POOL[museum].influence, "01054" if POOL[museum].faction != "haas-bioroid" else "01067"
    fund = code("Hedge Fund")
    costs = [RULES.influence(Deck(stranger, {museum: 1, fund: size - 1})) for size in (49, 50)]
    assert costs == [own, 0]
    assert POOL[recall].faction == POOL[eli].faction == "haas-bioroid"
    each = POOL[eli].influence
    costs = [RULES.influence(Deck("01067", {recall: 1, eli: copies})) - copies * each for copies in (5, 6)]
    assert costs == [POOL[recall].influence, 0]
    assert RULES.influence(Deck("01067", {recall: 7})) > 0, "alliance cards themselves do not count"


# Reading


def read(tmp_path: Path, content: str) -> list[Deck]:
    file = tmp_path / "decks"
    file.write_text(content)
    return read_decks(file, POOL)


def test_plain_lists_may_have_names_headings_comments_and_lines_between_them(tmp_path: Path) -> None:
    first, second = read(
        tmp_path,
        "\ufeffMy deck\nNoise\n# mine\n// too\nHardware (5)\nPrograms\n3x Corroder (Core Set)\nSure Gamble\n"
        "Sure Gamble x2\n45 cards\nInfluence spent: 3\n---\n---\nWhizzard: Master Gamer\n2 Sure Gamble\n",
    )
    assert (first.name, first.identity, dict(first.cards)) == ("My deck", "01001", {code("Corroder"): 3, "01050": 3})
    assert (second.name, second.identity, dict(second.cards)) == ("", code("Whizzard"), {"01050": 2})
    assert (first.source, second.source) == (f"{tmp_path / 'decks'}, line 1", f"{tmp_path / 'decks'}, line 14")


def test_a_line_with_a_number_is_a_card_and_no_heading(tmp_path: Path) -> None:
    """A misspelt title of letters alone would be passed over silently otherwise."""
    with pytest.raises(BadDeck, match=r"line 3.*Corroderr"):
        read(tmp_path, "My deck\nNoise\n3 Corroderr\nSure Gamble\n")


def test_json_lists_may_name_the_identity_twice_and_a_card_in_two_ways(tmp_path: Path) -> None:
    deck = '{"identity": "Noise", "name": null, "date": "2014", "cards": {"01001": 1, "01050": 1, "Sure Gamble": 2}}'
    (alone,) = read(tmp_path, deck)
    assert (alone.identity, dict(alone.cards), alone.name, alone.date) == ("01001", {"01050": 3}, "", "")
    assert alone.source == str(tmp_path / "decks")
    for dates, day in (
        ('"date": "2014-08-01T10:00", "creation": "2013-01-01"', "2014-08-01"),
        ('"date_creation": "2014-08-02", "creation": "2013-01-01"', "2014-08-02"),
        ('"creation": "2013-01-01"', "2013-01-01"),
    ):
        one, two = read(tmp_path, f'[{deck}, {{"identity": "01001", {dates}, "cards": {{"01050": 1}}}}]')
        assert (one.date, two.date) == ("", day)
        assert [one.source, two.source] == [f"{tmp_path / 'decks'}, deck {number}" for number in (1, 2)]


@pytest.mark.parametrize("copies", ["true", "0", "-1", "1.5", '"2"'])
def test_copies_are_whole_numbers_from_one(tmp_path: Path, copies: str) -> None:
    with pytest.raises(BadDeck, match="copies of Sure Gamble; expected a whole number from 1"):
        read(tmp_path, f'{{"identity": "01001", "cards": {{"01050": {copies}}}}}')


def test_a_deck_is_written_with_its_name_and_date_if_it_has_them() -> None:
    bare = Deck("01001", {"01050": 3})
    assert deck_as_json(bare) == '{"identity": "01001", "cards": {"01050": 3}}'
    named = Deck("01001", {"01050": 3}, "Déjà", "2014-08-01")
    assert deck_as_json(named) == '{"name": "Déjà", "date": "2014-08-01", "identity": "01001", "cards": {"01050": 3}}'
