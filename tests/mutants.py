"""Mutation testing: change one thing in the source, run the tests that should notice, list the changes that none did.

    make mutants                                        a sample of every module below
    python tests/mutants.py --count 120                 so many, spread evenly over the modules
    python tests/mutants.py --all                       every change
    python tests/mutants.py --only arena/record.py      of one module
    python tests/mutants.py --only arena/match.py --line 75

Changes are made in a copy; the tree that you work in is not touched. A change that survives is either a gap in the
tests or makes no difference: read it and decide.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import gc
import importlib
import json
import multiprocessing
import os
import queue
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "boardwright"

TESTS = {
    "arena/balance.py": ["test_balance"],
    "arena/ladder.py": ["test_ladder"],
    "arena/loop.py": ["test_loop"],
    "arena/match.py": ["test_record_fields", "test_loop", "test_resume", "test_arena"],
    "arena/metrics.py": ["test_metrics"],
    "arena/record.py": ["test_record_fields", "test_resume", "test_record_files", "test_record_trust", "test_arena"],
    "arena/record_file.py": ["test_record_files", "test_arena"],
    "arena/runner.py": ["test_record_fields", "test_record_files", "test_resume", "test_arena"],
    "arena/seeds.py": ["test_record_fields", "test_fair_play"],
    "arena/standings.py": ["test_standings", "test_arena"],
    "cbr/blocks.py": ["test_cbr_formulas", "test_cbr"],
    "cbr/case_class_weights.py": ["test_cbr_formulas", "test_cbr"],
    "cbr/index.py": ["test_cbr_formulas", "test_cbr"],
    "cbr/maintenance.py": ["test_cbr_maintenance", "test_cbr"],
    "cbr/ordered_sets.py": ["test_cbr_formulas", "test_cbr"],
    "cbr/retain.py": ["test_cbr_formulas", "test_cbr_maintenance"],
    "cbr/retrieval.py": ["test_cbr"],
    "cbr/reuse.py": ["test_cbr_formulas", "test_cbr"],
    "cbr/revise.py": ["test_cbr_formulas", "test_cbr_maintenance"],
    "cbr/similarity.py": ["test_cbr_formulas", "test_cbr"],
    "cbr/store.py": ["test_cbr_store", "test_cbr_maintenance", "test_scout_locks"],
    "cbr/weight_search.py": ["test_cbr_formulas", "test_cbr"],
    "cbr/weights.py": ["test_cbr_formulas", "test_cbr"],
    "decks/collection.py": ["test_decks_figures", "test_decks_commands"],
    "decks/construction.py": ["test_decks_figures", "test_decks_rules"],
    "decks/evaluation.py": ["test_decks_figures", "test_decks_model", "test_decks_experiments"],
    "decks/filling.py": ["test_decks_figures", "test_decks_mining", "test_decks_model"],
    "decks/mining.py": ["test_decks_figures", "test_decks_mining"],
    "decks/nearest.py": ["test_decks_figures", "test_decks_members"],
    "decks/netrunner/rules.py": ["test_decks_rules"],
    "decks/network.py": ["test_decks_figures", "test_decks_members", "test_decks_model"],
    "decks/posterior.py": ["test_decks_figures", "test_decks_members", "test_decks_model"],
    "decks/prediction.py": ["test_decks_model", "test_decks_figures", "test_decks_mining", "test_decks_commands"],
    "decks/reading.py": ["test_decks_rules"],
    "decks/storage.py": ["test_decks_storage", "test_decks_model"],
    "files.py": ["test_files", "test_record_files"],
    "games/colonizers/information.py": [
        "test_fixed_seed_samples[colonizers]",
        "test_fixed_seed_samples[colonizers-leak]",
        "test_scrambled[colonizers]",
        "test_playthroughs[colonizers]",
        "test_colonizers_information",
    ],
    "games/colonizers/rules.py": [
        "test_fixed_seed_samples[colonizers]",
        "test_fixed_seed_samples[colonizers-leak]",
        "test_playthroughs[colonizers]",
        "test_colonizers_rules",
    ],
    "games/lords/deployment.py": [
        "test_fixed_seed_samples[lords]",
        "test_fixed_seed_samples[lords-readings]",
        "test_playthroughs[lords]",
        "test_lords_rules",
    ],
    "games/lords/elimination.py": [
        "test_fixed_seed_samples[lords]",
        "test_fixed_seed_samples[lords-readings]",
        "test_playthroughs[lords]",
        "test_lords_rules",
    ],
    "games/lords/information.py": [
        "test_fixed_seed_samples[lords]",
        "test_fixed_seed_samples[lords-readings]",
        "test_scrambled[lords]",
        "test_playthroughs[lords]",
        "test_lords_information",
    ],
    "games/lords/piles.py": [
        "test_fixed_seed_samples[lords]",
        "test_fixed_seed_samples[lords-readings]",
        "test_playthroughs[lords]",
        "test_lords_rules",
        "test_lords_information",
    ],
    "games/lords/reinforcement.py": [
        "test_fixed_seed_samples[lords]",
        "test_fixed_seed_samples[lords-readings]",
        "test_playthroughs[lords]",
        "test_lords_rules",
    ],
    "games/lords/rules.py": [
        "test_fixed_seed_samples[lords]",
        "test_fixed_seed_samples[lords-readings]",
        "test_playthroughs[lords]",
        "test_lords_rules",
    ],
    "games/race/consume.py": [
        "test_fixed_seed_samples[race]",
        "test_fixed_seed_samples[race-4]",
        "test_fixed_seed_samples[race-keldon]",
        "test_playthroughs[race]",
        "test_race_rules",
        "test_race_replay",
    ],
    "games/race/develop.py": [
        "test_fixed_seed_samples[race]",
        "test_fixed_seed_samples[race-4]",
        "test_fixed_seed_samples[race-keldon]",
        "test_playthroughs[race]",
        "test_race_rules",
        "test_race_replay",
    ],
    "games/race/explore.py": [
        "test_fixed_seed_samples[race]",
        "test_fixed_seed_samples[race-4]",
        "test_fixed_seed_samples[race-keldon]",
        "test_playthroughs[race]",
        "test_race_rules",
        "test_race_replay",
        "test_race_information",
    ],
    "games/race/information.py": [
        "test_fixed_seed_samples[race]",
        "test_fixed_seed_samples[race-4]",
        "test_fixed_seed_samples[race-keldon]",
        "test_scrambled[race]",
        "test_playthroughs[race]",
        "test_race_information",
    ],
    "games/race/keldon/saves.py": ["test_race_saves", "test_race_replay"],
    "games/race/produce.py": [
        "test_fixed_seed_samples[race]",
        "test_fixed_seed_samples[race-4]",
        "test_fixed_seed_samples[race-keldon]",
        "test_playthroughs[race]",
        "test_race_rules",
        "test_race_replay",
    ],
    "games/race/rounds.py": [
        "test_fixed_seed_samples[race]",
        "test_fixed_seed_samples[race-4]",
        "test_fixed_seed_samples[race-keldon]",
        "test_playthroughs[race]",
        "test_race_rules",
        "test_race_replay",
    ],
    "games/race/scoring.py": [
        "test_fixed_seed_samples[race]",
        "test_fixed_seed_samples[race-4]",
        "test_fixed_seed_samples[race-keldon]",
        "test_playthroughs[race]",
        "test_race_rules",
        "test_race_replay",
    ],
    "games/race/settle.py": [
        "test_fixed_seed_samples[race]",
        "test_fixed_seed_samples[race-4]",
        "test_fixed_seed_samples[race-keldon]",
        "test_playthroughs[race]",
        "test_race_rules",
        "test_race_replay",
    ],
    "games/wonders/action_observations.py": [
        "test_fixed_seed_samples[wonders]",
        "test_fixed_seed_samples[wonders-5]",
        "test_scrambled[wonders]",
        "test_playthroughs[wonders]",
        "test_wonders_information",
    ],
    "games/wonders/building.py": [
        "test_fixed_seed_samples[wonders]",
        "test_fixed_seed_samples[wonders-5]",
        "test_playthroughs[wonders]",
        "test_wonders_rules",
        "test_wonders_scoring",
    ],
    "games/wonders/choosing.py": [
        "test_fixed_seed_samples[wonders]",
        "test_fixed_seed_samples[wonders-5]",
        "test_playthroughs[wonders]",
        "test_wonders_rules",
    ],
    "games/wonders/costs.py": [
        "test_fixed_seed_samples[wonders]",
        "test_fixed_seed_samples[wonders-5]",
        "test_playthroughs[wonders]",
        "test_wonders_costs",
    ],
    "games/wonders/information.py": [
        "test_fixed_seed_samples[wonders]",
        "test_fixed_seed_samples[wonders-5]",
        "test_scrambled[wonders]",
        "test_playthroughs[wonders]",
        "test_wonders_information",
    ],
    "games/wonders/rules.py": [
        "test_fixed_seed_samples[wonders]",
        "test_fixed_seed_samples[wonders-5]",
        "test_playthroughs[wonders]",
        "test_wonders_rules",
    ],
    "games/wonders/scoring.py": [
        "test_fixed_seed_samples[wonders]",
        "test_fixed_seed_samples[wonders-5]",
        "test_playthroughs[wonders]",
        "test_wonders_scoring",
    ],
    "kernel/cache_files.py": ["test_cache_files"],
    "kernel/fingerprint.py": ["test_fingerprint", "test_compile_cache"],
    "kernel/options.py": ["test_options"],
    "kernel/position.py": ["test_position_objects", "test_face", "test_connect_four", "test_kuhn_poker"],
    "kernel/records.py": ["test_state_records", "test_face", "test_connect_four"],
    "kernel/replay.py": ["test_connect_four", "test_resume"],
    "kernel/rng.py": ["test_rng"],
    "learn/adam.py": ["test_learning_arithmetic", "test_decks_members", "test_learn"],
    "learn/archive.py": ["test_learning_arithmetic", "test_archives"],
    "learn/auxiliary.py": ["test_learning_arithmetic", "test_learn"],
    "learn/network.py": ["test_learning_arithmetic", "test_archives", "test_learn"],
    "learn/perceptron.py": [
        "test_learning_arithmetic",
        "test_perceptron",
        "test_decks_members",
        "test_learn",
        "test_scout_experiments",
    ],
    "scripts/agent.py": ["test_script_talk", "test_scripts", "test_script_examples"],
    "scripts/messages.py": ["test_script_parts", "test_scripts"],
    "scripts/positions.py": ["test_script_parts", "test_scripts"],
    "scripts/process.py": ["test_script_parts", "test_scripts"],
    "scripts/rules.py": ["test_script_parts", "test_script_examples", "test_fair_play"],
    "scripts/sandbox.py": ["test_script_parts", "test_walls"],
    "scripts/seccomp.py": ["test_script_parts", "test_walls"],
    "scripts/warden.py": ["test_warden_parts", "test_walls", "test_scripts"],
    "search/backups.py": ["test_search_parts", "test_search_trees", "test_search_tools"],
    "search/bounds.py": ["test_search_parts", "test_search_trees", "test_search_tools"],
    "search/budget.py": ["test_search_budget", "test_search"],
    "search/flat.py": ["test_search_trees", "test_search_settings", "test_search", "test_root_choice"],
    "search/game_clock.py": ["test_search_budget", "test_search_tools"],
    "search/ismcts.py": ["test_search_settings", "test_search_trees", "test_search", "test_parallel_search"],
    "search/ismcts_plain.py": ["test_search_parts", "test_search_trees", "test_search", "test_parallel_search"],
    "search/ismcts_tools.py": ["test_search_parts", "test_search_trees", "test_search_tools", "test_pruning"],
    "search/leaf_workers.py": ["test_search_parts", "test_search_trees", "test_parallel_search"],
    "search/maxn.py": ["test_search_settings", "test_search_trees", "test_search"],
    "search/pruning.py": ["test_search_parts", "test_search_trees", "test_pruning"],
    "search/reuse.py": ["test_search_parts", "test_search_tools"],
    "search/root_choice.py": ["test_root_choice", "test_difficulty"],
    "search/statistics.py": ["test_root_choice", "test_search", "test_search_tools", "test_agents"],
    "search/transpositions.py": ["test_search_parts", "test_search_trees", "test_search_tools"],
    "search/uct.py": ["test_search_settings", "test_search_trees", "test_search", "test_parallel_search"],
    "search/uct_plain.py": ["test_search_parts", "test_search_trees", "test_search", "test_parallel_search"],
    "search/uct_tools.py": ["test_search_parts", "test_search_trees", "test_search_tools", "test_pruning"],
    "search/uct_tree.py": ["test_search_parts", "test_search_trees", "test_search", "test_parallel_search"],
    "search/width.py": ["test_difficulty"],
    "web/store.py": ["test_web_store"],
}
"""By module, the files of tests that should notice, the likeliest first; in brackets, with which parameter."""

PARAMETRIZED = {
    "test_playthroughs": "test_playthrough_is_the_golden_one",
    "test_fixed_seed_samples": "test_games_observations_and_samples_are_those_they_were",
    "test_scrambled": "test_all_that_seats_cannot_see_is_rearranged_and_nothing_else",
}
"""By file, its test that has the games as parameters."""
PLAIN = ("cbr/", "games/")
"""Rooms whose tests are quicker as plain Python than compiled anew for each change."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
TWINS = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "all": "any", "any": "all"}
LIBRARIES = (
    "numba", "numpy.testing", "scipy.special", "scipy.sparse", "scipy.optimize", "pydantic", "typer", "rich.console",
    "rich.table", "hypothesis", "playwright.sync_api", "starlette.applications", "httpx", "websockets", "unittest.mock",
    "sqlite3", "pytest", "anyio.pytest_plugin", "xdist.plugin", "threadpoolctl",
)  # fmt: skip
"""Loaded once, before the forks: what the package and most tests import."""
CPU_SECONDS, CHILD_CPU_SECONDS, IDLE_SECONDS = 150, 600, 300
"""A change that makes a test run for ever is noticed, and a busy machine is not taken for one: so much of the processor
may a test take in its own process, as code may have to be compiled anew; so much every process that it starts; and so
long by the clock may all of them together do nothing."""


