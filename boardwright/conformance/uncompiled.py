"""Compiled and uncompiled rules play the same games."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np

from boardwright.conformance.promises import Failure, check, must
from boardwright.conformance.walking import Progress, variants, walk
from boardwright.kernel import Game, SparseFeatures, rng

_UNCOMPILED_GAMES = 2
"""Of each variant: uncompiled rules take a hundred times as long as compiled ones."""


@check("compiled and uncompiled rules play the same games")
def uncompiled_plays_the_same(game: Game, games: int, seed: int) -> None:
    games = min(games, _UNCOMPILED_GAMES)
    command = [sys.executable, "-P", "-W", "error::RuntimeWarning", "-m", "boardwright.conformance", "digests"]
    Progress.waiting = True
    try:
        finished = subprocess.run(
            [*command, game.source or game.name, str(games), str(seed)],
            env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        Progress.waiting = False
    if finished.returncode != 0:
        raise Failure(f"uncompiled rules fail: {(finished.stderr.strip().splitlines() or ['no message'])[-1]}")
    compiled_digests, uncompiled_digests = digests(game, games, seed), finished.stdout.split()
    for number, (ours, theirs) in enumerate(zip(compiled_digests, uncompiled_digests, strict=True)):
        must(
            ours == theirs,
            "compiled and uncompiled rules differ",
            f"game {number + 1} of the variants in order",
        )


def digests(game: Game, games: int, seed: int) -> list[str]:
    """One digest per random game, over every state, observation, determinization, score, list of legal actions and
    choice of a policy in it."""
    found = []
    scratch, sparse = np.zeros(game.max_legal, np.int64), SparseFeatures.with_capacity(len(game.learning.feature_names))
    for seats, options in variants(game):
        for number in range(games):
            sha = hashlib.sha256()
            for _, state, legal in walk(game, seats, options, rng.derive(seed, number)):
                sha.update(bytes(state))
                sha.update(repr((legal, state.scores, state.returns)).encode())
                for seat in range(state.seats):
                    observation = state.observation(seat)
                    sha.update(bytes(observation))
                    sha.update(bytes(observation.determinize(seed=seed)))
                    if game.learning.features is not None:
                        game.entries.features(observation.memory, seat, sparse)
                        sha.update(sparse.dense(len(game.learning.feature_names)).tobytes())
                for policy in () if state.is_terminal else game.search.policies:
                    observation, rng_state = state.observation(state.player), rng.generator(seed)
                    sha.update(str(game.entries.choose(policy)(observation.memory, scratch, rng_state)).encode())
            found.append(sha.hexdigest())
    return found
