"""`Agent`: one small class with one method, `decide`; the rest of its life cycle is optional.

    class Centre(Agent):
        '''Plays as near to the middle as it can.'''

        offset: int = param(0, "columns to the right of the middle", ge=-3, le=3)

        def decide(self, observation: Observation) -> Decision:
            return Decision(min(observation.legal_actions(), key=lambda column: abs(column - 3 - self.offset)))

Parameters are declared like dataclass fields and checked when an agent is made. An agent gets observations, never
states: it cannot see what its seat may not see.

A game goes through these calls: `start_game`, then `decide` where the agent has a choice and `observe_action` where
others act, `end_game` with the result, and `close` when the agent is not needed any more.
"""

from __future__ import annotations

import copy
import operator
import random
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import fields as fields_of
from functools import wraps
from typing import Any, ClassVar, Self, get_type_hints

import numpy as np
import pydantic
from pydantic.fields import FieldInfo

from boardwright.errors import BadSpec, IllegalAction, UnknownName
from boardwright.kernel import Code, Game, Observation, RngState, rng


@dataclass(frozen=True)
class Reason:
    """What an agent thought of one action."""

    action: int
    value: float | None = None
    """The return it expects, in the game's own units."""
    weight: float | None = None
    """The share of its visits, or the probability with which it plays the action, from 0 to 1."""
    visits: int | None = None
    note: str = ""
    prior: float | None = None
    """The probability that a policy gave it before anything was searched, from 0 to 1."""

    @property
    def policy(self) -> float:
        """What a policy thinks of it: the prior, or where there is none the weight."""
        return (self.weight if self.prior is None else self.prior) or 0.0


@dataclass(frozen=True)
class ComparedFeature:
    """One feature of a remembered case beside the same of the position at hand."""

    name: str
    here: tuple[str, ...]
    """A number, or the members of a set."""
    there: tuple[str, ...]
    distance: float | None
    """What it adds to the distance; None if it is not compared."""


@dataclass(frozen=True)
class RememberedCase:
    """A case that an agent was reminded of."""

    title: str
    distance: float
    done: str
    """What was done there."""
    means: str
    """What that means here."""
    features: tuple[ComparedFeature, ...] = ()
    picture: str = ""
    """The situation as an SVG picture, as its seat saw it; empty where only features are remembered."""
    text: str = ""
    """The same as text."""


class Decision:
    """An action and the reasons for it, best first, with a line on how it was reached.

    Reasons, and the cases it was reminded of, may be given as functions, which are called when somebody asks: in a
    match nobody does.
    """

    forced = False
    """Whether there was no other legal action."""
    observation: Observation | None = None
    """What it was decided on."""
    best: bool | None = None
    """Whether it is the action that the agent thinks best; None if it does not say."""
    given_away: float | None = None
    """How much less than the best action it is worth, in parts of the range of the returns; None if the agent does not
    give anything away on purpose."""
    conflicts: int | None = None
    """Of threads that search one tree: how often one came to a node that another was working on."""
    changed_selections: float | None = None
    """Of threads that search one tree: the share of selections in it that virtual losses have changed."""

    def __init__(
        self,
        action: int,
        reasons: tuple[Reason, ...] | Callable[[], tuple[Reason, ...]] = (),
        summary: str = "",
        cases: Callable[[], tuple[RememberedCase, ...]] = tuple,
    ) -> None:
        self.action = action
        self.summary = summary
        self._reasons = reasons
        self._cases = cases

    @classmethod
    def only(cls, action: int) -> Decision:
        """The decision where there is a single legal action."""
        decision = cls(action, (Reason(action),), "the only legal action")
        decision.forced = True
        return decision

    @property
    def reasons(self) -> tuple[Reason, ...]:
        if callable(self._reasons):
            self._reasons = self._reasons()
        return self._reasons

    @property
    def cases(self) -> tuple[RememberedCase, ...]:
        return self._cases()

    def __str__(self) -> str:
        """The action and the reasons with their descriptions, if it is known what the decision was about."""
        return "\n".join([f"{self._describe(self.action)}{_bracketed(self.summary)}", *map(self._line, self.reasons)])

    def __repr__(self) -> str:
        return f"<Decision {self.action}>\n{self}"

    def _describe(self, action: int) -> str:
        about = self.observation
        return f"action {action}" if about is None else about.game.describe(about, action)

    def _line(self, reason: Reason) -> str:
        parts = [] if reason.value is None else [f"expects {reason.value:+.3f}"]
        parts += [] if reason.visits is None else [f"{reason.visits:,} visits"]
        parts += [] if reason.weight is None else [f"{reason.weight:.1%}"]
        parts += [] if reason.prior is None else [f"prior {reason.prior:.1%}"]
        parts += [reason.note] if reason.note else []
        mark = "→" if reason.action == self.action else " "
        return f"{mark} {self._describe(reason.action)}" + (f": {', '.join(parts)}" if parts else "")


def _bracketed(text: str) -> str:
    return f" ({text})" if text else ""


