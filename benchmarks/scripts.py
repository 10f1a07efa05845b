"""Scripts against agents in this process: what a pipe costs, and how fast rules can be asked for through it.

The overhead of a decision is measured on Connect Four, with the same agent on both sides of the pipe, turn by turn in
the same positions. Targets: at most 0.2 ms (median), 3,000 random decisions and 100,000 rule applications a second,
the latter in batches.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from common import close, publish

import boardwright as bw
from boardwright.agents import Agent
from boardwright.kernel.ready import make_ready
from boardwright.scripts.agent import ProcessAgent
from boardwright.scripts.process import end_idle

EXAMPLES = Path(__file__).parents[1] / "examples" / "scripts"
DECISIONS = 3000
ROUNDS = 15
BATCH, BATCHES = 1000, 50

BATCH_BOT = f"""
import json, sys, time
def say(message):
    print(json.dumps(message), flush=True)
def ask(*requests):
    say({{"type": "ask", "requests": requests}})
    return json.loads(sys.stdin.readline())["answers"]
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({{"type": "ready", "protocol": 1}})
    elif message["type"] == "decide":
        began, played = time.perf_counter(), 0
        for number in range({BATCHES}):
            handles = ask({{"op": "sample", "count": {BATCH}}})[0]["handles"]
            for action in (0, 1, 2, 3):
                ask({{"op": "apply", "handles": handles, "actions": [action] * len(handles)}})
                played += len(handles)
            ask({{"op": "free", "handles": handles}})
        seconds = time.perf_counter() - began
        say({{"type": "action", "action": 0, "summary": str(played / seconds)}})
"""


def positions(game: bw.Game, count: int) -> list[bw.Observation]:
    """Positions of random games, as the seat to move sees them."""
    found: list[bw.Observation] = []
    while len(found) < count:
        state, player = game.new(seed=len(found)), bw.agent("random", game, 0, seed=len(found))
        while not state.is_terminal:
            observation = state.observation(state.player)
            if state.player == 0:
                found.append(observation)
            state.apply(player.decide(observation).action)
    return found[:count]


def times(agents: list[Agent], observations: list[bw.Observation]) -> list[float]:
    """Median seconds of a decision of each, the agents taking turns so that a busy machine troubles them alike."""
    measured: list[list[float]] = [[] for _ in agents]
    for observation in observations:
        for agent, own in zip(agents, measured, strict=True):
            began = time.perf_counter()
            agent.decide(observation)
            own.append(time.perf_counter() - began)
    return [statistics.median(own) for own in measured]


def rate(agent: Agent, observations: list[bw.Observation]) -> float:
    """Decisions per second, one after the other: the median of several rounds."""
    size = len(observations) // ROUNDS
    found = []
    for first in range(0, size * ROUNDS, size):
        began = time.perf_counter()
        for observation in observations[first : first + size]:
            agent.decide(observation)
        found.append(size / (time.perf_counter() - began))
    return statistics.median(found)


def rate_per_cpu_second(agent: ProcessAgent, observations: list[bw.Observation]) -> float:
    """Decisions per CPU second of host and script together: on a busy machine, what an idle one would come close to."""
    process = agent._process
    assert process is not None
    warden = process._warden.pid
    script = Path(f"/proc/{warden}/task/{warden}/children").read_text().split()[0]

    def used() -> float:
        nanoseconds = Path(f"/proc/{script}/schedstat").read_text().split()[0]
        return time.process_time() + int(nanoseconds) / 1e9

    before = used()
    for observation in observations:
        agent.decide(observation)
    return len(observations) / (used() - before)


def applications(game: bw.Game) -> float:
    """Rule applications per second that a script gets through the pipe."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "batches.py"
        file.write_text(BATCH_BOT)
        agent = bw.agent(f"script:{file},seconds=60", game, 0)
        found = float(agent.decide(game.new(seed=0).observation(0)).summary)
        agent.close()
    return found


def main() -> None:
    game = bw.game("connect_four")
    here, isolated = (bw.agent(spec, game, 0, seed=1) for spec in ("random", "isolated:random"))
    script = bw.agent(f"script:{EXAMPLES / 'first.py'}", game, 0, seed=1)
    assert isinstance(script, ProcessAgent)
    make_ready([*here.needs(), *isolated.needs(), *script.needs()])
    observations = positions(game, DECISIONS)
    times([here, isolated, script], observations[:300])  # warm up
    in_process, behind_wall = times([here, isolated], observations)
    overhead = behind_wall - in_process
    print(f"random in this process:    {1e3 * in_process:.3f} ms a decision (median of {DECISIONS:,})")
    print(f"random behind the wall:    {1e3 * behind_wall:.3f} ms; overhead {1e3 * overhead:.3f} ms")
    decisions = rate(script, observations)
    print(f"examples/scripts/first.py: {decisions:,.0f} random decisions/s (median of {ROUNDS} rounds)")
    by_cpu = rate_per_cpu_second(script, observations)
    print(f"  {by_cpu:,.0f} per CPU second of host and script together")
    in_batches = applications(game)
    print(f"in batches of {BATCH}:         {in_batches:,.0f} rule applications/s")
    for agent in (here, isolated, script):
        agent.close()
    end_idle()
    figures = {
        "in_process_ms": 1e3 * in_process,
        "isolated_ms": 1e3 * behind_wall,
        "overhead_ms": 1e3 * overhead,
        "decisions": decisions,
        "decisions_per_cpu_second": by_cpu,
        "applications": in_batches,
    }
    publish("scripts", figures)
    close(overhead / 0.0002, "overhead of a decision at most 0.2 ms; the ratio is to that")


if __name__ == "__main__":
    main()
