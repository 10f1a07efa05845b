"""The contract: what a game gives, and all that Boardwright knows about it.

A game is a record type for its state and a handful of functions over it, in six groups of which only `rules` is
required:

    Game(name=…, title=…, state=…, seats=…, num_actions=…,
         rules=Rules(…),              # how it is played
         information=Information(…),  # what a seat may know, if anything is hidden
         search=SearchKnowledge(…),   # rollout policies, evaluations and defaults for search
         learning=Learning(…),        # features and networks
         text=Text(…),                # actions and positions for people
         metrics=Metrics(…))          # what reports count

A game in several files gives a group as `Rules.of(rules)`: the functions of a module by their names.

The functions of `rules`, `information`, `search` and `learning` carry `@rule` and are compiled: numbers, arrays,
tuples and other rules only. They get the state `s` as a record and change it in place. Those of `text` and `metrics`,
`announced`, `scramble` and `simultaneous`, are ordinary Python.

An action is an integer from 0 to `num_actions` - 1 whose meaning does not depend on anything hidden or positional
(a card's kind, not its place in the hand), so that trees over information sets can share it. Simultaneous
choices are asked one after another and stay hidden until revealed. Large choices (paying with several
cards) are split into small ones in a canonical order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from boardwright.errors import BadGame, nearest
from boardwright.kernel import declare
from boardwright.kernel.declare import UNCOMPILED, typeof, types
from boardwright.kernel.features import SparseFeatures
from boardwright.kernel.guide import Guide
from boardwright.kernel.metrics import SeatMetrics
from boardwright.kernel.options import Option
from boardwright.kernel.set_choice import ChoiceStep, SetChoice
from boardwright.kernel.traces import ActionValues, Trace

TERMINAL = -1
"""What `player` returns when the game has ended."""

SPECTATOR = -1
"""Looks at the table from no seat, and sees what every seat sees."""

NO_TURNS = -1
"""What `turn` returns for a game that has no turns of several actions."""

MAX_SEATS = 8

LONGEST_PLAYOUT = 100_000
"""After so many moves a playout is given up, so that a game without an end does not hang search."""

SEARCH_DEFAULTS = ("playout", "plies", "evaluation", "exploration", "loop")
"""The parameters of search that a game may set defaults for."""

_STATE, _ACTIONS, _RETURNS, _RNG_STATE = types.uint8[::1], types.int64[::1], types.float64[::1], types.uint64[::1]
SETUP = types.void(_STATE, types.uint64, types.int64, _ACTIONS)
PLAYER = types.int64(_STATE)
LEGAL = types.int64(_STATE, _ACTIONS)
APPLY = types.void(_STATE, types.int64)
VALUES = types.void(_STATE, _RETURNS)
OBSERVE = types.void(_STATE, types.int64)
DETERMINIZE = types.void(_STATE, types.int64, types.uint64)
ACTION_OBSERVATION = types.int64(_STATE, types.int64, types.int64)
LEARNED = types.int64(_STATE, _STATE, types.int64)
PIECE_COUNTS = types.void(_STATE, _ACTIONS)
FEATURES = types.void(_STATE, types.int64, typeof(SparseFeatures.with_capacity(1)))
TURN = types.int64(_STATE)
REWIND = types.void(_STATE)
SELF_PLAY = types.int64(_STATE, _STATE, _ACTIONS, _RNG_STATE)
CHOOSE = types.int64(_STATE, _ACTIONS, _RNG_STATE)
PLAYOUT = types.boolean(_STATE, _ACTIONS, _RNG_STATE)
TRUNCATED_PLAYOUT = types.void(_STATE, _ACTIONS, _RNG_STATE, types.int64)
TRACE, ACTION_VALUES = typeof(Trace.with_room_for(1)), typeof(ActionValues.sized(1, 0, 1.0, 0.0, 1.0))
TRACED_PLAYOUT = types.void(_STATE, _ACTIONS, _RNG_STATE, types.int64, TRACE, ACTION_VALUES)

Rule = Callable[..., Any]


class Declared:
    """A dataclass that authors of games fill in: what they mistype is named in their words."""

    def __new__(cls, *args: Any, **given: Any) -> Self:
        known = {declared.name: declared for declared in fields(cls)}  # type: ignore[arg-type]
        for name in given.keys() - known.keys():
            raise TypeError(f"{cls.__name__}(…) has no `{name}`{nearest(name, known)}")
        if given:  # copies are made without arguments
            required = [name for name, one in known.items() if one.default is one.default_factory is MISSING]
            if missing := [name for name in required if name not in given]:
                raise TypeError(f"{cls.__name__}(…) needs {', '.join(f'`{name}`' for name in missing)}")
        return super().__new__(cls)


class Group(Declared):
    """Functions of a game that belong together."""

    @classmethod
    def of(cls, *modules: ModuleType, **others: Any) -> Self:
        """Whatever these modules define under the name of a field, or under that name in capitals; and `others`."""
        given: dict[str, Any] = {}
        for declared in fields(cls):  # type: ignore[arg-type]
            names = (declared.name, declared.name.upper())
            values = [vars(module)[name] for module in modules for name in names if name in vars(module)]
            values = [value for value in values if not isinstance(value, ModuleType)]
            if declared.name in others or not values:
                continue
            if any(value is not values[0] for value in values):
                raise BadGame(f"{declared.name} is defined by several of {', '.join(one.__name__ for one in modules)}")
            given[declared.name] = values[0]
        return cls(**given, **others)


@dataclass(frozen=True, kw_only=True)
class Rules(Group):
    """How the game is played. The first five are all that a game must have."""

    setup: Rule
    """`setup(s, seed, seats, options)`: `s` is all zeros; make it a fresh game."""
    player: Rule
    """`player(s)`: the seat that must choose now, or TERMINAL; the same for every seat that looks."""
    legal: Rule
    """`legal(s, out)`: write the legal actions into `out`, return how many; the seat to move can tell them from its
    observation."""
    apply: Rule
    """`apply(s, action)`: play it; chance comes from a generator in the state (rng.py)."""
    returns: Rule
    """`returns(s, out)`: the return of each seat, which search maximises, from `min_utility` to `max_utility`."""
    scores: Rule | None = None
    """`scores(s, out)`: points as the rulebook counts them, also before the end; default: the returns."""
    piece_counts: Rule | None = None
    """`piece_counts(s, out)`: how many pieces of each of `num_piece_kinds` kinds exist anywhere; must never change."""
    num_piece_kinds: int = 0


@dataclass(frozen=True, kw_only=True)
class Information(Group):
    """What a seat may know. A game without hidden information leaves this out; if it has chance in play, the record's
    field `rng` is hidden and reseeded for it. Where an option says what is hidden, the state carries it,
    and `observe` and `determinize` read it there."""

    observe: Rule | None = None
    """`observe(s, seat)`: `s` is a copy; blank all that the seat may not know."""
    determinize: Rule | None = None
    """`determinize(s, seat, seed)`: `s` is that seat's observation; fill the blanks at random, consistent with all it
    has seen."""
    action_observation: Rule | None = None
    """`action_observation(s, action, seat)`: what another seat sees of an action about to be played: the action itself,
    or a number from `num_actions` up to `num_action_observations`, the same for all it cannot tell apart; default: the
    action itself."""
    num_action_observations: int = 0
    """What `action_observation` gives are integers below this; default: `num_actions`."""
    learned: Rule | None = None
    """`learned(before, s, seat)`: what the seat has learned by the action that led from `before` to `s`, beyond what it
    saw of the action itself: a card it drew, choices that were revealed. Any number for it, best made with `mix`
    (kernel/bits.py); 0: nothing. It reads what the seat's observations show, and nothing else. Default: nothing."""
    announced: Callable[[Any, int], bool] | None = None
    """`announced(s, action)`, in plain Python: whether an action is said aloud or laid open, so that all seats know it,
    also where their observations do not show it afterwards; for the tests. Default: no action is."""
    is_open: Rule | None = None
    """`is_open(s)`: whether the game is played with an option that hides nothing; default: never. Search then needs a
    single determinization."""
    scramble: Callable[[Any, int, np.random.Generator], None] | None = None
    """`scramble(s, seat, random)`, in plain Python: rearrange all that the seat cannot see, which is the tests'
    independent proof of `observe`."""
    simultaneous: Callable[[Any], Sequence[int]] | None = None
    """`simultaneous(s)`, in plain Python: where the rules ask one seat after another, but nobody learns what others
    have chosen before all have, the seats that have yet to choose, in the order in which they are asked; else none.
    Pages ask them all at once."""


