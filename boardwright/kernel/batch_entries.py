"""The compiled loops of batches: many positions of one game, each in a row of its own.

batch.py is their face in Python. The rules are compiled into these loops, as they are into playouts (entries.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from boardwright.kernel import rng
from boardwright.kernel.contract import MAX_SEATS, TERMINAL, Contract, Rule
from boardwright.kernel.declare import rule, typeof, types
from boardwright.kernel.features import SparseFeatures
from boardwright.kernel.pointers import borrowed, copy_into

NOTHING, RECORD, FEATURES = range(3)
"""What is observed: nothing, the observation's record as bytes, or features."""

NONE = -1
"""What a loop returns that found nothing wrong; otherwise the row in which something is."""

_U = np.uint64


class Arrays(NamedTuple):
    """A batch of n positions, one per row."""

    states: Any
    """The bytes of each position."""
    seeds: Any
    """The seed of the game that each position is from."""
    seed_rng: Any
    """A generator per row, from which come the seeds of its games."""
    action_rng: Any
    """A generator per row for the actions that the policy chooses."""
    options: Any
    """Codes of the game's options."""
    current_player: Any
    legal: Any
    """The legal actions as a list."""
    legal_count: Any
    """How many legal actions there are."""
    mask: Any
    """The legal actions as a mask."""
    rewards: Any
    terminated: Any
    games: Any
    """How many games have ended in each row."""
    return_sums: Any
    """The sum of what the ended games returned to each seat."""
    records: Any
    """Observations as bytes, if RECORD."""
    features: Any
    """Observations as dense features, if FEATURES."""
    feature_index: Any
    """Where the dense features are not zero."""
    feature_count: Any
    """In how many places the dense features are not zero."""


class Scratch(NamedTuple):
    """Room that one thread works in."""

    feature_value: Any
    feature_parts: Any
    known_parts: Any
    observation: Any
    returns: Any


def make_arrays(game: Contract, n: int, observe: int, options: Any) -> Arrays:
    """Room for n positions. What is not observed takes no room."""
    features = len(game.learning.feature_names)
    capacity = SparseFeatures.with_capacity(features).index.size
    recorded, featured = (n if observe == RECORD else 0), (n if observe == FEATURES else 0)
    sizes = game.state.itemsize, game.max_legal, game.num_actions, features, capacity
    return _room_for(n, recorded, featured, *sizes, options)


def _room_for(
    n: int,
    recorded: int,
    featured: int,
    size: int,
    legal: int,
    actions: int,
    features: int,
    capacity: int,
    options: Any,
) -> Arrays:
    return Arrays(
        states=np.zeros((n, size), np.uint8),
        seeds=np.zeros(n, np.uint64),
        seed_rng=np.zeros((n, 4), np.uint64),
        action_rng=np.zeros((n, 4), np.uint64),
        options=options,
        current_player=np.zeros(n, np.int64),
        legal=np.zeros((n, legal), np.int64),
        legal_count=np.zeros(n, np.int64),
        mask=np.zeros((n, actions), np.bool_),
        rewards=np.zeros((n, MAX_SEATS)),
        terminated=np.zeros(n, np.bool_),
        games=np.zeros(n, np.int64),
        return_sums=np.zeros((n, MAX_SEATS)),
        records=np.zeros((recorded, size), np.uint8),
        features=np.zeros((featured, features), np.float32),
        feature_index=np.zeros((featured, capacity), np.int64),
        feature_count=np.zeros((featured, 1), np.int64),
    )


def make_scratch(game: Contract) -> Scratch:
    sparse = SparseFeatures.with_capacity(len(game.learning.feature_names))
    return Scratch(
        sparse.value, sparse.parts, sparse.known, np.zeros(game.state.itemsize, np.uint8), np.zeros(MAX_SEATS)
    )


@rule
def _no_features(s: Any, seat: int, sparse: SparseFeatures) -> None:
    pass


@rule
def clear_rewards(b: Arrays, i: int) -> None:
    if b.terminated[i]:
        b.terminated[i] = False
        for seat in range(MAX_SEATS):
            b.rewards[i, seat] = 0.0


