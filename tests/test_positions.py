"""Positions of one's own: written by people, checked by field, taken by every command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright.arena.match import Match
from boardwright.cli import main
from boardwright.errors import BadPosition, BadRecord
from boardwright.positions import deal, read_position

RACE = bw.game("race")
CONNECT_FOUR = bw.game("connect_four")


def consuming() -> dict[str, Any]:
    """Three goods, one of which New Survivalists may consume: the case of a public bug report of another program."""
    return {
        "game": "race",
        "round": 7,
        "players": [
            {
                "tableau": ["Epsilon Eridani", "Gem World", "New Survivalists", "Spice World", "Plague World"],
                "goods": ["Gem World", "Spice World", "Plague World"],
                "hand": ["Space Port"],
                "chips": 3,
            },
            {"tableau": ["Alpha Centauri"], "hand": 4},
        ],
        "discards": 20,
        "moves": ["Consume-x2", "Produce", "use New Survivalists"],
    }


def test_a_race_tableau_with_several_goods_of_which_one_is_to_be_consumed() -> None:
    state = deal(RACE, consuming(), 5)
    offered = [RACE.describe(state, action) for action in state.legal_actions()]
    assert offered == ["consume the good of Gem World", "consume the good of Spice World"]


def test_what_is_left_open_is_drawn_with_the_seed() -> None:
    hands = {tuple(deal(RACE, consuming(), seed).record.hand[1].tolist()) for seed in (1, 1, 2)}
    assert len(hands) == 2
    assert deal(RACE, consuming(), 1).record.hand_size[1] == 4


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"players": 3}, "players: it should be a list"),
        ({"cards": []}, "cards: a position has no such field"),
        ({"round": 0}, "round: it should be a whole number from 1 to 30"),
        ({"moves": ["Consume-x2", "dance"]}, r"moves\[1\]: 'dance' is not one of the choices: Explore"),
        ({"moves": ["Explore"]}, r"moves\[0\]: 'Explore' may mean Explore \+5; Explore"),
        ({"game": "lords"}, "game: the position is one of 'lords', not of race"),
    ],
)
def test_a_race_position_that_cannot_be_is_refused_by_field(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadPosition, match=said):
        deal(RACE, consuming() | change)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tableau": ["Gem World"]}, r"players\[0\].tableau\[0\]: 'Gem World' is no start world"),
        ({"tableau": ["Old Earth", "Gem Wrld"]}, r"tableau\[1\]: unknown card 'Gem Wrld'; did you mean 'Gem World'"),
        ({"hand": ["Spice World", "Spice World"]}, r"players\[0\].hand\[0\]: 'Spice World' is wanted once too often"),
        ({"goods": ["Epsilon Eridani"]}, r"goods\[0\]: 'Epsilon Eridani' carries no goods"),
        ({"goods": ["Gem World"] * 2}, r"goods\[1\]: 'Gem World' is not in the tableau, or has a good already"),
        ({"chips": 24}, "chips: there are 24, and the game ends when all are out"),
    ],
)
def test_a_seat_that_cannot_be_is_refused_by_field(change: dict[str, Any], said: str) -> None:
    given = consuming()
    given["players"][0] |= change
    with pytest.raises(BadPosition, match=said):
        deal(RACE, given)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["......."] * 5, "list of 6 rows"),
        (["......."] * 5 + ["XX....?"], r"board\[5\]: it should be 7 of the signs"),
        (["......."] * 4 + ["X......", "......."], "a disc in column 1 hangs in the air"),
        (["......."] * 5 + ["O......"], "X has 0 discs and O has 1; X begins"),
        (["......."] * 4 + ["XXXX...", "OOOO..."], "has not made the only four in a row"),
    ],
)
def test_a_connect_four_board_that_cannot_be_is_refused(rows: list[str], said: str) -> None:
    with pytest.raises(BadPosition, match=said):
        deal(CONNECT_FOUR, {"game": "connect_four", "board": rows})


def test_fields_are_named_with_their_path() -> None:
    fields = CONNECT_FOUR.new(seed=0).to_dict()["fields"]
    for change, said in (
        ({"board": fields["board"][:5]}, r"board has shape \(6, 7\): it needs 6 entries"),
        ({"height": [0, 0, 0, 0, 0, 0, 300]}, r"height\[6\] does not fit int8: .* got 300"),
        ({"discs": 0.5}, "discs does not fit int8"),
        ({"disks": 1}, "field 'disks' is missing or unknown"),
    ):
        with pytest.raises(BadRecord, match=said):
            CONNECT_FOUR.from_dict({"game": "connect_four", "fields": fields | change})


def test_fields_are_checked_by_rules_that_cannot_crash() -> None:
    """In another process, uncompiled: conservation, and whether the game can be played from there."""
    state = CONNECT_FOUR.new(seed=0)
    for column in (3, 3, 2):
        state.apply(column)
    saved = json.loads(json.dumps(state.to_dict()))
    assert deal(CONNECT_FOUR, saved, 9) == state
    saved["fields"]["height"][3] = 100
    with pytest.raises(BadPosition, match=r"height\[3\]: 100 is not the number of discs there"):
        deal(CONNECT_FOUR, saved)


def test_a_match_from_a_position_is_recorded_with_it() -> None:
    match = Match("race", ("heuristic", "random"), seed=4, position=consuming())
    record = match.play(0)
    assert record.position == consuming()
    assert record.final().returns == tuple(record.returns)
    assert bw.arena.record.parse_record(record.line()) == record
    assert not match.owns(record.model_copy(update={"position": {}}))


def test_the_command_line_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "position.json"
    file.write_text('{"game": "connect_four", "board": []}')
    for command in (["explain", "connect_four"], ["match", "connect_four", "random", "random"]):
        with pytest.raises(SystemExit) as left:
            main([*command, "--from", str(file)])
        assert left.value.code == 1
        assert f"{file}: board: it should be a list of 6 rows" in capsys.readouterr().err
    file.write_text("[]")
    with pytest.raises(BadPosition, match="is not a position"):
        read_position(file)


def test_a_position_can_be_yaml(tmp_path: Path) -> None:
    file = tmp_path / "position.yaml"
    file.write_text("game: connect_four\nboard:\n" + "".join(f"  - '{row}'\n" for row in ["......."] * 5 + ["..XXO.O"]))
    given = read_position(file)
    assert given == {"game": "connect_four", "board": ["......."] * 5 + ["..XXO.O"]}
    assert deal(CONNECT_FOUR, given).player == 0
    file.write_text(json.dumps(consuming()))
    assert read_position(file) == consuming(), "all JSON is YAML"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game: [", "is not YAML: while parsing"),
        ("a: &a [x, x]\nb: [*a, *a]", "line 1: a position has no anchors, references and tags"),
        ("game: !!python/object/apply:os.system ['true']", "no anchors, references and tags"),
        ("game: race\nround: 2026-11-18", "perhaps a date"),
        ("game: race\nround: .inf", "is not YAML"),
        ("game: race\nround: 1" + "0" * 400, "too large"),
        ("[" * 2000 + "]" * 2000, "nested too deeply"),
        ("- game", "is not a position"),
        ("{1: 2, game: 3}", "is not a position"),
    ],
)
def test_yaml_that_is_no_position_is_refused(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "position.yml"
    file.write_text(text)
    with pytest.raises(BadPosition, match=said):
        read_position(file)
