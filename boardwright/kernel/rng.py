"""Random numbers from a generator that lives inside the state.

The generator is xoshiro256++ (Blackman and Vigna), four 64-bit words seeded through SplitMix64: fast, of
period 2^256 - 1, and without known statistical failures. A game is therefore its seed plus its actions.
Bounded numbers are exact: Lemire's multiply-and-reject, no modulo bias.

Every function takes the four words (a record field declared `rng=RNG`) and changes them in place.
"""

from __future__ import annotations

import hashlib
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.kernel.declare import UNCOMPILED, instruction_for, rule
from boardwright.kernel.padding import zeros_apart

RNG = ("u8", 4)
"""The record field to declare: `record(rng=RNG, ...)`."""

RngState = NDArray[np.uint64]


class Stream(IntEnum):
    """What seeds derived from one seed are for (`derive`). No two uses have a number in common."""

    DECISIONS = 1
    """An agent's random numbers."""
    DETERMINIZATIONS = 2
    TERMINAL = 3
    """Agents in a game at the terminal."""
    PAGE = 4
    """Agents at a table of the page."""
    ADVICE = 5
    """Agents that a player asks there."""
    STUDY = 6
    """Agents that are asked in a study."""
    ESTIMATES = 7
    """Playouts that estimate everybody's chances."""
    SCRIPT_SAMPLES = 11
    """What scripts ask the host for."""
    SCRIPT_PLAYOUTS = 12
    ENTRANTS = 1 << 32
    """Agents in a match: the number of the entrant is added."""


_MASK = (1 << 64) - 1
_GOLDEN, _MIX1, _MIX2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_U = np.uint64  # compiled code must name the width: mixing int64 and uint64 yields floats there


def _rotate_plain(x: int, k: int) -> int:
    return ((x << k) & _MASK) | (x >> (64 - k))


def _next64_plain(rng_state: Any) -> int:
    s0, s1, s2, s3 = (int(word) for word in rng_state)
    result = (_rotate_plain((s0 + s3) & _MASK, 23) + s0) & _MASK
    t = (s1 << 17) & _MASK
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = _rotate_plain(s3, 45)
    rng_state[0], rng_state[1], rng_state[2], rng_state[3] = s0, s1, s2, s3
    return result


def _mix(x: int) -> int:
    z = ((x ^ (x >> 30)) * _MIX1) & _MASK
    z = ((z ^ (z >> 27)) * _MIX2) & _MASK
    return z ^ (z >> 31)


def _seed_plain(rng_state: Any, seed: int) -> None:
    x = int(seed) & _MASK
    for i in range(4):
        x = (x + _GOLDEN) & _MASK
        rng_state[i] = _mix(x)


_GOLDEN_U, _MIX1_U, _MIX2_U = _U(_GOLDEN), _U(_MIX1), _U(_MIX2)


@rule
def _next64(rng_state: RngState) -> Any:
    s0, s1, s2, s3 = rng_state[0], rng_state[1], rng_state[2], rng_state[3]
    x = s0 + s3
    result = ((x << _U(23)) | (x >> _U(41))) + s0
    t = s1 << _U(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    rng_state[0], rng_state[1], rng_state[2] = s0, s1, s2
    rng_state[3] = (s3 << _U(45)) | (s3 >> _U(19))
    return result


@rule
def _seed(rng_state: RngState, seed: Any) -> None:
    x = _U(seed)
    for i in range(4):
        x += _GOLDEN_U
        z = (x ^ (x >> _U(30))) * _MIX1_U
        z = (z ^ (z >> _U(27))) * _MIX2_U
        rng_state[i] = z ^ (z >> _U(31))


_WORDS = 4


def _on_stack_plain() -> Any:
    return np.zeros(_WORDS, np.uint64)


on_stack = instruction_for(_on_stack_plain, "numbers_on_stack", _WORDS)
"""A rule: a generator without numbers yet, for as long as the function runs that asks for it; `seed` it. Nothing is
allocated, so that the code around it need not count references (machine_code.py)."""

next64 = _next64_plain if UNCOMPILED else _next64
seed = _seed_plain if UNCOMPILED else _seed

draw = _next64_plain
"""`next64` for code that is not compiled."""


@rule
def below(rng_state: RngState, n: int) -> int:
    """A number from 0 to n-1, each exactly as likely (n up to 2^32)."""
    size = np.uint64(n)
    product = np.uint64(next64(rng_state) >> _U(32)) * size
    low = product & _U(0xFFFFFFFF)
    if low < size:
        unfair = (_U(0x100000000) - size) % size
        while low < unfair:
            if rng_state[0] | rng_state[1] | rng_state[2] | rng_state[3] == _U(0):
                seed(rng_state, 0)  # it was blanked, as in an observation, and would give 0 for ever
            product = np.uint64(next64(rng_state) >> _U(32)) * size
            low = product & _U(0xFFFFFFFF)
    return np.int64(product >> _U(32))  # type: ignore[return-value]


@rule
def uniform(rng_state: RngState) -> float:
    """A number from 0 up to, but not including, 1."""
    return np.float64(next64(rng_state) >> _U(11)) * (1.0 / 9007199254740992.0)


@rule
def shuffle(rng_state: RngState, items: NDArray[Any], n: int) -> None:
    """Put the first n items into an order of which each is as likely (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = below(rng_state, i + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept


def generator(seed_value: int) -> RngState:
    """A free-standing generator, for agents and search."""
    rng_state = zeros_apart(4, np.uint64)
    _seed_plain(rng_state, seed_value)
    return rng_state


def derive(seed_value: int, *parts: int) -> int:
    """A seed of its own for each part of a larger work: game 7 of a match, seat 2 of that game.

    There is no way back: who knows an agent's seed cannot tell the game's."""
    rng_state = b"".join((number & _MASK).to_bytes(8, "little") for number in (seed_value, *parts))
    return int.from_bytes(hashlib.blake2b(rng_state, digest_size=8).digest(), "little")
