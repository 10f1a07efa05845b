"""The discard reasoner: which cards to give up in the setup, when exploring and at the end of a round.

A card's chance to be discarded is read off the discards made in situations like this one, and off all discards where
those say little.
"""

from __future__ import annotations

from collections.abc import Callable

from boardwright.cbr.retrieval import ANY_GROUP
from boardwright.scout.cases.features import PASS
from boardwright.scout.cases.representation import Records
from boardwright.scout.problems.problem import DESIGN_OF_ID, TYPE_DISCARD
from boardwright.scout.reasoners.base import CaseBase
from boardwright.scout.reasoners.option_rates import Likelihood, Offers, likelihoods
from boardwright.scout.reasoners.payment import card_bits, give_away
from boardwright.scout.reasoners.recommendation import Asked, Retrieved, Thought, retrieved

PRIOR = 4.0
SHOWN = 7


class DiscardReasoner:
    """With `offers` every card is judged by itself (offered.py); else by the discards nearest to the problem."""

    def __init__(self, base: CaseBase, records: Records, offers: Offers | None = None) -> None:
        self.base = base
        self.offers = offers
        self.seen, self.gone = card_bits(records["options"]), card_bits(records["choice"])
        self.overall = (self.gone.sum(0) + 1.0) / (self.seen.sum(0) + 2.0)

    def think(self, asked: Asked, *, left_out: int = ANY_GROUP) -> Thought:
        problem = asked.problem
        if self.offers is not None:
            likelihood, cases = likelihoods(self.offers, asked, left_out=left_out)
        else:
            likelihood, cases = self._of_the_nearest(asked, left_out)
        return Thought(
            give_away(problem, likelihood, problem.minimum),
            tuple(
                ((card,), float(likelihood[DESIGN_OF_ID[card]]))
                for card in sorted(set(problem.me.hand))
                if card in problem.options
            ),
            cases,
            note=f"how often discarded rather than kept, by the nearest of {len(self.base):,} discards",
        )

    def _of_the_nearest(self, asked: Asked, left_out: int) -> tuple[Likelihood, Callable[[], tuple[Retrieved, ...]]]:
        designs = sorted({DESIGN_OF_ID[option] for option in asked.problem.options if isinstance(option, int)})
        found = self.base.retrieve(asked.indexed, designs, left_out=left_out)
        near = found.places
        seen, gone = self.seen[near].sum(0), self.gone[near].sum(0)
        memory = self.base.memory
        likelihood = (gone + PRIOR * self.overall) / (seen + PRIOR)
        return likelihood, lambda: retrieved(memory, TYPE_DISCARD, found, [PASS] * len(near))[:SHOWN]
