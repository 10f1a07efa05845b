"""A companion: plays so that the others keep a chosen chance to win, instead of playing to win.

Another agent says what actions are worth against somebody who plays as well. So between equals the chance to win goes
up and down with luck alone. Seen as the chance that a Brownian motion ends above zero, it says where that motion is
now; what the others give away is its drift, and what the companion gave away itself is added again. From where the
motion is and how it drifts follows how clearly the game would be won or lost by playing one's best to the end.

In each game it either plays to win or yields: a number that is drawn once per game is compared with the share of games
that are to be won, the smaller the more clearly this one would be. At first that rests on what opponents are like in
general, later on these.

To yield is to take the worst action, for the others as they are: where nothing is hidden and the others are weak,
random playouts have a say in what actions are worth. What that gives away at a decision is bounded, and told. Where it
is behind already, against others like these, it plays its best.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from boardwright.agents import AgentWrapper, Decision, param
from boardwright.agents.levels import adviser
from boardwright.errors import BadSpec
from boardwright.kernel import Code, Observation
from boardwright.playstyle.worth import values
from boardwright.registry import make_agent
from boardwright.search.game_clock import decisions_code, decisions_left

PLAIN_PLAYOUTS = 300
WEAK = 0.5
"""From this weakness of the others on, random playouts have a say."""
EXPECTED, DOUBT = 0.3, 1.2
"""The drift that others are taken to cause before it has watched them, and its standard deviation. The motion has a
standard deviation of 1 in a whole game."""
WINNING = 0.25, 1.1
"""The chance to win by playing one's best is that of a normal deviate below the first plus the second times the end."""
SURE = 0.99
"""A chance above this says no more than that it is so high."""
GENTLE = 0.5
"""The bound is multiplied by the weakness of the others to this power: to those who may be strong it yields little."""
BEHIND = 0.15
"""With less than this chance it does not yield."""
YIELDED = 0.1
"""The chance to win that is left in games in which it yields."""
GAIN = 0.2
"""What a game that was won too few in the series before adds to the chance aimed at in this one."""
_NORMAL = NormalDist()


@dataclass
class Course:
    """How a game goes for the companion."""

    start: float | None = None
    given: float = 0.0
    """What it gave away itself."""
    drift: float = EXPECTED
    end: float = EXPECTED
    """Where it would end if everybody went on like this; above 0 it wins."""

    def notice(self, chance: float, left: float) -> None:
        """Its best action has this chance, with such a part of the game left."""
        place = self._place(chance, left) + self.given
        self.start = place if self.start is None else self.start
        precision = DOUBT**-2
        drift = (EXPECTED * precision + place - self.start) / (precision + 1 - left)
        end = place + drift * left
        if 1 - SURE < chance < SURE or (end > self.end) == (chance > 0.5):
            self.drift, self.end = drift, end

    def give(self, best: float, chosen: float, left: float) -> None:
        self.given += self._place(best, left) - self._place(chosen, left)

    def against_these(self, chance: float, left: float) -> float:
        """What a chance against equals is against others who drift like this."""
        return _NORMAL.cdf((self._place(chance, left) + self.drift * left) / math.sqrt(left))

    @property
    def weakness(self) -> float:
        """Of the others, from 0 to 1."""
        return max(2 * _NORMAL.cdf(self.drift) - 1, 0.0)

    @staticmethod
    def _place(chance: float, left: float) -> float:
        return _NORMAL.inv_cdf(min(max(chance, 1 - SURE), SURE)) * math.sqrt(left)


def _log_odds(chance: float) -> float:
    """These differ where all chances are near 1, too."""
    chance = min(max(chance, 0.0001), 0.9999)
    return math.log(chance / (1 - chance))


def share_to_win(aim: float, end: float) -> float:
    """The share of games with this end in which to play to win, so that as many are won as aimed at."""
    winning = max(_NORMAL.cdf(WINNING[0] + WINNING[1] * end), YIELDED + 0.01)
    return min(max((aim - YIELDED) / (winning - YIELDED), 0.0), 1.0)


