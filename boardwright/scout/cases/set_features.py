"""Sets of a case as words: elements, cards, and the generalised sets of groups."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.cbr.schema import WORD_BITS
from boardwright.games.race.bits import WORDS, lowest
from boardwright.games.race.cards import DESIGN
from boardwright.kernel import rule
from boardwright.scout.cases.card_groups import COPIES
from boardwright.scout.cases.features import SCHEMA
from boardwright.scout.cases.tableau_features import carries_good

_FIRST_WORD = np.array(SCHEMA.first_words, np.int64)


@rule
def add_element(words: Any, feature: int, element: int) -> None:
    words[_FIRST_WORD[feature] + element // WORD_BITS] |= np.int64(1) << (element % WORD_BITS)


@rule
def add_copies(words: Any, feature: int, counts: Any) -> None:
    """A generalised set: element after element of a group for as many cards as there are."""
    for group in range(counts.size):
        for copy in range(min(counts[group], COPIES)):
            add_element(words, feature, group * COPIES + copy)


@rule
def add_cards(words: Any, feature: int, cards: Any) -> None:
    for number in range(WORDS):
        word = cards[number]
        while word != 0:
            add_element(words, feature, DESIGN[lowest(word, number)])
            word &= word - 1


@rule
def add_tableau(words: Any, tableau: int, goods: int, side: Any) -> None:
    for place in range(side["size"]):
        add_element(words, tableau, side["tableau"][place])
        if carries_good(side, place):
            add_element(words, goods, side["tableau"][place])
