"""Features that any game has: made from the record of what a seat may know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.errors import BadGame, BadRecord, BadSpec
from boardwright.executors import InProcess
from boardwright.kernel import automatic_features as automatic
from boardwright.kernel.automatic_features import automatic_features, encode, find_ranges, learning_rules, read_features
from boardwright.learn.config import TrainingConfig
from boardwright.learn.network import load
from boardwright.learn.training import Training
from boardwright.learn.workspace import Workspace

GAMES = Path(__file__).parent / "games"
HIDDEN = ["kuhn_poker", "race", "wonders", "lords", str(GAMES / "deck_duel.py")]


@pytest.fixture(autouse=True)
def few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automatic, "POSITIONS", 400)


def made(game: bw.Game, seats: int) -> automatic.FeatureMap:
    return automatic_features(game, seats, find_ranges(game, seats))


def read(game: bw.Game, features: automatic.FeatureMap, memory: Any, seat: int, seats: int) -> dict[str, float]:
    """The features that are not zero, by name."""
    workspace = Workspace.for_game(game, features, seats)
    read_features(learning_rules(game, features), memory, seat, workspace)
    dense = workspace.sparse.dense(len(features.names))
    return {features.names[i]: float(dense[i]) for i in np.flatnonzero(dense)}


def positions(game: bw.Game, seats: int, count: int, seed: int) -> list[bw.State]:
    random, found = np.random.default_rng(seed), []
    state = game.new(seed=seed, seats=seats)
    while len(found) < count:
        if state.is_terminal:
            state = game.new(seed=seed + len(found) + 1, seats=seats)
        found.append(state.copy())
        state.apply(int(random.choice(state.legal_actions())))
    return found


def test_small_ranges_are_one_hot_and_large_ones_scaled_and_by_bit() -> None:
    game = bw.game(str(GAMES / "take_three.py"))
    state = game.new(seed=6)
    features = made(game, 2)
    assert read(game, features, state.memory, 0, 2) == {
        "observing seat: 0": 1, "seat to move, from the observing one: 0": 1, f"heap: {state.record.heap}": 1,
    }  # fmt: skip
    state.apply(1)
    seen = read(game, features, state.memory, 0, 2)
    assert seen["turn: 1"] == 1
    assert seen["seat to move, from the observing one: 1"] == 1


def test_arrays_by_seat_are_turned_so_that_the_observer_comes_first() -> None:
    game = bw.game(str(GAMES / "dice_race.py"))
    state = game.new(seed=1, seats=3)
    state.record.points[:3] = [4, 5, 6]
    state.record.turn = 1
    for seat in range(3):
        seen = read(game, made(game, 3), state.memory, seat, 3)
        own, following, last = ((seat + i) % 3 + 4 for i in range(3))
        assert seen[f"points of seat +0: {own}"] == 1
        assert seen[f"points of seat +1: {following}"] == 1
        assert seen[f"points of seat +2: {last}"] == 1
        assert seen[f"seat to move, from the observing one: {(1 - seat) % 3}"] == 1


def test_numbers_that_may_name_a_seat_are_also_seen_from_the_observer() -> None:
    game = bw.game("connect_four")
    state = game.new(seed=0)
    state.apply(3)
    features = made(game, 2)
    assert read(game, features, state.memory, 0, 2)["board[0][3], from the observing seat: 0"] == 1
    assert read(game, features, state.memory, 1, 2)["board[0][3], from the observing seat: 1"] == 1


@pytest.mark.parametrize("name", HIDDEN)
def test_features_say_nothing_that_a_seat_may_not_know(name: str) -> None:
    """A state and the observation of it give the same features, also when what is hidden has been rearranged."""
    game, random = bw.game(name), np.random.default_rng(1)
    seats = game.seats[0]
    features = made(game, seats)
    for state in positions(game, seats, 30, seed=5):
        for seat in range(seats):
            seen = read(game, features, state.observation(seat).memory, seat, seats)
            assert read(game, features, state.memory, seat, seats) == seen
            if game.information.scramble is not None:
                other = state.copy()
                game.information.scramble(other.record, seat, random)
                assert read(game, features, other.memory, seat, seats) == seen


@pytest.mark.parametrize("name", ["connect_four", "wonders", "lords", "race"])
def test_compiled_and_uncompiled_encodings_agree(name: str) -> None:
    game = bw.game(name)
    seats = game.seats[-1]
    features = made(game, seats)
    for state in positions(game, seats, 10, seed=2):
        seat = state.player
        if state.is_terminal:
            continue
        workspace = Workspace.for_game(game, features, seats)
        read_features(learning_rules(game, features), state.memory, seat, workspace)
        plain = Workspace.for_game(game, features, seats)
        arguments = state.observation(seat).memory, seat, seats, seat, plain.sparse
        getattr(encode, "py_func", encode)(features.plan, *arguments)
        n = int(plain.sparse.count[0])
        assert n == workspace.sparse.count[0] > 0
        assert np.array_equal(plain.sparse.index[:n], workspace.sparse.index[:n])
        assert np.allclose(plain.sparse.value[:n], workspace.sparse.value[:n])
        assert plain.sparse.index[:n].max() < len(features.names)


def test_numbers_of_all_kinds_are_read(tmp_path: Path) -> None:
    source = (GAMES / "take_three.py").read_text()
    source = source.replace('STATE = record(heap="i2", turn="i2")', 'STATE = record(heap="i2", turn="i2", kinds=KINDS)')
    source = source.replace(
        "HEAP = 12\n",
        'HEAP = 12\nKINDS = record(small="i1", word="u4", wide="i8", half="f4", whole="f8", flag="?")\n',
    )
    source = source.replace(
        "    s.turn += 1\n",
        "    s.turn += 1\n    s.kinds.small, s.kinds.word, s.kinds.wide = -s.turn, 1 << 20 + s.turn, s.turn * 100\n"
        "    s.kinds.half, s.kinds.whole, s.kinds.flag = -0.5 * s.turn, 0.25 * s.turn, s.turn % 2 == 1\n",
    )
    file = tmp_path / "kinds.py"
    file.write_text(source.replace('name="take_three"', 'name="kinds"'))
    game = bw.game(str(file))
    state = game.new(seed=7)
    state.apply(0)
    state.apply(0)
    state.apply(0)
    features = made(game, 2)
    seen = read(game, features, state.memory, 0, 2)
    ranges = find_ranges(game, 2)
    assert seen["kinds.small: -3"] == 1
    assert seen["kinds.wide"] == pytest.approx(300 / ranges["kinds.wide"].high)
    assert seen["kinds.half"] == pytest.approx(-1.5 / np.ceil(-ranges["kinds.half"].low))
    assert seen["kinds.whole"] == pytest.approx(0.75 / np.ceil(ranges["kinds.whole"].high))
    assert seen["kinds.flag: 1"] == 1
    assert sum(name.startswith("kinds.word, bit") for name in seen) == 1


def test_a_game_can_leave_fields_out_and_embed_others(tmp_path: Path) -> None:
    source = (GAMES / "dice_race.py").read_text().replace("    Game,\n", "    Game,\n    Learning,\n")
    declared = '    learning=Learning(leave_out=("turn",), embed=("points",), by_seat=()),\n    text=Text('
    file = tmp_path / "told.py"
    file.write_text(source.replace("    text=Text(", declared))
    game = bw.game(str(file))
    names = made(game, 2).names
    assert not any(name.startswith("turn") for name in names)
    assert "points[0]: 1" in names, "not turned by seat"
    file = tmp_path / "wrong.py"
    file.write_text(
        source.replace("    text=Text(", '    learning=Learning(leave_out=("points", "pionts")),\n    text=Text(')
    )
    with pytest.raises(BadGame, match="'pionts', which is no field of its record"):
        bw.game(str(file))


LEARNED = ("coin", "dice_race", "pennies")
"""One seat, more than two, and choices at the same time. The others take seconds each to compile."""


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(path.stem, marks=() if path.stem in LEARNED else pytest.mark.slow)
        for path in sorted(GAMES.glob("*.py"))
    ],
)
def test_every_game_learns_without_features(file: str) -> None:
    """Two small generations, with tree search, and what comes out plays."""
    game = bw.game(str(GAMES / f"{file}.py"))
    seats = game.seats[-1]
    config = TrainingConfig(
        game.name, seats, 8, generation_size=4, search="tree", simulations=4, features="automatic", hidden_units=16
    )
    training = Training.begin(config, game)
    while not training.finished:
        assert np.isfinite(training.advance(InProcess()).value_loss)
    training.network().save(Path("net.npz"))
    assert load(Path("net.npz"), game).features(game).names == training.features.names
    state = game.new(seed=3, seats=seats)
    for spec in ("nettree:simulations=8", "netsearch:determinizations=1", "netpolicy", "puct:iterations=8"):
        agent = bw.agent(f"{spec}{',' if ':' in spec else ':'}weights=net.npz", game, state.player)
        assert agent.decide(state.observation(state.player)).action in state.legal_actions()


def test_ranges_of_another_version_are_refused() -> None:
    game = bw.game(str(GAMES / "dice_race.py"))
    config = TrainingConfig(game.name, 2, 4, generation_size=4, search="tree", simulations=2)
    training = Training.begin(config, game)
    training.advance(InProcess())
    training.network().save(Path("net.npz"))
    with np.load("net.npz") as stored:
        arrays = dict(stored)
    metadata = json.loads(str(arrays["metadata"]))

    def write(**changes: Any) -> None:
        with Path("other.npz").open("wb") as out:
            np.savez(out, **{**arrays, "metadata": np.array(json.dumps(metadata | changes))})

    ranges = metadata["ranges"]
    write(ranges={name: span for name, span in ranges.items() if name != "points"})
    with pytest.raises(BadRecord, match="not those of this version of dice_race"):
        load(Path("other.npz"), game)
    for wrong in (ranges | {"points": [3, 1, 0]}, ranges | {"points": [0, "x", 0]}, [1, 2], ranges | {"points": [0]}):
        write(ranges=wrong)
        with pytest.raises(BadRecord, match=r"other\.npz: its ranges of features are damaged"):
            load(Path("other.npz"), game)
    del metadata["ranges"]
    write()
    with pytest.raises(BadRecord, match="features that dice_race no longer declares"):
        load(Path("other.npz"), game)


def test_automatic_features_for_other_seats_begin_anew() -> None:
    game = bw.game(str(GAMES / "dice_race.py"))
    Training.begin(TrainingConfig(game.name, 2, 4, search="tree"), game).network().save(Path("two.npz"))
    with pytest.raises(BadSpec, match="others for 3 seats than for 2"):
        Training.begin(TrainingConfig(game.name, 3, 4, search="tree", begin_with="two.npz"), game)
