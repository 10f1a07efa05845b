"""What pages and the server say to each other, as types. docs/web.md shows each with an example.

A message that does not fit its type is refused with a reason; unknown fields are refused too.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pydantic
from pydantic import Field

from boardwright.errors import BoardwrightError

Token = Annotated[str, Field(max_length=100)]
SpecText = Annotated[str, Field(min_length=1, max_length=300)]
Actions = Annotated[list[Annotated[int, Field(ge=0, lt=2**31)]], Field(max_length=100_000)]
OptionValues = Annotated[dict[Annotated[str, Field(max_length=60)], bool | int | str], Field(max_length=40)]
Places = Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=200)]
Seed = Annotated[int, Field(ge=0, lt=2**64)]


class BadMessage(BoardwrightError):
    """A message or request that does not say what it should."""


class Message(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)


# From the page, over the socket of a table


class Join(Message):
    """The first message: who is there. Without a token, somebody who watches."""

    type: Literal["join"]
    token: Token | None = None
    chances: bool = False
    """Whether to estimate everybody's chance to win and tell it."""


class Move(Message):
    """Play an action. `version` is the one of the position it was chosen in; an old one is refused."""

    type: Literal["move"]
    action: int
    version: int


class MoveSet(Message):
    """Choose several things at once: their places in the `set` of the table."""

    type: Literal["move_set"]
    places: Places
    version: int


class TakeBack(Message):
    """Choose again from one's last decision on; at tables with one person."""

    type: Literal["take_back"]


class Resign(Message):
    type: Literal["resign"]


class Pause(Message):
    """Agents stop to move, and clocks stand still, when everybody who plays wants it."""

    type: Literal["pause"]
    paused: bool


class Pace(Message):
    """Seconds between the moves of agents, where only agents play."""

    type: Literal["pace"]
    seconds: Annotated[float, Field(ge=0, le=60)]


class Think(Message):
    """Ask an agent what it thinks of the position, as the seat to move sees it."""

    type: Literal["think"]
    agent: SpecText


class Look(Message):
    """Look from another seat, or (null) with everything open; at tables with nothing to hide."""

    type: Literal["look"]
    seat: int | None


class Ping(Message):
    type: Literal["ping"]


FromPage = Annotated[
    Join | Move | MoveSet | TakeBack | Resign | Pause | Pace | Think | Look | Ping,
    Field(discriminator="type"),
]


# Requests


class SeatWanted(Message):
    """A person, or an agent: a level of the game ("easy"), or a spec."""

    agent: SpecText | None = None
    name: Annotated[str, Field(max_length=40)] = ""


class ClockWanted(Message):
    seconds: Annotated[float, Field(ge=5, le=24 * 3600)]
    """Each person's time for the whole game,"""
    increment: Annotated[float, Field(ge=0, le=600)] = 0.0
    """and what every decision adds to it."""


class NewTable(Message):
    """POST /api/tables."""

    game: Annotated[str, Field(max_length=60)]
    seats: Annotated[list[SeatWanted], Field(min_length=1, max_length=8)]
    options: OptionValues = {}
    seed: Seed | None = None
    """Default: a secret one."""
    pace: Annotated[float, Field(ge=0, le=60)] = 0.6
    clock: ClockWanted | None = None
    actions: Actions = []
    """Moves to begin with: a branch of another game."""


class Start(Message):
    """A game from its beginning: what a record begins with."""

    game: Annotated[str, Field(max_length=60)]
    seats: Annotated[int, Field(ge=1, le=8)]
    seed: Seed
    options: OptionValues = {}


class PositionWanted(Message):
    """POST /api/position: a position of a game that hides nothing any more."""

    start: Start
    actions: Actions
    seat: int | None = None
    """Whose eyes to look through; null: everything open."""


class StepsWanted(Message):
    """POST /api/steps: the actions that choose several things at once."""

    start: Start
    actions: Actions
    places: Places


class ThoughtWanted(Message):
    """POST /api/think."""

    start: Start
    actions: Actions
    agent: SpecText


class CurveWanted(Message):
    """POST /api/curve: everybody's chance to win after each of these numbers of moves."""

    start: Start
    actions: Actions
    at: Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=50)]


class NewMatch(Message):
    """POST /api/matches."""

    kind: Literal["match", "ladder"] = "match"
    game: Annotated[str, Field(max_length=60)]
    agents: Annotated[list[SpecText], Field(min_length=2, max_length=12)]
    games: Annotated[int, Field(ge=1, le=1_000_000)]
    options: OptionValues = {}
    seed: Seed | None = None
    """Default: as for a match at the command line."""


_FROM_PAGE: pydantic.TypeAdapter[FromPage] = pydantic.TypeAdapter(FromPage)


def from_page(text: str | bytes) -> FromPage:
    """A message of a page; BadMessage says what is wrong with it."""
    try:
        return _FROM_PAGE.validate_json(text, strict=False)
    except pydantic.ValidationError as error:
        raise BadMessage(complaint(error)) from None


def complaint(error: pydantic.ValidationError) -> str:
    """The first thing that is wrong, in one line."""
    first: dict[str, Any] = dict(error.errors(include_url=False, include_input=False)[0])
    where = ".".join(str(part) for part in first["loc"])
    what = first["msg"].replace("Input should be", "should be")
    return f"{where}: {what}" if where else what
