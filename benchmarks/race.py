"""Race for the Galaxy: random games and replays per CPU second, against the figures of the original C program.

The original, measured once per CPU second of one process: 5,990 games of two uniformly random players, 18,900 replays
of its AI's games. Ours are measured here, dealing included, the best of several runs because the machine may be busy. A
random player here answers step by step, so a game is about 175 choices where the original counts 163.
"""

from __future__ import annotations

import lzma
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import boardwright as bw
from boardwright.games.race.keldon.replay import VERDICT, VERDICT_SIZE, replay_kernel
from boardwright.games.race.keldon.saves import read_saves
from boardwright.kernel import rng

sys.path.insert(0, str(Path(__file__).parent))
from common import close, publish

ORIGINAL_RANDOM, ORIGINAL_REPLAY = 5_990, 18_900
TARGET_RANDOM = 4.0
GAMES, RUNS = 4_000, 7
RECORDED = Path(__file__).parent.parent / "tests" / "data" / "race" / "games.jsonl.xz"


def random_games() -> float:
    entries = bw.game("race").entries
    setup, playout = entries.setup, entries.playout("random")
    state, scratch = np.zeros(bw.game("race").state.itemsize, np.uint8), np.zeros(bw.game("race").max_legal, np.int64)
    rng_state, options = rng.generator(1), np.zeros(1, np.int64)
    began = time.process_time()
    for seed in range(GAMES):
        state[:] = 0
        setup(state, np.uint64(seed), 2, options)
        playout(state, scratch, rng_state)
    return GAMES / (time.process_time() - began)


def heuristic_games(games: int = 1_000) -> float:
    """Self-play: each seat chooses from its own observation."""
    game = bw.game("race")
    play, rng_state = game.entries.self_play("heuristic"), rng.generator(1)
    observation, scratch = np.zeros(game.state.itemsize, np.uint8), np.zeros(game.max_legal, np.int64)
    states = [game.new(seed=seed).memory for seed in range(games)]
    began = time.process_time()
    for state in states:
        play(state, observation, scratch, rng_state)
    return games / (time.process_time() - began)


def load(prefix: str) -> list[tuple[np.uint64, np.ndarray, np.ndarray]]:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "games.jsonl"
        file.write_bytes(lzma.decompress(RECORDED.read_bytes()))
        saves = [save for save in read_saves(file) if f"({prefix}" in save.name]
    return [
        (
            np.uint64(save.seed),
            np.concatenate([np.array(log, np.int64) for log in save.logs]),
            np.cumsum([len(log) for log in save.logs]).astype(np.int64),
        )
        for save in saves
    ]


def replays(games: list[tuple[np.uint64, np.ndarray, np.ndarray]], times: int) -> float:
    setup, replay = bw.game("race").entries.setup, replay_kernel()
    state, scratch = np.zeros(bw.game("race").state.itemsize, np.uint8), np.zeros(bw.game("race").max_legal, np.int64)
    options, moves, verdict = np.ones(1, np.int64), np.zeros(0, np.int64), np.zeros(VERDICT_SIZE, np.int64)
    began = time.process_time()
    for _ in range(times):
        for seed, log, ends in games:
            state[:] = 0
            setup(state, seed, 2, options)
            replay(state, log, ends, moves, scratch, verdict)
            assert verdict[VERDICT] == 0
    return times * len(games) / (time.process_time() - began)


def main() -> None:
    by_ai = load("aa-")
    random_games(), replays(by_ai, 1)  # warm up
    played = max(random_games() for _ in range(RUNS))
    replayed = max(replays(by_ai, 10) for _ in range(RUNS))
    print(f"random games:      {played:9,.0f} per CPU second, {played / ORIGINAL_RANDOM:.2f} × the original's 5,990")
    print(
        f"replays, AI games: {replayed:9,.0f} per CPU second, {replayed / ORIGINAL_REPLAY:.2f} × the original's 18,900"
    )
    heuristic = max(heuristic_games() for _ in range(RUNS))
    print(f"heuristic games:   {heuristic:9,.0f} per CPU second")
    publish(
        "race",
        {
            "random_games": played,
            "original_random_games": ORIGINAL_RANDOM,
            "replays": replayed,
            "original_replays": ORIGINAL_REPLAY,
            "heuristic_games": heuristic,
        },
    )
    close(
        played / ORIGINAL_RANDOM, f"random games at least {TARGET_RANDOM:.0f} times, replays at least once the original"
    )


if __name__ == "__main__":
    main()
