"""SCOUT as agents: the second version, and what all versions share."""

from __future__ import annotations

import random
from typing import ClassVar, Literal

from boardwright.agents import Agent, Decision, Reason, param
from boardwright.cbr.gamelog import GameLog
from boardwright.cbr.lifecycle import Policy, Promotion
from boardwright.errors import BadSpec, IllegalAction
from boardwright.games.race.scout.cases.library import DEFAULT
from boardwright.games.race.scout.controller import KEPT_UP, Controller, controller_for, log_lesson, log_thought
from boardwright.games.race.scout.problems.answering import answer
from boardwright.games.race.scout.problems.from_view import problem_of
from boardwright.games.race.scout.problems.model import SEATS, Choice, Problem
from boardwright.games.race.scout.problems.steps import begins, next_step
from boardwright.games.race.scout.reasoners.explain import decision_of
from boardwright.games.race.scout.reasoners.head import MODULE_OF_TYPE, REST, Head, module_of
from boardwright.games.race.scout.reasoners.reasoning import Reasoning, Settings, SimilarityName, reasoning_for
from boardwright.games.race.scout.reasoners.thought import Asked, Picking, Retrieved, Thought
from boardwright.kernel import Observation
from boardwright.registry import make_agent

OWN = "cases"
PARTNER = "netsearch"
"""Who decides what SCOUT does not; the dissertation asked its opponent's program."""


class ScoutAgent(Agent):
    """What all versions share: the whole choice is made once, and modules can be given to other agents."""

    games: ClassVar[tuple[str, ...]] = ("race",)

    def prepare(self) -> None:
        self._partners: dict[str, Agent] = {}
        self._last: tuple[Problem, Thought] | None = None
        self.asked: Asked | None = None

    @property
    def last_thought(self) -> Thought | None:
        """What it thought of the last decision that was its own."""
        return self._last[1] if self._last else None

    def source_of(self, case: Retrieved) -> str:
        """The game a retrieved case comes from."""
        return f"game {case.group}"

    def spec_for(self, module: str) -> str:
        """Who decides in a module: OWN, or the spec of another agent."""
        raise NotImplementedError

    def think(self, asked: Asked) -> Thought:
        raise NotImplementedError

    def decide(self, observation: Observation) -> Decision:
        legal = observation.legal_actions()
        if len(legal) == 1:
            return Decision(legal[0], (Reason(legal[0]),), "the only legal action")
        problem = problem_of(observation)
        module = module_of(problem)
        spec = self.spec_for(module)
        if self._last is None or self._last[0] != problem or begins(observation):
            self.asked = Asked(problem)
            if spec == OWN:
                thought = self.think(self.asked)
            else:  # asked by the problem, as over the wire: the same game in process and through a socket
                thought = Thought(answer(self.partner(module, spec), problem), note=f"left to {spec}")
            self._last = problem, thought
        thought = self._last[1]
        try:
            step = next_step(observation, thought.choice)
        except IllegalAction:  # somebody else has taken the first steps, and others
            return self.partner(REST, PARTNER).decide(observation)
        return decision_of(observation, step, problem, thought)

    def check_seats(self, seats: int) -> None:
        if seats != SEATS:
            raise BadSpec(f"agent {type(self).label()!r}: SCOUT plays race with {SEATS} players, not {seats}")
        for module in {*MODULE_OF_TYPE.values(), REST}:
            if (spec := self.spec_for(module)) != OWN:
                self.partner(module, spec).check_seats(seats)

    def partner(self, module: str, spec: str) -> Agent:
        """The agent that decides in a module."""
        if module not in self._partners:
            if spec.partition(":")[0] == type(self).label():
                raise BadSpec(f"agent {type(self).label()!r}: {module}={spec} would ask itself")
            self._partners[module] = make_agent(spec, self.game, self.seat, seed=self.seed)
        return self._partners[module]


