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
