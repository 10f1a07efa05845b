"""Games as Gymnasium environments: one seat learns, the others are played by agents of ours.

    from boardwright.adapters.gymnasium import SeatEnv, SeatVectorEnv

    env = SeatEnv("connect_four", opponents="uct:iterations=100")
    many = SeatVectorEnv("connect_four", 1024)

Rewards are the learner's returns, at the end of a game. What is legal is in `info["action_mask"]`, and in
`action_masks()` for learners that ask for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.adapters.observing import ArrayObserver
from boardwright.agents import Decision
from boardwright.arena.loop import OngoingGame
from boardwright.arena.session import GameSession
from boardwright.errors import BadSpec, BoardwrightError, MissingExtra
from boardwright.kernel import Game
from boardwright.registry import load_game

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise MissingExtra("Gymnasium", "gymnasium") from None


class SeatEnv(gymnasium.Env[NDArray[Any], int]):
    """One seat of a game. An illegal action ends the game at once with the lowest return; `info["illegal"]` says so."""

    def __init__(
        self,
        game: str | Game,
        opponents: str | Sequence[str] = "random",
        *,
        seat: int | None = None,
        seats: int | None = None,
        observe: str | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """`opponents`: one spec for all others, or one for each. `seat`: the learner's; default: another in each
        game."""
        self.game = load_game(game) if isinstance(game, str) else game
        self.seats = self.game.check_seats(seats)
        self.opponents = [opponents] * (self.seats - 1) if isinstance(opponents, str) else list(opponents)
        if len(self.opponents) != self.seats - 1:
            raise BadSpec(f"{self.seats} seats need {self.seats - 1} opponents; {len(self.opponents)} given")
        if seat is not None and seat not in range(self.seats):
            raise BadSpec(f"there is no seat {seat}; seats are 0 to {self.seats - 1}")
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1}
        self.render_mode = render_mode
        self.observer = ArrayObserver(self.game, observe)
        self.observation_space = spaces.Box(*self.observer.bounds, self.observer.shape, self.observer.dtype)
        self.action_space: Any = spaces.Discrete(self.game.num_actions)
        self._seat = seat
        self._options = options
        self._session: GameSession | None = None
        self._over = True
        self.seat = seat or 0
        """Of the learner, in this game."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """A fresh game, played on to the learner's first turn. (One that ends before is played again.)"""
        super().reset(seed=seed)
        while True:
            self._begin()
            self._play_others()
            if not self._over:
                return self._observation(), self._info()

    def step(self, action: int) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Play an action of the learner, and on to its next turn or the end."""
        if self._over:
            raise BoardwrightError("the game is over; call reset()")
        game = self._game
        if int(action) not in game.state.legal_actions():
            self.close()
            return self._observation(), self.game.min_utility, True, False, {**self._info(), "illegal": True}
        game.play(Decision(int(action)))
        self._play_others()
        reward = float(game.state.returns[self.seat]) if self._over else 0.0
        return self._observation(), reward, self._over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """What the learner may play now."""
        return self.observer.mask(self._game.state, self.seat).astype(bool)

    def render(self) -> str | None:
        """The position as the learner sees it."""
        return str(self._game.state.observation(self.seat)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the game, wherever it is."""
        self._over = True
        if self._session is not None:
            self._session.close()

    @property
    def _game(self) -> OngoingGame:
        if self._session is None:
            raise BoardwrightError("no game has begun; call reset()")
        return self._session.ongoing

    def _begin(self) -> None:
        self.close()
        seed, seat = int(self.np_random.integers(2**63)), int(self.np_random.integers(self.seats))
        self.seat = seat if self._seat is None else self._seat
        others = iter(self.opponents)
        players = [None if place == self.seat else next(others) for place in range(self.seats)]
        agent_seeds = [int(self.np_random.integers(2**63)) for _ in players]
        self._session = GameSession(self.game, players, seed=seed, agent_seeds=agent_seeds, options=self._options)
        self._session.check()
        self._game.start()
        self._over = False

    def _play_others(self) -> None:
        game = self._game
        while not game.state.is_terminal and game.state.player != self.seat:
            game.play(game.ask())
        if game.state.is_terminal:
            game.end()
            self.close()

    def _observation(self) -> NDArray[Any]:
        return self.observer.of(self._game.state, self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.observer.mask(self._game.state, self.seat), "seat": self.seat}


class SeatVectorEnv(VectorEnv[NDArray[Any], NDArray[np.int64], NDArray[Any]]):
    """Many games at once, over a batch (`game.batch`): the others choose by a compiled policy of the game.

    A game that ends is followed by the next in the same step, as `AutoresetMode.SAME_STEP` says; its last position is
    not shown. An illegal action is an error. Arrays are filled anew by every step unless `copy` is given.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        seat: int | None = None,
        seats: int | None = None,
        observe: str | None = None,
        policy: str = "random",
        threads: int = 1,
        copy: bool = True,
        **options: Any,
    ) -> None:
        """`seat`: the learner's; default: row i has seat i modulo the number of seats."""
        self.game = load_game(game) if isinstance(game, str) else game
        observer = ArrayObserver(self.game, observe)
        self.batch = self.game.batch(
            num_envs,
            seats=seats,
            observe=observer.observe,  # type: ignore[arg-type]
            policy=policy,
            threads=threads,
            **options,
        )
        if seat is not None and seat not in range(self.batch.seats):
            raise BadSpec(f"there is no seat {seat}; seats are 0 to {self.batch.seats - 1}")
        self.num_envs = num_envs
        self.learners = np.arange(num_envs) % self.batch.seats if seat is None else np.full(num_envs, seat)
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = spaces.Box(*observer.bounds, observer.shape, observer.dtype)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._rows = np.arange(num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        super().reset(seed=seed)
        self.batch.reset(seed if seed is not None else int(self.np_random.integers(2**63)))
        self.batch.advance(self.learners)
        return self._shown(self.batch.observation), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        self.batch.step(actions)
        self.batch.advance(self.learners)
        rewards = self.batch.rewards[self._rows, self.learners]
        return (
            self._shown(self.batch.observation),
            rewards,
            self._shown(self.batch.terminated),
            np.zeros(self.num_envs, np.bool_),
            self._info(),
        )

    def action_masks(self) -> NDArray[np.bool_]:
        """What each learner may play now."""
        return self._shown(self.batch.legal_action_mask)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks()}

    def _shown(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array