@dataclass(frozen=True, kw_only=True)
class SearchKnowledge(Declared):
    """What search can use besides the rules."""

    random_action: Rule | None = None
    """`random_action(s, scratch, rng_state)`: the action that `legal` lists at place `rng.below(rng_state, n)`, found
    without the list: for random playouts. `scratch` is room for `max_legal` numbers. Default: the list is made."""
    policies: Mapping[str, Rule] = field(default_factory=dict)
    """Rollout policies, `policy(s, actions, n, rng_state)`: one of the first n `actions`."""
    evaluations: Mapping[str, Rule] = field(default_factory=dict)
    """`evaluation(s, out)`: how good a position is for each seat. An estimate of the returns: search that cuts playouts
    short (`plies`) adds it up with them."""
    rankings: tuple[str, ...] = ()
    """Those of the evaluations that are in units of their own, such as points: they tell better positions from worse
    ones, and search does not take them for returns."""
    complexities: Mapping[str, Callable[[Any, int], float]] = field(default_factory=dict)
    """`complexity(s, seat)`, in plain Python: how hard it is for the seat to choose in a position, in units of its own;
    agents can choose more freely where it is (search/width.py). All games have `cx0`, the number of legal actions."""
    quiescent: Rule | None = None
    """`quiescent(s)`: whether a position shows all that was chosen, and so can be evaluated; default: always."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Values of the parameters in SEARCH_DEFAULTS that tree search and flat Monte Carlo use unless given others."""


