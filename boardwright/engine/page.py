"""A page without a server: one HTML file with the engine, the game's texts and pictures, and a table to play at.

It works from the disk. Beside it lie what a web host needs to make it installable: a manifest and a service worker.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Any

from boardwright.engine.presentation import presentation
from boardwright.errors import BoardwrightError
from boardwright.files import atomic_output
from boardwright.kernel import Game

JAVASCRIPT = Path(__file__).parent / "javascript"
LEVELS = {"quick": 0.02, "careful": 0.2, "the strongest": 1.0}
"""Shares of the budget that the agent was exported with."""

_BRIDGE = """
from browser import window

FIELDS = {fields}


def page_read(memory):
    return record_in(memory, FIELDS)


def page_describe(record, action):
    return GAME_describe_action(record, action) if GAME_describe_action else "action " + str(action)


def page_draw(record, seat, width, touch, toggled):
    if GAME_Layout:
        return GAME_draw_state(record, seat, GAME_Layout(width, touch, frozenset(toggled)))
    if GAME_draw_state:
        return GAME_draw_state(record, seat)
    text = GAME_show_state(record, seat) if GAME_show_state else ""
    return "<pre>" + escape(text) + "</pre>"


window.presentationIsReady({{"read": page_read, "describe": page_describe, "draw": page_draw}})
"""


def write_page(game: Game, library: Path, manifest: dict[str, Any], folder: Path) -> list[Path]:
    """Write the page of an exported WebAssembly library into a folder; gives its files."""
    levels = LEVELS if manifest["iterations"] > 1 else {"the agent": 1.0}
    manifest = {**manifest, "levels": [[name, share] for name, share in levels.items()]}
    title = f"{game.title}: play in your browser"
    values = {
        "title": _escaped(title),
        "agent": _escaped(manifest["agent"]),
        "style": (JAVASCRIPT / "page.css").read_text(encoding="utf-8"),
        "manifest": _in_script(json.dumps(manifest)),
        "wasm": base64.b64encode(library.read_bytes()).decode(),
        "presentation": _presentation(presentation(game) + _BRIDGE.format(fields=json.dumps(manifest["fields"]))),
        "worker": _in_script((JAVASCRIPT / "worker.js").read_text(encoding="utf-8")),
        "engine": _in_script(plain_script((JAVASCRIPT / "engine.js").read_text(encoding="utf-8"))),
        "page": _in_script((JAVASCRIPT / "page.js").read_text(encoding="utf-8")),
        "brython": _in_script(_brython().read_text(encoding="utf-8")),
    }
    page = Template((JAVASCRIPT / "page.html").read_text(encoding="utf-8")).substitute(values)
    app: dict[str, Any] = {
        "name": title,
        "short_name": game.title,
        "start_url": "./",
        "display": "standalone",
        "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}],
    }
    icon = (Path(__file__).parents[1] / "web" / "static" / "icon.svg").read_text(encoding="utf-8")
    worker = Template((JAVASCRIPT / "sw.js").read_text(encoding="utf-8")).substitute(digest=manifest["digest"][:16])
    files = {"index.html": page, "app.webmanifest": json.dumps(app, indent=1), "sw.js": worker, "icon.svg": icon}
    for name, text in files.items():
        with atomic_output(folder / name) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return [folder / name for name in files]


def plain_script(module: str) -> str:
    """An ES module without exports, for a script or a worker that lies in a page."""
    return re.sub(r"^export ", "", module, flags=re.MULTILINE)


def _presentation(python: str) -> str:
    """The script that runs a game's texts: translated here if Node is installed, otherwise by each page that opens."""
    source = f'<script type="text/python" id="presentation">{_in_script(python)}</script>'
    if (node := shutil.which("node")) is None:
        return source
    command = [node, str(JAVASCRIPT / "translate.cjs"), str(_brython())]
    done = subprocess.run(command, input=python, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        print(
            f"boardwright: {node} cannot translate the page's texts ({reason});"
            " the page does it whenever it is opened, which takes seconds",
            file=sys.stderr,
        )
        return source
    translated = (JAVASCRIPT / "translated.js").read_text(encoding="utf-8")
    return f"<script>\n{_in_script(translated.replace('TRANSLATED', done.stdout))}</script>"


def _brython() -> Path:
    found = find_spec("brython")
    if found is None or not found.submodule_search_locations:
        raise BoardwrightError("a page needs Brython, which runs the game's texts: pip install 'boardwright[engine]'")
    return Path(found.submodule_search_locations[0]) / "data" / "brython.js"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _in_script(text: str) -> str:
    """Text that may stand between script tags."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
