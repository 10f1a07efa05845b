"""First impressions: what a situation seems to call for, learned from the choices of a library.

The dissertation weighs the cards of a tableau for each class by counting. Here the weights of all features are fitted
at once, with one hidden layer that all types of decision share:

    ranges of numbers, elements of sets ── hidden (ReLU) ── for each type: how likely each solution is

For actions the likelihoods become seven more numeric features: cases are alike if they look alike in what matters to
the choice. For placements they are multiplied with what the nearest cases say.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from boardwright.cbr.memory import WIDTH, Memory
from boardwright.cbr.store import BadLibrary
from boardwright.kernel import compiled, rule
from boardwright.scout.cases.features import LAYOUT, SEEN
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE

Reals = NDArray[np.float32]
Mask = NDArray[np.bool_]

_NEVER = np.float32(-1e9)

BINS = 16
_UNKNOWN = ("options",)
"""What says how much there was to choose from, not when it is chosen."""
_ROWS = [row for row, number in enumerate(LAYOUT.numbers) if number.name not in _UNKNOWN]
_SETS = [feature for feature in LAYOUT.sets if feature.name != "taken"]
_STARTS = np.arange(len(_ROWS)) * BINS
_SET_STARTS = np.cumsum([len(_ROWS) * BINS, *(feature.elements for feature in _SETS)])
INPUTS = int(_SET_STARTS[-1])
_ROW_PLACES = np.array(_ROWS, np.int64)
_FIRST_WORDS = np.array([LAYOUT.first_words[LAYOUT.place(feature.name)] for feature in _SETS], np.int64)
_WORD_COUNTS = np.array([feature.words for feature in _SETS], np.int64)
_SCALE = 255
FITTED = (TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE)
"""The types of decision of which there are impressions."""
_AT_ONCE = 50_000
"""So many cases are spread out at a time, to use less memory."""


class Ranges(NamedTuple):
    """How numbers are divided into ranges."""

    lowest: NDArray[np.int64]
    width: NDArray[np.int64]

    @classmethod
    def over(cls, memory: Memory) -> Ranges:
        if not len(memory):
            return cls(np.zeros(len(_ROWS), np.int64), np.ones(len(_ROWS), np.int64))
        low, high = (np.percentile(memory.codes[_ROWS], q, axis=1).astype(np.int64) for q in (1, 99))
        return cls(low, np.maximum(1, (high - low) // (BINS - 2)))

    def of(self, memory: Memory) -> NDArray[np.int64]:
        """(numbers, cases): the range each number lies in."""
        codes = memory.codes[_ROWS].astype(np.int64)
        return np.clip((codes - self.lowest[:, None]) // self.width[:, None], 0, BINS - 1)


class Head(NamedTuple):
    """From the hidden layer to the solutions of one type of decision."""

    weights: Reals
    bias: Reals


@dataclass(frozen=True)
class Impressions:
    ranges: Ranges
    hidden: Reals
    bias: Reals
    heads: Mapping[int, Head]

    def likelihoods(self, kind: int, memory: Memory, offered: Mask | None = None) -> Reals:
        """(cases, solutions), of those that are offered."""
        head = self.heads[kind]
        scores = np.maximum(self._first(memory) + self.bias, 0) @ head.weights + head.bias
        return softmax(scores if offered is None else np.where(offered, scores, _NEVER))

    def _first(self, memory: Memory) -> Reals:
        if len(memory) != 1:
            return np.asarray(spread(memory, self.ranges) @ self.hidden)
        sums = np.zeros((1, len(self.bias)), np.float32)
        _kernel()(memory.codes, memory.sets, self.ranges.lowest, self.ranges.width, self.hidden, sums[0])
        return sums

    def seen(self, memory: Memory) -> Memory:
        """Action cases with the seven features more."""
        codes = np.rint(_SCALE * self.likelihoods(TYPE_ACTION, memory)).astype(np.uint8)
        return replace(memory, layout=SEEN, codes=np.ascontiguousarray(np.vstack((memory.codes, codes.T))))

    def as_data(self) -> dict[str, Any]:
        return {
            "lowest": self.ranges.lowest.tolist(),
            "width": self.ranges.width.tolist(),
            "hidden": _packed(self.hidden),
            "bias": _packed(self.bias),
            "heads": {str(kind): [_packed(head.weights), _packed(head.bias)] for kind, head in self.heads.items()},
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Impressions:
        try:
            bias = _unpacked(data["bias"])
            heads = {
                int(kind): Head(_unpacked(weights).reshape(len(bias), -1), _unpacked(head_bias))
                for kind, (weights, head_bias) in data["heads"].items()
            }
            ranges = Ranges(np.array(data["lowest"]), np.array(data["width"]))
            if len(ranges.lowest) != len(_ROWS) or len(ranges.width) != len(_ROWS) or not (ranges.width > 0).all():
                raise ValueError("ranges")
            if set(heads) != set(FITTED):
                raise ValueError("heads")
            return cls(ranges, _unpacked(data["hidden"]).reshape(INPUTS, len(bias)), bias, heads)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise BadLibrary(
                f"first impressions of another version ({error}); build the library again,"
                " or play with impressions=false"
            ) from None


@rule
def add_row(row: Any, sums: Any) -> None:
    for j in range(sums.size):
        sums[j] += row[j]


def _see_one(codes: Any, sets: Any, lowest: Any, width: Any, hidden: Any, sums: Any) -> None:
    """Add up the rows of the ranges and elements of one case."""
    for i in range(_ROW_PLACES.size):
        number = (codes[_ROW_PLACES[i], 0] - lowest[i]) // width[i]
        add_row(hidden[i * BINS + min(max(number, 0), BINS - 1)], sums)
    for i in range(_FIRST_WORDS.size):
        for number in range(_WORD_COUNTS[i]):
            word = sets[_FIRST_WORDS[i] + number, 0]
            for element in range(WIDTH):
                if word >> element & 1:
                    add_row(hidden[_SET_STARTS[i] + number * WIDTH + element], sums)


@cache
def _kernel() -> Any:
    whole, real = types.int64[::1], types.float32[::1]
    signature = types.void(types.uint8[:, ::1], types.int64[:, ::1], whole, whole, types.float32[:, ::1], real)
    return compiled(_see_one, signature, "scout.impressions")


def _packed(array: Reals) -> str:
    """Half precision is plenty."""
    return base64.b64encode(array.astype("<f2").tobytes()).decode()


def _unpacked(text: str) -> Reals:
    return np.frombuffer(base64.b64decode(text), "<f2").astype(np.float32)


def softmax(scores: Reals) -> Reals:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    result: Reals = powers / powers.sum(axis=1, keepdims=True)
    return result


def spread(memory: Memory, ranges: Ranges) -> csr_array:
    """(cases, inputs): 1 for the range each number lies in and for each element of the sets."""
    starts = range(0, max(len(memory), 1), _AT_ONCE)
    parts = [_spread(memory.kept(np.arange(start, min(start + _AT_ONCE, len(memory)))), ranges) for start in starts]
    return vstack(parts, format="csr")


def _spread(memory: Memory, ranges: Ranges) -> csr_array:
    n = len(memory)
    cases = [np.tile(np.arange(n, dtype=np.int32), len(_ROWS))]
    places = [(ranges.of(memory) + _STARTS[:, None]).astype(np.int32).ravel()]
    for start, feature in zip(_SET_STARTS.tolist(), _SETS, strict=False):
        case, element = memory.has(feature.name).nonzero()
        cases.append(case.astype(np.int32))
        places.append((element + start).astype(np.int32))
    at = np.concatenate(cases), np.concatenate(places)
    return csr_array((np.ones(len(at[0]), np.float32), at), shape=(n, INPUTS))


def offers_of(memory: Memory) -> Mask:
    """(placement cases, classes): what could be chosen; placing nothing always could."""
    return np.concatenate((memory.has("offered"), np.ones((len(memory), 1), np.bool_)), axis=1)
