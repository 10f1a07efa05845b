"""Exported engines play exactly as the rules and agents that they were made of."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numba
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route

import boardwright as bw
from boardwright.drawing.layout import Layout
from boardwright.engine import Exported, export_engine
from boardwright.engine.blake2 import derive
from boardwright.engine.export import _fields, strongest_for_export, target_named
from boardwright.engine.families import family_of
from boardwright.engine.page import write_page
from boardwright.engine.presentation import presentation
from boardwright.errors import BadSpec, BoardwrightError, UnknownName
from boardwright.kernel import rng
from tests.conftest import DICE_RACE
from tests.engine_hosts import EngineHost
from tests.engine_transcripts import transcript

EXAMPLES = Path(__file__).parents[1] / "examples" / "engines"
JAVASCRIPT = Path(bw.__file__).parent / "engine" / "javascript"
PENNIES = Path(__file__).parent / "games" / "pennies.py"
SPEC = "uct:iterations=200"
ILLEGAL_ACTION, BAD_OPTIONS, NOT_AN_ENGINE, NO_DECISION, NOT_A_STATE = -3, -5, -6, -8, -10

FORMATS = {
    "aarch64-linux": b"\x7fELF",
    "aarch64-android": b"\x7fELF",
    "x86_64-windows": b"MZ",
    "aarch64-macos": b"\xcf\xfa\xed\xfe",
    "aarch64-ios": b"!<arch>",
}
"""How libraries begin."""

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


@pytest.fixture(scope="module")
def wasm(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    return export_engine(bw.game("connect_four"), SPEC, folder=tmp_path_factory.mktemp("wasm"), page=True)


@pytest.fixture(scope="module")
def native(wasm: Exported) -> Exported:
    """In the same folder: neither takes anything from the other."""
    return export_engine(bw.game("connect_four"), SPEC, target="native", folder=wasm.library.parent)


def written(game: str, spec: str, exported: Exported, positions: int, decisions: int) -> dict[str, Any]:
    played = bw.game(game)
    agent = bw.agent(spec, played, 0, seed=0)
    seats = exported.manifest["agent_seats"][0]
    iterations = exported.manifest["iterations"]
    return transcript(
        played, agent, seats, positions=positions, decisions=decisions, iterations=iterations, seed=20261117
    )


def differing(found: Mapping[str, int]) -> dict[str, int]:
    return {what: count for what, count in found.items() if what.startswith("≠")}


def test_seeds_are_derived_as_in_python() -> None:
    @numba.njit  # type: ignore[untyped-decorator]
    def compiled(seed: Any, part: int, seat: int, words: Any, mixed: Any) -> Any:
        return derive(seed, part, seat, words, mixed)

    for seed in (0, 7, 2**64 - 1, 12345678901234567890):
        words, mixed = np.zeros(16, np.uint64), np.zeros(16, np.uint64)
        assert int(compiled(np.uint64(seed), 2, 3, words, mixed)) == rng.derive(seed, 2, 3)


@pytest.mark.parametrize("kind", ["wasm", "native"])
def test_an_exported_engine_plays_and_decides_the_same(kind: str, request: pytest.FixtureRequest) -> None:
    exported = request.getfixturevalue(kind)
    found = EngineHost(exported.library).differences(written("connect_four", SPEC, exported, 400, 60))
    assert not differing(found)
    assert found["decision"] > 40
    assert found["legal actions"] == 400


@pytest.mark.parametrize("spec", [SPEC, pytest.param("nettree:simulations=20", marks=pytest.mark.slow)])
def test_an_only_action_is_chosen_without_a_search(spec: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Also after a decision among several, whose ranking must not be taken for this one."""
    game, chance = bw.game("connect_four"), random.Random(5)
    if spec == SPEC:
        exported = request.getfixturevalue("native")
    else:
        exported = export_engine(game, spec, target="native", folder=tmp_path)
    engine = EngineHost(exported.library)
    state, only = engine.host.allocate(engine.state_size), 0
    while not only:
        position = game.new(seed=0)
        assert engine.call("bw_new_game", state, 0, 2, 0, 0) == 0
        while not position.is_terminal:
            legal = position.legal_actions()
            if len(legal) <= 2:
                assert engine.call("bw_decide", state, 7, 0) in legal
                only += len(legal) == 1
            action = chance.choice(legal)
            position.apply(action)
            engine.call("bw_apply", state, action)


