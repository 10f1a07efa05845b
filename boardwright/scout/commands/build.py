"""What `boardwright cases build` and `learn` do: games played or read, cases taken out, a library written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import typer
from rich.console import Console
from rich.progress import track

from boardwright.arena.executor import local_executor
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.arena.runner import run_match
from boardwright.errors import BadSpec
from boardwright.files import check_writable, write_json
from boardwright.scout.cases.building import (
    GameCases,
    cases_of,
    choices_of,
    library_of,
    saves_in,
    winner,
)
from boardwright.scout.cases.files import (
    IMPRESSIONS,
    Library,
    load_library,
    write_packed,
    write_store,
)
from boardwright.scout.cases.profiles import as_data, load_profiles
from boardwright.scout.cases.representation import CASE, Records
from boardwright.scout.problems.problem import SEATS
from boardwright.scout.reasoners.all_reasoners import CONFUSIONS, Settings
from boardwright.scout.reasoners.evaluation import WeightLearner, find_confusions, find_impressions
from boardwright.scout.reasoners.policy_network import FITTED
from boardwright.terminal.progress import MatchProgress

PACKED = ".cases"
STOPPED = 130


@dataclass(frozen=True)
class Origin:
    """Where games come from: an agent that plays itself, saves, records."""

    spec: str | None
    games: int
    seed: int
    jobs: int
    saves: Sequence[Path]
    records: Sequence[Path]

    @property
    def name(self) -> str:
        return ", ".join([*filter(None, [self.spec]), *(file.name for file in (*self.saves, *self.records))])


def build_library(out: Path, origin: Origin, *, types: tuple[int, ...], keep: int, losers: bool) -> None:
    """Cases of the first `keep` games (0: of all); first impressions are fitted to all."""
    if not origin.name:
        raise BadSpec("where from? Give --from SPEC, --from-saves FILE or --from-records FILE")
    check_writable(out)
    console = Console(stderr=True)
    source = _games_of(origin, out, console)
    kept = source[:keep] if keep else source
    meta: dict[str, Any] = {"from": origin.name, "games": len(kept), "seed": origin.seed, "losers": losers}

    def shown(records: list[GameRecord], what: str) -> Iterable[GameRecord]:
        return track(records, what, console=console, disable=not console.is_terminal)

    library = library_of(_cases(shown(kept, "taking cases out of games"), types, losers), meta)
    library.meta[CONFUSIONS] = find_confusions(library, Settings(weights="dissertation", similarity="facts"))
    examples = _examples(shown(source, "learning from the choices made"), losers)
    library.meta[IMPRESSIONS] = {"games": len(source), **find_impressions(examples)}
    write_library(library, out)


def _games_of(origin: Origin, out: Path, console: Console) -> list[GameRecord]:
    found: list[GameRecord] = []
    if origin.spec:
        found += _played(out, origin, origin.spec, console)
    for file in origin.records:
        found += read_records(file)
    for file in origin.saves:
        found += saves_in(file)
    return found


def _cases(records: Iterable[GameRecord], types: tuple[int, ...], losers: bool) -> Iterator[GameCases]:
    for record in records:
        won = winner(record)
        if won is not None:
            found = cases_of(record, types, seat=1 - won if losers else won)
            if found is not None:
                yield found


def _examples(records: Iterable[GameRecord], losers: bool) -> Records:
    """Choices to fit impressions to: of both players, who know what matters equally well, or of the losers alone."""
    found = [np.zeros(0, CASE)]
    for record in records:
        won = winner(record)
        if not losers:
            found.append(choices_of(record, FITTED, *range(SEATS)))
        elif won is not None:
            found.append(choices_of(record, FITTED, 1 - won))
    return np.concatenate(found)


def _played(out: Path, origin: Origin, spec: str, console: Console) -> list[GameRecord]:
    """Games of an agent against itself, kept beside the library until there are enough."""
    file = out.with_name(f"{out.name}.games.jsonl")
    match, jobs = Match("race", (spec, spec), origin.seed), origin.jobs or os.cpu_count() or 1
    outcome = run_match(
        match,
        origin.games,
        file=file,
        resume=file.exists(),
        executor=local_executor(jobs),
        listeners=[MatchProgress(console)],
    )
    if outcome.interrupted:
        print(f"stopped after {outcome.standings.games:,} of {origin.games:,} games; the same command goes on")
        raise typer.Exit(STOPPED)
    return first_games(read_records(file), origin.games)


def write_library(library: Library, out: Path) -> None:
    check_writable(out)
    if out.suffix == PACKED:
        write_packed(library, out)
    else:
        write_store(library, out)
    print(f"{len(library):,} cases of {library.games:,} games in {out}")


def learn_weights(name: str, out: Path, start: str, most: int, passes: int) -> None:
    check_writable(out)
    library, profiles, console = load_library(name), load_profiles(start), Console(stderr=True)
    found = {kind: as_data(profile) for kind, profile in profiles.items()}
    for kind in ("phase", "placement"):
        profile = profiles[kind].switched(generalise=True, auxiliary=True, windows=True)
        learner = WeightLearner(library, kind, profile, most=most)
        before = learner.score(profile.numbers | profile.sets)

        def watch(feature: str, score: float, kind: str = kind) -> None:
            console.print(f"[dim]{kind}: {score:.4f} after {feature}[/]", highlight=False)

        learned, score = learner.learn(passes, watch)
        found[kind] = as_data(learned)
        print(f"{kind}: mean share of votes for the choice made, {before:.4f} before, {score:.4f} after")
    write_json(out, found)
