"""The reference opponents of each game: at least eight, cheap, and spread from random play to the strongest.

Who they are is in references.toml. Their ratings are data, too, one file per game and seat count, made by
`boardwright bench GAME --calibrate`. All of them have budgets in iterations or determinizations, never in time: they
play the same on every machine.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

import pydantic

from boardwright.arena.standings import Z95
from boardwright.errors import BadSpec
from boardwright.files import atomic_output, read_json

DATA = Path(__file__).parent / "data"


class References(NamedTuple):
    game: str
    seats: int
    specs: tuple[str, ...]

    @property
    def file(self) -> Path:
        return DATA / f"{self.game}-{self.seats}.json"


SETS = tuple(
    References(one["game"], one["seats"], tuple(one["specs"]))
    for one in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["sets"]
)


class Data(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)


class Anchor(Data):
    """A reference opponent with its rating, on Elo's scale around the set's mean of 0."""

    spec: str
    elo: float
    error: float = pydantic.Field(ge=0)
    """The standard error of the rating."""
    games: int = pydantic.Field(ge=1)
    milliseconds: float = pydantic.Field(ge=0)
    """Processor time for a decision, where it was measured."""

    @property
    def shown(self) -> str:
        """The rating with its interval of 95 %."""
        return f"{self.elo:+.0f} ± {Z95 * self.error:.0f}"


class RatedSet(Data):
    """The references of a game after their games."""

    game: str
    seats: int
    seed: int
    games: int
    version: str
    """The version of Boardwright that played them."""
    command: str
    anchors: tuple[Anchor, ...] = pydantic.Field(min_length=2)
    """The weakest first."""
    within: float
    """Every rating is known within so many points, with 95 % confidence."""
    trace: str
    """A digest of the first game among the strongest: if it comes out otherwise, an agent has changed since."""


def declared(game: str, seats: int | None = None) -> References:
    """The references of a game; BadSpec says for which there are some."""
    found = [one for one in SETS if one.game == game and seats in (None, one.seats)]
    if not found:
        known = ", ".join(f"{one.game} with {one.seats} seats" for one in SETS)
        wanted = game if seats is None else f"{game} with {seats} seats"
        raise BadSpec(f"there are no reference opponents for {wanted}; there are some for {known}")
    return found[0]


def rated(references: References) -> RatedSet:
    """Their ratings, from the file that came with the package."""
    if not references.file.is_file():
        raise BadSpec(
            f"the references of {references.game} have no ratings yet;"
            f" `boardwright bench {references.game} --calibrate` plays for them"
        )
    return RatedSet.model_validate(read_json(references.file))


def write(references: References, rated: RatedSet) -> None:
    with atomic_output(references.file) as temporary:
        temporary.write_text(f"{rated.model_dump_json(indent=1)}\n", encoding="utf-8")
