"""Whole games at a terminal of 80 × 24: position and question are in sight together, nothing is told twice."""

from __future__ import annotations

import re

import pytest

import boardwright as bw
from boardwright.kernel import Observation
from boardwright.terminal.menu import Menu, menu_of
from tests.terminal_screens import Played, play_and_read
from tests.test_terminal import play

LINES = 22
"""Of the 24 lines of the screen, a question with its position may take so many,"""
SHARE = 0.95
"""in so many of all prompts."""
TABLES = (("lords", 2), ("race", 2), ("wonders", 3), ("colonizers", 4))
SEEDS = (1, 2)


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: table[0])
def games(request: pytest.FixtureRequest) -> list[Played]:
    name, seats = request.param
    return [play_and_read(name, seats, seed) for seed in SEEDS]


def test_position_and_question_are_on_one_screen(games: list[Played]) -> None:
    heights = [height for game in games for height in game.heights]
    fit = sum(height <= LINES for height in heights) / len(heights)
    assert len(heights) >= 40
    assert fit >= SHARE, f"{fit:.1%} of {len(heights)} prompts; the highest: {sorted(heights)[-5:]}"


def test_no_line_is_wider_than_the_screen(games: list[Played]) -> None:
    assert [line for game in games for line in game.text.split("\n") if len(line) > 80] == []


def test_the_end_of_a_game_fits_the_screen(games: list[Played]) -> None:
    for game in games:
        end = game.text[game.text.rindex("the end") :]
        assert end.count("\n") + 1 <= LINES + 2, end
        assert "wins. Scores: " in end


def test_a_hand_is_not_printed_twice(games: list[Played]) -> None:
    """A card that can be chosen is not also in the line about the hand."""
    for screen in (screen for game in games for screen in game.screens):
        position = re.split(r"\n *1 ", screen, maxsplit=1)[0]
        if re.search(r"^your hand:", position, re.M):
            (hand,) = re.findall(r"^your hand: ((?:.|\n    )*)", position, re.M)
            choices = re.findall(r"^ *\d+ (?:build|settle|develop|discard) ([A-Z][\w' ]+)", screen, re.M)
            assert not [choice for choice in choices if choice.strip() in hand], screen


def test_more_is_shown_where_there_is_room() -> None:
    small, large = (play_and_read("lords", 2, 1, height=height) for height in (24, 40))
    assert sum("defence" in screen for screen in large.screens) > sum("defence" in screen for screen in small.screens)


def lords_menu() -> tuple[Observation, Menu]:
    state = bw.game("lords").new(seed=1)
    for _ in range(2):
        state.apply(state.legal_actions()[-1])
    observation = state.observation(state.player)
    return observation, menu_of(observation, observation.legal_actions())


def test_a_card_is_chosen_and_then_its_square() -> None:
    observation, menu = lords_menu()
    assert len(menu.texts) <= 6, "the hand"
    keys = menu.keys()
    assert set(keys) == set(observation.legal_actions())
    for action, key in keys.items():
        assert menu.understand(key) == action, key
        number, square = key.split()
        following = menu.understand(number)
        assert isinstance(following, Menu)
        assert following.understand(square) == action
        assert following.chosen == (menu.texts[int(number) - 1],)


def test_the_whole_of_another_choice_is_understood_at_a_further_step() -> None:
    """A hint says what to type for the whole of a choice, wherever it is asked for."""
    said = play("lords", "--vs", "random", "--seed", "5", answers="1\n1\n1 zz\n2 d4\nq\n").stdout
    assert "'1 zz' is not one of the choices" in said
    assert re.search(r"seat 1 \(you\): .* to d4", said), said


def test_nobody_discards_a_card_by_looking_at_it() -> None:
    """A card of 7 Wonders that can only be discarded is still asked for what to do with it."""
    state = bw.game("wonders").new(seed=1)
    while True:
        observation = state.observation(state.player)
        menu = menu_of(observation, state.legal_actions())
        lone = [place for place, paths in enumerate(menu.paths) if len(paths) == 1]
        if lone:
            break
        state.apply(state.legal_actions()[0])
    following = menu.understand(str(lone[0] + 1))
    assert isinstance(following, Menu)
    (text,) = following.texts
    assert text.startswith("discard ")
    assert following.understand("1") == menu.paths[lone[0]][0].action
    assert set(menu.keys()) == set(state.legal_actions())


def test_any_part_of_an_action_that_fits_only_one_is_an_answer() -> None:
    """As "Gonke to d3" for "Gonke Longtooth ↖5 ↑5 ↗5 to d3"."""
    observation, menu = lords_menu()
    action = next(a for a in observation.legal_actions() if "Gonke" in observation.game.describe(observation, a))
    square = observation.game.describe(observation, action).split()[-1]
    for answer in (f"Gonke to {square}", f"gonke {square}", f"Longtooth to {square}"):
        assert menu.understand(answer) == action
    doubtful = menu.understand("orc")
    assert isinstance(doubtful, list)
    assert all("Orc" in text for text in doubtful)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_what_others_pay_draw_and_lose_is_told(game: str, seats: int) -> None:
    told = play_and_read(game, seats, 2).text
    wanted = {
        "lords": [r"→ you draw [A-Z]", r"→ you lose [A-Z].* on [a-g][1-6]", r"→ seat 2 loses [A-Z]"],
        "race": [r"→ you draw [A-Z]", r"→ seat 2 draws \d card", r"→ seat 2 pays with \d card", r"→ seat 2 get"],
        "wonders": [r"→ coins: .*seat \d \d+ → \d+", r"→ conflicts: ", r"→ seat 2 builds [A-Z]"],
        "colonizers": [r"→ seat \d gets \d Omnium", r"→ seat \d now holds \d card", r"→ you now hold [A-Z]"],
    }
    for pattern in wanted[game]:
        assert re.search(f"^{pattern}", told, re.M), pattern
