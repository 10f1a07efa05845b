"""Start-up: a warm `boardwright match` against a bare interpreter, `--help`, and a first compile."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from common import close, publish, seconds, side_by_side

FIRST_GAMES = ("connect_four", "kuhn_poker")


def command(*arguments: str, folder: str, **env: str) -> None:
    subprocess.run(
        [sys.executable, *arguments], cwd=folder, env={**os.environ, **env}, check=True, stdout=subprocess.DEVNULL
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        match = ("-m", "boardwright", "match", "connect_four", "random", "random", "--games", "1")
        warm, bare = side_by_side(lambda: command(*match, folder=folder), lambda: command("-c", "pass", folder=folder))
        asking = side_by_side(
            lambda: command("-m", "boardwright", "--help", folder=folder), lambda: command("-c", "pass", folder=folder)
        )[0]
        cold = seconds(
            lambda: command(
                "-m", "boardwright", "compile", *FIRST_GAMES, folder=folder, BOARDWRIGHT_CACHE=f"{folder}/cache"
            )
        )
    print(f"bare interpreter:                {bare:6.2f} s")
    print(f"boardwright --help:              {asking:6.2f} s (target: under 0.5 s)")
    print(f"boardwright match, one game:     {warm:6.2f} s (target: under 1.5 s)")
    print(f"first compile of search, 2 games:{cold:6.2f} s (target: under 60 s)")
    publish("startup", {"bare_s": bare, "help_s": asking, "match_s": warm, "first_compile_s": cold})
    close(warm / bare, "a warm match in under 1.5 s; the ratio is to the bare interpreter")


if __name__ == "__main__":
    main()
