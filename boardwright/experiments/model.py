"""What an experiment is: who played, what was published, what was claimed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from rich.console import Console

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord
from boardwright.arena.runner import Outcome, run_match
from boardwright.arena.standings import wilson_interval
from boardwright.errors import UnknownName
from boardwright.executors import Executor
from boardwright.experiments.tables import Table, TableOf
from boardwright.experiments.tally import Tally
from boardwright.reports.report import percent_with_interval
from boardwright.reports.tables import FittingTable
from boardwright.terminal.progress import MatchProgress

Counted = Literal["wins", "last"]
Judge = Callable[[Tally], "tuple[Verdict, str]"]
"""Says whether a claim holds in the games of a tally, and the figures behind that."""


@dataclass(frozen=True)
class Places:
    """A line of a table of scores and places."""

    label: str
    mean: float
    low: float
    high: float
    spread: float
    """The standard deviation."""
    shares: tuple[float, ...]
    """The share of first places, of second places and so on."""


@dataclass(frozen=True)
class Row:
    """A line of a published table: an agent or a seat, and how it fared."""

    label: str
    appearances: int
    """How often it sat down: two of a kind at a table of 50 games appear 100 times."""
    wins: int
    last: int
    mean_rank: float
    wins_by_seat: tuple[int, ...] = ()
    places: Places | None = None


@dataclass(frozen=True)
class Published:
    """A published table."""

    source: str
    games: int
    by: Literal["agent", "seat"]
    rows: tuple[Row, ...]
    again: tuple[Places, ...] = ()
    """What the author's own program gave when it was run again."""


@dataclass(frozen=True)
class ChiSquareTest:
    """A published χ² test: does this count follow the share that chance would give?"""

    label: str
    counted: Counted
    chance: float
    """The share of games expected under the null hypothesis."""
    statistic: float
    """The published value."""
    p: float
    """The published p-value; 0 stands for "nearly 0"."""
    seat: int | None = None
    """Only what was counted in this seat, of all that was counted; None: everywhere, of all games."""


class Verdict(Enum):
    HOLDS = "holds"
    FAILS = "does not hold"
    OPEN = "undecided"


def decided(holds: bool, fails: bool) -> Verdict:
    return Verdict.HOLDS if holds else Verdict.FAILS if fails else Verdict.OPEN


Judged = Iterable[tuple[str, Verdict, str]]
"""Claims, whether they hold, and the figures behind that."""


def as_stored(judged: Judged) -> list[dict[str, str]]:
    """As result.json has them."""
    return [{"claim": text, "verdict": verdict.value, "figures": figures} for text, verdict, figures in judged]


def show_table(table: Table, title: str, console: Console) -> None:
    """A table of the documentation in the terminal."""
    heading, *rows = table
    shown = FittingTable(*heading, title=title)
    for row in rows:
        shown.add_row(*row)
    console.print(shown)


def show_verdicts(stored: Sequence[Mapping[str, str]], console: Console) -> None:
    for one in stored:
        console.print(f"{one['verdict']:>13}  {one['claim']}: {one['figures']}", highlight=False)


@dataclass(frozen=True)
class Claim:
    """What the publication concluded, and how to judge it from games."""

    text: str
    judge: Judge
    about: str = ""
    """The agent it is about, where not all arrangements have it."""


@dataclass(frozen=True)
class Arrangement:
    """One way to run the experiment: as the author did, or corrected."""

    key: str
    title: str
    seated: tuple[tuple[str, str], ...]
    """Label and spec of each entrant; seats are permuted."""
    options: Mapping[str, Any] = field(default_factory=dict)
    answers: tuple[str, ...] = ()
    """The published rows it is to be compared with; empty: all."""

    def match(self, game: str, seed: int) -> Match:
        return Match(game, tuple(spec for _, spec in self.seated), seed, dict(self.options))

    @property
    def labels(self) -> list[str]:
        return [label for label, _ in self.seated]


Games = Mapping[str, list[GameRecord]]
"""The games that were played, by arrangement."""


class Analysis(Protocol):
    """What an experiment looks at besides who won."""

    def __call__(self, games: Games, folder: Path, console: Console) -> dict[str, Any]:
        """Show it, draw it into the folder, and give the figures for result.json."""


class Part(NamedTuple):
    """A cell, an arrangement or a run of an experiment, as `show` prints it and `--only` takes it."""

    name: str
    agents: str
    """Who plays, or what is measured."""
    published: str = ""


