"""Opponents by name, for people who do not want to write specs: from "beginner" to "the strongest".

A level is a spec wherever a spec is taken, and so is a character (characters.py). What it stands for depends on the
game, the seats and the options, so it is written out (`in_full`) where these are known; records and tables then name
the agent that played. The games that come with the package choose theirs from their ladders (docs/strength.md), in even
steps. A weaker level thinks less or sees less; none plays well and blunders now and then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardwright.agents.characters import character_in_full, may_be_character
from boardwright.agents.spec import ISOLATED, Spec
from boardwright.errors import BadSpec
from boardwright.kernel import Game

BEGINNER, EASY, MIDDLING, STRONG = "beginner", "easy", "middling", "strong"
EXPERT, MASTER, GRANDMASTER = "expert", "master", "grandmaster"
STRONGEST, COMPANION = "the strongest", "companion"
MEANINGS = {
    BEGINNER: "It suits your first game.",
    EASY: "It suits you once you know the rules.",
    MIDDLING: "It plays soundly.",
    STRONG: "It makes you think.",
    EXPERT: "It is stronger than strong.",
    MASTER: "It is a step above an expert.",
    GRANDMASTER: "It is a step above a master.",
    STRONGEST: "It is the best there is for this game.",
    COMPANION: "It keeps the game even, and shows beside the board what it would do in your place.",
}
LEVELS = tuple(MEANINGS)
"""The weakest first. Not every game has all of them."""
LARGE = "large"
"""The name of a game's larger network, if it has one: "the strongest" plays with that one."""
WITH_TURNS = "netsearch:determinizations=1", "netsearch:turns=2,determinizations=64"
"""How the levels "strong" and "the strongest" play with a network where turns have several actions."""
WITH_TREE = "nettree:simulations=16", "nettree:seconds=1"
"""How the levels "strong" and "the strongest" play with a network where every action is a turn."""
SPENDING = {"iterations", "simulations", "seconds", "clock", "determinizations", "rollouts", "turns"}
LITTLE_TIME: dict[str, dict[str, str]] = {
    "ismcts": {"iterations": "2000"},
    "uct": {"iterations": "2000"},
    "nettree": {"simulations": "16"},
    "netsearch": {},
}
"""What an adviser has to spend, in place of the parameters that are named above."""
SEARCHES = {BEGINNER: 15, EASY: 60, MIDDLING: 300, STRONG: 2000}
"""Iterations of levels without a network, in steps of four to seven times as many."""


def levels(game: Game, seats: int, *, hidden: bool | None = None) -> dict[str, str]:
    """The spec of each level, the weakest first: the game's own, or what suits any game. `hidden`: whether the game as
    it is played hides something (`hides`); default: what it does in general."""
    hidden = game.has_hidden_information if hidden is None else hidden
    own = {level: at_seats for level, spec in game.levels.items() if (at_seats := _at(spec, seats))}
    found = _for_any_game(game, seats, "ismcts" if hidden else "uct", steps=not own) | own
    found = {level: found[level] for level in LEVELS if level in found}
    return found if hidden else {level: _for_open(spec) for level, spec in found.items()}


def _at(spec: str | Mapping[int, str], seats: int) -> str:
    """A level's spec at so many seats; "" if it is not offered there."""
    return spec if isinstance(spec, str) else spec.get(seats, "")


def _for_any_game(game: Game, seats: int, search: str, *, steps: bool) -> dict[str, str]:
    """The four levels that every game has, and, with `steps`, those between them."""
    found = {level: f"{search}:iterations={number}" for level, number in SEARCHES.items()}
    found[STRONGEST] = f"{search}:seconds=2"
    network, large = (seats in known for known in (game.learning.networks, game.learning.named_networks.get(LARGE, {})))
    if network:
        found[STRONG], found[STRONGEST] = WITH_TREE if game.learning.turn is None else WITH_TURNS
    if large:
        found[STRONGEST] = f"{WITH_TURNS[1]},weights={LARGE}"
    if "heuristic" in game.agents:
        found[EASY] = "heuristic"
    if network or "heuristic" in game.agents or not steps:  # how these compare to searches is not known
        del found[BEGINNER], found[MIDDLING]
    return found | {COMPANION: COMPANION}


def strongest(game: Game, seats: int, *, hidden: bool | None = None) -> str:
    """The spec of the strongest agent there is: the one to ask for a hint."""
    return levels(game, seats, hidden=hidden)[STRONGEST]


def adviser(game: Game, seats: int) -> str:
    """The spec of the strongest agent with little time: one that says at once what actions are worth."""
    spec = Spec.parse(strongest(game, seats))
    if spec.name not in LITTLE_TIME:
        return str(spec)
    kept = {name: value for name, value in spec.params.items() if name not in SPENDING}
    return str(Spec(spec.name, kept | LITTLE_TIME[spec.name]))


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
    offered = levels(game, count, hidden=hides(game, count, options or {}))
    if level not in offered:
        raise BadSpec(f"{game.name} has no level {level!r} at {count} seats; its levels are {', '.join(offered)}")
    found = offered[level]
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
