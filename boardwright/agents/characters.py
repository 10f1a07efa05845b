"""Characters: opponents with a name and a way to play, at three strengths, as data that runs nothing.

A game declares its characters by a JSON file (`Contract.characters`). There, a character has a name that begins with
"the", two sentences about it, and for each strength a spec and the rating that was measured for it. A character is a
spec wherever a spec is taken: "the merchant", "the merchant:strength=easy", or, from a file of your own,
"mine.json#the smuggler". Like a level it is written out (`levels.in_full`) where the game is known.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

import pydantic

from boardwright.agents.spec import Spec
from boardwright.errors import BadSpec, UnknownName
from boardwright.files import atomic_output, read_json
from boardwright.kernel import Game

Strength = Literal["easy", "middling", "strong"]
STRENGTHS: tuple[Strength, ...] = ("easy", "middling", "strong")
DEFAULT_STRENGTH: Strength = "strong"
_ARTICLE = "the "
_IN_FILE = "#"
_MAY_NOT_PLAY = ("human", "llm", "remote", "script", "isolated")
"""Agents that a file cannot name: they run programs, ask people or talk to other machines."""


class _Data(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)


class Rating(_Data):
    """On Elo's scale, with a 95 % interval; the anchor "easy" of the game is 0 there."""

    elo: float
    low: float
    high: float
    games: int = pydantic.Field(ge=1)


class Version(_Data):
    """A character at one strength."""

    spec: str
    rating: Rating | None = None


class Character(_Data):
    name: str = pydantic.Field(pattern=r"^the [a-z][a-z -]*$")
    about: str = pydantic.Field(min_length=1, max_length=400)
    strengths: dict[Strength, Version] = pydantic.Field(min_length=1)
    style: dict[str, float] = pydantic.Field(default_factory=dict)
    """What it does more (above 0) or less than its fellows, in standard deviations of a game."""


class Cast(_Data):
    """The characters of a game."""

    game: str
    seats: int
    """At tables of so many they were rated."""
    anchors: dict[Strength, Version]
    """Whom characters of each strength are rated against."""
    characters: tuple[Character, ...]

    def named(self, name: str) -> Character | None:
        name = name.strip().lower()
        return next((one for one in self.characters if one.name == name), None)

    @property
    def agents(self) -> set[str]:
        """The agents that play the characters."""
        return {Spec.parse(one.spec).name for character in self.characters for one in character.strengths.values()}

    @property
    def names(self) -> list[str]:
        return [character.name for character in self.characters]


def cast_of(game: Game) -> Cast | None:
    """The characters that come with a game."""
    return None if game.characters is None else read_cast(Path(game.characters), game)


def read_cast(file: Path, game: Game) -> Cast:
    """The characters in a file; BadSpec says what is wrong with it."""
    try:
        return _checked(file, file.stat().st_mtime_ns, game.name)
    except OSError as error:
        raise BadSpec(f"cannot read {file}: {error.strerror}") from None


@lru_cache(maxsize=32)
def _checked(file: Path, _: int, game: str) -> Cast:
    """`_`: when the file was changed, so that it is read again then."""
    try:
        found = Cast.model_validate(read_json(file))
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        raise BadSpec(f"{file}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    except ValueError as error:
        raise BadSpec(f"{file} is not JSON: {error}") from None
    if found.game != game:
        raise BadSpec(f"{file} has characters of {found.game}, not of {game}")
    if len(set(found.names)) < len(found.names):
        raise BadSpec(f"{file}: two characters have the same name")
    versions = [version for character in found.characters for version in character.strengths.values()]
    for version in (*versions, *found.anchors.values()):
        _check_spec(version.spec, file)
    return found


def _check_spec(text: str, file: Path) -> None:
    """A file of characters is data: no spec in it names a program, a person, another machine or a file."""
    from boardwright.registry import is_ours

    spec = Spec.parse(text)
    for name in spec.agents():
        if name in _MAY_NOT_PLAY or not is_ours("agents", name):
            raise BadSpec(f"{file}: {text!r}: a character cannot be played by {name!r}")
    if spec.files():
        raise BadSpec(f"{file}: {text!r}: a character cannot name files")


def write_cast(file: Path, cast: Cast) -> None:
    with atomic_output(file) as temporary:
        text = cast.model_dump_json(indent=1, exclude_none=True)
        temporary.write_text(f"{text}\n", encoding="utf-8")


def may_be_character(name: str) -> bool:
    """Whether a spec's name looks like that of a character, whatever the game is."""
    return name.strip().lower().startswith(_ARTICLE) or f".json{_IN_FILE}" in name


def character_in_full(spec: Spec, game: Game) -> str | None:
    """What a spec stands for that names a character; None if it names none."""
    found = _find(spec.name, game)
    if found is None:
        return None
    unknown = [name for name in spec.params if name != "strength"]
    if unknown:
        raise BadSpec(f"{spec}: a character takes `strength` alone, as {found.name}:strength={STRENGTHS[0]}")
    strength = spec.params.get("strength", DEFAULT_STRENGTH if DEFAULT_STRENGTH in found.strengths else "")
    version = next((one for name, one in found.strengths.items() if name == strength), None)
    if version is None:
        if strength:
            raise UnknownName("strength", strength, found.strengths, f" of {found.name}")
        version = next(iter(found.strengths.values()))
    return version.spec


def _find(name: str, game: Game) -> Character | None:
    file, _, within = name.rpartition(_IN_FILE)
    if file.endswith(".json"):
        cast = read_cast(Path(file), game)
        found = cast.named(within)
        if found is None:
            raise UnknownName("character", within, cast.names, f" in {file}")
        return found
    own = cast_of(game) if may_be_character(name) else None
    return own.named(name) if own is not None else None


def core(spec: str) -> str:
    """The agent that says what actions are worth, where a character is a tilt of one."""
    return Spec.parse(spec).params.get("agent", spec)


def called(spec: str, game: Game) -> str:
    """What people call an agent: the name and strength of the character that plays so, or its spec."""
    cast = cast_of(game)
    if cast is None or not any(spec.startswith(name) for name in cast.agents):
        return spec
    wanted = Spec.parse(spec)
    for character in cast.characters:
        for strength, version in character.strengths.items():
            if Spec.parse(version.spec) == wanted:
                return f"{character.name}, {strength}"
    return spec


def plays_as_character(spec: str, game: Game) -> bool:
    """Whether a spec is just what one of the game's characters stands for."""
    return called(spec, game) != spec
