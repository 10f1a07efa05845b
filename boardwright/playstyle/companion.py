"""A companion: plays so that the others keep a chosen chance to win, instead of playing to win.

Another agent says what actions are worth against somebody who plays well. Random playouts say what they are worth
between two who do not. How much of each is true depends on the others: the companion counts what they give away, the
value of its best action now less that of the action it played last. Against an equal that is nothing on average.

In each game it either plays to win or yields. A number that is drawn once per game decides which, so that it does not
win a game in the end that it had begun to give away: the weaker the others are, the more games it has to yield in. To
yield is to take the worst action that it knows enough of, for the others as they are. What that gives away at a
decision is bounded, and told; and where it is behind already, it plays its best.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from boardwright.agents import Agent, Decision, param
from boardwright.agents.levels import STRONG, levels
from boardwright.kernel import Code, Observation
from boardwright.playstyle.worth import values
from boardwright.registry import make_agent
from boardwright.search.game_clock import decisions_code, decisions_left

FEWEST_VISITS = 3
"""Actions with fewer are not considered."""
PLAIN_PLAYOUTS = 300
DOUBT = 0.1
"""As if it had watched the others in so large a part of the game before."""
EXPECTED = 0.25
"""What the others are taken to have given away in a whole game before it watched them."""
GENTLE = 0.5
"""The bound is multiplied by the weakness of the others to this power: to those who may be strong it yields little."""
BEHIND = 0.15
"""With less than this chance it does not yield."""
YIELDED = 0.08
"""The chance to win that is left in games in which it yields."""


@dataclass
class Gifts:
    """What the others have given away in a game, in chances to win."""

    total: float = 0.0
    decisions: int = 0
    played: float | None = None
    """The value of the action that was played last."""

    def notice(self, best: float) -> None:
        """The best action is worth this now."""
        if self.played is not None:
            self.total += best - self.played
            self.decisions += 1

    def in_whole_game(self, decisions_left: float) -> float:
        """If the others go on like this."""
        decisions = self.decisions + decisions_left
        before = DOUBT * decisions
        return (self.total * decisions + EXPECTED * before) / (self.decisions + before)


def share_to_win(aim: float, gifts: float, even: float) -> float:
    """The share of games in which to play to win, so that as many are won as aimed at."""
    winning = min(max(even + gifts, YIELDED + 0.01), 1.0)
    return min(max((aim - YIELDED) / (winning - YIELDED), 0.0), 1.0)


class Companion(Agent):
    """Aims at a chosen win chance of the others by playing no better than needed."""

    agent: str = param("", "the spec of the agent that says what actions are worth; default: the level `strong`")
    win_chance: float | None = param(
        None, "the chance to win that each of the others is to have; default: the same for all seats", gt=0, lt=1
    )
    bound: float = param(
        0.4, "the most that is given away at a decision, in parts of the range of the returns", ge=0, le=1
    )

    def prepare(self) -> None:
        self._sit_at(self.game.seats[0])
        self._begin()

    def _begin(self) -> None:
        self._gifts = Gifts()
        self._drawn = random.Random(self.seed).random()

    def _sit_at(self, seats: int) -> None:
        spec = self.agent or levels(self.game, seats)[STRONG]
        self._inner = make_agent(spec, self.game, self.seat, seed=self.seed)
        plain = f"flat:iterations={PLAIN_PLAYOUTS},playout=random,plies=-1"
        self._plain = make_agent(plain, self.game, self.seat, seed=self.seed)

    def needs(self) -> Sequence[Code]:
        return [*self._inner.needs(), *self._plain.needs(), *decisions_code(self.game)]

    def check_seats(self, seats: int) -> None:
        self._sit_at(seats)
        self._inner.check_seats(seats)

    def start_game(self, observation: Observation) -> None:
        self._begin()
        self._inner.start_game(observation)
        self._plain.start_game(observation)

    def observe_action(self, seat: int, action: int, observation: Observation) -> None:
        self._inner.observe_action(seat, action, observation)

    def end_game(self, observation: Observation, returns: Sequence[float], scores: Sequence[float]) -> None:
        self._inner.end_game(observation, returns, scores)

    def close(self) -> None:
        self._inner.close()
        self._plain.close()

    def decide(self, observation: Observation) -> Decision:
        decision = self._inner.decide(observation)
        enough = [reason for reason in decision.reasons if reason.visits is None or reason.visits >= FEWEST_VISITS]
        known = values(enough, self.game, 0.0)
        if not known:
            return decision
        best = max(known.values())
        self._gifts.notice(best)
        left = decisions_left(self.game, observation, self.rng_state(observation))
        gifts, even, aim = self._gifts.in_whole_game(left), 1 / observation.seats, self.aim(observation.seats)
        yields = self._drawn > share_to_win(aim, gifts, even)
        action = self._yielding(observation, known, gifts) if yields else None
        action = decision.action if action is None else action
        self._gifts.played = known.get(action, best)
        given_away = best - known.get(action, best)
        steers = f"yields, gives away {given_away:.1%}" if action != decision.action else "plays its best"
        summary = f"{decision.summary}; aims at {aim:.2f} for itself, has {best:.2f}, {steers}"
        chosen = Decision(action, decision.reasons, summary)
        chosen.best = action == decision.action
        return chosen

    def _yielding(self, observation: Observation, known: Mapping[int, float], gifts: float) -> int | None:
        """The worst action within the bound, for others who give away so much; None if it is behind already."""
        best, weakness = max(known.values()), min(max(gifts, 0.0), 1.0)
        bound = self.bound * weakness**GENTLE
        chances = {action: value for action, value in known.items() if best - value <= bound + 1e-12}
        if weakness > 0:
            plain = values(self._plain.decide(observation).reasons, self.game, 0.0)
            chances = {
                action: (1 - weakness) * value + weakness * plain.get(action, value)
                for action, value in chances.items()
            }
        if max(chances.values()) < BEHIND:
            return None
        return min(chances, key=lambda action: (chances[action], action))

    def aim(self, seats: int) -> float:
        """The chance that it wants for itself."""
        return 1 - (seats - 1) * (self.win_chance or 1 / seats)

    @classmethod
    def label(cls) -> str:
        return "companion"
