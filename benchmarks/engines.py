"""Exported engines against the same agents inside Python: processor time per decision, native and in Node."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from common import close, publish

import boardwright as bw
from boardwright.engine import export_engine

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.engine_hosts import EngineHost
from tests.engine_transcripts import transcript

AGENTS = {
    "connect_four": "uct:iterations=10000",
    "lords": "ismcts:iterations=1000",
    "race": "netsearch:turns=2,determinizations=64,weights=large",
}
POSITIONS, DECISIONS = 400, 60
JAVASCRIPT = Path(bw.__file__).parent / "engine" / "javascript"


def in_python(game: Any, agent: Any, written: dict[str, Any]) -> float:
    """Milliseconds of processor time per decision of the transcript."""
    spent, decisions = 0.0, 0
    for played in written["games"]:
        state = game.new(seed=int(played["seed"]), seats=played["seats"])
        for step in played["steps"]:
            if "decision" in step:
                agent.seat = state.player
                observation = state.observation(state.player)
                began = time.process_time()
                agent.decide(observation)
                spent += time.process_time() - began
                decisions += 1
            state.apply(step["action"])
    return 1000 * spent / decisions


def native(library: Path, written: dict[str, Any]) -> float:
    engine, spent, decisions = EngineHost(library), 0.0, 0
    state = engine.host.allocate(engine.state_size)
    for played in written["games"]:
        engine.call("bw_new_game", state, int(played["seed"]), played["seats"], 0, 0)
        for step in played["steps"]:
            if "decision" in step:
                began = time.process_time()
                engine.call("bw_decide", state, int(step["seed"]), 0)
                spent += time.process_time() - began
                decisions += 1
            engine.call("bw_apply", state, step["action"])
    return 1000 * spent / decisions


def in_node(library: Path, file: Path) -> float:
    shutil.copy(JAVASCRIPT / "measure.js", library.parent)
    command = ["node", "measure.js", library.name, f"{library.name}.json", str(file)]
    done = subprocess.run(command, cwd=library.parent, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout)["milliseconds"])


def main() -> None:
    figures: dict[str, float] = {}
    for name, spec in AGENTS.items():
        game = bw.game(name)
        agent = bw.agent(spec, game, 0, seed=0)
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            here = export_engine(game, spec, target="native", folder=work / "native", seats=2)
            began = time.perf_counter()
            wasm = export_engine(game, spec, folder=work / "wasm", seats=2)
            figures[f"{name}: export from a warm cache, s"] = time.perf_counter() - began
            iterations = wasm.manifest["iterations"]
            written = transcript(
                game, agent, 2, positions=POSITIONS, decisions=DECISIONS, iterations=iterations, seed=7
            )
            (work / "transcript.json").write_text(json.dumps(written))
            rounds = [
                (
                    in_python(game, bw.agent(spec, game, 0, seed=0), written),
                    native(here.library, written),
                    in_node(wasm.library, work / "transcript.json"),
                )
                for _ in range(3)
            ]
            python, library, node = (min(column) for column in zip(*rounds, strict=True))
            content = wasm.library.read_bytes()
        figures |= {
            f"{name}: Python, ms": python,
            f"{name}: native, ms": library,
            f"{name}: Node, ms": node,
            f"{name}: wasm, KB": len(content) / 1000,
            f"{name}: wasm compressed, KB": len(gzip.compress(content, 9)) / 1000,
        }
        print(f"{name} {spec}, {len(content) / 1000:,.0f} KB: milliseconds a decision in Python {python:.2f},", end=" ")
        print(
            f"native {library:.2f} ({python / library:.2f} of its speed), Node {node:.2f} ({node / library:.2f} times)"
        )
    publish("engines", figures)
    close(
        figures["race: Node, ms"] / figures["race: native, ms"],
        "in Node at most 3 times the native time per decision; native at least 0.9 of the speed inside Python",
    )


if __name__ == "__main__":
    main()
