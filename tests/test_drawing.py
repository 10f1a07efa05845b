"""Pictures fit the room that there is: print that can be read, nothing beyond the edge, every choice on the board."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

import boardwright as bw
from boardwright.drawing import SMALLEST_PRINT, WIDTHS, Layout, draw_text, text_width
from boardwright.games.race.svg import ROOM_FOR_ALL_ACTIONS
from boardwright.kernel import SPECTATOR, State, rng

SVG = "{http://www.w3.org/2000/svg}"
SAMPLES = 6


def positions(name: str, seats: int) -> list[State]:
    """From the first to the last of a game at random."""
    state, found, chance = bw.game(name).new(seed=11, seats=seats), [], rng.generator(11)
    while not state.is_terminal:
        found.append(state.copy())
        legal = state.legal_actions()
        state.apply(legal[rng.draw(chance) % len(legal)])
    step = max(1, len(found) // SAMPLES)
    return [*found[::step], state]


def texts(svg: str) -> list[tuple[float, float, float, str]]:
    """Where each line of text begins and ends, its size, and what it says."""
    found: list[tuple[float, float, float, str]] = []

    def walk(element: ET.Element, left: float) -> None:
        moved = re.match(r"translate\(([-\d.e]+)", element.get("transform", ""))
        left += float(moved[1]) if moved else 0.0
        if element.tag == f"{SVG}text":
            said, size = " ".join(element.itertext()), float(element.get("font-size", "0"))
            width = 0.88 * text_width(said, size)  # which errs on the wide side
            share = {"start": 0.0, "middle": 0.5, "end": 1.0}[element.get("text-anchor", "start")]
            begin = left + float(element.get("x", "0")) - share * width
            found.append((begin, begin + width, size, said))
        for child in element:
            walk(child, left)

    walk(ET.fromstring(svg), 0.0)
    return found


@pytest.mark.parametrize("name", bw.games())
def test_every_picture_can_be_read_and_fits(name: str) -> None:
    game = bw.game(name)
    for state in positions(name, max(game.seats)):
        views = [state, state.public(), state.observation(0)]
        views += [] if state.is_terminal else [state.observation(state.player)]
        for view in views:
            for width in (WIDTHS[0], 480, 800, WIDTHS[-1]):
                svg = view.to_svg(Layout(width))
                drawn = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])  # type: ignore[index]
                assert drawn <= width
                for begin, end, size, said in texts(svg):
                    assert size >= SMALLEST_PRINT, f"{said!r} is too small at {width}"
                    assert begin >= -1, f"{said!r} begins beyond the edge at {width}"
                    assert end <= drawn + 1, f"{said!r} ends beyond the edge at {width}"


@pytest.mark.parametrize("name", bw.games())
def test_every_choice_is_on_the_board_at_every_width(name: str) -> None:
    for state in positions(name, bw.game(name).seats[0])[:-1]:
        for width in WIDTHS[::4]:
            svg = state.observation(state.player).to_svg(Layout(width, touch=True))
            shown = {
                int(action) for actions in re.findall(r'data-action="([\d ]+)"', svg) for action in actions.split()
            }
            assert set(state.legal_actions()) <= shown, f"at {width}"


@pytest.mark.parametrize("name", ["colonizers", "race", "wonders"])
def test_others_fold_to_a_line_on_a_phone_and_open_by_a_tap(name: str) -> None:
    state = positions(name, bw.game(name).seats[0])[3]
    seen = state.observation(0)
    folded, opened = seen.to_svg(Layout(360)), seen.to_svg(Layout(360, toggled=frozenset({1})))
    assert 'data-fold="1" aria-expanded="false"' in folded
    assert 'data-fold="1" aria-expanded="true"' in opened
    assert 'data-fold="0"' not in folded, "one's own things do not fold"
    assert 'data-key="1 ' not in folded
    assert 'data-key="1 ' in opened


def test_spectators_see_every_game_on_a_phone() -> None:
    for name in bw.games():
        assert bw.game(name).new(seed=1).public().to_svg(Layout(360)).startswith("<svg")
    assert SPECTATOR < 0


def test_a_game_in_words_fits_a_phone() -> None:
    svg = draw_text("A game", "a long line of words " * 20, Layout(360))
    assert all(end <= 360 for _, end, _, _ in texts(svg))


@pytest.mark.parametrize("name", bw.games())
def test_one_of_a_thing_is_not_called_several(name: str) -> None:
    game = bw.game(name)
    said = [
        text
        for state in positions(name, game.seats[0])
        for text in (str(state), state.to_svg(), state.to_svg(Layout(WIDTHS[0])))
    ]
    said += game.text.cards().values() if game.text.cards is not None else []
    wrong = [
        found for text in said for found in re.findall(r"\b1 (?:points|pts|chips|coins|shields|stages)\b.{0,20}", text)
    ]
    assert wrong == []


def test_a_pool_of_which_more_was_given_than_there_was_is_empty() -> None:
    state = bw.game("race").new(seed=1)
    state.record.pool = -4
    for text in (str(state), state.to_svg()):
        assert "pool empty" in text
        assert "-4" not in text


@pytest.mark.parametrize("width", [width for width in WIDTHS if not Layout(width).narrow])
def test_on_top_of_race_nothing_runs_into_its_neighbour(width: int) -> None:
    state = bw.game("race").new(seed=1)
    state.record.phases, state.record.round = 31, 12
    found = texts(state.to_svg(Layout(width)))
    heading = next(end for _, end, _, said in found if said.startswith("Round 12"))
    assert heading < next(begin for begin, _, _, said in found if " · deck " in said)
    if width >= ROOM_FOR_ALL_ACTIONS:
        numeral = next(begin for begin, _, _, said in found if said == "V")
    else:
        numeral = float(width)  # the last of its row
    assert all(end < numeral for _, end, _, said in found if said.startswith("Consume"))
