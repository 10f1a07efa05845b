"""Fixed seeds give the games, observations and samples they always gave, in every large game.

What is hidden, and how it is drawn, is described by other tests; here a slip anywhere in it shows, whichever branch it
is in. `python -m tests.test_fixed_seed_samples` writes what is compared with; only a change of the rules, of what is
hidden or of how it is drawn may.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import numpy as np
import pytest

import boardwright as bw
from boardwright.kernel import TERMINAL, rng
from boardwright.kernel.options import encode_options

EXPECTED = Path(__file__).parent / "data" / "fixed_seed_samples.json"
OTHER_READINGS = {
    "challenge_squares": "a1", "challenge_fights": "true", "no_enemy": "beside_friend", "no_room": "skip",
    "show_hand": "false", "inactive_may_shoot": "true", "engaged_may_shoot": "true", "extra_turn": "either",
    "must_reinforce": "false", "recall_test": "before", "took_part": "engaged", "empty_hand": "loses",
}  # fmt: skip
"""Of the rulebook of Lords of War."""
GAMES = {
    "colonizers": ("colonizers", 4, {}),
    "colonizers-leak": ("colonizers", 4, {"leak": "true", "bonus": "as_run"}),
    "lords": ("lords", 2, {"armies": "elf,undead"}),
    "lords-readings": ("lords", 2, {"armies": "orc,elf", **OTHER_READINGS}),
    "race": ("race", 2, {}),
    "race-4": ("race", 4, {}),
    "race-keldon": ("race", 2, {"generator": "keldon"}),
    "wonders": ("wonders", 3, {}),
    "wonders-5": ("wonders", 5, {"sides": "B", "payments": "undominated", "slips": "all"}),
}
EVERY = 5
"""What seats see, and samples of it, are looked at every so many moves."""
MOST_MOVES = 300
SEEDS = range(11, 17)


def checksums(name: str, seats: int, given: dict[str, str]) -> dict[str, int]:
    """Of games of random actions: what was legal, where it led, what seats saw of it and learned, what they believed
    afterwards."""
    game = bw.game(name)
    entries, codes = game.entries, encode_options(name, game.options, given)
    memory, legal = np.zeros(game.state.itemsize, np.uint8), np.zeros(game.max_legal, np.int64)
    found = dict.fromkeys(("legal", "positions", "sights", "observations", "samples"), 0)

    def note(what: str, value: np.ndarray) -> None:
        found[what] = zlib.crc32(np.ascontiguousarray(value), found[what])

    for seed in SEEDS:
        rng_state = rng.generator(seed)
        memory[:] = 0
        entries.setup(memory, np.uint64(seed), seats, codes)
        for move in range(MOST_MOVES):
            if entries.player(memory) == TERMINAL:
                break
            number = entries.legal(memory, legal)
            note("legal", legal[:number])
            if move % EVERY == 0:
                for seat in range(seats):
                    seen = memory.copy()
                    entries.observe(seen, seat)
                    note("observations", seen[: game.seed_bytes])
                    for draw in range(2):
                        sample = seen.copy()
                        entries.determinize(sample, seat, np.uint64(rng.derive(seed, move, draw)))
                        note("samples", sample[: game.seed_bytes])
            action, before = entries.choose("random")(memory, legal, rng_state), memory.copy()
            sights = [entries.action_observation(memory, action, seat) for seat in range(seats)]
            entries.apply(memory, action)
            sights += [entries.learned(before, memory, seat) for seat in range(seats)]
            note("sights", np.array(sights, np.int64))
            note("positions", memory[: game.seed_bytes])
    return found


@pytest.mark.parametrize("variant", GAMES)
def test_games_observations_and_samples_are_those_they_were(variant: str) -> None:
    expected = json.loads(EXPECTED.read_text())[variant]
    assert checksums(*GAMES[variant]) == expected, f"if that is meant: python -m {__name__}"


def main() -> None:
    EXPECTED.write_text(json.dumps({name: checksums(*about) for name, about in GAMES.items()}, indent=1) + "\n")


if __name__ == "__main__":
    main()
