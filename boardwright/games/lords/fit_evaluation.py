"""Fits the learned evaluation to games of the rollout policy against itself, and writes its weights.

    python -m boardwright.games.lords.fit_evaluation --games 9000 --armies orc --seed 1

One action in five is drawn at random, so that positions are met that a policy would avoid and a search looks at. A game
takes half a millisecond. One in ten is held out, and tells how well results are foretold: the mean cross entropy, 0.693
for knowing nothing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from boardwright.files import atomic_output
from boardwright.games.lords.board import SEATS, SQUARES
from boardwright.games.lords.cards import ARMIES, DEFENCE, IS_COMMAND, IS_GENERAL
from boardwright.games.lords.declaration import game
from boardwright.games.lords.learned_evaluation import FILE, IN_HAND, LEAST_MARGIN, LOGITS, MOST_MARGIN, ON_BOARD
from boardwright.games.lords.state import CARDS_TO_WIN, COMMANDS_TO_WIN, FINISHED
from boardwright.kernel import TERMINAL, rng

RANDOM_ACTIONS, KEPT_POSITIONS, HELD_OUT = 0.2, 1 / 3, 10
RIDGE = 3e-4
"""Weight of the squares of the weights, for inputs of the same spread."""

Floats = NDArray[np.float64]


class Positions(NamedTuple):
    states: Any
    result: Floats
    """The return of the first seat."""
    number: NDArray[np.int64]
    """Of the game."""


def play(games: int, seed: int, armies: Sequence[str] = ARMIES) -> Positions:
    """Positions of games between players who choose by the rollout policy, both with the same one of the armies."""
    chance, rng_state = np.random.default_rng(seed), rng.generator(seed)
    entries, scratch = game.entries, np.zeros(game.max_legal, np.int64)
    greedy, at_random = entries.choose("greedy"), entries.choose("random")
    states, results, numbers = [], [], []
    for number in range(games):
        army = armies[number % len(armies)]
        state = game.new(seed=int(chance.integers(2**62)), armies=",".join([army] * SEATS))
        kept = 0
        while entries.player(state.memory) != TERMINAL:
            if chance.random() < KEPT_POSITIONS:
                states.append(state.memory.copy())
                kept += 1
            policy = at_random if chance.random() < RANDOM_ACTIONS else greedy
            entries.apply(state.memory, policy(state.memory, scratch, rng_state))
        results += [state.returns[0]] * kept
        numbers += [number] * kept
    return Positions(np.array(states).view(game.state)[:, 0], np.array(results), np.array(numbers))


def inputs(states: Any) -> dict[str, Floats]:
    """What the evaluation weighs, for each position: the first side's less the second's, by name of the weights."""
    sides = [_side(states, side) for side in range(SEATS)]
    found = {name: sides[0][name] - sides[1][name] for name in sides[0]}
    sign = np.where(states["mover"] == 0, 1.0, -1.0)[:, None]
    found["phase"] = np.eye(FINISHED + 1)[states["phase"]] * sign
    found["constant"] = np.ones((len(states), 1))
    return found


def _side(states: Any, side: int) -> dict[str, Floats]:
    first, other = states["row"][:, side].astype(int)[:, None], 1 - side
    here = (states["occupied"][:, side].astype(np.int64)[:, None] >> np.arange(SQUARES) & 1).astype(bool)
    row = np.where(here, states["card"].astype(int), 0) + first
    strikes = states["attack"][:, other].astype(int)
    margin = np.clip(DEFENCE[row] - strikes, LEAST_MARGIN, MOST_MARGIN)
    command, general = here & (IS_COMMAND[row] > 0), here & (IS_GENERAL[row] > 0)

    def by_margin(cards: Any) -> Floats:
        return np.stack([(cards & (margin == m)).sum(1) for m in range(LEAST_MARGIN, MOST_MARGIN + 1)], 1).astype(float)

    hand = states["hand"][:, side].astype(float)
    hand_rows = first + np.arange(hand.shape[1])
    return {
        "card": here.sum(1, keepdims=True).astype(float),
        "losses": np.eye(CARDS_TO_WIN)[np.minimum(states["losses"][:, side], CARDS_TO_WIN - 1)],
        "commands": np.eye(COMMANDS_TO_WIN)[np.minimum(states["command_losses"][:, side], COMMANDS_TO_WIN - 1)],
        "hand_size": states["hand_size"][:, [side]].astype(float),
        "deck_size": states["deck_size"][:, [side]].astype(float),
        "common": by_margin(here & ~command),
        "command": by_margin(command & ~general),
        "general": by_margin(general),
        "struck": by_margin(here & (strikes > 0)),
        "board": np.stack([np.where(here, printed[row], 0).sum(1) for printed in ON_BOARD.T], 1).astype(float),
        "hand": np.stack([(hand * printed[hand_rows]).sum(1) for printed in IN_HAND.T], 1),
    }


def fit(inputs: Floats, result: Floats) -> Floats:
    """Logistic regression."""
    spread = inputs.std(0)
    scaled = inputs / np.where(spread < 1e-9, 1.0, spread)

    def loss(weights: Floats) -> tuple[float, Floats]:
        chance = 1.0 / (1.0 + np.exp(-scaled @ weights))
        gradient = scaled.T @ (chance - result) / len(result) + RIDGE * weights
        return cross_entropy(chance, result) + RIDGE / 2 * float(weights @ weights), gradient

    found = minimize(loss, np.zeros(inputs.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return np.asarray(found / np.where(spread < 1e-9, 1.0, spread))


def cross_entropy(chance: Floats, result: Floats) -> float:
    return float(-(result * np.log(chance + 1e-9) + (1 - result) * np.log(1 - chance + 1e-9)).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=9000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--armies", nargs="+", choices=ARMIES, default=["orc"])
    parser.add_argument("--out", type=Path, default=FILE)
    wanted = parser.parse_args()
    positions = play(wanted.games, wanted.seed, wanted.armies)
    blocks = inputs(positions.states)
    whole = np.concatenate([blocks[name] for name in LOGITS], axis=1)
    held_out = positions.number % HELD_OUT == 0
    weights = fit(whole[~held_out], positions.result[~held_out])
    chance = 1.0 / (1.0 + np.exp(-whole @ weights))
    all_games, others = (cross_entropy(chance[of], positions.result[of]) for of in (slice(None), held_out))
    print(f"{len(whole):,} positions; cross entropy {all_games:.4f}, on games held out {others:.4f}")
    parts = np.split(weights, np.cumsum([blocks[name].shape[1] for name in LOGITS])[:-1])
    rounded = {name: [round(x, 4) for x in part.tolist()] for name, part in zip(LOGITS, parts, strict=True)}
    lines = [f"  {json.dumps(name)}: {values}" for name, values in rounded.items()]
    with atomic_output(wanted.out) as temporary:
        temporary.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
