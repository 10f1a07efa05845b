"""What people ask of a run of games: where points come from, which boards and which cards win."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.table import Table

from boardwright.arena.report import save_figure
from boardwright.arena.standings import wilson_interval
from boardwright.errors import BadSpec, UnknownName
from boardwright.games.wonders.agents import load_table
from boardwright.games.wonders.batch import LEARNER, PLAYERS, Results, play_many
from boardwright.games.wonders.cards import BOARD_NAMES, COLOUR, COLOURS, KINDS, NAMES
from boardwright.games.wonders.scoring import PARTS


@dataclass(frozen=True)
class Rate:
    """How often the owner of something won."""

    name: str
    times: int
    wins: float
    colour: int = -1

    @property
    def rate(self) -> float:
        return self.wins / max(self.times, 1)

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.wins, self.times)


def play(players: list[str], games: int, seed: int, *, sides: int = 0, slips: int = 0) -> Results:
    """A run of games between rule-based players, seats rotated."""
    for name in players:
        if name not in PLAYERS:
            raise UnknownName("player", name, PLAYERS)
    if not 3 <= len(players) <= 7:
        raise BadSpec(f"wonders is played with 3 to 7 seats, not {len(players)}")
    row = np.array([PLAYERS[name] for name in players], np.int64)
    who = np.stack([np.roll(row, turn % len(row)) for turn in range(games)])
    values = load_table("win_share") if LEARNER in row else None
    return play_many(who, seed=seed, sides=sides, slips=slips, values=values)


def by_board(results: Results) -> list[Rate]:
    """The win rate of each board side, best first."""
    wins = results.wins
    found = []
    for code in range(2 * len(BOARD_NAMES)):
        at = results.boards == code
        found.append(Rate(f"{BOARD_NAMES[code // 2]} {'AB'[code % 2]}", int(at.sum()), float(wins[at].sum())))
    return sorted((rate for rate in found if rate.times), key=lambda rate: -rate.rate)


def by_card(results: Results) -> list[Rate]:
    """The win rate of cities with each structure, best first."""
    wins = results.wins
    found = []
    for kind in range(KINDS):
        at = results.built[:, :, kind] > 0
        found.append(Rate(NAMES[kind], int(at.sum()), float(wins[at].sum()), int(COLOUR[kind])))
    return sorted((rate for rate in found if rate.times), key=lambda rate: -rate.rate)


def parts_table(results: Results) -> Table:
    """Mean points of each of the seven parts, by player and for winners."""
    table = _table("Where points come from (means)", "player", *PARTS, "total", "won")
    names = {number: name for name, number in PLAYERS.items()}
    groups = [(names[int(number)], results.who == number) for number in np.unique(results.who)]
    groups.append(("winners", results.wins == 1))
    for name, at in groups:
        means = results.parts[at].mean(axis=0)
        cells = [f"{mean:.1f}" for mean in (*means, means.sum())]
        table.add_row(name, *cells, f"{results.wins[at].mean():.1%}")
    return table


def _table(title: str, first: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column(first, no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def rates_table(title: str, rates: list[Rate], seats: int) -> Table:
    table = _table(f"{title}; by chance {1 / seats:.1%}", "name", "times", "won", "95 %")
    for rate in rates:
        low, high = rate.interval
        table.add_row(rate.name, f"{rate.times:,}", f"{rate.rate:.1%}", f"{100 * low:.1f}–{100 * high:.1f}")
    return table


_PAINT = ("#8a5a2b", "#888888", "#2f6db3", "#e0a818", "#c0392b", "#2e8b57", "#7d3c98")


def write_plot(file: Path, results: Results) -> None:
    """Boards on the left, cards in their colours on the right, with 95 % intervals."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.lines import Line2D

    seats = results.who.shape[1]
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 14), layout="constrained")
    for axes, rates, title in ((left, by_board(results), "board"), (right, by_card(results), "structure built")):
        for y, rate in enumerate(reversed(rates)):
            low, high = rate.interval
            paint = _PAINT[rate.colour] if rate.colour >= 0 else "#333333"
            axes.plot([100 * low, 100 * high], [y, y], color=paint, linewidth=2)
            axes.plot(100 * rate.rate, y, "o", color=paint, markersize=4)
        axes.set_yticks(range(len(rates)), [rate.name for rate in reversed(rates)], fontsize=8)
        axes.axvline(100 / seats, color="black", linewidth=0.8, linestyle=":")
        axes.set_xlabel("games won, %")
        axes.set_title(f"7 Wonders: win rate by {title}, {len(results.who):,} games")
        axes.margins(y=0.01)
    right.legend(
        handles=[Line2D([], [], color=paint, label=name) for paint, name in zip(_PAINT, COLOURS, strict=True)],
        loc="lower right",
        fontsize=8,
    )
    save_figure(figure, file)


def as_json(results: Results) -> dict[str, Any]:
    def rows(rates: list[Rate]) -> list[dict[str, Any]]:
        return [{"name": r.name, "times": r.times, "win_rate": r.rate, "interval": list(r.interval)} for r in rates]

    means = results.parts.mean(axis=(0, 1))
    return {
        "games": len(results.who),
        "seats": results.who.shape[1],
        "parts": dict(zip(PARTS, means.tolist(), strict=True)),
        "boards": rows(by_board(results)),
        "cards": rows(by_card(results)),
    }
