"""Makes the puzzles of Connect Four that are shipped: `python -m tests.connect_four_puzzles 50 FILE`.

One column must be better than all others for certain: it wins where all others do not, or draws where all others lose.
At most a fifth of them are seen at a glance, because the column wins at once or is the only one that does not lose at
once."""

from __future__ import annotations

import sys
from pathlib import Path

from boardwright.arena.match import Match
from boardwright.coach.puzzles import Puzzle, write_puzzles
from boardwright.kernel import State
from boardwright.kernel.ready import make_ready
from tests.connect_four_solver import Solver

SEED, FEWEST_DISCS = 35, 12
EASY_SHARE = 0.2
EXACT = "an exact solver"


def values_of(state: State, solver: Solver) -> dict[int, float]:
    """What each column is worth: 1 wins, 0.5 draws, 0 loses."""
    return {column: (1 + solver.value_after(state, column)) / 2 for column in state.legal_actions()}


def at_a_glance(state: State, answer: int) -> bool:
    """Whether the answer wins at once, or all others lose at once."""
    after = state.copy()
    after.apply(answer)
    return after.is_terminal or all(
        _loses_at_once(state, column) for column in state.legal_actions() if column != answer
    )


def _loses_at_once(state: State, column: int) -> bool:
    after = state.copy()
    after.apply(column)
    for reply in after.legal_actions():
        further = after.copy()
        further.apply(reply)
        if further.is_terminal and further.returns[state.player] < 0:
            return True
    return False


def main(wanted: int, file: Path) -> None:
    match, solver = Match("connect_four", ("uct:iterations=200", "uct:iterations=60"), seed=SEED), Solver()
    make_ready(match.needs())
    found: list[Puzzle] = []
    easy = index = 0
    while len(found) < wanted:
        record = match.play(index)
        index += 1
        for number, (state, action) in enumerate(record.replay()):
            if action is None or number < FEWEST_DISCS or len(state.legal_actions()) < 3:
                continue
            values = values_of(state, solver)
            best = max(values.values())
            if list(values.values()).count(best) > 1 or best == 0:
                continue
            answer = max(values, key=lambda column: values[column])
            glance = at_a_glance(state, answer)
            if glance and easy >= EASY_SHARE * wanted:
                continue
            easy += glance
            gap = best - sorted(values.values())[-2]
            found.append(
                Puzzle(
                    game="connect_four",
                    seats=2,
                    seed=record.seed,
                    actions=record.actions[:number],
                    seat=state.player,
                    answer=answer,
                    values=values,
                    gap=gap,
                    standard_error=0.0,
                    second_gap=gap,
                    judged_by=[EXACT],
                    easy=glance,
                )
            )
            break
    write_puzzles(file, found[:wanted])


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