@rule
def clear_mask(b: Arrays, i: int) -> None:
    """Only where something is set: a mask of thousands of actions has a few legal ones."""
    for k in range(b.legal_count[i]):
        b.mask[i, b.legal[i, k]] = False


def find_illegal(arrays: Arrays, actions: Any) -> int:
    """The first row whose action is not legal."""
    b = borrowed(arrays)
    for i in range(actions.size):
        if not 0 <= actions[i] < b.mask.shape[1] or not b.mask[i, actions[i]]:
            return i
    return NONE


def batch_functions(
    game: Contract, open_: Rule, observe: Rule, policy: Rule, needs_observation: bool
) -> dict[str, tuple[Callable[..., Any], Any]]:
    """The loops, with their signatures. `policy` chooses where the caller does not; `needs_observation` if it looks at
    more than the legal actions."""
    int_, actions = types.int64, types.int64[::1]
    begin, play = _playing(game, open_)
    show = _showing(game, open_, observe)
    choose = _choosing(game, open_, observe, policy, needs_observation)
    reset, step = _loops_of_callers(begin, play, show)
    sample, run, advance = _loops_of_the_policy(play, show, choose, _listing(game.rules.legal, open_))
    shared = (_ARRAYS, _SCRATCH, int_, int_, int_, int_)
    return {
        "reset": (reset, int_(*shared)),
        "find_illegal": (find_illegal, int_(_ARRAYS, actions)),
        "step": (step, int_(*shared, actions)),
        "sample": (sample, types.void(_ARRAYS, _SCRATCH, int_, int_, actions)),
        "run": (run, int_(*shared, int_)),
        "advance": (advance, int_(*shared, actions)),
    }


def _loops_of_callers(begin: Rule, play: Rule, show: Rule) -> tuple[Callable[..., Any], ...]:
    """Whoever calls them says what is played."""

    def reset(arrays: Arrays, scratch: Scratch, seats: int, kind: int, first: int, last: int) -> int:
        """Fresh games in all rows."""
        b, room = borrowed(arrays), borrowed(scratch)
        for i in range(first, last):
            clear_rewards(b, i)
            clear_mask(b, i)
            b.games[i] = 0
            for seat in range(MAX_SEATS):
                b.return_sums[i, seat] = 0.0
            seat = begin(b, i, seats)
            if seat == TERMINAL:
                return i
            show(b, i, seat, kind, room)
        return NONE

    def step(arrays: Arrays, scratch: Scratch, seats: int, kind: int, first: int, last: int, actions: Any) -> int:
        """Play one legal action in each row; a game that ends is followed by the next."""
        b, room = borrowed(arrays), borrowed(scratch)
        for i in range(first, last):
            clear_mask(b, i)
            seat = play(b, i, seats, actions[i], room, True)
            if seat == TERMINAL:
                return i
            show(b, i, seat, kind, room)
        return NONE

    return reset, step


def _loops_of_the_policy(play: Rule, show: Rule, choose: Rule, list_legal: Rule) -> tuple[Callable[..., Any], ...]:
    def sample(arrays: Arrays, scratch: Scratch, first: int, last: int, actions: Any) -> None:
        """An action by the policy for each row."""
        b, room = borrowed(arrays), borrowed(scratch)
        for i in range(first, last):
            actions[i] = choose(b, i, room)

    def run(arrays: Arrays, scratch: Scratch, seats: int, kind: int, first: int, last: int, steps: int) -> int:
        """As `steps` times `sample` and `step`, row by row, and nothing is shown but the last position."""
        b, room = borrowed(arrays), borrowed(scratch)
        for i in range(first, last):
            clear_mask(b, i)
            seat = b.current_player[i]
            for _ in range(steps):
                list_legal(b, i)
                seat = play(b, i, seats, choose(b, i, room), room, True)
                if seat == TERMINAL:
                    return i
            show(b, i, seat, kind, room)
        return NONE

    def advance(arrays: Arrays, scratch: Scratch, seats: int, kind: int, first: int, last: int, learner: Any) -> int:
        """Play by the policy until it is the learner's turn in each row. What games return that end meanwhile is added
        to the rewards of the learner's own step."""
        b, room = borrowed(arrays), borrowed(scratch)
        for i in range(first, last):
            seat = b.current_player[i]
            if seat == learner[i]:
                continue
            clear_mask(b, i)
            while seat != learner[i]:
                list_legal(b, i)
                seat = play(b, i, seats, choose(b, i, room), room, False)
                if seat == TERMINAL:
                    return i
            show(b, i, seat, kind, room)
        return NONE

    return sample, run, advance


