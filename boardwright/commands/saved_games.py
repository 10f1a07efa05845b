"""What the command line does with saved games. It sits above the game: it knows our own records, too."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from boardwright.arena.record import GameRecord, read_records
from boardwright.files import atomic_output, check_writable
from boardwright.games.race.declaration import game
from boardwright.games.race.keldon import export, saves, verify
from boardwright.games.race.keldon.saves import BadSave, Save, is_save, nth_save, read_saves, readable_saves
from boardwright.games.race.piles import LCG_MASK


class Verified(NamedTuple):
    """How many of some saved games are replayed exactly."""

    games: int
    identical: int
    unreadable: int


def verify_files(files: list[Path], console: Console) -> Verified:
    """Replay every game; one line per difference or unreadable game, then how many are identical."""
    identical = games = unreadable = 0
    began = time.perf_counter()
    for file in files:
        for save in readable_saves(file):
            games += 1
            unreadable += isinstance(save, BadSave)
            differences = [str(save)] if isinstance(save, BadSave) else verify.differences(save)
            identical += not differences
            for line in differences:
                console.out(line, highlight=False)
    if unreadable:
        console.out(f"{unreadable} could not be read", highlight=False)
    console.out(f"{time.perf_counter() - began:.1f} s", highlight=False)
    console.out(f"{identical} of {games} identical", highlight=False)
    return Verified(games, identical, unreadable)


def to_record(save: Save, index: int = 0) -> GameRecord:
    """A saved game as a record of ours."""
    state, moves = verify.play(save)
    return GameRecord(
        game=game.name,
        options=dict(verify.ORIGINAL_GENERATOR),
        seats=save.seats,
        seed=save.seed,
        agents=[f"player {seat}" for seat in range(save.seats)],
        actions=moves,
        scores=list(state.scores),
        returns=list(state.returns),
        index=index,
    )


def to_save(record: GameRecord, where: str = "") -> Save:
    """A record of ours as a saved game; it must have been played with the original generator, of whose seeds the low 32
    bits count."""
    if record.game != game.name or record.options.get("generator") != "keldon":
        raise BadSave(f"{where or 'record'}: only games of race with option generator=keldon can be saved so")
    return export.save_of(record.seed & LCG_MASK, record.seats, record.actions, where)


def games_in(file: Path) -> Iterator[Save]:
    """The games of a file of either sort, as saved games."""
    if is_save(file) or file.suffix in (".xml", ".sav", ".save"):
        yield from read_saves(file)
        return
    for number, record in enumerate(read_records(file), 1):
        yield to_save(record, f"{file}, game {number}")


def convert(source: Path, target: Path, number: int) -> None:
    """Write games as our records (.jsonl: all of them), as a plain save or as an XML export (.xml: one)."""
    check_writable(target)
    if target.suffix == ".jsonl":
        text = "".join(to_record(save, i).line() for i, save in enumerate(games_in(source)))
    else:
        save = nth_save(games_in(source), number, source)
        text = export.xml_text(save) if target.suffix == ".xml" else saves.plain_text(save)
    with atomic_output(target) as temporary:
        temporary.write_text(text, encoding="utf-8")
