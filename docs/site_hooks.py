"""What the site needs beyond the pages in docs/: links that work in both places, and games to play.

On GitHub the documentation is the repository: pages link to README, to CONTRIBUTING and to source files. MkDocs
knows only docs/. So the top-level pages become pages of the site, each linked source file gets a page that shows
it, each linked folder one that lists its files, and links are rewritten to lead there. Links that GitHub could not
follow either stay as they are, and `--strict` refuses them.

The games that docs/engines.md embeds are exported when the site is built.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import boardwright as bw
from boardwright.engine import export_engine

ROOT = Path(__file__).parent.parent
DOCS = "docs/"
SOURCES = "source/"
TOP_LEVEL = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
LANGUAGES = {".py": "python", ".toml": "toml", ".json": "json", ".yml": "yaml", ".yaml": "yaml"}
PLAYABLE = re.compile(r"<!-- play: (.+?) -->")
TARGET = re.compile(r"(?<=\]\()(?P<path>[^)#\s:]+)(?P<anchor>#[^)\s]*)?(?=\))")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for source, page in TOP_LEVEL.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    for source in sorted(_linked(files)):
        if (ROOT / source).is_dir():
            files.append(File.generated(config, _folder_page(source), content=_listing(source)))
            continue
        text = (ROOT / source).read_text(encoding="utf-8")
        language = LANGUAGES.get(Path(source).suffix, "text")
        content = f"# {Path(source).name}\n\n`{source}`\n\n````{language}\n{text}````\n"
        files.append(File.generated(config, _source_page(source), content=content))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Point links between files of the repository to the pages that show them."""
    if page.file.src_uri.startswith(SOURCES):
        return markdown  # code, in which nothing is a link, or a list of files
    here = _in_repository(page.file.src_uri)
    markdown = PLAYABLE.sub(_frame, markdown)

    def place(match: re.Match[str]) -> str:
        target = _in_site(posixpath.normpath(posixpath.join(posixpath.dirname(here), match["path"])))
        if target is None:
            return match[0]
        return posixpath.relpath(target, posixpath.dirname(page.file.src_uri) or ".") + (match["anchor"] or "")

    return TARGET.sub(place, markdown)


def on_post_build(config: MkDocsConfig) -> None:
    """Export the games that readers play on the site, each as a page of its own below play/."""
    for page in Path(config.docs_dir).glob("*.md"):
        for match in PLAYABLE.finditer(page.read_text(encoding="utf-8")):
            for name in match[1].split():
                export_engine(bw.game(name), folder=Path(config.site_dir) / "play" / name, page=True)


def _frame(games: re.Match[str]) -> str:
    """The first game to play inside the page, and links to the others."""
    first, *others = (bw.game(name) for name in games[1].split())
    links = ", ".join(f'<a href="play/{game.name}/index.html">{game.title}</a>' for game in (first, *others))
    frame = f'<iframe class="play" src="play/{first.name}/index.html" title="{first.title}" loading="lazy"></iframe>'
    return f"{frame}\n\nIn a window of its own: {links}."


def _linked(files: Files) -> set[str]:
    """Source files outside of docs/, and folders anywhere."""
    found = set()
    for file in files.documentation_pages():
        here = _in_repository(file.src_uri)
        for match in TARGET.finditer(file.content_string):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(here), match["path"]))
            elsewhere = not target.startswith(DOCS) and target not in TOP_LEVEL and (ROOT / target).is_file()
            if elsewhere or (ROOT / target).is_dir():
                found.add(target)
    return found


def _listing(folder: str) -> str:
    """The files of a folder; those that the site shows are links."""
    here = posixpath.dirname(_folder_page(folder))
    lines = [f"# {folder}", ""]
    for file in sorted(path for path in (ROOT / folder).iterdir() if path.is_file()):
        path, name = f"{folder}/{file.name}", f"`{file.name}`"
        shown = path.startswith(DOCS) and file.suffix != ".py"
        lines.append(f"- [{name}]({posixpath.relpath(path.removeprefix(DOCS), here)})" if shown else f"- {name}")
    return "\n".join(lines) + "\n"


def _in_repository(page: str) -> str:
    return next((source for source, shown in TOP_LEVEL.items() if shown == page), DOCS + page)


def _in_site(source: str) -> str | None:
    """The page, picture or file of the site that shows a file of the repository."""
    if source in TOP_LEVEL:
        return TOP_LEVEL[source]
    if (ROOT / source).is_dir():
        return _folder_page(source)
    if source.startswith(DOCS):
        return source.removeprefix(DOCS)
    return _source_page(source) if (ROOT / source).is_file() else None


def _folder_page(folder: str) -> str:
    return f"{SOURCES}{folder}/index.md"


def _source_page(source: str) -> str:
    return f"{SOURCES}{source}.md"