def _playing(game: Contract, open_: Rule) -> tuple[Rule, Rule]:
    setup, player, apply, returns = game.rules.setup, game.rules.player, game.rules.apply, game.rules.returns

    @rule
    def begin(b: Arrays, i: int, seats: int) -> int:
        """A fresh game; its first player."""
        seed = _U(rng.next64(b.seed_rng[i])) >> _U(1)
        b.seeds[i] = seed
        state = b.states[i]
        for k in range(state.size):
            state[k] = 0
        setup(open_(state), seed, seats, b.options)
        return player(open_(state))

    @rule
    def count_ended(b: Arrays, i: int, room: Scratch) -> None:
        for seat in range(MAX_SEATS):
            room.returns[seat] = 0.0
        returns(open_(b.states[i]), room.returns)
        for seat in range(MAX_SEATS):
            b.rewards[i, seat] += room.returns[seat]
            b.return_sums[i, seat] += room.returns[seat]
        b.games[i] += 1
        b.terminated[i] = True

    @rule
    def play(b: Arrays, i: int, seats: int, action: int, room: Scratch, clear: bool) -> int:
        """The seat to move then. A game that ends is followed by the next. `clear`: the rewards of a game that had
        ended before are no longer shown."""
        s = open_(b.states[i])
        apply(s, action)
        seat = player(s)
        if clear:
            clear_rewards(b, i)
        if seat == TERMINAL:
            count_ended(b, i, room)
            seat = begin(b, i, seats)
        return seat

    return begin, play


def _listing(legal: Rule, open_: Rule) -> Rule:
    @rule
    def list_legal(b: Arrays, i: int) -> None:
        b.legal_count[i] = legal(open_(b.states[i]), b.legal[i])

    return list_legal


def _showing(game: Contract, open_: Rule, observe: Rule) -> Rule:
    features, list_legal = game.learning.features or _no_features, _listing(game.rules.legal, open_)

    @rule
    def show(b: Arrays, i: int, seat: int, kind: int, room: Scratch) -> None:
        """Fill what is seen; the mask is clear."""
        b.current_player[i] = seat
        list_legal(b, i)
        for k in range(b.legal_count[i]):
            b.mask[i, b.legal[i, k]] = True
        if kind == RECORD:
            copy_into(b.records[i], b.states[i], b.states.shape[1])
            observe(b.records[i], seat)
        elif kind == FEATURES:
            index, count, dense = b.feature_index[i], b.feature_count[i], b.features[i]
            for k in range(count[0]):
                dense[index[k]] = 0.0
            count[0] = 0
            value = room.feature_value
            sparse = SparseFeatures(index, value, count, room.feature_parts, room.known_parts)
            features(open_(b.states[i]), seat, sparse)
            for k in range(count[0]):
                dense[index[k]] += value[k]

    return show


def _choosing(game: Contract, open_: Rule, observe: Rule, policy: Rule, needs_observation: bool) -> Rule:
    player = game.rules.player

    @rule
    def by_observation(b: Arrays, i: int, room: Scratch) -> int:
        copy_into(room.observation, b.states[i], b.states.shape[1])
        observe(room.observation, player(open_(b.states[i])))
        return policy(open_(room.observation), b.legal[i], b.legal_count[i], b.action_rng[i])

    @rule
    def by_legal_actions(b: Arrays, i: int, room: Scratch) -> int:
        return policy(open_(b.states[i]), b.legal[i], b.legal_count[i], b.action_rng[i])

    return by_observation if needs_observation else by_legal_actions


_ARRAYS = typeof(_room_for(1, 1, 1, 1, 1, 1, 1, 1, np.zeros(1, np.int64)))
_NUMBERS = np.zeros(1, np.int64)
_SCRATCH = typeof(Scratch(np.zeros(1, np.float32), _NUMBERS, _NUMBERS, np.zeros(1, np.uint8), np.zeros(1)))
