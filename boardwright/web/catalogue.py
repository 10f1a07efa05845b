"""What the lobby offers: games with their options, levels and agents, as plain data."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import numpy as np

from boardwright.agents import Agent
from boardwright.agents.levels import LEVELS, MEANINGS, levels
from boardwright.errors import BoardwrightError
from boardwright.kernel import Game, Option, PerSeat, Several, State, rng
from boardwright.registry import agent_class, games, load_game
from boardwright.web.limits import Limits
from boardwright.web.specs import agents_for_pages, parameters_for_pages, seats_of

EXAMPLE_SEED = 7
EXAMPLE_PART = 0.6
"""The picture of a game is a position after this part of an example game."""


def catalogue(limits: Limits) -> dict[str, Any]:
    found = []
    for name in games():
        try:
            found.append(about(load_game(name), limits))
        except BoardwrightError as error:  # a game of another package, and broken
            found.append({"name": name, "title": name, "broken": str(error)})
    return {"games": found, "levels": [{"name": level, "meaning": MEANINGS[level]} for level in LEVELS]}


def about(game: Game, limits: Limits) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "seats": list(game.seats),
        "seat_names": [game.seat_name(seat) for seat in range(max(game.seats))],
        "hidden": game.information.observe is not None,
        "options": [_option(name, option) for name, option in game.options.items()],
        "levels": {str(seats): levels(game, seats) for seats in game.seats},
        "agents": [
            _agent(name, agent_class(name, game), game, limits) | {"seats": seats}
            for name in agents_for_pages(game)
            if (seats := seats_of(name, game.name))
        ],
    }


def _option(name: str, option: Option) -> dict[str, Any]:
    said: dict[str, Any] = {"name": name, "meaning": option.meaning, "default": option.default}
    if isinstance(option, (Several, PerSeat)):
        return said | {"kind": "several" if isinstance(option, Several) else "seats", "choices": list(option.choices)}
    if option.choices:
        return said | {"kind": "choice", "choices": list(option.choices)}
    if isinstance(option.default, bool):
        return said | {"kind": "switch"}
    return said | {"kind": "whole", "low": option.low, "high": option.high}


def _agent(name: str, cls: type[Agent], game: Game, limits: Limits) -> dict[str, Any]:
    meaning = (inspect.getdoc(cls) or "").split("\n\n")[0].replace("\n", " ")
    return {"name": name, "meaning": meaning, "parameters": parameters_for_pages(cls, game, limits)}


def example(game: Game) -> State:
    """A position from the middle of a game, the same every time."""
    policy = game.entries.choose("heuristic" if "heuristic" in game.search.policies else "random")
    state, positions = game.new(seed=EXAMPLE_SEED), []
    rng_state = rng.generator(EXAMPLE_SEED)
    while not state.is_terminal:
        positions.append(state.copy())
        state.apply(int(policy(state.memory, np.empty(game.max_legal, np.int64), rng_state)))
    return positions[int(EXAMPLE_PART * len(positions))]


@cache
def picture(name: str) -> str:
    """The picture of a game in the lobby."""
    position = example(load_game(name))
    return position.observation(position.player).to_svg()