@dataclass(frozen=True, kw_only=True)
class Learning(Group):
    """What learners can use."""

    features: Rule | None = None
    """`features(s, seat, sparse)`: `add_feature(sparse, i, x)` for what the seat may know as numbers around -1 to 1, i
    an index into `feature_names`; what is not added is 0, what is added twice is summed."""
    feature_names: tuple[str, ...] = ()
    earlier_feature_counts: tuple[int, ...] = ()
    """How many features the game had before it added some at the end. Networks with so many are played on: what was
    added says nothing to them."""
    feature_shape: tuple[int, ...] = ()
    """The shape in which they are handed to other libraries, as (2, 6, 7) for planes; default: a row."""
    leave_out: tuple[str, ...] = ()
    """For automatic features, which a game without `features` gets (automatic_features.py): fields of the record that
    say nothing worth learning."""
    embed: tuple[str, ...] = ()
    """Fields whose numbers are names (of cards, of places), so that each value is a feature of its own."""
    by_seat: tuple[str, ...] | None = None
    """Arrays with an entry per seat, which are turned so that the observing seat comes first; default: those whose
    first dimension is the number of seats."""
    turn: Rule | None = None
    """`turn(s)`: a number that changes when a turn, or a round, is over: where a search that plays the turn to its end
    stops and evaluates; default: it ends with every action."""
    rewind: Rule | None = None
    """`rewind(s)`: in a simultaneous question, take back the answers that nobody has seen yet, so that all are asked
    again; otherwise do nothing."""
    symmetries: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    """Ways to turn or mirror a position that change nothing, each as two lists: the feature that every feature becomes,
    and the action that every action becomes. Training learns from positions turned at random."""
    networks: Mapping[int, Path] = field(default_factory=dict)
    """Files of trained networks, by seat count."""
    named_networks: Mapping[str, Mapping[int, Path]] = field(default_factory=dict)
    """Further ones by name, as `large`."""


