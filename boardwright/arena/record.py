"""Game records: one JSON line per game, enough to replay it exactly.

Records are data. One that names a Python file as its game is read like any other, but does not get that file run:
`playable` asks for the user's word. record_file.py writes the files.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import pydantic

from boardwright.agents import Agent, Decision
from boardwright.arena.loop import Forfeit, Listener, Substitution, forfeit_returns, forfeit_scores
from boardwright.arena.session import positions
from boardwright.blame import without_control_characters
from boardwright.errors import BadRecord, CannotWrite
from boardwright.files import parse_json
from boardwright.kernel import Game, Observation, State
from boardwright.kernel.replay import replay
from boardwright.positions import deal
from boardwright.registry import is_file_name, load_game, loaded_from_file

FORMAT = 1
LINE_START = b'{"format":'
_LEFT_OUT_IF_EMPTY = ("salt", "forfeit", "substitutions", "best_moves", "position", "notes")

Action = Annotated[int, pydantic.Field(ge=0, lt=2**63)]
ArrowEnd = Annotated[str, pydantic.Field(max_length=100)]
ShownText = Annotated[str, pydantic.AfterValidator(without_control_characters)]
"""Text that commands show. A record may come from anybody, so what could steer a terminal goes when it is read."""


class RecordedFailure(pydantic.BaseModel):
    """An agent that failed, and when."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    seat: int
    moves: Annotated[int, pydantic.Field(ge=0)]
    """Moves played before it."""
    reason: ShownText


class Note(pydantic.BaseModel):
    """What somebody who studied a game has noted at a position of it, or of a branch that leaves it."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    move: Annotated[int, pydantic.Field(ge=0)]
    """Moves of the game before the position, or before the branch leaves it."""
    branch: Annotated[list[Action], pydantic.Field(max_length=2000)] = []
    """What is played from there instead."""
    comment: Annotated[str, pydantic.Field(max_length=4000)] = ""
    arrows: Annotated[list[tuple[ArrowEnd, ArrowEnd]], pydantic.Field(max_length=100)] = []
    """From a thing of the picture to another, by their keys; or places, as shares of the picture ("@0.25,0.5")."""


Notes = Annotated[list[Note], pydantic.Field(max_length=2000)]


class GameRecord(pydantic.BaseModel):
    """A finished game: its seed plus its actions are the game, the rest is for finding and checking it."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    format: int = FORMAT
    game: str
    options: dict[str, bool | int | str] = {}
    seats: int
    seed: int
    position: dict[str, Any] = {}
    """What it began with, if that was no fresh deal: a position as people write it (boardwright/positions.py)."""
    agents: list[ShownText]
    """The spec that sat in each seat."""
    actions: list[Action]
    scores: list[float]
    returns: list[float]
    best_moves: list[Annotated[str, pydantic.Field(pattern="^[01]*$")]] = []
    """For each seat, a mark for each decision of an agent that says what it thinks best: 1 if it chose that, else 0.
    Left out if no agent says so."""
    files: dict[ShownText, str] = {}
    """The files that the specs name, and Python files of agents and the game, with a digest of what they held."""
    packages: dict[ShownText, ShownText] = {}
    """The packages whose agents and rules played, with their versions."""
    entrants: list[ShownText] = []
    """The specs of the match it belongs to, as they were entered."""
    order: list[int] = []
    """Which entrant sat in each seat."""
    match_seed: int | None = 0
    """(none while the match is played, if it is hidden from the agents)"""
    salt: int = 0
    """What the agents' seeds were salted with; 0 if they were not."""
    index: int = 0
    """The number of the game in the match, from 0."""
    forfeit: RecordedFailure | None = None
    """Who failed, and lost by that. The game ends there: it has no last position."""
    substitutions: list[RecordedFailure] = []
    """Who failed where the game went on, with a random action in place of the agent's."""
    notes: Notes = []
    """What was noted when it was studied: comments, arrows, branches."""

    @pydantic.model_validator(mode="after")
    def _fits_together(self) -> GameRecord:
        for name in ("agents", "scores", "returns", *(["best_moves"] if self.best_moves else [])):
            if len(getattr(self, name)) != self.seats:
                raise ValueError(f"{name} should have {self.seats} entries, one per seat")
        if self.order and sorted(self.order) != list(range(self.seats)):
            raise ValueError("order should name each entrant once")
        if not all(map(math.isfinite, (*self.scores, *self.returns))):
            raise ValueError("scores and returns should be finite numbers")
        if self.index < 0 or not 0 <= self.seed < 2**64:
            raise ValueError("index and seed cannot be negative")
        for failure in (*([self.forfeit] if self.forfeit else []), *self.substitutions):
            if not 0 <= failure.seat < self.seats:
                raise ValueError(f"a failure names seat {failure.seat}, which does not exist")
        if self.forfeit is not None and self.forfeit.moves != len(self.actions):
            raise ValueError("a forfeited game ends with the forfeit")
        if any(note.move > len(self.actions) for note in self.notes):
            raise ValueError("a note names a move that the game does not have")
        return self

    def start(self) -> State:
        game = self.load_game()
        if not self.position:
            return game.new(seed=self.seed, seats=self.seats, **self.options)
        state = deal(game, self.position, self.seed)
        if state.seats != self.seats:
            raise BadRecord(f"its position has {state.seats} seats, not {self.seats}")
        return state

    def load_game(self) -> Game:
        """Its game. A Python file is not run because a record says so, only taken if the user has named it."""
        if not is_file_name(self.game):
            return load_game(self.game)
        loaded = loaded_from_file(self.game)
        if loaded is None:
            raise BadRecord(
                f"the record's game is a Python file, {self.game}, and replaying it would run that file; if you trust"
                " it, add --trust, or name the file yourself with --game-file"
            )
        return loaded

    def replay(self) -> Iterator[tuple[State, int | None]]:
        """Every position with the action played in it; the last one with None. Checks the recorded result."""
        for state, action in positions(self.start(), self.actions):
            if action is None:
                self._check_end(state)
            yield state, action

    def final(self) -> State:
        """The position at the end, replayed and checked."""
        state = self.start()
        if replay(state, self.actions) < len(self.actions):
            for _ in self.replay():  # says which action does not fit
                pass
        self._check_end(state)
        return state

    def _check_end(self, state: State) -> None:
        if self.forfeit is None and not state.is_terminal:
            raise BadRecord(f"the record stops before the game ends, after {len(self.actions)} moves")
        if self.forfeit is not None and state.is_terminal:
            raise BadRecord("a forfeit is recorded, but the game had ended")
        for name in ("scores", "returns"):
            found, recorded = list(self._result(state, name)), getattr(self, name)
            if found != recorded:
                raise BadRecord(f"replays to {name} {found}, but {recorded} are recorded; the rules may have changed")

    def _result(self, state: State, name: str) -> tuple[float, ...]:
        """The scores or the returns that the last position leads to."""
        if self.forfeit is None:
            return getattr(state, name)
        return (forfeit_scores if name == "scores" else forfeit_returns)(state, self.forfeit.seat)

    def line(self) -> str:
        unused = {name for name in _LEFT_OUT_IF_EMPTY if not getattr(self, name)}
        text = self.model_dump_json(exclude=unused)
        return f'{text[:-1]}{_CHECKSUM}{_checksum(text.encode())}"}}\n'


