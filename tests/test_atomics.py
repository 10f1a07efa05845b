"""Threads that share an array neither lose an addition nor both win a swap."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import types

from boardwright.kernel import compiled
from boardwright.kernel.atomics import atomic_add, compare_and_swap

THREADS, ROUNDS = 4, 200_000


def _add(whole, real, rounds):  # type: ignore[no-untyped-def]
    for _ in range(rounds):
        atomic_add(whole, 0, 1)
        atomic_add(real, 0, 0.5)


def _lock_and_add(lock, unprotected, rounds):  # type: ignore[no-untyped-def]
    for _ in range(rounds):
        while not compare_and_swap(lock, 0, 0, 1):
            pass
        unprotected[0] += 1
        compare_and_swap(lock, 0, 1, 0)


def test_no_addition_is_lost() -> None:
    add = compiled(_add, types.void(types.int64[::1], types.float64[::1], types.int64), "tests.add")
    whole, real = np.zeros(1, np.int64), np.zeros(1)
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda _: add(whole, real, ROUNDS), range(THREADS)))
    assert whole[0] == THREADS * ROUNDS
    assert real[0] == THREADS * ROUNDS / 2


def test_compare_and_swap_makes_a_lock() -> None:
    rounds = 20_000
    work = compiled(_lock_and_add, types.void(types.int64[::1], types.int64[::1], types.int64), "tests.lock")
    lock, counter = np.zeros(1, np.int64), np.zeros(1, np.int64)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: work(lock, counter, rounds), range(2)))
    assert counter[0] == 2 * rounds