@dataclass(frozen=True, kw_only=True)
class Text(Group):
    """Actions and positions for people."""

    describe_action: Callable[[Any, int], str] | None = None
    """`describe_action(s, action)`: an action in words."""
    show_state: Callable[[Any, int | None], str] | None = None
    """`show_state(s, seat)`: a position as text, as the seat sees it (None: everything open). A game with `draw_state`
    is also asked for SPECTATOR."""
    draw_state: Callable[..., str] | None = None
    """`draw_state(s, seat)`, or `draw_state(s, seat, layout)` to be given the room there is: the same as an SVG
    picture, for notebooks and pages; `seat` may be SPECTATOR too. A thing to click carries its action as `data-action`,
    or several with spaces between, legal or not (boardwright/drawing)."""
    revealed: Callable[[Any, Any, int], list[str]] | None = None
    """`revealed(before, after, seat)`: what an action brought to light besides itself, such as choices that others had
    made in secret, one line each; `before` and `after` are observations of the seat, so nothing else can be told."""
    seat_names: tuple[str, ...] = ()
    action_number: Callable[[Any, int], int] | None = None
    """`action_number(s, action)`: where people call every action by a number, as that of a column, this number: then it
    is what they type. Without it choices are numbered from 1."""
    action_details: Callable[[Any, int], str] | None = None
    """`action_details(s, action)`: what else a person should know of an action to choose it, as "cost 2, 1 VP"."""
    set_choice: Callable[[Any], SetChoice | None] | None = None
    """`set_choice(s)`: where the rules ask step by step for several things, the choice as a whole; else None."""
    cards: Callable[[], Mapping[str, str]] | None = None
    """`cards()`: what is printed on each card, by its name."""
    pages: Mapping[str, Callable[[Any, int], str]] = field(default_factory=dict)
    """`page(s, seat)`: what a person can ask to see besides the position, by the name to ask with."""
    show_brief: Callable[[Any, int], str] | None = None
    """`show_brief(s, seat)`: for a person at a terminal of 80 × 24, what must be in sight to choose. What the choices
    themselves say, as the cards of a hand that can be played, is left out; `show_state` has everything."""
    action_steps: Callable[[Any, int], tuple[ChoiceStep, ...]] | None = None
    """`action_steps(s, action)`: where there are many actions, one of them as a person chooses it step by step: the
    card, then the square."""
    rules: str = ""
    """The rules in short, with the marks that positions are shown with: a paragraph each."""
    guide: Guide | None = None
    """How to play, for somebody who has never seen the game, with tips for the first game (guide.py)."""

    def rules_in_short(self) -> str:
        """`rules`, or else what the guide says of them; a paragraph each."""
        return self.rules or ("" if self.guide is None else self.guide.in_short())


@dataclass(frozen=True, kw_only=True)
class Metrics(Group):
    """What reports over many games count."""

    action_group: Callable[[Any, int], tuple[str, str] | None] | None = None
    """`action_group(s, action)`: what reports group an action under, as ("module", "Quarry"), or None."""
    question: Callable[[Any], str] | None = None
    """`question(s)`: what the seat to move is asked, in a word or two; reports group decisions by it."""
    style: Callable[[Any, int], Mapping[str, float]] | None = None
    """`style(s, action)`: what an action of the seat to move says about its style, as {"military": 1}; style profiles
    have the means over the decisions in which a name was counted."""
    seat_metrics: Callable[[Any, int], SeatMetrics] | None = None
    """`seat_metrics(s, seat)` of a finished game: the parts of a seat's score, and traits such as its board
    (metrics.py)."""


