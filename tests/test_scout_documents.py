"""Documents are written and read without loss, and what is malformed is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boardwright.scout.documents.reading import read_document
from boardwright.scout.documents.writing import choice_text, document_text, game_over_text
from boardwright.scout.problems.from_observation import problem_of
from boardwright.scout.problems.problem import BadDocument, Problem
from boardwright.scout.remote.messages import GameOver, read_message
from tests.scout_games import sampled_questions

LISTING = """<RftgStateCase>
  <Type>3</Type>
  <Choices>98.23.41.86</Choices>
  <Choice>23</Choice>
  <PlayerName>Player 0</PlayerName>
  <GameID>1457588116</GameID>
  <Status>
    <Round>6</Round>
    <Phases>
      <Phase id="3" current="yes">Develop</Phase>
      <Phase id="7">Consume</Phase>
    </Phases>
    <Deck>7687219</Deck>
    <Discard>17</Discard>
    <Pool>24</Pool>
  </Status>
  <Player id="1" ai="yes">
    <Name>Player 1</Name>
    <Actions>
      <Action id="7">Consume-Trade</Action>
    </Actions>
    <Chips>0</Chips>
    <Score>4</Score>
    <Military>0</Military>
    <Tableau count="3">
      <Card id="10" good="yes" num_goods="1">Alpha Centauri</Card>
      <Card id="57" num_goods="1">Galactic Engineers</Card>
      <Card id="15" good="yes" num_goods="1">Comet Zone</Card>
    </Tableau>
    <Hand count="3">
    </Hand>
  </Player>
  <Player id="0" ai="yes">
    <Name>Player 0</Name>
    <Actions>
      <Action id="3">Develop</Action>
    </Actions>
    <Chips>0</Chips>
    <Score>3</Score>
    <Military>0</Military>
    <Tableau count="4">
      <Card id="8">New Sparta</Card>
      <Card id="11">Rebel Fuel Cache</Card>
      <Card id="26" good="yes" num_goods="1">Spice World</Card>
      <Card id="54" num_goods="1">Pre-Sentient Race</Card>
    </Tableau>
    <Hand count="6">
      <Card id="92">Gambling World</Card>
      <Card id="33">Rebel Outpost</Card>
      <Card id="23">Space Marines</Card>
      <Card id="86">Genetics Lab</Card>
      <Card id="41">Mining Conglomerate</Card>
      <Card id="98">Galactic Imperium</Card>
    </Hand>
  </Player>
