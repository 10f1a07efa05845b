"""A game checked in processes of their own: a wrong rule may crash or hang them, and the check goes on to say so.

Three processes, one after the other: the first games as plain Python, the next ones compiled with bounds checks, then
every promise of the contract. The first failure is the root cause; nothing is checked after it.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from boardwright.errors import BoardwrightError
from boardwright.files import parse_json
from boardwright.platforms import name_of_signal
from boardwright.processes import end_python, start_python

STAGES: Mapping[str, Mapping[str, str]] = {
    "first": {"NUMBA_DISABLE_JIT": "1"},
    "bounds": {"NUMBA_BOUNDSCHECK": "1"},
    "checks": {},
}
"""By name: the environment that each is run in."""


@dataclass(frozen=True)
class Verdict:
    promise: str
    failure: str = ""
    """What is wrong; empty if the promise is kept."""


def check_game(name: str, games: int, seed: int) -> Iterator[Verdict]:
    """One verdict after the other, up to the first failure. BoardwrightError if the game cannot be loaded."""
    for stage in STAGES:
        for verdict in _run(stage, [name, str(games), str(seed)]):
            yield verdict
            if verdict.failure:
                return


def _run(stage: str, arguments: list[str]) -> Iterator[Verdict]:
    module = ("-W", "error::RuntimeWarning", "-m", "boardwright.conformance")
    process = start_python(*module, stage, *arguments, env=STAGES[stage], stdin=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    promise = "the game can be loaded"
    try:
        for line in process.stdout:
            message: dict[str, Any] = parse_json(line)
            promise = message["promise"]
            if "error" in message:
                raise BoardwrightError(message["error"])
            if "game" in message:
                yield Verdict(promise, _in_plain_python(arguments, message["game"]) or message["failure"])
                return
            if "failure" in message or "kept" in message:
                yield Verdict(promise, message.get("failure", ""))
        code = process.wait()
        if crash := name_of_signal(code):
            yield Verdict(promise, f"a rule has crashed the process ({crash})")
        elif code:
            raise BoardwrightError(f"the check itself failed in {promise!r}; see the messages above")
    finally:
        end_python(process)


def _in_plain_python(arguments: list[str], game: object) -> str:
    """What goes wrong in that game if it is played uncompiled, with the line; empty if nothing does."""
    verdicts = list(_run("first", [*arguments, json.dumps(game)]))
    return verdicts[-1].failure
