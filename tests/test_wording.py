"""What is written beside the code can be read by itself."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import boardwright

PACKAGE = Path(boardwright.__file__).parent
LOWER_CASE_WORD = re.compile(r"[a-z]+\b(?!_)")


def field_docs(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The text below a field or a constant, and its line."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for field, text in itertools.pairwise(body):
            if isinstance(field, (ast.Assign, ast.AnnAssign)) and isinstance(text, ast.Expr):
                value = text.value
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield text.lineno, value.value.strip()


def is_fragment(text: str) -> bool:
    return not text.endswith((".", "!", "?", ")")) or bool(LOWER_CASE_WORD.match(text))


def test_docs_of_fields_are_whole_sentences() -> None:
    """Not the second half of what stands beside the field before."""
    fragments = [
        f"{file.relative_to(PACKAGE.parent)}:{line}: {text}"
        for file in sorted(PACKAGE.rglob("*.py"))
        for line, text in field_docs(ast.parse(file.read_text(encoding="utf-8")))
        if is_fragment(text)
    ]
    assert not fragments, "\n".join(fragments)


def test_fragments_are_recognised() -> None:
    source = (
        "class A:\n    low: int\n    '''The lowest return,'''\n    high: int\n    '''and the highest.'''\n    c: int\n"
    )
    source += "    '''c_visit of the paper.'''\n    d: int\n    '''The return of a draw.'''\n"
    assert [text for _, text in field_docs(ast.parse(source)) if is_fragment(text)] == [
        "The lowest return,",
        "and the highest.",
    ]


def test_every_package_says_what_it_exports() -> None:
    """An empty list where its modules are imported by their own names."""
    for file in PACKAGE.rglob("__init__.py"):
        names = {
            name.id
            for node in ast.parse(file.read_text(encoding="utf-8")).body
            if isinstance(node, (ast.Assign, ast.AnnAssign))
            for name in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(name, ast.Name)
        }
        assert "__all__" in names, f"{file.parent.relative_to(PACKAGE.parent)} has no __all__"


PRIVATE_LANGUAGE = re.compile(
    r"census|desk|diary|heard?|keeper|lessons?|noted|onlooker|opinions?|said|sitter|thinkers?|told|walled"
)
"""Other words for callback, message, log entry, result, reason, spectator, player, worker, training set, …"""


def names_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The names that a module gives: of functions and classes, of their parameters and fields, of variables."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def test_what_a_function_takes_is_called_by_what_it_is() -> None:
    """A variable may hold what was found; a parameter is a result, a table, a choice."""
    found = [
        f"{file.relative_to(PACKAGE.parent)}:{node.lineno}"
        for file in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        for argument in (*node.args.args, *node.args.kwonlyargs)
        if argument.arg == "found"
    ]
    assert not found, "\n".join(found)


def in_private_language(name: str) -> bool:
    parts = re.findall(r"[a-z]+", re.sub(r"([A-Z]+)", r"_\1", name).lower())
    return any(map(PRIVATE_LANGUAGE.fullmatch, parts))


def test_names_are_those_of_the_field() -> None:
    """A reader who knows the field guesses a name right at first sight."""
    found = [
        f"{file.relative_to(PACKAGE.parent)}:{line}: {name}"
        for file in sorted(PACKAGE.rglob("*.py"))
        for line, name in names_in(ast.parse(file.read_text(encoding="utf-8")))
        if in_private_language(name)
    ]
    assert not found, "\n".join(found)
    assert all(map(in_private_language, ["LEAST_TOLD", "OnlookerView"])), "the check sees what it should"
