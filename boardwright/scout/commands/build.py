"""What `boardwright cases build` and `learn` do: games are played or read, cases are built from them and written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.arena.runner import run_match
from boardwright.cbr.index import IndexProfile
from boardwright.commands.saved_games import to_record
from boardwright.errors import BadSpec
from boardwright.executors import Executor
from boardwright.files import write_json
from boardwright.games.race.keldon.saves import read_saves
from boardwright.scout.cases.building import cases_of, choices_of, winner
from boardwright.scout.cases.collection import CONFUSIONS, POLICY_NETWORK, CaseCollection, GameCases, collection_of
from boardwright.scout.cases.files import exclusive, load_cases, write_cases
from boardwright.scout.cases.profiles import as_data, load_profiles
from boardwright.scout.cases.representation import CASE, Records
from boardwright.scout.reasoners.all_reasoners import policy_network_of
from boardwright.scout.reasoners.evaluation import Method, WeightLearner, find_confusions, indexed_features
from boardwright.scout.reasoners.expert_labels import Labels, train_with_labels
from boardwright.scout.reasoners.label_file import read_labels
from boardwright.scout.reasoners.policy_network import CORE_HEADS, POLICY_TYPES
from boardwright.scout.reasoners.policy_training import examples_of, train_policy
from boardwright.scout.reasoners.settings import Settings
from boardwright.terminal.progress import MatchProgress

TRAINING = "training the policy network"
FURTHER = "further"
"""Under which name a policy network says what it was trained on after its own games."""


@dataclass(frozen=True)
class Origin:
    """Where games come from: an agent that plays itself, a teacher against somebody, saves, records."""

    spec: str | None
    teacher: str | None
    """Whose decisions are kept; None: those of whoever wins."""
    opponent: str | None
    games: int
    seed: int
    executor: Executor
    saves: Sequence[Path]
    records: Sequence[Path]

    @property
    def name(self) -> str:
        against = f" against {self.opponent}" if self.opponent else ""
        played = [self.spec, f"{self.teacher}{against}" if self.teacher else None]
        return ", ".join([*filter(None, played), *(file.name for file in (*self.saves, *self.records))])

    @property
    def entrants(self) -> tuple[str, str] | None:
        """Who is to play, if anybody."""
        if self.teacher and self.opponent:
            return self.teacher, self.opponent
        return (self.spec, self.spec) if self.spec else None

    def check(self) -> None:
        if self.teacher and not self.opponent and (self.spec or self.saves or not self.records):
            raise BadSpec(
                "--of names a teacher: give --vs, whom it plays against, or --from-records, where it has played"
            )
        if self.opponent and not self.teacher:
            raise BadSpec("--of and --vs go together: a teacher, and whom it plays against")
        if self.opponent and (self.spec or self.saves or self.records):
            raise BadSpec("--of and --vs say where the games come from: leave --from, --from-saves and --from-records")
        if not self.name:
            raise BadSpec("where from? Give --from SPEC, --of SPEC --vs SPEC, --from-saves FILE or --from-records FILE")

    def learned_from(self, record: GameRecord) -> tuple[int, ...]:
        """The seats of a game whose decisions are worth learning: the teacher's, or both."""
        if self.teacher and self.opponent:
            return (record.order.index(0),)
        return tuple(seat for seat in range(record.seats) if not self.teacher or record.agents[seat] == self.teacher)


@dataclass(frozen=True)
class Kept:
    """What a case base keeps of its games."""

    types: tuple[int, ...]
    games: int = 0
    """Cases of the first so many games; 0: of all. The policy network is trained on all."""
    losers: bool = False
    """Whether the decisions of the losing seat are kept instead of the winner's."""
    heads: tuple[int, ...] = CORE_HEADS
    """The types of decision that the policy network has heads for."""


def build_cases(out: Path, origin: Origin, kept: Kept) -> None:
    """Cases of games, and a policy network trained on the choices of these games."""
    origin.check()
    with exclusive(out):
        console = Console(stderr=True)
        games = _games_of(origin, out, console)
        first = games[: kept.games] if kept.games else games
        meta: dict[str, Any] = {"from": origin.name, "games": len(first), "seed": origin.seed, "losers": kept.losers}
        cases = collection_of(_cases(origin, _shown(first, "building cases", console), kept), meta)
        cases.meta[CONFUSIONS] = find_confusions(cases, Settings(weights="dissertation", similarity="facts"))
        examples = _training_examples(origin, _shown(games, TRAINING, console), kept.heads, kept.losers)
        cases.meta[POLICY_NETWORK] = {"games": len(games), **train_policy(examples, kinds=kept.heads)}
        write_and_report(cases, out)


@dataclass(frozen=True)
class ExpertAdvice:
    """Labels that a network learns from beside the games."""

    files: Sequence[Path]
    temperature: float


