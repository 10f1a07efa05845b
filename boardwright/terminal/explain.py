"""One position and what an agent thinks of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

from boardwright.agents import ask
from boardwright.errors import BadSpec
from boardwright.kernel import Game, State, rng
from boardwright.kernel.ready import make_ready
from boardwright.registry import make_agent
from boardwright.terminal.reasons import reasons_table


def position_after(
    game: Game,
    seats: int | None,
    seed: int,
    options: Mapping[str, Any],
    moves: Sequence[int],
    random_moves: int,
) -> State:
    """A game's position after the given moves and some random ones."""
    state = game.new(seed=seed, seats=seats, **options)
    for move in moves:
        state.apply(move)
    if random_moves < 0:
        raise BadSpec(f"the number of random moves cannot be {random_moves}")
    rng_state = rng.generator(seed)
    for _ in range(random_moves):
        legal = state.legal_actions()
        if not legal:
            raise BadSpec(f"the game is over before {random_moves} random moves are played")
        state.apply(legal[rng.draw(rng_state) % len(legal)])
    if state.is_terminal:
        raise BadSpec("the game is over in that position; there is nothing to decide")
    return state


def explain_position(state: State, spec: str, seed: int, console: Console) -> None:
    game, seat = state.game, state.player
    agent = make_agent(spec, game, seat, seed=rng.derive(seed, seat))
    make_ready(agent.needs())
    observation = state.observation(seat)
    console.print(Panel(escape(str(observation)), title=f"{game.title}: {game.seat_name(seat)} to move", expand=False))
    with console.status(f"{spec} is thinking"):
        decision = ask(agent, observation)
    console.print(reasons_table(game, observation, decision, title=f"{spec} thinks"))
