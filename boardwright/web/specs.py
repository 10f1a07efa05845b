"""Agents that a page may ask for: registered ones, with budgets, never files."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any

from boardwright.agents import Agent, Spec
from boardwright.agents.characters import plays_as_character
from boardwright.agents.levels import in_full
from boardwright.errors import BadSpec, BoardwrightError
from boardwright.kernel import Game
from boardwright.registry import agent_class, make_agent
from boardwright.registry import agents as agent_names
from boardwright.web.limits import Limits
from boardwright.web.own_files import own_agents, registered_game

NOT_ON_PAGES = ("human", "llm", "remote", "script", "isolated")
"""A person at the terminal; a connection to another server; programs of whoever opens the page. (Scripts that packages
have registered are there by name: whoever runs the server has installed them.)"""

CAPPED = (
    "iterations",
    "seconds",
    "threads",
    "nodes",
    "determinizations",
    "depth",
    "game_seconds",
    "turns",
    "rollouts",
    "width",
)
"""Parameters that have a limit of the same name."""


def agents_for_pages(game: Game) -> list[str]:
    """The names of the agents that a page may seat."""
    registered = [name for name in agent_names(game) if name not in NOT_ON_PAGES and not name.endswith(".py")]
    return [*(name for name, file in own_agents().items() if _loads(file, game)), *registered]


def class_for_pages(name: str, game: Game) -> type[Agent]:
    return agent_class(own_agents().get(name, name), game)


def _loads(file: str, game: Game) -> bool:
    try:
        return agent_class(file, game).plays(game)
    except BoardwrightError:  # a file with an error in it
        return False


@cache
def seats_of(name: str, game: str) -> tuple[int, ...]:
    """At tables of how many seats an agent of that name can play a game, with its default parameters."""
    loaded = registered_game(game)
    return tuple(seats for seats in loaded.seats if _can_play(name, loaded, seats))


def _can_play(name: str, game: Game, seats: int) -> bool:
    try:
        agent = make_agent(own_agents().get(name, name), game, 0)
        try:
            agent.check_seats(seats)
        finally:
            agent.close()
    except BoardwrightError:
        return False
    return True


def check_spec(text: str, game: Game, seats: int, limits: Limits, options: Mapping[str, Any]) -> Spec:
    """A level, a character or a spec from a page, as a spec, if it may be used; BadSpec says why not."""
    spec = Spec.parse(in_full(text, game, seats, options))
    known = plays_as_character(str(spec), game)  # its texts are the game's own
    allowed = agents_for_pages(game)
    if spec.name not in allowed:
        raise BadSpec(f"no agent {spec.name!r} here for {game.name}; there are {', '.join(allowed)}")
    spec = Spec(own_agents().get(spec.name, spec.name), spec.params)
    cls = agent_class(spec.name, game)
    fields = cls.parameters()
    for name, value in spec.params.items():
        field = fields.get(name)
        of_page = field is not None and is_text(field.annotation) and not known
        if field is not None and of_page and value not in text_choices(name, field.default, game):
            raise BadSpec(f"agent {spec.name!r}: {name} cannot be set from a page")
    agent = make_agent(str(spec), game, 0)
    try:
        for name in CAPPED:
            given, most = getattr(agent, name) if name in fields else None, getattr(limits, name)
            if given is not None and given > most:
                raise BadSpec(f"agent {spec.name!r}: {name} is at most {most:,} here, not {given:,}")
        agent.check_seats(seats)
    finally:
        agent.close()
    return spec


def is_text(annotation: Any) -> bool:
    """Whether a parameter takes free text, which could name a file or another agent."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return any(is_text(part) for part in typing.get_args(annotation))
    return annotation is str


def text_choices(name: str, default: Any, game: Game) -> list[str]:
    """What a parameter with free text can be set to from a page."""
    choices = {
        "playout": ["random", *game.search.policies],
        "evaluation": [*game.search.evaluations],
        "weights": [*game.learning.named_networks],
    }.get(name, [])
    return [*choices, *([default] if default and default not in choices else [])]


def parameters_for_pages(cls: type[Agent], game: Game, limits: Limits) -> list[dict[str, Any]]:
    """An agent's parameters as a form: name, kind, default, bounds, meaning."""
    return [
        _form_field(name, field, game, limits)
        for name, field in cls.parameters().items()
        if not is_text(field.annotation) or set(text_choices(name, field.default, game)) - {field.default}
    ]


def _form_field(name: str, field: Any, game: Game, limits: Limits) -> dict[str, Any]:
    kinds = typing.get_args(field.annotation) if _is_union(field.annotation) else (field.annotation,)
    kind = next(part for part in kinds if part is not type(None))
    described: dict[str, Any] = {"name": name, "meaning": field.description or "", "default": field.default}
    if typing.get_origin(kind) is typing.Literal:
        described |= {"kind": "choice", "choices": [str(choice) for choice in typing.get_args(kind)]}
    elif kind is str:
        described |= {"kind": "choice", "choices": text_choices(name, field.default, game)}
    elif kind is bool:
        described |= {"kind": "switch"}
    else:
        described |= {"kind": "whole" if kind is int else "number"}
        for bound in ("ge", "gt", "le", "lt"):
            for item in field.metadata:
                if getattr(item, bound, None) is not None:
                    described["low" if bound[0] == "g" else "high"] = getattr(item, bound)
        if name in CAPPED:
            described["high"] = min(described.get("high", getattr(limits, name)), getattr(limits, name))
    return described


def _is_union(annotation: Any) -> bool:
    return typing.get_origin(annotation) in (typing.Union, types.UnionType)