def train_further(
    out: Path, origin: Origin, begin_with: str, advice: ExpertAdvice, heads: tuple[int, ...] = CORE_HEADS
) -> None:
    """The cases of another case base, with its policy network trained further on the choices of these games, and on
    an expert's labels of others. Heads that it lacks are added."""
    if origin.name or not advice.files:
        origin.check()
    cases = load_cases(begin_with)
    start = policy_network_of(cases)
    if start is None:
        raise BadSpec(f"--begin-with {begin_with}: it has no policy network; `cases build` trains one")
    with exclusive(out):
        console = Console(stderr=True)
        games = _games_of(origin, out, console)
        kinds = tuple(kind for kind in POLICY_TYPES if kind in heads or kind in start.heads)
        choices = _training_examples(origin, _shown(games, TRAINING, console), kinds, losers=False)
        examples = examples_of(choices, kinds)
        further = [*cases.meta[POLICY_NETWORK].get(FURTHER, ())]
        if games:
            further.append({"from": origin.name, "games": len(games)})
        found = [read_labels(file) for file in advice.files]
        further += ({"labels": file.name, "games": n} for file, (_, n) in zip(advice.files, found, strict=True))
        network = train_with_labels(examples, Labels.joined(labels for labels, _ in found), advice.temperature, start)
        trained = {**cases.meta[POLICY_NETWORK], **network.as_data(), FURTHER: further}
        write_and_report(replace(cases, meta={**cases.meta, POLICY_NETWORK: trained}), out)


def _shown(records: list[GameRecord], what: str, console: Console) -> Iterable[GameRecord]:
    """The same, with a bar of progress on a terminal."""
    return track(records, what, console=console, disable=not console.is_terminal)


def _games_of(origin: Origin, out: Path, console: Console) -> list[GameRecord]:
    found: list[GameRecord] = []
    if origin.entrants:
        found += played_games(out, Match("race", origin.entrants, origin.seed), origin.games, origin.executor, console)
    for file in origin.records:
        found += read_records(file)
    for file in origin.saves:
        found += (to_record(save, number) for number, save in enumerate(read_saves(file)))
    return found


def _cases(origin: Origin, records: Iterable[GameRecord], kept: Kept) -> Iterator[GameCases]:
    for record in records:
        seat = _seat_to_keep(record, kept.losers)
        if seat in origin.learned_from(record) and (found := cases_of(record, kept.types, seat=seat)) is not None:
            yield found


def _seat_to_keep(record: GameRecord, losers: bool) -> int | None:
    """The winner's, or the loser's; None if nobody has won."""
    won = winner(record)
    return None if won is None else 1 - won if losers else won


def _training_examples(origin: Origin, records: Iterable[GameRecord], kinds: tuple[int, ...], losers: bool) -> Records:
    """The choices of the teacher, won or lost; of both players, who know what matters equally well; or of the losers
    alone."""
    found = [np.zeros(0, CASE)]
    for record in records:
        seats = origin.learned_from(record)
        if losers:
            seats = tuple(seat for seat in seats if seat == _seat_to_keep(record, losers))
        found.append(choices_of(record, kinds, *seats))
    return np.concatenate(found)


def played_games(out: Path, match: Match, games: int, executor: Executor, console: Console) -> list[GameRecord]:
    """The first games of a match, played and kept beside the file that is made from them until there are enough."""
    file = out.with_name(f"{out.name}.games.jsonl")
    progress = [MatchProgress(console)]
    outcome = run_match(match, games, file=file, resume=file.exists(), executor=executor, listeners=progress)
    if outcome.interrupted:
        print(f"stopped after {outcome.standings.games:,} of {games:,} games; the same command goes on")
        raise KeyboardInterrupt
    return first_games(read_records(file), games)


def make_empty(out: Path) -> None:
    """A case base without cases, to be taught."""
    with exclusive(out):
        write_and_report(collection_of([], {"from": "nothing"}), out)


def write_and_report(cases: CaseCollection, out: Path) -> None:
    """The caller has locked the file."""
    write_cases(cases, out)
    print(f"{len(cases):,} cases of {cases.games:,} games in {out}")


def learn_weights(
    name: str,
    out: Path,
    start: str,
    limit: int,
    passes: int,
    method: Method,
    console: Console,
    *,
    indexed: bool = False,
) -> dict[str, Any]:
    """The weights by type of decision, which are also in the file."""
    progress = Console(stderr=True, quiet=console.quiet)

    def learned(cases: CaseCollection, kind: str, given: IndexProfile) -> IndexProfile:
        profile = given.switched(generalise=True, auxiliary=True, windows=True)
        learner = WeightLearner(cases, kind, profile, limit=limit)
        before = learner.score(profile.numbers | profile.sets)

        def show(feature: str, score: float) -> None:
            progress.print(f"[dim]{kind}: {score:.4f} after {feature}[/]", highlight=False)

        found, score = learner.learn(passes, show, method, indexed_features(given) if indexed else None)
        shares = f"{before:.4f} before, {score:.4f} after"
        console.out(f"{kind}: mean share of votes for the choice made, {shares}", highlight=False)
        return found

    with exclusive(out):
        cases, profiles = load_cases(name), load_profiles(start)
        weights = {kind: as_data(profile) for kind, profile in profiles.items()}
        for kind in ("phase", "placement"):
            weights[kind] = as_data(learned(cases, kind, profiles[kind]))
        write_json(out, weights)
    return weights
