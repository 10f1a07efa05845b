"""Batches play the same games as single states do, row by row, and say the same of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.errors import BadGame, BadSpec, IllegalAction, UnknownName
from boardwright.kernel import Actions, Record, RngState, SparseFeatures, rng, rule
from tests.compiled import BATCHES
from tests.conftest import DICE_RACE, PENNIES, replaced

GAMES = [
    *(pytest.param(name, marks=() if name in BATCHES else pytest.mark.slow) for name in bw.games()),
    str(DICE_RACE),
    str(PENNIES),
]
ROWS = 3
STEPS = {"colonizers": 380, "race": 300}
"""Enough for games to end, where 150 steps are not."""


def features(state: bw.State) -> Any:
    sparse = SparseFeatures.with_capacity(len(state.game.learning.feature_names))
    state.game.entries.features(state.memory, state.player, sparse)
    return sparse.dense(len(state.game.learning.feature_names))


def check_row(batch: Any, row: int, state: bw.State) -> None:
    """A row shows what a single state says."""
    assert batch.current_player[row] == state.player
    assert np.flatnonzero(batch.legal_action_mask[row]).tolist() == sorted(state.legal_actions())
    assert bytes(batch.states[row]) == bytes(state)
    if state.game.learning.features is not None:
        assert (batch.observation[row].ravel() == features(state)).all()
    else:
        assert bytes(batch.observation[row]) == bytes(state.observation(state.player))


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_a_row_plays_the_game_of_its_seed(name: str) -> None:
    game = bw.game(name)
    batch = game.batch(ROWS, seed=7)
    states = [game.new(seed=int(seed)) for seed in batch.seeds]
    ended = 0
    for _ in range(STEPS.get(name, 150)):
        for row, state in enumerate(states):
            check_row(batch, row, state)
        actions = batch.random_actions().copy()
        batch.step(actions)
        for row, action in enumerate(actions):
            states[row].apply(int(action))
            assert batch.terminated[row] == states[row].is_terminal
            expected = states[row].returns if states[row].is_terminal else (0,) * batch.seats
            assert tuple(batch.rewards[row]) == expected
            if states[row].is_terminal:
                ended += 1
                states[row] = game.new(seed=int(batch.seeds[row]))
    assert ended > 0
    assert batch.games.sum() == ended


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_the_fused_loop_ends_where_single_steps_do(name: str) -> None:
    game = bw.game(name)
    stepped, fused = (game.batch(ROWS, seed=3) for _ in range(2))
    steps = STEPS.get(name, 150)
    for _ in range(steps):
        stepped.step(stepped.random_actions())
    fused.run(steps)
    for what in ("states", "observation", "legal_action_mask", "rewards", "terminated", "current_player", "games"):
        assert (getattr(stepped, what) == getattr(fused, what)).all(), what
    assert stepped.return_sums == pytest.approx(fused.return_sums)


def test_the_same_seed_gives_the_same_games_and_another_gives_others(dice_race: bw.Game) -> None:
    first, again, other = (dice_race.batch(8, seed=seed).run(40) for seed in (1, 1, 2))
    assert (first.states == again.states).all()
    assert (first.states != other.states).any()
    first.reset(seed=2)
    assert (first.run(40).states == other.states).all()


def test_no_two_rows_play_the_same_games(kuhn: bw.Game) -> None:
    assert len(set(kuhn.batch(1000, seed=0).seeds.tolist())) == 1000


def test_threads_change_nothing(connect_four: bw.Game) -> None:
    one, three = (connect_four.batch(100, seed=5, threads=threads) for threads in (1, 3))
    for batch in (one, three):
        batch.run(30)
        batch.step(batch.random_actions())
    assert (one.states == three.states).all()
    assert (one.observation == three.observation).all()


def test_an_illegal_action_is_named_and_nothing_is_played(connect_four: bw.Game) -> None:
    batch = connect_four.batch(3, seed=0)
    before = batch.states.copy()
    for wrong in (7, -1):
        with pytest.raises(IllegalAction, match=f"row 1: .*action {wrong} is not legal"):
            batch.step([0, wrong, 0])
        assert (batch.states == before).all()
    with pytest.raises(BadSpec, match="takes an array of 3 actions"):
        batch.step([0, 0])
    with pytest.raises(BadSpec, match="whole numbers"):
        batch.step([0.5, 1.0, 2.0])


def test_actions_may_be_any_whole_numbers(connect_four: bw.Game) -> None:
    batch = connect_four.batch(2, seed=0)
    for actions in ([1, 1], np.array([1, 1], np.uint8), np.array([1, 0, 1, 0])[::2], batch.current_player):
        batch.step(actions)
    assert batch.state(0).record.discs == 4


def test_what_is_shown_cannot_be_written_to(connect_four: bw.Game) -> None:
    batch = connect_four.batch(1, seed=0)
    for shown in (batch.legal_action_mask, batch.observation, batch.states):
        with pytest.raises(ValueError, match="read-only"):
            shown[0] = 1


def test_connect_four_shows_planes_of_discs_threats_and_pairs(connect_four: bw.Game) -> None:
    batch = connect_four.batch(1, seed=0)
    for column in (3, 3, 0):
        batch.step([column])
    assert batch.observation.shape == (1, 15, 6, 7)
    own, others, *rest = batch.observation[0]
    assert np.argwhere(own).tolist() == [[1, 3]]
    assert np.argwhere(others).tolist() == [[0, 0], [0, 3]]
    assert np.argwhere(rest).tolist() == [[9, 0, 0]], "the other's two discs in the line to the right from column 1"


@pytest.mark.parametrize(
    ("name", "given"), [(str(DICE_RACE), {"seats": 4}), ("lords", {"armies": "dwarf,orc"})], ids=["seats", "options"]
)
def test_seats_and_options_are_those_of_single_games(name: str, given: dict[str, Any]) -> None:
    game = bw.game(name)
    batch = game.batch(2, seed=1, **given)
    for row, seed in enumerate(batch.seeds):
        assert batch.state(row) == game.new(seed=int(seed), **given) != game.new(seed=int(seed))
    assert batch.rewards.shape == (2, given.get("seats", game.seats[0]))


@rule
def by_both_cards(s: Record, legal: Actions, n: int, rng_state: RngState) -> int:
    return legal[(s.card[0] + s.card[1] + rng.below(rng_state, 2)) % n]


def test_a_policy_chooses_from_what_its_seat_sees(kuhn: bw.Game) -> None:
    """The batch's policy chooses what the entry point of the policy chooses from the observation."""
    game = replaced(kuhn, **{"search.policies": {"by_both_cards": by_both_cards}})
    batch = game.batch(4, seed=2, policy="by_both_cards")
    choose, scratch = game.entries.choose("by_both_cards"), np.zeros(game.max_legal, np.int64)
    for _ in range(60):
        generators = batch._arrays.action_rng.copy()
        expected = [
            choose(batch.state(row).observation(int(batch.current_player[row])).memory, scratch, generators[row])
            for row in range(4)
        ]
        actions = batch.random_actions()
        assert actions.tolist() == expected
        batch.step(actions)