class GameRecorder(Listener):
    """Keeps a game's actions and makes its record when it is over. Its arguments are fields of GameRecord."""

    def __init__(self, *, game: str, seed: int, agents: Sequence[str], **about: Any) -> None:
        self._about = {"game": game, "seed": seed, "agents": list(agents), **about}
        self._actions: list[int] = []
        self._best: list[tuple[int, str]] = []  # with each action, its seat and whether the agent thinks it best
        self._state: State | None = None
        self._final: State | None = None
        self._forfeit: Forfeit | None = None
        self._substitutions: list[Substitution] = []

    @property
    def actions(self) -> tuple[int, ...]:
        """What was played so far."""
        return tuple(self._actions)

    def started(self, state: State, agents: Sequence[Agent]) -> None:
        self._state = state

    @property
    def is_over(self) -> bool:
        return self._state is not None and self._state.is_terminal

    def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
        self._best.append((seat, "" if decision.best is None else str(int(decision.best))))

    def applied(self, state: State, seat: int, action: int) -> None:
        self._actions.append(action)

    def taken_back(self, state: State, moves: int) -> None:
        del self._actions[len(self._actions) - moves :]
        del self._best[len(self._best) - moves :]
        self._substitutions = [given for given in self._substitutions if given.moves < len(self._actions)]

    def substituted(self, state: State, substitution: Substitution) -> None:
        self._substitutions.append(substitution)

    def forfeited(self, state: State, forfeit: Forfeit) -> None:
        self._final, self._forfeit = state, forfeit

    def ended(self, state: State) -> None:
        self._final = state

    def record(self) -> GameRecord:
        if self._final is None:
            raise BadRecord("a game that is not over has no record")
        final, forfeit = self._final, self._forfeit
        scores, returns = (
            (forfeit_scores(final, forfeit.seat), forfeit_returns(final, forfeit.seat))
            if forfeit is not None
            else (final.scores, final.returns)
        )
        best_moves = ["".join(mark for who, mark in self._best if who == seat) for seat in range(final.seats)]
        return GameRecord(
            **self._about,
            seats=final.seats,
            best_moves=best_moves if any(best_moves) else [],
            actions=self._actions,
            scores=list(scores),
            returns=list(returns),
            forfeit=None if forfeit is None else RecordedFailure(**asdict(forfeit)),
            substitutions=[RecordedFailure(**asdict(given)) for given in self._substitutions],
        )


