"""One position and what an agent thinks of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from traceback import format_exc
from typing import Any

from rich.console import Console
from rich.markup import escape

from boardwright.agents import Decision, ask
from boardwright.agents.levels import STRONGEST, levels
from boardwright.blame import sentence
from boardwright.errors import AgentFailed, BadSpec, BoardwrightError
from boardwright.kernel import Game, State, rng
from boardwright.kernel.ready import make_ready
from boardwright.positions import Given, deal
from boardwright.registry import make_agent
from boardwright.terminal.answers import pick
from boardwright.terminal.layout import position_panel
from boardwright.terminal.reasons import reasons_table

_SITUATIONS = 2
"""So many of the situations that an agent was reminded of are shown."""


def position_after(
    game: Game,
    seats: int | None,
    seed: int,
    options: Mapping[str, Any],
    moves: Sequence[str],
    random_moves: int,
    position: Given | None = None,
) -> State:
    """A game's position after the given moves, each as a person at the terminal would answer, and some random ones."""
    state = deal(game, position, seed) if position else game.new(seed=seed, seats=seats, **options)
    for number, move in enumerate(moves, 1):
        legal = state.legal_actions()
        numbers, texts = game.choice_numbers(state, legal), [game.describe(state, action) for action in legal]
        place = pick(move, texts, numbers)
        if place is None:
            choices = "; ".join(f"{i} {text}" for i, text in zip(numbers, texts, strict=True))
            raise BadSpec(f"move {number}, {move!r}, is not one of the choices: {choices or 'the game is over'}")
        state.apply(legal[place])
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


def explain_position(state: State, spec: str, seed: int, console: Console) -> Decision:
    """Show a position, and what the agent chooses there and why."""
    game, seat = state.game, state.player
    agent = make_agent(spec, game, seat, seed=rng.derive(seed, seat))
    agent.check_seats(state.seats)
    if agent.interactive:
        others = levels(game, state.seats, hidden=state.has_hidden_information)
        raise BadSpec(f"{spec} is you; ask another agent, as {others[STRONGEST]}")
    make_ready(agent.needs())
    observation = state.observation(seat)
    title = f"{game.title}: {game.seat_name(seat)} to move"
    console.print(position_panel(str(observation), title, console, expand=False))
    with closing(agent), console.status(f"{escape(spec)} is thinking"):
        try:
            decision = ask(agent, observation)
        except BoardwrightError:
            raise
        except Exception as error:
            raise AgentFailed(f"{spec} failed: {sentence(error)}", seat=seat, traceback=format_exc()) from error
    console.print(reasons_table(game, observation, decision, title=f"{spec} thinks", width=console.width))
    for case in decision.cases[:_SITUATIONS]:
        if case.text:
            console.print(position_panel(case.text, f"{case.title}: chose {case.done}", console, expand=False))
    return decision
