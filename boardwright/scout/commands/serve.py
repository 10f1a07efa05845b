"""Running the server from the command line: which agent, what is printed, how it ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rich.console import Console

from boardwright.agents import Agent, Spec
from boardwright.agents.base import checked_params
from boardwright.errors import BadSpec
from boardwright.games.race.declaration import game
from boardwright.kernel.position import check_seed
from boardwright.registry import agent_class
from boardwright.scout.cases.files import exclusive
from boardwright.scout.remote.conformance import Check, check_server
from boardwright.scout.remote.frames import Timeouts
from boardwright.scout.remote.server import Server
from boardwright.scout.remote.session import AgentFactory
from boardwright.scout.run import check_plan, keep_plan
from boardwright.scout.scout3 import Scout3, open_controller, store_of

ERA = 200
"""Games of an era, as in the dissertation."""


def spec_for(agent: str | None, case_base: Path | None) -> str:
    """The agent that answers; a case base is a parameter of agents that have one."""
    spec = agent or "scout2"
    if case_base is None:
        return spec
    parsed = Spec.parse(spec)
    if "case_base" not in agent_class(parsed.name, game).parameters():
        raise BadSpec(f"agent {parsed.name!r} has no case base, so --case-base {case_base} is of no use to it")
    if "case_base" in parsed.params:
        raise BadSpec(f"--agent {spec!r} and --case-base {case_base} both name a case base")
    return str(Spec(parsed.name, {**parsed.params, "case_base": str(case_base)}))


@contextmanager
def agent_factory(spec: str, seed: int, era: int = ERA) -> Iterator[AgentFactory]:
    """Makes the agents of all games. Those of a learning scout3 share one case base, open as long as they play, which
    is kept as a run keeps its own: locked, of one plan, every game and era on the disk when it is over."""
    parsed = Spec.parse(spec)
    scout3 = agent_class(parsed.name, game) is Scout3
    if not scout3 or not checked_params(Scout3, dict(parsed.params))["learn"]:
        yield AgentFactory(spec, seed)
        return
    file, plan = store_of(parsed.params), {"served": _as_planned(parsed), "era": era}
    with exclusive(file):
        check_plan(file, plan)
        controller = open_controller(parsed.params, "served game", games_per_era=era)

        def create(seat: int, agent_seed: int) -> Agent:
            return Scout3(game, seat, seed=agent_seed, controller=controller, **parsed.params)

        try:
            keep_plan(controller.store, plan)
            yield AgentFactory(spec, seed, create)
        finally:
            controller.close()


def _as_planned(spec: Spec) -> str:
    """What of a spec concerns learning: the file may be called by another name next time."""
    return str(Spec(spec.name, {name: value for name, value in spec.params.items() if name != "case_base"}))


def serve_until_stopped(spec: str, host: str, port: int, seed: int, idle_timeout: float, era: int = ERA) -> None:
    """Answer engines until Ctrl-C, then say how it went."""
    check_seed(seed)
    lock = threading.Lock()

    def log(line: str) -> None:
        with lock:
            print(" ".join(line.split()), flush=True)

    with agent_factory(spec, seed, era) as factory:
        factory.check()
        with Server(factory, host, port, log=log, timeouts=Timeouts(idle=idle_timeout)) as server:
            log(f"{spec} answers on {host}, port {server.port}; Ctrl-C stops")
            with suppress(KeyboardInterrupt):
                server.serve_forever()
            server.close_connections()
            log(f"stopped: {server.counters}")


def show_checks(server: str, games: int, seed: int, console: Console) -> list[Check]:
    """A line for every promise of the protocol."""
    host, _, port = server.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise BadSpec(f"{server} should be HOST:PORT, as 127.0.0.1:4711")
    checks = []
    for one in check_server(host, int(port), games, seed):
        checks.append(one)
        verdict = "BROKEN" if not one.passed else "ok" if one.asked else "not asked"
        line = f"{verdict:6} {one.name}{f': {one.detail}' if one.detail else ''}"
        console.out(line, highlight=False)
    broken = sum(not one.passed for one in checks)
    kept = "all promises are kept" if all(one.asked for one in checks) else "all promises that were asked for are kept"
    console.out(f"{broken} of the promises are not kept" if broken else kept, highlight=False)
    return checks
