"""Published figures beside ours: tables, tests, claims, JSON and a plot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

from boardwright.arena.standings import LEAST_EXPECTED, chi_square_tail
from boardwright.experiments import model
from boardwright.experiments.model import Arrangement, ChiSquareTest, Counted, Experiment, Places, Row, Verdict
from boardwright.experiments.tally import Count, Tally
from boardwright.reports.plots import figure
from boardwright.reports.report import in_percent, percent
from boardwright.reports.tables import FittingTable

DIFFERENT = 0.01
"""Published and own figures are called different when chance would part them this seldom."""

VERDICT_COLOURS = {Verdict.HOLDS: "green", Verdict.FAILS: "red", Verdict.OPEN: "yellow"}
_LEAST_FOR_A_MEAN = 30
"""From so many games on the mean of ranks is near enough to a normal distribution, and its spread is known."""
_LEGEND = "[dim]≠: the published figure differs from ours by more than chance (p < 0.01)[/]\n"


def show_declaration(experiment: Experiment, console: Console) -> None:
    console.print(f"[bold]{experiment.name}[/]: {experiment.title}\n{experiment.question}\n", highlight=False)
    published = experiment.published
    number = f", {published.games:,} {experiment.unit}" if published.rows else ""
    title = f"published: {published.source}{number}" if published.source else "nothing is published to compare it with"
    table = FittingTable(published.by, "won", "last", "mean rank", "won by seat", title=title)
    for row in published.rows:
        by_seat = " ".join(map(str, row.wins_by_seat))
        table.add_row(
            row.label,
            _share(row.wins, row.appearances),
            _share(row.last, row.appearances),
            f"{row.mean_rank:g}",
            by_seat,
        )
    console.print(table if published.rows else title, highlight=False)
    for arrangement in experiment.arrangements:
        options = ", ".join(f"{key}={value}" for key, value in arrangement.options.items()) or "default options"
        agents = ", ".join(f"{label} = {spec}" for label, spec in dict(arrangement.seated).items())
        console.print(f"[bold]{arrangement.key}[/] {arrangement.title}: {agents}; {options}", highlight=False)
    console.print(f"{experiment.games:,} {experiment.unit} each, seed {experiment.seed}")
    for part in experiment.parts() if experiment.conduct is not None else ():
        figure_there = f"; published: {part.published}" if part.published else ""
        console.print(f"[bold]{part.name}[/]: {part.agents}{figure_there}", highlight=False)
    for text in experiment.claim_texts():
        console.print(f"• {text}", highlight=False)
    for note in experiment.notes:
        console.print(f"[dim]{note}[/]", highlight=False)


def show_result(experiment: Experiment, arrangement: Arrangement, tally: Tally, console: Console) -> None:
    published = experiment.published
    console.print(
        f"[bold]{experiment.name}, {arrangement.title}[/]: {tally.games:,} games, seed {experiment.seed};"
        f" published: {published.source}, {published.games:,} games; shares in %",
        highlight=False,
    )
    table = _comparison(experiment, arrangement, tally)
    console.print(table if table.rows else "[dim]nothing is published to compare it with[/]\n", highlight=False)
    if any(row.wins_by_seat for row in published.rows):
        _show_wins_by_seat(experiment, tally, console)
    if any(row.places for row in published.rows):
        _show_places(experiment, tally, console)
    for test in experiment.tests:
        console.print(_test_line(test, tally, experiment), highlight=False)
    for claim in experiment.claims:
        if claim.about and claim.about not in arrangement.labels:
            continue
        verdict, figures = claim.judge(tally)
        console.print(f"[{VERDICT_COLOURS[verdict]}]{verdict.value:>13}[/]  {claim.text}: {figures}", highlight=False)
    if table.rows:
        console.print(_LEGEND, highlight=False)


def _comparison(experiment: Experiment, arrangement: Arrangement, tally: Tally) -> FittingTable:
    """A row for each published one that the arrangement answers."""
    published = experiment.published
    table = FittingTable(published.by, "won", "ours (95 %)", "last", "ours (95 %)", "rank", "ours")
    for row in published.rows:
        if arrangement.answers and row.label not in arrangement.answers:
            continue
        count = tally.count(row.label, published.by)
        table.add_row(
            row.label,
            in_percent(row.wins / row.appearances),
            _ours(count, "wins", row),
            in_percent(row.last / row.appearances),
            _ours(count, "last", row),
            f"{row.mean_rank:.2f}",
            f"{count.mean_rank:.2f}±{count.rank_margin:.2f}" + ("≠" if _ranks_differ(count, row) else ""),
        )
    return table


def _show_wins_by_seat(experiment: Experiment, tally: Tally, console: Console) -> None:
    """Published tables give the wins only; for ours we also know how often an agent sat in a seat."""
    published = experiment.published
    seats = [f"seat {seat + 1}" for seat in range(len(published.rows[0].wins_by_seat))]
    table = FittingTable(
        "agent", *seats, title=f"won in each seat, of {published.games} games; ours in % of the games there"
    )
    for row in published.rows:
        games = tally.games_by_seat(row.label)
        ours = [in_percent(won / max(of, 1)) for won, of in zip(tally.wins_by_seat(row.label), games, strict=True)]
        table.add_row(row.label, *(f"{theirs}; {own} %" for theirs, own in zip(row.wins_by_seat, ours, strict=True)))
    console.print(table)


def places_of(label: str, count: Count) -> Places:
    shares = tuple(count.places[place] / max(count.games, 1) for place in range(1, count.seats + 1))
    return Places(label, count.mean_score, min(count.scores), max(count.scores), count.score_spread, shares)


def _show_places(experiment: Experiment, tally: Tally, console: Console) -> None:
    """Scores and the share of every place: published, the author's program run again, ours."""
    published = experiment.published
    counts = [(row, tally.count(row.label, published.by)) for row in published.rows]
    lines = [row.places for row in published.rows if row.places] + list(published.again)
    lines += [places_of(f"{row.label}, ours", count) for row, count in counts if count.games]
    table = FittingTable(
        published.by, "mean", "low", "high", "sd", *map(str, range(1, tally.seats + 1)), title="scores and places"
    )
    for line in lines:
        numbers = (f"{line.mean:.1f}", f"{line.low:g}", f"{line.high:g}", f"{line.spread:.1f}")
        table.add_row(line.label, *numbers, *(f"{share:.3f}".lstrip("0") for share in line.shares))
    console.print(table)
    for row, count in counts:
        console.print(
            f"{row.label} shared the first place in {count.shared_first:,} of {count.games:,} games;"
            f" counted in the order of seats: {'yes' if experiment.ties_by_seat else 'no'}",
            highlight=False,
        )


