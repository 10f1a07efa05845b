"""Cases of race: representation, features, files, documents."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from boardwright.arena.match import Match
from boardwright.cbr.store import ACTIVE, BadCaseBase, Store
from boardwright.errors import BadRecord
from boardwright.games.race.cards import DESIGNS
from boardwright.scout.cases.building import ALL_TYPES, cases_of, decisions, has_choice, winner
from boardwright.scout.cases.card_groups import GROUP
from boardwright.scout.cases.collection import END, CaseCollection, collection_of
from boardwright.scout.cases.features import PASS, SCHEMA
from boardwright.scout.cases.files import load_cases, pack, write_case_file, write_store
from boardwright.scout.cases.indexing import index_cases
from boardwright.scout.cases.representation import decode, encode
from boardwright.scout.cases.tableau_xml import names, read_tableau, tableau_text
from boardwright.scout.cases.xml_folder import export_cases, import_cases
from boardwright.scout.documents.reading import read_document
from boardwright.scout.documents.writing import document_text
from boardwright.scout.problems.problem import DESIGN_OF_ID, ID_OF_DESIGN, BadDocument
from boardwright.scout.reasoners.card_similarity import card_similarity
from tests.scout_games import design_named

LISTING_4_1 = """<RftgStateCase>
  <Type>3</Type>
  <Choices>98.23.41.86</Choices>
  <Choice>23</Choice>
  <PlayerName>Player 0</PlayerName>
  <GameID>1457588116</GameID>
  <Status>
    <Round>6</Round>
    <Phases><Phase id="3" current="yes">Develop</Phase><Phase id="7">Consume</Phase></Phases>
    <Deck>7687219</Deck><Discard>17</Discard><Pool>24</Pool>
  </Status>
  <Player id="1" ai="yes">
    <Name>Player 1</Name>
    <Actions><Action id="7">Consume-Trade</Action></Actions>
    <Chips>0</Chips><Score>4</Score><Military>0</Military>
    <Tableau count="3">
      <Card id="10" good="yes" num_goods="1">Alpha Centauri</Card>
      <Card id="57" num_goods="1">Galactic Engineers</Card>
      <Card id="15" good="yes" num_goods="1">Comet Zone</Card>
    </Tableau>
    <Hand count="3"></Hand>
  </Player>
  <Player id="0" ai="yes">
    <Name>Player 0</Name>
    <Actions><Action id="3">Develop</Action></Actions>
    <Chips>0</Chips><Score>3</Score><Military>0</Military>
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

LISTING_6_1 = """<RftgStateCase>
  <Tableau count="9">
    <Card id="8" pos="1">Alpha Centauri</Card>
    <Card id="70" pos="2">Runaway Robots</Card>
    <Card id="100" pos="3">Mining World</Card>
    <Card id="72" pos="4">Terraforming Robots</Card>
    <Card id="84" pos="5">Radioactive World</Card>
    <Card id="61" pos="6">Galactic Trendsetters</Card>
    <Card id="27" pos="7">Lost Species Ark World</Card>
    <Card id="44" pos="8">Investment Credits</Card>
    <Card id="6" pos="9">Old Earth</Card>
  </Tableau>
</RftgStateCase>
"""


@pytest.fixture(scope="module")
def cases() -> CaseCollection:
    match = Match("race", ("heuristic", "heuristic"), 11)
    found = [cases_of(match.play(index), ALL_TYPES) for index in range(12)]
    return collection_of([game for game in found if game is not None], {"from": "heuristic"})


def test_a_record_says_all_that_the_problem_says(cases: CaseCollection) -> None:
    """Every question of random and of heuristic games, encoded and decoded."""
    seen = set()
    for specs in (("random", "random"), ("heuristic", "random")):
        record = Match("race", specs, 5).play(0)
        for seat in (0, 1):
            for _, problem, choice in decisions(record, seat):
                again, chosen = decode(encode(problem, choice)[0])
                assert again == problem
                assert sorted(map(str, chosen)) == sorted(map(str, choice))
                seen.add(problem.type)
    assert seen >= {0, 2, 3, 5, 6, 12, 15}


