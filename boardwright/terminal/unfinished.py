"""Games that a person has left and can continue: kept in a file while they are played, one file per game.

A game is continued by playing its actions again through the same loop, each agent in its seat: so those that remember
know what happened, and moves can be taken back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pydantic

from boardwright.agents import Agent, Decision
from boardwright.arena.loop import Listener
from boardwright.errors import BadRecord, BadSpec
from boardwright.files import atomic_output
from boardwright.kernel import Observation, State

FOLDER = Path("games")
FORMAT = 1


class Unfinished(pydantic.BaseModel):
    """A game up to where it was left."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    format: int = FORMAT
    game: str
    options: dict[str, bool | int | str] = {}
    seed: int
    agents: list[str]
    actions: list[int] = []


def unfinished_file(game: str, seed: int) -> Path:
    return FOLDER / f"{stem(game)}-seed{seed}.unfinished.json"


def finished_file(game: str) -> Path:
    """Where games with people are recorded, unless they say otherwise."""
    return FOLDER / f"{stem(game)}.jsonl"


def stem(game: str) -> str:
    return re.sub(r"[^\w.]+", "_", Path(game).stem if game.endswith(".py") else game)


def find_unfinished(game: str, seed: int | None) -> Path:
    """The game of that seed that was left; without a seed, the one left last."""
    if seed is not None:
        file = unfinished_file(game, seed)
        if file.is_file():
            return file
    found = sorted(FOLDER.glob(f"{stem(game)}-seed*.unfinished.json"), key=lambda file: file.stat().st_mtime)
    if not found or seed is not None:
        left = f"; there are: {', '.join(map(str, found))}" if found else ""
        which = f" with seed {seed}" if seed is not None else ""
        raise BadSpec(f"no game of {game}{which} was left in {FOLDER}/{left}")
    return found[-1]


def read_unfinished(file: Path) -> Unfinished:
    try:
        return Unfinished.model_validate_json(file.read_bytes())
    except OSError as error:
        raise BadRecord(f"cannot read {file}: {error.strerror}") from None
    except pydantic.ValidationError as error:
        raise BadRecord(f"{file} is not a game that was left: {error.errors()[0]['msg']}") from None


class Keeper(Listener):
    """Writes the game to its file whenever a person has moved."""

    def __init__(self, file: Path, game: Unfinished, people: set[int]) -> None:
        self._file = file
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
        text = self._game.model_copy(update={"actions": self.actions}).model_dump_json()
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
