"""States and observations as Python objects: what they hold, show and refuse."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.drawing import WIDE, Layout
from boardwright.errors import BadGame, BadSpec, BoardwrightError, IllegalAction
from boardwright.kernel.contract import MAX_SEATS, SPECTATOR
from boardwright.kernel.position import Observation, State, check_seed
from tests.conftest import replaced
from tests.test_connect_four import after


def over(game: bw.Game) -> bw.State:
    return after(game, "1122334")


@pytest.mark.parametrize("seed", [0, 2**64 - 1, np.int64(7), True])
def test_seeds_are_whole_numbers_of_64_bits(seed: Any) -> None:
    assert check_seed(seed) == int(seed)
    assert type(check_seed(seed)) is int


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "7", None])
def test_other_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(BadSpec, match="a seed is a whole number from 0 to 2\\^64 - 1, not"):
        check_seed(seed)


def test_a_copy_is_played_on_alone(connect_four: bw.Game) -> None:
    state = after(connect_four, "44")
    copy = state.copy()
    copy.apply(0)
    assert (state.record.discs, copy.record.discs) == (2, 3)


def test_whose_turn_it_is_and_whether_it_is_over(connect_four: bw.Game) -> None:
    assert (after(connect_four, "4").player, after(connect_four, "4").is_terminal) == (1, False)
    assert over(connect_four).is_terminal
    assert over(connect_four).legal_actions() == []
    assert over(connect_four).observation(0).legal_actions() == []


def test_seats_are_those_of_the_game_or_of_the_record(connect_four: bw.Game, dice_race: bw.Game) -> None:
    assert connect_four.new(seed=1).seats == 2
    assert [dice_race.new(seed=1, seats=seats).seats for seats in (2, 3, 4)] == [2, 3, 4]
    assert len(dice_race.new(seed=1, seats=3).returns) == 3


def test_scores_are_whole_numbers_where_they_are_whole(coin: bw.Game) -> None:
    state = coin.new(seed=1)
    assert state.returns == (0,)
    assert type(state.returns[0]) is int
    state.apply(0)
    assert state.returns == state.scores == (0.7,)


def test_an_action_is_checked_before_it_is_played(connect_four: bw.Game) -> None:
    state = after(connect_four, "1")
    before = bytes(state)
    for action in (-1, 7):
        with pytest.raises(IllegalAction, match=f"connect_four: action {action} is not legal now; legal: 0 "):
            state.apply(action)
    assert bytes(state) == before
    with pytest.raises(IllegalAction, match="connect_four: the game is over; no action can be played"):
        over(connect_four).apply(3)
    state.apply(np.int64(0))  # type: ignore[arg-type]
    assert state.record.height.tolist()[0] == 2


def test_more_legal_actions_than_declared_are_a_mistake_of_the_game(connect_four: bw.Game) -> None:
    for found, declared, complaint in ((8, 7, True), (7, 7, False), (-1, 7, True), (0, 7, False)):
        crowded = replaced(connect_four, name="crowded", max_legal=declared)
        entries = type("Entries", (), {"player": lambda _, memory: 0, "legal": lambda _, memory, out, n=found: n})()
        crowded.__dict__["entries"] = entries
        state = State(crowded, np.zeros(crowded.state.itemsize, np.uint8))
        if complaint:
            with pytest.raises(BadGame, match=f"crowded: legal.. says {found} actions, but max_legal is 7"):
                state.legal_actions()
        else:
            assert len(state.legal_actions()) == found


@pytest.mark.parametrize("seat", [-1, 2])
def test_only_seats_observe(connect_four: bw.Game, seat: int) -> None:
    with pytest.raises(BoardwrightError, match=f"there is no seat {seat}; seats are 0 to 1"):
        connect_four.new(seed=1).observation(seat)


def test_observing_leaves_the_state_as_it_is(kuhn: bw.Game) -> None:
    state = kuhn.new(seed=3)
    before = bytes(state)
    cards = state.record.card.tolist()
    seen = [state.observation(seat) for seat in (0, 1)]
    assert [observation.seat for observation in seen] == [0, 1]
    assert [observation.record.card[seat] for seat, observation in enumerate(seen)] == cards[:2]
    assert seen[0].record.card[1] == seen[1].record.card[0] == -1
    watched = state.public()
    assert watched.record.card.tolist() == [-1, -1, -1]
    assert watched.seat == SPECTATOR
    assert bytes(state) == before


def test_only_the_seat_to_move_knows_what_it_may_do(kuhn: bw.Game) -> None:
    state = kuhn.new(seed=3)
    assert state.observation(0).legal_actions() == state.legal_actions()
    with pytest.raises(BoardwrightError, match="seat 1 cannot know what seat 0 may do now"):
        state.observation(1).legal_actions()
    state.apply(0)
    assert len(state.observation(1).legal_actions()) == 2


def test_an_observation_is_a_copy(kuhn: bw.Game) -> None:
    state = kuhn.new(seed=3)
    observation = state.observation(0)
    state.apply(0)
    assert observation.player == 0
    observation.record.card[0] = 9
    assert observation.record.card[0] != 9


def test_a_determinization_is_a_whole_state_that_looks_the_same(kuhn: bw.Game) -> None:
    observation = kuhn.new(seed=3).observation(0)
    for seed in range(5):
        sample = observation.determinize(seed=seed)
        assert isinstance(sample, State)
        assert sample.observation(0) == observation
        assert sorted(sample.record.card.tolist()) == [0, 1, 2]
        assert sample == observation.determinize(seed=seed)
    assert len({bytes(observation.determinize()) for _ in range(3)}) == 3, "without a seed each is another"
    with pytest.raises(BadSpec, match="a seed is a whole number"):
        observation.determinize(seed=-1)


def test_seats_that_know_the_same_have_determinizations_of_their_own(dice_race: bw.Game) -> None:
    state = dice_race.new(seed=3)
    first, second = (bytes(state.observation(seat).determinize(seed=5)) for seat in (0, 1))
    assert first != second


def test_what_is_hidden_depends_on_the_game_and_its_options(connect_four: bw.Game, kuhn: bw.Game) -> None:
    lords = bw.game("lords")
    assert not connect_four.new(seed=1).has_hidden_information
    assert kuhn.new(seed=1).has_hidden_information
    assert lords.new(seed=1).has_hidden_information
    assert not lords.new(seed=1, information="open").has_hidden_information


def test_equal_content_is_an_equal_position(connect_four: bw.Game, dice_race: bw.Game) -> None:
    state = after(connect_four, "44")
    assert state == after(connect_four, "44")
    assert state != after(connect_four, "45")
    assert state != bytes(state)
    twin = State(replaced(connect_four, name="twin"), state.memory)
    assert state != twin
    seen = state.observation(0)
    assert seen == after(connect_four, "44").observation(0)
    assert seen != Observation(twin.game, state.memory, 0)
    assert seen != state.observation(1)
    assert seen != after(connect_four, "45").observation(0)
    assert seen != bytes(seen)
    assert len({seen, after(connect_four, "44").observation(0), state.observation(1)}) == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(state)


def test_they_say_what_they_are(connect_four: bw.Game) -> None:
    state = after(connect_four, "44")
    assert repr(state) == f"<connect_four state: {connect_four.seat_name(0)} to move>\n{state}"
    assert repr(over(connect_four)).startswith("<connect_four state: over>\n")
    seen = state.observation(1)
    assert repr(seen) == f"<connect_four as {connect_four.seat_name(1)} sees it>\n{seen}"
    assert str(seen) == str(state), "nothing is hidden here"


def test_a_seat_is_shown_what_it_sees(kuhn: bw.Game) -> None:
    state = kuhn.new(seed=3)
    shown = {str(state), *(str(state.observation(seat)) for seat in (0, 1))}
    assert len(shown) == 3
    assert str(state.observation(1)) == kuhn.text.show_state(state.observation(1).record, 1)  # type: ignore[misc]


def test_a_game_without_a_text_of_its_own_shows_its_fields(dice_race: bw.Game) -> None:
    lines = str(dice_race.new(seed=1, rounds=7)).splitlines()
    assert lines[:3] == ["seats: 2", "turn: 0", "rounds: 7"]


def test_plain_data_has_the_game_and_all_fields(connect_four: bw.Game) -> None:
    saved = after(connect_four, "44").to_dict()
    assert saved["game"] == "connect_four"
    assert list(saved["fields"]) == list(connect_four.state.names or ())
    assert saved["fields"]["height"] == [0, 0, 0, 2, 0, 0, 0]


def test_pictures_are_drawn_by_the_game_or_are_its_text(connect_four: bw.Game, dice_race: bw.Game) -> None:
    state = after(connect_four, "44")
    picture = state.to_svg()
    assert picture == state.to_svg(WIDE) == state._repr_svg_()
    assert state.to_svg(Layout(width=360)).startswith("<svg")
    assert state.observation(0).to_svg().startswith("<svg")
    dice = dice_race.new(seed=1)
    assert dice._repr_svg_() is None
    assert "Dice race" in dice.to_svg()
    assert "rounds: 4" in dice.to_svg()


def test_they_survive_pickling(kuhn: bw.Game) -> None:
    state = kuhn.new(seed=3)
    found = pickle.loads(pickle.dumps(state))
    assert found == state
    found.apply(0)
    seen = pickle.loads(pickle.dumps(state.observation(1)))
    assert (seen, seen.seat) == (state.observation(1), 1)


def test_returns_have_room_for_every_seat(connect_four: bw.Game) -> None:
    sizes = []
    state = after(connect_four, "44")
    assert state._values(lambda memory, out: sizes.append(out.size)) == (0, 0)
    assert sizes == [MAX_SEATS]
