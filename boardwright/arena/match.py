"""A match: entrants, seats permuted fairly, seeds for everything, and the playing of one game of it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from boardwright.agents import Agent, Spec
from boardwright.arena.loop import Listener, play_game
from boardwright.arena.record import GameRecord, GameRecorder
from boardwright.errors import AgentFailed, BadGame, BadSpec
from boardwright.files import digest
from boardwright.kernel import Game, rng
from boardwright.kernel.options import encode_options
from boardwright.kernel.position import check_seed
from boardwright.registry import load_game, make_agent

_AGENT_STREAM = 1 << 32  # keeps agents' seeds apart from games' seeds
_ALL_ORDERS_UP_TO = 4


@dataclass(frozen=True)
class Match:
    """Game number i of a match is the same game wherever and whenever it is played."""

    game_name: str
    entrants: tuple[str, ...]
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

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
        encode_options(self.game.name, self.game.options, self.options, len(self.entrants))
        for seat, spec in enumerate(self.entrants):
            make_agent(spec, self.game, seat).check_seats(len(self.entrants))

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
        rng_state = rng.generator(rng.derive(self.seed, _AGENT_STREAM, block))
        for i in range(n - 1, 0, -1):
            j = rng.draw(rng_state) % (i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order[turn:] + order[:turn])

    def play(self, index: int, listeners: Sequence[Listener] = ()) -> GameRecord:
        """Play game `index` to the end."""
        order = self.order(index)
        specs = [self.entrants[entrant] for entrant in order]
        seed = rng.derive(self.seed, index) >> 1  # JSON readers elsewhere may have signed 64-bit integers
        state = self.game.new(seed=seed, seats=len(specs), **self.options)
        agents: list[Agent] = []
        recorder = GameRecorder(
            game=self.game.source or self.game_name,
            options=self.all_options,
            seed=seed,
            agents=specs,
            files=self.files(),
            entrants=list(self.entrants),
            order=list(order),
            match_seed=self.seed,
            index=index,
        )
        try:
            for seat, spec in enumerate(specs):
                agent_seed = rng.derive(self.seed, index, _AGENT_STREAM + order[seat])
                agents.append(make_agent(spec, self.game, seat, seed=agent_seed))
            play_game(state, agents, [recorder, *listeners])
        except AgentFailed as error:
            seat = error.seat or 0
            raise AgentFailed(
                f"{specs[seat]} failed as {self.game.seat_name(seat)} in game {index + 1}, move {error.moves + 1}:"
                f" {error}",
                seat=seat,
                moves=error.moves,
                traceback=error.traceback,
            ) from error
        except BadGame as error:
            raise BadGame(f"{error} (game {index + 1})") from error
        finally:
            for agent in agents:
                agent.close()
        return recorder.record()

    @cached_property
    def all_options(self) -> dict[str, Any]:
        """Every option of the game with the value it has here."""
        codes = encode_options(self.game.name, self.game.options, self.options)
        return {
            name: option.decode(int(code))
            for (name, option), code in zip(self.game.options.items(), codes, strict=True)
        }

    def files(self) -> dict[str, str]:
        """The files that the entrants' specs name, with a digest of what they hold now."""
        return {name: digest(Path(name)) for spec in self.entrants for name in Spec.parse(spec).files()}

    def owns(self, record: GameRecord) -> bool:
        """Whether a recorded game belongs to this match."""
        return (
            record.game == (self.game.source or self.game_name)
            and tuple(record.entrants) == self.entrants
            and record.match_seed == self.seed
            and record.options == self.all_options
        )