class SavedGame(NamedTuple):
    """A game that another program has saved, as it is played here."""

    seed: int
    seats: int
    options: Mapping[str, bool | int | str]
    actions: Sequence[int]


class SavedGames(Protocol):
    """Files in which another program has saved games of this one."""

    def knows(self, file: Path) -> bool:
        """Whether a file looks like one of them."""
        ...

    def narrate(self, file: Path, number: int) -> Iterable[str]:
        """One of its games in words, line by line; the first has number 1."""
        ...

    def games(self, file: Path) -> Iterable[SavedGame]:
        """All of its games, to be replayed."""
        ...


class Numbered(tuple[str, ...]):
    """Names of the numbers that a field holds, as those of the cards in a deck. Other numbers have none."""


class Counted(tuple[str, ...]):
    """Names of the places of a field that says how many there are of each, as the cards in a hand."""


def distinct(names: Sequence[str]) -> list[str]:
    """Names for things of which some are called alike: the second scout is "scout (2)"."""
    before = [names[:place].count(name) for place, name in enumerate(names)]
    return [f"{name} ({count + 1})" if count else name for name, count in zip(names, before, strict=True)]


@dataclass(frozen=True, kw_only=True)
class PositionForm:
    """How people write positions of a game (boardwright/positions.py), in plain Python."""

    faults: Callable[[Any], Iterable[str]] | None = None
    """`faults(s)`: what cannot be in a record that somebody has written, by field; `s` may hold any numbers that fit
    its fields. It runs uncompiled."""
    keys: tuple[str, ...] = ()
    """What a position in the game's own words has besides `moves`."""
    build: Callable[[Any, Mapping[str, Any], int], Any] | None = None
    """`build(game, given, seed)`: the state that these words mean, what they leave open drawn with the seed.
    BadPosition names what is wrong."""
    names: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    """`names(fields)`: by field, what people call its numbers: Numbered or Counted; a mapping for a record, a list for
    an array whose places have different ones, None for one without. `fields` are numbers where no names are for them,
    and may be any that somebody has written."""


