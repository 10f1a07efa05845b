"""The discard reasoner: which cards to give up in the setup, when exploring and at the end of a round.

How likely a card is discarded is taken from the discards made in similar situations, and from all discards where those
say little.
"""

from __future__ import annotations

from boardwright.cbr.index import CaseIndex
from boardwright.cbr.retrieval import NO_GROUP
from boardwright.scout.cases.features import PASS
from boardwright.scout.problems.problem import DESIGN_OF_ID, TYPE_DISCARD
from boardwright.scout.reasoners.option_rates import OFFERED, TAKEN, CasesBehind, GiveAwayRates, Rates
from boardwright.scout.reasoners.payment import give_away
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation, retrieved_cases

PRIOR = 4.0
CASES_SHOWN = 7


class DiscardReasoner:
    """With `rates` every card is judged where it was offered (option_rates.py); else by the nearest discards."""

    def __init__(self, index: CaseIndex, rates: GiveAwayRates | None = None) -> None:
        self.index, self.rates = index, rates
        case_base = index.case_base
        self.offered, self.discarded = case_base.membership(OFFERED), case_base.membership(TAKEN)
        self.overall = (self.discarded.sum(0) + 1.0) / (self.offered.sum(0) + 2.0)

    def reason(self, indexed: IndexedProblem, *, exclude_group: int = NO_GROUP) -> Recommendation:
        problem = indexed.problem
        find = self._of_the_nearest if self.rates is None else self.rates.find
        rates, cases = find(indexed, exclude_group)
        return Recommendation(
            give_away(problem, rates, problem.minimum),
            tuple(
                ((card,), float(rates[DESIGN_OF_ID[card]]))
                for card in sorted(set(problem.me.hand))
                if card in problem.options
            ),
            cases,
            note=f"how often discarded rather than kept, by the nearest of {len(self.index):,} discards",
        )

    def _of_the_nearest(self, indexed: IndexedProblem, exclude_group: int) -> tuple[Rates, CasesBehind]:
        designs = sorted({DESIGN_OF_ID[option] for option in indexed.problem.options if isinstance(option, int)})
        found = self.index.retrieve(indexed.features, designs, exclude_group=exclude_group)
        near = found.positions
        offered, discarded = self.offered[near].sum(0), self.discarded[near].sum(0)
        case_base = self.index.case_base
        rates = (discarded + PRIOR * self.overall) / (offered + PRIOR)
        return rates, lambda: retrieved_cases(case_base, TYPE_DISCARD, found, [PASS] * len(near))[:CASES_SHOWN]
