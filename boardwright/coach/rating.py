"""A rating for a person: games against agents whose ratings are known.

The model is that of the ladders (arena/ladder.py), Bradley and Terry's on Elo's scale, but the agents are fixed
anchors: one number is looked for, the person's. In a game for more than two each opponent at the table counts as one
result: who came before whom.

The anchors are in data/anchors.json, from ladders that were played once; an agent that is not among them says nothing,
and games against it are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from boardwright.agents import Spec
from boardwright.arena.ladder import ELO, bradley_terry
from boardwright.arena.record import GameRecord
from boardwright.arena.standings import Z95
from boardwright.coach.review import PERSON
from boardwright.files import read_json


@dataclass(frozen=True)
class Result:
    """One opponent in one game."""

    game: int
    """Its number among the person's games, from 0."""
    opponent: str
    anchor: float
    score: float
    """1: the person came before it, 0: after it, 0.5: neither."""


@dataclass(frozen=True)
class PersonRating:
    rating: float
    low: float
    high: float
    games: int
    results: int


@dataclass(frozen=True)
class PersonReport:
    """What games against rated agents say about a person."""

    game: str
    seats: int
    now: PersonRating | None
    """None: there is no game against a rated agent."""
    curve: tuple[PersonRating, ...]
    """After each game, all games up to it counted."""
    left_out: tuple[str, ...]
    """Opponents without a rating."""


@cache
def anchors() -> dict[str, dict[str, float]]:
    """Ratings by game and seats, as "race-2", and by spec."""
    found = read_json(Path(__file__).parent / "data" / "anchors.json")
    return {
        name: {row["spec"]: float(row["rating"]) for row in ladder["ratings"]}
        for name, ladder in found["ladders"].items()
    }


def results_of(records: Iterable[GameRecord], ratings: dict[str, float]) -> tuple[list[Result], set[str]]:
    """What each game says, in order, and who has no rating."""
    found, unknown = [], set()
    for number, record in enumerate(records):
        people = [seat for seat, spec in enumerate(record.agents) if Spec.parse(spec).name == PERSON]
        if len(people) != 1:
            continue
        own = record.returns[people[0]]
        for seat, spec in enumerate(record.agents):
            if seat == people[0]:
                continue
            if spec not in ratings:
                unknown.add(spec)
                continue
            score = 1.0 if own > record.returns[seat] else 0.0 if own < record.returns[seat] else 0.5
            found.append(Result(number, spec, ratings[spec], score))
    return found, unknown


def rate(results: Sequence[Result]) -> PersonRating:
    """The rating with the highest likelihood."""
    known = sorted({result.anchor for result in results})
    before = np.zeros((1 + len(known),) * 2)
    for result in results:
        place = 1 + known.index(result.anchor)
        before[0, place] += result.score
        before[place, 0] += 1 - result.score
    strengths, errors = bradley_terry(before, fixed=np.array([np.nan, *(anchor / ELO for anchor in known)]))
    rating, error = ELO * float(strengths[0]), ELO * Z95 * float(errors[0])
    return PersonRating(rating, rating - error, rating + error, len({r.game for r in results}), len(results))


def person_report(records: Sequence[GameRecord], game: str, seats: int) -> PersonReport:
    """From the records of one game, in the order in which they were played; games with other seat counts, and those
    that began with a position of one's own, are left out."""
    mine = [one for one in records if one.game == game and one.seats == seats and not one.position]
    found, unknown = results_of(mine, anchors().get(f"{game}-{seats}", {}))
    played = sorted({result.game for result in found})
    curve = tuple(rate([result for result in found if result.game <= last]) for last in played)
    return PersonReport(game, seats, curve[-1] if curve else None, curve, tuple(sorted(unknown)))


def to_dict(report: PersonReport) -> dict[str, Any]:
    def plain(rating: PersonRating) -> dict[str, float]:
        return {"rating": rating.rating, "low": rating.low, "high": rating.high, "games": rating.games}

    return {
        "game": report.game,
        "seats": report.seats,
        "rating": None if report.now is None else plain(report.now),
        "curve": [plain(rating) for rating in report.curve],
        "left_out": list(report.left_out),
    }
