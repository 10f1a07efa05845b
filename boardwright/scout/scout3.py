"""SCOUT3: SCOUT2 with a case base that it keeps up itself."""

from __future__ import annotations

import random

from boardwright.agents import param
from boardwright.cbr.gamelog import GameLog
from boardwright.cbr.lifecycle import Policy, Promotion
from boardwright.errors import BadSpec
from boardwright.scout.cases.files import DEFAULT
from boardwright.scout.controller import KEPT_UP, Controller, controller_for, log_lesson, log_thought
from boardwright.scout.problems.problem import Choice, Problem
from boardwright.scout.reasoners.all_reasoners import Reasoning, Settings
from boardwright.scout.reasoners.recommendation import Asked, Thought
from boardwright.scout.scout2 import Scout2


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