class Companion(AgentWrapper):
    """Aims at a chosen win chance of the others by playing no better than needed."""

    agent: str = param(
        "", "the spec of the agent that says what actions are worth; default: the strongest with little time"
    )
    win_chance: float | None = param(
        None, "the chance to win that each of the others is to have; default: the same for all seats", gt=0, lt=1
    )
    bound: float = param(
        0.4, "the most that is given away at a decision, in parts of the range of the returns", ge=0, le=1
    )

    played: int = param(0, "games of this series before this one", ge=0)
    lost: float = param(0.0, "how many of them the others won; a shared first place counts in part", ge=0)

    def prepare(self) -> None:
        if self.lost > self.played:
            raise BadSpec(f"companion: the others cannot have won {self.lost:g} of {self.played} games")
        self._sit_at(self.game.seats[0])
        self._begin()

    def _begin(self) -> None:
        self._course, self._decisions = Course(), 0
        self._drawn = random.Random(self.seed).random()

    def _sit_at(self, seats: int) -> None:
        spec = self.agent or adviser(self.game, seats)
        self.inner = make_agent(spec, self.game, self.seat, seed=self.seed)
        plain = f"flat:iterations={PLAIN_PLAYOUTS},playout=random,plies=-1"
        hidden = self.game.has_hidden_information  # there, playouts take longer, and few of them tell nothing
        self._plain = None if hidden else make_agent(plain, self.game, self.seat, seed=self.seed)

    def needs(self) -> Sequence[Code]:
        plain = [] if self._plain is None else self._plain.needs()
        return [*super().needs(), *plain, *decisions_code(self.game)]

    def check_seats(self, seats: int) -> None:
        self._sit_at(seats)
        super().check_seats(seats)

    def start_game(self, observation: Observation) -> None:
        self._begin()
        super().start_game(observation)

    @classmethod
    def after_game(cls, params: Mapping[str, str], seat: int, returns: Sequence[float]) -> Mapping[str, str]:
        """A game more in its record; a shared first place counts in part."""
        first = [place for place, value in enumerate(returns) if value == max(returns)]
        lost = sum(place != seat for place in first) / len(first)
        played, before = int(params.get("played", 0)), float(params.get("lost", 0))
        return {**params, "played": str(played + 1), "lost": f"{before + lost:.6g}"}

    def decide(self, observation: Observation) -> Decision:
        decision = self.inner.decide(observation)
        known = values(decision.reasons, self.game, 0.0)
        if not known:
            return decision
        best, aim = known.get(decision.action, max(known.values())), self.aim(observation.seats)
        to_come = decisions_left(self.game, observation, self.rng_state(observation))
        left = to_come / (self._decisions + to_come)
        self._decisions += 1
        self._course.notice(best, left)
        yields = self._drawn > share_to_win(aim, self._course.end)
        behind = self._course.against_these(best, left) < BEHIND
        action = self._yielding(observation, known) if yields and not behind else decision.action
        given_away = best - known.get(action, best)
        self._course.give(best, best - given_away, left)
        steers = f"yields, gives away {given_away:.1%}" if action != decision.action else "plays its best"
        summary = f"{decision.summary}; aims at {aim:.2f} for itself, has {best:.2f}, {steers}"
        chosen = Decision(action, decision.reasons, summary)
        chosen.best, chosen.given_away = action == decision.action, max(given_away, 0.0)
        return chosen

    def _yielding(self, observation: Observation, known: Mapping[int, float]) -> int:
        """The worst action within the bound, for others as weak as these."""
        best, weakness = max(known.values()), self._course.weakness
        bound = self.bound * weakness**GENTLE
        odds = {action: _log_odds(value) for action, value in known.items() if best - value <= bound + 1e-12}
        if weakness > WEAK and self._plain is not None:
            plain = values(self._plain.decide(observation).reasons, self.game, 0.0)
            for action in odds:
                odds[action] += weakness * _log_odds(plain.get(action, known[action]))
        return min(odds, key=lambda action: (odds[action], action))

    def aim(self, seats: int) -> float:
        """The chance that it wants for itself in this game: more than on the whole if it has won too few before."""
        on_the_whole = 1 - (seats - 1) * (self.win_chance or 1 / seats)
        owed = on_the_whole * self.played - (self.played - self.lost)
        return min(max(on_the_whole + GAIN * owed, 0.0), 1.0)

    @classmethod
    def label(cls) -> str:
        return "companion"
