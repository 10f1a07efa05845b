"""The rules as a service: a script samples positions, plays on in them and gets returns, without rules of its own.

Positions are rows of one array, and a handle is a row's number. They are made from what the script's seat may know, so
nothing in them depends on the true state. All requests work on many positions at once, in compiled code.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from boardwright.kernel import MAX_SEATS, Code, Game, Observation, rng
from boardwright.kernel import rows as row_rules
from boardwright.kernel.entries import SearchParts
from boardwright.scripts import messages
from boardwright.scripts.positions import position_as_json

MOST_BYTES = 256 << 20
"""For all positions that a script holds."""
MOST_POSITIONS = 10_000
"""That one request gets as named fields."""
_PART = 1000  # positions between two looks at the clock
_MOST_ACTIONS = 1 << 20  # of legal actions listed with one call

Numbers = Any


class RequestFailed(Exception):
    """A request that cannot be answered; the script gets the reason."""


def code(game: Game) -> list[Code]:
    """What answers need compiled."""
    return [*game.entries.search_code(SearchParts("random")), row_rules.code]


class RulesService:
    """The positions that a script holds during one game, and what it can do with them."""

    def __init__(self, game: Game, seats: int, seed: int) -> None:
        self.game = game
        self._seats = seats
        self._seed = seed
        self._asked = 0
        self._deadline = math.inf
        self._known: Observation | None = None
        self._size = game.state.itemsize
        self._most = MOST_BYTES // self._size
        self._states = np.zeros((64, self._size), np.uint8)
        self._used = np.zeros(64, np.bool_)
        self._top = 0
        self._gaps: list[int] = []
        self._room = np.empty(game.max_legal, np.int64)

    def begin(self, observation: Observation) -> None:
        """A decision: what is sampled from now on is sampled from this. Handles from before are not valid any more."""
        self._known = observation
        self._used[: self._top] = False
        self._gaps.clear()
        self._top = 0

    def answer(self, ask: messages.Ask, deadline: float = math.inf) -> dict[str, Any]:
        """The `answers` to an `ask`. TimeoutError if they are not ready by a time of `time.monotonic`: nobody gets more
        work out of the host than the clock allows."""
        self._deadline = deadline
        answers = []
        for request in ask.requests:
            self._in_time()
            try:
                answers.append(_ANSWERS[request.op](self, request))
            except RequestFailed as error:
                answers.append({"error": str(error)})
        return {"type": "answers", "answers": answers}

    def _in_time(self) -> None:
        if time.monotonic() > self._deadline:
            raise TimeoutError

    def _parts(self, rows: Numbers, size: int = _PART) -> Iterator[slice]:
        """Rows in parts that take a moment each."""
        for first in range(0, len(rows), size):
            self._in_time()
            yield slice(first, first + size)

    @property
    def _rules(self) -> Any:
        return self.game.entries.search_rules(SearchParts("random"))

    def _sample(self, request: messages.Sample) -> dict[str, Any]:
        assert self._known is not None
        rows = self._new(request.count)
        seed = self._own_seed(request.seed, rng.Stream.SCRIPT_SAMPLES)
        known, determinize = self._known, self.game.entries.determinize
        for part in self._parts(rows):
            for number, row in enumerate(rows[part], part.start):
                self._states[row] = known.memory
                determinize(self._states[row], known.seat, np.uint64(rng.derive(seed, number)))
        return {"handles": rows}

    def _copy(self, request: messages.Copy) -> dict[str, Any]:
        old = self._rows(request.handles)
        rows = self._new(len(old))
        self._states[rows] = self._states[old]
        return {"handles": rows}

    def _legal(self, request: messages.Legal) -> dict[str, Any]:
        rows = self._rows(request.handles)
        players, counts = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
        found: list[list[int]] = []
        step = max(1, _MOST_ACTIONS // self.game.max_legal)
        actions = np.empty(min(len(rows), step) * self.game.max_legal, np.int64)
        for part in self._parts(rows, step):
            row_rules.kernel("legal")(self._rules, self._states, rows[part], players[part], counts[part], actions)
            flat, end = actions[: counts[part].sum()].tolist(), 0
            for count in counts[part].tolist():
                found.append(flat[end : end + count])
                end += count
        return {"players": players.tolist(), "legal": found}

    def _apply(self, request: messages.Apply) -> dict[str, Any]:
        rows = self._rows(request.handles)
        if len(rows) != len(request.actions):
            raise RequestFailed(f"{len(rows)} handles, but {len(request.actions)} actions")
        try:
            actions = np.array(request.actions, np.int64)
        except OverflowError:
            raise RequestFailed("an action is larger than any number of an action") from None
        players = np.empty(len(rows), np.int64)
        played = row_rules.kernel("apply")(self._rules, self._states, rows, actions, players, self._room)
        if played < len(rows):
            raise RequestFailed(
                f"action {actions[played]} is not legal in handle {rows[played]} (number {played} of this request);"
                f" {played} actions before it were played"
            )
        return {"players": players.tolist()}

    def _playout(self, request: messages.Playout) -> dict[str, Any]:
        rows = self._rows(request.handles)
        rng_state = rng.generator(self._own_seed(request.seed, rng.Stream.SCRIPT_PLAYOUTS))
        for part in self._parts(rows):
            row_rules.kernel("playout")(self._rules, self._states, rows[part], self._room, rng_state)
        return self._values(rows)

    def _returns(self, request: messages.Returns) -> dict[str, Any]:
        return self._values(self._rows(request.handles))

    def _values(self, rows: Numbers) -> dict[str, Any]:
        players, values = np.empty(len(rows), np.int64), np.zeros((len(rows), MAX_SEATS))
        row_rules.kernel("returns")(self._rules, self._states, rows, players, values)
        found: list[Any] = values[:, : self._seats].tolist()
        for i in np.flatnonzero(players >= 0).tolist():
            found[i] = None
        return {"returns": found}

    def _positions(self, request: messages.Positions) -> dict[str, Any]:
        rows = self._rows(request.handles)
        if len(rows) > MOST_POSITIONS:
            raise RequestFailed(
                f"one request can ask for at most {MOST_POSITIONS:,} positions in words, not {len(rows):,}"
            )
        return {"positions": [position_as_json(self.game, self._states[row].view(self.game.state)[0]) for row in rows]}

    def _free(self, request: messages.Free) -> dict[str, Any]:
        rows = np.unique(self._rows(request.handles))
        self._used[rows] = False
        self._gaps += rows.tolist()
        return {"handles": []}

    def _own_seed(self, given: int | None, kind: int) -> int:
        if given is not None:
            return rng.derive(given, kind)
        self._asked += 1
        return rng.derive(self._seed, kind, self._asked)

    def _rows(self, handles: Sequence[int]) -> Numbers:
        """Handles as rows, if all are valid."""
        try:
            rows = np.array(handles, np.int64)
        except OverflowError:
            raise RequestFailed("a handle is larger than any handle is") from None
        wrong = rows >= self._top
        if not wrong.any():
            wrong = ~self._used[rows]
        if wrong.any():
            raise RequestFailed(f"there is no handle {rows[wrong.argmax()]}; handles end with the decision")
        return rows

    def _new(self, count: int) -> list[int]:
        """Rows for new positions."""
        taken, self._gaps = self._gaps[:count], self._gaps[count:]
        top = self._top + count - len(taken)
        if top > self._most:
            self._gaps = taken + self._gaps
            raise RequestFailed(f"at most {self._most:,} positions can be held at once; free some")
        if top > len(self._states):
            size = min(self._most, max(top, 2 * len(self._states)))
            states, used = np.zeros((size, self._size), np.uint8), np.zeros(size, np.bool_)
            states[: self._top], used[: self._top] = self._states[: self._top], self._used[: self._top]
            self._states, self._used = states, used
        rows = taken + list(range(self._top, top))
        self._top = top
        self._used[rows] = True
        return rows


_ANSWERS: dict[str, Callable[[RulesService, Any], dict[str, Any]]] = {
    "sample": RulesService._sample,
    "copy": RulesService._copy,
    "legal": RulesService._legal,
    "apply": RulesService._apply,
    "playout": RulesService._playout,
    "returns": RulesService._returns,
    "positions": RulesService._positions,
    "free": RulesService._free,
}