def _share(number: int, of: int) -> str:
    return f"{number} = {percent(number / of)}"


def _ours(count: Count, counted: Counted, row: Row) -> str:
    number = count.number(counted)
    low, high = count.interval(counted)
    theirs = row.wins if counted == "wins" else row.last
    mark = "≠" if shares_differ(number, count.games, theirs, row.appearances) else ""
    return f"{in_percent(number / max(count.games, 1))} ({in_percent(low)}–{in_percent(high)}){mark}"


def shares_differ(first: int, first_of: int, second: int, second_of: int) -> bool:
    """Fisher's exact test of whether two shares are the same."""
    from scipy.stats import fisher_exact

    return bool(fisher_exact([[first, first_of - first], [second, second_of - second]]).pvalue < DIFFERENT)


def _ranks_differ(count: Count, row: Row) -> bool:
    """The published tables do not give the spread of ranks; ours stands in for both. It takes some games to know it."""
    if count.games < _LEAST_FOR_A_MEAN:
        return False
    error = count.rank_margin / 1.96 * math.sqrt(1 + count.games / row.appearances)
    return abs(count.mean_rank - row.mean_rank) > 2.576 * error


def _test_line(test: ChiSquareTest, tally: Tally, experiment: Experiment) -> str:
    """The published test and ours, also scaled to as many trials: χ² grows with their number."""
    ours, p = chi_square(test, tally, experiment)
    of = _trials(test, tally, experiment)
    trials = experiment.published.games
    if test.seat is not None:
        trials = sum(row.wins for row in experiment.published.rows if row.label == test.label)
    where = f" in seat {test.seat}" if test.seat is not None else ""
    published = f"p = {test.p:.3g}" if test.p else "p nearly 0"
    head = f"χ², {test.counted} of {test.label}{where}: published {test.statistic:.2f} ({published})"
    if of * min(test.chance, 1 - test.chance) < LEAST_EXPECTED:
        return f"{head}, ours from too few {'games' if test.seat is None else test.counted} for this test"
    return (
        f"{head}, ours {ours * trials / of:.2f}"
        f" for as many {'games' if test.seat is None else test.counted} (over all: {ours:.1f}, p = {p:.2g})"
    )


