"""How many games can be won against `ismcts` in the small dice games at most, by an exact solver.

    python benchmarks/dice_games.py

`ismcts` is asked what it does in every position, three times with other seeds. Against these choices the solver finds
what the best play wins, and what a player wins who knows them: nobody wins more.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import boardwright as bw
from boardwright.commands.new import filled
from boardwright.files import write_json

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.dice_solver import DiceGame, Outcome, Table, table_of

SPEC, ASKED = "ismcts:seconds=0.005,clock=cpu", 3
ROOT = Path(__file__).parent.parent
RESULT = ROOT / "docs" / "matches" / "dice-games.json"


def rows(rules: DiceGame, table: Table) -> dict[str, Outcome]:
    best = rules.best_play()
    return {
        "best play of both": rules.both_seats((best, best), best),
        "best play": rules.both_seats((best, best), table),
        "best reply": rules.both_seats((rules.best_reply(table, 0, 0.0), rules.best_reply(table, 1, 0.0)), table),
    }


def main() -> None:
    from common import commit

    with tempfile.TemporaryDirectory() as folder:
        skeleton = Path(folder) / "skeleton.py"
        skeleton.write_text(filled("game", name="skeleton", title="Skeleton", turns=5))
        files = {"skeleton": (skeleton, 5), "dice_race": (ROOT / "tests" / "games" / "dice_race.py", 4)}
        found = {}
        for name, (file, turns) in files.items():
            rules = DiceGame(turns)
            outcomes = rows(rules, table_of(bw.game(str(file)), rules, SPEC, ASKED))
            found[name] = {who: outcome._asdict() for who, outcome in outcomes.items()}
            for who, outcome in outcomes.items():
                print(f"{name}, {who}: won {outcome.won:.1%}, drawn {outcome.drawn:.1%}, lost {outcome.lost:.1%}")
    command = "python benchmarks/dice_games.py"
    write_json(RESULT, {"command": command, "commit": commit(), "spec": SPEC, "asked": ASKED, "games": found})


if __name__ == "__main__":
    main()
