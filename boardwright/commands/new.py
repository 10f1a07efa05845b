"""Skeletons to start from: a game and an agent that run as they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boardwright.commands.declared import group
from boardwright.errors import BadSpec, CannotWrite
from boardwright.settings import Checked, argument

if TYPE_CHECKING:
    from rich.console import Console

GAME = '''\
"""{title}: say here in two sentences how it is played.

As it stands: on your turn roll a die or stay; after {turns} turns each the higher total wins, but a one takes all away.
"""

from boardwright.kernel import (
    RNG,
    TERMINAL,
    Actions,
    Game,
    Record,
    Returns,
    Rules,
    Text,
    record,
    rng,
    rule,
)

TURNS = {turns}
STAY, ROLL = 0, 1  # actions are the integers below num_actions

# Everything about a position: fields of small NumPy types, or (type, length).
STATE = record(turn="i2", points=("i2", 2), rng=RNG)


# The rules. They are compiled: numbers, arrays, tuples, constants and other rules only.


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    """`s` is all zeros: make it a fresh game."""
    rng.seed(s.rng, seed)


@rule
def player(s: Record) -> int:
    """The seat that must choose now, or TERMINAL."""
    return TERMINAL if s.turn == 2 * TURNS else s.turn % 2


@rule
def legal(s: Record, out: Actions) -> int:
    """Write the legal actions into `out`, and return how many there are."""
    out[0] = STAY
    out[1] = ROLL
    return 2


@rule
def apply(s: Record, action: int) -> None:
    """Play an action."""
    seat = s.turn % 2
    s.turn += 1
    if action == ROLL:
        face = 1 + rng.below(s.rng, 6)
        s.points[seat] = 0 if face == 1 else s.points[seat] + face


@rule
def returns(s: Record, out: Returns) -> None:
    """What each seat has won, from min_utility to max_utility."""
    for seat in range(2):
        if s.points[seat] > s.points[1 - seat]:
            out[seat] = 1.0
        elif s.points[seat] < s.points[1 - seat]:
            out[seat] = -1.0
        else:
            out[seat] = 0.0


@rule
def scores(s: Record, out: Returns) -> None:
    """Points as the rulebook counts them; leave this out if the returns say all."""
    for seat in range(2):
        out[seat] = s.points[seat]


# For people: ordinary Python.


def describe_action(s: Record, action: int) -> str:
    return "roll" if action == ROLL else "stay"


def show_state(s: Record, seat: int | None) -> str:
    """The position as text, as this seat sees it; None: everything open."""
    return f"turn {{1 + s.turn // 2}} of {{TURNS}}: {{s.points[0]}} to {{s.points[1]}}"


game = Game(
    name="{name}",
    title="{title}",
    state=STATE,
    seats=(2,),
    num_actions=2,
    chance="play",  # the generator in the record; "deal" if it is for setup alone
    rules=Rules(setup=setup, player=player, legal=legal, apply=apply, returns=returns, scores=scores),
    text=Text(describe_action=describe_action, show_state=show_state),
)
'''

AGENT = '''\
"""{title}: say here in a sentence how it plays."""

from boardwright import Agent, Decision, Observation, Reason, param


class {class_name}(Agent):
    """Plays each legal action to the end a few times at random, and takes the best. Plays any game."""

    playouts: int = param(20, "games played to the end for each action", ge=1, le=10_000)

    def decide(self, observation: Observation) -> Decision:
        """Choose one of `observation.legal_actions()`. It holds what this seat may know, and nothing else."""
        chance = self.random(observation)  # the same seed and observation give the same decision
        means = {{}}
        for action in observation.legal_actions():
            total = 0.0
            for _ in range(self.playouts):
                state = observation.determinize(seed=chance.getrandbits(32))  # what is hidden, filled in at random
                state.apply(action)
                while not state.is_terminal:
                    state.apply(chance.choice(state.legal_actions()))
                total += state.returns[self.seat]
            means[action] = total / self.playouts
        best_first = sorted(means, key=lambda action: -means[action])
        reasons = tuple(Reason(action, value=means[action]) for action in best_first)
        return Decision(best_first[0], reasons, f"{{self.playouts}} playouts of each action")
'''


@dataclass(frozen=True, kw_only=True)
class Skeleton(Checked):
    name: str = argument("A word, as my_game; the file is NAME.py.", "NAME")


@dataclass(frozen=True, kw_only=True)
class NewGame(Skeleton):
    """Write a small game that runs, to make your own of it.

    Example: boardwright new game my_game
    """

    def run(self, console: Console) -> Path:
        file = _write(self.name, GAME.format(name=self.name, title=_title(self.name), turns=5))
        console.out(
            f"{file}: a game that runs. Next:\n  boardwright check {file}\n  boardwright play {file}\n"
            f"  boardwright match {file} uct random --games 20",
            highlight=False,
        )
        return file


@dataclass(frozen=True, kw_only=True)
class NewAgent(Skeleton):
    """Write a small agent that plays any game, to make your own of it.

    Example: boardwright new agent my_agent
    """

    def run(self, console: Console) -> Path:
        title = _title(self.name)
        file = _write(self.name, AGENT.format(title=title, class_name=title.replace(" ", "")))
        console.out(
            f"{file}: an agent that plays any game. Next:\n"
            f"  boardwright match connect_four {file} random --games 10\n  boardwright explain connect_four {file}",
            highlight=False,
        )
        return file


app = group({"game": NewGame, "agent": NewAgent})


def _title(name: str) -> str:
    return name.replace("_", " ").title()


def _write(name: str, text: str) -> Path:
    if not re.fullmatch(r"[A-Za-z]\w*", name) or not name.isascii():
        raise BadSpec(f"{name!r} should be a word: letters, digits and underscores, as my_game")
    file = Path(f"{name}.py")
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise CannotWrite(f"{file} is there already; choose another name") from None
    except OSError as error:
        raise CannotWrite(f"cannot write {file}: {error.strerror}") from None
    return file