def chi_square(test: ChiSquareTest, tally: Tally, experiment: Experiment) -> tuple[float, float]:
    """The publication's test on our games: its statistic and p."""
    if test.seat is None:
        number = tally.count(test.label, experiment.published.by).number(test.counted)
    else:
        number = tally.counts[test.label, test.seat].number(test.counted)
    total = _trials(test, tally, experiment)
    expected = test.chance * total
    if not expected:
        return 0.0, 1.0
    statistic = (number - expected) ** 2 / expected + (number - expected) ** 2 / (total - expected)
    return statistic, chi_square_tail(1, statistic)


def _trials(test: ChiSquareTest, tally: Tally, experiment: Experiment) -> int:
    """Of how many games, or of how many wins, a test counts a part."""
    if test.seat is None:
        return tally.games
    return tally.count(test.label, experiment.published.by).number(test.counted)


def result_as_json(experiment: Experiment, tallies: Mapping[str, Tally]) -> dict[str, Any]:
    published = experiment.published
    return {
        "experiment": experiment.name,
        "game": experiment.game,
        "seed": experiment.seed,
        "ties_by_seat": experiment.ties_by_seat,
        "published": {
            "source": published.source,
            "games": published.games,
            "rows": [asdict(row) for row in published.rows],
            "again": [asdict(line) for line in published.again],
        },
        "arrangements": {
            arrangement.key: {
                "title": arrangement.title,
                "agents": [{"label": label, "spec": spec} for label, spec in arrangement.seated],
                "options": dict(arrangement.options),
                "games": tally.games,
                "rows": tally.as_json([row.label for row in published.rows], published.by),
                "tests": [
                    {"label": t.label, "counted": t.counted, "seat": t.seat}
                    | {"published": t.statistic, "published_p": t.p}
                    | dict(zip(("statistic", "p"), chi_square(t, tally, experiment), strict=True))
                    for t in experiment.tests
                ],
                "claims": model.as_stored(
                    (claim.text, *claim.judge(tally))
                    for claim in experiment.claims
                    if not claim.about or claim.about in arrangement.labels
                ),
            }
            for arrangement in experiment.arrangements
            if (tally := tallies.get(arrangement.key)) is not None
        },
    }


def plot_result(file: Path, experiment: Experiment, tallies: Mapping[str, Tally]) -> None:
    """Shares of wins and of last places: published and each arrangement, with 95 % intervals."""
    from boardwright.arena.standings import wilson_interval

    published = experiment.published
    rows = published.rows
    with figure(file, (11, 4.2), columns=2, sharey=True) as (drawn, panels):
        series = [("published", "#999999")]
        series += [(key, colour) for key, colour in zip(tallies, ("#4878a8", "#b0643c", "#5a9a5a"), strict=False)]
        titles = {arrangement.key: arrangement.title for arrangement in experiment.arrangements}
        width = 0.8 / len(series)
        for panel, counted in zip(panels, ("wins", "last"), strict=True):
            for place, (key, colour) in enumerate(series):
                numbers = []
                for row in rows:
                    if key == "published":
                        numbers.append((getattr(row, counted), row.appearances))
                    else:
                        count = tallies[key].count(row.label, published.by)
                        numbers.append((getattr(count, counted), count.games))
                shares = [100 * number / max(of, 1) for number, of in numbers]
                bounds = [wilson_interval(number, of) for number, of in numbers]
                errors = [
                    [value - 100 * low for value, (low, _) in zip(shares, bounds, strict=True)],
                    [100 * high - value for value, (_, high) in zip(shares, bounds, strict=True)],
                ]
                label = (
                    f"published ({published.games:,} games)"
                    if key == "published"
                    else f"{titles[key]} ({tallies[key].games:,})"
                )
                spots = [i + (place - (len(series) - 1) / 2) * width for i in range(len(rows))]
                panel.bar(spots, shares, width, yerr=errors, color=colour, ecolor="#222222", capsize=3, label=label)
            panel.set_xticks(range(len(rows)), [row.label for row in rows])
            panel.set_title("first places" if counted == "wins" else "last places", loc="left")
        panels[0].set_ylabel("% of appearances, 95 % interval")
        handles, labels = panels[0].get_legend_handles_labels()
        drawn.legend(handles, labels, loc="outside lower center", ncols=len(series), frameon=False)
        drawn.suptitle(f"{experiment.name}: {experiment.title}", x=0.01, ha="left")
