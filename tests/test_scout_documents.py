"""Documents are written and read without loss, and what is malformed is named."""

from __future__ import annotations

from dataclasses import replace

from boardwright.games.race.scout.documents import read_document
from boardwright.games.race.scout.problem import problem_of
from boardwright.games.race.scout.writing import document_text
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
