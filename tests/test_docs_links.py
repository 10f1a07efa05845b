"""Links in the documentation lead somewhere: files exist, and headings are where anchors say. Nothing is fetched."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(ROOT.glob("docs/**/*.md"))
NAVIGATION = ROOT / "mkdocs.yml"

MARKDOWN = MarkdownIt("commonmark").enable("table")


def broken_links(page: Path, root: Path = ROOT) -> list[str]:
    """What is wrong with the page's links, one line each."""
    return [f"{target}: {wrong}" for target in links(page) if (wrong := complaint(page, target, root))]


def complaint(page: Path, target: str, root: Path) -> str | None:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return None
    if parts.path.startswith("/"):
        return "an absolute path; GitHub and the site resolve it differently"
    file = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not file.is_relative_to(root):
        return "outside of the repository"
    if not file.exists():
        return "there is no such file"
    if not parts.fragment or (file.suffix != ".md" and re.fullmatch(r"L\d+(-L\d+)?", parts.fragment)):
        return None
    if file.suffix != ".md":
        return "an anchor into a file without headings"
    if unquote(parts.fragment) not in anchors(file):
        return f"{file.name} has no such heading"
    return None


def links(page: Path) -> Iterator[str]:
    for token in tokens(page):
        if token.type in ("link_open", "image"):
            yield str(token.attrs["href" if token.type == "link_open" else "src"])
        elif token.type in ("html_inline", "html_block"):
            yield from re.findall(r"""\b(?:href|src)=["'](.*?)["']""", without_comments(token.content))
        elif token.type == "text":
            # What looks like a link by reference and is still text has no definition.
            yield from (f"[{name}]" for name in re.findall(r"(?<!\w)\[[^\]]*\]\[(.+?)\]", token.content))


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives the page's headings, and those written as HTML."""
    found: dict[str, int] = {}
    written = set()
    before: Token | None = None
    for token in tokens(page):
        if token.type == "inline" and before is not None and before.type == "heading_open":
            name = slug("".join(child.content for child in token.children or ()))
            found[name] = times = found.get(name, -1) + 1
            written.add(f"{name}-{times}" if times else name)
        elif token.type in ("html_inline", "html_block"):
            written |= set(re.findall(r"""\b(?:id|name)=["'](.*?)["']""", without_comments(token.content)))
        before = token
    return written


def slug(heading: str) -> str:
    """Lower case, punctuation dropped, a hyphen for every space."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def tokens(page: Path) -> Iterator[Token]:
    for token in MARKDOWN.parse(page.read_text(encoding="utf-8")):
        yield token
        for child in token.children or ():
            yield child
            yield from child.children or ()


def without_comments(html: str) -> str:
    return re.sub(r"<!--.*?-->", "", html, flags=re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    listed = set(re.findall(r"[\w/.-]+\.md\b", NAVIGATION.read_text()))
    pages = {page.relative_to(ROOT / "docs").as_posix() for page in PAGES if page.parent != ROOT}
    assert pages - listed == set(), "add it under `nav` in mkdocs.yml"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[a](missing.md)", ["missing.md: there is no such file"]),
        ("![a](missing.png)", ["missing.png: there is no such file"]),
        ("[![a](missing.png)](other.md)", ["missing.png: there is no such file"]),
        ("| a |\n|---|\n| [a](missing.md) |", ["missing.md: there is no such file"]),
        ("[a][there]\n\n[there]: missing.md", ["missing.md: there is no such file"]),
        ("[a][nowhere]", ["[nowhere]: there is no such file"]),
        ('<img src="missing.png">', ["missing.png: there is no such file"]),
        ("[a](other.md#missing)", ["other.md#missing: other.md has no such heading"]),
        ("[a](#Here)\n\n# Here", ["#Here: page.md has no such heading"]),
        ("[a](other.md#twice-2)", ["other.md#twice-2: other.md has no such heading"]),
        ("[a](code.py#section)", ["code.py#section: an anchor into a file without headings"]),
        ("[a](/other.md)", ["/other.md: an absolute path; GitHub and the site resolve it differently"]),
        ("[a](../other.md)", ["../other.md: outside of the repository"]),
        ("[a](other.md), [b](other.md#whats-new-in-code), [c](other.md#twice-1), [d](other.md#by-hand)", []),
        ("[a](code.py#L3), [b](https://example.org/missing.md), [c](mailto:a@example.org), [d](#here)\n\n# Here", []),
        ("`[a](missing.md)`\n\n```\n[a](missing.md)\n```\n\n<!-- [a](missing.md) <a href='missing.md'> -->", []),
    ],
)
def test_broken_links_are_found(tmp_path: Path, text: str, wrong: list[str]) -> None:
    other = "# What's new in `code`?\n\n## Twice\n\n## Twice\n\n<a id='by-hand'></a>\n"
    (tmp_path / "other.md").write_text(other)
    (tmp_path / "code.py").write_text("")
    page = tmp_path / "page.md"
    page.write_text(text)
    assert broken_links(page, tmp_path) == wrong


def test_no_file_has_marks_of_a_merge_in_it() -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    files = [ROOT / name for name in tracked.split("\0") if name] or [*ROOT.rglob("*.py"), *ROOT.rglob("*.md")]
    mark = re.compile(rb"^(<{7} |>{7} )", re.MULTILINE)
    assert [str(file) for file in files if file.is_file() and mark.search(file.read_bytes())] == []
