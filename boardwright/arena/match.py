"""A match: entrants, seats permuted fairly, seeds for everything, and the playing of one game of it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from boardwright.agents import Agent, Decision, Spec
from boardwright.agents.human import TakeBack
from boardwright.arena.record import GameRecord
from boardwright.errors import AgentFailed, BadGame, BadSpec, BoardwrightError
from boardwright.files import digest
from boardwright.kernel import TERMINAL, Game, State, rng
from boardwright.kernel.options import encode_options
from boardwright.kernel.position import check_seed
from boardwright.registry import load_game, make_agent

_AGENT_STREAM = 1 << 32  # keeps agents' seeds apart from games' seeds
_ALL_ORDERS_UP_TO = 4
LONGEST_GAME = 1_000_000


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
            raise BadSpec(f"{self.game.name} needs {counts} agents, one a seat; {len(self.entrants)} given")
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

    def play(self, index: int) -> GameRecord:
        """Play game `index` to the end."""
        order = self.order(index)
        specs = [self.entrants[entrant] for entrant in order]
        seed = rng.derive(self.seed, index) >> 1  # JSON readers elsewhere may have signed 64-bit integers
        state = self.game.new(seed=seed, seats=len(specs), **self.options)
        seated = [
            make_agent(spec, self.game, seat, seed=rng.derive(self.seed, index, _AGENT_STREAM + order[seat]))
            for seat, spec in enumerate(specs)
        ]
        files = self.files()
        actions: list[int] = []
        while (seat := state.player) != TERMINAL:
            if not 0 <= seat < len(specs) or len(actions) == LONGEST_GAME:
                what = (
                    f"player() says {seat}"
                    if seat >= len(specs)
                    else f"game {index + 1} is not over after {LONGEST_GAME} moves"
                )
                raise BadGame(f"{self.game.name}: {what}")
            try:
                actions.append(choose(state, seat, seated[seat]))
            except AgentFailed as error:
                raise AgentFailed(
                    f"{specs[seat]} failed as {self.game.seat_name(seat)} in game {index + 1}, move {len(actions) + 1}:"
                    f" {error}"
                ) from error
        return GameRecord(
            game=self.game.source or self.game_name,
            options={name: self.game.options[name].decode(code) for name, code in self._option_codes.items()},
            seats=len(specs),
            seed=seed,
            agents=specs,
            actions=actions,
            scores=list(state.scores),
            returns=list(state.returns),
            files=files,
            entrants=list(self.entrants),
            order=list(order),
            match_seed=self.seed,
            index=index,
        )

    @cached_property
    def _option_codes(self) -> dict[str, int]:
        codes = encode_options(self.game.name, self.game.options, self.options)
        return dict(zip(self.game.options, map(int, codes), strict=True))

    def files(self) -> dict[str, str]:
        """The files that the entrants' specs name, with a digest of what they hold now."""
        return {name: digest(Path(name)) for spec in self.entrants for name in Spec.parse(spec).files()}

    def owns(self, record: GameRecord) -> bool:
        """Whether a recorded game belongs to this match."""
        options = {name: self.game.options[name].decode(code) for name, code in self._option_codes.items()}
        return (
            record.game == (self.game.source or self.game_name)
            and tuple(record.entrants) == self.entrants
            and record.match_seed == self.seed
            and record.options == options
        )


def choose(state: State, seat: int, agent: Agent) -> int:
    """Let an agent choose and play; AgentFailed if it raises or chooses what is not legal."""
    try:
        decision = agent.decide(state.observation(seat))
        if not isinstance(decision, Decision):
            raise BadSpec(f"decide() must return a Decision, not {decision!r}")
        state.apply(decision.action)
    except TakeBack:
        return choose(state, seat, agent)
    except (Exception, SystemExit) as error:
        if agent.interactive:
            raise
        what = str(error) if isinstance(error, BoardwrightError) else f"{type(error).__name__}: {error}"
        raise AgentFailed(what) from error
    return int(decision.action)
