"""Sets of cards as bits: two words of 57 bits each hold the 114 cards.

57, not 64, so that every word stays a positive int64 and the same arithmetic holds compiled and uncompiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.games.race.cards import CARDS, Table
from boardwright.kernel import rule
from boardwright.kernel.bits import count_bits

WORDS = 2
WIDTH = 57
assert WORDS * WIDTH == CARDS

FULL = (1 << WIDTH) - 1

Cards = NDArray[np.int64]
"""A set of cards."""


count = count_bits


def bits_of(cards: Any) -> Table:
    """The set of the given cards."""
    words = [0] * WORDS
    for card in cards:
        words[card // WIDTH] |= 1 << (card % WIDTH)
    return np.array(words, np.int64)


@rule
def word_of(card: int) -> int:
    return 1 if card >= WIDTH else 0


@rule
def bit_of(card: int) -> int:
    return 1 << (card - WIDTH if card >= WIDTH else card)


@rule
def has(cards: Cards, card: int) -> bool:
    return cards[word_of(card)] & bit_of(card) != 0


@rule
def add(cards: Cards, card: int) -> None:
    cards[word_of(card)] |= bit_of(card)


@rule
def remove(cards: Cards, card: int) -> None:
    cards[word_of(card)] &= ~bit_of(card)


@rule
def size(cards: Cards) -> int:
    return count(cards[0]) + count(cards[1])


@rule
def lowest(word: int, number: int) -> int:
    """The card of the lowest bit of word `number`."""
    return WIDTH * number + count((word & -word) - 1)


@rule
def nth(cards: Cards, n: int) -> int:
    """The n-th card of a set in ascending order, from 0."""
    word, number = cards[0], 0
    here = count(word)
    if n >= here:
        n -= here
        word, number = cards[1], 1
    for _ in range(n):
        word &= word - 1
    return lowest(word, number)


def members(cards: Any) -> list[int]:
    """The cards of a set, for Python code."""
    found = []
    for number in range(WORDS):
        word = int(cards[number])
        while word:
            low = word & -word
            found.append(WIDTH * number + low.bit_length() - 1)
            word ^= low
    return found
