"""The policy network: how likely each solution of a problem is, learned from the choices in a case base.

The dissertation weighs the cards of a tableau for each class by counting. Here the weights of all features are fitted
at once, with one hidden layer that all types of decision share, and a policy head per type:

    bins of numbers, elements of sets ── hidden layer (ReLU) ── policy head of the type: probability of each solution

For actions the probabilities become seven more number features: cases are similar if the network expects the same of
them. In all other decisions they are policy priors, multiplied with what the nearest cases say.
"""

from __future__ import annotations

import base64
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.schema import WORD_BITS
from boardwright.cbr.store import BadCaseBase
from boardwright.games.race.state import ROUND_ACTIONS
from boardwright.kernel import Unit, rule, types
from boardwright.learn.perceptron import softmax
from boardwright.scout.cases.features import ACTION_SCHEMA, CLASSES, SCHEMA
from boardwright.scout.problems import problem as problems

Reals = NDArray[np.float32]
Mask = NDArray[np.bool_]

CORE_HEADS = (problems.TYPE_ACTION, problems.TYPE_DEVELOP, problems.TYPE_SETTLE)
"""The types of decision that have a policy head in every network."""
GIVING_HEADS = (problems.TYPE_DISCARD, problems.TYPE_PAYMENT)
"""What to give away: a network may have heads for these (`cases build --heads all`)."""
POLICY_TYPES = (*CORE_HEADS, *GIVING_HEADS)
BINS = 16
_NOT_KNOWN_BEFORE = ("options",)
"""Says how much there is to choose from, not when something is chosen."""
_ROWS = [row for row, number in enumerate(SCHEMA.numbers) if number.name not in _NOT_KNOWN_BEFORE]
_SETS = [feature for feature in SCHEMA.sets if feature.name != "taken"]
_BIN_STARTS = np.arange(len(_ROWS)) * BINS
_SET_STARTS = np.cumsum([len(_ROWS) * BINS, *(feature.elements for feature in _SETS)])
INPUTS = int(_SET_STARTS[-1])
_NUMBER_ROWS = np.array(_ROWS, np.int64)
_FIRST_WORDS = np.array([SCHEMA.first_words[SCHEMA.set_position(feature.name)] for feature in _SETS], np.int64)
_WORD_COUNTS = np.array([feature.words for feature in _SETS], np.int64)
_CODES = 255
SOLUTIONS = {kind: len(ROUND_ACTIONS) if kind == problems.TYPE_ACTION else CLASSES for kind in POLICY_TYPES}
"""By type: how many there are."""
_CASES_AT_ONCE = 50_000
"""So many cases are encoded at a time, to use less memory."""