@dataclass(frozen=True)
class Mutant:
    module: str
    line: int
    before: str
    after: str
    place: int
    """The number of its node, in the order of a walk over the module."""
    number: int
    """Which of the changes of this node."""

    def applied_to(self, module: str) -> str:
        """The module's text with the change."""
        tree = ast.parse(module)
        changes(list(ast.walk(tree))[self.place])[self.number]()
        return ast.unparse(tree)

    @property
    def plain(self) -> bool:
        return self.module.startswith(PLAIN)

    def __str__(self) -> str:
        return f"boardwright/{self.module}:{self.line}: {self.before}  ->  {self.after}"


def mutants(module: str) -> Iterator[Mutant]:
    """Every change of a module, one at a time."""
    tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
    idle = {id(node) for top in ast.walk(tree) for part in without_effect(top) for node in ast.walk(part)}
    for place, node in enumerate(ast.walk(tree)):
        if id(node) in idle:
            continue
        for number in range(len(changes(node))):
            changed = copy.deepcopy(node)
            changes(changed)[number]()
            before, after = one_line(ast.unparse(node)), one_line(ast.unparse(changed))
            if ast.dump(changed) != ast.dump(node):
                yield Mutant(module, getattr(node, "lineno", 0), before, after, place, number)


def without_effect(node: ast.AST) -> list[ast.AST]:
    """What can be changed without changing what the program does: types, and whether a dataclass is frozen."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return [node]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list]
    if isinstance(node, (ast.AnnAssign, ast.arg)) and node.annotation is not None:
        return [node.annotation]
    if isinstance(node, ast.FunctionDef) and node.returns is not None:
        return [node.returns]
    return []


def one_line(text: str) -> str:
    return " ".join(text.split())[:100]


def changes(node: ast.AST) -> list[Callable[[], None]]:
    """What can be changed about a node: functions that do so."""
    found = []

    def set_(owner: object, name: str, value: object) -> None:
        found.append(lambda: setattr(owner, name, value))

    if isinstance(node, ast.Compare):
        for i, operator in enumerate(node.ops):
            if type(operator) in COMPARISONS:
                swapped = [*node.ops[:i], COMPARISONS[type(operator)](), *node.ops[i + 1 :]]
                set_(node, "ops", swapped)
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in ARITHMETIC:
        set_(node, "op", ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        set_(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)):
        set_(node, "test", ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        set_(node, "op", ast.UAdd())
    elif isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
        set_(node, "value", not node.value if isinstance(node.value, bool) else node.value + 1)
    elif isinstance(node, ast.Name) and node.id in TWINS:
        set_(node, "id", TWINS[node.id])
    elif isinstance(node, ast.Attribute) and node.attr in TWINS:
        set_(node, "attr", TWINS[node.attr])
    elif (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)) or (
        isinstance(node, ast.Return) and not isinstance(node.value, (ast.Constant, type(None)))
    ):
        set_(node, "value", ast.Constant(None))
    return found


COLLECTION = "the collection of tests"


class Workshop:
    """A copy of the project with one change at a time, and a compile cache of its own that begins with yours."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignored = shutil.ignore_patterns("__pycache__", ".*")
        for name in ("boardwright", "tests", "docs", "benchmarks", "examples"):
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CITATION.cff"):
            shutil.copy(ROOT / name, folder / name)
        self.cache = folder / "cache"
        self.cache.mkdir(mode=0o700)
        yours = Path(os.environ.get("BOARDWRIGHT_CACHE") or Path.home() / ".cache" / "boardwright")
        for file in yours.glob("*.code"):
            with contextlib.suppress(FileNotFoundError):  # another process has just replaced it
                shutil.copy2(file, self.cache / file.name)

    def failing(self, mutant: Mutant, tests: tuple[str, ...]) -> str | None:
        """The first test that fails with a change; None if all pass."""
        file = self.folder / "boardwright" / mutant.module
        original, status = file.read_text(encoding="utf-8"), file.stat()
        bytecode = Path(cache_from_source(str(file)))
        bytecode.unlink(missing_ok=True)
        file.write_text(mutant.applied_to(original), encoding="utf-8")
        try:
            return self.first_failure(tests, mutant.plain)
        finally:
            file.write_text(original, encoding="utf-8")
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
            bytecode.unlink(missing_ok=True)  # two changes within a second may have the same size

    def first_failure(self, options: tuple[str, ...], plain: bool) -> str | None:
        current = self.folder / "current-test"
        current.write_text(COLLECTION)
        process = multiprocessing.get_context("fork").Process(target=self._run, args=(options, plain, current))
        process.start()
        used, since = 0, time.monotonic()
        while process.is_alive() and time.monotonic() - since < IDLE_SECONDS:
            process.join(5)
            now = ticks_of_session(process.pid or 0)
            if now != used:
                used, since = now, time.monotonic()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid or 0, signal.SIGKILL)  # what tests start goes with them
        process.join()
        return None if process.exitcode == 0 else current.read_text()

    def _run(self, options: tuple[str, ...], plain: bool, current: Path) -> None:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (CHILD_CPU_SECONDS, resource.RLIM_INFINITY))
        os.chdir(self.folder)
        os.environ.update(PYTHONPATH=str(self.folder), BOARDWRIGHT_CACHE=str(self.cache))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.path[:] = [str(self.folder), *(entry for entry in sys.path if Path(entry or ".").resolve() != ROOT)]
        sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in type(finder).__module__.lower()]
        sys.dont_write_bytecode = False  # modules and tests that are not changed are parsed once for all changes
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        import numba
        import pytest

        if plain:
            os.environ["NUMBA_DISABLE_JIT"] = "1"
            numba.config.DISABLE_JIT = 1
        options = ("-x", "-q", "-p", "no:cacheprovider", *options)
        os._exit(int(pytest.main([*options], plugins=[OneAtATime(current)])))


