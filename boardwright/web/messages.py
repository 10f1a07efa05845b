"""What pages and the server say to each other, as types. docs/web.md shows each with an example.

A message that does not fit its type is refused with a reason; unknown fields are refused too.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pydantic
from pydantic import Field

from boardwright.agents import RememberedCase
from boardwright.arena.record import Notes
from boardwright.drawing import WIDE
from boardwright.errors import BoardwrightError

Token = Annotated[str, Field(max_length=100)]
SpecText = Annotated[str, Field(min_length=1, max_length=300)]
Actions = Annotated[list[Annotated[int, Field(ge=0, lt=2**31)]], Field(max_length=100_000)]
OptionValues = Annotated[dict[Annotated[str, Field(max_length=60)], bool | int | str], Field(max_length=40)]
Places = Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=200)]
Seed = Annotated[int, Field(ge=0, lt=2**64)]
PositionText = Annotated[str, Field(max_length=100_000)]
"""A position as people write it, as JSON text: browsers' own numbers would lose digits of it."""
PuzzleName = Annotated[str, Field(max_length=40)]
Toggled = Annotated[list[int], Field(max_length=16)]
PictureWidth = Annotated[float, Field(ge=100, le=10_000)]


class BadMessage(BoardwrightError):
    """A message or request that does not say what it should."""


class Refused(BoardwrightError):
    """Something that cannot be done now, or not here."""


class Message(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)


# From the page, over the socket of a table


class Join(Message):
    """The first message of a page. Without a token it belongs to a spectator."""

    type: Literal["join"]
    token: Token | None = None
    chances: bool = False
    """Whether to estimate everybody's chance to win and send it."""
    width: PictureWidth = WIDE.width
    """The room for pictures, in pixels."""
    touch: bool = False
    """Whether the page is touched with fingers."""
    patches: bool = False
    """Whether to send of pictures and texts what has changed (patches.py)."""
    tips: bool = False
    """Whether to send tips for a first game."""


class Room(Message):
    """The page has another width, or somebody has opened or folded up what a seat has."""

    type: Literal["room"]
    width: PictureWidth
    touch: bool = False
    toggled: Toggled = []
    tips: bool = False


class Rematch(Message):
    """Another game with the same players, in other seats; it begins when everybody who is there wants it."""

    type: Literal["rematch"]


class Sit(Message):
    """Take a seat that is open to anybody who has the table's address."""

    type: Literal["sit"]
    seat: int
    name: Annotated[str, Field(max_length=40)] = ""


class Ready(Message):
    """Begin: the game begins when everybody is ready."""

    type: Literal["ready"]


class Fill(Message):
    """An agent takes a seat that nobody has taken, or whose player has gone."""

    type: Literal["fill"]
    seat: int
    agent: SpecText


class Say(Message):
    """A line of the chat."""

    type: Literal["say"]
    text: Annotated[str, Field(min_length=1, max_length=300)]


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
    """Choose again from one's last decision on. Where several people play, the others must want it too, unless nobody
    has learned anything from it."""

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


class Answers(Message):
    """What somebody thought of a game that is over; nulls and nothing where they would rather not say."""

    type: Literal["answers"]
    strength: Annotated[int, Field(ge=1, le=5)] | None = None
    """Of the opponents, from 1 (weak) to 5 (strong)."""
    fun: Annotated[int, Field(ge=1, le=5)] | None = None
    style: Annotated[str, Field(max_length=300)] = ""
    """How they played, in words, or the character that it was taken for."""


class Ping(Message):
    type: Literal["ping"]


FromPage = Annotated[
    Join
    | Room
    | Move
    | MoveSet
    | TakeBack
    | Resign
    | Pause
    | Pace
    | Think
    | Look
    | Rematch
    | Sit
    | Ready
    | Fill
    | Say
    | Answers
    | Ping,
    Field(discriminator="type"),
]


# To the page, over the socket of a table


class Choice(Message):
    action: int
    text: str
    number: int
    """What people call it by, and the key for it."""


class SetItem(Message):
    text: str
    detail: str
    key: str


class SetQuestion(Message):
    """A choice of several things at once."""

    verb: str
    question: str
    items: list[SetItem]
    least: int
    most: int


class TipShown(Message):
    """What matters in a position, for somebody who plays their first game."""

    name: str
    text: str
    at: str
    """The beginning of the keys of what it is about in the picture, or nothing."""


class ScoreSheet(Message):
    """Where everybody's points come from, once a game is over."""

    has_points: bool
    """Whether the game counts points; otherwise the totals are its returns."""
    parts: list[str]
    rows: list[list[float]]
    """One per seat: the parts in their order."""
    totals: list[float]


Patch = list[tuple[int, int] | tuple[int, str] | str]
"""A text made from another one: ranges of its pieces, pieces with another first line, and new ones (patches.py)."""


