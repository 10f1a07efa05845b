"""State records: what `record` declares, numbers as Python's own, and the way to JSON and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from boardwright.kernel.records import PlainArray, PlainRecord, _short, as_json, fill_from_json, plain_record, record

CITY = record(size="u1", walls=("i1", 2))
STATE = record(turn="i1", open="?", heat="f4", board=("i2", (2, 3)), city=(CITY, 2), capital=CITY, row=("u1", 4))


@pytest.fixture
def memory() -> Any:
    return np.zeros(STATE.itemsize, np.uint8)


@pytest.fixture
def state(memory: Any) -> Any:
    return plain_record(memory, STATE)


def test_a_field_is_a_type_or_a_type_with_a_length_or_a_shape() -> None:
    assert STATE["turn"] == np.int8
    assert STATE["row"].shape == (4,)
    assert STATE["board"].shape == (2, 3)
    assert STATE["city"].base == CITY
    assert STATE["capital"] == CITY


def test_fields_are_aligned_as_compiled_code_wants_them() -> None:
    assert STATE.isalignedstruct
    assert record(a="u1", b="i8").itemsize == 16


def test_numbers_are_pythons_own_and_do_not_wrap_round(state: Any) -> None:
    state.turn, state.heat, state.open = 3, 0.5, True
    assert (state.turn - 200, type(state.turn)) == (-197, int)
    assert (state.heat, type(state.heat)) == (0.5, float)
    assert state.open is True
    state.row[1] = 2
    assert state.row[1] - 3 == -1
    state.board[1, 2] = 7
    assert (state.board[1, 2], type(state.board[1, 2])) == (7, int)


def test_what_is_written_is_read_again(state: Any, memory: Any) -> None:
    """Through the record, its arrays and the bytes below: one memory."""
    for value in (4, 5):
        state.row[0] = value
        assert state.row[0] == state.row[-4] == value
        state.turn = value
        assert state.turn == value
        state.city[1].walls[0] = value
        assert state.city[1].walls[0] == value
        state.capital.size = value
        assert (state.capital.size, plain_record(memory, STATE).capital.size) == (value, value)


def test_arrays_within_are_taken_by_row_slice_and_place(state: Any) -> None:
    state.board[:] = [[1, 2, 3], [4, 5, 6]]
    assert isinstance(state.board[1], PlainArray)
    assert state.board[1].tolist() == state.board[(1,)].tolist() == [4, 5, 6]
    assert state.board[1][2] == state.board[-1, -1] == 6
    assert state.board[:, 1].tolist() == [2, 5]
    assert state.board[0, 1:].tolist() == [2, 3]
    assert state.row[1:3].tolist() == [0, 0]
    assert state.board[state.board > 4].tolist() == [5, 6]
    assert state.board.sum() == 21


def test_a_record_within_is_made_once(state: Any) -> None:
    assert isinstance(state.capital, PlainRecord)
    assert state.capital is state.capital
    assert state.row is state.row
    assert state.city[1] is state.city[1]
    assert state.city[1] is not state.city[0]
    assert isinstance(state.city[(1,)], PlainRecord)
    assert [city.size for city in state.city] == [0, 0]


def test_a_field_that_is_not_there_is_named_with_those_that_are(state: Any) -> None:
    fields = r"\('turn', 'open', 'heat', 'board', 'city', 'capital', 'row'\)"
    with pytest.raises(AttributeError, match=f"the state has no field 'trun'; it has {fields}"):
        _ = state.trun
    with pytest.raises(AttributeError, match=f"the state has no field 'trun'; it has {fields}"):
        state.trun = 1


def test_a_record_shows_its_content(state: Any) -> None:
    assert repr(state.capital) == f"PlainRecord({np.zeros(1, CITY)[0]!r})"


FIELDS: dict[str, Any] = {
    "turn": -3,
    "open": True,
    "heat": 0.5,
    "board": [[1, 2, 3], [4, 5, 6]],
    "city": [{"size": 1, "walls": [1, 2]}, {"size": 2, "walls": [3, 4]}],
    "capital": {"size": 255, "walls": [-128, 127]},
    "row": [1, 2, 3, 4],
}


def test_a_record_becomes_json_and_is_filled_from_it(state: Any, memory: Any) -> None:
    fill_from_json(memory.view(STATE)[0], FIELDS)
    found = as_json(state)
    assert found == FIELDS
    assert type(found["turn"]) is type(found["row"][0]) is type(found["city"][1]["size"]) is int
    assert type(found["open"]) is bool
    assert as_json(memory.view(STATE)) == [FIELDS]
    assert as_json(np.int8(3)) == as_json(3) == 3
    assert type(as_json(np.int8(3))) is int


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"turn": 128}, "turn does not fit int8: it should be a whole number from -128 to 127, got 128"),
        ({"turn": -129}, "turn does not fit int8: .* got -129"),
        ({"turn": 1.0}, "turn does not fit int8: .* got 1.0"),
        ({"turn": True}, "turn does not fit int8: .* got True"),
        ({"row": [0, 0, 0, 256]}, r"row\[3\] does not fit uint8: it should be a whole number from 0 to 255, got 256"),
        ({"row": [0, 0, 0, -1]}, r"row\[3\] does not fit uint8"),
        ({"row": [0, 0, 0]}, r"row has shape \(4,\): it needs 4 entries, got \[0, 0, 0\]"),
        ({"row": 3}, r"row has shape \(4,\): it needs 4 entries, got 3"),
        ({"board": [[1, 2, 3], [4, 5]]}, r"board\[1\] has shape \(3,\): it needs 3 entries, got \[4, 5\]"),
        ({"board": [[1, 2, 3], [4, 5, "6"]]}, r"board\[1\]\[2\] does not fit int16: .* got '6'"),
        ({"open": 1}, "open should be true or false, got 1"),
        ({"heat": "warm"}, "heat should be a number that fits float32, got 'warm'"),
        ({"heat": 0.1}, "heat should be a number that fits float32, got 0.1"),
        ({"heat": True}, "heat should be a number that fits float32, got True"),
        ({"capital": 3}, "capital should be an object with names, not 3"),
        ({"capital": {"size": 1}}, "field 'capital.walls' is missing or unknown: it is not given"),
        ({"capital": {"size": 1, "walls": [0, 0], "x": 1}}, "field 'capital.x' is missing .* no such field"),
        ({"city": [FIELDS["capital"]]}, "city needs 2 entries, got "),
        ({"city": {}}, "city needs 2 entries, got {}"),
        ({"city": [FIELDS["capital"], {"size": 300, "walls": [0, 0]}]}, r"city\[1\].size does not fit uint8"),
        ({"x": 1}, "field 'x' is missing or unknown: the state has no such field"),
    ],
)
def test_what_does_not_fit_is_named_with_its_path(memory: Any, change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        fill_from_json(memory.view(STATE)[0], FIELDS | change)


def test_what_is_missing_or_no_object_is_named(memory: Any) -> None:
    with pytest.raises(ValueError, match="fields should be an object with names, not None"):
        fill_from_json(memory.view(STATE)[0], None)
    with pytest.raises(ValueError, match="field 'heat' is missing or unknown: it is not given"):
        fill_from_json(memory.view(STATE)[0], {name: value for name, value in FIELDS.items() if name != "heat"})


@pytest.mark.parametrize("heat", [2, -0.25, 2.0**100])
def test_numbers_that_a_float_holds_exactly_fit(memory: Any, heat: float) -> None:
    fill_from_json(memory.view(STATE)[0], FIELDS | {"heat": heat})
    assert plain_record(memory, STATE).heat == heat


def test_forty_signs_of_a_value_are_shown_whole() -> None:
    assert _short("a" * 38) == "'" + "a" * 38 + "'"
    assert _short("a" * 39) == "'" + "a" * 36 + "…"