def test_the_listing_of_the_dissertation_as_a_case() -> None:
    document = read_document(LISTING_4_1.encode())
    assert document.choice is not None
    record = encode(document.problem, document.choice)
    case_base = index_cases(record)
    assert DESIGNS[int(case_base.classes[0])].name == "Space Marines"
    numbers = {number.name: int(case_base.number(number.name)[0]) for number in SCHEMA.numbers}
    assert numbers["game_round"] == 6
    assert numbers["player_hand_size"] == 6
    assert numbers["player_tableau_size"] == 4
    assert numbers["opponent_tableau_size"] == 3
    assert numbers["opponent_hand_size"] == 3
    assert numbers["score_difference"] == -1
    assert numbers["pool"] == 24
    assert numbers["player_number_of_goods"] == 1
    assert numbers["opponent_number_of_goods"] == 2
    assert numbers["player_trade_value"] == 4, "Spice World's novelty good, with its own bonus of 2"
    assert numbers["options"] == 4
    tableau = {DESIGNS[design].name for design in case_base.members("player_tableau", 0)}
    assert tableau == {"New Sparta", "Rebel Fuel Cache", "Spice World", "Pre-Sentient Race"}
    assert {DESIGNS[design].name for design in case_base.members("player_goods", 0)} == {"Spice World"}
    again = read_document(document_text(*decode(record[0], "1457588116")).encode())
    assert again.problem.me == document.problem.me
    assert again.choice == document.choice


def test_the_tableau_listing_of_scout1_both_ways() -> None:
    record = read_tableau(LISTING_6_1.encode())[0]
    assert names(record)[0] == "Alpha Centauri"
    assert names(record)[8] == "Old Earth"
    assert tableau_text(record) == LISTING_6_1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LISTING_6_1.replace('pos="2"', 'pos="3"'), "two cards in position 3"),
        (LISTING_6_1.replace('pos="9"', 'pos="11"'), "without a gap"),
        (LISTING_6_1.replace("Old Earth", "New Earth 2"), "no card 'New Earth 2'"),
        ('<!DOCTYPE a [<!ENTITY b "c">]>' + LISTING_6_1, "declarations"),
        ("<Tableau/>", "<RftgStateCase> is expected"),
    ],
)
def test_a_bad_tableau_is_named_in_one_line(text: str, message: str) -> None:
    with pytest.raises(BadDocument, match=message):
        read_tableau(text.encode())


def test_what_can_be_done_now_is_counted_from_the_cards() -> None:
    """Space Marines and the others of the listing: 6 cards in hand, so cost 6 is paid with 5 and the bonus."""
    case_base = index_cases(encode(read_document(LISTING_4_1.encode()).problem))
    assert int(case_base.number("player_developments")[0]) == 4
    assert int(case_base.number("player_worlds")[0]) == 1, "Gambling World; the outpost is military, defence 5"
    assert int(case_base.number("player_producers")[0]) == 0, "Spice World carries its good"


def test_grouped_cards_count_as_equals() -> None:
    """Mining World and Comet Zone are the same card but for their names."""
    assert GROUP[design_named("Mining World")] == GROUP[design_named("Comet Zone")]
    assert GROUP[design_named("Mining World")] != GROUP[design_named("Space Marines")]
    case_base = index_cases(encode(read_document(LISTING_4_1.encode()).problem))
    assert len(case_base.members("player_tableau_groups", 0)) == 4, "one element for each card, copies apart"
    assert len(case_base.members("player_goods_kinds", 0)) == 1


def test_cases_are_indexed_alike_uncompiled() -> None:
    script = (
        "import hashlib\n"
        "from boardwright.scout.cases.indexing import index_cases\n"
        "from boardwright.scout.cases.files import load_cases\n"
        "case_base = index_cases(load_cases('default').records[::2000])\n"
        "columns = (case_base.codes, case_base.sets, case_base.classes)\n"
        "print(hashlib.sha256(b''.join(column.tobytes() for column in columns)).hexdigest())\n"
    )
    root = Path(__file__).parent.parent
    digests = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for switch in ("0", "1")
    ]
    assert digests[0] == digests[1]


def test_similar_cards_are_those_of_figure_6_3() -> None:
    """Most similar to Mining World in the dissertation: Comet Zone (the same), then these three, in this order."""
    matrix = card_similarity()
    mining = design_named("Mining World")
    assert matrix[mining, design_named("Comet Zone")] == pytest.approx(1.0)
    worlds = [number for number, design in enumerate(DESIGNS) if design.world and number != mining]
    ranked = [DESIGNS[number].name for number in sorted(worlds, key=lambda number: -matrix[mining, number])]
    published = {
        "Comet Zone": 1.0, "Bio-Hazard Mining World": 0.846, "Imperium Armaments World": 0.785, "Gem World": 0.723
    }  # fmt: skip
    assert ranked[:4] == list(published)
    for name, similarity in published.items():
        assert matrix[mining, design_named(name)] == pytest.approx(similarity, abs=0.07), name
    assert matrix[mining, design_named("Space Marines")] == 0, "worlds and developments are never exchanged"
    assert matrix[PASS, PASS] == 1
    assert matrix[PASS, :PASS].max() == 0


