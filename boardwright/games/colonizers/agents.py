"""The thesis's simple opponents as agents."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from boardwright.agents import Decision, Reason
from boardwright.agents.policy import PolicyAgent
from boardwright.games.colonizers.policies import NOTES, advice
from boardwright.kernel import View


class Heuristic(PolicyAgent):
    """The thesis's rules of thumb; what they leave open is chosen at random."""

    policy: ClassVar[str] = "heuristic"

    def decide(self, view: View) -> Decision:
        decision = super().decide(view)
        legal = np.array(view.legal_actions(), np.int64)
        why, _ = advice(view.record, legal, len(legal))
        return replace(decision, reasons=(Reason(decision.action, note=NOTES[why]),))


class ThesisRandom(PolicyAgent):
    """The thesis's random player: like random, but two equal cards in hand count as two choices."""

    policy: ClassVar[str] = "thesis_random"
