"""What the experiments of Sephton's thesis (2016) share: the game, the seed, and how one is declared."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from boardwright.experiments.grid import Grid
from boardwright.experiments.model import Conduct, Experiment, Published

GAME = "lords"
SEED = 2016


def printed(table: str) -> dict[str, Any]:
    """One of the thesis's tables (sephton.toml)."""
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    found: dict[str, Any] = tables[table]
    return found


def sephton_experiment(
    name: str, title: str, question: str, source: str, conduct: Conduct, *, published_games: int, **about: Any
) -> Experiment:
    """`source` says where in the thesis the figures are, which come from so many games each; `about` are further fields
    of the experiment."""
    published = Published(source, published_games, "agent", ())
    return Experiment(name, GAME, title, question, seed=SEED, published=published, conduct=conduct, **about)


def grid_experiment(name: str, title: str, question: str, source: str, grid: Grid, **about: Any) -> Experiment:
    """The same for a grid of matches, whose iterations can be changed."""
    return sephton_experiment(name, title, question, source, grid.run, iterations=grid.iterations, **about)
