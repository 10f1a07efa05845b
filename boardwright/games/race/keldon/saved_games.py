"""Saved games of the original program, as `boardwright replay` asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from boardwright.games.race.keldon import verify
from boardwright.games.race.keldon.narrate import narrate
from boardwright.games.race.keldon.saves import is_save, nth_save, read_saves
from boardwright.kernel.contract import SavedGame


class KeldonGames:
    """`SavedGames` of the contract (kernel/contract.py)."""

    def knows(self, file: Path) -> bool:
        return is_save(file)

    def narrate(self, file: Path, number: int) -> Iterator[str]:
        save = nth_save(read_saves(file), number, file)
        _, moves = verify.play(save)
        return narrate(verify.start(save), moves)

    def games(self, file: Path) -> Iterator[SavedGame]:
        for save in read_saves(file):
            _, moves = verify.play(save)
            yield SavedGame(save.seed, save.seats, dict(verify.ORIGINAL_GENERATOR), moves)


saved_games = KeldonGames()
