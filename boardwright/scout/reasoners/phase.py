"""The phase reasoner: which action to choose.

It retrieves cases of action choices from the same stage of the game. Votes for Develop and for Settle are put together
and divided anew by asking the placement reasoner: if the phase came now, would it place a development or a world? For
that it makes up the two placement problems, retrieves the nearest cases of each, and keeps the nearest of both.
"""

from __future__ import annotations

import random
from collections import Counter

from boardwright.cbr.memory import Memory
from boardwright.cbr.retrieval import ANY_GROUP
from boardwright.games.race.cards import DESIGNS
from boardwright.games.race.state import DEVELOP_ACTION, ROUND_ACTIONS, SETTLE_ACTION
from boardwright.scout.cases.features import PASS
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE
from boardwright.scout.reasoners.base import CaseBase
from boardwright.scout.reasoners.expert_rules import Rule, useless_actions
from boardwright.scout.reasoners.hypothetical import placement_problem
from boardwright.scout.reasoners.placement import PlacementReasoner
from boardwright.scout.reasoners.policy_network import Impressions
from boardwright.scout.reasoners.recommendation import Asked, Picking, Retrieved, Thought, pick, retrieved, shares

PLACING = (DEVELOP_ACTION, SETTLE_ACTION)
_ACTION_OF = {TYPE_DEVELOP: DEVELOP_ACTION, TYPE_SETTLE: SETTLE_ACTION}


class PhaseReasoner:
    def __init__(
        self,
        base: CaseBase,
        placement: PlacementReasoner,
        *,
        hypothetical: bool = True,
        rules: list[Rule],
        picking: Picking = "proportional",
        impressions: Impressions | None = None,
    ) -> None:
        self.base = base
        self.impressions = impressions
        self.placement = placement
        self.hypothetical = hypothetical
        self.rules = rules
        self.picking: Picking = picking

    def think(self, asked: Asked, chance: random.Random, *, left_out: int = ANY_GROUP) -> Thought:
        options = [option for option in asked.problem.options if isinstance(option, int)]
        found = self.base.retrieve(self.seen(asked), ROUND_ACTIONS, left_out=left_out)
        actions = self.base.memory.classes[found.places].tolist()
        votes: Counter[int] = Counter(actions)
        placed: tuple[Retrieved, ...] = ()
        if self.hypothetical and any(votes[action] for action in PLACING):
            placed = self._hypothetical(asked, left_out)
            votes = _divided(votes, placed)
        useless = useless_actions(self.rules, asked)
        kept = Counter({action: votes[action] for action in votes if action not in useless and action in options})
        blind = not kept
        if blind:
            kept = Counter({action: 1 for action in options if action not in useless} or dict.fromkeys(options, 1))
        chosen = pick(kept, self.picking, chance)
        memory = self.base.memory

        def note() -> str:
            notes = [f"{len(actions)} cases of this stage"]
            if placed:
                notes.append(_what_would_be_placed(placed))
            if blind:
                notes.append("no case left to go by: any action that does something")
            elif len(kept) < len(votes):
                notes.append("expert rules left some out")
            return "; ".join(notes)

        return Thought(
            (chosen,),
            tuple(((action,), share) for action, share in shares(kept)),
            lambda: (*retrieved(memory, TYPE_ACTION, found, actions), *placed),
            chosen,
            note,
        )

    def seen(self, asked: Asked) -> Memory:
        """The problem, indexed as its case base is."""
        return asked.indexed if self.impressions is None else self.impressions.seen(asked.indexed)

    def _hypothetical(self, asked: Asked, left_out: int) -> tuple[Retrieved, ...]:
        """The nearest placement cases of both phases together."""
        found: list[Retrieved] = []
        for kind in (TYPE_DEVELOP, TYPE_SETTLE):
            problem = placement_problem(asked.problem, kind)
            if problem is not None and len(self.placement.bases[kind]):
                found += self.placement.matches(Asked(problem), left_out=left_out)
        found.sort(key=lambda case: case.distance)
        return tuple(found[: self.base.profile.k])


def _divided(votes: Counter[int], placed: tuple[Retrieved, ...]) -> Counter[int]:
    """The votes for both placing actions, shared out as the placements would be. Cases that place nothing count for
    neither, unless there are no others."""
    together = sum(votes[action] for action in PLACING)
    weights = Counter(_ACTION_OF[case.kind] for case in placed if case.adapted != PASS)
    total = sum(weights.values())
    if not total:
        return votes
    divided = Counter({action: number for action, number in votes.items() if action not in PLACING})
    for action, weight in weights.items():
        divided[action] = together * weight / total  # type: ignore[assignment]  # votes may be parts of one
    return divided


def _what_would_be_placed(placed: tuple[Retrieved, ...]) -> str:
    names = Counter("nothing" if case.adapted == PASS else DESIGNS[case.adapted].name for case in placed)
    return "would place " + ", ".join(f"{name} ({number})" for name, number in names.most_common(3))
