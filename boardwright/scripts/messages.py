"""The protocol between host and script: one JSON object per line, over the script's standard input and output.

The models below are the protocol: what a script says is checked against them, and `protocol.schema.json` beside this
file is made from them (`python -m boardwright.scripts.messages` writes it again). docs/scripts.md explains them.

A conversation, `>` from the host and `<` from the script:

    > hello                      a game begins
    < ready
    > decide                     the script's turn
    < ask     > answers          as often as it wants: the rules, asked in batches
    < action
    > decide … < action          and so on
    > end                        the game is over; another hello may follow, or the end of the input
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
import pydantic_core

from boardwright.blame import printable

VERSION = 1
SCHEMA = Path(__file__).with_name("protocol.schema.json")

LARGEST = 2**53 - 1

MOST_SAMPLES = 100_000
"""That one request can ask for."""


class _Message(pydantic.BaseModel):
    """Numbers are numbers: "3", 3.0 and true are not 3, and what is not finite is not a number."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


Text = Annotated[str, pydantic.AfterValidator(printable)]
"""What a script says for people to read. Control characters never reach a terminal."""
Number = Annotated[int, pydantic.Field(ge=-LARGEST, le=LARGEST)]
"""An integer that all languages hold."""


# What the host says


class TimeLimits(_Message):
    seconds: float
    """Seconds for one decision."""
    game_seconds: float
    """Seconds for all of a game."""
    start_seconds: float
    """From `hello` to `ready`."""
    memory_mb: int
    cpu_seconds: float
    """In one game, by all processes of the script."""
    processes: int


class Hello(_Message):
    """A game begins. Answer with `ready`."""

    type: Literal["hello"]
    protocol: Literal[1]
    host: str
    """Who asks: "boardwright 0.2.0"."""
    game: str
    """The name of the game."""
    rules: str
    """The version of its rules: of the package they come from, or a digest of their file."""
    seats: int
    seat: int
    """The script's own seat, from 0."""
    seat_names: list[str]
    options: dict[str, bool | int | str]
    num_actions: int
    """Actions are the integers below this."""
    min_utility: float
    max_utility: float
    seed: int
    """For the script's own chance; it says nothing about the deal."""
    limits: TimeLimits
    position: dict[str, Any] | None
    """The first position as the seat sees it; null if it is only asked whether it can play."""


class Event(_Message):
    """What somebody did, as the script's seat sees it."""

    seat: int
    action: int
    """The action; or, from `num_actions` on, a number that stands for all that the seat cannot tell apart."""
    text: str | None
    """In words; null where the seat does not see which it was."""
    position: dict[str, Any] | None = None
    """The position afterwards, for scripts that want positions."""


class LegalAction(_Message):
    action: int
    text: str


class TimeLeft(_Message):
    decision: float
    """Seconds for this decision."""
    game: float
    """Seconds for the rest of the game."""


class Decide(_Message):
    """The script's turn. Answer with `action`; before, ask as often as you like."""

    type: Literal["decide"]
    move: int
    """How many actions were played before."""
    events: list[Event]
    """What happened since the last message."""
    position: dict[str, Any]
    """The fields of the position by name; what the seat may not know is blank."""
    legal: list[LegalAction]
    time: TimeLeft


class End(_Message):
    """The game is over. There is no answer to this."""

    type: Literal["end"]
    how: Literal["finished", "forfeit", "stopped"]
    """Played to its end; ended because somebody failed; not played on."""
    events: list[Event]
    position: dict[str, Any] | None
    returns: list[float] | None
    scores: list[float] | None


class Answer(_Message):
    """To one request; which fields there are depends on the request."""

    error: str | None = None
    handles: list[int] | None = None
    players: list[int] | None = None
    """Whose turn it is in each position; -1: the game is over."""
    legal: list[list[int]] | None = None
    returns: list[list[float] | None] | None = None
    """For each position one number per seat; null where the game is not over."""
    positions: list[dict[str, Any]] | None = None


class Answers(_Message):
    """To `ask`, in the order of the requests."""

    type: Literal["answers"]
    answers: list[Answer]


# What a script says


def _integer(value: Any) -> Any:
    """A literal 1 is equal to true."""
    if type(value) is not int:
        raise pydantic_core.PydanticCustomError("literal_error", "Input should be 1")
    return value


class Ready(_Message):
    type: Literal["ready"]
    protocol: Annotated[Literal[1], pydantic.BeforeValidator(_integer)]
    name: Text = ""
    fresh: bool = False
    """Whether it wants a new process for each game."""
    positions: bool = False
    """Whether events should carry the positions after them."""
    forced: bool = False
    """Whether it is asked also where a single action is legal."""


class Error(_Message):
    """In place of any answer: the script cannot go on, and fails."""

    type: Literal["error"]
    reason: Text