def ticks_of_session(leader: int) -> int:
    """How many clock ticks of the processor the processes of a session have used until now."""
    used = 0
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == leader:
                used += sum(map(int, fields[11:15]))
    return used


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class OneAtATime:
    """A plugin of pytest that notes which test runs, and ends the process if it takes too long."""

    def __init__(self, current: Path) -> None:
        self.current = current

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.current.write_text(nodeid)
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)  # compiled code hears nothing but the system's default


def test_file(name: str) -> str:
    """What pytest calls a name of `TESTS`."""
    name, bracket, parameter = name.partition("[")
    return f"{name}.py::{PARAMETRIZED[name]}[{parameter}" if bracket else f"{name}.py"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", action="append", metavar="MODULE", help="as arena/record.py; repeatable")
    parser.add_argument("--line", type=int, help="changes of this line only")
    parser.add_argument("--sample", type=int, default=6, help="changes per module")
    parser.add_argument("--count", type=int, help="changes in all, the same number of each module or one more")
    parser.add_argument("--all", action="store_true", help="every change")
    parser.add_argument("--seed", type=int, default=0, help="which sample")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--notes", type=Path, help="a file for the results; what is in it is not tried again")
    given = parser.parse_args()
    unknown = sorted(set(given.only or ()) - set(TESTS))
    if unknown:
        parser.error(f"no tests are named for {', '.join(unknown)}; known: {', '.join(TESTS)}")
    chosen: list[Mutant] = []
    for module in given.only or TESTS:
        found = [mutant for mutant in mutants(module) if given.line in (None, mutant.line)]
        if not given.all and given.line is None:
            found = random.Random(f"{given.seed} {module}").sample(found, min(given.count or given.sample, len(found)))
        chosen += found
    if given.count:
        chosen = evenly(chosen, given.count, given.seed)
    sys.exit(bool(run(chosen, given.jobs, given.notes)))


