"""Case files from recorded games: whose decisions are kept, and the space in which they will lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from boardwright.arena.record import GameRecord
from boardwright.cases.file import CaseFile, exclusive, read_case_file
from boardwright.cases.outlook import RETURNS
from boardwright.errors import BadSpec, UnknownName
from boardwright.executors import InProcess
from boardwright.kernel import Game, ready, replay
from boardwright.kernel.contract import SavedGame
from boardwright.learn import imitation
from boardwright.learn.config import TrainingConfig
from boardwright.learn.imitation import Examples, RecordedGame
from boardwright.learn.network import Network, feature_map
from boardwright.learn.training import Training, training_ranges

_HIDDEN_UNITS = 64
_PASSES, _LEAST = 8, 512
"""How often a network learns each game where none comes with the game, and how many games at least."""


@dataclass(frozen=True)
class Keep:
    """Whose decisions become cases."""

    of: str = ""
    """The player, as records name it; empty: everybody."""
    wins: bool = False
    """Of won games alone."""

    def seats(self, record: GameRecord) -> tuple[bool, ...]:
        best, worst = max(record.returns), min(record.returns)
        return tuple(
            (not self.of or player == self.of) and (not self.wins or worst < best == result)
            for player, result in zip(record.agents, record.returns, strict=True)
        )


def case_file_of(
    game: Game,
    records: Iterable[GameRecord],
    seats: int,
    keep: Keep,
    origin: str,
    *,
    own_space: bool = False,
    outlook: str = "",
) -> CaseFile:
    """The games in which somebody's decisions are kept. All are of one variant, and begin with a fresh deal.
    `own_space`: a network is trained on them also where one comes with the game."""
    if outlook not in ("", RETURNS, *game.search.evaluations) or outlook in game.search.rankings:
        scaled = [name for name in game.search.evaluations if name not in game.search.rankings]
        raise UnknownName("outlook", outlook, (RETURNS, *scaled), f" for {game.name}")
    options = game.all_options({}, seats)
    games: list[RecordedGame] = []
    for record in records:
        if record.load_game() is not game:
            raise BadSpec(f"a record is of {record.game}, not of {game.name}")
        kept = keep.seats(record)
        if record.seats != seats or record.position or record.forfeit is not None or not any(kept):
            continue
        variant = game.all_options(record.options, seats)
        if not games:
            options = variant
        elif variant != options:
            raise BadSpec(
                f"game {record.index + 1} has other options than those before it; give records of one variant"
            )
        games.append(RecordedGame(SavedGame(record.seed, seats, options, record.actions), kept))
    file = CaseFile(game.name, seats, options, games, origin, outlook=outlook)
    needs_none = seats in game.learning.networks and not own_space
    return file if needs_none or not games else replace(file, network=trained_on(game, file))


def trained_on(game: Game, file: CaseFile) -> Network:
    """A small network that has learned the choices of these games: where none comes with the game, its hidden layer is
    the space."""
    number = max(_PASSES * len(file.games), _LEAST)
    config = TrainingConfig(
        game=game.name,
        seats=file.seats,
        games=number,
        generation_size=min(number, _LEAST),
        epochs=1,
        td_lambda=1.0,
        hidden_units=_HIDDEN_UNITS,
        imitate="the games of the case file",
    )
    ready.make_ready([*imitation.needs(game), replay.code])
    features = feature_map(game, file.seats, training_ranges(config, game))
    training = Training.begin(config, game, "", Examples(game, features, list(file.games)))
    while not training.finished:
        training.advance(InProcess())
    return training.network()


def case_file_for(file: Path, game: Game, seats: int, options: Mapping[str, Any]) -> CaseFile:
    """The case file that is to take games of this variant; empty if there is none. BadSpec if it has others."""
    if not file.exists():
        return CaseFile(game.name, seats, options)
    had = read_case_file(file, game)
    if had.games and (had.seats, had.options) != (seats, options):
        raise BadSpec(f"{file} is for {had.seats} seats and options {dict(had.options)}; choose another file")
    return had


def add_game(file: Path, game: Game, record: GameRecord, seat: int | None) -> int:
    """Put the decisions of a seat, or of the winners, into a case file, which is made if need be. How many games it has
    then; BadSpec if there is nothing to learn."""
    if seat is None:
        kept = Keep(wins=True).seats(record)
    else:
        kept = tuple(place == seat for place in range(record.seats))
    if not any(kept) or record.forfeit is not None or record.position:
        raise BadSpec("nobody has won this game, or it was no fresh deal, so there is nothing to remember of it")
    with exclusive(file):
        options = game.all_options(record.options, record.seats)
        had = case_file_for(file, game, record.seats, options)
        one = RecordedGame(SavedGame(record.seed, record.seats, options, record.actions), kept)
        grown = replace(had, options=options, games=[*had.games, one], origin=had.origin or "taught")
        if record.seats not in game.learning.networks:
            grown = replace(grown, network=trained_on(game, grown))
        grown.write(file)
        return len(grown.games)
