"""Compile what tests use, lest several workers compile the same at the same time: `python -m tests.compiled batches`.

Of Race, playouts that are cut short or learned from are left out: they take a minute to compile, and hardly a test uses
them.
"""

from __future__ import annotations

import sys

import boardwright as bw
from boardwright.commands.authoring import usual_code
from boardwright.kernel.ready import make_ready

BATCHES = ("connect_four", "kuhn_poker", "lords", "colonizers")
"""Games of which batches are tested: one of each kind. Those of the others take longest to compile."""

if __name__ == "__main__":
    code = usual_code([bw.game(name) for name in bw.games()])
    code += [unit for name in bw.games() if name != "race" for unit in bw.game(name).entries.everything()]
    if "batches" in sys.argv[1:]:
        code += [unit for name in BATCHES for unit in bw.game(name).entries.code("batch random")]
    make_ready(code)
