"""Games for style profiles: every agent meets the others, in turn, at tables of all seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from boardwright.arena.match import Match
from boardwright.arena.runner import default_record_file, run_match
from boardwright.errors import BadSpec
from boardwright.executors import Executor
from boardwright.files import make_folder
from boardwright.kernel import Game
from boardwright.playstyle.profile import StyleGames

MOST_AGENTS = 26


def tables(agents: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Who sits together: all pairs at two seats; at more, each agent with those that follow it. One agent alone meets
    itself."""
    if len(set(agents)) != len(agents):
        raise BadSpec("name each agent once")
    if len(agents) > MOST_AGENTS:
        raise BadSpec(f"compare at most {MOST_AGENTS} agents at a time")
    if len(agents) == 1:
        return [tuple(agents) * seats]
    if seats == 2:
        return list(combinations(agents, 2))
    count = len(agents)
    found = {tuple(agents[(first + k) % count] for k in range(seats)) for first in range(count)}
    return sorted(found, key=lambda table: [agents.index(name) for name in table])


def play_for_style(
    game: Game,
    agents: Sequence[str],
    *,
    games: int,
    seats: int,
    seed: int,
    executor: Executor,
    folder: Path,
    options: Mapping[str, Any] | None = None,
) -> StyleGames:
    """`games` for each agent, shared evenly among its tables and recorded in a folder: games that were played there
    before are kept."""
    found = StyleGames()
    planned = tables(agents, seats)
    per_agent = max(sum(agent in table for table in planned) for agent in agents)
    make_folder(folder, "games")
    for number, table in enumerate(planned):
        match = Match(game.source or game.name, table, seed=seed + number, options=options or {})
        file, at_table = folder / default_record_file(match).name, StyleGames()
        number_of_games = -(-games // per_agent)
        run_match(match, number_of_games, file=file, resume=file.exists(), executor=executor, listeners=[at_table])
        found.merge(at_table)
    return found