def test_rules_that_make_arrays_determinize_the_same(tmp_path: Path) -> None:
    """Machines of 32 bits find these arrays where those of 64 bits do."""
    drawn = "s.hand = rng.below(rng_state, 2)"
    file, source = tmp_path / "pennies.py", PENNIES.read_text()
    assert drawn in source
    file.write_text(source.replace(drawn, f"more = np.zeros(4, np.uint64)\n        {drawn} + np.int64(more[0])"))
    exported = export_engine(bw.game(str(file)), "random", folder=tmp_path)
    found = EngineHost(exported.library).differences(written(str(file), "random", exported, 100, 1))
    assert found["determinization"] == 100
    assert found["≠ determinization"] == 0


def test_memory_of_webassembly_is_given_once_and_used_again(wasm: Exported) -> None:
    """It has no C library, and its own `malloc`."""
    host, chance = EngineHost(wasm.library).host, random.Random(6)
    blocks: dict[int, int] = {}
    for _ in range(2_000):
        if blocks and chance.random() < 0.45:
            freed = chance.choice(list(blocks))
            del blocks[freed]
            host.call("bw_free", freed)
        size = chance.randrange(1, 3_000)
        block = host.allocate(size)
        assert block % 64 == 0
        assert all(block + size <= other or other + blocks[other] <= block for other in blocks)
        blocks[block] = size
    top = max(block + size for block, size in blocks.items())
    for block in blocks:
        host.call("bw_free", block)
    assert host.allocate(sum(blocks.values())) + sum(blocks.values()) <= top, "what was given back is one block again"
    assert host.call("bw_allocate", 2**31 + 1) == 0


@pytest.mark.slow
def test_rules_that_need_more_of_the_c_library_are_linked_with_it(tmp_path: Path) -> None:
    """Where zig links it for the first time, it compiles it for half a minute."""
    divided = "out[1] = s.balance / s.rounds"
    file, source = tmp_path / "pennies.py", PENNIES.read_text()
    assert divided in source
    file.write_text(source.replace(divided, "out[1] = np.tanh(s.balance / s.rounds)"))
    exported = export_engine(bw.game(str(file)), "random", folder=tmp_path)
    found = EngineHost(exported.library).differences(written(str(file), "random", exported, 100, 1))
    assert differing(found).keys() <= {"≠ decision"}, "random draws numbers of its own"
    assert found["end"] > 10


@needs_node
def test_the_javascript_package_plays_the_same_in_node(wasm: Exported, tmp_path: Path) -> None:
    (tmp_path / "transcript.json").write_text(json.dumps(written("connect_four", SPEC, wasm, 200, 30)))
    shutil.copy(JAVASCRIPT / "verify.js", wasm.library.parent)
    command = ["node", "verify.js", wasm.library.name, f"{wasm.library.name}.json", str(tmp_path / "transcript.json")]
    done = subprocess.run(command, cwd=wasm.library.parent, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert not differing(found)
    assert found["visits"] > 15


@needs_node
def test_a_bot_in_node_plays_a_match_beside_its_twin(wasm: Exported) -> None:
    bot = f'script:"node {EXAMPLES / "bot.mjs"} {wasm.library.parent} connect_four"'
    result = bw.match("connect_four", bot, SPEC, games=2)
    assert result.games == 2


@needs_node
def test_the_example_in_javascript_plays_a_game(wasm: Exported) -> None:
    command = ["node", str(EXAMPLES / "play.mjs"), str(wasm.library.parent), "connect_four"]
    assert "moves, scores:" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is installed")
def test_the_example_in_c_plays_a_game(native: Exported, tmp_path: Path) -> None:
    folder = native.library.parent
    flags = ["-Wall", "-Werror", f"-I{folder}", str(native.library), f"-Wl,-rpath,{folder}"]
    subprocess.run(["cc", str(EXAMPLES / "play.c"), *flags, "-o", str(tmp_path / "play")], check=True)
    assert "moves, scores:" in subprocess.run([str(tmp_path / "play")], capture_output=True, text=True).stdout


@pytest.mark.skipif(shutil.which("rustc") is None, reason="no Rust compiler is installed")
def test_the_example_in_rust_plays_a_game(native: Exported, tmp_path: Path) -> None:
    folder = native.library.parent
    flags = ["-C", f"link-arg={native.library}", "-C", f"link-arg=-Wl,-rpath,{folder}"]
    subprocess.run(["rustc", str(EXAMPLES / "play.rs"), *flags, "-o", str(tmp_path / "play")], check=True)
    assert "moves, scores:" in subprocess.run([str(tmp_path / "play")], capture_output=True, text=True).stdout


@pytest.mark.parametrize("kind", ["wasm", "native"])
def test_bad_calls_get_a_code_and_change_nothing(kind: str, request: pytest.FixtureRequest) -> None:
    engine = EngineHost(request.getfixturevalue(kind).library)
    state = engine.host.allocate(engine.state_size)
    assert engine.call("bw_player", state) == NOT_A_STATE
    assert engine.call("bw_new_game", state, 7, 3, 0, 0) == BAD_OPTIONS
    assert engine.call("bw_new_game", state, 7, 2, 0, 0) == 0
    before = engine.host.read(state, engine.state_size)
    for action in (-1, 7, 2**31 - 1, -(2**31)):
        assert engine.call("bw_apply", state, action) == ILLEGAL_ACTION
    assert engine.call("bw_think", 10) == NO_DECISION
    assert engine.host.read(state, engine.state_size) == before
    assert engine.host.call("bw_player", state, state) == NOT_AN_ENGINE


def test_a_state_that_was_changed_from_outside_is_refused(native: Exported) -> None:
    import ctypes

    engine = EngineHost(native.library)
    state = engine.host.allocate(engine.state_size)
    engine.call("bw_new_game", state, 7, 2, 0, 0)
    ctypes.memset(state + 20, 255, 1)
    assert engine.call("bw_apply", state, 3) == NOT_A_STATE


def test_a_library_and_a_foreign_manifest_are_refused(wasm: Exported, tmp_path: Path) -> None:
    library = tmp_path / "connect_four.wasm"
    shutil.copy(wasm.library, library)
    Path(f"{library}.json").write_text(json.dumps({**wasm.manifest, "digest": "0" * 64}))
    with pytest.raises(BoardwrightError, match="digests differ"):
        EngineHost(library)


def test_libraries_for_two_machines_in_one_folder_have_their_own_manifests(wasm: Exported, native: Exported) -> None:
    for exported in (wasm, native):
        manifest = json.loads(Path(f"{exported.library}.json").read_text())
        assert manifest["library"] == exported.library.name
        assert manifest["target"] == exported.manifest["target"]
    assert wasm.manifest["target"] != native.manifest["target"]


@needs_node
def test_a_truncated_library_is_refused_in_javascript(wasm: Exported) -> None:
    script = (
        'import { Engine } from "./engine.js"; import { readFile } from "node:fs/promises";'
        'const bytes = await readFile("connect_four.wasm");'
        'const manifest = JSON.parse(await readFile("connect_four.wasm.json", "utf8"));'
        "for (const [b, m] of [[bytes.subarray(0, 999), manifest], [bytes, {...manifest, digest: ''}]])"
        " await Engine.open(b, m).catch((error) => console.log(error.message));"
    )
    command = ["node", "--input-type=module", "--eval", script]
    done = subprocess.run(command, cwd=wasm.library.parent, capture_output=True, text=True, check=True)
    assert "not a whole WebAssembly file" in done.stdout
    assert "digests differ" in done.stdout


def serve(page: Page, folder: Path) -> str:
    """The address at which a page finds the files of a folder, and nothing else."""

    def answer(route: Route) -> None:
        file = folder / urlsplit(route.request.url).path.lstrip("/")
        route.fulfill(path=file) if file.is_file() else route.fulfill(status=404)

    page.route("http://engine.test/**", answer)
    return "http://engine.test"


def differences_in_chromium(browser: Browser, exported: Exported, transcript: dict[str, Any]) -> dict[str, int]:
    shutil.copy(JAVASCRIPT / "verify.js", exported.library.parent)
    page = browser.new_page()
    page.goto(serve(page, exported.library.parent) + "/package.json")
    return page.evaluate(
        """async ([library, transcript]) => {
            const { Engine } = await import("/engine.js"), { differences } = await import("/verify.js");
            const manifest = await (await fetch(library + ".wasm.json")).json();
            const engine = await Engine.open(await (await fetch(library + ".wasm")).arrayBuffer(), manifest);
            return differences(engine, transcript);
        }""",
        [exported.library.stem, transcript],
    )


def test_the_javascript_package_plays_the_same_in_chromium(browser: Browser, wasm: Exported) -> None:
    found = differences_in_chromium(browser, wasm, written("connect_four", SPEC, wasm, 200, 30))
    assert not differing(found)
    assert found["visits"] > 15


@pytest.mark.parametrize(
    ("place", "is_translated"), [("the disk", False), pytest.param("a web host", True, marks=needs_node)]
)
def test_a_person_plays_on_the_page_without_a_server(
    browser: Browser,
    wasm: Exported,
    place: str,
    is_translated: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where there was no Node to translate the game's texts: then the page does it."""
    page, folder = browser.new_page(viewport={"width": 390, "height": 844}), wasm.library.parent
    if not is_translated:
        monkeypatch.setattr(shutil, "which", lambda name: None)
        write_page(bw.game("connect_four"), wasm.library, wasm.manifest, tmp_path)
        folder = tmp_path
    assert ('id="presentation"' not in (folder / "index.html").read_text()) == is_translated
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((folder.as_uri() if place == "the disk" else serve(page, folder)) + "/index.html")
    page.wait_for_selector("body[data-ready]")
    assert page.locator("#board svg").count() == 1
    page.locator("#level").select_option("0.02")
    page.locator("#new").click()
    while page.locator("body[data-over=true]").count() == 0:
        page.wait_for_selector("body[data-turn=you], body[data-over=true]")
        if page.locator("#choices button").count():
            page.locator("#choices button").first.click()
    assert "Points:" in page.inner_text("#status")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert errors == []


def test_a_node_that_fails_at_the_export_is_said(
    wasm: Exported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\necho a line >&2; echo 'SyntaxError: too old' >&2; exit 1\n")
    node.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(node))
    write_page(bw.game("connect_four"), wasm.library, wasm.manifest, tmp_path)
    assert 'id="presentation"' in (tmp_path / "index.html").read_text(), "the page translates the texts itself"
    assert "node cannot translate the page's texts (SyntaxError: too old)" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "seats"), [("connect_four", 2), ("lords", 2), ("race", 2), ("kuhn_poker", 2)])
