"""`tilted`: an agent that prefers some actions to others, within bounds.

Another agent decides what each action is worth. Among the actions that are worth at most `margin` less than the best,
`tilted` takes the one that is worth most together with its tilts: "military+0.1" adds a tenth of the range of the
returns for every unit of military that an action brings, "discard-0.05" takes some away. So it plays differently, and
the value that it gives away at a decision is bounded and reported.

Tilts by points, risk and mid-range complexity ask what becomes of an action, which a few playouts tell (foresight.py).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from boardwright.agents import AgentWrapper, Decision, param
from boardwright.errors import BadSpec, UnknownName
from boardwright.kernel import Code, Game, Observation, State
from boardwright.playstyle.foresight import POINTS, Foresight, appetite, lead, parts, standardised
from boardwright.playstyle.worth import worth
from boardwright.registry import load_game, make_agent
from boardwright.search.width import complexities

_TILT = re.compile(r"\s*(.+?)\s*([+-]\d*\.?\d+)\s*")
_SAMPLED_GAMES = 4


class Tilted(AgentWrapper):
    """Plays as another agent does, but likes some actions better than others."""

    agent: str = param("", "the spec of the agent that says what actions are worth")
    likes: str = param("", "tilts, as military+0.1/discard-0.05: groups of actions, or what the game counts of them")
    margin: float = param(
        0.05, "the most that is given away at a decision, in parts of the range of the returns", ge=0, le=1
    )
    risk: float = param(
        0.0,
        "appetite for chance: what it is worth that the best fifth of an action's outcomes, in points ahead, begins a"
        " standard deviation above their mean; below 0: the worst fifth is feared",
    )
    horizon: int = param(
        0, "own decisions that tilts by points and risk look ahead; 0: to the end of the game", ge=0, le=1000
    )
    middle: str = param(
        "", "a measure of complexity, as cx0: prefers positions in the middle of the range that it has seen so far"
    )
    middle_weight: float = param(0.05, "what it is worth to be in the middle instead of at an end of the range", ge=0)
    variety: float = param(0.0, "temperature of a draw among the actions within the margin; 0: the best one", ge=0)

    def prepare(self) -> None:
        if not self.agent:
            raise BadSpec("tilted: which agent says what actions are worth? As in tilted:agent=(netsearch),likes=…")
        self.inner = make_agent(self.agent, self.game, self.seat, seed=self.seed)
        self._tilts = parse_tilts(self.likes, self.game)
        self._of_points = {name: weight for name, weight in self._tilts.items() if is_points(name)}
        measures = complexities(self.game)
        if self.middle and self.middle not in measures:
            raise UnknownName("measure of complexity", self.middle, measures, f" of {self.game.name}")
        self._measure = measures.get(self.middle)
        self._range: tuple[float, float] | None = None
        self._foresight = Foresight(self.game)

    @property
    def _looks_ahead(self) -> bool:
        return bool(self._of_points or self.risk or self._measure)

    def needs(self) -> Sequence[Code]:
        return [*super().needs(), *(self._foresight.needs() if self._looks_ahead else ())]

    def start_game(self, observation: Observation) -> None:
        self._range = None
        super().start_game(observation)

    def decide(self, observation: Observation) -> Decision:
        decision = self.inner.decide(observation)
        known = worth(decision.reasons, self.game)
        if not known:
            return decision
        best = max(known.values())
        allowed = {action: value for action, value in known.items() if best - value <= self.margin + 1e-12}
        likings = {action: self._liking(observation, action) for action in allowed}
        for name, added in self._by_looking_ahead(observation, list(allowed)).items():
            for action, amount in added.items():
                likings[action].append((name, amount))
        scores = {action: value + math.fsum(added for _, added in likings[action]) for action, value in allowed.items()}
        action = self._chosen(scores, observation)
        given_away = best - known[action]
        why = f"{decision.summary}; {_describe(likings, action)}, gives away {given_away:.1%}"
        ranked = sorted(scores, key=lambda one: -scores[one])
        rest = [reason for reason in decision.reasons if reason.action not in scores]
        by_action = {reason.action: reason for reason in decision.reasons}
        explained = [replace(by_action[one], note=_note(by_action[one].note, likings[one])) for one in ranked]
        tilted = Decision(action, (*explained, *rest), why)
        tilted.best, tilted.given_away = given_away <= 1e-12, given_away
        return tilted

    def _liking(self, observation: Observation, action: int) -> list[tuple[str, float]]:
        """What tilts add for an action, by name."""
        counted = counts_of(observation, action)
        return [(name, weight * counted[name]) for name, weight in self._tilts.items() if counted.get(name)]

    def _by_looking_ahead(self, observation: Observation, actions: Sequence[int]) -> dict[str, dict[int, float]]:
        """What tilts by points, risk and complexity add for each action, by name."""
        found: dict[str, dict[int, float]] = {}
        if len(actions) < 2 or not self._looks_ahead:
            return found
        rng_state, seat = self.rng_state(observation), observation.seat
        if self._of_points or self.risk:
            states = self._foresight.states(observation, actions, rng_state, self.horizon or None)
            counted = {action: [parts(state, seat) for state in ends] for action, ends in states.items()}
            for name, weight in self._of_points.items():
                values = {action: [one.get(name, 0.0) for one in ends] for action, ends in counted.items()}
                found[name] = {action: weight * value for action, value in standardised(values).items()}
            if self.risk:
                leads = {action: [lead(state, seat) for state in ends] for action, ends in states.items()}
                found["risk" if self.risk > 0 else "safety"] = appetite(leads, self.risk)
        if self._measure is not None:
            next_ones = self._foresight.states(observation, actions, rng_state, 0)
            found["mid-range complexity"] = self._by_complexity(observation, next_ones)
        return found

    def _by_complexity(self, observation: Observation, states: Mapping[int, Sequence[State]]) -> dict[int, float]:
        """The nearer to the middle of the range seen so far, the better; positions at its ends get nothing."""
        assert self._measure is not None
        seat, here = observation.seat, self._measure(observation)
        measured = {
            action: [self._measure(state.observation(seat)) for state in ends if not state.is_terminal]
            for action, ends in states.items()
        }
        means = {action: math.fsum(values) / len(values) for action, values in measured.items() if values}
        low, high = self._range or (here, here)
        low, high = min([low, here, *means.values()]), max([high, here, *means.values()])
        self._range = low, high
        half = (high - low) / 2
        if half <= 0:
            return {}
        return {action: self.middle_weight * (1 - abs(mean - low - half) / half) for action, mean in means.items()}

    def _chosen(self, scores: Mapping[int, float], observation: Observation) -> int:
        if not self.variety:
            return min(scores, key=lambda action: (-scores[action], action))
        highest = max(scores.values())
        actions = sorted(scores)
        weights = [math.exp((scores[action] - highest) / self.variety) for action in actions]
        return self.random(observation).choices(actions, weights)[0]

    @classmethod
    def label(cls) -> str:
        return "tilted"


def _describe(likings: Mapping[int, Sequence[tuple[str, float]]], action: int) -> str:
    """The tilts that speak for the action: reasons name them, and nothing else, so that they are true."""
    liked = [name for name, amount in likings[action] if amount > 0]
    return f"likes {', '.join(dict.fromkeys(liked))}" if liked else "no liking speaks for it"


def _note(note: str, liked: Sequence[tuple[str, float]]) -> str:
    """What the agent itself says of an option, and what each tilt adds, as "military +24.0%"."""
    total: dict[str, float] = {}
    for name, amount in liked:
        total[name] = total.get(name, 0.0) + amount
    added = ", ".join(f"{name} {amount:+.1%}" for name, amount in total.items() if amount)
    return "; ".join(filter(None, (note, added)))


def is_points(name: str) -> bool:
    """Whether a tilt is by points or by a part of them."""
    return name == POINTS or name.startswith(f"{POINTS}: ")


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
    """All names that tilts can use, as random games bring them up: what actions count for, points and their parts."""
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
        found |= parts(state, 0).keys()
    return frozenset(found)
