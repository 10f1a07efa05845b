"""Saved games of the original program, told in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from boardwright.games.race import verify
from boardwright.games.race.narrate import narrate
from boardwright.games.race.saves import is_save, nth_save, read_saves


class SavedRaces:
    """What `boardwright replay` asks of a game that knows saved games of another program."""

    def knows(self, file: Path) -> bool:
        return is_save(file)

    def tell(self, file: Path, number: int) -> Iterator[str]:
        save = nth_save(read_saves(file), number, file)
        _, moves = verify.play(save)
        return narrate(verify.start(save), moves)


saved = SavedRaces()
