"""Files of games for study: records, other programs' saves, positions that people write, studies with their notes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pydantic

from boardwright.arena.loop import forfeit_returns, forfeit_scores
from boardwright.arena.record import GameRecord, Note, Notes, RecordedFailure, read_records
from boardwright.arena.runner import RECORDS_FOLDER
from boardwright.arena.session import positions
from boardwright.errors import BadPosition, BadRecord
from boardwright.files import parse_json
from boardwright.kernel import State
from boardwright.positions import deal
from boardwright.registry import games, load_game, saved_games
from boardwright.web.limits import Limits
from boardwright.web.messages import Refused, Seed, StudyKept, complaint
from boardwright.web.own_files import game_in_record, name_for_workers, name_in_records, registered_game
from boardwright.web.study import line_of
from boardwright.web.worker import Line

MOST_LISTED = 500
"""Games of a file that are listed and checked."""


def uploaded(data: bytes) -> dict[str, Any]:
    """The games in a file that somebody has sent: records, another program's saves, a study or a position."""
    if (written := _as_object(data)) is not None:
        return written_game(written, seed=0)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "upload"
        file.write_bytes(data)
        try:
            return games_in(file)
        except BadRecord as error:
            raise BadRecord(str(error).replace(str(file), "the file")) from None


def _as_object(data: bytes | str) -> dict[str, Any] | None:
    """A study or a position, if it is one: a JSON object that is no record."""
    try:
        found = parse_json(data)
    except ValueError:
        return None
    return found if isinstance(found, dict) and "format" not in found else None


def written(text: str, seed: int) -> dict[str, Any]:
    """The game in a text that somebody has pasted: a position, a study, or a record."""
    if (found := _as_object(text)) is not None:
        return written_game(found, seed)
    try:
        parse_json(text.splitlines()[0])
    except (ValueError, IndexError) as error:
        raise BadPosition(f"this is not JSON: {error}") from None
    return uploaded(text.encode())


def written_game(study: dict[str, Any], seed: int) -> dict[str, Any]:
    """A study as `study_file` writes it, or a position as people write one."""
    if "study" in study:
        try:
            kept = StudyFile.model_validate(study)
        except pydantic.ValidationError as error:
            raise BadRecord(f"not a study: {complaint(error)}") from None
        line = kept.line()
        check_notes(line.start(), line.actions, kept.notes)
        return _alone(kept.as_game())
    if not isinstance(study.get("game"), str):
        raise BadPosition('this is no position: it should be an object with a "game" and its "fields"')
    game = registered_game(study["game"])
    state = deal(game, study, seed)
    names = [game.seat_name(seat) for seat in range(state.seats)]
    start = {"game": game.name, "seats": state.seats, "seed": str(seed), "options": {}, "position": json.dumps(study)}
    return _alone({**start, "actions": [], "agents": names, "notes": []})


def _alone(game: dict[str, Any]) -> dict[str, Any]:
    return {"games": [_listed(game, 0)], "total": 1}


