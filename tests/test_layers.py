"""Arrows between the rooms of the package point one way: what is below never imports what is above it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import boardwright

PACKAGE = Path(boardwright.__file__).parent

LAYERS = (
    (
        "ctrl_c",
        "errors",
        "files",
        "frames",
        "platforms",
        "processes",
        "settings",
        "executors",
        "blame",
        "drawing",
        "wording",
    ),
    ("kernel",),
    ("agents", "registry", "ray_executor", "positions", "schemas"),
    ("games",),
    ("search",),
    ("learn",),
    ("cbr", "decks", "llm", "scripts"),
    ("arena",),
    ("reports",),
    ("terminal",),
    ("conformance", "playthroughs", "scripts.check", "adapters"),
    ("engine", "playstyle", "coach", "cases", "bench"),
    ("scout",),
    ("experiments",),
    ("web",),
    ("commands", "demo", "results", "python_commands", "scout.commands"),
    ("cli", "__main__", "catalogue"),
)
"""From the ground up. The rooms of one layer may import each other."""

APART = {
    frozenset(pair)
    for pair in (("games", "search"), ("games", "learn"), ("games", "cbr"), ("search", "cbr"), ("games", "decks"))
}
"""Rooms that do not know each other, whatever their order: search and learning know the contract, never a game."""


def room_of(module: str) -> str:
    """The room that a module of the package is in: the longest name in LAYERS that it begins with."""
    inside = module.removeprefix("boardwright.").split(".")
    names = {room for layer in LAYERS for room in layer}
    for length in range(len(inside), 0, -1):
        if (name := ".".join(inside[:length])) in names:
            return name
    raise AssertionError(f"{module} is in no room of LAYERS; say where it belongs")


@cache
def nodes_of(file: Path) -> list[ast.AST]:
    """What the checks below look at: imports and strings."""
    wanted = (ast.Import, ast.ImportFrom, ast.Constant)
    return [node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, wanted)]


def imports() -> Iterator[tuple[str, str, int]]:
    """Every import of one module of the package by another, wherever in the module it stands."""
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if module == "boardwright":
            continue  # the package's face, above everything
        for node in nodes_of(file):
            if isinstance(node, ast.Import):
                names = [name.name for name in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{module}, line {node.lineno}: imports are absolute here"
                names = [f"{node.module}.{name.name}" for name in node.names]
            else:
                continue
            yield from (
                (module, name, node.lineno) for name in names if name.startswith("boardwright.") and "__" not in name
            )


def named_in_strings() -> Iterator[tuple[str, str, int]]:
    """Every module of the package that another names in a string, as "boardwright.scout.scout1:Scout1"."""
    for file in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        if module == "boardwright":
            continue  # the package's face, above everything
        for node in nodes_of(file):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _MODULE.fullmatch(node.value):
                named = node.value.partition(":")[0]
                if _exists(named):
                    yield module, named, node.lineno


_MODULE = re.compile(r"boardwright(\.\w+)+(:\w+)?")


def _exists(module: str) -> bool:
    """Whether there is such a module; groups of entry points have names like modules."""
    path = PACKAGE.parent.joinpath(*module.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def test_strings_name_modules_of_the_package() -> None:
    """The check below sees what it should."""
    assert ("boardwright.catalogue", "boardwright.scout.scout1") in {found[:2] for found in named_in_strings()}


def test_arrows_point_down() -> None:
    height = {room: level for level, layer in enumerate(LAYERS) for room in layer}
    wrong = []
    for module, imported, line in (*imports(), *named_in_strings()):
        here, there = room_of(module), room_of(imported)
        if here == there:
            continue
        if height[there] > height[here]:
            wrong.append(f"{module}, line {line}, knows {imported}, which is above it")
        elif frozenset((here, there)) in APART:
            wrong.append(f"{module}, line {line}, knows {imported}; {here} and {there} do not know each other")
    assert not wrong, "\n".join(wrong)


def test_rich_and_typer_stay_on_top() -> None:
    """Display is a front end's business: rules, agents, search and the arena run without a terminal."""
    allowed = {"reports", "terminal", "coach", "scout", "experiments", "commands", "scout.commands", "demo", "cli"}
    wrong = []
    for file in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)
        for node in nodes_of(file):
            names = [n.name for n in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(name.split(".")[0] in ("rich", "typer") for name in names) and room_of(module) not in allowed:
                wrong.append(f"{module} imports {', '.join(names)}")
    assert not wrong, "\n".join(wrong)


def test_insides_of_numba_are_known_to_few() -> None:
    """Another version of Numba may change them: these modules are to be looked at then."""
    knowing = set()
    for file in PACKAGE.rglob("*.py"):
        for node in nodes_of(file):
            names = [n.name for n in node.names] if isinstance(node, ast.Import) else []
            names += [f"{node.module}.{n.name}" for n in node.names] if isinstance(node, ast.ImportFrom) else []
            if any(re.match(r"numba\.(core|np)\b|numba\..*\._", name) for name in names):
                knowing.add(file.relative_to(PACKAGE).with_suffix("").as_posix())
    assert knowing == {f"kernel/{module}" for module in ("fingerprint", "instructions", "machine_code", "portable")}
