"""Automatic features: an observation's record as sparse numbers, for games that declare no `features`.

Every number of the record is encoded by the range in which it lies. Ranges are found in games at random, from what
seats may know, and are stored with a network:

    constant                nothing
    few values              one-hot; 0 is what is not there, and adds nothing
    many values             scaled by the largest, and by bit
    very many, as bit sets  by bit

Arrays with an entry per seat are turned so that the observing seat comes first. A number that may name a seat is
encoded once as it is and once as seen from the observing seat. Which seat observes and which one is to move are
features too. Only observations are ever read, so nothing can leak. One compiled loop over a table (the plan) does this
for all games.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.errors import BadRecord, BadSpec
from boardwright.kernel import calls
from boardwright.kernel.bits import count_bits, lowest_bit
from boardwright.kernel.calls import LearningRules
from boardwright.kernel.declare import rule
from boardwright.kernel.features import FeatureLayout, add_feature
from boardwright.kernel.game import Game
from boardwright.kernel.pointers import copy_into

MOST_ONE_HOT = 32
"""Fields with at most so many values become one-hot, others if the game says so (`learning.embed`). Not varied."""
MOST_EMBEDDED = 1024
MOST_SCALED = 4096
"""Numbers from 0 to beyond this are taken for bit sets."""
MOST_FEATURES = 1 << 15
POSITIONS, GAMES = 10_000, 200
"""Ranges are found in so many positions, of at most so many games."""
NOT_A_FEATURE = ("rng",)
"""Fields that say nothing about a game."""

# The columns of a plan: one row per number of the record.
OFFSET, WIDTH, SIGNED, STRIDE, RELATIVE, ENCODING, FIRST, LOW, HIGH, MASK, NAMES_SEAT, FIRST_SEAT = range(12)
COLUMNS = 12
ONE_HOT, SCALED, BITS, FLOAT = range(4)
NO_SEAT = -1


class Range(NamedTuple):
    """What values a field has: from low to high; the bits of `mask` are not the same in all of them."""

    low: float
    high: float
    mask: int


class Leaf(NamedTuple):
    """A field of the record, or of a record inside it, that holds numbers."""

    path: str
    offset: int
    kind: Any
    places: tuple[tuple[tuple[int, ...], int], ...]
    """Where its numbers lie: the indices, without that of the seat, and the offset from `offset`."""
    stride: int
    """From one seat's numbers to the next one's; 0 if they do not belong to seats."""


class FeatureMap(NamedTuple):
    """What a network's features are: the game's own, or automatic ones with a plan."""

    names: tuple[str, ...]
    plan: NDArray[np.int64]

    @property
    def is_automatic(self) -> bool:
        return len(self.plan) > 0


NO_PLAN: NDArray[np.int64] = np.zeros((0, COLUMNS), np.int64)


def own_features(game: Game) -> FeatureMap:
    """The features that a game declares."""
    return FeatureMap(game.learning.feature_names, NO_PLAN)


def learning_rules(game: Game, features: FeatureMap) -> LearningRules:
    """The game with these features, as kernels with a network get it."""
    if features.is_automatic:
        return game.entries.automatic_learning_rules(features.plan)
    return game.entries.learning_rules


def leaves(game: Game) -> Iterator[Leaf]:
    """All fields with numbers, but those that a game leaves out."""
    left_out = {*NOT_A_FEATURE, *game.learning.leave_out}
    by_seat = game.learning.by_seat
    for name in game.state.names or ():
        kind, offset = game.state.fields[name][:2]  # type: ignore[index]
        if name in left_out:
            continue
        shape: tuple[int, ...] = kind.shape
        seats = max(game.seats)
        turned = bool(shape) and (name in by_seat if by_seat is not None else shape[0] == seats)
        if turned and shape[0] < seats:
            raise BadSpec(
                f"{game.name}: `learning.by_seat` names {name}, which has {shape[0]} entries for {seats} seats"
            )
        stride = kind.itemsize // shape[0] if turned else 0
        yield from _leaves(name, offset, kind.base, shape[1:] if turned else shape, stride)


def _leaves(path: str, offset: int, kind: Any, shape: Sequence[int], stride: int) -> Iterator[Leaf]:
    places = tuple(
        (index, number * kind.itemsize) for number, index in enumerate(itertools.product(*map(range, shape)))
    )
    if kind.names is None:
        yield Leaf(path, offset, kind, places, stride)
        return
    for name in kind.names:
        inner, at = kind.fields[name][:2]
        for leaf in _leaves(f"{path}.{name}", offset + at, inner.base, inner.shape, stride):
            combined = tuple(
                ((*outside, *inside), first + second) for outside, first in places for inside, second in leaf.places
            )
            yield leaf._replace(places=combined)


def find_ranges(game: Game, seats: int) -> dict[str, Range]:
    """The range of every field in observations of games at random, always the same ones."""
    random = np.random.default_rng(0)
    seen: list[Any] = []
    for number in range(GAMES):
        state = game.new(seed=number, seats=seats)
        while not state.is_terminal and len(seen) < POSITIONS:
            seen += [state.observation(seat).memory for seat in range(seats)]
            state.apply(int(random.choice(state.legal_actions())))
        if len(seen) >= POSITIONS:
            break
        seen += [state.observation(seat).memory for seat in range(seats)]
    rows = np.stack(seen)
    found = {}
    for leaf in leaves(game):
        starts = [leaf.offset + offset + seat * leaf.stride for _, offset in leaf.places for seat in range(seats)]
        starts = list(dict.fromkeys(starts))
        places = np.array(starts)[:, None] + np.arange(leaf.kind.itemsize)
        values = np.ascontiguousarray(rows[:, places]).view(leaf.kind)
        mask = 0
        if leaf.kind.kind in "iu":
            whole = values.astype(np.int64).ravel()
            mask = int(np.bitwise_or.reduce(whole) & ~np.bitwise_and.reduce(whole)) & (2**63 - 1)
        found[leaf.path] = Range(values.min().item(), values.max().item(), mask)
    return found


def automatic_features(game: Game, seats: int, ranges: Mapping[str, Range]) -> FeatureMap:
    """The plan for ranges that were found; BadRecord if they are not of this game's fields."""
    layout, rows = FeatureLayout(), []
    layout.block("observing seat", range(seats))
    layout.block("seat to move, from the observing one", range(seats))
    found = list(leaves(game))
    if {leaf.path for leaf in found} != set(ranges):
        raise BadRecord(f"the features of this network are not those of this version of {game.name}; train it again")
    for leaf in found:
        span = ranges[leaf.path]
        if span.low == span.high:
            continue
        for relative in range(seats if leaf.stride else 1):
            for index, offset in leaf.places:
                title = leaf.path + "".join(f"[{i}]" for i in index)
                title += f" of seat +{relative}" if leaf.stride else ""
                rows.append(_row(game, leaf, offset, relative, span, seats, title, layout))
    if len(layout.names) > MOST_FEATURES:
        raise BadSpec(
            f"{game.name} would have {len(layout.names):,} automatic features, more than {MOST_FEATURES:,}; name fields"
            " that say little in `learning.leave_out`, or declare `features`"
        )
    # A game whose record never changes still has the features that come first, and needs a plan to get them.
    return FeatureMap(layout.names, np.array(rows or [[0] * COLUMNS], np.int64).reshape(-1, COLUMNS))


