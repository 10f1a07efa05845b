"""What the person at the terminal is told of the others' actions: all that its seat sees, and nothing else."""

from __future__ import annotations

import io
import re
from collections import Counter

import pytest
from rich.console import Console

import boardwright as bw
from boardwright.agents import Agent, Decision
from boardwright.arena.loop import play_game
from boardwright.games.wonders.cards import KINDS, NAMES
from boardwright.kernel import Observation
from boardwright.terminal.playing import Narrator


class Person(Agent):
    """Plays the first action on the list."""

    interactive = True

    def decide(self, observation: Observation) -> Decision:
        return Decision(observation.legal_actions()[0])


def transcript(game: str, seats: int, seat: int, seed: int) -> tuple[bw.State, list[str]]:
    """A game of a person against random players, and the lines that it read about the others' moves."""
    loaded = bw.game(game)
    agents: list[Agent] = [bw.agent("random", loaded, other, seed=seed + other) for other in range(seats)]
    agents[seat] = Person(loaded, seat)
    written = io.StringIO()
    console = Console(width=200, file=written)
    state = play_game(loaded.new(seed=seed, seats=seats), agents, [Narrator(console, ["random"] * seats, False)])
    lines = [line for line in written.getvalue().splitlines() if re.match(r"(→ )?seat \d", line)]
    return state, [line for line in lines if not line.startswith(f"seat {seat + 1} ")]


@pytest.mark.parametrize(
    ("seat", "seeds"), [(0, 1), (2, 1), (3, 1), *(pytest.param(seat, 4, marks=pytest.mark.slow) for seat in (0, 2, 3))]
)
def test_in_7_wonders_every_build_is_told_once_and_no_card_that_goes_face_down(seat: int, seeds: int) -> None:
    for seed in range(seeds):
        state, lines = transcript("wonders", 4, seat, seed)
        for other in {0, 1, 2, 3} - {seat}:
            about = [line for line in lines if f"seat {other + 1} " in line]
            built = [re.search(r"(?:: build|builds) ([A-Z][\w' ]*?)(?: \(| free| from|$)", line) for line in about]
            told = Counter(match[1] for match in built if match)
            standing = [NAMES[kind] for kind in range(KINDS) if state.record.city[other].built[kind]]
            assert told == Counter(standing)
            hidden = [line for line in about if "discard " in line or "tuck" in line]
            assert hidden == [], "these cards lie face down"


def test_in_race_for_the_galaxy_secret_choices_are_told_when_all_have_chosen() -> None:
    _, lines = transcript("race", 3, 0, seed=1)
    assert any(re.match(r"→ seat \d has chosen (Explore|Develop|Settle|Consume|Produce)", line) for line in lines)
    assert any(re.match(r"→ seat \d places [A-Z]", line) for line in lines)


def test_in_colonizers_a_colonist_is_told_with_the_draw() -> None:
    _, lines = transcript("colonizers", 4, 1, seed=1)
    assert any(re.match(r"→ seat [134] is the [A-Z]", line) for line in lines)
