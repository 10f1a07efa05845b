"""Heat maps: what a card is worth by its square, for the heuristics h6 to h11 (evaluation.py); read from a file."""

from __future__ import annotations

from importlib.resources import files

import numpy as np

from boardwright.games.lords.board import COLUMNS, ROWS, SQUARES

DEFAULT_MAPS = {"a": "front", "b": "back", "c": "left", "d": "right", "e": "centre", "f": "edge"}
"""What the maps m_a to m_f of the thesis stand for, as far as its text tells."""


def _maps() -> dict[str, list[int]]:
    text = files(__package__).joinpath("heat_maps.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    found = {}
    for block in "\n".join(lines).strip().split("\n\n"):
        name, *rows = block.splitlines()
        found[name] = [int(value) for row in rows for value in row.split()]
        assert len(found[name]) == SQUARES, f"heat map {name} has {len(found[name])} squares"
    return found


_MAPS = _maps()
MAP_NAMES = tuple(_MAPS)
_FOR_FIRST = np.array([*_MAPS.values()], np.int64)
_FOR_SECOND = _FOR_FIRST.reshape(-1, ROWS, COLUMNS)[:, ::-1].reshape(-1, SQUARES)
HEAT = np.ascontiguousarray(np.stack([_FOR_FIRST, _FOR_SECOND]))
"""By seat, map and square. As in the thesis the second seat's maps are reflected top to bottom, not turned."""
