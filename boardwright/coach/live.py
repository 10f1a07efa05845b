"""The coach at the table: what a decision cost is shown after it was made, and never before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.markup import escape

from boardwright.agents import Agent
from boardwright.agents import Decision as Made
from boardwright.arena.loop import Listener
from boardwright.coach.analysis import analyse
from boardwright.coach.evaluators import Evaluator, evaluator_spec, make_evaluator, needs
from boardwright.coach.narration import Narration
from boardwright.coach.review import Decision, kind_of
from boardwright.kernel import Observation, State
from boardwright.kernel.ready import make_ready

LIVE_DETERMINIZATIONS = 256
"""The most determinizations in which a loss is measured while somebody waits."""


class LiveCoach(Listener):
    """Judges the decisions of people, each after it was made; `w` at the next question tells why."""

    def __init__(self, console: Console, quiet: Any = lambda: False) -> None:
        self._console, self._quiet = console, quiet
        self._evaluator: Evaluator | None = None
        self._people: set[int] = set()
        self._last: tuple[Decision, Observation] | None = None

    def started(self, state: State, agents: Sequence[Agent]) -> None:
        self._people = {seat for seat, agent in enumerate(agents) if agent.interactive}
        for seat in self._people:
            agents[seat].answers = {"w": self.why, "why": self.why}  # type: ignore[attr-defined]
        game = state.game
        spec = evaluator_spec(game, state.seats, hidden=state.has_hidden_information)
        self._evaluator = make_evaluator(spec, game, state.seats)
        make_ready(needs(self._evaluator))

    def decided(self, state: State, seat: int, observation: Observation, decision: Made) -> None:
        if seat not in self._people or decision.forced or self._quiet() or self._evaluator is None:
            return
        budget = self._evaluator.budget
        budget = replace(budget, most=min(budget.most, LIVE_DETERMINIZATIONS))
        with self._console.status("the coach looks at it"):
            found = analyse(self._evaluator, observation, decision.action, budget)
        texts = {option: state.game.describe(observation, option) for option in observation.legal_actions()}
        better = "" if found.better is None else texts[found.better]
        kind = kind_of(state.game, state, decision.action)
        self._last = Decision(0, seat, kind, "", texts[decision.action], better, found, texts), observation
        if found.is_mistake:
            self._console.print(
                f"[yellow]Coach: {escape(texts[decision.action])} cost {100 * found.loss:.0f} ±"
                f" {100 * found.standard_error:.1f} points; better: {escape(better)}[/] [dim](w: why?)[/]",
                highlight=False,
            )
        else:
            self._console.print("[dim]Coach: nothing is known to be lost by that.[/]", highlight=False)

    def taken_back(self, state: State, moves: int) -> None:
        self._last = None

    def why(self) -> list[str]:
        """Sentences about the last decision."""
        if self._last is None or self._evaluator is None:
            return ["You have not decided anything yet."]
        decision, observation = self._last
        if not decision.analysis.is_mistake:
            return ["There is nothing to explain: no other option is known to be better."]
        narration = Narration(self._evaluator)
        with self._console.status("the coach plays it on"):
            found = narration.sentences(decision, observation)
        narration.close()
        return list(found)
