"""Sets of cards as bits, in as many words as the list of cards needs: two words of 57 bits for 114 cards.

No word has more than 63, so that it stays a positive int64 and the same arithmetic holds compiled and uncompiled. Two
equal cards are neighbours in one word.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.games.race.cards import CARDS, SECOND_CARD, Table
from boardwright.kernel import rule
from boardwright.kernel.bits import count_bits, lowest_bit, nth_bit

_MOST_BITS = 63
WORDS = -(-CARDS // (_MOST_BITS - 1))
WIDTH = next(width for width in range(-(-CARDS // WORDS), _MOST_BITS + 1) if all(SECOND_CARD % width))

Cards = NDArray[np.int64]
"""A set of cards."""


count = count_bits


def bits_of(cards: Any) -> Table:
    """The set of the given cards."""
    words = [0] * WORDS
    for card in cards:
        words[card // WIDTH] |= 1 << (card % WIDTH)
    return np.array(words, np.int64)


ALL = bits_of(range(CARDS))
"""The set of all cards."""


@rule
def word_of(card: int) -> int:
    number = 0
    for w in range(1, WORDS):
        if card >= WIDTH * w:
            number = w
    return number


@rule
def bit_of(card: int) -> int:
    return 1 << (card - WIDTH * word_of(card))


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
    total = 0
    for w in range(WORDS):
        total += count(cards[w])
    return total


@rule
def is_empty(cards: Cards) -> bool:
    together = 0
    for w in range(WORDS):
        together |= cards[w]
    return together == 0


@rule
def clear(cards: Cards) -> None:
    for w in range(WORDS):
        cards[w] = 0


@rule
def lowest(word: int, number: int) -> int:
    """The card of the lowest bit of word `number`."""
    return WIDTH * number + lowest_bit(word)


@rule
def nth(cards: Cards, n: int) -> int:
    """The n-th card of a set in ascending order, from 0."""
    word, number = cards[0], 0
    for w in range(1, WORDS):
        here = count(word)
        if n < here:
            break
        n -= here
        word, number = cards[w], w
    return WIDTH * number + nth_bit(word, n)


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
