"""Playing in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

from boardwright.agents import Agent, Decision
from boardwright.arena.loop import LeaveGame, Listener, play_game
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecorder, append_record
from boardwright.arena.standings import ranks
from boardwright.kernel import Game, Observation, State, rng
from boardwright.kernel.ready import make_ready
from boardwright.registry import make_agent
from boardwright.terminal.reasons import reasons_table

_AT_THE_TERMINAL = 3  # keeps agents' seeds apart from the deal's


def play(match: Match, console: Console, *, explain: bool = False, record: Path | None = None) -> bool:
    """A game with people in it, seats as entered. Returns whether it was played to the end, and then records it."""
    match.check()
    make_ready(match.needs())
    game, specs = match.game, match.entrants
    state = game.new(seed=match.seed, seats=len(specs), **match.options)
    recorder = GameRecorder(
        game=game.source or match.game_name,
        options=match.all_options,
        seed=match.seed,
        agents=specs,
        files=match.files(),
        entrants=list(specs),
        order=list(range(len(specs))),
        match_seed=match.seed,
    )
    with ExitStack() as stack:
        agents = []
        for seat, spec in enumerate(specs):
            agents.append(make_agent(spec, game, seat, seed=rng.derive(match.seed, _AT_THE_TERMINAL, seat)))
            stack.callback(agents[-1].close)
        try:
            play_game(state, agents, [recorder, Narrator(console, specs, explain)])
        except (LeaveGame, KeyboardInterrupt):
            console.print("\n[dim]Stopped.[/]")
            return False
    if record is not None:
        append_record(record, recorder.record())
        console.print(f"[dim]Recorded in {record}; see it again with: boardwright replay {record}[/]", soft_wrap=True)
    return True


class Narrator(Listener):
    """Tells the people at the terminal what happens, and no secrets of others."""

    def __init__(self, console: Console, specs: Sequence[str], explain: bool) -> None:
        self._console = console
        self._specs = specs
        self._explain = explain
        self._people: set[int] = set()
        self._seen: Observation | None = None

    def started(self, state: State, agents: Sequence[Agent]) -> None:
        self._people = {seat for seat, agent in enumerate(agents) if agent.interactive}

    def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
        game, spec = state.game, self._specs[seat]
        secret = self._secret(state, seat, decision.action)
        if decision.forced and seat in self._people:
            title = f"{game.title}: you are {game.seat_name(seat)}"
            self._console.print(Panel(escape(str(observation)), title=title))
            self._console.print("[dim]You have only one choice.[/]")
        elif seat not in self._people and self._explain and decision.reasons and not decision.forced and not secret:
            self._console.print(reasons_table(game, observation, decision, title=f"{spec} thinks"))
        what = "makes a choice you cannot see" if secret else game.describe(state, decision.action)
        self._console.print(f"[bold]{game.seat_name(seat)}[/] [dim]({escape(spec)})[/]: {escape(what)}")

        onlooker = self._only_person()
        self._seen = None if onlooker is None else state.observation(onlooker)

    def applied(self, state: State, seat: int, action: int) -> None:
        """What comes to light with an action: choices that others made in secret before."""
        if self._seen is not None:
            for line in state.game.revealed(self._seen, state.observation(self._seen.seat)):
                self._console.print(f"[dim]→[/] {escape(line)}")

    def taken_back(self, state: State, moves: int) -> None:
        if not moves:
            self._console.print("[dim]nothing to take back[/]")

    def ended(self, state: State) -> None:
        self._console.print(Panel(escape(str(state)), title="the end"))
        self._console.print(result_line(state.game, state, self._specs))

    def _secret(self, state: State, seat: int, action: int) -> bool:
        """Whether the only person at the table cannot tell this action."""
        onlooker = self._only_person()
        if onlooker in (None, seat):
            return False
        return int(state.game.entries.action_observation(state.memory, action, onlooker)) != action

    def _only_person(self) -> int | None:
        """The seat from which there are secrets: several people share a screen, and without any all lies open."""
        return next(iter(self._people)) if len(self._people) == 1 else None


def result_line(game: Game, state: State, specs: Sequence[str]) -> str:
    """Who won, and the scores."""
    returns, scores = state.returns, state.scores
    winners = [seat for seat, place in enumerate(ranks(returns)) if place == 1]
    verdict = f"{game.seat_name(winners[0])} ({specs[winners[0]]}) wins" if winners else "A draw"
    points = ", ".join(f"{game.seat_name(seat)} {score:g}" for seat, score in enumerate(scores))
    return f"[bold green]{escape(verdict)}.[/] Scores: {escape(points)}."
