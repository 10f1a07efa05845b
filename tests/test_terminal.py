"""Playing at the terminal: sets chosen at once, cards looked up, games left and continued, keys typed too early."""

from __future__ import annotations

import io
import os
import pty
import random
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

import boardwright as bw
from boardwright.agents import Decision, Reason
from boardwright.arena.loop import LeaveGame
from boardwright.arena.record import read_records
from boardwright.errors import BadSpec
from boardwright.files import alone
from boardwright.games.race.for_players import set_choice
from boardwright.games.race.state import DISCARD, FOR_VP
from boardwright.kernel import State
from boardwright.kernel.set_choice import SetChoice
from boardwright.terminal.answers import moves_in, pick, places_in
from boardwright.terminal.explain import position_after
from boardwright.terminal.help import help_text
from boardwright.terminal.human import Human
from boardwright.terminal.layout import hanging
from boardwright.terminal.menu import menu_of
from boardwright.terminal.reasons import reasons_table, why_not_the_highest
from boardwright.terminal.unfinished import clear_leftovers
from boardwright.web.views import choices

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


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("2", 1),
        ("gonke to c3", 0),
        ("to d4", 1),
        ("longtooth c3", 0),
        ("DRAW A CARD", 2),
        ("gonke", None),
        ("c9", None),
    ],
)
def test_any_part_that_fits_only_one_is_an_answer(answer: str, place: int | None) -> None:
    assert pick(answer, ["Gonke Longtooth ↑5 to c3", "Gonke Longtooth ↑5 to d4", "draw a card"]) == place


def test_the_number_of_a_choice_is_that_of_its_column() -> None:
    """Also where a column before it is full: no other disc is dropped without a word."""
    game = bw.game("connect_four")
    full = ["4"] * 6
    state = position_after(game, None, 0, {}, [*full, "5"], 0)
    assert state.record.height.tolist() == [0, 0, 0, 6, 1, 0, 0]
    with pytest.raises(BadSpec, match=r"move 7, '4', is not one of the choices: 1 column 1; .*3 column 3; 5 column 5"):
        position_after(game, None, 0, {}, [*full, "4"], 0)
    observation = position_after(game, None, 0, {}, full, 0).observation(0)
    menu = menu_of(observation, observation.legal_actions())
    assert (menu.understand("4"), menu.understand("5"), menu.understand("column 5")) == ([], 4, 4)
    assert menu.keys() == {0: "1", 1: "2", 2: "3", 4: "5", 5: "6", 6: "7"}
    person = Answering(game, 0).answers_with("4", "7")
    assert person.decide(observation).action == 6
    said = person.written.getvalue()
    assert "3 column 3  5 column 5" in said
    assert "'4' is not one of the choices" in said
    assert [choice.number for choice in choices(observation)] == [1, 2, 3, 5, 6, 7], "as the page's keys"


def test_moves_are_numbers_or_names() -> None:
    assert moves_in("4 4,3") == ["4", "4", "3"]
    assert moves_in("column 4, column 3") == ["column 4", "column 3"]


def test_long_lines_go_on_further_in() -> None:
    assert hanging("  Old Earth (world, cost 3, 2 VP)", 22) == "  Old Earth (world,\n  cost 3, 2 VP)"
    assert max(map(len, hanging("word " * 60, 40).split("\n"))) <= 40


def test_a_game_is_left_continued_and_recorded() -> None:
    left = play("connect_four", "--vs", "random", "--seed", "3", answers="4\n4\nq\n")
    assert left.returncode == 0, left.stderr
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


def test_what_a_killed_game_left_behind_is_cleared_away() -> None:
    folder = Path("games")
    folder.mkdir()
    game = "connect_four-seed7.unfinished"
    played = "connect_four-seed8.unfinished.lock"
    for name in (f"{game}.json", f"{game}.lock", f".{game}.json.a1b2", played, "mine.lock"):
        (folder / name).touch()
        os.utime(folder / name, (0, 0))
    (folder / "connect_four-seed9.unfinished.lock").touch()  # of somebody who just begins
    with alone(folder / played, "busy"):
        clear_leftovers()
        left = [played, "connect_four-seed9.unfinished.lock", "mine.lock"]
        assert sorted(os.listdir(folder)) == sorted([f"{game}.json", *left])


def test_one_reason_more_is_shown_instead_of_counted() -> None:
    observation = bw.game("connect_four").new(seed=1).observation(0)
    for columns, counted in ((7, False), (5, True)):
        decision = Decision(0, tuple(Reason(column, weight=0.1) for column in range(7)))
        console = Console(width=80, record=True, file=io.StringIO())
        console.print(reasons_table(observation.game, observation, decision, most=columns if counted else 6))
        said = console.export_text()
        assert ("and 2 more" in said) is counted
        assert ("column 7" in said) is not counted


class Answering(Human):
    """A person whose answers are written down, at a terminal that is read."""

    def prepare(self) -> None:
        super().prepare()
        self.written = io.StringIO()
        self.console = Console(file=self.written, width=80, height=40)

    def answers_with(self, *answers: str) -> Answering:
        self._typed = iter(answers)
        return self

    def read(self, prompt: str) -> str:
        return next(self._typed)