def test_others_play_until_it_is_the_learners_turn(dice_race: bw.Game) -> None:
    batch = dice_race.batch(50, seed=1)
    seats = np.arange(50) % 2
    finished = 0
    for _ in range(40):
        batch.advance(seats)
        assert (batch.current_player == seats).all()
        before, sums = batch.games.copy(), batch.return_sums.copy()
        batch.step(batch.random_actions())
        batch.advance(seats)
        ended = batch.games - before
        assert (batch.terminated == (ended > 0)).all()
        finished += int(ended.sum())
        assert batch.return_sums - sums == pytest.approx(batch.rewards), "what they returned is the reward"
    assert finished > 0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": 0}, "at least one game"),
        ({"size": 2, "threads": 0}, "1 to 256 threads"),
        ({"size": 2, "observe": "planes"}, "observes features, record, nothing, not 'planes'"),
        ({"size": 2, "observe": "features"}, "kuhn_poker declares no features"),
        ({"size": 2, "seats": 3}, "played with 2 seats"),
    ],
)
def test_what_a_batch_cannot_be_is_said(kuhn: bw.Game, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        kuhn.batch(**settings)


def test_unknown_policies_and_options_are_said(kuhn: bw.Game) -> None:
    with pytest.raises(UnknownName, match="bluffer"):
        kuhn.batch(2, policy="bluffer")
    with pytest.raises(UnknownName, match="unknown option 'bluffing'"):
        kuhn.batch(2, bluffing=1)


def test_features_must_fit_their_shape(connect_four: bw.Game) -> None:
    with pytest.raises(BadGame, match=r"feature_shape` is \(3, 6, 7\), which does not hold 630"):
        replaced(connect_four, **{"learning.feature_shape": (3, 6, 7)})


def test_uncompiled_batches_play_the_same_games() -> None:
    play = (
        "import boardwright as bw, hashlib\n"
        "b = bw.game('connect_four').batch(3, seed=9).run(60)\n"
        "b.step(b.random_actions())\n"
        "print(hashlib.sha256(b.states.tobytes() + b.observation.tobytes()).hexdigest(), b.games.tolist())"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", play], env={**os.environ, **more}, capture_output=True, text=True, check=True
        ).stdout
        for more in ({}, {"NUMBA_DISABLE_JIT": "1"})
    ]
    assert told[0] == told[1] != ""
