"""The generator is the published one, and its bounded numbers are fair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from boardwright.kernel import rng

ALPHA = 1e-4  # chance of a false alarm; seeds are fixed, so a pass stays a pass


def test_first_numbers_are_those_of_xoshiro256_plus_plus() -> None:
    rng_state = np.array([1, 2, 3, 4], np.uint64)
    assert [int(rng.next64(rng_state)) for _ in range(4)] == [41943041, 58720359, 3588806011781223, 3591011842654386]


def test_seeding_is_splitmix64() -> None:
    rng_state = np.zeros(4, np.uint64)
    rng.seed(rng_state, np.uint64(0))
    assert [hex(int(word)) for word in rng_state] == [
        "0xe220a8397b1dcdaf",
        "0x6e789e6aa1b965f4",
        "0x6c45d188009454f",
        "0xf88bb8a8724c81ec",
    ]


def test_examples_may_take_as_long_as_they_need() -> None:
    """Compiling is part of the first one, and other programs run beside the tests."""
    assert settings.default is not None
    assert settings.default.deadline is None


@given(st.integers(0, 2**64 - 1))
def test_plain_and_compiled_generators_agree(seed: int) -> None:
    compiled_words, plain_words = np.zeros(4, np.uint64), rng.generator(seed)
    rng.seed(compiled_words, np.uint64(seed))
    assert compiled_words.tolist() == plain_words.tolist()
    assert [int(rng.next64(compiled_words)) for _ in range(5)] == [rng.draw(plain_words) for _ in range(5)]


@pytest.mark.parametrize("n", [2, 3, 6, 7, 52, 1000])
def test_bounded_numbers_are_uniform(n: int) -> None:
    rng_state = rng.generator(n)
    counts = np.bincount([rng.below(rng_state, n) for _ in range(200 * n)], minlength=n)
    assert len(counts) == n
    assert chisquare(counts).pvalue > ALPHA


def test_bounded_numbers_have_no_modulo_bias() -> None:
    """With n = 3/4 of 2^32 plain scaling would hit every third number twice as often."""
    n, rng_state = 3 << 30, rng.generator(1)
    thirds = np.bincount([rng.below(rng_state, n) % 3 for _ in range(30_000)], minlength=3)
    assert chisquare(thirds).pvalue > ALPHA


def test_a_blank_generator_comes_to_an_end() -> None:
    """Observations hold one, and whoever takes an observation for a state draws from it."""
    rng_state = np.zeros(4, np.uint64)
    assert 0 <= rng.below(rng_state, 6) < 6
    assert rng_state.all()


def test_shuffles_are_uniform() -> None:
    rng_state = rng.generator(5)
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(24_000):
        items = np.arange(4)
        rng.shuffle(rng_state, items, 4)
        seen[tuple(items.tolist())] = seen.get(tuple(items.tolist()), 0) + 1
    assert len(seen) == 24
    assert chisquare(list(seen.values())).pvalue > ALPHA


def test_uniform_stays_below_one() -> None:
    rng_state = rng.generator(9)
    numbers = [rng.uniform(rng_state) for _ in range(10_000)]
    assert 0 <= min(numbers) < 0.01
    assert 0.99 < max(numbers) < 1


@given(st.integers(0, 2**64 - 1), st.integers(0, 10_000), st.integers(0, 10_000))
def test_derived_seeds_differ_by_part(seed: int, first: int, second: int) -> None:
    assert (rng.derive(seed, first) == rng.derive(seed, second)) == (first == second)