@dataclass(kw_only=True)
class Contract(Declared):
    """A game's declaration; `Game` (game.py) adds everything that follows from it."""

    name: str
    title: str
    state: np.dtype[Any]
    """The record type of its positions; see `record` (records.py)."""
    derived: tuple[str, ...] = ()
    """Fields that follow from the others and are kept for speed, or that remember what led to a position; the last of
    the record. No seed depends on them, so that games stay what they were when one is added."""
    seats: tuple[int, ...]
    """The seat counts it can be played with; if several, the record has a field `seats`."""
    num_actions: int
    """Actions are the integers below this."""
    max_legal: int = 0
    """The most legal actions there can be at once; default: `num_actions`."""
    min_utility: float = -1.0
    """The lowest return."""
    max_utility: float = 1.0
    """The highest return."""
    max_utility_sum: float | None = None
    """The most that the returns of all seats can add up to, if that is known: MaxN prunes by it."""
    sets: Mapping[str, int] = field(default_factory=dict)
    """Fields of the state that are sets in words of so many bits, for sets that need more than 53: member m is bit
    m % width of word m // width, along the last axis. Scripts get them as lists of members."""
    constant_sum: bool = False
    """Whether the returns of all seats add up to the same in every game with so many seats."""
    chance: str = "none"
    """Where chance comes in: "none"; "deal": in `setup` alone, from the seed; "play": afterwards too, from the
    generator in the record's field `rng`."""
    max_game_length: int | Callable[[int, Mapping[str, Any]], int] = 0
    """The most actions that a game can have, or `length(seats, options)` that gives it; 0: there is no such number."""
    options: Mapping[str, Option] = field(default_factory=dict)
    agents: Mapping[str, Any] = field(default_factory=dict)
    """Agents of this game's own: a class, or "module:Class" to import when it is asked for."""
    levels: Mapping[str, str | Mapping[int, str]] = field(default_factory=dict)
    """Opponents for people, "beginner" to "the strongest" and "companion": each a spec, or specs by the number of
    seats. agents/levels.py has the names, and what suits any game. "The strongest" also gives people their hints."""
    characters: Path | None = None
    """A JSON file with opponents that have a name and a way to play (agents/characters.py)."""
    saved_games: SavedGames | str | None = None
    """Saved games of another program, which `boardwright replay` can tell then; or "module:object" to import."""
    positions: PositionForm | str | None = None
    """How people write positions of it, and what cannot be in one; or "module:object" to import."""

    rules: Rules
    information: Information = field(default_factory=Information)
    search: SearchKnowledge = field(default_factory=SearchKnowledge)
    learning: Learning = field(default_factory=Learning)
    text: Text = field(default_factory=Text)
    metrics: Metrics = field(default_factory=Metrics)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise BadGame(f"a game's `name` must be text, got {self.name!r}")
        for problem in self._problems():
            raise BadGame(f"game {self.name!r}: {problem}")
        self.max_legal = self.max_legal or self.num_actions

    def _problems(self) -> Iterator[str]:
        """What is wrong with the declaration, the root cause first."""
        names = getattr(self.state, "names", None) or ()
        if not re.fullmatch(r"[A-Za-z]\w*", self.name):
            yield "`name` must be a word: letters, digits and underscores"
        if not isinstance(self.seats, tuple):
            yield f"`seats` must be a tuple of seat counts, as (2,), got {self.seats!r}"
            return
        if not names:
            yield "`state` must be a record type; see boardwright.kernel.record"
        if not self.seats or not all(1 <= n <= MAX_SEATS for n in self.seats):
            yield f"`seats` must list seat counts from 1 to {MAX_SEATS}, got {self.seats}"
        if len(self.seats) > 1 and "seats" not in names:
            yield "its record needs a field `seats`, since it can be played with different seat counts"
        if self.chance not in CHANCE:
            yield f"`chance` must be one of {', '.join(map(repr, CHANCE))}, got {self.chance!r}"
        elif self.chance == "play" and "rng" not in names:
            yield "its record needs a field `rng`, the generator that chance in play comes from: rng=RNG"
        elif self.chance == "none" and "rng" in names:
            yield "its record has a generator, `rng`: say where chance comes in, chance='deal' or chance='play'"
        if self.num_actions < 1:
            yield f"`num_actions` must be at least 1, got {self.num_actions}"
        if not self.min_utility < self.max_utility:
            yield f"`min_utility` ({self.min_utility}) must be below `max_utility` ({self.max_utility})"
        for group, kind in _GROUPS.items():
            if not isinstance(getattr(self, group), kind):
                yield f"`{group}` must be {kind.__name__}(…), got {getattr(self, group)!r}"
                return
        if (self.information.observe is None) != (self.information.determinize is None):
            yield "`information.observe` and `information.determinize` come together"
        if (self.rules.piece_counts is None) != (self.rules.num_piece_kinds == 0):
            yield "`rules.piece_counts` and `rules.num_piece_kinds` come together"
        if (self.learning.features is None) != (not self.learning.feature_names):
            yield "`learning.features` and `learning.feature_names` come together"
        for field_ in (*self.learning.leave_out, *self.learning.embed, *(self.learning.by_seat or ())):
            if field_ not in names:
                yield f"`learning` names {field_!r}, which is no field of its record"
        if self.learning.feature_shape and math.prod(self.learning.feature_shape) != len(self.learning.feature_names):
            shape, names = self.learning.feature_shape, len(self.learning.feature_names)
            yield f"`learning.feature_shape` is {shape}, which does not hold {names} features"
        if unknown := sorted(set(self.search.defaults) - set(SEARCH_DEFAULTS)):
            allowed = ", ".join(SEARCH_DEFAULTS)
            yield f"`search.defaults` can set {allowed}, not {', '.join(map(repr, unknown))}"
        if unknown := sorted(set(self.search.rankings) - set(self.search.evaluations)):
            yield f"`search.rankings` names what is no evaluation: {', '.join(map(repr, unknown))}"
        if not UNCOMPILED:
            for name, function in self._compiled_functions():
                if not isinstance(function, declare.Rule):
                    yield f"`{name}` lacks @rule"

    def _compiled_functions(self) -> Iterator[tuple[str, Any]]:
        for group in ("rules", "information", "learning"):
            for entry in fields(getattr(self, group)):
                value = getattr(getattr(self, group), entry.name)
                if callable(value) and entry.name not in _PLAIN:
                    yield f"{group}.{entry.name}", value
        for name in ("quiescent", "random_action"):
            if getattr(self.search, name) is not None:
                yield f"search.{name}", getattr(self.search, name)
        for name, function in {**self.search.policies, **self.search.evaluations}.items():
            yield f"search: {name}", function

    @property
    def seed_bytes(self) -> int:
        """How many bytes of a position seeds depend on: all but the derived fields."""
        starts = [self.state.fields[name][1] for name in self.derived] if self.state.fields else []
        return min(starts, default=self.state.itemsize)

    @property
    def num_action_observations(self) -> int:
        """What other seats may see of actions are integers below this."""
        return self.information.num_action_observations or self.num_actions

    @property
    def has_hidden_information(self) -> bool:
        """Whether a seat may know less than the whole state: hidden information, or chance to come. An option may open
        it: `position.has_hidden_information` says so of one game."""
        return self.information.observe is not None or self.chance == "play"

    def longest_game(self, seats: int, options: Mapping[str, Any]) -> int:
        """The most actions that a game can have with these options; 0 if there is no such number."""
        length = self.max_game_length
        if not callable(length):
            return length
        return int(length(seats, {**{name: option.default for name, option in self.options.items()}, **options}))


