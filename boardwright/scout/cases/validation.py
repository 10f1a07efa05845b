"""Is a case base from a file what it should be? Checked once, when it is loaded, over all cases at a time.

Compiled code trusts records: it follows sizes, designs and sets of cards without looking. So a case that no game could
have given is refused here, with a line that names it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.store import BadCaseBase
from boardwright.games.race.bits import ALL
from boardwright.games.race.cards import DESIGN_COUNT, FIRST_CARD, KIND, NO_KIND
from boardwright.games.race.state import HIGHEST_GUESS, ROUND_ACTIONS, TABLEAU_ROOM
from boardwright.scout.cases.collection import CONFUSIONS, END, POLICY_NETWORK
from boardwright.scout.cases.features import CLASSES
from boardwright.scout.cases.representation import CASE, NO_DESIGN, PAIRS, Records
from boardwright.scout.problems.problem import PHASES, SEATS, TYPE_ACTION, TYPE_GAMBLE, TYPES

_CARRIES_NO_GOOD = KIND[FIRST_CARD] == NO_KIND
_ACTIONS = sum(1 << action for action in ROUND_ACTIONS)
_GUESSES = sum(1 << guess for guess in range(1, HIGHEST_GUESS + 1))
_CARDS_AND_POWERS = np.array([*ALL, (1 << len(PAIRS)) - 1], np.int64)
_PLACES = np.arange(TABLEAU_ROOM)
_MOST_CONFUSED = 1 << 31

Mask = NDArray[np.bool_]


def check_records(records: Records, ids: NDArray[np.int64], name: str) -> None:
    """Refuse records that cannot be cases. `name` is that of the file."""
    if records.dtype != CASE or records.shape != ids.shape:
        raise ValueError("a record for each id is expected")
    for what, wrong in _faults(records):
        if wrong.any():
            raise BadCaseBase(f"{name}: case {ids[wrong.argmax()]} is damaged: {what}; build the case base again")


def _faults(records: Records) -> Iterator[tuple[str, Mask]]:
    """What can be wrong, and with which records it is."""
    kinds, subject = records["type"], records["subject"]
    yield "its type is unknown", ~np.isin(kinds, (*TYPES, END))
    for side in ("me", "opponent"):
        yield from _side_faults(records[side])
    yield "both players have one seat", records["me"]["seat"] == records["opponent"]["seat"]
    yield "its subject is no card", (subject >= DESIGN_COUNT) & (subject != NO_DESIGN)
    yield "there are no such phases", records["phases"] >= 1 << len(PHASES)
    yield "there is no such phase", ~np.isin(records["phase"], (0, *PHASES))
    yield "its bounds are the wrong way round", records["minimum"] > records["maximum"]
    yield "its hand has cards that do not exist", (records["hand"] & ~ALL != 0).any(1)
    yield from _option_faults(kinds, records["options"], records["choice"])


def _side_faults(side: Any) -> Iterator[tuple[str, Mask]]:
    size = side["size"]
    yield "a tableau is too large", size > TABLEAU_ROOM
    tableau, inside = side["tableau"], size[:, None] > _PLACES
    yield "a tableau has cards that do not exist", (inside & (tableau >= DESIGN_COUNT)).any(1)
    goods = (side["goods"][:, None] >> _PLACES & 1).astype(bool)
    barren = ~inside | _CARRIES_NO_GOOD[np.minimum(tableau, DESIGN_COUNT - 1)]
    yield "there are goods where none can be", (goods & barren).any(1) | (side["goods"] >> TABLEAU_ROOM != 0)
    yield "there is no such seat", side["seat"] >= max(SEATS)
    yield "there is no such action", ~np.isin(side["action"], (0, *ROUND_ACTIONS))


def _option_faults(kinds: Any, options: Any, choice: Any) -> Iterator[tuple[str, Mask]]:
    known = np.broadcast_to(_CARDS_AND_POWERS, options.shape).copy()
    actions = kinds == TYPE_ACTION
    known[actions] = (_ACTIONS, 0, 0)
    known[kinds == TYPE_GAMBLE] = (_GUESSES, 0, 0)
    yield "it has options that do not exist", (options & ~known != 0).any(1)
    yield "what was chosen was no option", (choice & ~options != 0).any(1)
    chosen = choice[:, 0]
    yield "one action should have been chosen", actions & ((chosen == 0) | (chosen & (chosen - 1) != 0))


def check_meta(meta: Any, name: str) -> dict[str, Any]:
    """What a case base says about itself, checked; policy_network.py checks its network."""
    try:
        if not isinstance(meta, dict):
            raise ValueError("it is no object")
        for key, value in meta.items():
            if key == CONFUSIONS:
                _check_confusions(value)
            elif key == POLICY_NETWORK:
                if not isinstance(value, dict):
                    raise ValueError("its policy network is no object")
            elif type(value) not in (str, int, float, bool):
                raise ValueError(f"{key[:50]!r} is neither a text nor a number")
    except ValueError as error:
        raise BadCaseBase(f"{name}: what it says about itself cannot be used: {error}; build it again") from None
    return meta


def _check_confusions(confusions: Any) -> None:
    if not isinstance(confusions, dict):
        raise ValueError("its confusions are no object")
    for rows in confusions.values():
        if not isinstance(rows, list) or len(rows) > CLASSES * CLASSES:
            raise ValueError("its confusions are no list of classes")
        for row in rows:
            if not isinstance(row, list) or [type(number) for number in row] != [int] * 3:
                raise ValueError("a confusion has three numbers")
            if not (0 <= row[0] < CLASSES and 0 <= row[1] < CLASSES and 0 <= row[2] < _MOST_CONFUSED):
                raise ValueError(f"there is no confusion {row}")
