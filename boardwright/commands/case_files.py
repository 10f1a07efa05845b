"""What `boardwright cases build GAME` does: games are played or read, and become a case file of the agent `cases`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import typer

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.cases.building import Keep, case_file_of
from boardwright.cases.file import exclusive
from boardwright.commands.common import check_outputs, named_game, play_match, terminal
from boardwright.errors import BadSpec
from boardwright.kernel import Game


@dataclass(frozen=True)
class Source:
    """Where the games of a case file come from."""

    of: str
    """Whose decisions are kept: an agent that plays, or a name in the records; empty: everybody's."""
    vs: str
    """Who sits in the other seats; empty: the same agent, whose decisions are kept from all seats."""
    games: int
    seed: int
    jobs: int
    records: Sequence[Path]

    def check(self) -> None:
        if not self.of and not self.records:
            raise BadSpec("where from? Give --of SPEC, an agent that plays, or --from-records FILE")
        if self.records and self.vs:
            raise BadSpec("--vs names an opponent for games to be played; leave --from-records, or leave --vs")

    @property
    def origin(self) -> str:
        if self.records:
            return f"{self.of or 'all players'} in {', '.join(file.name for file in self.records)}"
        return f"{self.games} games of {self.of} against {self.vs or 'itself'}, seed {self.seed}"


def build_case_file(
    name: str,
    source: Source,
    seats: int | None,
    keep_lost: bool | None,
    first: int | None,
    out: Path,
    *,
    own_space: bool = False,
    outlook: str = "",
) -> None:
    """Lost games are kept where an agent plays, since their results count, and not where one player's are taken from
    records; `keep_lost` says otherwise."""
    game = named_game(name)
    count = game.check_seats(seats)
    if first != 0:
        source.check()
    check_outputs(out)
    with exclusive(out):
        found = [] if first == 0 else _games(name, game, source, count, out)
        wins = bool(source.records and source.of) if keep_lost is None else not keep_lost
        keep = Keep(source.of if source.records or source.vs else "", wins)
        origin = source.origin if first != 0 else "empty"
        file = case_file_of(game, found, count, keep, origin, own_space=own_space, outlook=outlook)
        if found and not file.games:
            whose = f" that {source.of} has won" if source.of and wins else f" of {source.of}" if source.of else ""
            raise BadSpec(f"there are no games of {game.name} with {count} seats{whose} among {len(found):,}")
        if first is not None:
            file = replace(file, games=file.games[:first])
        file.write(out)
    print(f"{len(file.games):,} games with {count} seats in {out}, {out.stat().st_size / 1000:,.0f} KB")


def _games(name: str, game: Game, source: Source, seats: int, out: Path) -> list[GameRecord]:
    """Played games are recorded beside the file, so that a stopped build goes on."""
    if source.records:
        return [record for file in source.records for record in read_records(file)]
    match = Match(name, (source.of, *[source.vs or source.of] * (seats - 1)), source.seed)
    record = out.with_name(f"{out.name}.games.jsonl")
    begun = record.exists() and record.stat().st_size > 0
    outcome = play_match(match, source.games, record=record, resume=begun, jobs=source.jobs, console=terminal())
    if outcome.interrupted:
        print(f"stopped after {outcome.standings.games:,} of {source.games:,} games; the same command goes on")
        raise typer.Exit(130)
    return first_games(read_records(record), source.games)
