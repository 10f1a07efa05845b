"""Opponents by name, for people who do not want to write specs: from "easy" to "the strongest".

A level is a spec wherever a spec is taken, and so is a character (characters.py). What it stands for depends on the
game, the seats and the options, so it is written out (`in_full`) where these are known; records and tables then name
the agent that played.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardwright.agents.characters import character_in_full, may_be_character
from boardwright.agents.spec import ISOLATED, Spec
from boardwright.errors import BadSpec
from boardwright.kernel import Game

EASY, STRONG, STRONGEST, COMPANION = "easy", "strong", "the strongest", "companion"
LEVELS = (EASY, STRONG, STRONGEST, COMPANION)
MEANINGS = {
    EASY: "for a first game",
    STRONG: "makes you think",
    STRONGEST: "the best there is here; takes a few seconds",
    COMPANION: "keeps the game even, and shows beside the board what it would do in your place",
}
LARGE = "large"
"""The name of a game's larger network, if it has one: "the strongest" plays with that one."""
WITH_TURNS = "netsearch:noise=0.1", "netsearch:turns=2,determinizations=64"
"""How the levels "strong" and "the strongest" play with a network where turns have several actions."""
WITH_TREE = "nettree:simulations=16", "nettree:seconds=1"
"""How the levels "strong" and "the strongest" play with a network where every action is a turn."""


def levels(game: Game, seats: int, *, hidden: bool | None = None) -> dict[str, str]:
    """The spec of each level: the game's own, or what suits any game. `hidden`: whether the game as it is played hides
    something (`hides`); default: what it does in general."""
    hidden = game.has_hidden_information if hidden is None else hidden
    search = "ismcts" if hidden else "uct"
    network, large = (seats in found for found in (game.learning.networks, game.learning.named_networks.get(LARGE, {})))
    strong, strongest = f"{search}:iterations=2000", f"{search}:seconds=2"
    if network:
        strong, strongest = WITH_TREE if game.learning.turn is None else WITH_TURNS
    found = {
        EASY: "heuristic" if "heuristic" in game.agents else f"{search}:iterations=60",
        STRONG: strong,
        STRONGEST: f"{WITH_TURNS[1]},weights={LARGE}" if large else strongest,
        COMPANION: "companion",
    }
    found |= {level: spec for level, spec in game.levels.items() if level in LEVELS}
    return found if hidden else {level: _for_open(spec) for level, spec in found.items()}


def strongest(game: Game, seats: int, *, hidden: bool | None = None) -> str:
    """The spec of the strongest agent there is: the one to ask for a hint."""
    return levels(game, seats, hidden=hidden)[STRONGEST]


def level_named(text: str) -> str | None:
    """The level that a spec's name means: "the strongest" may be called "strongest"."""
    name = text.strip().lower()
    return next((level for level in LEVELS if name in (level, level.removeprefix("the "))), None)


def has_level(spec: str) -> bool:
    """Whether a spec names a level or, as it seems, a character, itself or within it."""
    return any(level_named(name) is not None or may_be_character(name) for name in Spec.parse(spec).agents())


def in_full(spec: str, game: Game, seats: int | None = None, options: Mapping[str, Any] | None = None) -> str:
    """A spec as agents are made from it: in place of a level or a character, what it stands for in this game at so many
    seats (default: as few as there can be). An agent of that name comes first."""
    parsed = Spec.parse(spec)
    if parsed.name == ISOLATED and (inner := parsed.params.get("agent")):
        written = in_full(inner, game, seats, options)
        return spec if written == inner else str(Spec(ISOLATED, {**parsed.params, "agent": written}))
    if _is_agent(parsed.name, game):
        return spec
    level = level_named(parsed.name)
    if level is None:
        return character_in_full(parsed, game) or spec
    count = game.seats[0] if seats is None else seats
    found = levels(game, count, hidden=hides(game, count, options or {}))[level]
    if parsed.params:
        raise BadSpec(f"{spec!r}: {level!r} is a level and takes no parameters; here it stands for {found}")
    return found


def _is_agent(name: str, game: Game) -> bool:
    from boardwright.registry import agents, agents_of

    return name in agents_of(game) or name in agents()


def hides(game: Game, seats: int, options: Mapping[str, Any]) -> bool:
    """Whether the game hides something from a seat when it is played with these options."""
    if game.information.is_open is None:
        return game.has_hidden_information
    return game.new(seed=0, seats=seats, **options).has_hidden_information


def _for_open(spec: str) -> str:
    """Where nothing is hidden, there is nothing to make determinizations of."""
    agent, colon, parameters = spec.partition(":")
    return f"uct{colon}{parameters}" if agent == "ismcts" else spec
