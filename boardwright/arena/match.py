"""A match: entrants, seats permuted fairly, seeds for everything, and the playing of one game of it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from boardwright.agents import Agent, Spec
from boardwright.agents.levels import has_level, in_full
from boardwright.agents.spec import ISOLATED, SCRIPT
from boardwright.arena.behaviour import OURS, code_version
from boardwright.arena.loop import Listener, policies
from boardwright.arena.record import GameRecord, GameRecorder
from boardwright.arena.session import GameSession, may_be_here
from boardwright.errors import AgentFailed, BadGame, BadRecord, BadSpec, FileChanged
from boardwright.files import digest
from boardwright.kernel import Code, Game, rng
from boardwright.kernel.position import check_seed
from boardwright.positions import deal
from boardwright.registry import agent_class, is_file_name, is_ours, load_game, packages

_ALL_ORDERS_UP_TO = 4


@dataclass(frozen=True)
class Match:
    """Game number i of a match is the same game wherever and whenever it is played."""

    game_name: str
    entrants: tuple[str, ...]
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    on_failure: str | None = None
    """What happens when an agent fails, one of ON_FAILURE; default: what suits the agent (`Agent.on_failure`)."""
    hidden_seed: bool = False
    """Whether its seed and its salt are kept out of the records until the match is over (seeds.py)."""
    salt: int = 0
    """A secret that the agents' seeds derive from, too, so that nobody can check a guess at the match's. 0: none."""

    position: Mapping[str, Any] = field(default_factory=dict)
    """What every game begins with, if that is no fresh deal (boardwright/positions.py)."""

    objects: Mapping[str, Agent] = field(default_factory=dict)
    """Entrants that are not specs: agents that were given as objects, by the names that they have here."""

    def __post_init__(self) -> None:
        """Levels are written out: what plays is what the records name."""
        if any(has_level(spec) for spec in self.entrants):
            seats = len(self.entrants)
            written = tuple(in_full(spec, self.game, seats, self.options) for spec in self.entrants)
            object.__setattr__(self, "entrants", written)

    @cached_property
    def game(self) -> Game:
        return load_game(self.game_name)

    def check(self) -> None:
        """Everything that can be known to be wrong before the first game."""
        check_seed(self.seed)
        if not self.entrants:
            raise BadSpec("a match needs agents")
        seats = self.game.seats
        if len(self.entrants) not in seats:
            counts = " or ".join(map(str, seats))
            raise BadSpec(f"{self.game.name} needs {counts} agents, one per seat; {len(self.entrants)} given")
        if self.position:
            first = deal(self.game, self.position, self.seed)
            if first.seats != len(self.entrants):
                raise BadSpec(f"the position has {first.seats} seats; {len(self.entrants)} agents given")
            if first.is_terminal:
                raise BadSpec("the game is over in that position; there is nothing to play")
        policies((), self.on_failure)
        try:
            with self._session(self.entrants) as session:
                session.check()
        except AgentFailed as error:
            raise BadSpec(f"agent {self.entrants[error.seat or 0]!r}: {error}") from error

    def needs(self) -> list[Code]:
        """The compiled code that its games use: the rules, and what each entrant needs."""
        with self._session(self.entrants) as session:
            session.check()
            return session.needs()

    def _session(self, specs: Sequence[str], **about: Any) -> GameSession:
        players = [self.objects.get(spec, spec) for spec in specs]
        about["position"] = self.position or None
        return GameSession(self.game, players, options=self.options, on_failure=self.on_failure, **about)

    def order(self, index: int) -> tuple[int, ...]:
        """Which entrant sits in each seat in game `index`.

        Up to four seats the match goes through all orders again and again; with more, every block of
        games turns a random order round the table, so that each entrant sits in each seat equally often.
        """
        n = len(self.entrants)
        if n <= _ALL_ORDERS_UP_TO:
            orders = list(itertools.permutations(range(n)))
            return orders[index % math.factorial(n)]
        block, turn = divmod(index, n)
        order = list(range(n))
        rng_state = rng.generator(rng.derive(self.seed, rng.Stream.ENTRANTS, block))
        for i in range(n - 1, 0, -1):
            j = rng.draw(rng_state) % (i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order[turn:] + order[:turn])

    def play(self, index: int, listeners: Sequence[Listener] = ()) -> GameRecord:
        """Play game `index` to the end."""
        self._check_files()
        order = self.order(index)
        specs = [self.entrants[entrant] for entrant in order]
        seed = self.game_seed(index)
        recorder = GameRecorder(
            seed=seed,
            agents=specs,
            order=list(order),
            match_seed=None if self.hidden_seed else self.seed,
            salt=0 if self.hidden_seed else self.salt,
            index=index,
            **self.about(),
        )
        seeds = [self.agent_seed(index, entrant) for entrant in order]
        try:
            with self._session(specs, seed=seed, agent_seeds=seeds, listeners=[recorder, *listeners]) as session:
                for spec, agent in zip(specs, session.agents, strict=True):
                    agent.action_suffices = not listeners and spec not in self.objects
                session.play()
        except AgentFailed as error:
            seat = error.seat or 0
            when = "after the end" if recorder.is_over else f"move {error.moves + 1}"
            raise AgentFailed(
                f"{specs[seat]} failed as {self.game.seat_name(seat)} in game {index + 1}, {when}: {error}",
                seat=seat,
                moves=error.moves,
                traceback=error.traceback,
            ) from error
        except BadGame as error:
            raise BadGame(f"{error} (game {index + 1})") from error
        return recorder.record()

    @property
    def has_foreign_code(self) -> bool:
        """Whether the game or an agent comes from a Python file or from another package."""
        names = [name for spec in self.entrants for name in Spec.parse(spec).agents_here()]
        return not is_ours("games", self.game_name) or not all(may_be_here(name) for name in names)

    @property
    def has_foreign_agents(self) -> bool:
        """Whether an agent that is not our own takes part, wherever it runs."""
        return has_foreign_agents(self.entrants)

    @property
    def has_people(self) -> bool:
        """Whether somebody plays at the terminal."""
        specs = (spec for spec in self.entrants if spec not in self.objects)
        return any(agent_class(Spec.parse(spec).name, self.game).interactive for spec in specs)

    @cached_property
    def all_options(self) -> dict[str, Any]:
        """Every option of the game with the value it has here."""
        return self.game.all_options(self.options)

    def game_seed(self, index: int) -> int:
        return rng.derive(self.seed, index) >> 1  # JSON readers elsewhere may have signed 64-bit integers

    def agent_seed(self, index: int, entrant: int) -> int:
        return rng.derive(self.seed, index, rng.Stream.ENTRANTS + entrant, *([self.salt] if self.salt else []))

    def about(self) -> dict[str, Any]:
        """What the records of all its games have in common."""
        return {
            "game": self.game.source or self.game_name,
            "options": self.all_options,
            "files": self.files(),
            "packages": self.packages,
            "entrants": list(self.entrants),
            **({"position": dict(self.position)} if self.position else {}),
        }

    def files(self) -> dict[str, str]:
        """The files that the entrants' specs name, and the game's own, with a digest of what they hold now."""
        names = [name for spec in self.entrants for name in Spec.parse(spec).files()]
        if is_file_name(self.game.source):
            names.append(self.game.source)
        try:
            return {name: digest(Path(name)) for name in names}
        except OSError as error:
            raise BadSpec(f"cannot read {error.filename}: {error.strerror}") from None

    @cached_property
    def _first_files(self) -> dict[str, str]:
        return self.files()

    def begin(self) -> None:
        """Look at the files before the first game. What they hold now goes along to the processes that play."""
        vars(self)["_first_files"] = self.files()

    def _check_files(self) -> None:
        """All games of a match are played with the same case bases, networks and programs, or it stops."""
        now = self.files()
        for name, before in self._first_files.items():
            if now.get(name) != before:
                raise FileChanged(
                    f"{name} has been replaced since the match began; its games would be those of other agents. Bring"
                    " the old one back, or give the new one another name"
                )

    def logs(self) -> list[str]:
        """Files and folders that programs among the entrants write their logs into."""
        from boardwright.scripts.agent import LOGS

        specs = [spec for spec in map(Spec.parse, self.entrants) if {SCRIPT, ISOLATED} & set(spec.agents())]
        return [str(LOGS), *(spec.params["log"] for spec in specs if "log" in spec.params)] if specs else []

    @cached_property
    def packages(self) -> dict[str, str]:
        """The packages that the game and the agents come from, with their versions."""
        names = (name for spec in self.entrants for name in Spec.parse(spec).agents())
        return {**packages(self.game_name, names), OURS: code_version()}

    def owns(self, record: GameRecord) -> bool:
        """Whether a recorded game belongs to this match."""
        return (
            record.game == (self.game.source or self.game_name)
            and tuple(record.entrants) == self.entrants
            and (
                (self.hidden_seed and record.match_seed is None)
                or (record.match_seed, record.salt) == (self.seed, self.salt)
            )
            and record.options == self.all_options
            and record.position == self.position
        )

    def check_record(self, record: GameRecord) -> None:
        """BadRecord unless this match could have played it: the same agents, files and packages of others, the deal and
        the seats of that game, legal actions and the result they lead to. (behaviour.py looks at our own code.)"""
        if not self.owns(record):
            raise BadRecord(
                f"a game of another match ({record.game}: {' '.join(record.entrants)}, seed {record.match_seed}); give"
                " the same game, agents, options and seed, or another --record file"
            )
        files = self.files()
        for name, before in record.files.items():
            if files.get(name) != before:
                raise BadRecord(
                    f"played with another {name}, which has been replaced since; bring the old one back, give the new"
                    " one another name, or move the records away to begin anew"
                )
        for name, version in record.packages.items():
            if name != OURS and self.packages.get(name) != version:
                raise BadRecord(
                    f"played with {name} {version}, not {self.packages.get(name, 'without it')}; go on with that"
                    " version, or move the records away to begin anew"
                )
        order = self.order(record.index)
        specs = [self.entrants[entrant] for entrant in order]
        if (record.order, record.agents, record.seed) != (list(order), specs, self.game_seed(record.index)):
            raise BadRecord(f"not game {record.index + 1} of this match: its seed or its seats are others")
        record.final()


def has_foreign_agents(specs: Iterable[str]) -> bool:
    """Whether one of them is not our own: a Python file, of another package, or a script."""
    return not all(is_ours("agents", name) for spec in specs for name in Spec.parse(spec).agents())
