"""Nothing that a seat may not know is ever shown to it: pictures, texts, choices and logs depend on its observation."""

from __future__ import annotations

import random

import numpy as np
import pytest

import boardwright as bw
from boardwright.kernel import SPECTATOR, State
from boardwright.web import views
from boardwright.web.views import View

HIDDEN = [name for name in bw.games() if bw.game(name).information.scramble is not None]


def positions(game: bw.Game, seed: int) -> list[tuple[State, int]]:
    """The positions of a random game, each with the action played in it."""
    found, state, chance = [], game.new(seed=seed), random.Random(seed)
    while not state.is_terminal:
        action = chance.choice(state.legal_actions())
        found.append((state.copy(), action))
        state.apply(action)
    return found


def scrambled(state: State, seat: int, seed: int) -> State:
    """The state with everything rearranged that the seat cannot see."""
    other = state.copy()
    assert state.game.information.scramble is not None
    state.game.information.scramble(other.record, seat, np.random.default_rng(seed))
    return other


def frame(state: State, view: View) -> str:
    return views.position(state, view).model_dump_json()


@pytest.mark.parametrize("name", HIDDEN)
def test_what_a_seat_is_shown_does_not_depend_on_what_it_cannot_see(name: str) -> None:
    for seed in range(2):
        for number, (state, _) in enumerate(positions(bw.game(name), seed)):
            seat = number % state.seats
            assert frame(state, seat) == frame(scrambled(state, seat, number), seat), f"move {number + 1}, seat {seat}"


@pytest.mark.parametrize("name", HIDDEN)
def test_what_a_spectator_is_shown_every_seat_knows(name: str) -> None:
    for seed in range(2):
        for number, (state, _) in enumerate(positions(bw.game(name), seed)):
            seat = number % state.seats
            other = scrambled(state, seat, number)
            assert frame(state, SPECTATOR) == frame(other, SPECTATOR), f"move {number + 1}, seat {seat}"


@pytest.mark.parametrize("name", HIDDEN)
def test_the_log_tells_an_action_only_to_those_who_see_it(name: str) -> None:
    described = hidden = 0
    for number, (state, action) in enumerate(positions(bw.game(name), 3)):
        text, known = views.described(state, action)
        for seat in range(state.seats):
            if seat == state.player:
                continue
            seen = int(state.game.entries.action_observation(state.memory, action, seat)) == action
            assert known[seat] == seen
            if known[seat]:
                described += 1
                other = scrambled(state, seat, number)
                if action in other.legal_actions():
                    assert views.described(other, action)[0] == text, f"move {number + 1}: {text}"
            else:
                hidden += 1
        assert views.may_know(known, SPECTATOR) == all(known)
    assert described + hidden > 0


@pytest.mark.parametrize("name", bw.games())
def test_every_legal_action_is_in_the_list_and_pictures_have_no_others(name: str) -> None:
    """What is drawn as an action is an action of the game; whatever is legal can be chosen in words."""
    game = bw.game(name)
    for state, _ in positions(game, 5):
        shown = views.position(state, state.player).model_dump()
        assert [choice["action"] for choice in shown["choices"]] == state.observation(state.player).legal_actions()
        for part in shown["picture"].split('data-action="')[1:]:
            assert all(0 <= int(action) < game.num_actions for action in part.partition('"')[0].split())


@pytest.mark.parametrize("name", ["connect_four", "colonizers", "kuhn_poker", "lords", "race", "wonders"])
def test_games_can_be_played_by_clicking_alone(name: str) -> None:
    """Every legal action belongs to something in the picture of the seat that must choose."""
    for seed in range(3):
        for state, _ in positions(bw.game(name), seed):
            legal = state.legal_actions()
            if len(legal) < 2:
                continue  # played without asking
            picture = state.observation(state.player).to_svg()
            drawn = {int(a) for part in picture.split('data-action="')[1:] for a in part.partition('"')[0].split()}
            missing = [state.game.describe(state, action) for action in legal if action not in drawn]
            assert not missing, f"{name}: cannot be clicked: {missing}"
