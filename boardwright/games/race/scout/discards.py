"""The discard reasoner: which cards to give up in the setup, when exploring and at the end of a round.

A card's chance to be discarded is read off the discards made in situations like this one, and off all discards where
those say little.
"""

from __future__ import annotations

import numpy as np

from boardwright.cbr.retrieval import ANY_GROUP
from boardwright.games.race.scout.base import CaseBase
from boardwright.games.race.scout.features import PASS
from boardwright.games.race.scout.model import DESIGN_OF_ID, TYPE_DISCARD
from boardwright.games.race.scout.payment import card_bits, give_away
from boardwright.games.race.scout.record import Records
from boardwright.games.race.scout.thought import Asked, Thought, retrieved

PRIOR = 4.0
SHOWN = 7


class DiscardReasoner:
    def __init__(self, base: CaseBase, records: Records) -> None:
        self.base = base
        self.seen, self.gone = card_bits(records["options"]), card_bits(records["choice"])
        self.overall = (self.gone.sum(0) + 1.0) / (self.seen.sum(0) + 2.0)

    def think(self, asked: Asked, *, left_out: int = ANY_GROUP) -> Thought:
        problem = asked.problem
        designs = sorted({DESIGN_OF_ID[option] for option in problem.options if isinstance(option, int)})
        found = self.base.retrieve(asked.indexed, designs, left_out=left_out)
        near = found.places
        seen, gone = self.seen[near].sum(0), self.gone[near].sum(0)
        likelihood = (gone + PRIOR * self.overall) / (seen + PRIOR)
        choice = give_away(problem, likelihood, problem.minimum)
        cases = retrieved(self.base.memory, TYPE_DISCARD, found, [PASS] * len(near))
        told = int(np.count_nonzero(seen[designs]))
        return Thought(
            choice,
            tuple(
                ((card,), float(likelihood[DESIGN_OF_ID[card]]))
                for card in sorted(set(problem.me.hand))
                if card in problem.options
            ),
            cases[:SHOWN],
            note=f"how often discarded in the {len(near)} nearest of {len(self.base):,} discards, which tell about"
            f" {told} of {len(designs)} cards",
        )
