"""A position edited field by field: the fields of a state's record as a form, and back, checked by field. Cards have
their names there (`PositionForm.names`); numbers are understood too."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from boardwright.errors import BadPosition, UnknownName
from boardwright.files import parse_json
from boardwright.kernel import Game, rng
from boardwright.kernel.contract import Counted, Numbered
from boardwright.positions import deal, position_in
from boardwright.registry import position_form
from boardwright.schemas import schema
from boardwright.scripts.positions import bit_words, position_as_json
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
    values = position_as_json(game, state.record)
    names = _names(game, values)
    return {
        "seats": state.seats,
        "fields": [
            {"name": name, "text": _text(_named(value, names.get(name))), **_allowed(declared[name], names.get(name))}
            for name, value in values.items()
            if name != GENERATOR
        ],
    }


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _names(game: Game, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the numbers of fields are called (`PositionForm.names`)."""
    form = position_form(game)
    if form is None or form.names is None:
        return {}
    try:
        return form.names(values)
    except (LookupError, TypeError, ValueError, AttributeError):  # of numbers that cannot be
        return {}


def _named(value: Any, names: Any) -> Any:
    """Names instead of numbers; instead of a count for each place, those that are not 0 by name."""
    match value, names:
        case list(), Counted() if value and not isinstance(value[0], list):
            return {name: count for name, count in zip(names, value, strict=True) if count}
        case list(), list():
            return [_named(part, inner) for part, inner in zip(value, names, strict=True)]
        case list(), _:
            return [_named(part, names) for part in value]
        case dict(), Mapping():
            return {name: _named(part, names.get(name)) for name, part in value.items()}
        case int(), Numbered() if 0 <= value < len(names):
            return names[value]
    return value


def _numbers(value: Any, names: Any, where: str) -> Any:
    """The way back: numbers for all names."""
    match value, names:
        case dict(), Counted():
            counts = [0] * len(names)
            for name, count in value.items():
                counts[_place(name, names, where)] = count
            return counts
        case dict(), Mapping():
            return {name: _numbers(part, names.get(name), f"{where}.{name}") for name, part in value.items()}
        case list(), _:
            inner = names if isinstance(names, list) and len(names) == len(value) else [names] * len(value)
            pairs = enumerate(zip(value, inner, strict=True))
            return [_numbers(part, name, f"{where}[{place}]") for place, (part, name) in pairs]
        case str(), Numbered():
            return _place(value, names, where)
    return value


def _place(name: str, names: Sequence[str], where: str) -> int:
    plain = [known.casefold() for known in names]
    if name.casefold() not in plain:
        raise BadPosition(f"{where}: {UnknownName('name', name, names)}")
    return plain.index(name.casefold())


def _is_counted(names: Any) -> bool:
    return isinstance(names, Counted) or (isinstance(names, list) and any(map(_is_counted, names)))


def _allowed(declared: dict[str, Any], names: Any) -> dict[str, Any]:
    """A field's kind, and in words what may stand in it."""
    shape = []
    while declared["type"] == "array":
        if "uniqueItems" in declared:
            shape.append("any number")
        else:
            shape.append(str(declared["maxItems"]))
        declared = declared["items"]
    kind = declared["type"]
    one = {"integer": "a whole number", "number": "a number", "boolean": "true or false", "object": "an object"}[kind]
    if kind == "integer":
        one = "a name or a number" if names else one
        one += f" from {declared['minimum']} to {declared['maximum']}"
    if _is_counted(names):
        one = "how many there are of each, by name"
        shape.pop()
    if not shape:
        kind = "name" if names else kind
        return {"kind": kind, "meaning": one, "low": declared.get("minimum"), "high": declared.get("maximum")}
    return {"kind": "list", "meaning": f"{' × '.join(shape)}, each {one}", "low": None, "high": None}


def edited(given: PositionEdited) -> dict[str, Any]:
    """The position that the fields make: as text for --from and for study, and as a picture. With `seat`, what that
    seat cannot know is drawn anew."""
    game = registered_game(given.game)
    values = {name: _parsed(text, name) for name, text in given.fields.items()}
    for name, called in _names(game, values).items():
        if name in values:
            values[name] = _numbers(values[name], called, name)
    for name, width in game.sets.items():
        if name in values:
            _check_set(values[name], width, game.state[name].shape, name)
            values[name] = bit_words(values[name], width, game.state[name].shape)
    if GENERATOR in (game.state.names or ()):
        values[GENERATOR] = [int(word) for word in rng.generator(given.seed)]
    state = deal(game, {"game": game.name, "fields": values}, given.seed)
    if given.seat is not None:
        state = state.observation(given.seat).determinize(seed=given.seed)
    layout = views.layout_for(given.width, given.touch, given.toggled)
    return {"position": json.dumps(state.to_dict()), **views.position(state, views.EVERYTHING, layout).model_dump()}


def _check_set(listed: Any, width: int, shape: tuple[int, ...], where: str) -> None:
    """BadPosition unless sets are lists of members that there can be."""
    if not isinstance(listed, list) or (len(shape) > 1 and len(listed) != shape[0]):
        raise BadPosition(f"{where} should be a list{f' of {shape[0]} lists' if len(shape) > 1 else ''}")
    for place, part in enumerate(listed):
        if len(shape) > 1:
            _check_set(part, width, shape[1:], f"{where}[{place}]")
        elif type(part) is not int or not 0 <= part < shape[0] * width:
            raise BadPosition(f"{where} has members from 0 to {shape[0] * width - 1}, not {part!r}")


def _parsed(text: str, name: str) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        raise BadPosition(f"{name} is not JSON: {error}") from None