@dataclass(frozen=True)
class Conditions:
    """How an experiment is run."""

    games: int
    folder: Path
    console: Console
    executor: Executor
    decks: Path | None = None
    """The file of decks, for experiments about decks."""
    iterations: int | None = None
    """The budget of searches, where it is another than declared."""
    seconds: float | None = None
    """The budget of searches in seconds, where it is another than declared."""
    only: str | None = None
    """The part to run, if not all of them."""
    claims: bool = False
    """Play what claims need, and no more."""

    def play(self, match: Match, file: Path, games: int | None = None) -> Outcome:
        """The games of a match, as far as they are not in the file yet."""
        listeners = [MatchProgress(self.console)]
        wanted = self.games if games is None else games
        return run_match(match, wanted, file=file, resume=file.exists(), executor=self.executor, listeners=listeners)


class Conduct(Protocol):
    """An experiment that is no series of matches. The object whose method it is may also say what there is to run and
    to show: `parts()`, `claims` or `claim_texts()`, `tables`, `draw_stored`."""

    def __call__(self, experiment: Experiment, conditions: Conditions) -> bool:
        """Run it, or what is left of it; whether it is complete."""


@dataclass(frozen=True)
class Experiment:
    name: str
    game: str
    title: str
    question: str
    games: int
    seed: int
    published: Published = Published("", 0, "agent", ())
    arrangements: tuple[Arrangement, ...] = ()
    tests: tuple[ChiSquareTest, ...] = ()
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    analyses: tuple[Analysis, ...] = ()
    conduct: Conduct | None = None
    unit: str = "games"
    """What is counted."""
    iterations: int | None = None
    """The budget of searches for a decision, where `--iterations` can change it."""
    seconds: float | None = None
    """The budget of searches for a decision, where `--seconds` can change it."""
    tables: Mapping[str, TableOf] = field(default_factory=dict)
    """Its tables in the documentation: a name each, which follows that of the experiment; empty for the first."""
    ties_by_seat: bool = False
    """Equal results are placed in the order of seats, as the publication did; otherwise they share their places."""

    @property
    def conductor(self) -> Any:
        """Who knows the parts and the claims of an experiment that is no series of matches."""
        return getattr(self.conduct, "__self__", self.conduct)

    @property
    def docs_tables(self) -> Mapping[str, TableOf]:
        return self.tables or getattr(self.conductor, "tables", {})

    @property
    def drawn(self) -> Callable[[Sequence[Mapping[str, Any]], Path], None] | None:
        """Draws stored results into a file, those of the declared budget first; None if the documentation has no
        picture of it."""
        return getattr(self.conductor, "draw_stored", None)

    def parts(self) -> list[Part]:
        """All that is run: arrangements, or cells; one, if it has no parts."""
        if self.conduct is None:
            return [
                Part(one.key, ", ".join(f"{label} = {spec}" for label, spec in dict(one.seated).items()))
                for one in self.arrangements
            ]
        return list(self.conductor.parts()) if hasattr(self.conductor, "parts") else [Part("whole", self.title)]

    def claim_texts(self) -> list[str]:
        """What the publication concluded."""
        if hasattr(self.conductor, "claim_texts"):
            return list(self.conductor.claim_texts())
        claims = self.claims if self.conduct is None else getattr(self.conductor, "claims", ())
        return [claim.text for claim in claims]

    def check_part(self, name: str) -> None:
        """UnknownName unless there is that part."""
        names = [part.name for part in self.parts()]
        if name not in names:
            raise UnknownName("part", name, names, f" of {self.name}")


def share(
    label: str,
    counted: Counted,
    *,
    by: Literal["agent", "seat"] = "agent",
    above: float | None = None,
    below: float = 1,
) -> Judge:
    """A judge: does this agent or seat win (or come last) in more, or in less, than a given share of its games?"""
    level = below if above is None else above

    def judge(tally: Tally) -> tuple[Verdict, str]:
        count = tally.count(label, by)
        return _verdict(count.number(counted), count.games, level, above is not None)

    return judge


def oftener(first: str, second: str, counted: Counted) -> Judge:
    """A judge: does the first agent win (or come last) more often than the second, where they meet?"""

    def judge(tally: Tally) -> tuple[Verdict, str]:
        mine, theirs = (tally.count(label, "agent").number(counted) for label in (first, second))
        return _verdict(mine, mine + theirs, 0.5, above=True, ratio=f"{mine:,} : {theirs:,}, ")

    return judge


def in_seats(label: str, seats: tuple[int, ...], *, below: float) -> Judge:
    """A judge: does this agent win less than a given share of its games in these seats?"""

    def judge(tally: Tally) -> tuple[Verdict, str]:
        counts = [tally.counts[label, seat] for seat in seats if (label, seat) in tally.counts]
        return _verdict(sum(c.wins for c in counts), sum(c.games for c in counts), below, above=False)

    return judge


def _verdict(number: int, games: int, level: float, above: bool, ratio: str = "") -> tuple[Verdict, str]:
    low, high = wilson_interval(number, games)
    figures = ratio + percent_with_interval(number / max(games, 1), (low, high))
    over, under = low > level, high < level
    return decided(over if above else under, under if above else over), figures