</RftgStateCase>
"""
"""Listing 4.1 of the dissertation."""


def test_the_listing_is_read_with_its_own_card_numbers() -> None:
    document = read_document(LISTING.encode())
    problem = document.problem
    assert (problem.type, problem.options, document.choice) == (3, (98, 23, 41, 86), (23,))
    assert (problem.minimum, problem.maximum, problem.subject) == (0, 1, -1)
    assert (problem.round, problem.phases, problem.phase) == (6, (3, 7), 3)
    assert (problem.deck, problem.discard, problem.pool, problem.game_id) == (7687219, 17, 24, "1457588116")
    assert problem.opponent.tableau == (8, 57, 15), "Alpha Centauri is 8 in cards.json, whatever the document says"
    assert problem.opponent.goods == (8, 15)
    assert (problem.opponent.action, problem.opponent.hand, problem.opponent.hand_size) == (7, (), 3)
    assert problem.me.tableau == (9, 11, 26, 54)
    assert problem.me.hand == (23, 33, 41, 86, 92, 98)
    assert read_document(document_text(problem, document.choice).encode()).problem == problem


def test_problems_of_all_types_come_back_from_their_documents() -> None:
    for steps, choice in sampled_questions():
        problem = replace(problem_of(steps[0][0]), game_id="7 & <8>")
        document = read_document(document_text(problem, choice).encode())
        assert (document.problem, document.choice) == (problem, choice)
    assert read_document(document_text(problem).encode()).choice is None


def test_where_a_document_does_not_say_how_many_the_rules_do() -> None:
    for steps, _ in sampled_questions():
        problem = problem_of(steps[0][0])
        lines = document_text(problem).splitlines(keepends=True)
        shorter = "".join(line for line in lines if "<Min>" not in line and "<Max>" not in line)
        assert read_document(shorter.encode()).problem == problem


def damaged(old: str, new: str) -> str:
    assert old in LISTING, old
    with pytest.raises(BadDocument) as error:
        read_document(LISTING.replace(old, new, 1).encode())
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("<Type>3</Type>", "", "<RftgStateCase> has no <Type>"),
        ("<Type>3</Type>", "<Type>3</Type><Type>5</Type>", "has 2 elements <Type>"),
        ("<Type>3</Type>", "<Type>4</Type>", "<Type>: there is no question of type 4"),
        ("<Type>3</Type>", "<Type>three</Type>", "<Type>: 'three' is not a whole number"),
        ("<Type>3</Type>", "<Type>٣</Type>", "is not a whole number"),
        ("<Type>3</Type>", "<Type>99999999999</Type>", "is not a whole number"),
        ("<Type>3</Type>", "<Type><Deep>3</Deep></Type>", "<Type> should hold text, not <Deep>"),
        ("98.23.41.86", "98..23", "<Choices>: '98..23' should be numbers separated by dots"),
        ("98.23.41.86", "98,23", "<Choices>: '98,23' should be numbers"),
        ("98.23.41.86", "98.23.41.777", "<Choices>: there is no card 777"),
        ("98.23.41.86", "98.23.41.12", "<Choices>: 12 is not in the hand"),
        ("98.23.41.86", "98.23.23", "<Choices>: 23 is not in the hand, or not so often"),
        ("98.23.41.86", "98.23:0", "<Choices>: 23:0 is not in the hand"),
        ("<Choice>23<", "<Choice>33<", "<Choice>: 33 is not among the options"),
        ("<Choice>23<", "<Choice>23.98<", "<Choice>: 2 chosen"),
        ("<Choice>23<", "<Min>3</Min><Max>9</Max><Choice>23<", "<Min>, <Max>: 3 to 9 cannot be chosen of 4 options"),
        ("<Choice>23<", "<Min>2</Min><Max>1</Max><Choice>23<", "<Min>, <Max>: 2 to 1 cannot be chosen"),
        ("<Choice>23<", "<For>x</For><Choice>23<", "<For>: 'x' is not a whole number"),
        ("<Choice>23<", "<For>3</For><Choice>23<", "<For>: there is no card 3"),
        ("<Round>6<", "<Round>31<", "<Round>: 31 is not from 0 to 30"),
        ("<Status>", "<Stature>", "broken XML"),
        ("<Deck>7687219</Deck>", "", "<Status> has no <Deck>"),
        ("<Discard>17<", "<Discard>-1<", "<Discard>: -1 is not from 0 to 114"),
        ('<Phase id="3"', '<Phase id="4"', "<Phase id>: there is no action 4"),
        ('<Phase id="7"', '<Phase id="7" current="yes"', "<Phases>: two phases are current"),
        ('<Phase id="3"', "<Phase", "<Phase> has no attribute id"),
        ('<Action id="7"', '<Action id="6"', "<Action id>: there is no action 6"),
        ('<Player id="1"', '<Player id="0"', "<Player id>: more than one player is 0"),
        ('<Player id="1"', '<Player id="2"', "<Player id>: 2 is not from 0 to 1"),
        ('<Tableau count="3">', '<Tableau count="4">', "<Tableau count>: 4, but 3 cards are listed"),
        ('<Hand count="3">', "<Hand>", "<Hand> has no attribute count"),
        ('<Hand count="6">', '<Hand count="5">', "<Hand count>: 5, but 6 cards are listed"),
        ('<Hand count="3">', '<Hand count="3"><Card id="40"/>', "whose hand is not known"),
        ("Comet Zone", "Comet Zoo", "there is no card 'Comet Zoo' in the base game"),
        ('<Card id="15" good', '<Card id="57" good', "<Card id>: 57 is both Galactic Engineers and Comet Zone"),
        ("Rebel Outpost", "Comet Zone", "<Card id>: Comet Zone is both 15 and 33"),
        ('<Card id="33">Rebel Outpost', '<Card id="15">Comet Zone', "<Card>: Comet Zone is listed 2 times"),
        ('<Card id="33">Rebel Outpost', "<Card>", "<Card> has neither an id nor a name"),
        ('<Card id="33">Rebel Outpost', '<Card id="5">', "<Card id>: there is no card 5"),
        ("<Chips>0</Chips>", "<Chips/>", "<Chips>: '' is not a whole number"),
        ("1457588116", "x" * 101, "<GameID>: more than 100 letters"),
        ("<Name>Player 1</Name>", "<Card>" * 9 + "</Card>" * 9, "nested more than 8 deep"),
        ("<Name>Player 1</Name>", "<Name/>" * 1000, "more than 1000 elements"),
        ("<Name>Player 1</Name>", "x" * 70_000, "too large; the limit is 65,536"),
        ("<RftgStateCase>", "<!DOCTYPE a><RftgStateCase>", "declarations that a document has no use for"),
    ],
)
def test_a_malformed_document_is_named(old: str, new: str, reason: str) -> None:
    assert reason in damaged(old, new)


def test_no_design_lies_twice_in_a_tableau() -> None:
    text = LISTING
    for old in ('<Card id="11">Rebel Fuel Cache', '<Card id="54" num_goods="1">Pre-Sentient Race'):
        text = text.replace(old, '<Card id="42">Research Labs')
    with pytest.raises(BadDocument, match="Research Labs lies there twice"):
        read_document(text.encode())


def test_nobody_plays_alone() -> None:
    text = LISTING[: LISTING.index('  <Player id="1"')] + LISTING[LISTING.index('  <Player id="0"') :]
    with pytest.raises(BadDocument, match="has 1 elements <Player>"):
        read_document(text.encode())


@pytest.mark.parametrize(("players", "reason"), [(3, "more than one player is 1"), (5, "has 5 elements <Player>")])
def test_players_have_seats_of_their_own_and_are_four_at_most(players: int, reason: str) -> None:
    block = LISTING[LISTING.index("<Player ") : LISTING.index("</Player>") + len("</Player>")]
    with pytest.raises(BadDocument, match=reason):
        read_document(LISTING.replace(block, block * (players - 1), 1).encode())


def test_of_several_opponents_the_one_who_leads_is_compared() -> None:
    problem = next(problem for problem in problems_of_more() if len({side.score for side in problem.opponents}) > 2)
    assert problem.opponent.score == max(side.score for side in problem.opponents)
    in_turn = [(side.seat - problem.me.seat) % 4 for side in problem.others]
    assert in_turn == sorted(in_turn)
    turned = replace(problem, opponent=problem.others[0], others=(problem.opponent, *problem.others[1:]))
    assert read_document(document_text(turned).encode()).problem == problem


def problems_of_more() -> list[Problem]:
    """Of games for four."""
    found = (problem_of(steps[0][0]) for steps, _ in sampled_questions())
    return [problem for problem in found if len(problem.sides) == 4]


def test_cards_without_names_have_the_numbers_of_our_own_list() -> None:
    bare = LISTING.replace(">Space Marines<", "><").replace('<Card id="8">New Sparta<', "<Card>New Sparta<")
    assert read_document(bare.encode()).problem == read_document(LISTING.encode()).problem


def test_an_answer_has_the_numbers_of_the_document() -> None:
    """The document calls Space Marines 7, which is another card in cards.json."""
    own = LISTING.replace("23.41", "7.41").replace('id="23"', 'id="7"').replace("<Choice>23<", "<Choice>7<")
    document = read_document(own.encode())
    assert document.choice == (23,)
    assert choice_text(document.problem, (23,), document.numbering) == "<Choice>7</Choice>"
    assert choice_text(document.problem, (), document.numbering) == "<Choice></Choice>"


def test_an_answer_has_the_number_that_was_offered() -> None:
    """The cards are listed with numbers of their own, and offered with those of cards.json."""
    document = read_document(LISTING.replace('<Card id="23"', '<Card id="207"').encode())
    assert document.choice == (23,)
    assert choice_text(document.problem, (23,), document.numbering) == "<Choice>23</Choice>"


def test_a_document_may_name_a_phase_by_either_of_its_actions() -> None:
    problem = read_document(LISTING.replace('<Phase id="7">', '<Phase id="8">').encode()).problem
    assert problem.phases == (3, 7)


def test_the_end_of_a_game_is_read() -> None:
    assert read_message(game_over_text(True, 31, -2).encode()) == GameOver(True, 31, -2)