@pytest.mark.parametrize(
    ("answer", "said"), [("b", "no step to go back to"), ("card", "which card?"), ("nix", "'nix' is not one of")]
)
def test_what_is_no_answer_is_told_what_it_does(answer: str, said: str) -> None:
    game = bw.game("lords")
    person = Answering(game, 0).answers_with(answer, "q")
    with pytest.raises(LeaveGame):
        person.decide(game.new(seed=1).observation(0))
    assert said in person.written.getvalue()


def test_where_one_is_discarded_one_number_is_asked_for() -> None:
    game = bw.game("race")
    for most, how in ((1, "a number"), (2, "numbers, as 1 3")):
        choice = SetChoice("discard", ("Gem World", "Old Earth", "Mars"), ("",) * 3, ("",) * 3, most, most, False, list)
        person = Answering(game, 0).answers_with("q")
        with pytest.raises(LeaveGame):
            person._ask_for_set(game.new(seed=1).observation(0), choice)
        assert f"of 3: {how}" in person.written.getvalue()


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
    seen += read_until(ours, "X (you): column")
    seen += read_until(ours, "(h for help)")
    os.write(ours, b"q\n")
    process.wait(timeout=60)
    assert "X (you): column 7" in seen
    assert "X (you): column 4" not in seen


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
    assert "Galactic Resort: world, cost 3, 2 VP, novelty" in said
    assert "Discard 2 of 6:" in said
    assert "discard Gem World, Colony Ship" in said
    assert max(map(len, said.splitlines())) < 120


def test_a_hint_for_a_set_names_the_whole_set_and_what_to_type() -> None:
    said = play("race", "--vs", "random", "--seed", "5", answers="?\nq\n").stdout
    found = re.search(r"would discard ([A-Z].*), ([A-Z].*): type (\d) (\d)", " ".join(said.split()))
    assert found, said
    names = [re.search(rf"^{number} ([^:]+):", said, re.M)[1] for number in found.group(3, 4)]  # type: ignore[index]
    assert list(found.group(1, 2)) == names
    taken = play("race", "--vs", "random", "--seed", "5", answers=f"{found[3]} {found[4]}\nq\n").stdout
    assert f"discard {found[1]}, {found[2]}" in taken


def test_a_hint_says_what_to_type_for_each_action() -> None:
    said = play("lords", "--vs", "random", "--seed", "5", "--hints", "ismcts:iterations=30", answers="1\n?\nq\n").stdout
    rows = re.findall(r"^ (\d) ([a-g][1-6]) +(\S.*?) to ([a-g][1-6])( ←)? ", said, re.M)
    assert rows, said
    assert all(square == named for _, square, _, named, _ in rows)
    assert "expects" in said


def test_help_has_rules_marks_and_what_columns_mean() -> None:
    for game in ("lords", "race", "wonders", "colonizers"):
        text = " ".join(help_text(bw.game(game), True).split())
        assert all(f"{column}: " in text for column in ("expects", "visits", "prior", "share"))
        assert "in short" in text
        assert "card NAME" in text
        assert "In the position" in text or "On the board" in text
    assert "0 is the worst result, 1 the best" in help_text(bw.game("lords"), True)


def test_help_takes_the_rules_from_the_guide_where_no_others_are_written() -> None:
    text = " ".join(help_text(bw.game("kuhn_poker"), True).split())
    assert "Kuhn poker in short[/] Win chips. The higher card wins the pot: King over Queen over Jack." in text
    assert "After a bet: Call it with a chip" in text
    assert "Be the first to have four discs in a line" in help_text(bw.game("connect_four"), True)


@pytest.mark.parametrize("game", ["lords", "race", "wonders", "colonizers"])
def test_every_card_can_be_looked_up(game: str) -> None:
    cards = bw.game(game).text.cards
    assert cards is not None
    found = cards()
    assert len(found) > 15
    assert all(text.startswith(name) and len(text) > len(name) for name, text in found.items())
    name = sorted(found)[3]
    said = play(game, "--vs", "random", "--seed", "5", answers=f"card {name}\nq\n").stdout
    assert " ".join(found[name].split()) in " ".join(said.split())


@pytest.mark.parametrize(
    ("reasons", "line"),
    [
        ((Reason(0, 0.4, 0.9, 90), Reason(1, 0.6, 0.1, 10)), "from 10 visits against 90"),
        ((Reason(0, 0.4, 0.8, 30), Reason(1, 0.6, 0.2, 30)), "a prior of 20.0% against 80.0%"),
        ((Reason(0, 0.4), Reason(1, 0.6)), "this agent does not choose by the value alone"),
        ((Reason(0, 0.6), Reason(1, 0.4)), ""),
        ((Reason(0, note="a rule"), Reason(1)), ""),
    ],
)
def test_why_an_action_of_lower_value_is_chosen_is_said(reasons: tuple[Reason, ...], line: str) -> None:
    observation = bw.game("connect_four").new(seed=1).observation(0)
    said = why_not_the_highest(observation.game, observation, Decision(0, reasons))
    assert line in said if line else said == ""


def test_priors_are_not_called_shares() -> None:
    observation = bw.game("connect_four").new(seed=1).observation(0)
    for reasons, head in (
        ((Reason(0, 0.4, 0.75, 30), Reason(1, 0.6, 0.25, 10)), "share"),
        ((Reason(0, 0.4, 0.2, 30), Reason(1, 0.6, 0.8, 10)), "prior"),
    ):
        written = io.StringIO()
        Console(file=written, width=80).print(reasons_table(observation.game, observation, Decision(0, reasons)))
        assert head in written.getvalue()
