"""The payment reasoner: which cards to pay with.

For every placement it ranks the cards by how often they were spent rather than saved when that placement was paid for.
Where a placement was rarely paid for, the frequency over all payments counts. The rankings are made once.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.case_base import CaseBase, count_by_label
from boardwright.games.race import cards as tables
from boardwright.games.race.state import USE_COLONY_SHIP, USE_CONTACT, USE_TACTICS
from boardwright.scout.cases.representation import NO_DESIGN
from boardwright.scout.problems.problem import DESIGN_OF_ID, NO_SUBJECT, SPECIAL_POWERS, Choice, Problem
from boardwright.scout.reasoners.option_rates import GiveAwayRates
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation

PRIOR = 6.0
"""Payments of usual frequency added to every placement's own."""
LOSS = {USE_COLONY_SHIP: 3, USE_TACTICS: 3, USE_CONTACT: 0}
"""What using a special card costs, in cards: two of them are discarded."""


class Ranking:
    """How often cards are spent rather than saved, overall and for each card paid for (`subjects`)."""

    def __init__(self, payments: CaseBase, subjects: NDArray[np.uint8]) -> None:
        offered, spent = payments.membership("offered"), payments.membership("taken")
        self.overall = (spent.sum(0) + 1.0) / (offered.sum(0) + 2.0)
        paid_for = np.where(subjects == NO_DESIGN, tables.DESIGN_COUNT, subjects)
        self.offered, self.spent = (
            count_by_label(paid_for, cards, tables.DESIGN_COUNT + 1) for cards in (offered, spent)
        )

    def rates(self, subject: int) -> NDArray[np.float64]:
        """For every design: how likely it is spent on this placement."""
        result: NDArray[np.float64] = (self.spent[subject] + PRIOR * self.overall) / (self.offered[subject] + PRIOR)
        return result


def give_away(problem: Problem, rates: NDArray[np.float64], n: int) -> tuple[int, ...]:
    """The n cards of the options most likely to go; a second copy before anything else of its rank."""
    cards = [option for option in problem.options if isinstance(option, int)]
    twice = {card for card, number in Counter(cards).items() if number > 1}
    ranked = sorted(cards, key=lambda card: (-rates[DESIGN_OF_ID[card]], card not in twice, card))
    return tuple(sorted(ranked[:n]))


def price(problem: Problem, specials: int) -> int | None:
    """How many cards the subject costs if these special cards are used; None if that is not possible."""
    cards = [option for option in problem.options if isinstance(option, int)]
    if problem.subject == NO_SUBJECT:
        return problem.minimum
    world = int(tables.FIRST_CARD[DESIGN_OF_ID[problem.subject]])
    if not tables.IS_WORLD[world] or not specials_of(problem):
        return problem.minimum if specials == 0 else None
    others = [DESIGN_OF_ID[card] for card in problem.me.tableau if card != problem.subject]
    standing = tables.STANDING[tables.FIRST_CARD[others]].sum(0)
    kind = int(tables.KIND[world])
    if tables.IS_MILITARY[world] and not specials & USE_CONTACT:
        if specials & USE_COLONY_SHIP:
            return None
        strength = standing[tables.MILITARY] + (standing[tables.MILITARY + kind] if kind != tables.NO_KIND else 0)
        strength += standing[tables.REBEL_MILITARY] if tables.IS_REBEL[world] else 0
        strength += tables.TACTICS_STRENGTH if specials & USE_TACTICS else 0
        return 0 if strength >= tables.COST[world] else None
    if specials & USE_COLONY_SHIP:
        return 0
    cost = (
        tables.COST[world]
        - standing[tables.DISCOUNT]
        - (standing[tables.DISCOUNT + kind] if kind != tables.NO_KIND else 0)
    )
    cost = max(0, int(cost) - (1 if specials & USE_CONTACT else 0))
    return cost if cost <= len(cards) else None


def specials_of(problem: Problem) -> list[int]:
    return [bit for bit, pair in SPECIAL_POWERS.items() if pair in problem.options]


class PaymentReasoner:
    """With `rates` every card is judged where it was offered (option_rates.py); else by the ranking."""

    def __init__(self, payments: CaseBase, subjects: NDArray[np.uint8], rates: GiveAwayRates | None = None) -> None:
        self.ranking = Ranking(payments, subjects)
        self.rates = rates
        self.cases = len(payments)

    def reason(self, indexed: IndexedProblem) -> Recommendation:
        problem = indexed.problem
        specials, n = self._cheapest(problem)
        subject = tables.DESIGN_COUNT if problem.subject == NO_SUBJECT else DESIGN_OF_ID[problem.subject]
        rates, cases = self.rates.find(indexed) if self.rates else (self.ranking.rates(subject), tuple)
        paid = give_away(problem, rates, n)
        choice: Choice = (*paid, *(SPECIAL_POWERS[bit] for bit in specials))

        def note() -> str:
            designs = {DESIGN_OF_ID[option] for option in problem.options if isinstance(option, int)}
            ranked = sorted(designs, key=lambda design: -rates[design])
            summary = ", ".join(f"{tables.DESIGNS[design].name} {rates[design]:.0%}" for design in ranked)
            return f"how often spent rather than saved, by {self.cases:,} payments: {summary}"

        cards = dict.fromkeys(option for option in problem.options if isinstance(option, int))
        votes = sorted(((card,), float(rates[DESIGN_OF_ID[card]])) for card in cards)
        return Recommendation(choice, tuple(sorted(votes, key=lambda vote: -vote[1])), cases, note=note)

    def _cheapest(self, problem: Problem) -> tuple[tuple[int, ...], int]:
        """Which special cards to use, and how many cards are to be paid then."""
        ways = []
        usable = specials_of(problem)
        for size in range(len(usable) + 1):
            for used in combinations(usable, size):
                cards = price(problem, sum(used))
                if cards is not None and problem.minimum <= cards + size <= problem.maximum:
                    ways.append((cards + sum(LOSS[bit] for bit in used), size, used, cards))
        if not ways:
            return (), problem.minimum
        _, _, used, cards = min(ways)
        return used, cards