def param(default: Any, meaning: str, *, advanced: bool = False, **bounds: Any) -> Any:
    """A parameter of an agent; bounds as in pydantic's Field: ge, gt, le, lt. Listings leave advanced ones out unless
    they are asked for all."""
    return pydantic.Field(default, description=meaning, json_schema_extra={ADVANCED: advanced}, **bounds)


def setting(default: Any, meaning: str, **about: Any) -> Any:
    """A field of a dataclass that is a parameter of agents, too (`Agent.setting_groups`)."""
    return field(default=default, metadata={ADVANCED: param(default, meaning, **about)})


ADVANCED = "advanced"


def is_advanced(parameter: FieldInfo) -> bool:
    return isinstance(parameter.json_schema_extra, dict) and bool(parameter.json_schema_extra.get(ADVANCED))


STOP, FORFEIT, SUBSTITUTE = "stop", "forfeit", "substitute"
ON_FAILURE = (STOP, FORFEIT, SUBSTITUTE)
"""What happens when an agent fails: the match stops, the agent loses this game, or a random action is played for it."""


class Agent:
    """Base class of all agents."""

    games: ClassVar[tuple[str, ...]] = ()
    """The games it can play; empty: all."""
    action_suffices: bool = False
    """Set in a match where nobody looks at reasons: a search may stop when no other action can become its choice."""
    interactive: ClassVar[bool] = False
    """Whether it is a person, who may leave the game."""
    asked_if_forced: ClassVar[bool] = False
    """Whether it is asked also where there is a single legal action."""
    on_failure: ClassVar[str] = STOP
    """What happens when it fails, unless the match says otherwise: one of ON_FAILURE."""
    observes_text: ClassVar[bool] = False
    """Whether it also gets descriptions of others' actions (`observe_text`)."""
    setting_groups: ClassVar[tuple[type, ...]] = ()
    """Dataclasses whose fields (made by `setting`) are parameters of the agent as well."""
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Parameters under one name, as `preset=NAME`; several are joined by +. What a spec gives beside it counts."""
    _checked_by: ClassVar[type[pydantic.BaseModel]]

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if "decide" in vars(cls):
            cls.decide = _remembered(cls.decide)  # type: ignore[method-assign]

    game: Game
    seat: int
    seed: int
    game_options: Mapping[str, Any] = {}
    """The options of the game that it plays; whoever seats it sets them."""
    _given: Mapping[str, Any] = {}

    def __init__(self, game: Game | None = None, seat: int = 0, *, seed: int = 0, **params: Any) -> None:
        """Without a game it is an agent that does not sit anywhere yet, to be given to a match (`seated`)."""
        self._given = params
        for name, value in checked_params(type(self), params).items():
            setattr(self, name, value)
        if game is not None:
            self._sit_down(game, seat, seed)

    def seated(self, game: Game, seat: int, seed: int = 0) -> Self:
        """A copy of this agent for one game, in its seat. What it holds, as a network, copies share."""
        agent = copy.copy(self)
        agent._sit_down(game, seat, seed)
        return agent

    def _sit_down(self, game: Game, seat: int, seed: int) -> None:
        if self.games and game.name not in self.games:
            raise BadSpec(f"agent {self.label()!r} plays {', '.join(self.games)}, not {game.name}")
        self.game, self.seat, self.seed = game, seat, seed
        self._met: dict[int, int] = {}  # how often each observation was met
        self.prepare()

    def __repr__(self) -> str:
        given = ",".join(f"{name}={value}" for name, value in self._given.items())
        where = f": {self.game.seat_name(self.seat)} in {self.game.name}" if hasattr(self, "game") else ""
        return f"<{self.label()}{':' if given else ''}{given}{where}>"

    def prepare(self) -> None:
        """Called once, when the parameters are set."""

    def needs(self) -> Sequence[Code]:
        """The compiled code that it uses beyond the rules. It is made ready before the first game, so that no decision
        waits for a compiler."""
        return ()

    def check_seats(self, seats: int) -> None:
        """Raise BadSpec if it cannot play at a table of so many; asked before a match begins, and before `needs`."""

    def start_game(self, observation: Observation) -> None:
        """A game begins; `observation` is what its seat may know of the first position."""

    def observe_action(self, seat: int, action: int, observation: Observation) -> None:
        """Another seat has acted, or this one without being asked. `action` is what this seat sees of it (the action
        observation of the contract), `observation` what it knows of the position after it."""

    def observe_text(self, seat: int, text: str) -> None:
        """Called before `observe_action` if `observes_text`, with the description of the action. Not called if this
        seat does not see the action."""

    def decide(self, observation: Observation) -> Decision:
        """Choose one of `observation.legal_actions()`."""
        raise NotImplementedError(f"{type(self).__name__} has no decide(observation)")

    def end_game(self, observation: Observation, returns: Sequence[float], scores: Sequence[float]) -> None:
        """The game is over: the last position as its seat sees it, and everybody's result."""

    @classmethod
    def after_game(cls, params: Mapping[str, str], seat: int, returns: Sequence[float]) -> Mapping[str, str]:
        """Its parameters for the next game of a series with the same opponents. What an agent carries over is in them,
        so that a decision stays a function of spec, seed and observation."""
        return params

    def close(self) -> None:
        """The agent is not needed any more: give back files, processes, connections."""

    def rng_state(self, observation: Observation) -> RngState:
        """The random numbers for one decision: the same observation and agent seed give the same ones, so a decision
        can be asked for again, elsewhere or later, and comes out the same. (An agent that meets an observation for the
        second time in a game gets others, or it would walk in circles.)"""
        return rng.generator(self._decision_seed(observation))

    def random(self, observation: Observation) -> random.Random:
        """The same, as Python's own generator."""
        return random.Random(self._decision_seed(observation))

    def _decision_seed(self, observation: Observation) -> int:
        seen = hash(observation)
        self._met[seen] = self._met.get(seen, 0) + 1
        digest = zlib.crc32(bytes(observation)[: observation.game.seed_bytes])
        return rng.derive(self.seed, rng.Stream.DECISIONS, digest, observation.seat, self._met[seen])

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Whether it can play that game at all; the listings ask."""
        return not cls.games or game.name in cls.games

    @classmethod
    def label(cls) -> str:
        return cls.__name__.lower()

    @classmethod
    def parameters(cls) -> dict[str, FieldInfo]:
        """Every parameter with its default, meaning and bounds."""
        return dict(_params_model(cls).model_fields)


def _remembered(decide: Callable[..., Decision]) -> Callable[..., Decision]:
    """The same, but the decision keeps what it was about, so that it can describe its reasons."""

    @wraps(decide)
    def decide_and_remember(self: Agent, observation: Observation) -> Decision:
        decision = decide(self, observation)
        if isinstance(decision, Decision):
            decision.observation = observation
        return decision

    return decide_and_remember


def ask(agent: Agent, observation: Observation) -> Decision:
    """Let an agent decide. Where a single action is legal it need not be asked: this is the one place that says so."""
    legal = observation.legal_actions()
    if len(legal) == 1 and not agent.asked_if_forced:
        return Decision.only(legal[0])
    decision = agent.decide(observation)
    if not isinstance(decision, Decision):
        raise BadSpec(f"decide() must return a Decision, not {decision!r}")
    if not isinstance(decision.action, (int, np.integer)) or operator.index(decision.action) not in legal:
        described = ", ".join(f"{action} ({agent.game.describe(observation, action)})" for action in legal)
        raise IllegalAction(f"{agent.game.name}: action {decision.action!r} is not legal now; legal: {described}")
    return decision


def _params_model(cls: type[Agent]) -> type[pydantic.BaseModel]:
    if "_checked_by" not in vars(cls):
        cls._checked_by = _make_params_model(cls)
    return cls._checked_by


def _make_params_model(cls: type[Agent]) -> type[pydantic.BaseModel]:
    fields: dict[str, Any] = {}
    hints = get_type_hints(cls)
    if cls.presets:
        fields[PRESET] = (str, param("", f"parameters under one name, several joined by +: {', '.join(cls.presets)}"))
    for base in reversed(cls.__mro__):
        for settings in vars(base).get("setting_groups", ()):
            types = get_type_hints(settings)
            fields |= {one.name: (types[one.name], one.metadata[ADVANCED]) for one in fields_of(settings)}
        for name, value in vars(base).items():
            if isinstance(value, FieldInfo):
                if name not in hints or name in ("game", "seat", "seed"):
                    why = "needs a type, as `depth: int = param(...)`" if name not in hints else "is a name agents use"
                    raise BadSpec(f"agent {cls.label()!r}: parameter {name} {why}")
                fields[name] = (hints[name], value)
    config = pydantic.ConfigDict(extra="forbid", arbitrary_types_allowed=True)
    return pydantic.create_model(f"{cls.__name__}Parameters", __config__=config, **fields)


PRESET = "preset"


def _with_presets(cls: type[Agent], params: dict[str, Any]) -> dict[str, Any]:
    """The parameters together with those of the presets that they name."""
    found: dict[str, Any] = {}
    for name in filter(None, str(params.get(PRESET, "")).split("+")):
        if name not in cls.presets:
            raise UnknownName("preset", name, cls.presets, f" of agent {cls.label()!r}")
        found |= cls.presets[name]
    return found | params


def checked_params(cls: type[Agent], params: dict[str, Any]) -> dict[str, Any]:
    """All parameters, defaults filled in and values converted; BadSpec or UnknownName if they do not fit."""
    model = _params_model(cls)
    if cls.presets:
        params = _with_presets(cls, params)
    for name in params:
        if name not in model.model_fields:
            raise UnknownName("parameter", name, model.model_fields, f" of agent {cls.label()!r}")
    try:
        checked = model(**params)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        reason = first["msg"].replace("Input should be", "should be")
        raise BadSpec(f"agent {cls.label()!r}: {name}={params.get(name)!r}: {reason}") from None
    return {name: getattr(checked, name) for name in model.model_fields}
