"""What the lobby offers: games with their options, levels and agents, as plain data."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import numpy as np

from boardwright.agents import Agent
from boardwright.agents.characters import Rating, cast_of, core
from boardwright.agents.levels import LEVELS, MEANINGS, levels
from boardwright.bench.ladders import level_ratings, rating_shown
from boardwright.errors import BoardwrightError
from boardwright.kernel import Game, Option, PerSeat, Several, State, rng
from boardwright.web import views
from boardwright.web.limits import Limits
from boardwright.web.own_files import game_names, is_own, registered_game
from boardwright.web.specs import agents_for_pages, class_for_pages, parameters_for_pages, seats_of

EXAMPLE_SEED = 7
EXAMPLE_PART = 0.6
"""The picture of a game is a position after this part of an example game."""


def catalogue(limits: Limits) -> dict[str, Any]:
    listed = []
    for name in game_names():
        try:
            listed.append(about(registered_game(name), limits))
        except BoardwrightError as error:  # a game of another package, and broken
            listed.append({"name": name, "title": name, "broken": str(error), "own": is_own(name)})
    return {"games": listed, "levels": [{"name": level, "meaning": MEANINGS[level]} for level in LEVELS]}


def about(game: Game, limits: Limits) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "seats": list(game.seats),
        "seat_names": [game.seat_name(seat) for seat in range(max(game.seats))],
        "hidden": game.information.observe is not None,
        "options": [_option(name, option) for name, option in game.options.items()],
        "levels": {str(seats): levels(game, seats) for seats in game.seats},
        "ratings": {
            str(seats): {level: rating_shown(anchor) for level, anchor in level_ratings(game, seats).items()}
            for seats in game.seats
        },
        "characters": _characters(game),
        "agents": [
            _agent(name, class_for_pages(name, game), game, limits) | {"seats": seats}
            for name in agents_for_pages(game)
            if (seats := seats_of(name, game.name))
        ],
    }


def _characters(game: Game) -> list[dict[str, Any]]:
    """With the seat counts that they can play at; specs stay here."""
    cast = cast_of(game)
    found = []
    for one in cast.characters if cast is not None else ():
        seats = set(game.seats).intersection(
            *(seats_of(core(version.spec), game.name) for version in one.strengths.values())
        )
        entry = {"name": one.name, "about": one.about, "style": one.style, "seats": sorted(seats)}
        rated = {name: {"rating": _plain(version.rating)} for name, version in one.strengths.items()}
        found.append(entry | {"strengths": rated})
    return found


def _plain(rating: Rating | None) -> dict[str, Any] | None:
    return None if rating is None else rating.model_dump()


def _option(name: str, option: Option) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": name, "meaning": option.meaning, "default": option.default}
    if isinstance(option, (Several, PerSeat)):
        return entry | {
            "kind": "several" if isinstance(option, Several) else "seats",
            "choices": list(option.choices),
        }
    if option.choices:
        return entry | {"kind": "choice", "choices": list(option.choices)}
    if isinstance(option.default, bool):
        return entry | {"kind": "switch"}
    return entry | {"kind": "whole", "low": option.low, "high": option.high}


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
    position = example(registered_game(name))
    return views.picture(position, position.player)