class Position(Message):
    """A position as a view may know it."""

    player: int | None
    over: bool
    picture: str
    """An SVG; empty where a game has none that keeps its secrets."""
    text: str
    choices: list[Choice] = []
    set: SetQuestion | None = None
    scores: list[float] | None = None
    returns: list[float] | None = None
    sheet: ScoreSheet | None = None
    tips: list[TipShown] = []


class Reason(Message):
    """What an agent thought of one action, with a description of the action. Fields are those of `agents.Reason`."""

    action: int
    text: str
    value: float | None
    weight: float | None
    visits: int | None
    prior: float | None
    note: str


class Decision(Message):
    """An agent's decision, with descriptions that fit the position it was made in."""

    type: Literal["decision"] = "decision"
    move: int
    """The number of moves before it."""
    seat: int
    agent: str
    """The agent's spec."""
    action: int
    text: str
    forced: bool
    summary: str
    seconds: float
    reasons: tuple[Reason, ...]
    cases: tuple[RememberedCase, ...] = ()
    places: tuple[int, ...] = ()
    """For a hint where several things are chosen at once: their places in the set."""


class SeatShown(Message):
    name: str
    role: str
    person: bool
    agent: str
    """The agent's spec; empty for a person."""
    advises: bool
    here: bool
    """Whether somebody has the page of this seat open."""
    open: bool = False
    """Whether anybody may take it."""
    clock: float | None
    """Seconds that are left."""


class LogEntry(Message):
    move: int
    seat: int
    text: str
    forced: bool
    revealed: list[str]
    """What came to light with the move."""


class TableShown(Position):
    """The table as one connection may see it: everything but the log, of which it has what is new."""

    type: Literal["table"] = "table"
    id: str
    version: int
    game: str
    title: str
    seat: int
    """The seat of this connection, or -1."""
    you: int | None
    """The seat that the page looks from, if it looks from one."""
    open: bool
    """Whether there is nothing to hide from anybody."""
    view: int | None
    """The seat that the page looks from, -1 for spectators, None where everything is shown."""
    seats: list[SeatShown]
    status: str
    note: str
    paused: bool
    wants_pause: list[int]
    pace: float
    clock: bool
    ticking: bool
    thinking: int | None
    """The seat whose agent is thinking."""
    compiling: float | None
    """How much of that agent's code is compiled, if it waits for that."""
    moves: int
    since: int
    """The move after one's own last decision."""
    can_take_back: bool
    decision: Decision | None
    """The last decision of an agent, where it gives nothing away."""
    log_from: int
    log: list[LogEntry]
    picture_patch: Patch | None = None
    """Instead of `picture`, which is empty then: how to make it from the one before."""
    text_patch: Patch | None = None
    choosing: list[int] = []
    """The seats that have yet to choose: several, where all choose at the same time."""
    asked_since: int = 0
    """The version from which on this question is asked."""
    waiting_for: list[int] = []
    """The seats that the table waits for before it begins: nobody has taken them, or they are not ready."""
    wants_rematch: list[int] = []
    next_game: bool = False
    """Whether the rematch has begun; "rematch" leads there then."""
    wants_back: list[int] = []
    """The seats that would like a move to be taken back."""
    back_of: int | None = None
    """The seat whose move that is."""
    asks: bool = False
    """Whether this page should ask what somebody thought of the game."""
    blind: bool = False
    """Whether the agents' names are hidden."""


class Chances(Message):
    """Everybody's chance to win after some numbers of moves."""

    type: Literal["chances"] = "chances"
    points: list[tuple[int, list[float]]]


class Compiling(Message):
    """How much of the code of an agent that was asked is compiled, from 0 to 1."""

    type: Literal["compiling"] = "compiling"
    share: float


class Refusal(Message):
    """Something that the page wanted cannot be done. After a final one the socket is closed."""

    type: Literal["refused"] = "refused"
    reason: str
    final: bool = False


class Pong(Message):
    type: Literal["pong"] = "pong"


class Seated(Message):
    """The secret of a seat that somebody has taken: for the page that took it."""

    type: Literal["seated"] = "seated"
    table: str
    seat: int
    token: str


class ChatLine(Message):
    """A line of the chat. Text of other people: never markup."""

    seat: int
    """The seat of its author, or -1 for spectators."""
    name: str
    text: str


class Chat(Message):
    type: Literal["chat"] = "chat"
    lines: list[ChatLine]


ToPage = TableShown | Decision | Chances | Compiling | Refusal | Pong | Seated | Chat


# Requests


class Pictured(Message):
    """What asks for a picture: the room for it, and what somebody has opened or folded up."""

    width: PictureWidth = WIDE.width
    touch: bool = False
    toggled: Toggled = []


class SeatWanted(Message):
    """A person, or an agent: a level of the game ("easy"), or a spec."""

    agent: SpecText | None = None
    name: Annotated[str, Field(max_length=40)] = ""
    open: bool = False
    """Of a person: whether anybody with the table's address may take the seat."""


