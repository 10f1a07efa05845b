"""What `boardwright cases build` and `learn` do: games are played or read, cases are built from them and written."""

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

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.arena.runner import run_match
from boardwright.commands.saved_games import to_record
from boardwright.errors import BadSpec
from boardwright.executors import local_executor
from boardwright.files import check_writable, write_json
from boardwright.games.race.keldon.saves import read_saves
from boardwright.scout.cases.building import cases_of, choices_of, winner
from boardwright.scout.cases.collection import CONFUSIONS, POLICY_NETWORK, CaseCollection, GameCases, collection_of
from boardwright.scout.cases.files import load_cases, write_cases
from boardwright.scout.cases.profiles import as_data, load_profiles
from boardwright.scout.cases.representation import CASE, Records
from boardwright.scout.problems.problem import SEATS
from boardwright.scout.reasoners.evaluation import WeightLearner, find_confusions
from boardwright.scout.reasoners.policy_network import POLICY_TYPES
from boardwright.scout.reasoners.policy_training import train_policy
from boardwright.scout.reasoners.settings import Settings
from boardwright.terminal.progress import MatchProgress

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


def build_cases(out: Path, origin: Origin, *, types: tuple[int, ...], keep: int, losers: bool) -> None:
    """Cases of the first `keep` games (0: of all); the policy network is trained on all."""
    if not origin.name:
        raise BadSpec("where from? Give --from SPEC, --from-saves FILE or --from-records FILE")
    check_writable(out)
    console = Console(stderr=True)
    games = _games_of(origin, out, console)
    kept = games[:keep] if keep else games
    meta: dict[str, Any] = {"from": origin.name, "games": len(kept), "seed": origin.seed, "losers": losers}

    def with_progress(records: list[GameRecord], what: str) -> Iterable[GameRecord]:
        return track(records, what, console=console, disable=not console.is_terminal)

    cases = collection_of(_cases(with_progress(kept, "building cases"), types, losers), meta)
    cases.meta[CONFUSIONS] = find_confusions(cases, Settings(weights="dissertation", similarity="facts"))
    examples = _training_examples(with_progress(games, "training the policy network"), losers)
    cases.meta[POLICY_NETWORK] = {"games": len(games), **train_policy(examples)}
    write_and_report(cases, out)


def _games_of(origin: Origin, out: Path, console: Console) -> list[GameRecord]:
    found: list[GameRecord] = []
    if origin.spec:
        found += _played(out, origin, origin.spec, console)
    for file in origin.records:
        found += read_records(file)
    for file in origin.saves:
        found += (to_record(save, number) for number, save in enumerate(read_saves(file)))
    return found


def _cases(records: Iterable[GameRecord], types: tuple[int, ...], losers: bool) -> Iterator[GameCases]:
    for record in records:
        won = winner(record)
        if won is not None:
            found = cases_of(record, types, seat=1 - won if losers else won)
            if found is not None:
                yield found


def _training_examples(records: Iterable[GameRecord], losers: bool) -> Records:
    """The choices of both players, who know what matters equally well, or of the losers alone."""
    found = [np.zeros(0, CASE)]
    for record in records:
        won = winner(record)
        if not losers:
            found.append(choices_of(record, POLICY_TYPES, *range(SEATS)))
        elif won is not None:
            found.append(choices_of(record, POLICY_TYPES, 1 - won))
    return np.concatenate(found)


def _played(out: Path, origin: Origin, spec: str, console: Console) -> list[GameRecord]:
    """Games of an agent against itself, kept beside the cases until there are enough."""
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


def write_and_report(cases: CaseCollection, out: Path) -> None:
    check_writable(out)
    write_cases(cases, out)
    print(f"{len(cases):,} cases of {cases.games:,} games in {out}")


def learn_weights(name: str, out: Path, start: str, limit: int, passes: int) -> None:
    check_writable(out)
    cases, profiles, console = load_cases(name), load_profiles(start), Console(stderr=True)
    found = {kind: as_data(profile) for kind, profile in profiles.items()}
    for kind in ("phase", "placement"):
        profile = profiles[kind].switched(generalise=True, auxiliary=True, windows=True)
        learner = WeightLearner(cases, kind, profile, limit=limit)
        before = learner.score(profile.numbers | profile.sets)

        def progress(feature: str, score: float, kind: str = kind) -> None:
            console.print(f"[dim]{kind}: {score:.4f} after {feature}[/]", highlight=False)

        learned, score = learner.learn(passes, progress)
        found[kind] = as_data(learned)
        print(f"{kind}: mean share of votes for the choice made, {before:.4f} before, {score:.4f} after")
    write_json(out, found)
