"""Colonizers: games and decisions per second, against the same rules run as plain Python; the thesis's times beside."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import numpy as np
from common import close, publish

import boardwright as bw
from boardwright.arena.match import Match
from boardwright.kernel import UNCOMPILED, rng

ISMCTS = "ismcts:iterations=200,exploration=0.7,playout=heuristic"
ONE_OF_EACH = ("thesis_random", "heuristic", "maxn:depth=7,determinizations=10", ISMCTS)


def random_games_per_second(games: int) -> float:
    game = bw.game("colonizers")
    play, rng_state, scratch = game.entries.playout("random"), rng.generator(1), np.zeros(game.max_legal, np.int64)
    states = [game.new(seed=seed).memory for seed in range(games)]
    began = time.process_time()
    for state in states:
        play(state, scratch, rng_state)
    return games / (time.process_time() - began)


def heuristic_games_per_second(games: int) -> float:
    """Self-play: each seat chooses from its own view."""
    game = bw.game("colonizers")
    play, rng_state = game.entries.self_play("heuristic"), rng.generator(1)
    observation, scratch = np.zeros(game.state.itemsize, np.uint8), np.zeros(game.max_legal, np.int64)
    states = [game.new(seed=seed).memory for seed in range(games)]
    began = time.process_time()
    for state in states:
        play(state, observation, scratch, rng_state)
    return games / (time.process_time() - began)


def milliseconds_per_decision() -> float:
    """Of an ISMCTS agent with the thesis's settings, over the decisions of whole games in which it has a choice."""
    game, times = bw.game("colonizers"), []
    for seed in range(3):
        state = game.new(seed=seed)
        agents = [bw.agent(ISMCTS, game, seat, seed=seed) for seat in range(4)]
        while not state.is_terminal:
            observation = state.observation(state.player)
            began = time.process_time()
            decision = agents[state.player].decide(observation)
            if len(observation.legal_actions()) > 1:
                times.append(time.process_time() - began)
            state.apply(decision.action)
    return 1000 * float(np.mean(times[20:]))


def seconds_per_game_of_each(games: int = 12) -> float:
    match = Match("colonizers", ONE_OF_EACH, seed=1)
    match.play(0)
    began = time.process_time()
    for index in range(1, 1 + games):
        match.play(index)
    return (time.process_time() - began) / games


def main() -> None:
    if UNCOMPILED:  # the peer: see below
        print(random_games_per_second(3))
        return
    random, heuristic = random_games_per_second(50_000), heuristic_games_per_second(20_000)
    plain = float(
        subprocess.run(
            [sys.executable, __file__],
            env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
    decision, game = milliseconds_per_decision(), seconds_per_game_of_each()
    print(f"random games:               {random:>7,.0f} per CPU second (target: 20,000); as plain Python {plain:.1f}")
    print(f"heuristic games:            {heuristic:>7,.0f} per CPU second (target: 5,000)")
    print(f"an ISMCTS decision:         {decision:>7.1f} ms of CPU (target: 10; thesis: up to tens of seconds)")
    print(f"a game of one of each:      {game:>7.2f} s of CPU (target: 0.5; thesis: 1,558 s)")
    publish(
        "colonizers",
        {
            "random_games": random,
            "random_games_as_python": plain,
            "heuristic_games": heuristic,
            "decision_ms": decision,
            "game_of_each_s": game,
        },
    )
    close(random / plain, "the ratio is to the same rules as plain Python")


if __name__ == "__main__":
    main()
