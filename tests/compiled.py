"""Compile what tests use, lest several workers compile the same at the same time: `python -m tests.compiled batches`.

Of large games, playouts that are cut short or learned from are left out unless an agent uses them by default: they take
a minute to compile, and hardly a test uses them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import boardwright as bw
from boardwright.commands.authoring import usual_code
from boardwright.kernel import Code
from boardwright.kernel.entries import RULES
from boardwright.kernel.ready import make_ready

BATCHES = ("connect_four", "kuhn_poker", "lords")
"""Games of which batches are tested: one of each kind. Those of the others take longest to compile."""

ALL_PLAYOUTS = ("connect_four", "kuhn_poker", "lords")
"""Games of which every kind of playout is tested."""

SMALL = [str(Path(__file__).parent / "games" / f"{name}.py") for name in ("dice_race", "pennies", "coin")]
"""Games of the tests that several files play."""


def is_used(game: str, unit: Code) -> bool:
    return game in ALL_PLAYOUTS or not unit().label.startswith((f"{game}.traced_playout", f"{game}.truncated_playout"))


if __name__ == "__main__":
    code = usual_code([bw.game(name) for name in bw.games()])
    code += [unit for name in bw.games() for unit in bw.game(name).entries.everything() if is_used(name, unit)]
    code += [unit for game in SMALL for unit in bw.game(game).entries.code(RULES, "playout random")]
    if "batches" in sys.argv[1:]:
        code += [unit for name in BATCHES for unit in bw.game(name).entries.code("batch random")]
    make_ready(code)
