"""Case files and stores from outside: whatever they hold, the process lives, and one line says what is wrong."""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boardwright.cbr.snapshot import pack_snapshot, unpack_snapshot
from boardwright.cbr.store import ACTIVE, BadCaseBase, Store, StoredCase
from boardwright.errors import BadSpec, UnknownName
from boardwright.games.race.cards import DESIGNS
from boardwright.scout.cases.collection import END, CaseCollection
from boardwright.scout.cases.files import load_cases, pack, unpack, write_case_file, write_store
from boardwright.scout.cases.profiles import load_profiles
from boardwright.scout.cases.representation import CASE
from boardwright.scout.controller import CaseController
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP
from boardwright.scout.reasoners.all_reasoners import Reasoners
from boardwright.scout.reasoners.settings import Settings
from tests.damaged_cases import START, body_of, packed_again, use, write_originals
from tests.scout_games import small_collection


@pytest.fixture(scope="module")
def cases() -> CaseCollection:
    return small_collection()


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("originals")
    write_originals(folder)
    return folder


@pytest.mark.parametrize(
    ("seed", "bounds_checks"), [(1, {}), pytest.param(2, {"NUMBA_BOUNDSCHECK": "1"}, marks=pytest.mark.slow)]
)
def test_no_damage_to_case_files_and_stores_ends_the_process(
    originals: Path, seed: int, bounds_checks: dict[str, str]
) -> None:
    """100 files each; the second time with kernels compiled to check every index."""
    environment = {**os.environ, **bounds_checks, "PYTHONPATH": str(Path(__file__).parent.parent)}
    command = [sys.executable, "-m", "tests.damaged_cases", str(originals), str(seed), "100"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr
    counts = json.loads(ended.stdout)
    assert counts["refused"] > 50
    assert counts["used"] > 10, "damage that does no harm is no reason to refuse"


def test_what_is_not_damaged_is_used(originals: Path) -> None:
    for name in ("original.cases", "original.db"):
        Path(name).write_bytes((originals / name).read_bytes())
        use(Path(name))


DEVELOPMENT = next(number for number, design in enumerate(DESIGNS) if not design.world)


def changed(cases: CaseCollection, kind: int, path: str, value: Any) -> CaseCollection:
    """The collection with one field of its first case of a type changed."""
    records = cases.records.copy()
    part: Any = records[cases.positions_of(kind)[0] :][:1]
    *parents, last = path.split(".")
    for parent in parents:
        part = part[parent]
    part[last] = value
    return replace(cases, records=records)


@pytest.mark.parametrize(
    ("kind", "path", "value", "reason"),
    [
        (TYPE_ACTION, "type", 1, "its type is unknown"),
        (TYPE_DEVELOP, "me.size", 14, "a tableau is too large"),
        (TYPE_DEVELOP, "opponent.size", 255, "a tableau is too large"),
        (END, "me.tableau", [255] * 13, "a tableau has cards that do not exist"),
        (TYPE_DEVELOP, "me.tableau", [len(DESIGNS)] * 13, "a tableau has cards that do not exist"),
        (TYPE_DEVELOP, "me.goods", 1 << 12, "there are goods where none can be"),
        (TYPE_DEVELOP, "opponent.goods", 1 << 15, "there are goods where none can be"),
        (TYPE_DEVELOP, "me.seat", 4, "there is no such seat"),
        (TYPE_DEVELOP, "me.action", 4, "there is no such action"),
        (TYPE_DEVELOP, "subject", len(DESIGNS), "its subject is no card"),
        (TYPE_DEVELOP, "phases", 32, "there are no such phases"),
        (TYPE_DEVELOP, "phase", 2, "there is no such phase"),
        (TYPE_DEVELOP, "minimum", 200, "its bounds are the wrong way round"),
        (TYPE_DEVELOP, "hand", [1 << 57, 0], "its hand has cards that do not exist"),
        (TYPE_DEVELOP, "hand", [0, -1], "its hand has cards that do not exist"),
        (TYPE_DEVELOP, "options", [0, 1 << 60, 0], "it has options that do not exist"),
        (TYPE_ACTION, "options", [1 << 4, 0, 0], "it has options that do not exist"),
        (TYPE_DEVELOP, "choice", [(1 << 57) - 1, 0, 0], "what was chosen was no option"),
        (TYPE_ACTION, "choice", [0, 0, 0], "one action should have been chosen"),
    ],
)
@pytest.mark.parametrize("name", ["crafted.cases", "crafted.db"])
def test_a_case_that_no_game_could_give_is_refused(
    cases: CaseCollection, kind: int, path: str, value: Any, reason: str, name: str
) -> None:
    file = Path(name)
    crafted = changed(cases, kind, path, value)
    if name.endswith(".cases"):
        write_case_file(crafted, file)
    else:
        write_crafted_store(cases, crafted, file)
    number = cases.positions_of(kind)[0] + 1
    with pytest.raises(BadCaseBase, match=rf"{name}: case {number} is damaged: {reason}; build"):
        load_cases(name)


def write_crafted_store(cases: CaseCollection, crafted: CaseCollection, file: Path) -> None:
    """Not by write_store, which would index the cases."""
    write_store(cases, file)
    with Store(file) as store, store.transaction():
        for case in store.cases(ACTIVE):
            case.record = crafted.records[case.id - 1].tobytes()
            values = (case.record + case.checksum, case.id)
            store.connection.execute("UPDATE cases SET record=? WHERE id=?", values)


def test_goods_on_a_development_are_refused(cases: CaseCollection) -> None:
    crafted = changed(cases, TYPE_DEVELOP, "me.tableau", [DEVELOPMENT] * 13)
    crafted = changed(crafted, TYPE_DEVELOP, "me.goods", 1)
    with pytest.raises(BadCaseBase, match="goods where none can be"):
        unpack(pack(crafted), "crafted")


@pytest.mark.parametrize(("group", "whole"), [(-1, False), (10**6, False), (0, True)])
def test_a_case_is_of_a_game_that_can_be(cases: CaseCollection, group: int, whole: bool) -> None:
    body = body_of(pack(cases))
    start = 4 + int.from_bytes(body[:4], "big")
    body[start : start + 4] = group.to_bytes(4, "little", signed=True)
    packed = packed_again(bytes(body))
    if whole:
        assert len(unpack(packed, "file")) == len(cases)
    else:
        with pytest.raises(BadCaseBase, match="of games that cannot be"):
            unpack(packed, "file")


def test_something_behind_the_end_of_a_case_file_is_found(cases: CaseCollection) -> None:
    with pytest.raises(BadCaseBase, match="something behind its end"):
        unpack(pack(cases) + b"more", "file")


def test_a_bit_that_has_changed_in_a_store_is_found(cases: CaseCollection) -> None:
    """Also one that leaves a case that could be."""
    write_store(cases, Path("cases.db"))
    with Store(Path("cases.db")) as store:
        store.connection.execute("UPDATE cases SET class=class + 1 WHERE id=2")
    with pytest.raises(BadCaseBase, match=r"cases\.db: case 2 is damaged: its checksum is wrong"):
        load_cases("cases.db")


def test_a_small_file_does_not_take_much_memory() -> None:
    header = json.dumps({"cases": 400_000, "meta": {}}).encode()
    many = len(header).to_bytes(4, "big") + header + bytes(400_000 * (4 + CASE.itemsize))
    bomb = START + lzma.compress(many, preset=0)
    assert len(many) > 1000 * len(bomb)
    tracemalloc.start()
    try:
        with pytest.raises(BadCaseBase, match="it unpacks to more than"):
            unpack(bomb, "bomb")
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()


def test_a_snapshot_does_not_take_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = pack_snapshot([StoredCase(n, 0, 0, 0, b"") for n in range(1, 1001)], {(0, 1): (2, 1)})
    assert len(unpack_snapshot(packed)[0]) == 1000
    monkeypatch.setattr("boardwright.cbr.snapshot._LARGEST", 1000)
    with pytest.raises(ValueError, match="cases do not fit"):
        unpack_snapshot(packed)


def with_header(cases: CaseCollection, text: bytes) -> bytes:
    body = body_of(pack(cases))
    return packed_again(len(text).to_bytes(4, "big") + text + bytes(body[4 + int.from_bytes(body[:4], "big") :]))


@pytest.mark.parametrize(
    ("meta", "reason"),
    [
        ("[]", "it is no object"),
        ('{"confusions": []}', "its confusions are no object"),
        ('{"confusions": {"3": 5}}', "its confusions are no list"),
        ('{"confusions": {"3": [[1, 2]]}}', "a confusion has three numbers"),
        ('{"confusions": {"3": [[1, 2, 1.5]]}}', "a confusion has three numbers"),
        ('{"confusions": {"3": [[1, 96, 1]]}}', "there is no confusion"),
        ('{"confusions": {"3": [[-1, 2, 1]]}}', "there is no confusion"),
        ('{"policy_network": 3}', "its policy network is no object"),
        ('{"from": ["a"]}', "'from' is neither a text nor a number"),
        ('{"games": NaN}', "NaN is not a number"),
        ('{"games": Infinity}', "Infinity is not a number"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_a_case_file_says_about_itself_is_checked(cases: CaseCollection, meta: str, reason: str) -> None:
    packed = with_header(cases, f'{{"cases": {len(cases)}, "meta": {meta}}}'.encode())
    with pytest.raises(BadCaseBase, match=reason):
        unpack(packed, "file")


NETWORK_DAMAGES = {
    "lowest": [0.5],
    "width": [0] * 100,
    "hidden": "AAAA",
    "bias": "!!",
    "heads": {"0": ["AAAA", "AAAA"], "3": ["AAAA", "AAAA"], "5": ["AAAA", "AAAA"]},
}


@pytest.mark.parametrize("name", [*NETWORK_DAMAGES, "infinite", "missing"])
def test_a_policy_network_has_the_right_sizes_and_finite_weights(originals: Path, name: str) -> None:
    cases = load_cases(str(originals / "original.cases"))
    network = dict(cases.meta["policy_network"])
    if name == "missing":
        del network["bias"]
    elif name == "infinite":
        network["bias"] = "AHwAfAB8AHw="  # four times infinity in half precision
    else:
        network[name] = NETWORK_DAMAGES[name]
    with pytest.raises(BadCaseBase, match="a policy network of another version"):
        Reasoners(replace(cases, meta={"policy_network": network}), Settings())


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("capacity", {"0": 5}, "does not say how many cases"),
        ("capacity", {"0": -1, "3": 5, "5": 5}, "the capacity of its bases"),
        ("capacity", [], "does not say how many cases"),
        ("era_policy_network", [1], "policy network of its era"),
        ("collection", 7, "it is no object"),
        ("format", "3", "is a store of format 3"),
        ("format", None, "is a store of format None"),
    ],
)
def test_what_a_store_says_about_itself_is_checked(originals: Path, key: str, value: Any, reason: str) -> None:
    file = Path("crafted.db")
    file.write_bytes((originals / "original.db").read_bytes())
    with Store(file) as store:
        store.set_meta(key, value)
    with pytest.raises(BadCaseBase, match=reason):
        CaseController(file, Settings(), retrain=True)


def test_an_archive_that_names_cases_that_are_gone_is_refused(originals: Path) -> None:
    file = Path("crafted.db")
    file.write_bytes((originals / "original.db").read_bytes())
    with Store(file) as store:
        store.connection.execute("DELETE FROM cases WHERE id=(SELECT MIN(id) FROM cases WHERE base=0)")
    with pytest.raises(BadCaseBase, match="has lost cases that are in its archive"):
        CaseController(file, Settings())


WEIGHTS: dict[str, Any] = {"k": 7, "numbers": {"game_round": 1}, "sets": {"player_hand": 1}}


@pytest.mark.parametrize(
    "change",
    [
        {"k": 10**12},
        {"k": 0},
        {"k": "many"},
        {"numbers": {"game_round": float("nan")}},
        {"numbers": {"game_round": float("inf")}},
        {"numbers": {"game_round": -1}},
        {"numbers": {"player_hand": 1}},
        {"numbers": []},
        {"sets": {"game_round": 1}},
        {"exponents": {"game_round": 1e9}},
        {"exponents": {"nothing": 1}},
        {"windows": {"game_round": -1}},
        {"windows": {"player_hand": 1}},
        {"windows": {"game_round": 1e300}},
        {"generalised": {"player_hand": "nothing"}},
    ],
)
def test_feature_weights_from_a_file_are_checked(change: dict[str, Any]) -> None:
    file = Path("weights.json")
    file.write_text(json.dumps({"phase": WEIGHTS}))
    assert load_profiles(str(file))["phase"].k == 7
    file.write_text(json.dumps({"phase": {**WEIGHTS, **change}}))
    with pytest.raises((BadSpec, UnknownName)) as refused:
        load_profiles(str(file))
    assert len(str(refused.value).splitlines()) == 1
