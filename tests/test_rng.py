"""The generator is the published one, and its bounded numbers are fair."""

from __future__ import annotations

import hashlib

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
    anew = rng.generator(0)
    assert rng.below(rng_state, 6) == rng.below(anew, 6)
    assert rng_state.tolist() == anew.tolist(), "it goes on as one with the seed 0"


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


def test_what_is_drawn_stays_what_it_was() -> None:
    """Recorded games are replayed from their seeds. By the definition, from seed 5: Lemire's number below n is the
    upper half of n times 32 bits; a fraction is 53 bits; Fisher and Yates exchange from the end."""
    reference = rng.generator(5)
    words = [rng.draw(reference) for _ in range(40)]
    rng_state = rng.generator(5)
    assert [rng.below(rng_state, n) for n in (2, 6, 1000, 1)] == [
        (word >> 32) * n >> 32 for word, n in zip(words, (2, 6, 1000, 1), strict=False)
    ]
    assert rng.uniform(rng_state) == (words[4] >> 11) / 2**53
    items, expected = np.arange(10, 16), list(range(10, 16))
    rng.shuffle(rng_state, items, 5)
    for place, word in zip((4, 3, 2, 1), words[5:], strict=False):
        other = (word >> 32) * (place + 1) >> 32
        expected[place], expected[other] = expected[other], expected[place]
    assert items.tolist() == expected
    assert expected[5] == 15, "only the first five are shuffled"


def test_numbers_that_would_be_unfair_are_drawn_again() -> None:
    """Below n, the product's lower half must not be below 2^32 mod n: of 2^32 numbers, those are left over. With
    n = 2^31 + 1 this happens to almost every second one."""
    n = (1 << 31) + 1
    unfair = 2**32 % n
    reference, rng_state = rng.generator(8), rng.generator(8)
    again = 0
    for _ in range(50):
        product = (rng.draw(reference) >> 32) * n
        while product % 2**32 < unfair:
            again += 1
            product = (rng.draw(reference) >> 32) * n
        assert rng.below(rng_state, n) == product >> 32
    assert again > 10
    assert rng_state.tolist() == reference.tolist()


def test_each_use_of_a_seed_has_a_number_that_stays() -> None:
    assert {stream.name: stream.value for stream in rng.Stream} == {
        "DECISIONS": 1, "DETERMINIZATIONS": 2, "TERMINAL": 3, "PAGE": 4, "ADVICE": 5, "STUDY": 6, "ESTIMATES": 7,
        "SCRIPT_SAMPLES": 11, "SCRIPT_PLAYOUTS": 12, "ENTRANTS": 2**32,
    }  # fmt: skip


def test_a_derived_seed_is_a_hash_of_64_bits_numbers() -> None:
    """BLAKE2b with eight bytes, over little-endian numbers of eight bytes; a negative one counts modulo 2^64."""
    text = (7).to_bytes(8, "little") + (3).to_bytes(8, "little")
    assert rng.derive(7, 3) == int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
    assert rng.derive(-1) == rng.derive(2**64 - 1)
    assert rng.derive(7) != rng.derive(7, 0)


def test_a_seed_is_taken_modulo_64_bits() -> None:
    assert rng.generator(-1).tolist() == rng.generator(2**64 - 1).tolist()
    assert rng.generator(2**64 + 5).tolist() == rng.generator(5).tolist()


def test_the_plain_generator_is_the_published_one() -> None:
    """As the compiled one above."""
    rng_state = np.array([1, 2, 3, 4], np.uint64)
    assert [rng.draw(rng_state) for _ in range(4)] == [41943041, 58720359, 3588806011781223, 3591011842654386]
    assert [hex(int(word)) for word in rng.generator(0)] == [
        "0xe220a8397b1dcdaf",
        "0x6e789e6aa1b965f4",
        "0x6c45d188009454f",
        "0xf88bb8a8724c81ec",
    ]


def test_a_generator_on_the_stack_has_four_words() -> None:
    assert rng._on_stack_plain().tolist() == [0, 0, 0, 0]
    assert rng._on_stack_plain().dtype == np.uint64
    assert rng.generator(1).size == 4


def test_half_of_all_numbers_leave_nothing_over_and_are_fair() -> None:
    """2^31 divides 2^32: nothing is drawn again, also where the product's lower half is 0."""
    n = 1 << 31
    reference, rng_state = rng.generator(9), rng.generator(9)
    assert [rng.below(rng_state, n) for _ in range(20)] == [(rng.draw(reference) >> 32) * n >> 32 for _ in range(20)]


def test_a_generator_that_is_nearly_blank_goes_on() -> None:
    """Its first numbers are small, so that some are drawn again."""
    reference, rng_state = (np.array([1, 0, 0, 0], np.uint64) for _ in range(2))
    product = 0
    while product % 2**32 < 4:
        product = (rng.draw(reference) >> 32) * 6
    assert rng.below(rng_state, 6) == product >> 32
    assert rng_state.tolist() == reference.tolist()


def test_a_record_holds_a_generator_as_four_words() -> None:
    assert rng.RNG == ("u8", 4)
