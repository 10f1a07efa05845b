"""One stage of a check, as a process of its own (process.py): `python -m boardwright.conformance STAGE GAME …`.

The stage "digests" prints digests of random games, which compiled and uncompiled processes must agree on. In the others
every promise is announced and then judged by a line of JSON. What the game's own functions print goes to stderr.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from boardwright.blame import place_of, sentence
from boardwright.conformance import CHECKS, Failure
from boardwright.conformance.bounds import OutOfBounds, compile_rules, play_within_bounds
from boardwright.conformance.first_games import play_first_games
from boardwright.conformance.source import check_source
from boardwright.conformance.uncompiled import digests
from boardwright.conformance.walking import Progress
from boardwright.errors import BoardwrightError
from boardwright.files import parse_json
from boardwright.kernel.compile import under_way as compiling
from boardwright.registry import load_game

SECONDS_PER_POSITION = 20
"""A compiled rule that has not come back by then never will."""

_OUT = os.fdopen(os.dup(1), "w")


def report(promise: str, **verdict: Any) -> None:
    _OUT.write(json.dumps({"promise": promise, **verdict}) + "\n")
    _OUT.flush()


def keep(promise: str, check: Callable[[], None]) -> None:
    """Announce a promise, check it, say the verdict; a failure ends the process."""
    report(promise)
    try:
        check()
    except OutOfBounds as error:
        report(promise, failure=str(error), game=error.game)
    except Failure as error:
        report(promise, failure=str(error))
    except (BoardwrightError, Exception) as error:
        if not isinstance(error, BoardwrightError) and not place_of(error):
            raise
        what = str(error) if isinstance(error, BoardwrightError) else sentence(error)
        report(promise, failure=f"{what} ({Progress.where})")
    else:
        report(promise, kept=True)
        return
    sys.exit(0)


def watch(promise: list[str]) -> None:
    """Say so if a compiled rule does not come back; and end if nobody listens any more. Compiling is not the rule's
    doing, however long it takes."""
    parent, seen, since = os.getppid(), -1, time.process_time()
    while os.getppid() == parent:
        time.sleep(0.2)
        if Progress.positions != seen or Progress.waiting or compiling:
            seen, since = Progress.positions, time.process_time()
        elif time.process_time() - since > SECONDS_PER_POSITION:
            report(promise[-1], failure=f"a rule does not come back within {SECONDS_PER_POSITION} s ({Progress.where})")
            os._exit(0)
    os._exit(1)


def main(stage: str, name: str, games: int, seed: int, *only: str) -> None:
    sys.stdout = sys.stderr
    try:
        game = load_game(name)
    except BoardwrightError as error:
        report("the game can be loaded", error=str(error))
        return
    if stage == "digests":
        print("\n".join(digests(game, games, seed)), file=_OUT)
        return
    if stage == "first":
        one = parse_json(only[0]) if only else None
        keep("functions take the arguments of the contract, and rules can be compiled", lambda: check_source(game))
        keep("the first games can be played, as plain Python", lambda: play_first_games(game, seed, one))
        return
    if stage == "bounds":
        keep("the rules compile", lambda: compile_rules(game))
        checks: dict[str, Callable[[], None]] = {
            "games end, and rules stay within their arrays": lambda: play_within_bounds(game, games, seed)
        }
    else:
        checks = {
            promise: lambda check=check: check(game, games=games, seed=seed)  # type: ignore[misc]
            for promise, check in CHECKS.items()
        }
    under_way = [""]
    threading.Thread(target=watch, args=(under_way,), daemon=True).start()
    for promise, check in checks.items():
        under_way.append(promise)
        keep(promise, check)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), *sys.argv[5:])
