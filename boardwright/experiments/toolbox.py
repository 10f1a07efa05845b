"""What each tool of tree search is worth, on five games, at equal time: a tool against the same search without it.

Half of the seats of a game have the tool, the others the same search without it and with the same processor time for a
decision. A share of the first places above one half speaks for the tool. Every cell is a match of its own that can be
resumed. Bases name everything that a game could have defaults for, so that results do not change when defaults do.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from rich.console import Console

from boardwright.agents import Spec
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.arena.standings import wilson_interval
from boardwright.experiments.model import Conditions, Experiment, Part
from boardwright.experiments.tables import TableOf, tool_bases, tool_settings, tools
from boardwright.files import read_json, write_json
from boardwright.reports.tables import FittingTable

GAMES = 216
"""A multiple of the 24 orders of four seats."""
SEED = 16


@dataclass(frozen=True)
class Tool:
    """A tool at the setting that is tried."""

    name: str
    """As the table of docs/search.md calls it, for all games."""
    setting: str
    """What it adds to the spec; or another agent's name and setting, after an @."""


@dataclass(frozen=True)
class Ground:
    """A game, a search without tools, and the tools to try."""

    game: str
    seats: int
    seconds: float
    """Processor time for a decision."""
    decisions: int
    """Of a seat in a game, on average: what `game_seconds` shares its time among."""
    base: str
    tools: tuple[Tool, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def plain(self) -> str:
        return f"{self.base},seconds={self.seconds:g},clock=cpu"

    def spec(self, tool: Tool) -> str:
        if tool.setting == CLOCK:
            return f"{self.base},game_seconds={self.seconds * self.decisions:.4g},clock=cpu"
        if tool.setting.startswith("@"):
            agent = tool.setting[1:]
            return f"{agent}{',' if ':' in agent else ':'}seconds={self.seconds:g},clock=cpu"
        return _with(self.plain, tool.setting)

    def match(self, tool: Tool, seed: int) -> Match:
        """Entrants with even numbers have the tool."""
        entrants = (self.spec(tool), self.plain) * (self.seats // 2)
        return Match(self.game, entrants, seed, dict(self.options))

    def key(self, tool: Tool) -> str:
        options = "_".join(str(value) for value in self.options.values())
        return re.sub(r"[^\w.]+", "_", f"{self.game}_{options}_{self.base.split(':')[0]}_{tool.setting}")

    def about(self, tool: Tool) -> dict[str, Any]:
        """What is stored with the result of a cell."""
        return {
            "game": self.game,
            "options": dict(self.options),
            "tool": tool.name,
            "setting": tool.setting,
            "spec": self.spec(tool),
            "plain": self.plain,
        }


CLOCK = "game_seconds"


def _with(spec: str, setting: str) -> str:
    """The spec with parameters added, or replaced where it has them."""
    given = Spec.parse(spec)
    return str(Spec(given.name, {**given.params, **Spec.parse(f"{given.name}:{setting}").params}))


TIME = Tool("time for the whole game", CLOCK)
GROUNDS = tuple(
    Ground(**{**one, "tools": tuple(Tool(*tool) for tool in one["tools"])})
    for one in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["grounds"]
)


def cells() -> Iterator[tuple[Ground, Tool]]:
    return ((ground, tool) for ground in GROUNDS for tool in ground.tools)


def first_places(records: list[GameRecord]) -> float:
    """Of the entrants with the tool, who have even numbers; those who share the first place share the win."""
    total = 0.0
    for record in records:
        winners = [record.order[seat] for seat in range(record.seats) if record.returns[seat] == max(record.returns)]
        total += sum(entrant % 2 == 0 for entrant in winners) / len(winners)
    return total


def judge(records: list[GameRecord]) -> dict[str, Any]:
    wins, games = first_places(records), len(records)
    low, high = wilson_interval(wins, games)
    return {"games": games, "share": wins / max(games, 1), "low": low, "high": high, "verdict": verdict(low, high)}


def verdict(low: float, high: float) -> str:
    """What an interval of a fixed number of games says; if it holds one half, how much a tool can be worth at most."""
    if low > 0.5 or high < 0.5:
        return "helps" if low > 0.5 else "harms"
    return f"no difference above {math.ceil(100 * max(high - 0.5, 0.5 - low))} points"


class Toolbox:
    """How the experiment is conducted."""

    tables: ClassVar[Mapping[str, TableOf]] = {"": tools, "settings": tool_settings, "bases": tool_bases}

    def parts(self) -> list[Part]:
        return [Part(ground.key(tool), f"{ground.spec(tool)} against {ground.plain}") for ground, tool in cells()]

    def run(self, experiment: Experiment, conditions: Conditions) -> bool:
        """Play what is missing. A cell that is left out now keeps the figures that it has in result.json."""
        folder, console = conditions.folder, conditions.console
        result = folder / "result.json"
        found: dict[str, dict[str, Any]] = {}
        kept = read_json(result)["cells"] if result.exists() else []
        complete = True
        for ground, tool in cells():
            key, about = ground.key(tool), ground.about(tool)
            if same := [cell for cell in kept if {name: cell[name] for name in about} == about]:
                found[key] = same[0]
            if complete and conditions.only in (None, key):
                file = folder / f"{key}.jsonl"
                outcome = conditions.play(ground.match(tool, experiment.seed), file)
                complete = not outcome.interrupted
                if complete:
                    found[key] = {**about, **judge(first_games(read_records(file), conditions.games))}
                    _show([found[key]], console)
        shown = list(found.values())
        write_json(result, {"experiment": experiment.name, "seed": experiment.seed, "cells": shown})
        _show(shown, console)
        return complete


def _show(cells: list[dict[str, Any]], console: Console) -> None:
    labels = ("game", "plain search", "tool")
    table = FittingTable(*labels, "games", "share of wins", "95 %", "verdict", labels=labels)
    for cell in cells:
        interval = f"{100 * cell['low']:.0f}–{100 * cell['high']:.0f}"
        game = " ".join([cell["game"], *(str(value) for value in cell["options"].values())])
        agent, share = cell["plain"].split(":")[0], f"{cell['share']:.1%}"
        table.add_row(game, agent, cell["setting"], str(cell["games"]), share, interval, cell["verdict"])
    console.print(table)


EXPERIMENTS = {
    "toolbox": Experiment(
        name="toolbox",
        game="connect_four",
        title="the toolbox of tree search, tool by tool",
        question="Which tool helps on which game, at equal time?",
        games=GAMES,
        seed=SEED,
        conduct=Toolbox().run,
    )
}
