"""SCOUT3: SCOUT2 that learns from its games, with a case base that it maintains itself."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from boardwright.agents import param
from boardwright.agents.base import checked_params
from boardwright.cbr.maintenance import MaintenancePolicy, Promotion
from boardwright.cbr.retain import GameTrace
from boardwright.errors import BadSpec
from boardwright.kernel import Code, Game, Observation
from boardwright.scout.cases.building import has_choice
from boardwright.scout.cases.files import DEFAULT
from boardwright.scout.controller import MAINTAINED, CaseController, trace_judged, trace_observed, trace_solved
from boardwright.scout.problems.from_observation import problem_of
from boardwright.scout.problems.steps import completed_choice
from boardwright.scout.reasoners.all_reasoners import Reasoners
from boardwright.scout.reasoners.placement import solution_of
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation
from boardwright.scout.reasoners.settings import PRESETS, Settings
from boardwright.scout.scout2 import Scout2
from boardwright.scout.scout_agent import choice_of_partner

PER_BASE = "one number, or three as 300/60/100 for actions, developments, worlds"
_DIGITS = 13
Credit = Literal["game", "critic"]
CRITIC = "critic"


_WITH_PROOF: dict[str, Any] = {
    "standard_errors": 2,
    "grace": "10",
    "margin": 0.1,
    "promote": "era",
    "max_growth": "1000000",
    "candidates": "100000",
}
"""No case is removed without proof."""
OBSERVING = {"retrain": True, **_WITH_PROOF}
"""For learning from whoever wins."""
CRITICISED = {"weights": "gradient", "policy_network": False, "credit": CRITIC, "near_ties": 0.1, **_WITH_PROOF}
"""For learning from its own games alone: a critic's search says which of its decisions become cases, and which cases
advise well. Among near ties it draws, so that more cases show what they are worth."""


class Scout3(Scout2):
    """SCOUT3: SCOUT2 that learns from its games, in `boardwright scout run` and `scout serve`."""

    seat_counts: ClassVar[tuple[int, ...]] = (2,)
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {**PRESETS, "observing": OBSERVING, "criticised": CRITICISED}

    learn: bool = param(False, "learn from games, in a store; for `boardwright scout serve`")
    max_growth: str = param("1000", f"how many cases a base may have more than it began with; {PER_BASE}")
    candidates: str = param(
        "100", f"how many candidate cases can wait for a place in a base; {PER_BASE}", advanced=True
    )
    grace: str = param(
        "40", f"a case is judged only when it was retrieved more often than this; {PER_BASE}", advanced=True
    )
    grace_eras: str = param("3", f"and when it has been there for so many eras; {PER_BASE}", advanced=True)
    rare: int = param(
        3, "cases retrieved less often than this leave after their grace, but for exceptional ones", ge=0, advanced=True
    )
    margin: float = param(0.3, "how far below its class, as a share, a case may be", ge=0, le=1, advanced=True)
    standard_errors: float = param(0.0, "by how many standard errors more, before it is removed", ge=0, advanced=True)
    promote: Promotion = param(
        "game", "when candidates come in: after every game, or at the end of an era", advanced=True
    )
    most_removed: float = param(
        0.25, "the largest share of a base that the end of an era removes, the worst first", gt=0, le=1, advanced=True
    )
    credit: Credit = param("game", "what a case is credited by: the result of the game, or a critic's search")
    critic: str = param(
        "netsearch", "the critic, where credit=critic: a case is right if it advises what this one does", advanced=True
    )
    near_ties: float = param(
        0.0,
        "while learning, draw among options whose share of the votes is at most this much below the best",
        ge=0,
        le=1,
        advanced=True,
    )
    retrain: bool = param(False, "train the policy network again for every era")

    def __init__(
        self, game: Game, seat: int, *, seed: int = 0, controller: CaseController | None = None, **params: Any
    ) -> None:
        self.controller = controller
        """Its case base open for learning. Agents of several games share it."""
        self.revealed: Sequence[tuple[Observation, int]] = ()
        """What the opponent saw and chose. It is read when the game is over and all cards are on the table."""
        super().__init__(game, seat, seed=seed, **params)

    def prepare(self) -> None:
        if self.learn and self.controller is None:
            store_of({"case_base": self.case_base})  # which says so if there is none
            raise BadSpec(
                "agent 'scout3': a match does not learn; leave out learn=true, or use `boardwright scout run`"
            )
        super().prepare()
        self.trace = GameTrace()

    def needs(self) -> Sequence[Code]:
        own = super().needs()
        return [*own, *self.partner(CRITIC, self.critic).needs()] if self.credit == CRITIC else own

    def check_seats(self, seats: int) -> None:
        super().check_seats(seats)
        if self.credit == CRITIC:
            self.partner(CRITIC, self.critic).check_seats(seats)

    def make_reasoners(self) -> Reasoners:
        return super().make_reasoners() if self.controller is None else self.controller.reasoners

    def start_game(self, observation: Observation) -> None:
        self.trace = GameTrace()

    def reason(self, indexed: IndexedProblem) -> Recommendation:
        if self.controller is None:
            return super().reason(indexed)
        with self.controller.lock:
            self.reasoners = self.controller.reasoners
            recommendation = super().reason(indexed)
        if self.near_ties and indexed.problem.type in MAINTAINED and recommendation.votes:
            recommendation = self._drawn_among_near_ties(indexed, recommendation)
        if self.credit == CRITIC:
            found = choice_of_partner(self.partner(CRITIC, self.critic), indexed)
            trace_judged(self.trace, self.reasoners, indexed, recommendation, found)
        else:
            trace_solved(self.trace, self.reasoners, indexed, recommendation)
        return recommendation

    def _drawn_among_near_ties(self, indexed: IndexedProblem, recommendation: Recommendation) -> Recommendation:
        """Cases that are never followed never show what they are worth."""
        best = max(share for _, share in recommendation.votes)
        near = [choice for choice, share in recommendation.votes if share >= best - self.near_ties]
        drawn = self.rngs.rng_for(indexed).choice(near)
        return recommendation.choosing(drawn, solution_of(indexed.problem.type, drawn))

    def end_game(self, observation: Observation, returns: Sequence[float], scores: Sequence[float]) -> None:
        """Learn from the game. A tie has no winner and gives no cases, as when a case base is built."""
        if self.controller is None:
            return
        mine, theirs = returns[self.seat], returns[1 - self.seat]
        won = None if mine == theirs else mine > theirs
        if won is False:
            self._observe_opponent()
        self.controller.end_game(self.trace, won, scores[self.seat], scores[1 - self.seat])
        self.trace = GameTrace()

    def _observe_opponent(self) -> None:
        """Trace what the opponent chose where there was a choice."""
        assert self.controller is not None
        for observation, action in self.revealed:
            problem, choice = problem_of(observation), completed_choice(observation, action)
            if choice is not None and has_choice(problem) and problem.type in MAINTAINED:
                indexed = IndexedProblem(problem)
                with self.controller.lock:
                    recommendation = self.controller.reasoners.reason(indexed, random.Random(0))
                trace_observed(self.trace, self.controller.reasoners, indexed, recommendation, choice)


def store_of(params: Mapping[str, Any]) -> Path:
    """The store in which agents with these parameters learn."""
    name = checked_params(Scout3, dict(params))["case_base"]
    if name == DEFAULT:
        raise BadSpec("agent 'scout3': learn=true needs case_base=FILE; `boardwright scout run` makes one")
    return Path(name)


def one_per_base(name: str, text: str) -> dict[int, int]:
    """A number for each of the case bases: "100" for all, or "300/60/100"."""
    words = text.split("/")
    if len(words) not in (1, len(MAINTAINED)) or not all(word.isdecimal() and len(word) < _DIGITS for word in words):
        raise BadSpec(f"agent 'scout3': {name}={text}: should be a whole number, or three as 300/60/100")
    numbers = [int(word) for word in words]
    return dict(zip(MAINTAINED, numbers * len(MAINTAINED) if len(numbers) == 1 else numbers, strict=False))


def open_controller(params: Mapping[str, Any], source: str, *, games_per_era: int = 0) -> CaseController:
    """The controller for agents with these parameters of scout3, which are handed it. `source` names their games;
    `games_per_era`: when it ends eras by itself."""
    checked = checked_params(Scout3, dict(params))
    if checked["space"] == "learned":
        raise BadSpec("agent 'scout3': space=learned: a case base that is maintained is compared by its features")
    sizes = {name: one_per_base(name, checked[name]) for name in ("max_growth", "candidates", "grace", "grace_eras")}
    policies = {
        base: MaintenancePolicy(
            max_growth=sizes["max_growth"][base],
            max_candidates=sizes["candidates"][base],
            grace_retrievals=sizes["grace"][base],
            grace_eras=sizes["grace_eras"][base],
            rare_retrievals=checked["rare"],
            margin=checked["margin"],
            standard_errors=checked["standard_errors"],
            promote=checked["promote"],
            most_removed=checked["most_removed"],
        )
        for base in MAINTAINED
    }
    return CaseController(
        store_of(params),
        Settings.of(checked),
        policies,
        retrain=checked["retrain"],
        source=source,
        games_per_era=games_per_era,
    )
