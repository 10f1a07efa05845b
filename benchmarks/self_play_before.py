"""Self-play by turn search, beside that of an earlier commit: games per CPU second in one run.

    python benchmarks/self_play_before.py [COMMIT] [--rounds N] [--game race] [--seats 2]

Both play the same few games turn by turn, each in a process of its own, so that a busy machine troubles them alike. The
games must come out the same; where they do not, the last digits of sums differ, and strength is to be compared.
"""

from __future__ import annotations

import argparse
import io
import statistics
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import close, publish

BASELINE = "317eeea"
"""The commit before the work on speed."""
GAMES, ROUNDS = 4, 40
HERE = Path(__file__).resolve().parent.parent

PLAYER = """
import hashlib, sys, time
sys.path.insert(0, sys.argv[1])
import boardwright as bw
from boardwright.kernel import rng
from boardwright.learn import self_play
from boardwright.learn.agents import NetSearch
from boardwright.learn.network_files import shipped_network
from boardwright.learn.trajectory import Trajectory
from boardwright.learn.turn_search import Models
from boardwright.learn.workspace import Workspace

game, seats, play = bw.game(sys.argv[2]), int(sys.argv[3]), self_play.kernel()
settings, weights = NetSearch(game, 0).settings, shipped_network(game, seats).weights
workspace, trajectory = Workspace.for_game(game, seats=seats), Trajectory.with_capacity()
for line in sys.stdin:
    first, games = map(int, line.split())
    digest, began = hashlib.sha256(), time.process_time()
    for seed in range(first, first + games):
        state = game.new(seed=seed, seats=seats)
        play(
            game.entries.learning_rules, Models(weights, weights), state.memory, seats, 1.0, settings,
            rng.generator(seed), workspace, trajectory,
        )
        digest.update(bytes(state.memory))
    print(time.process_time() - began, digest.hexdigest(), flush=True)
"""


def extract(commit: str, folder: Path) -> Path:
    """The package as it was."""
    archive = subprocess.run(
        ["git", "archive", commit, "boardwright"], cwd=HERE, capture_output=True, check=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return folder


class Player:
    def __init__(self, package: Path, game: str, seats: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PLAYER, str(package), game, str(seats)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def play(self, first: int, games: int) -> tuple[float, str]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(first, games, file=self.process.stdin, flush=True)
        seconds, digest = self.process.stdout.readline().split()
        return float(seconds), digest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit", nargs="?", default=BASELINE)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--game", default="race")
    parser.add_argument("--seats", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        packages = extract(given.commit, Path(folder)), HERE
        players = [Player(package, given.game, given.seats) for package in packages]
        for player in players:
            player.play(0, 1)  # compiles
        times: list[tuple[float, float]] = []
        same = True
        for number in range(given.rounds):
            order = players if number % 2 else players[::-1]
            played = {player: player.play(GAMES * number, GAMES) for player in order}
            times.append((played[players[0]][0], played[players[1]][0]))
            same &= played[players[0]][1] == played[players[1]][1]
        before, now = (GAMES / statistics.median(column) for column in zip(*times, strict=True))
        ratio = statistics.median(old / new for old, new in times)
        for player in players:
            player.process.kill()
    print(f"{given.commit}: {before:.1f} games per CPU second; now: {now:.1f}; {'the same' if same else 'other'} games")
    if (given.game, given.seats) == ("race", 2):  # the figures that the documentation states
        publish("self_play_before", {"before": before, "now": now, "ratio": ratio, "same_games": float(same)})
    close(ratio, "faster than before, with the same games")


if __name__ == "__main__":
    main()
