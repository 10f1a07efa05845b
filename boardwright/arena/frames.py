"""Recorded games as a pandas data frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from boardwright.arena.record import GameRecord
from boardwright.arena.standings import ranks
from boardwright.frames import to_frame

if TYPE_CHECKING:
    import pandas


def records_to_frame(records: Iterable[GameRecord]) -> pandas.DataFrame:
    """A row for every seat of every game."""
    return to_frame(row for record in records for row in _rows(record))


def _rows(record: GameRecord) -> Iterator[dict[str, Any]]:
    places = ranks(record.returns)
    for seat in range(record.seats):
        yield {
            "game": record.game,
            "match_seed": record.match_seed,
            "index": record.index,
            "seed": record.seed,
            "seats": record.seats,
            "moves": len(record.actions),
            "seat": seat,
            "agent": record.agents[seat],
            "entrant": record.order[seat] if record.order else None,
            "score": record.scores[seat],
            "return": record.returns[seat],
            "rank": places[seat],
            "option": record.options,
        }