def evenly(found: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """So many of them: one of each module, then a second of each, and so on; modules in random order."""
    turn: dict[str, int] = {}
    order = {module: number for number, module in enumerate(random.Random(seed).sample(list(TESTS), len(TESTS)))}
    ranked = []
    for mutant in found:
        turn[mutant.module] = turn.get(mutant.module, -1) + 1
        ranked.append((turn[mutant.module], order[mutant.module], mutant))
    return [mutant for _, _, mutant in sorted(ranked, key=lambda entry: entry[:2])[:count]]


def run(chosen: list[Mutant], jobs: int, notes: Path | None = None) -> list[Mutant]:
    """Try the changes; print and return those that survive."""
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.freeze()
    survivors: list[Mutant] = []
    tried: list[Mutant] = []
    failing: set[str] = set()
    known: dict[str, Any] = {}
    if notes is not None and notes.exists():
        known = dict(json.loads(line) for line in notes.read_text().splitlines())

    def note(name: str, value: object) -> None:
        known[name] = value
        if notes is not None:
            with notes.open("a") as file:
                print(json.dumps([name, value]), file=file)

    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-") as place:
        workshops: queue.Queue[Workshop] = queue.Queue()
        for number in range(jobs):
            workshops.put(Workshop(Path(place) / str(number)))

        def fails_unchanged(workshop: Workshop, test: str, files: tuple[str, ...], plain: bool) -> bool:
            options = ("--collect-only", *files) if test == COLLECTION else (test,)
            name = f"unchanged: {' '.join(options)}{' plain' if plain else ''}"
            if name not in known:
                note(name, workshop.first_failure(options, plain))
            return known[name] is not None

        def attempt(mutant: Mutant) -> None:
            workshop = workshops.get()
            before = cpu_of_children()
            try:
                files = tuple(f"tests/{test_file(name)}" for name in TESTS[mutant.module])
                without: tuple[str, ...] = ()
                while str(mutant) not in known:
                    by = workshop.failing(mutant, (*files, *without))
                    if by is None or not fails_unchanged(workshop, by, files, mutant.plain):
                        note(str(mutant), by)
                    elif by == COLLECTION:
                        failing.add(by)
                        return
                    else:  # it says nothing about the change
                        failing.add(by)
                        without = (*without, f"--deselect={by}")
                by = known[str(mutant)]
                tried.append(mutant)
                if by is None:
                    survivors.append(mutant)
                cost = f" ({cpu_of_children() - before:.0f} s of the processor)" if jobs == 1 else ""
                print(f"{'survived' if by is None else 'caught'}: {mutant}{cost}", flush=True)
            finally:
                workshops.put(workshop)

        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(attempt, chosen))
    for test in sorted(failing):
        print(f"not counted: {test} fails without any change, too: mend that first")
    caught, all_ = len(tried) - len(survivors), len(tried)
    print(f"{caught} of {all_} changes caught ({caught / max(1, all_):.1%}), {time.monotonic() - began:.0f} s")
    return survivors


if __name__ == "__main__":
    main()
