"""The case file: recorded games, and whose decisions in them are cases.

A case is a moment of a game, and games are their seeds and actions, so that is all a file holds: two bytes for an
action. When it is read, the games are replayed, every action is checked against the rules, and the cases come out with
the features of today's network. Where no network comes with the game, the file holds one that was trained on its games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from boardwright.cases.outlook import RETURNS
from boardwright.errors import BadRecord, BadSpec, BoardwrightError
from boardwright.files import alone
from boardwright.kernel import Game
from boardwright.kernel.contract import SavedGame
from boardwright.learn import network as networks
from boardwright.learn.archive import Archive, open_archive, write_archive
from boardwright.learn.imitation import RecordedGame
from boardwright.learn.network import Network

FORMAT = 1
SUFFIX = ".cases"
ABOUT = "cases"
"""Under which name the metadata of the archive say what is theirs; the rest is a network's."""
MOST_GAMES, MOST_ACTIONS = 1_000_000, 1 << 28
"""Of one file; more are not asked for by anything honest."""
_SHIPPED = Path(__file__).parent / "shipped"


@dataclass(frozen=True)
class CaseFile:
    """What is in a case file."""

    game: str
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    """The variant that all of its games are of."""
    games: Sequence[RecordedGame] = ()
    origin: str = ""
    """Where the games come from, for people."""
    network: Network | None = None
    """The network that was trained on its games; None: one that comes with the game."""
    outlook: str = ""
    """The evaluation that looks one action ahead for every option (outlook.py); empty: none does."""

    def write(self, file: Path) -> None:
        """Whole or not at all; the caller has locked it."""
        about: dict[str, Any] = {
            "format": FORMAT,
            "games": len(self.games),
            "options": dict(self.options),
            "origin": self.origin,
        }
        about |= {"outlook": self.outlook} if self.outlook else {}
        metadata: dict[str, Any] = {"format": networks.FORMAT, "game": self.game, "seats": self.seats, ABOUT: about}
        arrays: dict[str, Any] = {
            "seeds": np.array([one.game.seed for one in self.games], np.uint64),
            "ends": np.cumsum([len(one.game.actions) for one in self.games], dtype=np.uint32),
            "actions": np.array([action for one in self.games for action in one.game.actions], np.uint16),
            "kept": np.array([one.imitated for one in self.games], np.uint8).reshape(-1, self.seats),
        }
        if self.network is not None:
            more, weights = self.network.stored()
            metadata, arrays = {**more, **metadata}, {**arrays, **weights}
        write_archive(file, metadata, arrays)


def read_case_file(file: Path, game: Game) -> CaseFile:
    """The games in a file, for a game. They are replayed and checked when their cases are asked for (memory.py)."""
    with open_archive(file, "case file") as stored:
        metadata = stored.metadata("metadata")
        about = metadata.get(ABOUT)
        if not isinstance(about, dict) or about.get("format") != FORMAT:
            raise BadRecord(f"{file} is not a case file of this version; make one with `boardwright cases build`")
        if metadata.get("game") != game.name:
            raise BadRecord(f"{file}: its games are of {metadata.get('game')!r}, not of {game.name}")
        seats, games, options = metadata.get("seats"), about.get("games"), about.get("options")
        if type(seats) is not int or seats not in game.seats:
            raise BadRecord(f"{file}: it is for {seats!r} seats; {game.name} is played with {tuple(game.seats)}")
        if type(games) is not int or not 0 <= games <= MOST_GAMES:
            raise BadRecord(f"{file}: it cannot hold {games!r} games")
        try:
            chosen = game.all_options(options if isinstance(options, dict) else {"": options}, seats)
        except BoardwrightError as error:
            raise BadRecord(f"{file}: {error}") from None
        outlook = str(about.get("outlook", ""))
        if outlook not in ("", RETURNS, *game.search.evaluations):
            raise BadRecord(f"{file}: {game.name} has no evaluation {outlook!r}")
        recorded = _games(file, stored, game, seats, games, chosen)
        own = "hidden" in stored
    network = networks.load(file, game) if own else None
    return CaseFile(game.name, seats, chosen, recorded, str(about.get("origin", "")), network, outlook)


def _games(
    file: Path, stored: Archive, game: Game, seats: int, count: int, options: Mapping[str, Any]
) -> list[RecordedGame]:
    total = stored.shape("actions")
    if len(total) != 1 or total[0] > MOST_ACTIONS:
        raise BadRecord(f"{file}: its actions are not a row of at most {MOST_ACTIONS:,}")
    seeds = stored.integers("seeds", (count,), 2**64)
    ends = stored.integers("ends", (count,), MOST_ACTIONS + 1).astype(np.int64)
    actions = stored.integers("actions", total, game.num_actions)
    kept = stored.integers("kept", (count, seats), 2).astype(bool)
    starts = np.concatenate([[0], ends])
    if (np.diff(starts) < 0).any() or starts[-1] != total[0]:
        raise BadRecord(f"{file}: its games and its actions do not fit together")
    return [
        RecordedGame(SavedGame(int(seeds[i]), seats, options, actions[starts[i] : starts[i + 1]].tolist()), tuple(row))
        for i, row in enumerate(kept.tolist())
    ]


def shipped_files(game: Game, kind: str = "") -> dict[int, Path]:
    """The case files of the package for a game, by seat count. `kind`: those of another agent than `cases`."""
    ending = f"-{kind}{SUFFIX}" if kind else SUFFIX
    found = {seats: _SHIPPED / f"{game.name}-{seats}{ending}" for seats in game.seats}
    return {seats: file for seats, file in found.items() if file.is_file()}


def find_case_file(game: Game, name: str, seats: int, kind: str = "", agent: str = "cases") -> Path:
    """The file of that name, or the package's for so many seats."""
    if name:
        if not Path(name).is_file():
            raise BadRecord(f"there is no case file {name}; make it: boardwright cases build {game.name} --out {name}")
        return Path(name)
    shipped = shipped_files(game, kind)
    if seats not in shipped:
        known = f" (there is one for {', '.join(map(str, shipped))})" if shipped else ""
        raise BadSpec(
            f"no case file comes with {game.name} for {seats} seats{known}; make one: boardwright cases build"
            f" {game.name} --seats {seats} --of SPEC --out X{SUFFIX}, then {agent}:case_base=X{SUFFIX}"
        )
    return shipped[seats]


def exclusive(file: Path) -> Any:
    """While a case file is made or changed: nobody else does."""
    return alone(
        file.with_name(f"{file.name}.lock"), f"another process is working on {file}; wait for it or choose another"
    )
