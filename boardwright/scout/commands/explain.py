"""`boardwright scout explain`: a decision with the cases behind it."""

from __future__ import annotations

from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table

from boardwright.agents import Decision, ask
from boardwright.arena.record import read_records
from boardwright.errors import BadSpec
from boardwright.kernel import State
from boardwright.registry import make_agent
from boardwright.scout.documents.xml_parsing import printable
from boardwright.scout.reasoners.explanation import TYPE_NAMES, feature_notes, solution_name
from boardwright.scout.scout2 import Scout2
from boardwright.scout.scout_agent import ScoutAgent
from boardwright.terminal.reasons import reasons_table
from boardwright.terminal.replaying import record_number


def explain_move(file: Path, game: int, move: int, spec: str, console: Console) -> Decision:
    record = record_number(read_records(file), game)
    if move > len(record.actions):
        raise BadSpec(f"game {game} of {file} has {len(record.actions)} moves; there is no move {move}")
    state = record.start()
    for action in record.actions[: move - 1]:
        state.apply(action)
    return show(state, record.actions[move - 1], spec, console)


def show(state: State, played: int, spec: str, console: Console) -> Decision:
    agent = make_agent(spec, state.game, state.player)
    observation = state.observation(state.player)
    console.print(Panel(escape(str(observation)), title=f"{state.game.seat_name(state.player)} to move", expand=False))
    decision = ask(agent, observation)
    console.print(reasons_table(state.game, observation, decision, title=f"{spec} recommends"))
    console.print(f"played in the game: {state.game.describe(observation, played)}", highlight=False)
    if isinstance(agent, ScoutAgent):
        _show_cases(agent, console)
    return decision


def _show_cases(agent: ScoutAgent, console: Console) -> None:
    recommendation = agent.last_recommendation
    if not recommendation.retrieved:
        return
    for kind in dict.fromkeys(case.kind for case in recommendation.retrieved):
        title = f"retrieved cases: {TYPE_NAMES.get(kind, f'type {kind}')}"
        table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
        for column in ("case", "from", "round", "distance", "chose there", "here that means"):
            table.add_column(column, justify="right" if column in ("case", "round", "distance") else "left")
        for case in (case for case, _ in recommendation.advice if case.kind == kind):
            table.add_row(
                str(case.id),
                escape(printable(agent.source_of(case))),
                str(case.round),
                f"{case.distance:.2f}",
                escape(solution_name(case.kind, case.solution)),
                escape(solution_name(case.kind, case.adapted)),
            )
        console.print(table)
    if isinstance(agent, Scout2) and agent.last_problem is not None:
        for line in feature_notes(agent.reasoners, agent.last_problem, recommendation):
            console.print(f"[dim]{escape(line)}[/]", highlight=False)
