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
        self._taken: list[str] = []
        """The steps of the choice under way: several where a set is chosen, of which the costliest is talked about."""
        self._worst: tuple[Decision, Observation] | None = None

    def started(self, state: State, agents: Sequence[Agent]) -> None:
        self._people = {seat for seat, agent in enumerate(agents) if agent.interactive}
        for seat in self._people:
            agents[seat].answers = {"w": self.why, "why": self.why}  # type: ignore[attr-defined]
        game = state.game
        spec = evaluator_spec(game, state.seats, hidden=state.has_hidden_information)
        self._evaluator = make_evaluator(spec, game, state.seats)
        make_ready(needs(self._evaluator))

    def decided(self, state: State, seat: int, observation: Observation, decision: Made) -> None:
        if seat not in self._people or self._quiet() or self._evaluator is None:
            return
        self._taken.append(state.game.describe(observation, decision.action))
        if not decision.forced:
            judged = self._judged(self._evaluator, state, observation, decision.action)
            if self._worst is None or judged[0].analysis.proven_loss > self._worst[0].analysis.proven_loss:
                self._worst = judged
        if _set_goes_on(state, seat, decision.action):
            return
        if self._worst is not None:
            self._say(self._worst[0])
            self._last = self._worst
        self._taken, self._worst = [], None

    def _judged(
        self, evaluator: Evaluator, state: State, observation: Observation, action: int
    ) -> tuple[Decision, Observation]:
        budget = replace(evaluator.budget, most=min(evaluator.budget.most, LIVE_DETERMINIZATIONS))
        with self._console.status("the coach looks at it"):
            found = analyse(evaluator, observation, action, budget)
        texts = {option: state.game.describe(observation, option) for option in observation.legal_actions()}
        better = "" if found.better is None else texts[found.better]
        kind = kind_of(state.game, state, action)
        return Decision(0, observation.seat, kind, "", texts[action], better, found, texts), observation

    def _say(self, decision: Decision) -> None:
        if not decision.analysis.is_mistake:
            self._console.print("[dim]Coach: nothing is known to be lost by that.[/]", highlight=False)
            return
        better = f"not to {decision.text}" if decision.better in self._taken else decision.better
        self._console.print(
            f"[yellow]Coach: {escape(decision.text)} cost {100 * decision.analysis.loss:.0f} ±"
            f" {100 * decision.analysis.standard_error:.1f} points; better: {escape(better)}[/] [dim](w: why?)[/]",
            highlight=False,
        )

    def taken_back(self, state: State, moves: int) -> None:
        self._last, self._taken, self._worst = None, [], None

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


def _set_goes_on(state: State, seat: int, action: int) -> bool:
    """Whether the action is a step of a set, and not the last."""
    find = state.game.text.set_choice
    if find is None or find(state.record) is None:
        return False
    after = state.copy()
    after.apply(action)
    if after.is_terminal or after.player != seat:
        return False
    following = find(after.record)
    return following is not None and following.begun
