"""A page of PPO (Schulman et al. 2017) in NumPy: a linear policy for one seat learns against a policy of the game, then
plays in matches and on a ladder of ours.

    python examples/ppo.py --updates 150
"""

from __future__ import annotations

import argparse

import numpy as np

import boardwright as bw
from boardwright.adapters.gymnasium import SeatVectorEnv
from boardwright.adapters.policies import TrainedPolicy

GAMES, STEPS, EPOCHS, CLIP, RATE = 128, 16, 4, 0.2, 0.5


class LinearPolicy:
    """A number for every action from the observation's numbers, and an estimate of the return."""

    def __init__(self, inputs: int, actions: int) -> None:
        self.weights = np.zeros((inputs + 1, actions))
        self.value = np.zeros(inputs + 1)

    def __call__(self, array: np.ndarray) -> np.ndarray:
        return self.rows(array[None]) @ self.weights

    def rows(self, arrays: np.ndarray) -> np.ndarray:
        flat = arrays.reshape(len(arrays), -1).astype(float)
        return np.hstack([flat, np.ones((len(flat), 1))])

    def chances(self, rows: np.ndarray, masks: np.ndarray) -> np.ndarray:
        logits = np.where(masks, rows @ self.weights, -np.inf)
        chances = np.exp(logits - logits.max(1, keepdims=True))
        return chances / chances.sum(1, keepdims=True)


def collect(env: SeatVectorEnv, policy: LinearPolicy, random: np.random.Generator, seen: tuple) -> tuple:
    """Play on, and tell the returns that followed every action: of its game, or as the policy estimates them."""
    arrays, info = seen
    steps = []
    for _ in range(STEPS):
        rows, masks = policy.rows(arrays), info["action_mask"].astype(bool)
        chances = policy.chances(rows, masks)
        actions = (chances.cumsum(1) > random.random((GAMES, 1))).argmax(1)
        arrays, rewards, over, _, info = env.step(actions)
        steps.append((rows, masks, actions, chances[np.arange(GAMES), actions], rewards, over))
    following = policy.rows(arrays) @ policy.value
    returns = []
    for *_, rewards, over in reversed(steps):
        following = np.where(over, rewards, following)
        returns.append(following)
    columns = [np.concatenate(column) for column in zip(*(step[:4] for step in steps), strict=True)]
    return (*columns, np.concatenate(returns[::-1])), (arrays, info)


def improve(
    policy: LinearPolicy,
    rows: np.ndarray,
    masks: np.ndarray,
    actions: np.ndarray,
    before: np.ndarray,
    returns: np.ndarray,
) -> None:
    """Some steps along the gradient of the clipped objective."""
    advantages = returns - rows @ policy.value
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    every = np.arange(len(rows))
    for _ in range(EPOCHS):
        chances = policy.chances(rows, masks)
        ratios = chances[every, actions] / before
        clipped = np.where(advantages > 0, ratios > 1 + CLIP, ratios < 1 - CLIP)
        slopes = -chances * (advantages * ratios * ~clipped)[:, None]
        slopes[every, actions] += advantages * ratios * ~clipped
        policy.weights += RATE * rows.T @ slopes / len(rows)
        policy.value += 0.1 * RATE * rows.T @ (returns - rows @ policy.value) / len(rows)


def train(updates: int, seed: int = 0) -> LinearPolicy:
    env = SeatVectorEnv("connect_four", GAMES)
    policy = LinearPolicy(int(np.prod(env.single_observation_space.shape)), env.single_action_space.n)
    random, seen = np.random.default_rng(seed), env.reset(seed=seed)
    for _ in range(updates):
        learned, seen = collect(env, policy, random, seen)
        improve(policy, *learned)
    return policy


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--updates", type=int, default=150)
    learner = TrainedPolicy(train(parser.parse_args().updates))
    print(bw.match("connect_four", learner, "random", games=400))
    print(bw.ladder("connect_four", learner, "random", "flat:iterations=20", games=100))
