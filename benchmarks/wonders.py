"""7 Wonders: random games and search per second on one core, beside the TAG framework's figures on the same game.

TAG's figures were measured once on an idle core (2-core Intel Xeon): random five-seat games, forward model only; and
plain tree search with playouts to the end of the game at four seats. Ours are CPU time.
"""

from __future__ import annotations

import random
import time

import numpy as np
from common import close, publish

import boardwright as bw
from boardwright.kernel import rng
from boardwright.kernel.options import encode_options

TAG_RANDOM_GAMES = {4: 876, 5: 755}
TAG_ITERATIONS = 1_890
PLAIN = "ismcts:playout=random,plies=-1"
"""Search with random playouts to the end, as TAG's."""
SEARCHES = {
    "plain": PLAIN,
    "flat": "flat:playout=random,plies=-1",
    "heuristic": "ismcts:playout=heuristic,plies=-1",
    "defaults": "ismcts",
}


def games_per_second(seats: int, games: int = 4_000, rounds: int = 3) -> float:
    game = bw.game("wonders")
    setup, play = game.entries.setup, game.entries.playout("random")
    scratch, rng_state = np.zeros(game.max_legal, np.int64), rng.generator(1)
    codes, state = encode_options("wonders", game.options, {}), np.zeros(game.state.itemsize, np.uint8)
    best = 0.0
    for _ in range(rounds):
        began = time.process_time()
        for seed in range(games):
            state[:] = 0
            setup(state, np.uint64(seed), seats, codes)
            play(state, scratch, rng_state)
        best = max(best, games / (time.process_time() - began))
    return best


def iterations_per_second(spec: str, seats: int = 4, iterations: int = 1_000) -> float:
    """Averaged over decisions from all stages of random games."""
    game, chance = bw.game("wonders"), random.Random(1)
    agents = [
        bw.agent(f"{spec}{',' if ':' in spec else ':'}iterations={iterations}", game, seat, seed=1)
        for seat in range(seats)
    ]
    agents[0].decide(game.new(seed=1, seats=seats).observation(0))  # so that compiling is not counted
    spent, done = 0.0, 0
    for seed in range(6):
        state = game.new(seed=seed, seats=seats)
        while not state.is_terminal:
            legal = state.legal_actions()
            if len(legal) > 1 and chance.random() < 0.3:
                observation = state.observation(state.player)
                began = time.process_time()
                agents[state.player].decide(observation)
                spent += time.process_time() - began
                done += iterations
            state.apply(chance.choice(legal))
    return done / spent


def main() -> None:
    ratios, figures = [], {"tag_iterations": float(TAG_ITERATIONS)}
    for seats, theirs in TAG_RANDOM_GAMES.items():
        ours = games_per_second(seats)
        print(f"random games, {seats} seats: {ours:>7,.0f}/s; TAG {theirs}/s; {ours / theirs:.1f} times")
        figures |= {f"random_games_{seats}": ours, f"tag_random_games_{seats}": float(theirs)}
        if seats == 5:
            ratios.append(ours / theirs / 10)
    for name, spec in SEARCHES.items():
        ours = iterations_per_second(spec)
        print(f"{spec:34} {ours:>7,.0f} iterations/s; TAG {TAG_ITERATIONS:,}/s; {ours / TAG_ITERATIONS:.1f} times")
        figures[f"iterations_{name}"] = ours
        if spec == PLAIN:
            ratios.append(ours / TAG_ITERATIONS / 15)
    publish("wonders", figures)
    close(min(ratios), "1 or more: random games 10 times and search 15 times TAG's rate (the lesser of the two)")


if __name__ == "__main__":
    main()
