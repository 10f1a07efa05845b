"""Games as PettingZoo environments, in which agents take turns (AEC):

    from boardwright.adapters.pettingzoo import env

    race = env("race", seats=3)

Observations are dicts of an array and a mask of the legal actions, as in PettingZoo's own board games. Rewards are the
returns, at the end of the game. An agent is a seat: "seat_0" moves in the first one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.adapters.observing import ArrayObserver
from boardwright.errors import MissingExtra
from boardwright.kernel import Game, State
from boardwright.registry import load_game

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError:
    raise MissingExtra("PettingZoo", "pettingzoo") from None


def env(game: str | Game, **settings: Any) -> BoardGame:
    """An environment of a game, given by name, by the path of its Python file, or as it is."""
    return BoardGame(game, **settings)


class BoardGame(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A game of Boardwright. An illegal action is an error: the mask says what is legal."""

    def __init__(
        self,
        game: str | Game,
        *,
        seats: int | None = None,
        observe: str | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = load_game(game) if isinstance(game, str) else game
        self.metadata = {"name": f"boardwright_{self.game.name}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.check_seats(seats))]
        self.observer = ArrayObserver(self.game, observe)
        self._options = options
        self._random = np.random.default_rng()
        low, high = self.observer.bounds
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(low, high, self.observer.shape, self.observer.dtype),
                "action_mask": spaces.Box(0, 1, (self.game.num_actions,), np.int8),
            }
        )
        self._action_spaces = {agent: spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}
        self.state_now: State = self._new_game()

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_space

    def action_space(self, agent: str) -> Any:
        return self._action_spaces[agent]

    def _new_game(self) -> State:
        seed = int(self._random.integers(2**63))
        return self.game.new(seed=seed, seats=len(self.possible_agents), **self._options)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A fresh game. Without a seed it is the next of those that the last seed gave."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.state_now = self._new_game()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.state_now.player]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.state_now.apply(int(action if action is not None else -1))
        self._cumulative_rewards[agent] = 0.0
        if self.state_now.is_terminal:
            returns = self.state_now.returns
            self.rewards = {agent: float(returns[seat]) for seat, agent in enumerate(self.possible_agents)}
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._clear_rewards()
            self.agent_selection = self.possible_agents[self.state_now.player]
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        return {
            "observation": self.observer.of(self.state_now, seat),
            "action_mask": self.observer.mask(self.state_now, seat),
        }

    def state(self) -> Any:
        """The bytes of the position, with nothing hidden."""
        return self.state_now.memory.copy()

    def render(self) -> str | None:
        return str(self.state_now) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass
