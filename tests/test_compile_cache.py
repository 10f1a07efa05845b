"""Compiled code is kept between processes, and thrown away exactly when something it depends on changes."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from boardwright.kernel.compile import compilations
from boardwright.kernel.fingerprint import fingerprint, fingerprint_and_size

PACKAGE = Path(__file__).parent.parent / "boardwright"

TARIFF = "FARE = 3  # coins\n"
TABLE = "import json\nimport numpy as np\nfrom pathlib import Path\n" + (
    "TOLL = np.array(json.loads((Path(__file__).parent / 'tolls.json').read_text()), np.int64)\n"
)
RULES = """
from boardwright.kernel import TERMINAL, Game, Rules, record, rule
from tollgame import tariff
from tollgame.table import TOLL

@rule
def setup(s, seed, seats, options):
    s.coins = 100

@rule
def player(s):
    return TERMINAL if s.coins < 90 else 0

@rule
def legal(s, out):
    out[0] = 0
    return 1

@rule
def apply(s, action):
    s.coins -= price()

@rule
def price():
    return tariff.FARE + TOLL[1]

@rule
def returns(s, out):
    out[0] = 0.0

game = Game(name="tollgame", title="Toll", state=record(coins="i4"), seats=(1,), num_actions=1,
            rules=Rules(setup=setup, player=player, legal=legal, apply=apply, returns=returns))
"""
PLAY = "from tollgame.rules import game; s = game.new(seed=1); s.apply(0); print(s.record.coins)"


class Workshop:
    """A package outside the project, and a compile cache of its own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.package = folder / "tollgame"
        self.package.mkdir()
        self.write("__init__.py", "")
        self.write("tariff.py", TARIFF)
        self.write("table.py", TABLE)
        self.write("tolls.json", json.dumps([0, 2]))
        self.write("rules.py", RULES)
        self.cache = folder / "cache"
        self.complaints = ""
        monkeypatch.setenv("BOARDWRIGHT_CACHE", str(self.cache))
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def write(self, name: str, text: str) -> None:
        (self.package / name).write_text(text)

    def play(self) -> tuple[str, bool]:
        """What a game comes to whose modules are imported anew, as by a fresh process, and whether it was compiled."""
        for name in [name for name in sys.modules if name.partition(".")[0] == "tollgame"]:
            del sys.modules[name]
        importlib.invalidate_caches()
        before = len(compilations)
        state = importlib.import_module("tollgame.rules").game.new(seed=1)
        state.apply(0)
        return str(state.record.coins), len(compilations) > before

    def play_elsewhere(self, code: str = PLAY, path: str = "", **env: str) -> tuple[str, bool]:
        """What a fresh process prints, and whether it had to compile."""
        finished = subprocess.run(
            [sys.executable, "-c", code],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(filter(None, [path, str(self.folder), str(PACKAGE.parent)])),
                "BOARDWRIGHT_CACHE": str(self.cache),
                "PYTHONDONTWRITEBYTECODE": "1",
                **env,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert finished.returncode == 0, finished.stderr
        self.complaints = finished.stderr
        return finished.stdout.strip(), "compiling" in finished.stderr


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    return Workshop(tmp_path, monkeypatch)


def test_second_process_loads_what_the_first_compiled(workshop: Workshop) -> None:
    assert workshop.play_elsewhere() == ("95", True)
    assert workshop.play_elsewhere() == ("95", False)
    assert workshop.play() == ("95", False)


def test_constant_in_another_module_recompiles(workshop: Workshop) -> None:
    workshop.play()
    workshop.write("tariff.py", TARIFF.replace("3", "7"))
    assert workshop.play() == ("91", True)


def test_data_file_behind_a_table_recompiles(workshop: Workshop) -> None:
    workshop.play()
    workshop.write("tolls.json", json.dumps([0, 4]))
    assert workshop.play() == ("93", True)


def test_helper_of_a_rule_recompiles(workshop: Workshop) -> None:
    workshop.play()
    workshop.write("rules.py", RULES.replace("tariff.FARE + TOLL[1]", "tariff.FARE - TOLL[1]"))
    assert workshop.play() == ("99", True)


def test_comment_recompiles_nothing(workshop: Workshop) -> None:
    workshop.play()
    workshop.write("tariff.py", TARIFF + "# a remark\n")
    workshop.write("rules.py", "# another\n" + RULES)
    assert workshop.play() == ("95", False)


@pytest.mark.parametrize(
    ("after", "coins"),
    [("PRICE = namedtuple('P', 'value cost')(1, 2)", "93"), ("PRICE = namedtuple('P', 'cost value')(3, 2)", "92")],
)
def test_named_tuples_count_by_field(workshop: Workshop, after: str, coins: str) -> None:
    head = "from collections import namedtuple\n"
    body = RULES.replace("return tariff.FARE", "return PRICE.cost + tariff.FARE")
    workshop.write("rules.py", head + "PRICE = namedtuple('P', 'cost value')(1, 2)\n" + body)
    assert workshop.play() == ("94", True)
    workshop.write("rules.py", head + after + "\n" + body)
    assert workshop.play() == (coins, True)


def test_slices_count_by_value(workshop: Workshop) -> None:
    body = RULES.replace("return tariff.FARE", "return TOLL[S].size + tariff.FARE")
    workshop.write("rules.py", "S = slice(0, 1)\n" + body)
    assert workshop.play() == ("94", True)
    workshop.write("rules.py", "S = slice(0, 2)\n" + body)
    assert workshop.play() == ("93", True)


def test_modules_that_import_each_other(workshop: Workshop) -> None:
    workshop.write("tariff.py", "import tollgame\n" + TARIFF)
    circular = RULES.replace("from tollgame import tariff", "import tollgame.tariff")
    workshop.write("rules.py", circular.replace("tariff.FARE", "tollgame.tariff.FARE"))
    assert workshop.play() == ("95", True)


def test_moved_game_is_compiled_again(workshop: Workshop) -> None:
    """The same source under another module's name must not load code that refers to the first."""
    code = "import boardwright as bw; s = bw.game('{}').new(seed=1); s.apply(0); print(s.record.coins)"
    lone = RULES.replace("from tollgame import tariff\nfrom tollgame.table import TOLL", "FARE, TOLL = 3, (0, 2)")
    for folder in ("one", "two"):
        (workshop.folder / folder).mkdir()
        (workshop.folder / folder / "toll.py").write_text(lone.replace("tariff.FARE", "FARE"))
        assert workshop.play_elsewhere(code.format(workshop.folder / folder / "toll.py"))[0] == "95"


def test_constant_in_the_kernel_recompiles(workshop: Workshop) -> None:
    copy = workshop.folder / "copy"
    shutil.copytree(PACKAGE, copy / "boardwright", ignore=shutil.ignore_patterns("__pycache__"))
    code = "import boardwright as bw; print(bytes(bw.game('kuhn_poker').new(seed=1)).hex())"
    before, _ = workshop.play_elsewhere(code, str(copy))
    assert workshop.play_elsewhere(code, str(copy)) == (before, False)
    source = copy / "boardwright" / "kernel" / "rng.py"
    changed = source.read_text().replace("0x94D049BB133111EB", "0x94D049BB133111ED")
    assert changed != source.read_text()
    source.write_text(changed)
    after, compiled = workshop.play_elsewhere(code, str(copy))
    assert compiled
    assert after != before


def test_code_of_two_games_does_not_mix(workshop: Workshop) -> None:
    """Entry points of all games come from the same lines of Python; loaded from disk they must stay apart."""
    lone = "import boardwright as bw; print(bw.game('{}').new(seed=4).scores)"
    for name in ("connect_four", "kuhn_poker"):
        workshop.play_elsewhere(lone.format(name))
    both = (
        "import boardwright as bw; print([len(bytes(bw.game(n).new(seed=4))) for n in ('connect_four', 'kuhn_poker')])"
    )
    sizes, compiled = workshop.play_elsewhere(both)
    assert not compiled
    winner = (
        both.replace("('connect_four', 'kuhn_poker')", "('kuhn_poker', 'connect_four')") + "\n"
        "for name in ('kuhn_poker', 'connect_four'):\n"
        "    s = bw.game(name).new(seed=4)\n"
        "    while not s.is_terminal: s.apply(s.legal_actions()[0])\n"
        "    print(s.returns)\n"
    )
    reverse, *won = workshop.play_elsewhere(winner)[0].splitlines()
    assert reverse == str(json.loads(sizes)[::-1])
    assert won == workshop.play_elsewhere(winner, NUMBA_DISABLE_JIT="1")[0].splitlines()[1:]


def test_damaged_cache_is_compiled_again(workshop: Workshop) -> None:
    workshop.play()
    for file in workshop.cache.glob("tollgame.*"):
        file.write_bytes(file.read_bytes()[:100])
    assert workshop.play() == ("95", True)
    assert workshop.play() == ("95", False)


def test_cache_that_cannot_be_written_is_only_slow(workshop: Workshop) -> None:
    workshop.cache.write_text("a file, not a folder")
    assert workshop.play_elsewhere() == ("95", True)


def test_indices_are_checked_when_asked_for(workshop: Workshop) -> None:
    """Code compiled without the check must not be loaded in its place."""
    workshop.write("rules.py", RULES.replace("TOLL[1]", "TOLL[1 + s.coins]").replace("price()", "price(s)"))
    attempt = PLAY.replace("s.apply(0)", "\ntry:\n    s.apply(0)\nexcept IndexError:\n    print('out of bounds')")
    attempt = attempt.replace("; print", "\nprint")
    assert "out of bounds" not in workshop.play_elsewhere(attempt)[0]
    assert "out of bounds" in workshop.play_elsewhere(attempt, NUMBA_BOUNDSCHECK="1")[0]


def test_uncompiled_mode_writes_no_cache(workshop: Workshop) -> None:
    assert workshop.play_elsewhere(NUMBA_DISABLE_JIT="1") == ("95", False)
    assert not workshop.cache.exists()


def test_a_fingerprint_does_not_depend_on_the_hash_seed() -> None:
    code = (
        "from boardwright.kernel.fingerprint import fingerprint;"
        "from boardwright.learn.network import dot_product; print(fingerprint(dot_product))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(3)
    }
    assert len(found) == 1


def test_interrupt_while_llvm_works_is_heeded_when_it_is_done(workshop: Workshop) -> None:
    """The hook is called by LLVM, which swallows what is raised there."""
    code = """
import signal
from numba.core.codegen import JITCodeLibrary

keep = JITCodeLibrary._object_compiled_hook.__func__

def press_and_keep(cls, module, code):
    if hasattr(module, "_CPUCodeLibrary__library"):
        signal.raise_signal(signal.SIGINT)
    keep(cls, module, code)

JITCodeLibrary._object_compiled_hook = classmethod(press_and_keep)
from tollgame.rules import game
try:
    game.new(seed=1)
except KeyboardInterrupt:
    print("stopped")
"""
    assert workshop.play_elsewhere(code)[0] == "stopped"
    assert "ignored" not in workshop.complaints


def test_swapped_files_are_compiled_again(workshop: Workshop) -> None:
    """Each is whole and belongs to another unit: taken for what its name says, one would run in place of it."""
    workshop.play_elsewhere(PLAY + "; game.entries.playout()")
    files = sorted(workshop.cache.glob("tollgame.*"))
    contents = [file.read_bytes() for file in files]
    assert len(files) == 2
    for file, content in zip(files, contents[1:] + contents[:1], strict=True):
        file.write_bytes(content)
    assert workshop.play() == ("95", True)
    assert workshop.play() == ("95", False)


def test_default_of_an_argument_counts() -> None:
    """It is no part of the bytecode."""

    def price(extra: int = 1) -> int:
        return extra

    before = fingerprint(price)
    price.__defaults__ = (2,)
    assert fingerprint(price) != before


def test_cache_that_others_can_write_to_is_not_used(workshop: Workshop) -> None:
    workshop.cache.mkdir()
    workshop.cache.chmod(0o777)
    assert workshop.play_elsewhere() == ("95", True)
    assert list(workshop.cache.iterdir()) == []
    assert workshop.complaints.count("others can write to it") == 1


def test_a_fingerprint_tells_how_many_functions_it_covers() -> None:
    def inner(x: int) -> int:
        return x + 1

    def outer(x: int) -> int:
        return inner(x) * 2

    assert [fingerprint_and_size(function)[1] for function in (inner, outer)] == [1, 2]
