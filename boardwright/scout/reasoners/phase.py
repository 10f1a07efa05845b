"""The phase reasoner: which action to choose.

It retrieves action choices from the same stage of the game. With `hypothetical`, votes for Develop and for Settle are
put together and divided again by asking the placement reasoner: if the phase came now, would it place a development or
a world? For that it makes up the two placement problems, retrieves the nearest cases of each, and keeps the nearest of
both. Where only one of the phases has something to place there is nothing to divide.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.index import CaseIndex
from boardwright.cbr.retrieval import NO_GROUP, Neighbours
from boardwright.cbr.reuse import Selection, select, vote_shares
from boardwright.games.race.cards import DESIGNS
from boardwright.games.race.state import DEVELOP_ACTION, ROUND_ACTIONS, SETTLE_ACTION
from boardwright.scout.cases.features import PASS
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE
from boardwright.scout.reasoners.expert_rules import Rule, useless_actions
from boardwright.scout.reasoners.hypothetical import placement_problem
from boardwright.scout.reasoners.learned_space import LearnedActions
from boardwright.scout.reasoners.placement import PlacementReasoner
from boardwright.scout.reasoners.policy_network import PolicyPriors
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation, RetrievedCase, retrieved_cases

PLACING = (DEVELOP_ACTION, SETTLE_ACTION)
_ACTION_OF = {TYPE_DEVELOP: DEVELOP_ACTION, TYPE_SETTLE: SETTLE_ACTION}
_NO_ACTION = 0
"""What a case that places nothing supports."""


class PhaseReasoner:
    def __init__(
        self,
        index: CaseIndex,
        placement: PlacementReasoner,
        *,
        hypothetical: bool = True,
        rules: list[Rule],
        selection: Selection = "proportional",
        policy_network: PolicyPriors | None = None,
        case_weight: float = 1.0,
        learned: LearnedActions | None = None,
    ) -> None:
        self.index = index
        self.learned = learned
        """The space in which near cases are looked for; None: that of the features."""
        self.policy_network = policy_network
        self.case_weight = case_weight
        self.placement = placement
        self.hypothetical = hypothetical
        self.rules = rules
        self.selection: Selection = selection

    def reason(self, indexed: IndexedProblem, rng: random.Random, *, exclude_group: int = NO_GROUP) -> Recommendation:
        options = [option for option in indexed.problem.options if isinstance(option, int)]
        found = self.retrieve(indexed, exclude_group)
        actions = self.index.case_base.classes[found.positions].tolist()
        votes: Counter[int] = Counter(actions)
        placed: tuple[RetrievedCase, ...] = ()
        if self.hypothetical and any(votes[action] for action in PLACING):
            placed = self._hypothetical(indexed, exclude_group)
            votes = _divided(votes, placed)
        useless = useless_actions(self.rules, indexed)
        kept = Counter({action: votes[action] for action in votes if action not in useless and action in options})
        without_votes, left_out = not kept, len(kept) < len(votes)
        if without_votes:
            kept = Counter({action: 1 for action in options if action not in useless} or dict.fromkeys(options, 1))
        if self.policy_network is not None and self.case_weight < 1:
            useful = [action for action in options if action not in useless] or options
            kept = self._with_priors(kept, useful, self.policy_network, indexed)
        chosen = select(kept, self.selection, rng)
        case_base = self.index.case_base

        def note() -> str:
            notes = [f"{len(actions)} cases of this stage"]
            if placed:
                notes.append(_what_would_be_placed(placed))
            if without_votes:
                notes.append("no vote is left: any action that does something")
            elif left_out:
                notes.append("expert rules left some out")
            if self.policy_network is not None and self.case_weight < 1:
                notes.append("together with the policy priors")
            return "; ".join(notes)

        return Recommendation(
            (chosen,),
            tuple(((action,), share) for action, share in vote_shares(kept)),
            lambda: (*retrieved_cases(case_base, TYPE_ACTION, found, actions), *placed),
            chosen,
            note,
        )

    def _with_priors(
        self, votes: Counter[int], options: list[int], network: PolicyPriors, indexed: IndexedProblem
    ) -> Counter[int]:
        """Votes together with policy priors. With a case weight of 0 the network decides alone; with 1 it has its say
        by what it makes near."""
        likely = network.probabilities(TYPE_ACTION, indexed.features)[0].tolist()
        shares, weight = dict(vote_shares(votes)), self.case_weight
        return Counter(
            {
                action: shares.get(action, 0.0) ** weight * likely[ROUND_ACTIONS.index(action)] ** (1 - weight)
                for action in options
            }
        )

    def retrieve(self, indexed: IndexedProblem, exclude_group: int) -> Neighbours:
        if self.learned is not None:
            return self.learned.nearest(indexed, exclude_group)
        return self.index.retrieve(self.features(indexed), ROUND_ACTIONS, exclude_group=exclude_group)

    def features(self, indexed: IndexedProblem) -> CaseBase:
        """The features of the problem, with those of the policy network if there is one."""
        if self.policy_network is None:
            return indexed.features
        return self.policy_network.with_policy_features(indexed.features)

    def _hypothetical(self, indexed: IndexedProblem, exclude_group: int) -> tuple[RetrievedCase, ...]:
        """The nearest placement cases of both phases together; none if one of them has nothing to place."""
        found: list[RetrievedCase] = []
        for kind in (TYPE_DEVELOP, TYPE_SETTLE):
            problem = placement_problem(indexed.problem, kind)
            if problem is None:
                return ()
            found += self.placement.retrieve(IndexedProblem(problem), exclude_group=exclude_group)
        found.sort(key=lambda case: case.distance)
        return tuple(
            replace(case, supports=_NO_ACTION if case.adapted == PASS else _ACTION_OF[case.kind])
            for case in found[: self.index.profile.k]
        )


def _divided(votes: Counter[int], placed: tuple[RetrievedCase, ...]) -> Counter[int]:
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


def _what_would_be_placed(placed: tuple[RetrievedCase, ...]) -> str:
    names = Counter("nothing" if case.adapted == PASS else DESIGNS[case.adapted].name for case in placed)
    return "would place " + ", ".join(f"{name} ({number})" for name, number in names.most_common(3))
