"""Positions as scripts get them: the fields of the record by name, in numbers that every language holds.

JavaScript and others keep integers exactly up to 2^53. Sets that a game packs into larger words travel as lists of
their members (the game says which fields are sets, `Contract.sets`), and no other field holds numbers that large.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.kernel import Game
from boardwright.kernel.bits import members
from boardwright.kernel.records import PlainRecord, as_json


def position_as_json(game: Game, record: np.void | PlainRecord) -> dict[str, Any]:
    """The fields by name. The generator of a sample is blank, as that of the true position is."""
    fields: dict[str, Any] = as_json(record)
    for name, width in game.sets.items():
        fields[name] = _members(fields[name], width)
    if "rng" in fields:
        fields["rng"] = [0] * len(fields["rng"])
    return fields


def _members(words: list[Any], width: int) -> list[Any]:
    if isinstance(words[0], list):
        return [_members(part, width) for part in words]
    return [place + number * width for number, word in enumerate(words) for place in members(word)]


def position_from_json(game: Game, fields: dict[str, Any]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The memory of the position that the host has sent; the host is believed, which saves most of the time of
    `Game.from_dict`."""
    memory = np.zeros(game.state.itemsize, np.uint8)
    record = memory.view(game.state)[0]
    sets = {name: bit_words(fields[name], width, record[name].shape) for name, width in game.sets.items()}
    _fill(record, {**fields, **sets})
    return memory


def bit_words(listed: list[Any], width: int, shape: tuple[int, ...]) -> list[Any]:
    """Sets, given as lists of their members, as integers of so many bits each."""
    if len(shape) > 1:
        return [bit_words(part, width, shape[1:]) for part in listed]
    words = [0] * shape[0]
    for member in listed:
        words[member // width] |= 1 << member % width
    return words


def _fill(target: Any, values: dict[str, Any]) -> None:
    for name, value in values.items():
        field = target.dtype[name].base
        if field.names is None:
            target[name] = value
        elif isinstance(value, dict):
            _fill(target[name], value)
        else:
            for element, entry in zip(target[name], value, strict=True):
                _fill(element, entry)
