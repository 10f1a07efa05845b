"""Playing and replaying in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

from boardwright.agents.explain import reasons_table
from boardwright.agents.human import StoppedByHuman, TakeBack
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord
from boardwright.arena.standings import ranks
from boardwright.errors import AgentFailed, BadSpec
from boardwright.kernel import Game, State, rng
from boardwright.registry import make_agent

_AT_THE_TERMINAL = 3  # keeps agents' seeds apart from the deal's


def play(match: Match, console: Console, *, explain: bool = False) -> bool:
    """A game with people in it, seats as entered. Returns whether it was played to the end."""
    match.check()
    game, specs = match.game, match.entrants
    state = game.new(seed=match.seed, seats=len(specs), **match.options)
    agents = [
        make_agent(spec, game, seat, seed=rng.derive(match.seed, _AT_THE_TERMINAL, seat))
        for seat, spec in enumerate(specs)
    ]
    humans = {seat for seat, agent in enumerate(agents) if agent.interactive}
    past: list[tuple[State, bool]] = []  # positions before each move, and whether a person chose there
    while not state.is_terminal:
        seat = state.player
        observation = state.observation(seat)
        try:
            if seat in humans:
                action = agents[seat].decide(observation).action
            else:
                with console.status(f"{specs[seat]} is thinking"):
                    decision = agents[seat].decide(observation)
                action = decision.action
                if action not in observation.legal_actions():
                    raise AgentFailed(f"{specs[seat]} chose {action!r}, which is not legal")
                if explain and decision.reasons and not _secret(humans, seat, game, state, action):
                    console.print(reasons_table(game, observation, decision, title=f"{specs[seat]} thinks"))
        except TakeBack:
            while past and not past[-1][1]:
                past.pop()
            if past:
                state = past.pop()[0]
            else:
                console.print("[dim]nothing to take back[/]")
            continue
        except (StoppedByHuman, KeyboardInterrupt):
            console.print("\n[dim]Stopped.[/]")
            return False
        past.append((state.copy(), seat in humans))
        secret = _secret(humans, seat, game, state, action)
        seen = "makes a choice you cannot see" if secret else game.describe(state, action)
        state.apply(action)
        console.print(f"[bold]{game.seat_name(seat)}[/] [dim]({escape(specs[seat])})[/]: {escape(seen)}")
    console.print(Panel(escape(str(state)), title="the end"))
    console.print(result_line(game, state, specs))
    return True


def _secret(humans: set[int], seat: int, game: Game, state: State, action: int) -> bool:
    """Whether the only person at the table does not see this action for what it is. (Several people share a screen.)"""
    if len(humans) != 1 or seat in humans:
        return False
    (onlooker,) = humans
    return int(game.entries.action_observation(state.memory, action, onlooker)) != action


def result_line(game: Game, state: State, specs: Sequence[str]) -> str:
    """Who won, and the scores."""
    returns, scores = state.returns, state.scores
    winners = [seat for seat, place in enumerate(ranks(returns)) if place == 1]
    verdict = f"{game.seat_name(winners[0])} ({specs[winners[0]]}) wins" if winners else "A draw"
    points = ", ".join(f"{game.seat_name(seat)} {score:g}" for seat, score in enumerate(scores))
    return f"[bold green]{escape(verdict)}.[/] Scores: {escape(points)}."


def replay(record: GameRecord, console: Console, *, step: bool) -> None:
    """A recorded game in words, position by position; with `step`, Enter shows the next."""
    game = record.load_game()
    names = [f"{game.seat_name(seat)} ({spec})" for seat, spec in enumerate(record.agents)]
    console.print(
        f"[bold]{game.title}[/], game {record.index + 1}, seed {record.seed}: {escape(' against '.join(names))}"
    )
    for number, (state, action) in enumerate(record.replay(), 1):
        if action is None:
            console.print(Panel(escape(str(state)), title="the end"))
            console.print(result_line(game, state, record.agents))
            return
        if step or number == 1:
            console.print(Panel(escape(str(state)), title=f"before move {number}"))
        console.print(f"{number:>4}. [bold]{game.seat_name(state.player)}[/]: {escape(game.describe(state, action))}")
        if step and number < len(record.actions):
            try:
                answer = console.input("[dim]Enter for the next move, q to stop:[/] ")
            except EOFError:
                answer = "q"
            if answer.strip().lower() in ("q", "quit"):
                return


def record_number(records: Sequence[GameRecord], number: int) -> GameRecord:
    """The game of that number in its match; in a file with gaps, not its line."""
    for record in records:
        if record.index == number - 1:
            return record
    numbers = sorted(record.index + 1 for record in records)
    held = f"it has games {numbers[0]} to {numbers[-1]}" if numbers else "it is empty"
    raise BadSpec(f"there is no game {number} in that file; {held}")
