"""The schemas of a game hold for what the program writes, and refuse what it would not."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import boardwright as bw
from boardwright.errors import BadRecord
from boardwright.schemas import schema
from boardwright.scripts.positions import position_as_json
from tests.conftest import DICE_RACE

GAMES = [*bw.games(), str(DICE_RACE)]


def validator(found: dict[str, Any], part: str = "") -> jsonschema.Draft202012Validator:
    jsonschema.Draft202012Validator.check_schema(found)
    return jsonschema.Draft202012Validator({**found, "$ref": f"#/$defs/{part}"} if part else found)


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_states_observations_positions_and_actions_are_as_the_schema_says(name: str) -> None:
    game = bw.game(name)
    found = schema(game)
    whole = validator(found)
    position = jsonschema.Draft202012Validator({**found["$defs"]["position"], "$defs": found["$defs"]})
    action = jsonschema.Draft202012Validator(found["$defs"]["action"])
    state = game.new(seed=5)
    for move in range(60):
        if state.is_terminal:
            break
        if move % 12 == 0:
            for written in (state, *(state.observation(seat) for seat in range(state.seats))):
                whole.validate(json.loads(json.dumps(written.to_dict())))
            position.validate(json.loads(json.dumps(position_as_json(game, state.observation(0).record))))
        legal = state.legal_actions()
        chosen = legal[move % len(legal)]
        action.validate(int(chosen))
        state.apply(chosen)
    action_too_high = list(action.iter_errors(game.num_actions))
    assert action_too_high


def test_what_does_not_fit_is_refused_by_field(connect_four: bw.Game) -> None:
    whole = validator(schema(connect_four))
    written = json.loads(json.dumps(connect_four.new(seed=1).to_dict()))
    field = next(name for name, value in written["fields"].items() if isinstance(value, int))
    for wrong in ("3", 1.5, 10**30, None):
        (error,) = whole.iter_errors({**written, "fields": {**written["fields"], field: wrong}})
        assert list(error.path) == ["fields", field]
    assert any(whole.iter_errors({**written, "fields": {**written["fields"], "more": 1}}))


@pytest.mark.parametrize("name", bw.games())
def test_positions_of_ones_own_are_refused_where_the_schema_refuses_them(name: str) -> None:
    """Numbers out of range, texts, lists of another length: what is wrong for one is wrong for the other."""
    game, chance = bw.game(name), random.Random(8)
    whole = validator(schema(game))
    written = json.loads(json.dumps(game.new(seed=1).to_dict()))
    refused = 0
    for _ in range(60):
        given = json.loads(json.dumps(written))
        place, key = given["fields"], chance.choice(list(given["fields"]))
        while isinstance(place[key], (list, dict)) and place[key] and chance.random() < 0.8:
            place = place[key]
            key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
        place[key] = chance.choice([0, 1, -1, 2**40, 2**70, "1", 0.5, None, True, [], [0], {}])
        fits = not any(whole.iter_errors(given))
        try:
            game.from_dict(given)
        except BadRecord:
            assert not fits, (key, place[key])
            refused += 1
        else:
            assert fits, (key, place[key])
    assert 20 < refused < 60


def test_options_have_their_ranges_and_defaults() -> None:
    options = schema(bw.game("lords"))["$defs"]["options"]
    allowed = jsonschema.Draft202012Validator(options)
    assert not list(allowed.iter_errors({"information": "open"}))
    assert list(allowed.iter_errors({"information": "ajar"}))
    assert options["properties"]["information"]["default"] == bw.game("lords").options["information"].default
