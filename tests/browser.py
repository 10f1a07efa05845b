"""A real browser for tests: Chromium, driven by Playwright, and how much of the pages' scripts it has run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, WebSocket, expect

from boardwright.drawing import Layout
from boardwright.web import views
from boardwright.web.routes import STATIC
from tests.web_server import Server, patched

WAIT = 120_000  # milliseconds; games may have to be compiled first
MOST_CLICKS = 400
expect.set_options(timeout=WAIT)  # no expectation may depend on how busy the machine is

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--renderer-process-limit=1",  # one that waits for the next page is started for nothing
)
MISSING = (
    "NO BROWSER: the pages were not tested. Install Chromium (Debian: apt-get install chromium; elsewhere: playwright"
    " install chromium), or name one in BOARDWRIGHT_CHROMIUM."
)


@cache
def chromium() -> str | None:
    """The path of a Chromium; if there is none, an attempt is made to install one."""
    given = os.environ.get("BOARDWRIGHT_CHROMIUM")
    if given:
        return given
    return _found() or (_installed() and _found()) or None


def _found() -> str | None:
    from playwright.sync_api import sync_playwright

    for name in NAMES:
        if path := shutil.which(name):
            return path
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def _installed() -> bool:
    """By the system's packages, where one may."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    command = "apt-get update -qq && apt-get install -y -qq chromium"
    try:
        return subprocess.run(command, shell=True, capture_output=True, timeout=240, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


class Visitor:
    """A person with a browser of their own; every frame that reaches it is kept."""

    def __init__(self, browser: Browser, server: Server, coverage: Coverage | None = None, **context: Any) -> None:
        self.server = server
        self.coverage = coverage
        self.context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 720}, "reduced_motion": "reduce", **context}
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(WAIT)
        self.frames: list[dict[str, Any]] = []
        self.complaints: list[str] = []
        self.layouts: set[Layout] = set()
        self._last = {"picture": "", "text": ""}
        self.page.on("websocket", self._socket)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)

        if coverage is not None:
            self.profiler = self.context.new_cdp_session(self.page)
            self.profiler.send("Profiler.enable")
            self.profiler.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})

    def _socket(self, socket: WebSocket) -> None:
        self._last = {"picture": "", "text": ""}
        socket.on("framereceived", self._frame)
        socket.on("framesent", self._sent)

    def _frame(self, payload: str | bytes) -> None:
        """Kept as a page without patches would have got it."""
        frame = json.loads(payload)
        if frame["type"] == "table":
            for name, before in self._last.items():
                if frame[f"{name}_patch"] is not None:
                    assert frame[name] == ""
                    change = [tuple(part) if isinstance(part, list) else part for part in frame[f"{name}_patch"]]
                    frame[name] = patched(before, change)
                self._last[name] = frame[name]
            frame["size"] = len(payload)
        self.frames.append(frame)

    def _sent(self, payload: str | bytes) -> None:
        """The room that the page has said it has."""
        message = json.loads(payload)
        if message["type"] in ("join", "room"):
            self.layouts.add(views.layout_for(message["width"], message["touch"], message.get("toggled") or ()))

    def sit(self, table: str, token: str | None) -> None:
        self.page.goto(f"{self.server.address}/table/{table}" + (f"#{token}" if token else ""))

    @property
    def table(self) -> dict[str, Any]:
        return next(frame for frame in reversed(self.frames) if frame["type"] == "table")

    def click_through(self, moves: int = MOST_CLICKS) -> None:
        """Click the first thing that can be clicked, until the game is over or so many times."""
        for _ in range(moves):
            self.until(lambda: self.frames and (self.table["choices"] or self.table["status"] != "running"))
            before = self.table["version"]
            self.page.wait_for_selector(f'#board[data-version="{before}"]')
            if self.table["status"] != "running":
                return
            if self.table["set"]:
                self.choose_set(range(self.table["set"]["least"]))
            else:
                self.tap(self.page.locator("#board .can").first)
            for second in (".menu button", "#board .partner"):
                if self.page.locator(second).count():
                    self.page.locator(second).first.click(force=True)
            self.until(lambda before=before: self.table["version"] != before)

    def choose_set(self, places: Iterable[int]) -> None:
        """Several things at once: each is clicked on the board, then the button that says so."""
        for place in places:
            key = self.table["set"]["items"][place]["key"]
            self.tap(self.page.locator(f'#board [data-key="{key}"].can'))
        self.page.locator("#confirm").click()

    def tap(self, thing: Locator) -> None:
        """As a person does: on a small screen they scroll first, since what can be done stays at its bottom."""
        thing.evaluate('thing => thing.scrollIntoView({block: "center"})')
        thing.click(force=True)

    def until(self, condition: Any) -> None:
        end = time.monotonic() + WAIT / 1000
        while not condition():
            assert time.monotonic() < end, f"nothing happened; the page says {self.page.text_content('#say')!r}"
            self.page.wait_for_timeout(10)

    def leave(self) -> None:
        self.context.close()

    def count_coverage(self) -> None:
        """Add what has run since the last time."""
        assert self.coverage is not None
        self.coverage.add(self.profiler.send("Profiler.takePreciseCoverage")["result"])


class Coverage:
    """Which characters of the pages' scripts have run, as Chromium counts them; of several visits together."""

    def __init__(self) -> None:
        self._ran = {file.name: bytearray(len(_utf16(file.read_text("utf-8")))) for file in STATIC.glob("*.js")}

    def add(self, scripts: list[dict[str, Any]]) -> None:
        for script in scripts:
            name = script["url"].rpartition("/")[2]
            if name in self._ran:
                now = bytearray(len(self._ran[name]))
                for function in script["functions"]:  # the outer ones first, so what lies within has the last word
                    for part in function["ranges"]:
                        start, end = part["startOffset"], part["endOffset"]
                        now[start:end] = bytes([part["count"] > 0]) * (end - start)
                self._ran[name] = bytearray(a | b for a, b in zip(self._ran[name], now, strict=True))

    @property
    def share(self) -> float:
        return sum(map(sum, self._ran.values())) / sum(map(len, self._ran.values()))

    def missing(self) -> str:
        """What has not run, for a message."""
        lines = []
        for name, ran in sorted(self._ran.items()):
            source, place = (STATIC / name).read_text("utf-8"), 0
            lines.append(f"{name}: {sum(ran) / len(ran):.0%}")
            for number, line in enumerate(source.splitlines(keepends=True), 1):
                end = place + len(_utf16(line))
                if line.strip() and 2 * sum(ran[place:end]) < end - place:
                    lines.append(f"  {number}: {line.rstrip()}")
                place = end
        return "\n".join(lines)


def _utf16(text: str) -> list[int]:
    """As JavaScript counts characters."""
    data = text.encode("utf-16-le")
    return [data[place] for place in range(0, len(data), 2)]
