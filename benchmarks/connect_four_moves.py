"""How many moves of an agent keep the value of a Connect Four position, by an exact solver.

    python benchmarks/connect_four_moves.py uct:seconds=0.01,clock=cpu nettree:seconds=0.01,clock=cpu

Positions come from games at random with 14 to 30 discs, seed 71, and are the same for all agents. A move keeps the
value if it leads from a won position to a won one, or from a drawn one to a drawn one; in a lost one every move does.
"Critical" are the positions in which some move does not.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import boardwright as bw
from boardwright.files import write_json

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.connect_four_solver import Solver, open_positions

POSITIONS, SEED, FEWEST, MOST = 1000, 71, 14, 30
RESULT = Path(__file__).parent.parent / "docs" / "matches" / "connect-four-moves.json"


def main(specs: list[str]) -> None:
    from common import commit

    game, solver = bw.game("connect_four"), Solver()
    agents = {spec: [bw.agent(spec, game, seat, seed=1) for seat in range(2)] for spec in specs}
    kept, critical_kept, critical = dict.fromkeys(specs, 0), dict.fromkeys(specs, 0), 0
    for state in open_positions(POSITIONS, SEED, FEWEST, MOST):
        values = {action: solver.value_after(state, action) for action in state.legal_actions()}
        best = max(values.values())
        is_critical = min(values.values()) < best
        critical += is_critical
        for spec, pair in agents.items():
            keeps = values[pair[state.player].decide(state.observation(state.player)).action] == best
            kept[spec] += keeps
            critical_kept[spec] += keeps and is_critical
    rows = []
    for spec in specs:
        rows.append({"spec": spec, "kept": kept[spec], "critical_kept": critical_kept[spec]})
        error = 1.96 * math.sqrt(kept[spec] / POSITIONS * (1 - kept[spec] / POSITIONS) / POSITIONS)
        print(
            f"{spec}: keeps the value in {kept[spec] / POSITIONS:.1%} (± {error:.1%}) of {POSITIONS:,} positions,"
            f" in {critical_kept[spec] / critical:.1%} of {critical:,} critical ones"
        )
    command = "python benchmarks/connect_four_moves.py " + " ".join(specs)
    write_json(
        RESULT,
        {
            "command": command,
            "commit": commit(),
            "positions": POSITIONS,
            "critical": critical,
            "seed": SEED,
            "agents": rows,
        },
    )


if __name__ == "__main__":
    main(sys.argv[1:] or ["uct:seconds=0.01,clock=cpu", "nettree:seconds=0.01,clock=cpu"])