def test_cases_are_the_decisions_of_the_winner(cases: CaseCollection) -> None:
    record = Match("race", ("heuristic", "heuristic"), 11).play(0)
    seat = winner(record)
    assert seat is not None
    problems = [problem for _, problem, _ in decisions(record, seat) if has_choice(problem)]
    own = cases.subset(np.flatnonzero(cases.groups == 1))
    assert len(own) == len(problems) + 1
    assert own.records["type"][-1] == END
    for case, problem in zip(own.records, problems, strict=False):
        assert decode(case)[0] == problem
        assert problem.me.seat == seat
    assert int(own.records["me"]["score"][-1]) == record.scores[seat]


def test_a_tied_game_gives_no_cases() -> None:
    record = Match("race", ("heuristic", "heuristic"), 11).play(0)
    tied = record.model_copy(update={"returns": [0.5, 0.5]})
    assert winner(tied) is None
    assert cases_of(tied) is None


def test_games_of_others_are_refused() -> None:
    record = Match("connect_four", ("random", "random"), 1).play(0)
    with pytest.raises(BadRecord, match="not from connect_four"):
        cases_of(record)


@pytest.mark.parametrize("name", ["written.cases", "written.db"])
def test_cases_are_read_as_they_were_written(cases: CaseCollection, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    (write_case_file if name.endswith(".cases") else write_store)(cases, file)
    again = load_cases(str(file))
    assert again.records.tobytes() == cases.records.tobytes()
    assert (again.groups - again.groups[0] == cases.groups - cases.groups[0]).all()
    assert again.meta == cases.meta
    assert sorted(path.name for path in tmp_path.iterdir()) == [name], "one file, nothing beside it"


def test_a_cut_off_case_file_is_refused(cases: CaseCollection, tmp_path: Path) -> None:
    file = tmp_path / "written.cases"
    write_case_file(cases, file)
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(BadCaseBase, match="not a whole case file"):
        load_cases(str(file))
    with pytest.raises(BadCaseBase, match="there is no case base"):
        load_cases(str(tmp_path / "nothing.cases"))


def test_a_case_file_of_another_format_is_refused_in_one_line(cases: CaseCollection, tmp_path: Path) -> None:
    file = tmp_path / "old.cases"
    for start, number in ((b"SCOUT1\n", "1"), (b"SCOUT CASES 3\n", "3")):
        file.write_bytes(start + pack(cases).partition(b"\n")[2])
        with pytest.raises(BadCaseBase, match=rf"is a case file of format {number}; this version reads 2: build it"):
            load_cases(str(file))


def test_a_case_of_another_size_is_refused(cases: CaseCollection, tmp_path: Path) -> None:
    file = tmp_path / "written.db"
    write_store(cases, file)
    with Store(file) as store:
        (case,) = (case for case in store.cases(ACTIVE) if case.id == 3)
        case.record = b"short"
        store.connection.execute("UPDATE cases SET record=? WHERE id=3", (case.record + case.checksum,))
    with pytest.raises(BadCaseBase, match="case 3 has 5 bytes"):
        load_cases(str(file))


def test_cases_as_documents_and_back(cases: CaseCollection, tmp_path: Path) -> None:
    """Every type of decision; types that are not built by default included."""
    part = cases.subset(np.flatnonzero(cases.groups <= 3))
    assert export_cases(part, tmp_path / "documents") == len(part)
    again = import_cases(tmp_path / "documents")
    assert len(again) == len(part)
    assert again.games == 3

    def contents(of: CaseCollection) -> list[str]:
        played = [decode(record) for record in of.records if record["type"] != END]
        return sorted(f"{problem} {sorted(map(str, choice))}" for problem, choice in played)

    assert contents(again) == contents(part)


def test_documents_that_are_no_cases_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(LISTING_4_1.replace("  <Choice>23</Choice>\n", ""))
    with pytest.raises(BadDocument, match=r"a\.xml: no <Choice>"):
        import_cases(tmp_path)
    with pytest.raises(BadRecord, match=r"no \.xml files"):
        import_cases(tmp_path / "nowhere")


def test_design_numbers_fit_the_records() -> None:
    assert all(DESIGN_OF_ID[ID_OF_DESIGN[design]] == design for design in range(len(DESIGNS)))