def test_every_game_has_an_agent_to_export(name: str, seats: int) -> None:
    game = bw.game(name)
    family_of(bw.agent(strongest_for_export(game, seats), game, 0, seed=0), seats)


def test_unknown_targets_and_agents_are_named(connect_four: bw.Game, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="target"):
        target_named("vax")
    with pytest.raises(BadSpec, match="cannot be exported"):
        export_engine(connect_four, "maxn", folder=tmp_path)
    with pytest.raises(BadSpec, match="give iterations"):
        export_engine(connect_four, "uct:seconds=1", folder=tmp_path)
    with pytest.raises(BadSpec, match="--target wasm"):
        export_engine(connect_four, SPEC, target="native", page=True, folder=tmp_path)


@pytest.mark.parametrize(
    "name", ["connect_four", "kuhn_poker", "colonizers", "lords", "race", "wonders", str(DICE_RACE)]
)
def test_texts_and_pictures_are_the_same_without_numpy(name: str) -> None:
    game = bw.game(name)
    exported: dict[str, Any] = {}
    exec(presentation(game), exported)
    chance, state, fields = random.Random(3), game.new(seed=3), _fields(game.state)
    while not state.is_terminal:
        observation = state.observation(state.player)
        legal = observation.legal_actions()
        if chance.random() < 0.1:
            record = exported["record_in"](bytes(observation), fields)
            for action in legal[:10]:
                assert exported["GAME_describe_action"](record, action) == game.describe(observation, action)
            if game.text.draw_state is not None:
                picture = game.text.draw_state(observation.record, observation.seat)
                assert exported["GAME_draw_state"](record, observation.seat) == picture
            if game.text.draw_state is not None and exported["GAME_Layout"]:
                phone = (380, True, frozenset({1}))
                picture = game.text.draw_state(observation.record, observation.seat, Layout(*phone))
                drawn = exported["GAME_draw_state"](record, observation.seat, exported["GAME_Layout"](*phone))
                assert drawn == picture
        state.apply(chance.choice(legal))


