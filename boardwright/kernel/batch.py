"""Batches: many games of one kind, played step by step together.

    batch = game.batch(1024, seed=7)
    batch.step(batch.random_actions())
    batch.observation, batch.legal_action_mask, batch.rewards, batch.terminated, batch.current_player

Everything is an array with one row per game, filled in place by compiled loops (batch_entries.py). A game that ends is
followed by a new one in the same step: its row shows the new game, while `rewards` and `terminated` tell of the old.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boardwright.errors import BadGame, BadSpec, IllegalAction
from boardwright.kernel import rng
from boardwright.kernel.batch_entries import FEATURES, NONE, NOTHING, RECORD, make_arrays, make_scratch
from boardwright.kernel.options import encode_options
from boardwright.kernel.position import State, check_seed
from boardwright.kernel.ready import make_ready

if TYPE_CHECKING:
    from boardwright.kernel.game import Game

Observed = Literal["features", "record", "nothing"]
_KINDS = {"features": FEATURES, "record": RECORD, "nothing": NOTHING}
_DEALS, _CHOICES = 3, 4  # keep the generators of a batch apart from each other, and from other uses of its seed
MOST_THREADS = 256


class Batch:
    """Games of one kind, one per row. Arrays are filled anew by every call; copy what you want to keep."""

    def __init__(
        self,
        game: Game,
        size: int,
        *,
        seed: int | None = None,
        seats: int | None = None,
        observe: Observed | None = None,
        policy: str = "random",
        threads: int = 1,
        options: dict[str, Any] | None = None,
    ) -> None:
        """`observe`: "features" (the default where the game has them), "record" (the observation's bytes), or
        "nothing". `policy` is what `random_actions`, `run` and `advance` choose by. Results do not depend on `threads`;
        more than one pays on idle cores only."""
        if size < 1:
            raise BadSpec(f"a batch has at least one game, not {size}")
        if not 1 <= threads <= MOST_THREADS:
            raise BadSpec(f"a batch runs on 1 to {MOST_THREADS} threads, not {threads}")
        has_features = game.learning.features is not None
        if observe is None:
            observe = "features" if has_features else "record"
        if observe not in _KINDS:
            raise BadSpec(f"a batch observes {', '.join(_KINDS)}, not {observe!r}")
        if observe == "features" and not has_features:
            raise BadSpec(f'{game.name} declares no features; observe="record" gives the bytes of observations')
        self.game = game
        self.size = size
        self.seats = game.check_seats(seats)
        make_ready(game.entries.code(f"batch {policy}"))
        self._loops = game.entries.batch(policy)
        self._kind = _KINDS[observe]
        codes = encode_options(game.name, game.options, options or {}, self.seats)
        self._arrays = make_arrays(game, size, self._kind, codes)
        self._actions = np.zeros(size, np.int64)
        self._bounds = [(size * t // threads, size * (t + 1) // threads) for t in range(threads)]
        self._scratch = [make_scratch(game) for _ in self._bounds]
        self._threads = ThreadPoolExecutor(threads) if threads > 1 else None

        self.legal_action_mask: NDArray[np.bool_] = _to_look_at(self._arrays.mask)
        """Which actions are legal: (size, num_actions)."""
        self.current_player: NDArray[np.int64] = _to_look_at(self._arrays.current_player)
        """The seat to move in each game."""
        self.rewards: NDArray[np.float64] = _to_look_at(self._arrays.rewards[:, : self.seats])
        """What each seat got in this step, (size, seats): the returns of a game that ended, otherwise zeros."""
        self.terminated: NDArray[np.bool_] = _to_look_at(self._arrays.terminated)
        """Whether a game ended in this step."""
        self.games: NDArray[np.int64] = _to_look_at(self._arrays.games)
        """How many games have ended in each row."""
        self.return_sums: NDArray[np.float64] = _to_look_at(self._arrays.return_sums[:, : self.seats])
        """The sum of what the ended games returned."""
        self.seeds: NDArray[np.uint64] = _to_look_at(self._arrays.seeds)
        """The seed of the game in each row: `game.new(seed=seed)` deals it again."""
        self.states: NDArray[np.uint8] = _to_look_at(self._arrays.states)
        """The bytes of each position, with nothing hidden."""
        self.observation: NDArray[Any] = self._observation()
        """What the seat to move knows, one row per game."""
        self.reset(seed)

    def _observation(self) -> NDArray[Any]:
        if self._kind == FEATURES:
            shape = self.game.learning.feature_shape or (len(self.game.learning.feature_names),)
            return _to_look_at(self._arrays.features.reshape(self.size, *shape))
        return _to_look_at(self._arrays.records)

    def __len__(self) -> int:
        return self.size

    def reset(self, seed: int | None = None) -> None:
        """Fresh games in all rows. The same seed gives the same games, in the same order in each row."""
        seed = secrets.randbits(63) if seed is None else check_seed(seed)
        for states, stream in ((self._arrays.seed_rng, _DEALS), (self._arrays.action_rng, _CHOICES)):
            states[:] = np.random.PCG64(rng.derive(seed, stream)).random_raw(states.size).reshape(states.shape)
        self._all("reset")

    def step(self, actions: ArrayLike) -> Batch:
        """Play one action in each game. IllegalAction, and nothing is played, if one of them is not legal."""
        given = np.asarray(actions)
        if given.shape != (self.size,):
            raise BadSpec(f"a batch of {self.size} takes an array of {self.size} actions, not one of {given.shape}")
        if given.dtype.kind not in "iu":
            raise BadSpec(f"actions are whole numbers, not {given.dtype}")
        given = np.array(given, np.int64)
        wrong = self._loops["find_illegal"](self._arrays, given)
        if wrong != NONE:
            raise IllegalAction(f"row {wrong}: {self.state(wrong).describe_illegal(int(given[wrong]))}")
        self._all("step", given)
        return self

    def random_actions(self) -> NDArray[np.int64]:
        """A legal action for each game, by the batch's policy: "random", unless it was made with another."""
        self._on_threads(
            lambda room, first, last: self._loops["sample"](self._arrays, room, first, last, self._actions)
        )
        return self._actions

    def run(self, steps: int) -> Batch:
        """As `step(random_actions())` so many times, in one compiled loop that shows only where it ends. `games` and
        `return_sums` count what was played."""
        if steps < 0:
            raise BadSpec(f"a batch runs 0 steps or more, not {steps}")
        self._all("run", steps)
        return self

    def advance(self, learner: ArrayLike) -> Batch:
        """Play by the batch's policy until it is the turn of the seat `learner` (one for all rows, or one for each).
        What games return that end meanwhile is added to `rewards`, and `terminated` is set."""
        seats = np.array(np.broadcast_to(np.asarray(learner, np.int64), self.size))
        if ((seats < 0) | (seats >= self.seats)).any():
            raise BadSpec(f"there is no such seat; seats are 0 to {self.seats - 1}")
        self._all("advance", seats)
        return self

    def state(self, row: int) -> State:
        """The position in a row, as a copy."""
        return State(self.game, self._arrays.states[row].copy())

    def _all(self, loop: str, *more: Any) -> None:
        entry = self._loops[loop]
        results = self._on_threads(
            lambda room, first, last: entry(self._arrays, room, self.seats, self._kind, first, last, *more)
        )
        for row in results:
            if row != NONE:
                raise BadGame(f"{self.game.name}: over before the first move (seed {self.seeds[row]})")

    def _on_threads(self, work: Callable[[Any, int, int], Any]) -> list[Any]:
        if self._threads is None:
            return [work(self._scratch[0], 0, self.size)]
        running = [
            self._threads.submit(work, room, first, last)
            for room, (first, last) in zip(self._scratch, self._bounds, strict=True)
        ]
        return [future.result() for future in running]

    def __repr__(self) -> str:
        return f"<batch of {self.size} games of {self.game.name}, {self.seats} seats>"


def _to_look_at(array: NDArray[Any]) -> NDArray[Any]:
    """The same memory, not to be written to: the mask says what may be played."""
    view = array.view()
    view.flags.writeable = False
    return view