class ReasonGiven(_Message):
    action: Number
    value: float | None = None
    """The return it expects, in the game's units."""
    weight: Annotated[float, pydantic.Field(ge=0, le=1)] | None = None
    """The share of attention or probability, from 0 to 1."""
    visits: Annotated[int, pydantic.Field(ge=0, le=LARGEST)] | None = None
    note: Text = ""


class Action(_Message):
    type: Literal["action"]
    action: Number
    reasons: list[ReasonGiven] = []
    """Best first."""
    summary: Text = ""
    """How the decision was reached, in a line."""


Handles = list[Annotated[int, pydantic.Field(ge=0, le=LARGEST)]]


class Sample(_Message):
    """Determinizations: whole positions that the script's seat cannot tell from the true one."""

    op: Literal["sample"]
    count: Annotated[int, pydantic.Field(ge=1, le=MOST_SAMPLES)] = 1
    seed: Annotated[int, pydantic.Field(ge=0, lt=2**63)] | None = None
    """The same seed gives the same samples of a position. Default: a new one, derived from the script's own seed."""


class Copy(_Message):
    """A new position for each handle."""

    op: Literal["copy"]
    handles: Handles


class Legal(_Message):
    """Whose turn it is, and what is legal."""

    op: Literal["legal"]
    handles: Handles


class Apply(_Message):
    """Plays `actions[i]` on `handles[i]`, in this order; a handle can be named several times."""

    op: Literal["apply"]
    handles: Handles
    actions: list[Number]


class Playout(_Message):
    """Plays each position to its end, with random actions, and gives the returns."""

    op: Literal["playout"]
    handles: Handles
    seed: Annotated[int, pydantic.Field(ge=0, lt=2**63)] | None = None


class Returns(_Message):
    op: Literal["returns"]
    handles: Handles


class Positions(_Message):
    """The fields of positions by name."""

    op: Literal["positions"]
    handles: Handles


class Free(_Message):
    """Positions that are not needed any more. All others end with the decision."""

    op: Literal["free"]
    handles: Handles


Request = Annotated[
    Sample | Copy | Legal | Apply | Playout | Returns | Positions | Free, pydantic.Field(discriminator="op")
]


class Ask(_Message):
    """Requests about positions that the host keeps; while it is the script's turn."""

    type: Literal["ask"]
    requests: list[Request]


FromHost = Hello | Decide | Answers | End
FromScript = Ready | Action | Ask | Error

from_host: pydantic.TypeAdapter[FromHost] = pydantic.TypeAdapter(
    Annotated[FromHost, pydantic.Field(discriminator="type")]
)
_from_script: pydantic.TypeAdapter[FromScript] = pydantic.TypeAdapter(
    Annotated[FromScript, pydantic.Field(discriminator="type")]
)


def encode(message: dict[str, Any]) -> bytes:
    """A line: UTF-8, no spaces, keys in the order of the models, so that a shell can read it, too."""
    return pydantic_core.to_json(message) + b"\n"


def parse(line: bytes) -> FromScript:
    """A script's message. ValueError says what is wrong."""
    try:
        return _from_script.validate_json(line)
    except pydantic.ValidationError as error:
        raise ValueError(_complaint(line, error)) from None


def _complaint(line: bytes, error: pydantic.ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    shown = repr(line[:80].decode(errors="replace")) + (" …" if len(line) > 80 else "")
    if first["type"] == "json_invalid":
        return f"not JSON: {shown}"
    if first["type"] in ("model_attributes_type", "model_type", "dict_type"):
        return f"not a JSON object: {shown}"
    if first["type"] == "union_tag_not_found":
        return f'there is no "type" in {shown}; it should be "ready", "action" or "ask"'
    if first["type"] == "union_tag_invalid":
        return f"unknown {'request' if first['loc'] else 'type'} in {shown}; {first['msg']}"
    where = ".".join(str(part) for part in first["loc"][1:])
    return f"{where}: {first['msg']}, in {shown}"


def schema() -> dict[str, Any]:
    """The protocol as JSON Schema."""
    both: dict[str, pydantic.TypeAdapter[Any]] = {"from_host": from_host, "from_script": _from_script}
    found, definitions = pydantic.TypeAdapter.json_schemas(
        [(name, "validation", adapter) for name, adapter in both.items()],
        title=f"Boardwright scripts, protocol version {VERSION}",
        description="One JSON object per line: from_host on the script's standard input, from_script on its output.",
    )
    sides = {name: found[name, "validation"] for name in both}
    definitions["$defs"] |= sides
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **definitions,
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in sides],
    }


def main() -> None:
    from boardwright.files import write_json

    write_json(SCHEMA, schema())
    print(SCHEMA)


if __name__ == "__main__":
    main()
