"""A position edited field by field: the fields of a state's record as a form, and back, checked by field."""

from __future__ import annotations

import json
from typing import Any

from boardwright.errors import BadPosition
from boardwright.files import parse_json
from boardwright.kernel import rng
from boardwright.positions import deal, position_in
from boardwright.schema import schema
from boardwright.scripts.positions import position_as_json
from boardwright.web import views
from boardwright.web.messages import FieldsWanted, PositionEdited
from boardwright.web.own_files import registered_game

GENERATOR = "rng"
"""The field that a seed makes; nobody edits it."""


def fields(wanted: FieldsWanted) -> dict[str, Any]:
    """The fields of a position, or of a fresh deal, each as JSON text with what may stand in it."""
    game = registered_game(wanted.game)
    if wanted.position:
        state = deal(game, position_in(wanted.position), wanted.seed)
    else:
        state = game.new(seed=wanted.seed, seats=wanted.seats or game.seats[0])
    declared = schema(game)["$defs"]["position"]["properties"]
    return {
        "seats": state.seats,
        "fields": [
            {"name": name, "text": json.dumps(value), **_allowed(declared[name])}
            for name, value in position_as_json(game, state.record).items()
            if name != GENERATOR
        ],
    }


def _allowed(declared: dict[str, Any]) -> dict[str, Any]:
    """A field's kind, and in words what may stand in it."""
    shape = []
    while declared["type"] == "array":
        if "uniqueItems" in declared:
            shape.append("any number")
        else:
            shape.append(str(declared["maxItems"]))
        declared = declared["items"]
    kind = declared["type"]
    one = {"integer": "whole number", "number": "number", "boolean": "true or false", "object": "object"}[kind]
    if kind == "integer":
        one += f" from {declared['minimum']} to {declared['maximum']}"
    if not shape:
        return {"kind": kind, "meaning": one, "low": declared.get("minimum"), "high": declared.get("maximum")}
    return {"kind": "list", "meaning": f"{' × '.join(shape)}, each a {one}", "low": None, "high": None}


def edited(given: PositionEdited) -> dict[str, Any]:
    """The position that the fields make: as text for --from and for study, and as a picture. With `seat`, what that
    seat cannot know is drawn anew."""
    game = registered_game(given.game)
    values = {name: _parsed(text, name) for name, text in given.fields.items()}
    for name, width in game.sets.items():
        if name in values:
            values[name] = _words(values[name], width, game.state[name].shape, name)
    if GENERATOR in (game.state.names or ()):
        values[GENERATOR] = [int(word) for word in rng.generator(given.seed)]
    state = deal(game, {"game": game.name, "fields": values}, given.seed)
    if given.seat is not None:
        state = state.observation(given.seat).determinize(seed=given.seed)
    layout = views.layout_for(given.width, given.touch, given.toggled)
    return {"position": json.dumps(state.to_dict()), **views.position(state, views.EVERYTHING, layout).model_dump()}


def _words(listed: Any, width: int, shape: tuple[int, ...], where: str) -> list[Any]:
    """Sets are edited as lists of their members."""
    if not isinstance(listed, list) or (len(shape) > 1 and len(listed) != shape[0]):
        raise BadPosition(f"{where} should be a list{f' of {shape[0]} lists' if len(shape) > 1 else ''}")
    if len(shape) > 1:
        return [_words(part, width, shape[1:], f"{where}[{place}]") for place, part in enumerate(listed)]
    words = [0] * shape[0]
    for member in listed:
        if type(member) is not int or not 0 <= member < shape[0] * width:
            raise BadPosition(f"{where} has members from 0 to {shape[0] * width - 1}, not {member!r}")
        words[member // width] |= 1 << member % width
    return words


def _parsed(text: str, name: str) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        raise BadPosition(f"{name} is not JSON: {error}") from None
