"""Batches: steps per CPU second of 1,024 games at once, on one thread, against pgx and PettingZoo's own Connect Four.

Everybody plays random legal actions and restarts finished games. `step` fills observation, mask, rewards and
terminated after every action; `run` is one compiled loop that shows nothing until its end. pgx is measured the same two
ways, as a jitted scan that returns everything and as one that returns nothing but its last state; PettingZoo's
environment plays one game in Python. The peers are optional: `pip install pgx jax pettingzoo`.

Race and 7 Wonders stand beside their own compiled random games, dealing included.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import numpy as np
from common import close, publish

import boardwright as bw
from boardwright.kernel import rng
from boardwright.kernel.options import encode_options

SIZE, STEPS, ROUNDS = 1024, 200, 9


class Contest:
    """Steps per CPU second of each, the best of several rounds that take turns: other work on the machine slows all."""

    def __init__(self) -> None:
        self.work: dict[str, tuple[Callable[[], object], int]] = {}

    def add(self, name: str, work: Callable[[], object], steps: int) -> None:
        work()  # compiles
        self.work[name] = work, steps

    def rates(self) -> dict[str, float]:
        best = dict.fromkeys(self.work, 0.0)
        for _ in range(ROUNDS):
            for name, (work, steps) in self.work.items():
                began = time.process_time()
                work()
                best[name] = max(best[name], steps / (time.process_time() - began))
        return best


def stepping(batch: Any, steps: int = STEPS) -> Callable[[], None]:
    def work() -> None:
        for _ in range(steps):
            batch.step(batch.random_actions())

    return work


def add_ours(contest: Contest) -> None:
    game = bw.game("connect_four")
    planes, record = (game.batch(SIZE, seed=1, observe=kind) for kind in ("features", "record"))
    contest.add("step", stepping(planes), SIZE * STEPS)
    contest.add("step_record", stepping(record), SIZE * STEPS)
    contest.add("run", lambda: planes.run(10 * STEPS), SIZE * STEPS * 10)


def add_pgx(contest: Contest) -> None:
    """Random legal actions come from the mask, as in pgx's own examples."""
    try:
        import jax
        import jax.numpy as jnp
        import pgx
        from pgx.experimental import auto_reset
    except ImportError:
        print("pgx is not installed: pip install pgx jax")
        return
    env = pgx.make("connect_four")
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def random_step(state: Any, key: Any) -> Any:
        choose, restart = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        return step(state, jax.random.categorical(choose, logits), jax.random.split(restart, SIZE))

    def shown(state: Any, key: Any) -> Any:
        state = random_step(state, key)
        return state, (state.observation, state.legal_action_mask, state.rewards, state.terminated)

    def unshown(state: Any, key: Any) -> Any:
        return random_step(state, key), None

    keys = jax.random.split(jax.random.key(1), STEPS)
    state = init(jax.random.split(jax.random.key(2), SIZE))
    for name, one in (("pgx_step", shown), ("pgx_run", unshown)):
        scan = jax.jit(lambda state, keys, one=one: jax.lax.scan(one, state, keys))
        contest.add(name, lambda scan=scan, state=state: jax.block_until_ready(scan(state, keys)), SIZE * STEPS)


def add_pettingzoo(contest: Contest, steps: int = 1_000) -> None:
    try:
        from pettingzoo.classic import connect_four_v3
    except ImportError as error:
        print(f"PettingZoo's Connect Four is not installed ({error}): pip install 'pettingzoo[classic]'")
        return
    env, random = connect_four_v3.env(), np.random.default_rng(1)

    def work() -> None:
        env.reset(seed=1)
        for _ in range(steps):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                observation = env.last()[0]
            env.step(int(random.choice(np.flatnonzero(observation["action_mask"]))))

    contest.add("pettingzoo", work, steps)


def add_game(contest: Contest, name: str, seats: int, games: int) -> None:
    """Steps of a batch, beside those of the game's compiled random games."""
    game = bw.game(name)
    for kind in ("record", "nothing"):
        contest.add(f"{name}_step_{kind}", stepping(game.batch(SIZE, seed=1, seats=seats, observe=kind)), SIZE * STEPS)
    batch = game.batch(SIZE, seed=1, seats=seats)
    contest.add(f"{name}_run", lambda: batch.run(2 * STEPS), SIZE * STEPS * 2)
    if game.learning.features is not None:
        contest.add(f"{name}_step_features", stepping(batch, STEPS // 4), SIZE * STEPS // 4)
    setup, play = game.entries.setup, game.entries.playout("random")
    scratch, rng_state = np.zeros(game.max_legal, np.int64), rng.generator(1)
    codes, state = encode_options(name, game.options, {}, seats), np.zeros(game.state.itemsize, np.uint8)
    counter = game.batch(SIZE, seed=2, seats=seats, observe="nothing").run(4_000)
    length = 4_000 * SIZE / counter.games.sum()

    def random_games() -> None:
        for seed in range(games):
            state[:] = 0
            setup(state, np.uint64(seed), seats, codes)
            play(state, scratch, rng_state)

    contest.add(f"{name}_random_games", random_games, int(games * length))


def main() -> None:
    contest = Contest()
    add_ours(contest)
    add_pgx(contest)
    add_pettingzoo(contest)
    add_game(contest, "race", 2, 1_000)
    add_game(contest, "wonders", 4, 1_000)
    rates = contest.rates()
    for name, rate in rates.items():
        print(f"{name:24} {rate:>12,.0f} steps/s")
    publish("batches", rates)
    parts = []
    for ours, peer, target in (("step", "pgx_step", 2.5), ("run", "pgx_run", 6.0), ("step", "pettingzoo", 400.0)):
        if peer in rates:
            parts.append(rates[ours] / rates[peer] / target)
            print(f"{ours} against {peer}: {rates[ours] / rates[peer]:.1f} times (target {target:g})")
    for name in ("race", "wonders"):
        for kind in ("run", "step_nothing", "step_record", "step_features"):
            if f"{name}_{kind}" in rates:
                print(
                    f"{name}, {kind}: {rates[f'{name}_{kind}'] / rates[f'{name}_random_games']:.2f} of its random games"
                )
        parts.append(rates[f"{name}_run"] / rates[f"{name}_random_games"] / 0.5)
    close(min(parts), "1 or more: each figure over its target, the least of them")


if __name__ == "__main__":
    main()
