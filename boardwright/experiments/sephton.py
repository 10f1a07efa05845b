"""What the experiments of Sephton's thesis (2016) share: the game, the seed, and how one is declared."""

from __future__ import annotations

from typing import Any

from boardwright.experiments.grid import Grid
from boardwright.experiments.model import Conduct, Experiment, Published

GAME = "lords"
SEED = 2016


def sephton_experiment(
    name: str,
    title: str,
    question: str,
    source: str,
    conduct: Conduct,
    *,
    games: int,
    published_games: int,
    notes: tuple[str, ...],
    iterations: int | None = None,
    seconds: float | None = None,
) -> Experiment:
    """`source` says where in the thesis the figures are, which come from so many games each."""
    return Experiment(
        name=name,
        game=GAME,
        title=title,
        question=question,
        games=games,
        seed=SEED,
        published=Published(source, published_games, "agent", ()),
        notes=notes,
        conduct=conduct,
        iterations=iterations,
        seconds=seconds,
    )


def grid_experiment(
    name: str,
    title: str,
    question: str,
    source: str,
    grid: Grid,
    *,
    games: int,
    published_games: int,
    notes: tuple[str, ...],
) -> Experiment:
    """The same for a grid of matches, whose iterations can be changed."""
    about: dict[str, Any] = {"games": games, "published_games": published_games, "notes": notes}
    return sephton_experiment(name, title, question, source, grid.run, iterations=grid.iterations, **about)
