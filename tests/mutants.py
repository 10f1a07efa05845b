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
import json
import multiprocessing
import os
import queue
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "boardwright"

TESTS = {
    "arena/balance.py": ["test_balance"],
    "arena/ladder.py": ["test_ladder"],
    "arena/loop.py": ["test_loop"],
    "arena/match.py": ["test_resume", "test_arena"],
    "arena/metrics.py": ["test_metrics"],
    "arena/record.py": ["test_resume", "test_record_files", "test_arena"],
    "arena/record_file.py": ["test_record_files", "test_arena"],
    "arena/runner.py": ["test_resume", "test_record_files", "test_arena"],
    "arena/seeds.py": ["test_fair_play"],
    "arena/standings.py": ["test_standings", "test_arena"],
    "cbr/case_class_weights.py": ["test_cbr"],
    "cbr/index.py": ["test_cbr"],
    "cbr/maintenance.py": ["test_cbr_maintenance", "test_cbr"],
    "cbr/ordered_sets.py": ["test_cbr"],
    "cbr/retain.py": ["test_cbr_maintenance", "test_cbr"],
    "cbr/retrieval.py": ["test_cbr"],
    "cbr/reuse.py": ["test_cbr"],
    "cbr/revise.py": ["test_cbr_maintenance", "test_cbr"],
    "cbr/similarity.py": ["test_cbr"],
    "cbr/store.py": ["test_cbr_maintenance", "test_cbr", "test_scout_locks"],
    "cbr/weight_search.py": ["test_cbr"],
    "cbr/weights.py": ["test_cbr"],
    "decks/collection.py": ["test_decks_commands"],
    "decks/construction.py": ["test_decks_rules"],
    "decks/evaluation.py": ["test_decks_model", "test_decks_experiments"],
    "decks/filling.py": ["test_decks_mining", "test_decks_model"],
    "decks/mining.py": ["test_decks_mining"],
    "decks/netrunner/rules.py": ["test_decks_rules"],
    "decks/nearest.py": ["test_decks_members"],
    "decks/network.py": ["test_decks_members", "test_decks_model"],
    "decks/posterior.py": ["test_decks_members", "test_decks_model"],
    "decks/prediction.py": ["test_decks_mining", "test_decks_commands"],
    "decks/reading.py": ["test_decks_rules"],
    "decks/storage.py": ["test_decks_model"],
    "files.py": ["test_files", "test_record_files"],
    "games/colonizers/information.py": ["test_colonizers_information", "test_playthroughs"],
    "games/colonizers/rules.py": ["test_colonizers_rules", "test_playthroughs"],
    "games/lords/deployment.py": ["test_lords_rules", "test_playthroughs"],
    "games/lords/elimination.py": ["test_lords_rules", "test_playthroughs"],
    "games/lords/information.py": ["test_lords_information", "test_playthroughs"],
    "games/lords/piles.py": ["test_lords_rules", "test_lords_information", "test_playthroughs"],
    "games/lords/reinforcement.py": ["test_lords_rules", "test_playthroughs"],
    "games/lords/rules.py": ["test_lords_rules", "test_playthroughs"],
    "games/race/consume.py": ["test_race_rules", "test_race_replay", "test_playthroughs"],
    "games/race/develop.py": ["test_race_rules", "test_race_replay", "test_playthroughs"],
    "games/race/explore.py": ["test_race_rules", "test_race_replay", "test_playthroughs"],
    "games/race/keldon/saves.py": ["test_race_saves", "test_race_replay"],
    "games/race/information.py": ["test_race_information", "test_playthroughs"],
    "games/race/produce.py": ["test_race_rules", "test_race_replay", "test_playthroughs"],
    "games/race/rounds.py": ["test_race_rules", "test_race_replay", "test_playthroughs"],
    "games/race/scoring.py": ["test_race_rules", "test_race_replay", "test_playthroughs"],
    "games/race/settle.py": ["test_race_rules", "test_race_replay", "test_playthroughs"],
    "games/wonders/action_observations.py": ["test_wonders_information", "test_playthroughs"],
    "games/wonders/building.py": ["test_wonders_rules", "test_playthroughs"],
    "games/wonders/choosing.py": ["test_wonders_rules", "test_playthroughs"],
    "games/wonders/costs.py": ["test_wonders_costs", "test_playthroughs"],
    "games/wonders/information.py": ["test_wonders_information", "test_playthroughs"],
    "games/wonders/rules.py": ["test_wonders_rules", "test_playthroughs"],
    "games/wonders/scoring.py": ["test_wonders_scoring", "test_playthroughs"],
    "kernel/cache_files.py": ["test_cache_files"],
    "kernel/fingerprint.py": ["test_compile_cache"],
    "kernel/options.py": ["test_options"],
    "kernel/position.py": ["test_face", "test_connect_four", "test_kuhn_poker"],
    "kernel/records.py": ["test_face", "test_connect_four"],
    "kernel/replay.py": ["test_resume"],
    "kernel/rng.py": ["test_rng"],
    "learn/archive.py": ["test_archives"],
    "learn/network.py": ["test_archives", "test_learn"],
    "scripts/agent.py": ["test_scripts", "test_script_examples"],
    "scripts/messages.py": ["test_scripts"],
    "scripts/positions.py": ["test_scripts"],
    "scripts/process.py": ["test_scripts"],
    "scripts/rules.py": ["test_script_examples", "test_fair_play"],
    "scripts/sandbox.py": ["test_walls"],
    "scripts/seccomp.py": ["test_walls"],
    "scripts/warden.py": ["test_walls", "test_scripts"],
    "search/backups.py": ["test_search_tools"],
    "search/bounds.py": ["test_search_tools"],
    "search/budget.py": ["test_search"],
    "search/companion.py": ["test_difficulty"],
    "search/flat.py": ["test_search", "test_root_choice"],
    "search/game_clock.py": ["test_search_tools"],
    "search/ismcts.py": ["test_search"],
    "search/ismcts_plain.py": ["test_search", "test_parallel_search"],
    "search/ismcts_tools.py": ["test_search_tools", "test_pruning"],
    "search/leaf_workers.py": ["test_parallel_search"],
    "search/maxn.py": ["test_search"],
    "search/pruning.py": ["test_pruning"],
    "search/reuse.py": ["test_search_tools"],
    "search/root_choice.py": ["test_root_choice", "test_difficulty"],
    "search/statistics.py": ["test_search", "test_agents"],
    "search/transpositions.py": ["test_search_tools"],
    "search/uct.py": ["test_search"],
    "search/uct_plain.py": ["test_search", "test_parallel_search"],
    "search/uct_tools.py": ["test_search_tools", "test_pruning"],
    "search/uct_tree.py": ["test_search", "test_parallel_search"],
    "search/width.py": ["test_difficulty"],
    "web/store.py": ["test_web_store"],
}
"""By module, the files of tests that should notice, the likeliest first."""

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
PATIENCE, LEAST_SECONDS = 4, 120
"""The tests of a change get so many times as long as without it, and some time more, as code may have to be compiled
anew; a change that makes them run for ever is noticed."""


