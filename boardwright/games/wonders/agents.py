"""The players of 7 Wonders as agents: our rule-based one and those of Madrid's report."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from boardwright.agents import Agent, Decision, Reason, param
from boardwright.errors import BadSpec
from boardwright.files import read_json
from boardwright.games.wonders import madrid
from boardwright.games.wonders.cards import KINDS, NAMES
from boardwright.games.wonders.policies import WEIGHTS, action_worth, next_stage_worth, price, structure_worth
from boardwright.games.wonders.rules import legal
from boardwright.games.wonders.state import MAX_LEGAL, NOTHING, kind_in, open_state
from boardwright.kernel import Code, Observation, Unit, types

TABLES = Path(__file__).parent / "tables"


def _worths(state: Any, actions: Any, out: Any, weights: Any) -> int:
    s = open_state(state)
    n = legal(s, actions)
    stage = next_stage_worth(s, s.mover, weights)
    for i in range(n):
        card = structure_worth(s, s.mover, kind_in(actions[i]), weights) if actions[i] != NOTHING else 0.0
        out[i] = action_worth(s, s.mover, actions[i], card, stage, weights) - price(s, s.mover, actions[i], weights)
    return n


def _madrid(state: Any, actions: Any, rng_state: Any, who: int, as_coded: int, values: Any) -> int:
    s = open_state(state)
    return madrid.madrid(s, actions, legal(s, actions), rng_state, who, as_coded, values)


_S, _A, _W, _F = types.uint8[::1], types.int64[::1], types.uint64[::1], types.float64[::1]


@cache
def _worths_code() -> Unit:
    return Unit("wonders", {"worths": (_worths, types.int64(_S, _A, _F, _F))})


@cache
def _madrid_code() -> Unit:
    return Unit("wonders", {"madrid": (_madrid, types.int64(_S, _A, _W, types.int64, types.int64, _F))})


class Heuristic(Agent):
    """Weighs every action in points, now and by estimate, and plays the best."""

    games: ClassVar[tuple[str, ...]] = ("wonders",)

    def needs(self) -> list[Code]:
        return [_worths_code]

    def decide(self, observation: Observation) -> Decision:
        actions, worths = np.zeros(MAX_LEGAL, np.int64), np.zeros(MAX_LEGAL)
        n = _worths_code().entry_points["worths"](observation.memory, actions, worths, WEIGHTS)
        order = list(range(n))
        self.random(observation).shuffle(order)  # of actions worth the same, any may come first
        order.sort(key=lambda i: -round(float(worths[i]), 6))
        reasons = tuple(Reason(int(actions[i]), note=f"worth {worths[i]:.1f} points") for i in order)
        return Decision(reasons[0].action, reasons, "the action worth most by the estimates")


class _Madrid(Agent):
    games: ClassVar[tuple[str, ...]] = ("wonders",)
    who: ClassVar[int]
    as_coded: bool = param(False, "with the slips of Madrid's code, instead of as the report describes it")

    def prepare(self) -> None:
        self.values = np.zeros(KINDS)

    def needs(self) -> list[Code]:
        return [_madrid_code]

    def decide(self, observation: Observation) -> Decision:
        scratch = np.zeros(MAX_LEGAL, np.int64)
        kernel = _madrid_code().entry_points["madrid"]
        action = kernel(
            observation.memory.copy(), scratch, self.rng_state(observation), self.who, int(self.as_coded), self.values
        )
        return Decision(int(action))


class MadridRandom(_Madrid):
    """Madrid's RANDOM: builds any card it can, else a stage, else discards."""

    who = madrid.RANDOM


class RBAI1(_Madrid):
    """Madrid's expert system: goods first, then shields, points and science."""

    who = madrid.RBAI1


class RBAI2(_Madrid):
    """The same rules in another order: science first."""

    who = madrid.RBAI2


class Learner(_Madrid):
    """Madrid's LEARNER: builds the card with the highest value in a table learned from games."""

    who = madrid.LEARNER
    table: str = param("win_share", "a table that comes with the game, or a file that `boardwright learn` wrote")

    def prepare(self) -> None:
        self.values = load_table(self.table)


class Perceptron(Learner):
    """The single layer that Madrid announced: card values are the weights of a logistic regression to winning."""

    table: str = param("perceptron", "a table that comes with the game, or a file that `boardwright learn` wrote")


@cache
def load_table(name: str) -> Any:
    """The values of all structures, from a table of the game or a file."""
    file = TABLES / f"{name}.json"
    if not file.exists():
        file = Path(name)
    try:
        saved = read_json(file)
        return np.array([float(saved["values"][structure]) for structure in NAMES])
    except OSError:
        known = ", ".join(sorted(path.stem for path in TABLES.glob("*.json")))
        raise BadSpec(f"agent 'learner': there is no table {name!r}; tables of the game: {known}") from None
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise BadSpec(f"agent 'learner': {name} is not a table of values: {error!r}") from None
