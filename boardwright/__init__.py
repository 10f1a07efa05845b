"""Boardwright: a workbench for artificial opponents in modern board games.

    import boardwright as bw

    game = bw.game("connect_four")
    state = game.new(seed=7)
    agent = bw.agent("uct:iterations=500", game, seat=0, seed=7)
    decision = agent.decide(state.observation(0))
    state.apply(decision.action)
    result = bw.match("connect_four", "uct:iterations=500", "random", games=100)

The heavy parts are imported when they are first needed, so that `boardwright --help` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from boardwright import catalogue, registry
from boardwright.registry import agents, games
from boardwright.registry import load_game as game
from boardwright.registry import make_agent as agent

if TYPE_CHECKING:
    from boardwright.agents import Agent, Decision, Reason, param
    from boardwright.arena.accumulators import Accumulator
    from boardwright.arena.loop import Listener
    from boardwright.arena.session import GameSession
    from boardwright.kernel import Game, Observation, State
    from boardwright.python_commands import *
    from boardwright.results import balance, ladder, match, review

__version__ = "0.2.0"

registry.register(
    games=catalogue.GAMES,
    agents=catalogue.AGENTS,
    agents_of_games=catalogue.AGENTS_OF_GAMES,
    experiments=catalogue.EXPERIMENTS,
    script_class=catalogue.SCRIPT_CLASS,
)

__all__ = [
    "Accumulator",
    "Agent",
    "Decision",
    "Game",
    "GameSession",
    "Listener",
    "Observation",
    "Reason",
    "State",
    "agent",
    "agents",
    "balance",
    "cases_build",
    "cases_export",
    "cases_import",
    "cases_label",
    "cases_learn",
    "cases_stats",
    "cases_test",
    "cases_weights",
    "characters",
    "check",
    "companion",
    "compile_games",
    "decks_check",
    "decks_complete",
    "decks_evaluate",
    "decks_learn",
    "decks_mine",
    "decks_predict",
    "experiment",
    "experiment_list",
    "experiment_show",
    "explain",
    "export",
    "export_engine",
    "game",
    "games",
    "ladder",
    "learn_values",
    "match",
    "new_agent",
    "new_game",
    "param",
    "play",
    "playthrough",
    "puzzles",
    "race_convert",
    "race_style",
    "race_verify",
    "rate",
    "rating",
    "replay",
    "report",
    "review",
    "schema",
    "scout_check",
    "scout_explain",
    "scout_log",
    "scout_registry",
    "scout_rollback",
    "scout_run",
    "script_check",
    "strength",
    "style",
    "style_search",
    "tournament",
    "train",
]

_HOMES = {
    "Agent": "boardwright.agents",
    "Decision": "boardwright.agents",
    "Reason": "boardwright.agents",
    "param": "boardwright.agents",
    "Game": "boardwright.kernel",
    "State": "boardwright.kernel",
    "Observation": "boardwright.kernel",
    "Accumulator": "boardwright.arena.accumulators",
    "GameSession": "boardwright.arena.session",
    "Listener": "boardwright.arena.loop",
    "match": "boardwright.results",
    "ladder": "boardwright.results",
    "balance": "boardwright.results",
    "review": "boardwright.results",
}


def __getattr__(name: str) -> Any:
    """What is not imported yet; without a home of its own it is a command."""
    if name in __all__:
        return getattr(importlib.import_module(_HOMES.get(name, "boardwright.python_commands")), name)
    raise AttributeError(f"module 'boardwright' has no attribute {name!r}")
