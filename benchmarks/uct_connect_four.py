"""UCT on Connect Four against OpenSpiel's C++ MCTSBot: same positions, iterations and exploration, one thread."""

from __future__ import annotations

import statistics

import pyspiel
from common import close, publish, side_by_side

import boardwright as bw

EXPLORATION = 1.4
POSITIONS = {"empty board": [], "8 discs": [3, 3, 2, 4, 4, 2, 5, 1], "16 discs": [3, 3, 2, 4, 4, 2, 5, 1] * 2}


def main() -> None:
    game = bw.game("connect_four")
    peer_game = pyspiel.load_game("connect_four")
    ratios, mine, peers = [], [], []
    for iterations in (1_000, 10_000, 100_000):
        for name, moves in POSITIONS.items():
            state, peer_state = game.new(seed=0), peer_game.new_initial_state()
            for move in moves:
                state.apply(move)
                peer_state.apply_action(move)
            agent = bw.agent(f"uct:iterations={iterations},exploration={EXPLORATION}", game, state.player)
            observation = state.observation(state.player)
            evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
            bot = pyspiel.MCTSBot(peer_game, evaluator, EXPLORATION, iterations, 4000, False, 1, False)
            ours, theirs = side_by_side(
                lambda agent=agent, observation=observation: agent.decide(observation),
                lambda bot=bot, peer_state=peer_state: bot.mcts_search(peer_state),
                rounds=11 if iterations < 100_000 else 5,
            )
            ratios.append(theirs / ours)
            mine.append(iterations / ours)
            peers.append(iterations / theirs)
            print(
                f"{iterations:>7,} iterations, {name:11}: boardwright {iterations / ours:>9,.0f}/s,"
                f" OpenSpiel {iterations / theirs:>9,.0f}/s, {theirs / ours:.2f} times"
            )
    publish(
        "uct_connect_four",
        {
            "ours_slowest": min(mine),
            "ours_fastest": max(mine),
            "open_spiel_slowest": min(peers),
            "open_spiel_fastest": max(peers),
            "ratio": statistics.geometric_mean(ratios),
        },
    )
    close(statistics.geometric_mean(ratios), "at least 3.0 times OpenSpiel's iterations per second")


if __name__ == "__main__":
    main()