class Bins(NamedTuple):
    """How numbers are divided into bins."""

    lowest: NDArray[np.int64]
    width: NDArray[np.int64]

    @classmethod
    def over(cls, case_base: CaseBase) -> Bins:
        if not len(case_base):
            return cls(np.zeros(len(_ROWS), np.int64), np.ones(len(_ROWS), np.int64))
        low, high = (np.percentile(case_base.codes[_ROWS], q, axis=1).astype(np.int64) for q in (1, 99))
        return cls(low, np.maximum(1, (high - low) // (BINS - 2)))

    def of(self, case_base: CaseBase) -> NDArray[np.int64]:
        """(numbers, cases): the bin of each number."""
        codes = case_base.codes[_ROWS].astype(np.int64)
        return np.clip((codes - self.lowest[:, None]) // self.width[:, None], 0, BINS - 1)


class PolicyHead(NamedTuple):
    """From the hidden layer to the solutions of one type of decision."""

    weights: Reals
    bias: Reals


class PolicyPriors(ABC):
    """Says how likely each solution of a problem is, by type: a network, or linear discriminants of the cases."""

    @property
    @abstractmethod
    def kinds(self) -> Collection[int]:
        """The types of decision that it knows."""

    @abstractmethod
    def probabilities(self, kind: int, case_base: CaseBase, offered: Mask | None = None) -> Reals:
        """(cases, solutions), of those that are offered. Where several cards are given away: for each of them."""

    def with_policy_features(self, actions: CaseBase) -> CaseBase:
        """Action cases with the seven features more."""
        codes = np.rint(_CODES * self.probabilities(problems.TYPE_ACTION, actions)).astype(np.uint8)
        return replace(actions, schema=ACTION_SCHEMA, codes=np.ascontiguousarray(np.vstack((actions.codes, codes.T))))


@dataclass(frozen=True)
class PolicyNetwork(PolicyPriors):
    bins: Bins
    hidden: Reals
    bias: Reals
    heads: Mapping[int, PolicyHead]

    @property
    def kinds(self) -> Collection[int]:
        return self.heads.keys()

    def probabilities(self, kind: int, case_base: CaseBase, offered: Mask | None = None) -> Reals:
        head = self.heads[kind]
        sums = weighted_inputs(case_base, self.bins, self.hidden)
        return softmax(np.maximum(sums + self.bias, 0) @ head.weights + head.bias, offered)

    def as_data(self) -> dict[str, Any]:
        return {
            "lowest": self.bins.lowest.tolist(),
            "width": self.bins.width.tolist(),
            "hidden": _packed(self.hidden),
            "bias": _packed(self.bias),
            "heads": {str(kind): [_packed(head.weights), _packed(head.bias)] for kind, head in self.heads.items()},
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> PolicyNetwork:
        """A network from a file: every size is checked, since compiled code follows them."""
        try:
            bias = _unpacked(data["bias"])
            units = len(bias)
            kinds = [kind for kind in POLICY_TYPES if str(kind) in data["heads"]]
            if len(kinds) != len(data["heads"]) or not set(CORE_HEADS) <= set(kinds):
                raise ValueError("heads")
            heads = {
                kind: PolicyHead(_unpacked(weights, units, SOLUTIONS[kind]), _unpacked(head_bias, SOLUTIONS[kind]))
                for kind in kinds
                for weights, head_bias in [data["heads"][str(kind)]]
            }
            bins = Bins(_codes(data["lowest"], 0), _codes(data["width"], 1))
            return cls(bins, _unpacked(data["hidden"], INPUTS, units), bias, heads)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise BadCaseBase(
                f"a policy network of another version ({error}); build the case base again,"
                " or play with policy_network=false"
            ) from None


def weighted_inputs(case_base: CaseBase, bins: Bins, weights: Reals) -> Reals:
    """(cases, columns of the weights): the sums of the weights of each case's inputs."""
    if len(case_base) != 1:
        return np.asarray(one_hot(case_base, bins) @ weights)
    sums = np.zeros((1, weights.shape[1]), np.float32)
    add_inputs = code().entry_points["policy_network"]
    add_inputs(case_base.codes, case_base.sets, bins.lowest, bins.width, weights, sums[0])
    return sums


@rule
def add_row(row: Any, sums: Any) -> None:
    for j in range(sums.size):
        sums[j] += row[j]


def _add_inputs(codes: Any, sets: Any, lowest: Any, width: Any, hidden: Any, sums: Any) -> None:
    """Add up the weights of the bins and elements of one case."""
    for i in range(_NUMBER_ROWS.size):
        number = (codes[_NUMBER_ROWS[i], 0] - lowest[i]) // width[i]
        add_row(hidden[i * BINS + min(max(number, 0), BINS - 1)], sums)
    for i in range(_FIRST_WORDS.size):
        for number in range(_WORD_COUNTS[i]):
            word = sets[_FIRST_WORDS[i] + number, 0]
            for element in range(WORD_BITS):
                if word >> element & 1:
                    add_row(hidden[_SET_STARTS[i] + number * WORD_BITS + element], sums)


@cache
def code() -> Unit:
    """The kernel that adds up the inputs of the hidden layer."""
    whole, real = types.int64[::1], types.float32[::1]
    signature = types.void(types.uint8[:, ::1], types.int64[:, ::1], whole, whole, types.float32[:, ::1], real)
    return Unit("scout", {"policy_network": (_add_inputs, signature)})


def _packed(array: Reals) -> str:
    """Half precision is plenty."""
    return base64.b64encode(array.astype("<f2").tobytes()).decode()


def _unpacked(text: str, *shape: int) -> Reals:
    array = np.frombuffer(base64.b64decode(text, validate=True), "<f2").astype(np.float32)
    if not np.isfinite(array).all():
        raise ValueError("weights that are not finite")
    return array.reshape(shape) if shape else array


def _codes(numbers: list[int], least: int) -> NDArray[np.int64]:
    if len(numbers) != len(_ROWS) or not all(type(number) is int and least <= number <= _CODES for number in numbers):
        raise ValueError("bins")
    return np.array(numbers, np.int64)


def one_hot(case_base: CaseBase, bins: Bins) -> csr_array:
    """(cases, inputs): 1 for the bin of each number and for each element of the sets."""
    n = len(case_base)
    starts = range(0, max(n, 1), _CASES_AT_ONCE)
    parts = (case_base.subset(np.arange(start, min(start + _CASES_AT_ONCE, n))) for start in starts)
    return vstack([_one_hot(part, bins) for part in parts], format="csr")


def _one_hot(case_base: CaseBase, bins: Bins) -> csr_array:
    n = len(case_base)
    cases = [np.tile(np.arange(n, dtype=np.int32), len(_ROWS))]
    inputs = [(bins.of(case_base) + _BIN_STARTS[:, None]).astype(np.int32).ravel()]
    for start, feature in zip(_SET_STARTS.tolist(), _SETS, strict=False):
        case, element = case_base.membership(feature.name).nonzero()
        cases.append(case.astype(np.int32))
        inputs.append((element + start).astype(np.int32))
    at = np.concatenate(cases), np.concatenate(inputs)
    return csr_array((np.ones(len(at[0]), np.float32), at), shape=(n, INPUTS))


def offered_mask(case_base: CaseBase, kind: int = problems.TYPE_SETTLE) -> Mask:
    """(cases, classes): what could be chosen; placing nothing always could, giving nothing away is not asked."""
    nothing = np.full((len(case_base), 1), kind not in GIVING_HEADS, np.bool_)
    return np.concatenate((case_base.membership("offered"), nothing), axis=1)
