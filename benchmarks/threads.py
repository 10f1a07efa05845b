"""Root parallelisation: the same number of iterations on one thread and on two."""

from __future__ import annotations

from common import close, publish, side_by_side

import boardwright as bw

ITERATIONS = 1_000_000


def main() -> None:
    game = bw.game("connect_four")
    observation = game.new(seed=0).observation(0)
    two, one = (bw.agent(f"uct:iterations={ITERATIONS},threads={threads}", game, 0) for threads in (2, 1))
    together, alone = side_by_side(lambda: two.decide(observation), lambda: one.decide(observation))
    print(f"one thread:  {ITERATIONS / alone:>9,.0f} iterations/s")
    print(f"two threads: {ITERATIONS / together:>9,.0f} iterations/s")
    publish("threads", {"one": ITERATIONS / alone, "two": ITERATIONS / together})
    close(alone / together, "two threads at least 1.8 times one")


if __name__ == "__main__":
    main()
