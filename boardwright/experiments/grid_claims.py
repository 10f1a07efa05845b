"""Claims about a grid of matches: how they are judged from the cells, and which games would decide them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from boardwright.experiments import tables
from boardwright.experiments.model import Verdict, decided
from boardwright.experiments.sequential import ALPHA, confidence_sequence, mean_sequence


@dataclass(frozen=True)
class CellResult:
    """What a cell's games gave. A draw is half a win."""

    games: int = 0
    points: float = 0.0
    best_move_rate: float | None = None
    results: tuple[float, ...] = ()
    """Of each game, in order; empty if they were not kept."""

    @property
    def share(self) -> float:
        return self.points / max(self.games, 1)

    @property
    def interval(self) -> tuple[float, float]:
        return self.sequence(ALPHA)

    def sequence(self, alpha: float) -> tuple[float, float]:
        """What the true share lies between, however often one has looked."""
        return confidence_sequence(self.points, self.games, alpha)

    def continued(self, games: int) -> CellResult:
        """What it will be after so many games if it goes on as it went; half of them won if there were none."""
        if games <= self.games:
            return self
        share = self.share if self.games else 0.5
        results = tuple(islice(cycle(self.results), games)) if self.results else ()
        return CellResult(games, self.points + share * (games - self.games), results=results)

    @property
    def text(self) -> str:
        low, high = self.interval
        return f"{100 * self.share:.0f} ({100 * low:.0f}–{100 * high:.0f})"

    @property
    def percent(self) -> str:
        return f"{self.text} %" if self.games else tables.NOT_PLAYED


Results = Mapping[tuple[str, str], CellResult]
"""By row and column."""
Judge = Callable[[Results, float], tuple[Verdict, str]]
"""Says whether a claim holds, wrongly with at most the given probability, and the figures behind that."""


@dataclass(frozen=True)
class GridClaim:
    """What the publication concluded, and how to judge it from the cells."""

    text: str
    judge: Judge


