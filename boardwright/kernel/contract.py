"""The contract: what a game gives, and all that Boardwright knows about it.

A game is a record type for its state and a handful of functions over it. *Rules* carry `@rule` and are
compiled: numbers, arrays, tuples and other rules only. They get the state `s` as a record and change it in place.
*Words* are ordinary Python.

Rules every game gives:

    setup(s, seed, seats, options)  `s` is all zeros: make it a fresh game
    player(s)                       the seat that must choose now, or OVER; the same for every seat that looks
    legal(s, out)                   write the legal actions into `out`, return how many; the seat to move can tell
                                    them from what it sees
    apply(s, action)                play it; chance comes from a generator in the state (rng.py)
    returns(s, out)                 the payoff of each seat, which search maximises, within `payoffs`

Rules some games give:

    scores(s, out)                  points as the rulebook counts them, also before the end; default: the returns
    observe(s, seat)                `s` is a copy: blank all that the seat may not know
    determinize(s, seat, seed)      `s` is that seat's view: fill the blanks at random, consistent with all it has seen
    seen_as(s, action, seat)        what another seat sees of an action about to be played: the action itself, or a
                                    number from `actions` up to `sights`, the same for all it cannot tell apart;
                                    default: the action itself
    census(s, out)                  how many pieces of each of `kinds` kinds exist anywhere; must never change
    policies[name](s, actions, n, words)
                                    a playout policy: one of the first n `actions`, chance from the generator `words`
    evaluations[name](s, out)       how good a position is for each seat, in units of its own; search that breaks off
                                    its playouts (`plies`) takes it for an estimate of the returns
    settled(s)                      whether a position shows all that was chosen, and so can be judged; default: always
    features(s, seat, told)         for learners: tell(told, i, x) what the seat may know as numbers around -1 to 1, i
                                    a place in `feature_names`; what is not told is 0, what is told twice adds up
    turn(s)                         a number that changes when a turn, or a round, is over: where a search that plays
                                    the turn to its end stops and judges; default: it ends with every action
    rewind(s)                       in a simultaneous question: take back the answers that nobody has seen yet, so
                                    that all are asked again; otherwise do nothing

Words:

    describe_action(s, action)      an action in words
    show_state(s, seat)             a position as text, as the seat sees it (None: everything open)
    draw_state(s, seat)             the same as an SVG picture, for notebooks and pages
    topic(s, action)                what reports group an action under, as ("module", "Quarry"), or None
    figures(s, seat)                what reports over many games count of a seat when a game is over: the parts of its
                                    score, and marks such as its board (figures.py)
    scramble(s, seat, random)       games that hide something: rearrange all that the seat cannot see, which is the
                                    tests' independent proof of `observe`

An action is an integer from 0 to `actions` - 1 whose meaning does not depend on anything hidden or positional
(a card's kind, not its place in the hand), so that trees over information sets can share it. Simultaneous
choices are asked one after another and stay hidden until revealed. Large choices (paying with several
cards) are split into small ones in a canonical order.

A game without hidden information leaves out `observe`, `determinize` and `scramble`. If it has chance,
its record has a field `rng`, which is then hidden and reseeded for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numba import typeof, types
from numba.core.dispatcher import Dispatcher

from boardwright.errors import BadGame
from boardwright.kernel.compile import UNCOMPILED
from boardwright.kernel.figures import Figures
from boardwright.kernel.options import Option
from boardwright.kernel.told import Told

OVER = -1
"""What `player` says when the game has ended."""

ALWAYS_OVER = -1
"""What `turn` says for a game that has no turns of several actions."""

MAX_SEATS = 8

ADVISABLE = ("playout", "plies", "evaluation", "exploration")
"""The parameters of search that a game may give `advice` on."""

_STATE, _ACTIONS, _PAYOFFS, _WORDS = types.uint8[::1], types.int64[::1], types.float64[::1], types.uint64[::1]
SETUP = types.void(_STATE, types.uint64, types.int64, _ACTIONS)
PLAYER = types.int64(_STATE)
LEGAL = types.int64(_STATE, _ACTIONS)
APPLY = types.void(_STATE, types.int64)
VALUES = types.void(_STATE, _PAYOFFS)
OBSERVE = types.void(_STATE, types.int64)
DETERMINIZE = types.void(_STATE, types.int64, types.uint64)
SEEN_AS = types.int64(_STATE, types.int64, types.int64)
CENSUS = types.void(_STATE, _ACTIONS)
FEATURES = types.void(_STATE, types.int64, typeof(Told.room_for(1)))
TURN = types.int64(_STATE)
REWIND = types.void(_STATE)
SELF_PLAY = types.int64(_STATE, _STATE, _ACTIONS, _WORDS)
CHOOSE = types.int64(_STATE, _ACTIONS, _WORDS)
PLAYOUT = types.void(_STATE, _ACTIONS, _WORDS)
PLAY_ON = types.void(_STATE, _ACTIONS, _WORDS, types.int64)

Rule = Callable[..., Any]


class SavedGames(Protocol):
    """Files in which another program has saved games of this one."""

    def knows(self, file: Path) -> bool:
        """Whether a file looks like one of them."""
        ...

    def tell(self, file: Path, number: int) -> Iterable[str]:
        """One of its games in words, line by line; the first has number 1."""
        ...


@dataclass(kw_only=True)
class Contract:
    """A game's declaration; `Game` (game.py) adds everything that follows from it."""

    name: str
    title: str
    state: np.dtype[Any]
    seats: tuple[int, ...]
    """The seat counts it can be played with; if several, the record has a field `seats`."""
    actions: int
    """Actions are the integers below this."""
    max_legal: int = 0
    """The most legal actions there can be at once; default: `actions`."""
    sights: int = 0
    """What `seen_as` gives are integers below this; default: `actions`."""
    payoffs: tuple[float, float] = (-1.0, 1.0)
    """The lowest and highest return."""
    seat_names: tuple[str, ...] = ()
    options: Mapping[str, Option] = field(default_factory=dict)
    agents: Mapping[str, Any] = field(default_factory=dict)
    """Agents of this game's own: a class, or "module:Class" to import when it is asked for."""

    setup: Rule
    player: Rule
    legal: Rule
    apply: Rule
    returns: Rule
    scores: Rule | None = None
    observe: Rule | None = None
    determinize: Rule | None = None
    seen_as: Rule | None = None
    census: Rule | None = None
    kinds: int = 0
    policies: Mapping[str, Rule] = field(default_factory=dict)
    evaluations: Mapping[str, Rule] = field(default_factory=dict)
    settled: Rule | None = None
    advice: Mapping[str, Any] = field(default_factory=dict)
    """Parameters, of those in ADVISABLE, that tree search and flat Monte Carlo use unless told otherwise."""
    features: Rule | None = None
    feature_names: tuple[str, ...] = ()
    turn: Rule | None = None
    rewind: Rule | None = None
    networks: Mapping[int, Path] = field(default_factory=dict)
    """Files of trained networks, by seat count."""

    describe_action: Callable[[Any, int], str] | None = None
    show_state: Callable[[Any, int | None], str] | None = None
    draw_state: Callable[[Any, int | None], str] | None = None
    topic: Callable[[Any, int], tuple[str, str] | None] | None = None
    figures: Callable[[Any, int], Figures] | None = None
    scramble: Callable[[Any, int, np.random.Generator], None] | None = None
    saves: SavedGames | str | None = None
    """Saved games of another program, which `boardwright replay` can tell then; or "module:object" to import."""

    def __post_init__(self) -> None:
        fields = getattr(self.state, "names", None) or ()
        problem: str | None = None
        if not isinstance(self.name, str):
            raise BadGame(f"a game's `name` must be text, got {self.name!r}")
        if not isinstance(self.seats, tuple):
            problem = f"`seats` must be a tuple of seat counts, as (2,), got {self.seats!r}"
        elif not fields:
            problem = "`state` must be a record type; see boardwright.kernel.record"
        elif not self.seats or not all(1 <= n <= MAX_SEATS for n in self.seats):
            problem = f"`seats` must list seat counts from 1 to {MAX_SEATS}, got {self.seats}"
        elif len(self.seats) > 1 and "seats" not in fields:
            problem = "its record needs a field `seats`, since it can be played with different seat counts"
        elif self.actions < 1:
            problem = f"`actions` must be at least 1, got {self.actions}"
        elif (self.observe is None) != (self.determinize is None):
            problem = "`observe` and `determinize` come together"
        elif (self.census is None) != (self.kinds == 0):
            problem = "`census` and `kinds` come together"
        elif (self.features is None) != (not self.feature_names):
            problem = "`features` and `feature_names` come together"
        elif unknown := sorted(set(self.advice) - set(ADVISABLE)):
            problem = f"`advice` can be on {', '.join(ADVISABLE)}, not on {', '.join(map(repr, unknown))}"
        elif not self.payoffs[0] < self.payoffs[1]:
            problem = f"`payoffs` must be (lowest, highest), got {self.payoffs}"
        if not problem and not re.fullmatch(r"[A-Za-z]\w*", self.name):
            problem = "`name` must be a word: letters, digits and underscores"
        if not problem and not UNCOMPILED:
            loose = [name for name, function in self._rules() if not isinstance(function, Dispatcher)]
            problem = f"`{loose[0]}` lacks @rule" if loose else None
        if problem:
            raise BadGame(f"game {self.name!r}: {problem}")
        self.max_legal = self.max_legal or self.actions
        self.sights = self.sights or self.actions

    def _rules(self) -> list[tuple[str, Any]]:
        names = (
            "setup",
            "player",
            "legal",
            "apply",
            "returns",
            "scores",
            "observe",
            "determinize",
            "seen_as",
            "census",
            "settled",
            "features",
            "turn",
            "rewind",
        )
        found = [(name, getattr(self, name)) for name in names if getattr(self, name) is not None]
        return [*found, *self.policies.items(), *self.evaluations.items()]

    @property
    def hidden(self) -> bool:
        """Whether a seat may know less than the whole state: hidden information, or chance to come."""
        return self.observe is not None or "rng" in (self.state.names or ())


def shipped_networks(declaration: str) -> dict[int, Path]:
    """The trained networks in the folder `networks` beside a game's declaration: one file a seat count, as `2.npz`."""
    return {int(file.stem): file for file in sorted((Path(declaration).parent / "networks").glob("[0-9].npz"))}
