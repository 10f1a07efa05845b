"""`tilted`: an agent that prefers some actions to others, within bounds.

Another agent decides what each action is worth. Among the actions that are worth at most `margin` less than the best,
`tilted` takes the one that is worth most together with its tilts: "military+0.1" adds a tenth of the range of the
returns for every unit of military that an action brings, "discard-0.05" takes some away. So it plays differently, and
the value that it gives away at a decision is bounded and reported.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache

from boardwright.agents import Agent, Decision, Reason, param
from boardwright.errors import BadSpec, UnknownName
from boardwright.kernel import Code, Game, Observation
from boardwright.registry import load_game, make_agent

_TILT = re.compile(r"\s*(.+?)\s*([+-]\d*\.?\d+)\s*")
_SAMPLED_GAMES = 4


class Tilted(Agent):
    """Plays as another agent does, but likes some actions better than others."""

    agent: str = param("", "the spec of the agent that says what actions are worth")
    likes: str = param("", "tilts, as military+0.1/discard-0.05: groups of actions, or what the game counts of them")
    margin: float = param(
        0.05, "the most that is given away at a decision, in parts of the range of the returns", ge=0, le=1
    )
    risk: float = param(
        0.0, "what uncertainty is worth: added for an action by 1 over the root of its visits; below 0: it is feared"
    )
    variety: float = param(0.0, "temperature of a draw among the actions within the margin; 0: the best one", ge=0)

    def prepare(self) -> None:
        if not self.agent:
            raise BadSpec("tilted: which agent says what actions are worth? As in tilted:agent=(netsearch),likes=…")
        self._inner = make_agent(self.agent, self.game, self.seat, seed=self.seed)
        self._tilts = parse_tilts(self.likes, self.game)

    def needs(self) -> Sequence[Code]:
        return self._inner.needs()

    def check_seats(self, seats: int) -> None:
        self._inner.check_seats(seats)

    def start_game(self, observation: Observation) -> None:
        self._inner.start_game(observation)

    def observe_action(self, seat: int, action: int, observation: Observation) -> None:
        self._inner.observe_action(seat, action, observation)

    def end_game(self, observation: Observation, returns: Sequence[float], scores: Sequence[float]) -> None:
        self._inner.end_game(observation, returns, scores)

    def close(self) -> None:
        self._inner.close()

    def decide(self, observation: Observation) -> Decision:
        decision = self._inner.decide(observation)
        worth = self._worth(decision.reasons)
        if not worth:
            return decision
        best = max(worth.values())
        allowed = {action: value for action, value in worth.items() if best - value <= self.margin + 1e-12}
        visits = {reason.action: reason.visits or 0 for reason in decision.reasons}
        scores = {
            action: value + self._liking(observation, action) + self.risk / math.sqrt(1 + visits.get(action, 0))
            for action, value in allowed.items()
        }
        action = self._chosen(scores, observation)
        given_away = best - worth[action]
        why = f"{decision.summary}; {self._words(observation, action)}, gives away {given_away:.1%}"
        ranked = sorted(scores, key=lambda one: -scores[one])
        rest = [reason for reason in decision.reasons if reason.action not in scores]
        by_action = {reason.action: reason for reason in decision.reasons}
        tilted = Decision(action, tuple([by_action[one] for one in ranked] + rest), why)
        tilted.best = given_away <= 1e-12
        return tilted

    def _worth(self, reasons: Sequence[Reason]) -> dict[int, float]:
        """The values of actions, scaled to 0 to 1; where an agent has none, its probabilities."""
        low, high = self.game.min_utility, self.game.max_utility
        valued = {
            reason.action: (reason.value - low) / (high - low)
            for reason in reasons
            if reason.value is not None and reason.visits != 0
        }
        if valued:
            most = max((reason.visits or 0 for reason in reasons), default=0)
            trusted = {
                reason.action for reason in reasons if reason.visits is None or reason.visits >= _TRUSTED_SHARE * most
            }
            return {action: value for action, value in valued.items() if action in trusted} or valued
        return {reason.action: reason.weight for reason in reasons if reason.weight is not None}

    def _liking(self, observation: Observation, action: int) -> float:
        return math.fsum(weight * amount for _, weight, amount in self._tilts_of(observation, action))

    def _tilts_of(self, observation: Observation, action: int) -> list[tuple[str, float, float]]:
        counted = counts_of(observation, action)
        return [(name, weight, counted[name]) for name, weight in self._tilts.items() if counted.get(name)]

    def _chosen(self, scores: Mapping[int, float], observation: Observation) -> int:
        if not self.variety:
            return min(scores, key=lambda action: (-scores[action], action))
        highest = max(scores.values())
        actions = sorted(scores)
        weights = [math.exp((scores[action] - highest) / self.variety) for action in actions]
        return self.random(observation).choices(actions, weights)[0]

    def _words(self, observation: Observation, action: int) -> str:
        """The tilts that speak for the action: reasons name them, so that they are true."""
        liked = [name for name, weight, _ in self._tilts_of(observation, action) if weight > 0]
        return f"likes {', '.join(liked)}" if liked else "no liking speaks for it"

    @classmethod
    def label(cls) -> str:
        return "tilted"


_TRUSTED_SHARE = 0.1
"""Values of actions with fewer visits than this share of the most are not trusted."""


def counts_of(observation: Observation, action: int) -> dict[str, float]:
    """What an action counts for, by name: its group, the group's member, and what the game counts."""
    metrics, record = observation.game.metrics, observation.record
    found: dict[str, float] = {}
    group = metrics.action_group(record, action) if metrics.action_group is not None else None
    if group is not None:
        found |= {group[0]: 1.0, group[1]: 1.0}
    if metrics.style is not None:
        found |= metrics.style(record, action)
    return found


def parse_tilts(likes: str, game: Game) -> dict[str, float]:
    """Tilts by name; UnknownName, with the nearest names, if nothing in the game is called so."""
    tilts: dict[str, float] = {}
    for part in filter(None, likes.split("/")):
        match = _TILT.fullmatch(part)
        if match is None:
            raise BadSpec(f"tilted: {part!r} is no tilt; write military+0.1 or discard-0.05, joined by /")
        tilts[match[1]] = float(match[2])
    if tilts:
        known = vocabulary(game.source or game.name)
        for name in tilts:
            if name not in known:
                raise UnknownName("tilt", name, known, f" of {game.name}")
    return tilts


@cache
def vocabulary(game_name: str) -> frozenset[str]:
    """All names that tilts can use, as random games bring them up."""
    from random import Random

    game = load_game(game_name)
    chance, found = Random(0), set[str]()
    for number in range(_SAMPLED_GAMES):
        state = game.new(seed=number)
        while not state.is_terminal:
            observation = state.observation(state.player)
            legal = observation.legal_actions()
            for action in chance.sample(legal, min(len(legal), 12)):
                found |= counts_of(observation, action).keys()
            state.apply(chance.choice(legal))
    return frozenset(found)
