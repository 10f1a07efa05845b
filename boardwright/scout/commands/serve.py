"""Running the server from the command line: which agent, what is printed, how it ends."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

from boardwright.agents import Spec
from boardwright.errors import BadSpec
from boardwright.games.race.declaration import game
from boardwright.kernel.position import check_seed
from boardwright.registry import agent_class
from boardwright.scout.remote.frames import Patience
from boardwright.scout.remote.server import Server
from boardwright.scout.remote.session import Player

_PREFERRED = ("scout2", "heuristic")


def spec_for(agent: str | None, library: Path | None) -> str:
    """The agent that answers; a library is a parameter of agents that have one."""
    spec = agent or next(name for name in _PREFERRED if name in game.agents)
    if library is None:
        return spec
    parsed = Spec.parse(spec)
    if "library" not in agent_class(parsed.name, game).parameters():
        raise BadSpec(f"agent {parsed.name!r} has no case library, so --library {library} is of no use to it")
    if "library" in parsed.params:
        raise BadSpec(f"--agent {spec!r} and --library {library} both name a case library")
    return str(Spec(parsed.name, {**parsed.params, "library": str(library)}))


def serve_until_stopped(spec: str, host: str, port: int, seed: int, silence: float) -> None:
    """Answer engines until Ctrl-C, then say how it went."""
    player = Player(spec, check_seed(seed))
    player.check()
    lock = threading.Lock()

    def log(line: str) -> None:
        with lock:
            print(" ".join(line.split()), flush=True)

    with Server(player, host, port, log=log, patience=Patience(silence=silence)) as server:
        log(f"{spec} answers on {host}, port {server.port}; Ctrl-C stops")
        with suppress(KeyboardInterrupt):
            server.serve_forever()
        server.hang_up()
        log(f"stopped: {server.tally}")