def _row(
    game: Game, leaf: Leaf, offset: int, relative: int, span: Range, seats: int, title: str, layout: FeatureLayout
) -> list[int]:
    signed, width = int(leaf.kind.kind == "i"), leaf.kind.itemsize
    row = [leaf.offset + offset, width, signed, leaf.stride, relative, 0, 0, 0, 0, span.mask, NO_SEAT, 0]
    if leaf.kind.kind == "f":
        row[ENCODING], row[FIRST] = FLOAT, layout.block(title)
        row[HIGH] = max(1, int(np.ceil(max(abs(span.low), abs(span.high)))))
        return row
    low, high = int(span.low), int(span.high)
    values = high - low + 1
    name = leaf.path.split(".")[0]
    if values <= (MOST_EMBEDDED if name in game.learning.embed else MOST_ONE_HOT):
        low = min(low, 0) if 0 < low < MOST_ONE_HOT else low
        row[ENCODING], row[FIRST] = ONE_HOT, layout.block(title, range(low, high + 1))
    elif low >= 0 and high > MOST_SCALED:
        row[ENCODING], row[FIRST] = BITS, layout.block(f"{title}, bit", range(span.mask.bit_count()))
    else:
        row[ENCODING], row[FIRST] = SCALED, layout.block(title)
        if low >= 0:
            layout.block(f"{title}, bit", range(span.mask.bit_count()))
        else:
            row[MASK] = 0
    row[LOW], row[HIGH] = low, high
    if high in (seats - 1, seats) and low >= -1:  # it may name a seat, from 0 or from 1 on
        row[NAMES_SEAT] = high - (seats - 1)
        row[FIRST_SEAT] = layout.block(f"{title}, from the observing seat", range(seats))
    return row