class Scout2(ScoutAgent):
    """SCOUT2: reasons from cases of won games; any of its modules can be given to another agent."""

    library: str = param(DEFAULT, "the case library: a file, or `default`")
    placement: str = param(OWN, "who places cards: `cases`, or another agent's spec")
    phase: str = param(OWN, "who chooses actions")
    payment: str = param(OWN, "who chooses cards to pay with")
    discard: str = param(OWN, "who chooses discards")
    rest: str = param(PARTNER, "who trades, consumes, gambles and produces on windfall worlds: an agent's spec")
    weights: str = param("learned", "feature weights: a profile of the package, or a .json file")
    k: int = param(0, "cases to retrieve; 0: as the profile says", ge=0, le=200)
    stages: int = param(2, "1: only cases whose card is at hand; 2: the most similar card at hand instead", ge=1, le=2)
    similarity: SimilarityName = param("combined", "what makes cards similar: facts, confusions, or both combined")
    choice: Literal["proportional", "best"] = param("best", "how one of the k solutions is picked")
    hypothetical: bool = param(False, "ask what would be placed, to tell Develop from Settle")
    generalise: bool = param(True, "compare groups of cards, not single cards, when choosing actions")
    auxiliary: bool = param(True, "use derived features when choosing actions")
    windows: bool = param(True, "compare only cases of the same stage of the game when choosing actions")
    offered: bool = param(True, "judge every option by how often it was taken where it was offered")
    impressions: bool = param(True, "use the weights that were fitted to the choices of the library")
    negative: str = param("", "a library of lost games (`cases build --losers`): what losers chose counts against")
    against: float = param(0.5, "how much it does", ge=0, le=4)
    rules: str = param("placeable+goods+producers", "expert rules beside the cases: names joined by +, or none")

    def prepare(self) -> None:
        super().prepare()
        picking: Picking = self.choice
        settings = Settings(
            weights=self.weights,
            k=self.k,
            stages=self.stages,
            similarity=self.similarity,
            picking=picking,
            hypothetical=self.hypothetical,
            generalise=self.generalise,
            auxiliary=self.auxiliary,
            windows=self.windows,
            rules=self.rules,
            offered=self.offered,
            impressions=self.impressions,
            negative=self.negative,
            against=self.against,
        )
        self.head = Head(self.reasoners(settings), self.seed)
        if self.rest == OWN:
            raise BadSpec(f"agent {type(self).label()!r}: rest={OWN}: there is no reasoner for the rest; name an agent")

    def reasoners(self, settings: Settings) -> Reasoning:
        return reasoning_for(self.library, settings)

    def spec_for(self, module: str) -> str:
        return self.rest if module == REST else str(getattr(self, module))

    def think(self, asked: Asked) -> Thought:
        return self.head.think(asked)

    def source_of(self, case: Retrieved) -> str:
        return self.head.reasoning.library.source(case.group)


class Scout3(Scout2):
    """SCOUT3: SCOUT2 with a case base that it keeps up itself. With `learn` each finished game it is told of counts."""

    learn: bool = param(False, "learn from games, in a library file (`boardwright scout run` does)")
    room: int = param(1000, "how many cases a base may have more than it began with", ge=0)
    wing: int = param(100, "how many cases can wait in the wing of a base", ge=0)
    grace: int = param(40, "a case is judged only when it was used more often than this", ge=0)
    margin: float = param(0.3, "how far below its class, as a share, a case may be", ge=0, le=1)
    sure: float = param(0.0, "by how many standard errors more, before it leaves; 0: as described", ge=0)
    promote: Promotion = param("game", "when cases of the wing come in: after every game, or at the end of an era")
    relearn: bool = param(False, "fit first impressions anew for every era")

    def prepare(self) -> None:
        self.controller: Controller | None = None
        super().prepare()
        self.log = GameLog()

    def reasoners(self, settings: Settings) -> Reasoning:
        if not self.learn:
            return super().reasoners(settings)
        if self.library == DEFAULT:
            raise BadSpec("agent 'scout3': learn=true needs library=FILE; `boardwright scout run` makes one")
        self.controller = controller_for(
            self.library,
            settings,
            Policy(
                room=self.room,
                wing=self.wing,
                grace_retrievals=self.grace,
                margin=self.margin,
                sure=self.sure,
                promote=self.promote,
            ),
            self.relearn,
        )
        return self.controller.reasoning

    def check_seats(self, seats: int) -> None:
        super().check_seats(seats)
        if self.learn:
            raise BadSpec(
                "agent 'scout3': a match does not learn; leave out learn=true, or use `boardwright scout run`"
            )

    def think(self, asked: Asked) -> Thought:
        if self.controller is None:
            return super().think(asked)
        with self.controller.lock:
            self.head.reasoning = self.controller.reasoning
            thought = super().think(asked)
        log_thought(self.log, asked, thought)
        return thought

    def watch(self, problem: Problem, choice: Choice) -> None:
        """See what the opponent chose, now that the game is over and its cards are on the table."""
        if self.controller is not None and problem.type in KEPT_UP:
            asked = Asked(problem)
            with self.controller.lock:
                log_lesson(self.log, asked, self.controller.reasoning.choose(asked, random.Random(0)), choice)

    def game_over(self, won: bool, score: float, opponent: float, name: str = "played") -> None:
        """The end of a game, which counts for learning."""
        if self.controller is not None:
            self.controller.game_over(self.log, won, score, opponent, name)
        self.log = GameLog()