class StudyFile(pydantic.BaseModel):
    """A game that is not over, with what was noted about it. One that is over is a record."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    study: Literal[1] = 1
    game: str
    seats: int
    seed: Seed
    options: dict[str, bool | int | str] = {}
    position: dict[str, Any] = {}
    agents: list[str]
    actions: list[int]
    notes: Notes = []

    def line(self) -> Line:
        dealt = json.dumps(self.position) if self.position else ""
        game = name_for_workers(registered_game(self.game))
        return Line(game, self.seats, self.seed, tuple(self.options.items()), tuple(self.actions), dealt)

    def as_game(self) -> dict[str, Any]:
        found = self.model_dump(exclude={"study"})
        return {**found, "seed": str(self.seed), "position": self.line().dealt}


def study_file(kept: StudyKept, limits: Limits) -> dict[str, str]:
    """A name and the content of a file with a game and its notes: a record if the game is over."""
    line = line_of(kept.start, kept.actions, limits)
    check_notes(line.start(), line.actions, kept.notes)
    state, seat, game = line.position(), kept.forfeited_by, kept.start.game
    if len(kept.agents) != line.seats or seat not in (None, *range(line.seats)):
        raise Refused("agents and forfeits should name the seats of the game")
    about: dict[str, Any] = {
        "game": game,
        "seats": line.seats,
        "seed": line.seed,
        "options": dict(line.options),
        "position": parse_json(line.dealt) if line.dealt else {},
        "agents": kept.agents,
        "actions": list(line.actions),
        "notes": kept.notes,
    }
    if not state.is_terminal and seat is None:
        text = StudyFile(**about).model_dump_json(exclude_defaults=False, indent=1) + "\n"
        return {"name": f"{game}-study.json", "text": text}
    forfeit = None
    if not state.is_terminal and seat is not None:
        forfeit = RecordedFailure(seat=seat, moves=len(line.actions), reason=kept.forfeit)
    record = GameRecord(
        **{**about, "game": name_in_records(registered_game(game))},
        scores=list(state.scores if forfeit is None else forfeit_scores(state, forfeit.seat)),
        returns=list(state.returns if forfeit is None else forfeit_returns(state, forfeit.seat)),
        forfeit=forfeit,
    )
    return {"name": f"{game}-study.jsonl", "text": record.line()}


def check_notes(start: State, actions: Sequence[int], notes: Sequence[Note]) -> None:
    """BadRecord unless every branch that the notes name can be played."""
    wanted: dict[int, list[tuple[int, ...]]] = {}
    for move, branch in {(note.move, tuple(note.branch)) for note in notes}:
        if move > len(actions):
            raise BadRecord(f"a note names move {move}; the game has {len(actions)}")
        wanted.setdefault(move, []).append(branch)
    for number, (state, _) in enumerate(positions(start, actions)):
        for branch in wanted.get(number, []):
            for _ in positions(state.copy(), branch):
                pass


def record_files() -> list[str]:
    """The record files in the records folder, the newest first."""
    if not RECORDS_FOLDER.is_dir():
        return []
    files = sorted(RECORDS_FOLDER.glob("*.jsonl"), key=lambda file: -file.stat().st_mtime)
    return [file.name for file in files][:MOST_LISTED]


def record_file(name: str) -> dict[str, Any]:
    """The games of one of them."""
    if name not in record_files():
        raise Refused(f"there is no file {name!r} in the records folder")
    return games_in(RECORDS_FOLDER / name)


def games_in(file: Path) -> dict[str, Any]:
    """The games of a file, replayed and checked."""
    try:
        records = read_records(file, warn=lambda _: None)
    except BadRecord:
        saves = saved_games(file)
        if saves is None:
            raise
        owner = next(name for name in games() if load_game(name).saved_games is not None)
        listed = [
            _listed(
                {
                    "game": owner,
                    "seats": saved.seats,
                    "seed": str(saved.seed),
                    "options": dict(saved.options),
                    "actions": [int(action) for action in saved.actions],
                    "notes": [],
                    "agents": [f"player {seat + 1}" for seat in range(saved.seats)],
                },
                number,
            )
            for number, saved in enumerate(saves.games(file))
            if number < MOST_LISTED
        ]
        return {"games": listed, "total": len(listed)}
    listed = [_listed(checked_game(record), record.index) for record in records[:MOST_LISTED]]
    return {"games": listed, "total": len(records)}


def checked_game(record: GameRecord) -> dict[str, Any]:
    """A record must be of a game that is offered here, and replay to its result."""
    name, record = game_in_record(record)
    record.final()
    if record.notes:
        check_notes(record.start(), record.actions, record.notes)
    return {
        "game": name,
        "seats": record.seats,
        "seed": str(record.seed),  # more than a browser's numbers can hold
        "options": record.options,
        "actions": record.actions,
        "agents": record.agents,
        "position": json.dumps(record.position) if record.position else "",
        "notes": [note.model_dump() for note in record.notes],
        "forfeited_by": None if record.forfeit is None else record.forfeit.seat,
        "scores": record.scores,
        "returns": record.returns,
        "forfeit": "" if record.forfeit is None else record.forfeit.reason,
    }


def _listed(game: dict[str, Any], number: int) -> dict[str, Any]:
    return {"number": number + 1, "title": registered_game(game["game"]).title, **game}
