"""A match on a cluster of two nodes of this machine, of which one is killed in the middle; run by test_ray.py.

Prints "identical" if every game is there once and as it is at home.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

from boardwright.arena.match import Match
from boardwright.arena.record import first_games, read_records
from boardwright.arena.runner import MatchListener, run_match
from boardwright.executors import InProcess
from boardwright.ray_executor import OnRay

GAMES = 60


class KillNode(MatchListener):
    def __init__(self, cluster: Any, node: Any) -> None:
        self.cluster, self.node = cluster, node

    def finished_game(self, record: Any, standings: Any) -> None:
        if standings.games == GAMES // 4:
            self.cluster.remove_node(self.node, allow_graceful=False)
            print("node killed after", standings.games, "games", flush=True)


def main() -> None:
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    second = cluster.add_node(num_cpus=1)
    match = Match("connect_four", ("uct:iterations=6000", "uct:iterations=5000"), seed=9)
    with tempfile.TemporaryDirectory() as folder:
        home, away = Path(folder) / "home.jsonl", Path(folder) / "away.jsonl"
        run_match(match, GAMES, file=away, executor=OnRay(cluster.address), listeners=[KillNode(cluster, second)])
        assert len(read_records(away)) == GAMES
        run_match(match, GAMES, file=home, executor=InProcess())
        lines = [[record.line() for record in first_games(read_records(file), GAMES)] for file in (home, away)]
    assert lines[0] == lines[1]
    print("identical")
    ray.shutdown()
    cluster.shutdown()


if __name__ == "__main__":
    main()