def playable(records: Iterable[GameRecord], game_file: str | None = None, trust: bool = False) -> list[GameRecord]:
    """Records whose games may be loaded. Where they name a Python file, it is `game_file` that counts, which the user
    has named, or with `trust` the file that the record names."""
    mine = load_game(game_file).source if game_file is not None else ""
    found = []
    for record in records:
        if is_file_name(record.game):
            if mine:
                record = record.model_copy(update={"game": mine})
            elif trust:
                load_game(record.game)
        found.append(record)
    return found


def read_records(file: Path, warn: Callable[[str], None] | None = None) -> list[GameRecord]:
    """All games in a file; BadRecord names the first line that is not one, or that was changed. With `warn`, a last
    line cut off after whole games is told of instead; and so are games without a checksum."""
    records, cut, unchecked = _read(file)
    if unchecked and warn is not None:
        warn(f"{file}: {unchecked_games(unchecked)}")
    if cut is not None:
        what = f"{file}, line {cut.line}: cut off in the middle of a game"
        if warn is None or not records:
            raise BadRecord(what)
        warn(f"{what}; {len(records):,} before it can be read")
    return records


def first_games(records: Iterable[GameRecord], games: int) -> list[GameRecord]:
    """The first `games` games of a match, each once, in order."""
    found = {record.index: record for record in records if record.index < games}
    return [found[index] for index in sorted(found)]


def next_index(file: Path) -> int:
    """The number of the next game in a record file, which may end with one that was cut off."""
    return 1 + max((record.index for record in _read(file)[0]), default=-1) if file.exists() else 0


def unchecked_games(count: int) -> str:
    games = "1 game has" if count == 1 else f"{count:,} games have"
    return f"{games} no checksum, so nobody can tell whether the record was changed"


def recover_records(file: Path, warn: Callable[[str], None] | None = None) -> list[GameRecord]:
    """As `read_records`, but a last line cut off by a crash is dropped from the file."""
    records, cut, unchecked = _read(file)
    if unchecked and warn is not None:
        warn(unchecked_games(unchecked))
    if cut is not None:
        try:
            os.truncate(file, cut.position)
        except OSError as error:
            raise CannotWrite(f"cannot write {file}: {error.strerror}") from None
    return records


class _Cut(NamedTuple):
    """Where an unfinished last line starts."""

    line: int
    position: int


def _read(file: Path) -> tuple[list[GameRecord], _Cut | None, int]:
    """The games, where the last line is cut off, and how many games have no checksum."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise BadRecord(f"cannot read {file}: {error.strerror}") from None
    records = []
    position = unchecked = 0
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        if line.strip():
            try:
                records.append(parse_record(line))
                unchecked += not has_checksum(line)
            except BadRecord as error:
                if not line.endswith(b"\n") and (line.startswith(LINE_START) or LINE_START.startswith(line)):
                    return records, _Cut(number, position), unchecked
                raise BadRecord(f"{file}, line {number}: {error}") from None
        position += len(line)
    return records, None, unchecked


_CHECKSUM = ',"checksum":"'
"""What the last field of a line begins with; what stands before it is what the checksum is of."""


def _checksum(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]


def _is_whole(line: bytes | str, checksum: object) -> bool:
    data = line.encode() if isinstance(line, str) else line
    before, found, _ = data.rpartition(_CHECKSUM.encode())
    return bool(found) and _checksum(before + b"}") == checksum


def has_checksum(line: bytes) -> bool:
    return _CHECKSUM.encode() in line


def parse_record(line: bytes | str) -> GameRecord:
    try:
        fields: Any = parse_json(line)
    except ValueError as error:
        raise BadRecord(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise BadRecord("not a game record")
    if (checksum := fields.pop("checksum", None)) is not None and not _is_whole(line, checksum):
        raise BadRecord(
            "its checksum does not fit: the line was changed or damaged after it was written; to have it read all the"
            " same, remove the checksum"
        )
    if fields.get("format") != FORMAT:
        raise BadRecord(f"record format {fields.get('format')!r} is not known here (this version reads {FORMAT})")
    try:
        return GameRecord.model_validate(fields)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = f"field {'.'.join(map(str, first['loc']))}: " if first["loc"] else ""
        raise BadRecord(f"{where}{first['msg']}") from None