@rule
def number_at(state: Any, at: int, width: int, signed: int) -> int:
    """The number in so many bytes, the lowest first. Of 64 bits, 63 are read."""
    value = 0
    for i in range(width):
        value |= (int(state[at + i]) & 255) << (8 * i) if 8 * i < 56 else (int(state[at + i]) & 127) << (8 * i)
    if signed and width < 8 and value >> (8 * width - 1):
        value -= 1 << (8 * width)
    return value


@rule
def float_at(state: Any, at: int, width: int) -> float:
    """IEEE 754 numbers of 4 or 8 bytes, put together from sign, exponent and fraction."""
    bits = number_at(state, at, width, 0)
    fraction_bits, bias, top = (23, 127, 255) if width == 4 else (52, 1023, 2047)
    exponent, fraction = (bits >> fraction_bits) & top, bits & ((1 << fraction_bits) - 1)
    if exponent == 0 or exponent == top:
        return 0.0
    negative = state[at + width - 1] >> 7
    size = (1.0 + fraction / (1 << fraction_bits)) * 2.0 ** (exponent - bias)
    return -size if negative else size


@rule
def add_bits(sparse: Any, first: int, value: int, mask: int) -> None:
    """One feature for each bit of the mask."""
    left = value & mask
    while left:
        bit = lowest_bit(left)
        add_feature(sparse, first + count_bits(mask & ((1 << bit) - 1)), 1.0)
        left &= left - 1


@rule
def encode(plan: Any, observation: Any, seat: int, seats: int, mover: int, sparse: Any) -> None:
    """The features of an observation by a plan."""
    sparse.count[0] = 0
    add_feature(sparse, seat, 1.0)
    if mover >= 0:
        add_feature(sparse, seats + (mover - seat) % seats, 1.0)
    for i in range(plan.shape[0]):
        width = plan[i, WIDTH]
        if width == 0:
            continue
        at = plan[i, OFFSET]
        if plan[i, STRIDE]:
            at += (seat + plan[i, RELATIVE]) % seats * plan[i, STRIDE]
        first, low, high = plan[i, FIRST], plan[i, LOW], plan[i, HIGH]
        if plan[i, ENCODING] == FLOAT:
            add_feature(sparse, first, float_at(observation, at, width) / high)
            continue
        value = number_at(observation, at, width, plan[i, SIGNED])
        if plan[i, ENCODING] == ONE_HOT:
            if value != 0:
                add_feature(sparse, first + min(max(value, low), high) - low, 1.0)
        elif plan[i, ENCODING] == SCALED:
            add_feature(sparse, first, value / max(abs(low), abs(high)))
            add_bits(sparse, first + 1, max(value, 0), plan[i, MASK])
        else:
            add_bits(sparse, first, value, plan[i, MASK])
        names = plan[i, NAMES_SEAT]
        if names != NO_SEAT and 0 <= value - names < seats:
            add_feature(sparse, plan[i, FIRST_SEAT] + (value - names - seat) % seats, 1.0)


@rule
def read_features(rules: Any, state: Any, seat: int, workspace: Any) -> None:
    """What a seat may know of a position as features, into `workspace.sparse`: the game's own, or automatic ones. The
    workspace has room for an observation (`observed`)."""
    if rules.plan.shape[0] == 0:
        calls.features(rules, state, seat, workspace.sparse)
    else:
        copy_into(workspace.observed, state, state.size)
        calls.observe(rules, workspace.observed, seat)
        mover = calls.player(rules, workspace.observed)
        encode(rules.plan, workspace.observed, seat, workspace.seats[0], mover, workspace.sparse)
