"""Creating and completing decks: the likeliest legal deck that spends the whole budget.

An integer program chooses the copies whose chances add up to most, under all rules of construction at once: size,
copies, points and budget. The whole budget is spent if that is possible, or else as much as possible.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from boardwright.decks.errors import BadDeck
from boardwright.decks.filling import Limits
from boardwright.decks.model import DeckModel
from boardwright.decks.prediction import Observation, has_budget

_PER_UNSPENT_POINT = 1.0
"""What an unspent point of the budget costs: as much as a whole card."""


def create(model: DeckModel, given: Observation, *, exactly: Collection[str] = ()) -> NDArray[np.int64]:
    """A whole deck around some given cards: copies of each card. Of the cards `exactly`, as many as are given; of other
    given ones perhaps more."""
    limits = model.book.limits_left(given)
    fixed = np.array([code in exactly for code in model.cards])
    limits = limits._replace(limit=np.where(fixed, given.copies, limits.limit))
    copies = likeliest_legal(model.probabilities(given), given, limits)
    if copies is None:
        raise BadDeck("no legal deck contains these cards")
    return copies


def likeliest_legal(chances: NDArray[np.float64], given: Observation, limits: Limits) -> NDArray[np.int64] | None:
    """The best legal deck, or None if there is none. A variable per card and copy; copies are taken in order."""
    most = chances.shape[1]
    cards = np.flatnonzero(limits.limit > 0)
    card, copy = np.repeat(cards, most), np.tile(np.arange(most), len(cards))
    allowed = copy < limits.limit[card]
    card, copy = card[allowed], copy[allowed]
    variables = len(card)
    price = np.where(limits.first_is_free[card] & (copy == 0), 0, limits.cost[card])
    value = chances[card, copy]
    spends = has_budget(limits)
    objective = np.append(-value, _PER_UNSPENT_POINT if spends else 0.0)  # the last variable: what is left unspent
    lower = np.append((copy < given.copies[card]).astype(float), 0.0)
    upper = np.append(np.ones(variables), float(limits.budget))
    totals = np.stack([np.ones(variables), limits.points[card], price])
    sums = np.hstack([totals, [[0.0], [0.0], [1.0]]])
    size = given.size_of_known
    low, high = [size, limits.low, limits.budget], [size, limits.high, limits.budget]
    later = np.flatnonzero(copy[1:] > 0) + 1
    order = coo_array(
        (
            np.concatenate([np.ones(len(later)), -np.ones(len(later))]),
            (np.tile(np.arange(len(later)), 2), np.concatenate([later, later - 1])),
        ),
        shape=(len(later), variables + 1),
    )
    solved = milp(
        objective,
        integrality=np.ones(variables + 1),
        bounds=Bounds(lower, upper),
        constraints=[LinearConstraint(sums, low, high), LinearConstraint(order, -np.inf, 0)],
        options={"mip_rel_gap": 1e-4},
    )
    if solved.x is None:
        return None
    copies = np.zeros(len(chances), np.int64)
    np.add.at(copies, card, np.rint(solved.x[:-1]).astype(np.int64))
    return copies
