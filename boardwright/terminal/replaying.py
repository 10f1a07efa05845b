"""Recorded games, position by position, in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from boardwright.arena.record import GameRecord
from boardwright.blame import printable
from boardwright.errors import BadSpec
from boardwright.terminal.narrator import forfeit_line, result_line
from boardwright.terminal.screen import show_open_position


def replay(record: GameRecord, console: Console, *, step: bool) -> None:
    """A recorded game in words, position by position; with `step`, Enter shows the next."""
    game = record.load_game()
    names = [f"{game.seat_name(seat)} ({printable(spec)})" for seat, spec in enumerate(record.agents)]
    console.print(
        f"[bold]{game.title}[/], game {record.index + 1}, seed {record.seed}: {escape(' against '.join(names))}"
    )
    for number, (state, action) in enumerate(record.replay(), 1):
        if action is None:
            show_open_position(state, 0, "the end", console)
            console.print(result_line(game, record.returns, record.scores, record.agents))
            if record.forfeit is not None:
                console.print(forfeit_line(game, record.forfeit.seat, record.forfeit.reason, record.agents))
            return
        if step or number == 1:
            show_open_position(state, state.player, f"before move {number}", console)
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
