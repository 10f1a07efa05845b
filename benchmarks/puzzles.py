"""Do the shipped puzzles stand another judge? A sample of a set is judged again, in other determinizations.

    python benchmarks/puzzles.py lords --determinizations 64
    python benchmarks/puzzles.py lords --judge heuristic --playing --determinizations 48

By default the strongest agent of the game judges. With `--playing` an agent plays both sides to the end instead.
"""

from __future__ import annotations

import argparse

import boardwright as bw
from boardwright.coach.analysis import DeterminizationSeeds
from boardwright.coach.evaluators import AgentValues, evaluator_spec, make_evaluator, needs
from boardwright.coach.puzzles import CLEAR, check_of, shipped
from boardwright.kernel.ready import make_ready

SEED = 20261118


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("game", nargs="?", default="race")
    parser.add_argument("--judge", help="an agent's spec; default: the strongest one of the game")
    parser.add_argument("--playing", action="store_true", help="the judge plays both sides to the end")
    parser.add_argument("--determinizations", type=int, default=512)
    parser.add_argument("--sample", type=int, default=30)
    given = parser.parse_args()
    puzzles = shipped(given.game)
    game, seats = bw.game(given.game), puzzles[0].seats
    spec = given.judge or evaluator_spec(game, seats)
    judge = (AgentValues if given.playing else make_evaluator)(spec, game, seats)
    make_ready(needs(judge))
    count = min(given.sample, len(puzzles))
    sample = [puzzles[place * len(puzzles) // count] for place in range(count)]
    best = clear = 0
    for puzzle in sample:
        observation = puzzle.observation()
        seeds = DeterminizationSeeds(observation, SEED).take(given.determinizations)
        check = check_of(list(puzzle.values), judge.values(observation, list(puzzle.values), seeds))
        best += check.answer == puzzle.answer
        clear += check.answer == puzzle.answer and check.gap >= CLEAR
    print(f"{game.title}, {spec}: of {len(sample)} puzzles the answer is best in {best}, by ten points in {clear}")


if __name__ == "__main__":
    main()