CHANCE = ("none", "deal", "play")
"""Where chance can come in."""

_PLAIN = ("announced", "scramble", "simultaneous")
"""Functions of `information` that are ordinary Python."""

_GROUPS = {
    "rules": Rules,
    "information": Information,
    "search": SearchKnowledge,
    "learning": Learning,
    "text": Text,
    "metrics": Metrics,
}


def shipped_networks(declaration: str) -> dict[int, Path]:
    """The trained networks in the folder `networks` beside a declaration: one file per seat count, as `2.npz`, or for
    several, as `3-7.npz`. Those of a game in one file begin with its name, as `connect_four-2.npz`."""
    file = Path(declaration)
    prefix = "" if file.stem == "declaration" else f"{file.stem}-"
    found: dict[int, Path] = {}
    for pattern in ("[0-9]-[0-9]", "[0-9]"):  # one for a single seat count comes before one for several
        for network in sorted((file.parent / "networks").glob(f"{prefix}{pattern}.npz")):
            first, _, last = network.stem.removeprefix(prefix).partition("-")
            found |= dict.fromkeys(range(int(first), int(last or first) + 1), network)
    return found


def shipped_characters(declaration: str) -> Path:
    """The file `characters.json` beside a declaration."""
    return Path(declaration).parent / "characters.json"


def shipped_named_networks(declaration: str) -> dict[str, dict[int, Path]]:
    """The others there, by name and seat count: `2-large.npz` is `large`, for two seats, `3-7-large.npz` for three to
    seven."""
    found: dict[str, dict[int, Path]] = {}
    for file in sorted((Path(declaration).parent / "networks").glob("[0-9]-*.npz")):
        if named := re.fullmatch(r"(\d)(?:-(\d))?-(\D.*)", file.stem):
            first, last, name = int(named[1]), int(named[2] or named[1]), named[3]
            found.setdefault(name, {}).update(dict.fromkeys(range(first, last + 1), file))
    return found