FAMILIES = [
    ("kuhn_poker", "ismcts:iterations=200", None),
    ("lords", "ismcts:iterations=100", None),
    ("lords", "uct:iterations=100", None),
    ("connect_four", "nettree:simulations=100", None),
    ("connect_four", "netpolicy", None),
    ("colonizers", "netsearch", None),
    ("colonizers", "heuristic", None),
    ("race", "netsearch:turns=2,weights=large", 2),
    ("race", "netpolicy", 2),
    ("race", "puct:iterations=100", 2),
    ("race", "ismcts:iterations=50", 4),
    ("wonders", "ismcts:iterations=50", 3),
]


@pytest.mark.parametrize(("game", "spec", "seats"), FAMILIES)
def test_every_family_has_its_functions(game: str, spec: str, seats: int | None) -> None:
    """What kernels get of a game fits what they expect; `make test-slow` compiles and plays it."""
    played = bw.game(game)
    family = family_of(bw.agent(spec, played, 0, seed=0), seats or played.seats[0])
    assert set(family.functions()) == {"begin", "advance", "finish"}


@pytest.mark.slow
@pytest.mark.parametrize("target", ["wasm", "native"])
@pytest.mark.parametrize(("game", "spec", "seats"), FAMILIES)
def test_every_family_decides_the_same(
    game: str, spec: str, seats: int | None, target: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    exported = export_engine(bw.game(game), spec, target=target, seats=seats, folder=tmp_path)
    transcript = written(game, spec, exported, 10_000, 1_000)
    comparisons: list[Mapping[str, int]] = [EngineHost(exported.library).differences(transcript)]
    if target == "wasm":
        comparisons.append(differences_in_chromium(request.getfixturevalue("browser"), exported, transcript))
    for found in comparisons:
        assert differing(found).keys() <= {"≠ decision"}
        assert found.get("≠ decision", 0) <= found["decision"] / 1000


@pytest.mark.slow
@pytest.mark.parametrize(
    "target", ["aarch64-linux", "aarch64-android", "x86_64-windows", "aarch64-macos", "aarch64-ios"]
)
def test_other_machines_get_a_library(target: str, connect_four: bw.Game, tmp_path: Path) -> None:
    library = export_engine(connect_four, SPEC, target=target, folder=tmp_path).library.read_bytes()
    assert library.startswith(FORMATS[target])
    declared = set(re.findall(rb"(bw_\w+)\(", (tmp_path / "boardwright_engine.h").read_bytes()))
    assert len(declared) > 15
    assert all(name in library for name in declared)