class WatchedResults(Mapping[tuple[str, str], CellResult]):
    """Results that remember which of them were looked at; a cell that was not played has no games."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.seen: dict[tuple[str, str], None] = {}

    def __getitem__(self, key: tuple[str, str]) -> CellResult:
        self.seen[key] = None
        return self.results.get(key, CellResult())

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)


def plan(judge: Judge, results: Results, most: int, step: int = 1) -> dict[tuple[str, str], int]:
    """How many games each cell must have for a verdict, if all go on as they went, none above `most`: the cells that
    are needed for it alone. Empty if the claim is decided, or hopeless with so many games."""
    looked_at = WatchedResults(results)
    if judge(looked_at, ALPHA)[0] is not Verdict.OPEN:
        return {}
    cells = {place: looked_at[place] for place in list(looked_at.seen)}
    for more in range(step, most + step, step):
        grown = {place: cell.continued(min(cell.games + more, most)) for place, cell in cells.items()}
        if judge(WatchedResults(grown), ALPHA)[0] is not Verdict.OPEN:
            break
    else:
        return {}
    for place, cell in cells.items():
        without = {**grown, place: cell}
        if judge(WatchedResults(without), ALPHA)[0] is not Verdict.OPEN:
            grown = without
    return {place: grown[place].games for place, cell in cells.items() if grown[place].games > cell.games}


# Judges


Reading = Callable[[Results, float], tuple[float, float, str]]
"""What a share lies between, wrongly with at most the given probability, and how it is told."""


def _level(read: Reading, level: float, *, above: bool) -> Judge:
    """Is the share that is read above a given one, or below it?"""

    def judge(results: Results, alpha: float) -> tuple[Verdict, str]:
        low, high, figures = read(results, alpha)
        over, under = low > level, high < level
        return decided(over if above else under, under if above else over), figures

    return judge


def _of_cell(row: str, column: str) -> Reading:
    return lambda results, alpha: (*results[row, column].sequence(alpha), results[row, column].percent)


def _of_all(places: Sequence[tuple[str, str]]) -> Reading:
    def read(results: Results, alpha: float) -> tuple[float, float, str]:
        found = combined(results, dict.fromkeys(places, 1 / len(places)), alpha)
        return found.low, found.high, found.percent

    return read


def above(row: str, column: str, level: float) -> Judge:
    """Does this agent win more than a given share?"""
    return _level(_of_cell(row, column), level, above=True)


def below(row: str, column: str, level: float) -> Judge:
    """Does this agent win less than a given share?"""
    return _level(_of_cell(row, column), level, above=False)


def near(row: str, column: str, level: float, margin: float) -> Judge:
    """Does this agent win a given share, give or take a margin? (An equivalence test: the whole interval must lie
    within the margin, so few games can decide nothing.)"""

    def judge(results: Results, alpha: float) -> tuple[Verdict, str]:
        cell = results[row, column]
        low, high = cell.sequence(alpha)
        inside = level - margin <= low and high <= level + margin
        return decided(inside, high < level - margin or low > level + margin), cell.percent

    return judge


def all_of(judges: Sequence[Judge]) -> Judge:
    """A claim about several cells: it fails if one of them fails, and holds if all hold. That one fails has many
    occasions to be found by chance, so each gets its part of the probability of error; that all hold has not."""

    def judge(results: Results, alpha: float) -> tuple[Verdict, str]:
        found = [judge(results, alpha) for judge in judges]
        fails = any(judge(results, alpha / len(judges))[0] is Verdict.FAILS for judge in judges)
        whole = decided(all(verdict is Verdict.HOLDS for verdict, _ in found), fails)
        return whole, "; ".join(figures for _, figures in found)

    return judge


def stronger(first: tuple[str, str], second: tuple[str, str]) -> Judge:
    """Does the agent of one cell win a larger share than that of another?"""
    return gain([first], [second])


def gain(firsts: Sequence[tuple[str, str]], seconds: Sequence[tuple[str, str]]) -> Judge:
    """Do the agents of some cells, taken together, win a larger share than those of as many others?"""
    part = 1 / len(firsts)
    weights = {**dict.fromkeys(firsts, part), **dict.fromkeys(seconds, -part)}

    def judge(results: Results, alpha: float) -> tuple[Verdict, str]:
        found = combined(results, weights, alpha)
        shares = " against ".join("; ".join(results[place].percent for place in group) for group in (firsts, seconds))
        return decided(found.low > 0, found.high < 0), f"{shares}{found.points}"

    return judge


def together_above(places: Sequence[tuple[str, str]], level: float) -> Judge:
    """Do these agents, taken together, win more than a given share?"""
    return _level(_of_all(places), level, above=True)


def together_below(places: Sequence[tuple[str, str]], level: float) -> Judge:
    """Do these agents, taken together, win less than a given share?"""
    return _level(_of_all(places), level, above=False)


@dataclass(frozen=True)
class Combined:
    """What several cells say together: a sum of their shares, each with its weight."""

    value: float
    low: float
    high: float
    cells: int
    fewest: int
    """Games that every cell has."""
    rounds: int
    """The same if it was kept which game had which result, otherwise 0."""

    @property
    def percent(self) -> str:
        if self.fewest == 0:
            return tables.NOT_PLAYED
        games = f" of {self.cells * self.rounds} games, {self.rounds} of each" if self.rounds else " on average"
        return f"{100 * self.value:.0f} ({100 * self.low:.0f}–{100 * self.high:.0f}) %{games}"

    @property
    def points(self) -> str:
        """A difference, as the rounds have it, to be added to the shares of all games."""
        between = f"{100 * self.low:+.0f} to {100 * self.high:+.0f}"
        return f": {100 * self.value:+.0f} points ({between}) in {self.rounds} pairs" if self.rounds else ""


def combined(results: Results, weights: Mapping[tuple[str, str], float], alpha: float) -> Combined:
    """A sum of shares. Games of the same number are played on the same deal in all cells, so the rounds that all cells
    have played are one sequence of results. If a cell did not keep its games, the intervals of the cells are added,
    each with its part of the probability of error."""
    cells = {place: results[place] for place in weights}
    if all(len(cell.results) == cell.games for cell in cells.values()):
        rounds = list(zip(*(cell.results for cell in cells.values()), strict=False))
        least = sum(weight for weight in weights.values() if weight < 0)
        width = sum(abs(weight) for weight in weights.values())
        sums = [sum(w * x for w, x in zip(weights.values(), one, strict=True)) for one in rounds]
        low, high = mean_sequence([round((value - least) / width, 9) for value in sums], alpha)
        value = sum(sums) / max(len(rounds), 1)
        return Combined(value, least + width * low, least + width * high, len(cells), len(rounds), len(rounds))
    ends = [
        (weight, cells[place].share, cells[place].sequence(alpha / len(cells))) for place, weight in weights.items()
    ]
    return Combined(
        sum(weight * share for weight, share, _ in ends),
        sum(min(weight * low, weight * high) for weight, _, (low, high) in ends),
        sum(max(weight * low, weight * high) for weight, _, (low, high) in ends),
        len(cells),
        min(cell.games for cell in cells.values()),
        0,
    )
