"""JSON schemas of a game: its states and observations, the positions that scripts get, its actions and options.

They are made from the declaration, so that they cannot differ from what the program writes and reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from boardwright.kernel import Game, Option

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(game: Game) -> dict[str, Any]:
    """The schema of a state as `State.to_dict` writes it; under `$defs` those of its parts, and of what travels to
    scripts and language models."""
    return {
        "$schema": DIALECT,
        "$id": f"boardwright:{game.name}",
        "title": game.title,
        "description": "A state, or an observation, which is a state without what its seat may not know.",
        "type": "object",
        "properties": {"game": {"const": game.name}, "fields": {"$ref": "#/$defs/fields"}},
        "required": ["game", "fields"],
        "$defs": {
            "fields": _record(game.state),
            "position": _position(game),
            "action": {
                "description": "An action by its number; which are legal depends on the position.",
                "type": "integer",
                "minimum": 0,
                "maximum": game.num_actions - 1,
            },
            "seat": {"type": "integer", "minimum": 0, "maximum": max(game.seats) - 1},
            "seats": {"enum": list(game.seats)},
            "options": _options(game),
        },
    }


def decision(actions: Sequence[int]) -> dict[str, Any]:
    """The schema of an answer to a question with these legal actions, for language models that are held to one."""
    return {
        "type": "object",
        "properties": {"thoughts": {"type": "string"}, "action": {"type": "integer", "enum": list(actions)}},
        "required": ["thoughts", "action"],
        "additionalProperties": False,
    }


def _position(game: Game) -> dict[str, Any]:
    """As scripts get it: sets are lists of their members, and the generator is blank."""
    found = _record(game.state)
    found["description"] = "A position as scripts get it: sets as lists of their members, and no generator."
    for name, width in game.sets.items():
        *outer, words = game.state[name].shape
        member = {"type": "integer", "minimum": 0, "maximum": words * width - 1}
        found["properties"][name] = _nested({"type": "array", "items": member, "uniqueItems": True}, tuple(outer))
    if "rng" in found["properties"]:
        found["properties"]["rng"] = _nested({"const": 0}, game.state["rng"].shape)
    return found


def _record(kind: np.dtype[Any]) -> dict[str, Any]:
    names = list(kind.names or ())
    return {
        "type": "object",
        "properties": {name: _field(kind[name]) for name in names},
        "required": names,
        "additionalProperties": False,
    }


def _field(kind: np.dtype[Any]) -> dict[str, Any]:
    return _nested(_record(kind.base) if kind.base.names else _scalar(kind.base), kind.shape)


def _scalar(kind: np.dtype[Any]) -> dict[str, Any]:
    if kind.kind == "b":
        return {"type": "boolean"}
    if kind.kind == "f":
        return {"type": "number"}
    limits = np.iinfo(kind)
    return {"type": "integer", "minimum": int(limits.min), "maximum": int(limits.max)}


def _nested(inner: dict[str, Any], shape: tuple[int, ...]) -> dict[str, Any]:
    for length in reversed(shape):
        inner = {"type": "array", "items": inner, "minItems": length, "maxItems": length}
    return inner


def _options(game: Game) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            name: {"description": option.meaning, **_allowed(option)} for name, option in game.options.items()
        },
        "additionalProperties": False,
    }


def _allowed(option: Option) -> dict[str, Any]:
    if option.choices:
        return {"enum": list(option.choices), "default": option.default}
    if isinstance(option.default, bool):
        return {"type": "boolean", "default": option.default}
    return {"type": "integer", "minimum": option.low, "maximum": option.high, "default": option.default}