@dataclass(frozen=True)
class Mutant:
    module: str
    line: int
    before: str
    after: str
    source: str

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
            changed = copy.deepcopy(tree)
            target = list(ast.walk(changed))[place]
            before = ast.unparse(target)
            changes(target)[number]()
            after = ast.unparse(target)
            if after != before:
                yield Mutant(
                    module, getattr(node, "lineno", 0), one_line(before), one_line(after), ast.unparse(changed)
                )


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

    def seconds_unchanged(self, test: str, plain: bool) -> float | None:
        """How long a file of tests takes as the source is; None if it fails."""
        began = time.monotonic()
        return time.monotonic() - began if self._pass((test,), plain) else None

    def survives(self, mutant: Mutant, tests: tuple[str, ...], seconds: float) -> bool:
        """Whether no test notices, within so much time."""
        file = self.folder / "boardwright" / mutant.module
        original = file.read_text(encoding="utf-8")
        file.write_text(mutant.source, encoding="utf-8")
        try:
            return self._pass(tests, mutant.plain, seconds)
        finally:
            file.write_text(original, encoding="utf-8")

    def _pass(self, tests: tuple[str, ...], plain: bool, seconds: float | None = None) -> bool:
        process = multiprocessing.get_context("fork").Process(target=self._run, args=(tests, plain))
        process.start()
        process.join(seconds)
        if process.is_alive():
            process.kill()
            process.join()
        return process.exitcode == 0

    def _run(self, tests: tuple[str, ...], plain: bool) -> None:
        os.setsid()  # what tests start goes with them
        os.chdir(self.folder)
        os.environ.update(PYTHONPATH=str(self.folder), BOARDWRIGHT_CACHE=str(self.cache), PYTHONDONTWRITEBYTECODE="1")
        sys.path[:] = [str(self.folder), *(entry for entry in sys.path if Path(entry or ".").resolve() != ROOT)]
        sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in type(finder).__module__.lower()]
        sys.dont_write_bytecode = True
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        import numba
        import pytest

        if plain:
            os.environ["NUMBA_DISABLE_JIT"] = "1"
            numba.config.DISABLE_JIT = 1
        files = [f"tests/{name}.py" for name in tests]
        os._exit(int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *files])))


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
    import numba  # noqa: F401  # loaded once, before the forks
    import pydantic  # noqa: F401
    import pytest  # noqa: F401
    import scipy.special  # noqa: F401

    survivors: list[Mutant] = []
    tried, failing = 0, set()
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

        def attempt(mutant: Mutant) -> None:
            nonlocal tried
            workshop = workshops.get()
            try:
                tests = tuple(TESTS[mutant.module])
                taken = [f"{test}{' plain' if mutant.plain else ''}" for test in tests]
                for test, name in zip(tests, taken, strict=True):
                    if name not in known:
                        note(name, workshop.seconds_unchanged(test, mutant.plain))
                seconds = [known[name] for name in taken]
                if None in seconds:
                    failing.update(name for name in taken if known[name] is None)
                    return
                tried += 1
                if str(mutant) not in known:
                    note(str(mutant), workshop.survives(mutant, tests, LEAST_SECONDS + PATIENCE * sum(seconds)))
                survives = known[str(mutant)]
                if survives:
                    survivors.append(mutant)
                print(f"{'survived' if survives else 'caught'}: {mutant}", flush=True)
            finally:
                workshops.put(workshop)

        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(attempt, chosen))
    for tests in sorted(failing):
        print(f"not tried: without any change, {tests} fail: mend that first")
    caught = tried - len(survivors)
    print(f"{caught} of {tried} changes caught ({caught / max(1, tried):.1%}), {time.monotonic() - began:.0f} s")
    return survivors


if __name__ == "__main__":
    main()
