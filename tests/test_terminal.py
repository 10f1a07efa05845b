"""Playing at the terminal: sets chosen at once, cards looked up, games left and continued, keys typed too early."""

from __future__ import annotations

import os
import pty
import random
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

import boardwright as bw
from boardwright.arena.record import read_records
from boardwright.games.race.for_players import set_choice
from boardwright.games.race.state import DISCARD, FOR_VP
from boardwright.kernel import State
from boardwright.terminal.answers import moves_in, places_in
from boardwright.terminal.layout import hanging

PLAY = [sys.executable, "-m", "boardwright", "play"]


def play(*arguments: str, answers: str, columns: int = 80) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PLAY, *arguments],
        input=answers,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": str(columns)},
    )


@pytest.mark.parametrize("generator", ["kernel", "keldon"])
def test_any_set_of_cards_can_be_chosen_and_is_what_goes(generator: str) -> None:
    chance, sets, game = random.Random(4), 0, bw.game("race")
    for seed in range(6):
        state = game.new(seed=seed, generator=generator)
        while not state.is_terminal:
            choice = set_choice(state.record)
            if choice is None or choice.begun:
                state.apply(chance.choice(state.legal_actions()))
                continue
            sets += 1
            seat, question = state.player, state.record.question
            size = chance.randint(choice.least, choice.most)
            chosen = sorted(chance.sample(range(len(choice.items)), size))
            before = state.copy()
            steps = choice.actions(chosen)
            for step in steps:
                assert state.player == seat
                state.apply(step)
            if question == DISCARD and state.record.hand_size[seat] == before.record.hand_size[seat] - len(chosen):
                assert cards_gone(before, state, seat) == sorted(choice.items[place] for place in chosen)
            if question == FOR_VP:
                assert state.record.chips[seat] >= before.record.chips[seat] + len(chosen)
    assert sets > 100


def cards_gone(before: State, after: State, seat: int) -> list[str]:
    from boardwright.games.race.bits import members
    from boardwright.games.race.text import name

    gone = {*members(before.record.hand[seat])} - {*members(after.record.hand[seat])}
    return sorted(name(card) for card in gone)


@pytest.mark.parametrize(
    ("answer", "places"),
    [
        ("1 3", [0, 2]),
        ("3,1", [0, 2]),
        ("but 2", [0, 2, 3]),
        ("old earth, mining", [0, 1]),
        ("twin, twin", [2, 3]),
        ("none", []),
        ("1 1", None),
        ("5", None),
        ("venus", None),
    ],
)
def test_sets_are_understood(answer: str, places: list[int] | None) -> None:
    assert places_in(answer, ["Old Earth", "Mining World", "Twin", "Twin"]) == places


def test_moves_are_numbers_or_names() -> None:
    assert moves_in("4 4,3") == ["4", "4", "3"]
    assert moves_in("column 4, column 3") == ["column 4", "column 3"]


def test_long_lines_go_on_further_in() -> None:
    assert hanging("  Old Earth (world, cost 3, 2 VP)", 22) == "  Old Earth (world,\n  cost 3, 2 VP)"
    assert max(map(len, hanging("word " * 60, 40).split("\n"))) <= 40


def test_a_game_is_left_continued_and_recorded() -> None:
    left = play("connect_four", "--vs", "random", "--seed", "3", answers="4\n4\nq\n")
    assert left.returncode == 130
    assert "Seed 3." in left.stdout
    assert "Go on with: boardwright play connect_four --resume --seed 3" in left.stdout
    refused = play("connect_four", "--resume", "--vs", "uct", answers="")
    assert refused.returncode == 1
    assert "leave out those given here" in refused.stderr
    continued = play("connect_four", "--resume", answers="u\n" + "4\n" * 3 + "1\n" * 40)
    assert continued.returncode == 0, continued.stderr
    assert "O (random)" in continued.stdout
    (record,) = read_records(Path("games/connect_four.jsonl"))
    assert record.seed == 3
    assert record.final().is_terminal
    assert sorted(os.listdir("games")) == ["connect_four.jsonl"]
    again = play("connect_four", "--vs", "random", "--seed", "3", answers="1\n" * 60)
    assert "boardwright replay games/connect_four.jsonl --game 2" in again.stdout
    nothing = play("connect_four", "--resume", answers="")
    assert nothing.returncode == 1
    assert "no game of connect_four was left in games/" in nothing.stderr


def test_what_was_typed_while_others_think_is_no_answer() -> None:
    """On a terminal, keys typed before the question are dropped."""
    ours, theirs = pty.openpty()
    plain = {**os.environ, "TERM": "dumb", "NO_COLOR": "1"}
    command = [*PLAY, "connect_four", "--vs", "random", "--seed", "3"]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=plain)
    os.write(ours, b"4\n")
    seen = read_until(ours, "(h for help)")
    time.sleep(1)
    assert process.poll() is None
    os.write(ours, b"7\n")
    seen += read_until(ours, "X (human): column")
    seen += read_until(ours, "(h for help)")
    os.write(ours, b"q\n")
    process.wait(timeout=60)
    assert "X (human): column 7" in seen
    assert "X (human): column 4" not in seen


def read_until(terminal: int, text: str) -> str:
    seen, deadline = "", time.monotonic() + 90
    while text not in seen:
        assert time.monotonic() < deadline, seen
        if select.select([terminal], [], [], 1)[0]:
            seen += os.read(terminal, 4096).decode(errors="replace")
    return seen


def test_a_person_reads_costs_and_powers_and_looks_cards_up() -> None:
    said = play("race", "--vs", "random", "--seed", "5", answers="card mining league\n1 2\nq\n", columns=60).stdout
    assert "points at the end: 2 per rare production world" in said
    assert "Galactic Resort (world, cost 3, 2 VP, novelty" in said
    assert "Discard 2 of 6:" in said
    assert "discard Gem World, Colony Ship" in said
    assert max(map(len, said.splitlines())) < 120
