"""SO-ISMCTS on Kuhn poker against OpenSpiel's C++ ISMCTSBot: same deal, iterations and exploration, one thread."""

from __future__ import annotations

import pyspiel
from common import close, publish, side_by_side

import boardwright as bw

ITERATIONS, EXPLORATION = 10_000, 2.8
KING, QUEEN = 2, 1


def main() -> None:
    game, peer_game = bw.game("kuhn_poker"), pyspiel.load_game("kuhn_poker")
    state, peer_state = game.new(seed=0), peer_game.new_initial_state()
    state.record.card[:] = [QUEEN, KING, 0]
    peer_state.apply_action(QUEEN)
    peer_state.apply_action(KING)
    agent = bw.agent(f"ismcts:iterations={ITERATIONS},exploration={EXPLORATION}", game, 0)
    bot = pyspiel.ISMCTSBot(
        1, pyspiel.RandomRolloutEvaluator(1, 1), EXPLORATION, ITERATIONS, -1,
        pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT, False, False,
    )  # fmt: skip
    observation = state.observation(0)
    ours, theirs = side_by_side(lambda: agent.decide(observation), lambda: bot.step(peer_state))
    print(f"boardwright: {ITERATIONS / ours:>10,.0f} iterations/s")
    print(f"OpenSpiel:   {ITERATIONS / theirs:>10,.0f} iterations/s")
    publish("ismcts_kuhn_poker", {"ours": ITERATIONS / ours, "open_spiel": ITERATIONS / theirs})
    close(theirs / ours, "faster than OpenSpiel's C++")


if __name__ == "__main__":
    main()
