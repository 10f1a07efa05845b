"""Lords of War: fixed seeds give the games and the decisions they always gave, whatever is done for speed.

`python -m tests.test_lords_fixed_seed` writes what they are compared with; only a change of the rules or of search may.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.games.lords.cards import ARMIES
from boardwright.kernel import TERMINAL, rng
from boardwright.kernel.options import encode_options

EXPECTED = Path(__file__).parent / "data" / "lords" / "fixed_seeds.json"
GAME = bw.game("lords")
OTHER_READINGS = {name: option.others[0] for name, option in GAME.options.items() if option.others}
VARIANTS: dict[str, dict[str, Any]] = {
    **{f"{first},{second}": {"armies": f"{first},{second}"} for first in ARMIES for second in ARMIES},
    "armies=undead": {"armies": "undead"},
    **{f"{name}={value}": {"armies": "elf,undead", name: value} for name, value in OTHER_READINGS.items()},
}
GAMES_EACH = 12
TO_THE_END = "exploration=1,playout=random,plies=-1"
AGENTS = {
    f"uct:iterations=400,{TO_THE_END}": "open",
    f"uct:iterations=200,{TO_THE_END}": "hidden",
    f"ismcts:iterations=400,{TO_THE_END}": "hidden",
    f"ismcts:iterations=200,variant=mo,{TO_THE_END}": "hidden",
    f"ismcts:iterations=200,loop=closed,{TO_THE_END}": "hidden",
    "uct:iterations=300": "open",
    "ismcts:iterations=300": "hidden",
    "uct:iterations=200,playout=greedy": "open",
    "heuristic:evaluation=h4": "hidden",
    **{
        f"uct:iterations=200,{TO_THE_END},limit={limit},prune={by}{more}": "open"
        for by, limit, more in (
            ("h1", 5, ""),
            ("h2", 15, ""),
            ("h3", 5, ""),
            ("h4", 15, ",extrapolate=true"),
            ("h5", 5, ",extrapolate=true"),
            ("h6", 5, ""),
            ("h4+h11", 5, ""),
        )
    },
    f"ismcts:iterations=200,{TO_THE_END},limit=5,prune=h4,extrapolate=true": "hidden",
    f"uct:iterations=200,{TO_THE_END},rave=100": "open",
}


def games(options: dict[str, Any]) -> int:
    """A check sum over every position of some random games."""
    entries, codes = GAME.entries, encode_options("lords", GAME.options, options)
    legal, memory = np.zeros(GAME.max_legal, np.int64), np.zeros(GAME.state.itemsize, np.uint8)
    rng_state, found = rng.generator(5), 0
    for seed in range(GAMES_EACH):
        memory[:] = 0
        entries.setup(memory, np.uint64(seed), 2, codes)
        while entries.player(memory) != TERMINAL:
            n = entries.legal(memory, legal)
            entries.apply(memory, legal[rng.draw(rng_state) % n])
            found = zlib.crc32(memory[: GAME.seed_bytes], found)
            found = zlib.crc32(legal[:n], found)
    return found


def playouts(policy: str) -> int:
    """A check sum over how random games end that a playout plays, and over the generator they leave behind."""
    entries, codes = GAME.entries, encode_options("lords", GAME.options, {"armies": "elf,undead"})
    play, scratch, rng_state, found = entries.playout(policy), np.zeros(GAME.max_legal, np.int64), rng.generator(6), 0
    for seed in range(200):
        memory = np.zeros(GAME.state.itemsize, np.uint8)
        entries.setup(memory, np.uint64(seed), 2, codes)
        play(memory, scratch, rng_state)
        found = zlib.crc32(rng_state, zlib.crc32(memory[: GAME.seed_bytes], found))
    return found


def decisions(spec: str, information: str) -> list[str]:
    """What an agent thinks of its options at three places of a game: action, visits or value."""
    state = GAME.new(seed=4, armies="orc,elf", information=information)
    rng_state, found = rng.generator(7), []
    for move in range(42):
        legal = state.legal_actions()
        if move in (3, 20, 41):
            decision = bw.agent(spec, GAME, state.player, seed=9).decide(state.observation(state.player))
            seen = [(reason.action, reason.visits, round(reason.value, 9)) for reason in decision.reasons]
            found.append(f"{decision.action}: {zlib.crc32(repr(sorted(seen)).encode())}")
        state.apply(legal[rng.draw(rng_state) % len(legal)])
    return found


def expected() -> dict[str, Any]:
    return json.loads(EXPECTED.read_text())


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_are_those_they_were(variant):
    assert games(VARIANTS[variant]) == expected()["games"][variant]


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_playouts_are_those_they_were(policy):
    assert playouts(policy) == expected()["playouts"][policy]


@pytest.mark.parametrize("spec", AGENTS)
def test_decisions_are_those_they_were(spec):
    assert decisions(spec, AGENTS[spec]) == expected()["decisions"][spec]


def main() -> None:
    found = {
        "games": {name: games(options) for name, options in VARIANTS.items()},
        "playouts": {policy: playouts(policy) for policy in ("random", "greedy")},
        "decisions": {spec: decisions(spec, information) for spec, information in AGENTS.items()},
    }
    EXPECTED.parent.mkdir(exist_ok=True)
    EXPECTED.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
