"""Match results for people: the table, the lines under it, the plot."""

from __future__ import annotations

from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from boardwright.arena.standings import Standings
from boardwright.kernel import Game
from boardwright.pictures import picture


def standings_table(game: Game, standings: Standings) -> Table:
    table = Table(
        box=SIMPLE_HEAD, pad_edge=False, title=f"{game.title}: {standings.games:,} games", title_justify="left"
    )
    table.add_column("agent", overflow="fold")
    for column in ("wins", "draws", "win rate (95 %)", "rank", "score"):
        table.add_column(column, justify="right", no_wrap=True)
    best = max((entrant.win_rate for entrant in standings.entrants), default=0.0)
    for entrant in standings.entrants:
        low, high = entrant.interval
        leads = entrant.games > 0 and entrant.win_rate == best
        spec = escape(entrant.spec)
        table.add_row(
            f"[bold]{spec}[/]" if leads else spec,
            f"{entrant.wins:,}",
            f"{entrant.draws:,}",
            f"{entrant.win_rate:.1%} ({100 * low:.1f}–{100 * high:.1f})" if entrant.games else "",
            f"{entrant.mean_rank:.2f}" if entrant.games else "",
            f"{entrant.mean_score:.2f}" if entrant.games else "",
        )
    return table


def remarks(game: Game, standings: Standings) -> list[str]:
    """What the table does not say: are the differences real, and does the seat matter?"""
    lines = []
    test = standings.chi_square()
    if test:
        verdict = "the agents differ in strength" if test.p < 0.05 else "no difference in strength is shown"
        p = f"p = {test.p:.3g}" if test.p >= 1e-4 else "p < 0.0001"
        lines.append(f"Equal chances? χ² = {test.statistic:.2f}, df = {test.df}, {p}: {verdict}.")
    seats = ", ".join(f"{game.seat_name(seat)} {wins:,}" for seat, wins in enumerate(standings.seat_wins))
    lines.append(f"Wins by seat: {seats}; drawn {standings.draws:,}.")
    return lines


def write_plot(file: Path, game: Game, standings: Standings) -> None:
    """Win rates with their intervals."""
    entrants = standings.entrants[::-1]
    with picture(file, (8, 1.2 + 0.55 * len(entrants))) as (_, axes):
        rates = [100 * entrant.win_rate for entrant in entrants]
        below = [100 * (entrant.win_rate - entrant.interval[0]) for entrant in entrants]
        above = [100 * (entrant.interval[1] - entrant.win_rate) for entrant in entrants]
        places = range(len(entrants))
        axes.barh(places, rates, xerr=[below, above], color="#4878a8", ecolor="#222222", capsize=4, height=0.6)
        axes.axvline(100 / len(entrants), color="#b04030", linestyle="--", linewidth=1, label="equal chances")
        axes.set_yticks(places, [entrant.spec for entrant in entrants])
        axes.set_xlim(0, 100)
        axes.set_xlabel("games won (%), with 95 % Wilson interval")
        axes.set_title(f"{game.title}: {standings.games:,} games, {standings.draws:,} drawn", loc="left")
        axes.legend(loc="lower right", frameon=False)