class ClockWanted(Message):
    seconds: Annotated[float, Field(ge=5, le=24 * 3600)]
    """Each person's time for the whole game."""
    increment: Annotated[float, Field(ge=0, le=600)] = 0.0
    """Seconds that every decision adds."""


class NewTable(Message):
    """POST /api/tables."""

    game: Annotated[str, Field(max_length=60)]
    seats: Annotated[list[SeatWanted], Field(min_length=1, max_length=8)]
    options: OptionValues = {}
    seed: Seed | None = None
    """If None, a secret seed is drawn."""
    pace: Annotated[float, Field(ge=0, le=60)] = 0.6
    clock: ClockWanted | None = None
    actions: Actions = []
    """Moves to begin with: a branch of another game."""
    position: PositionText = ""
    """A position to begin with instead of a fresh deal."""
    ready_check: bool = False
    """Whether the game begins only when all people are ready."""
    blind: bool = False
    """Whether the agents' names are hidden until the game is over and the questions are answered."""


class Start(Message):
    """A game from its beginning: what a record begins with."""

    game: Annotated[str, Field(max_length=60)]
    seats: Annotated[int, Field(ge=1, le=8)]
    seed: Seed
    options: OptionValues = {}
    position: PositionText = ""
    """What it begins with, if that is no fresh deal."""


class GameLine(Message):
    """A game from its beginning, and what was played in it."""

    start: Start
    actions: Actions


class PositionWanted(GameLine, Pictured):
    """POST /api/position: a position of a game that hides nothing any more."""

    seat: int | None = None
    """The seat that looks at it, or -1 for what every seat knows; None shows everything."""


class PositionGiven(Message):
    """POST /api/deal: a position that somebody has written, as JSON, or a record or a study as files hold them."""

    text: Annotated[str, Field(min_length=1, max_length=1_000_000)]
    seed: Seed = 0
    """Chance from there on, and what the position leaves open."""


class StudyKept(GameLine):
    """POST /api/study: a game with what was noted about it, to be made into a file."""

    agents: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=8)]
    notes: Notes = []
    forfeited_by: int | None = None
    forfeit: Annotated[str, Field(max_length=300)] = ""


class StepsWanted(GameLine):
    """POST /api/steps: the actions that choose several things at once."""

    places: Places


class DecisionWanted(GameLine):
    """POST /api/think: what an agent would do, and why."""

    agent: SpecText


class CurveWanted(GameLine):
    """POST /api/curve: everybody's chance to win after each of these numbers of moves."""

    at: Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=50)]


class ReviewWanted(GameLine):
    """POST /api/review: what some moves of a finished game cost, by their numbers from 1."""

    moves: Annotated[list[Annotated[int, Field(ge=1)]], Field(max_length=12)]
    explain: bool = False
    forfeited: bool = False
    """Whether it ended there by a forfeit, and not by the rules."""


class FieldsWanted(Message):
    """POST /api/fields: the fields of a position, or of a fresh deal, to be edited."""

    game: Annotated[str, Field(max_length=60)]
    seats: Annotated[int, Field(ge=0, le=8)] = 0
    seed: Seed = 0
    position: PositionText = ""


class PositionEdited(Pictured):
    """POST /api/edit: a position by its fields, each as JSON text."""

    game: Annotated[str, Field(max_length=60)]
    fields: Annotated[dict[Annotated[str, Field(max_length=60)], PositionText], Field(max_length=200)]
    seed: Seed = 0
    seat: Annotated[int, Field(ge=0, le=7)] | None = None
    """The seat whose hidden rest is drawn anew; None: everything stays as it is written."""


class PuzzleWanted(Pictured):
    """POST /api/puzzles/next: the puzzle that is to be solved now, or a certain one."""

    game: Annotated[str, Field(max_length=60)]
    id: PuzzleName = ""
    skip: Annotated[list[PuzzleName], Field(max_length=2000)] = []


class PuzzleNamed(Message):
    """POST /api/puzzles/hint: what an agent thinks of it."""

    game: Annotated[str, Field(max_length=60)]
    id: PuzzleName


class PuzzleAnswer(PuzzleNamed):
    """POST /api/puzzles/answer and, for why it is right or wrong, /api/puzzles/why."""

    action: int
    hinted: bool = False


class Taught(Message):
    """POST /api/tables/…/teach: whose decisions the server's case base should remember."""

    seat: Annotated[int, Field(ge=0, le=7)] | None = None
    """None: the winner's."""


class NewMatch(Message):
    """POST /api/matches."""

    kind: Literal["match", "ladder"] = "match"
    game: Annotated[str, Field(max_length=60)]
    agents: Annotated[list[SpecText], Field(min_length=2, max_length=12)]
    games: Annotated[int, Field(ge=1, le=1_000_000)]
    options: OptionValues = {}
    seed: Seed | None = None
    """If None, it is chosen as for a match at the command line."""


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
