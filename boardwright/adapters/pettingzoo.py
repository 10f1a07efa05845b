"""Games as PettingZoo environments, in which agents take turns (AEC), or act at once (parallel):

    from boardwright.adapters.pettingzoo import env

    race = env("race", seats=3)
    wonders = parallel_env("wonders", seats=3)

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
    from pettingzoo import AECEnv, ParallelEnv
except ImportError:
    raise MissingExtra("PettingZoo", "pettingzoo") from None


def env(game: str | Game, **settings: Any) -> BoardGame:
    """An environment of a game, given by name, by the path of its Python file, or as it is."""
    return BoardGame(game, **settings)


def parallel_env(game: str | Game, **settings: Any) -> ParallelBoardGame:
    """The same for games in which seats choose at the same time."""
    return ParallelBoardGame(game, **settings)


class _Table:
    """A game, what its seats observe and what they may do."""

    def __init__(
        self,
        game: str | Game,
        *,
        seats: int | None = None,
        observe: str | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
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

    def _deal(self, seed: int | None) -> None:
        """A fresh game. Without a seed it is the next of those that the last seed gave."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.state_now = self._new_game()
        self.agents = list(self.possible_agents)

    def _seen(self, state: State, seat: int) -> dict[str, Any]:
        return {"observation": self.observer.of(state, seat), "action_mask": self.observer.mask(state, seat)}

    def state(self) -> Any:
        """The bytes of the position, with nothing hidden."""
        return self.state_now.memory.copy()

    def render(self) -> str | None:
        return str(self.state_now) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass


class BoardGame(_Table, AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A game of Boardwright. An illegal action is an error: the mask says what is legal."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._deal(seed)
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
        return self._seen(self.state_now, self.possible_agents.index(agent))


class ParallelBoardGame(_Table, ParallelEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A game of Boardwright in which all who choose at the same time are asked at once. Who has nothing to choose now
    has an empty mask, and what it answers counts for nothing."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        self._deal(seed)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        for seat in list(self._asked):
            if self.state_now.player == seat:  # a seat is left out if others' answers have ended the question
                self.state_now.apply(int(actions[self.possible_agents[seat]]))
        over, seats = self.state_now.is_terminal, list(enumerate(self.possible_agents))
        rewards = {agent: float(self.state_now.returns[seat]) if over else 0.0 for seat, agent in seats}
        observations = self._observations()
        ends = dict.fromkeys(self.possible_agents, over)
        self.agents = [] if over else list(self.possible_agents)
        return observations, rewards, ends, dict.fromkeys(ends, False), {agent: {} for agent in ends}

    def _observations(self) -> dict[str, dict[str, Any]]:
        self._asked = simultaneous(self.state_now)
        return {
            agent: self._seen(self._asked.get(seat, self.state_now), seat)
            for seat, agent in enumerate(self.possible_agents)
        }


def simultaneous(state: State) -> dict[int, State]:
    """The seats that choose at the same time, in the order in which the rules ask them, each with a position in which
    it is asked: those that see nothing of the choices before theirs."""
    asked: dict[int, State] = {}
    while not state.is_terminal and state.player not in asked:
        asked[state.player] = state
        legal = state.legal_actions()
        after = [state.copy() for _ in legal]
        for then, action in zip(after, legal, strict=True):
            then.apply(action)
        following = {then.player for then in after}
        if len(legal) < 2 or len(following) > 1 or after[0].is_terminal:
            break
        seat = after[0].player
        if len({bytes(then.observation(seat)) for then in after}) > 1:
            break
        state = after[0]
    return asked
