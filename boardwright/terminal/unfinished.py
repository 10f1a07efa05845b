"""Games that a person has left and can continue: kept in a file while they are played, one file per game.

A game is continued by playing its actions again through the same loop, each agent in its seat: so those that remember
know what happened, and moves can be taken back.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pydantic

from boardwright.agents import Agent, Decision
from boardwright.arena.loop import Listener
from boardwright.arena.match import Match
from boardwright.arena.seeds import HiddenSeed
from boardwright.errors import BadRecord, BadSpec
from boardwright.files import atomic_output
from boardwright.kernel import Observation, State

FOLDER = Path("games")
FORMAT = 1
_SUFFIX = ".unfinished.json"


class Unfinished(pydantic.BaseModel):
    """A game up to where it was left."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    format: int = FORMAT
    game: str
    options: dict[str, bool | int | str] = {}
    seed: int | None
    """None: hidden from agents that are not our own, and kept elsewhere (arena/seeds.py);"""
    salt: int = 0
    """so is this."""
    agents: list[str]
    actions: list[int] = []


def unfinished_file(match: Match) -> Path:
    """Where a game is kept that is about to begin. Its name tells the seed unless somebody could read it there."""
    which = f"hidden{secrets.token_hex(4)}" if match.has_foreign_agents else f"seed{match.seed}"
    return FOLDER / f"{stem(match.game_name)}-{which}{_SUFFIX}"


def finished_file(game: str) -> Path:
    """Where games with people are recorded, unless they say otherwise."""
    return FOLDER / f"{stem(game)}.jsonl"


def stem(game: str) -> str:
    return re.sub(r"[^\w.]+", "_", Path(game).stem if game.endswith(".py") else game)


def find_unfinished(game: str, seed: int | None) -> Path:
    """The game of that seed that was left; without a seed, the one left last."""
    found = [file for kind in ("seed", "hidden") for file in FOLDER.glob(f"{stem(game)}-{kind}*{_SUFFIX}")]
    found.sort(key=lambda file: file.stat().st_mtime)
    if seed is not None:
        for file in found:
            if file.name == f"{stem(game)}-seed{seed}{_SUFFIX}" or HiddenSeed(file).is_seed(seed):
                return file
    if not found or seed is not None:
        left = f"; there are: {', '.join(map(str, found))}" if found else ""
        which = f" with seed {seed}" if seed is not None else ""
        raise BadSpec(f"no game of {game}{which} was left in {FOLDER}/{left}")
    return found[-1]


def read_unfinished(file: Path) -> Unfinished:
    try:
        left = Unfinished.model_validate_json(file.read_bytes())
    except OSError as error:
        raise BadRecord(f"cannot read {file}: {error.strerror}") from None
    except pydantic.ValidationError as error:
        raise BadRecord(f"{file} is not a game that was left: {error.errors()[0]['msg']}") from None
    if left.seed is not None:
        return left
    seed, salt = HiddenSeed(file).read()
    return left.model_copy(update={"seed": seed, "salt": salt})


class Keeper(Listener):
    """Writes the game to its file whenever a person has moved."""

    def __init__(self, file: Path, game: Unfinished, people: set[int], hidden: HiddenSeed | None) -> None:
        """`hidden`: where the seed is kept, if it must not be in the file."""
        self._file = file
        self._hidden = hidden
        self._game = game
        self._people = people
        self.actions = list(game.actions)
        self._known = len(game.actions)
        self._played = 0

    def applied(self, state: State, seat: int, action: int) -> None:
        self._played += 1
        if self._played <= self._known:
            return  # played again from the file
        self.actions.append(action)
        if seat in self._people:
            self.write()

    def taken_back(self, state: State, moves: int) -> None:
        self._played -= moves
        self._known = min(self._known, self._played)
        del self.actions[self._played :]

    def write(self) -> None:
        fields: dict[str, object] = {"actions": self.actions}
        if self._hidden is not None:
            self._hidden.keep(self._game.seed or 0, self._game.salt)
            fields |= {"seed": None, "salt": 0}
        text = self._game.model_copy(update=fields).model_dump_json()
        with atomic_output(self._file) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")


class Script:
    """The actions of a game that are to be played again."""

    def __init__(self, actions: Sequence[int]) -> None:
        self._actions = list(actions)
        self._next = 0

    @property
    def ended(self) -> bool:
        return self._next >= len(self._actions)

    def action(self, legal: Sequence[int]) -> int:
        action = self._actions[self._next]
        self._next += 1
        if action not in legal:
            raise BadRecord(f"move {self._next} of the game does not fit the rules any more; it cannot be continued")
        return action


class Continued(Agent):
    """Plays what was played in its seat before, and then as the agent it stands for."""

    asked_if_forced: ClassVar[bool] = True

    def __init__(self, agent: Agent, script: Script) -> None:
        super().__init__(agent.game, agent.seat, seed=agent.seed)
        self._agent = agent
        self._script = script
        self.interactive = agent.interactive  # type: ignore[misc]
        self.on_failure = agent.on_failure  # type: ignore[misc]
        self.hears_words = agent.hears_words  # type: ignore[misc]

    def decide(self, observation: Observation) -> Decision:
        legal = observation.legal_actions()
        if not self._script.ended:
            action = self._script.action(legal)
            return Decision.only(action) if len(legal) == 1 else Decision(action)
        if len(legal) == 1 and not self._agent.asked_if_forced:
            return Decision.only(legal[0])
        return self._agent.decide(observation)

    def start_game(self, observation: Observation) -> None:
        self._agent.start_game(observation)

    def hear(self, seat: int, text: str) -> None:
        self._agent.hear(seat, text)

    def observe_action(self, seat: int, action: int, observation: Observation) -> None:
        self._agent.observe_action(seat, action, observation)

    def end_game(self, observation: Observation, returns: Sequence[float], scores: Sequence[float]) -> None:
        self._agent.end_game(observation, returns, scores)

    def close(self) -> None:
        self._agent.close()
