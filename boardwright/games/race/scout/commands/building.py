"""What `boardwright cases build` and `learn` do: games played or read, cases taken out, a library written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import track

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.arena.runner import run_match
from boardwright.errors import BadSpec
from boardwright.files import check_writable, write_json
from boardwright.games.race.scout.cases.from_games import (
    ALL_TYPES,
    CORE_TYPES,
    GameCases,
    cases_of,
    library_of,
    saves_in,
    winner,
)
from boardwright.games.race.scout.cases.library import Library, load_library, write_packed, write_store
from boardwright.games.race.scout.cases.profiles import as_data, load_profiles
from boardwright.games.race.scout.reasoners.reasoning import CONFUSIONS, IMPRESSIONS, Settings
from boardwright.games.race.scout.reasoners.testing import WeightLearner, find_confusions, find_impressions

PACKED = ".cases"
STOPPED = 130


def build_library(
    out: Path,
    spec: str | None,
    games: int,
    seed: int,
    jobs: int,
    saves: list[Path],
    records: list[Path],
    types: str,
    losers: bool,
) -> None:
    if not (spec or saves or records):
        raise BadSpec("where from? Give --from SPEC, --from-saves FILE or --from-records FILE")
    check_writable(out)
    console = Console(stderr=True)
    source: list[GameRecord] = []
    if spec:
        source += _played(out, spec, games, seed, jobs or os.cpu_count() or 1, console)
    for file in records:
        source += read_records(file)
    for file in saves:
        source += saves_in(file)
    chosen = ALL_TYPES if types == "all" else CORE_TYPES
    names = [spec, *(file.name for file in (*saves, *records))]
    meta = {"from": ", ".join(name for name in names if name), "games": len(source), "seed": seed, "losers": losers}
    shown = track(source, "taking cases out of games", console=console, disable=not console.is_terminal)
    library = library_of(_cases(shown, chosen, losers), meta)
    library.meta[CONFUSIONS] = find_confusions(library, Settings(weights="dissertation", similarity="facts"))
    library.meta[IMPRESSIONS] = find_impressions(library)
    write_library(library, out)


def _cases(records: Iterable[GameRecord], types: tuple[int, ...], losers: bool) -> Iterator[GameCases]:
    for record in records:
        won = winner(record)
        if won is not None:
            found = cases_of(record, types, seat=1 - won if losers else won)
            if found is not None:
                yield found


def _played(out: Path, spec: str, games: int, seed: int, jobs: int, console: Console) -> list[GameRecord]:
    """Games of an agent against itself, kept beside the library until there are enough."""
    file = out.with_name(f"{out.name}.games.jsonl")
    match = Match("race", (spec, spec), seed)
    outcome = run_match(match, games, file=file, resume=file.exists(), jobs=jobs, console=console)
    if outcome.interrupted:
        print(f"stopped after {outcome.standings.games:,} of {games:,} games; the same command goes on")
        raise typer.Exit(STOPPED)
    return first_games(read_records(file), games)


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
