"""The games of a generation, played on several threads. The threads change nothing: each game has its own seeds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

from boardwright.errors import BadGame
from boardwright.kernel import Game, rng
from boardwright.learn import self_play
from boardwright.learn.config import TrainingConfig
from boardwright.learn.network import Weights
from boardwright.learn.self_play import TRAJECTORY_FULL
from boardwright.learn.trajectory import MAX_ROWS, Trajectory
from boardwright.learn.turn_search import Settings
from boardwright.learn.workspace import Workspace


def play_generation(
    config: TrainingConfig, game: Game, weights: Weights, generation: int, games: int, jobs: int
) -> tuple[list[Trajectory], list[list[float]]]:
    """Trajectories in the order of the games, and the returns of each game's seats, scaled to 0 to 1."""
    kernel, rules = self_play.kernel(), game.entries.learning_rules
    settings = Settings(config.determinizations, config.width, config.breadth, config.prior_weight, turns=1)
    low, high = game.min_utility, game.max_utility
    buffers: SimpleQueue[tuple[Workspace, Trajectory]] = SimpleQueue()
    for _ in range(jobs):
        buffers.put((Workspace.for_game(game), Trajectory.with_capacity()))

    def play(number: int) -> tuple[Trajectory, list[float]]:
        workspace, trajectory = buffers.get()
        try:
            while True:
                state = game.new(seed=rng.derive(config.seed, generation, number, 0), seats=config.seats)
                rng_state = rng.generator(rng.derive(config.seed, generation, number, 1))
                rows: Any = kernel(
                    rules, weights, state.memory, config.seats, settings, rng_state, workspace, trajectory
                )
                if rows != TRAJECTORY_FULL:
                    return trajectory.first_rows(rows), [(x - low) / (high - low) for x in state.returns]
                if trajectory.capacity >= MAX_ROWS:
                    raise BadGame(f"{game.name}: a game has more than {MAX_ROWS:,} rows of training data; does it end?")
                trajectory = Trajectory.with_capacity(2 * trajectory.capacity)
        finally:
            buffers.put((workspace, trajectory))

    with ThreadPoolExecutor(jobs) as pool:
        played = list(pool.map(play, range(games)))
    return [rows for rows, _ in played], [result for _, result in played]
