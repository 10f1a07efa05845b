"""Networks and checkpoints are data: crafted ones give one line, and take no more room than a right one."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.errors import BadRecord
from boardwright.learn.archive import LARGEST_METADATA
from boardwright.learn.config import TrainingConfig
from boardwright.learn.network import Network, initial_weights, load, shapes
from boardwright.learn.training import Training
from tests.test_learn import TAKE_THREE

MEGABYTES = 1 << 20
Arrays = dict[str, Any]


@pytest.fixture(scope="module")
def game() -> bw.Game:
    return bw.game(str(TAKE_THREE))


def good(game: bw.Game) -> Arrays:
    weights = initial_weights(len(game.learning.feature_names), game.num_actions, np.random.default_rng(0))
    metadata = {"format": 2, "game": game.name, "seats": 2, "history": {}}
    return {"metadata": np.array(json.dumps(metadata)), **weights._asdict()}


def refusal(game: bw.Game, arrays: Arrays) -> str:
    np.savez_compressed("net.npz", **arrays)
    with pytest.raises(BadRecord) as refused:
        load(Path("net.npz"), game)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_the_good_one_is_read(game: bw.Game) -> None:
    np.savez("net.npz", **good(game))
    assert load(Path("net.npz"), game).seats == 2


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, ">f4"])
def test_a_network_of_any_precision_plays(game: bw.Game, kind: Any) -> None:
    """Compiled code takes arrays of one kind, which can be written to."""
    arrays = {name: array.astype(kind) if name != "metadata" else array for name, array in good(game).items()}
    np.savez("net.npz", **arrays)
    for array in load(Path("net.npz"), game).weights:
        assert array.dtype == np.float32
        assert array.flags.writeable
        assert array.flags.c_contiguous
    agent = bw.agent("netsearch:weights=net.npz", game, 0)
    state = game.new(seed=1)
    assert agent.decide(state.observation(0)).action in state.legal_actions()


def test_shapes_are_those_of_the_weights() -> None:
    weights = initial_weights(5, 7, np.random.default_rng(0))
    assert shapes(5, 7) == {name: array.shape for name, array in weights._asdict().items()}


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300])
def test_weights_that_are_not_finite_are_refused(game: bw.Game, bad: float) -> None:
    for name, array in good(game).items():
        if name != "metadata":
            worse = array.astype(np.float64)
            worse.flat[-1] = bad
            assert f"{name} has numbers that are not finite" in refusal(game, {**good(game), name: worse})


@pytest.mark.parametrize(
    ("metadata", "complaint"),
    [
        ("[1]", "metadata is not a JSON object"),
        ("{", "is not a network: "),
        ("[" * 100_000, "is not a network: "),
        ('{"format": 2}', "its game is None"),
        ('{"format": 2, "game": "GAME"}', "it is for None seats"),
        ('{"format": 2, "game": "GAME", "seats": true}', "it is for True seats"),
        ('{"format": 2, "game": "GAME", "seats": 9}', "it is for 9 seats"),
        ('{"format": 2, "game": "GAME", "seats": 2, "history": []}', "its history is not an object"),
    ],
)
def test_metadata_that_say_something_else_are_refused(game: bw.Game, metadata: str, complaint: str) -> None:
    arrays = {**good(game), "metadata": np.array(metadata.replace("GAME", game.name))}
    assert complaint in refusal(game, arrays)


@pytest.mark.parametrize(
    ("array", "complaint"),
    [
        (np.zeros((3, 3), np.float32), "has the shape (3, 3)"),
        (np.zeros((), np.float32), "has the shape ()"),
        (np.zeros(1, np.int64), "is not an array of 1 floats"),
        (np.zeros(1, np.complex64), "is not an array of 1 floats"),
        (np.zeros(1, np.longdouble), "is not an array of 1 floats"),
        (np.array(["x"]), "is not an array of 1 floats"),
        (np.array([{}], object), "is not an array of 1 floats"),
        (np.zeros(1, [("a", "f4")]), "is not an array of 1 floats"),
    ],
)
def test_arrays_of_other_kinds_are_refused(game: bw.Game, array: Any, complaint: str) -> None:
    assert complaint in refusal(game, {**good(game), "value_bias": array})


def test_columns_first_and_other_byte_orders_are_read(game: bw.Game) -> None:
    arrays = good(game)
    np.savez("net.npz", **{**arrays, "hidden": np.asfortranarray(arrays["hidden"]).astype(">f4", order="F")})
    assert np.array_equal(load(Path("net.npz"), game).weights.hidden, arrays["hidden"])


def test_every_array_must_be_there(game: bw.Game) -> None:
    for name in good(game):
        arrays = {other: array for other, array in good(game).items() if other != name}
        assert f"it has no {name}" in refusal(game, arrays)


def member(array: Any) -> bytes:
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def header(shape: str, kind: str = "<f4", version: bytes = b"\x01\x00") -> bytes:
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}}}".encode().ljust(118) + b"\n"
    size = len(text).to_bytes(2 if version[0] == 1 else 4, "little")
    return b"\x93NUMPY" + version + size + text


BOMB = bytes(100 * MEGABYTES)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("hidden", lambda: member(np.broadcast_to(np.float32(0), (25 * MEGABYTES,)))),
        ("hidden", lambda: header("(14, 128)") + BOMB),
        ("hidden", lambda: header("(1000000000, 1000000000)")),
        ("hidden", lambda: header("(14, 128)", version=b"\x02\x00")[:8] + b"\xff\xff\xff\x05" + BOMB),
        ("metadata", lambda: header("()", f"<U{25 * MEGABYTES}") + BOMB),
        ("metadata", lambda: member(np.array("[" * (LARGEST_METADATA // 4 + 1)))),
        ("metadata", lambda: header("(1000000000,)", "<U9")),
    ],
)
def test_small_files_take_little_room(game: bw.Game, name: str, content: Callable[[], bytes]) -> None:
    """Each claims, or unpacks to, a hundred megabytes or more."""
    with zipfile.ZipFile("net.npz", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        for other, array in good(game).items():
            out.writestr(f"{other}.npy", content() if other == name else member(array))
    assert Path("net.npz").stat().st_size < 8 * MEGABYTES
    tracemalloc.start()
    try:
        with pytest.raises(BadRecord, match=r"net\.npz"):
            load(Path("net.npz"), game)
        assert tracemalloc.get_traced_memory()[1] < 40 * MEGABYTES
    finally:
        tracemalloc.stop()


def test_fuzzed_files_are_read_or_refused(game: bw.Game) -> None:
    """Bytes of the first and last kilobytes flipped: what is wrong is one line, whatever it is."""
    np.savez("net.npz", **good(game))
    whole = Path("net.npz").read_bytes()
    refused = 0
    for place in (*range(0, 1200, 5), *range(len(whole) - 1200, len(whole), 3)):
        Path("net.npz").write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            load(Path("net.npz"), game)
        except BadRecord:
            refused += 1
    assert refused > 100


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"weights.hidden": np.float32("nan")}, "weights.hidden has numbers that are not finite"),
        ({"metadata": {"steps": None}}, "is not a checkpoint"),
        ({"metadata": {"curve": 3}}, "is not a checkpoint"),
        ({"metadata": {"curve": [{"colour": 1}]}}, "is not a checkpoint"),
        ({"metadata": {"config": None}}, "is not a checkpoint"),
    ],
)
def test_crafted_checkpoints_are_refused(game: bw.Game, changes: Arrays, complaint: str) -> None:
    config = TrainingConfig(game=str(TAKE_THREE), seats=2, games=8, seed=1)
    Training.begin(config, game).save(Path("net.checkpoint"))
    Training.resume(Path("net.checkpoint"), config, game)
    with np.load("net.checkpoint") as stored:
        arrays = dict(stored)
    for name, value in changes.items():
        if name == "metadata":
            arrays[name] = np.array(json.dumps({**json.loads(str(arrays[name])), **value}))
        else:
            arrays[name] = np.full_like(arrays[name], value)
    with open("net.checkpoint", "wb") as out:
        np.savez(out, **arrays)
    with pytest.raises(BadRecord, match=complaint):
        Training.resume(Path("net.checkpoint"), config, game)


def test_a_saved_network_is_one_that_is_read(game: bw.Game) -> None:
    weights = initial_weights(len(game.learning.feature_names), game.num_actions, np.random.default_rng(0))
    Network(game.name, 2, weights, {"games": 1}).save(Path("net.npz"))
    assert load(Path("net.npz"), game).history == {"games": 1}


def test_members_that_are_encrypted_are_refused(game: bw.Game) -> None:
    np.savez("net.npz", **good(game))
    content = bytearray(Path("net.npz").read_bytes())
    for entry in (b"PK\x03\x04", b"PK\x01\x02"):
        flags = content.index(entry) + (6 if entry == b"PK\x03\x04" else 8)
        content[flags] |= 1
    Path("net.npz").write_bytes(content)
    with pytest.raises(BadRecord, match="is packed in a way that is not read here"):
        load(Path("net.npz"), game)
