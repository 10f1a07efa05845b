from __future__ import annotations

import dataclasses
import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from playwright.sync_api import Browser, sync_playwright

import boardwright as bw
from tests.browser import ARGUMENTS, MISSING, Visitor, chromium
from tests.web_server import Server

hypothesis.settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any machine")
"""How long an example takes says something about the machine, and about what was compiled before."""

DICE_RACE = Path(__file__).parent / "games" / "dice_race.py"
PENNIES = Path(__file__).parent / "games" / "pennies.py"
COIN = Path(__file__).parent / "games" / "coin.py"


@pytest.fixture(scope="session")
def connect_four() -> bw.Game:
    return bw.game("connect_four")


@pytest.fixture(scope="session")
def kuhn() -> bw.Game:
    return bw.game("kuhn_poker")


@pytest.fixture(scope="session")
def dice_race() -> bw.Game:
    return bw.game(str(DICE_RACE))


@pytest.fixture(scope="session")
def pennies() -> bw.Game:
    return bw.game(str(PENNIES))


@pytest.fixture(scope="session")
def coin() -> bw.Game:
    return bw.game(str(COIN))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A web server, for all tests that need none of their own: to start one takes seconds."""
    server = Server(tmp_path_factory.mktemp("web"), "--limit", "tables_per_minute=1000")
    yield server
    server.stop()
    assert "Traceback" not in server.errors(), server.errors()


@pytest.fixture(scope="session")
def running_browser() -> Iterator[Browser]:
    """Chromium, for all tests of a worker: with its driver it takes three seconds to start. While it runs there is a
    loop of events in this thread (see `run_async` of web_server.py)."""
    path = chromium()
    if path is None:
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def browser(running_browser: Browser) -> Iterator[Browser]:
    """One test's own: what it has opened is closed after it."""
    yield running_browser
    for context in running_browser.contexts:
        context.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Callable[..., Visitor]]:
    """Somebody with a browser comes to the server; whatever the browser complains of fails the test."""
    visitors: list[Visitor] = []

    def new(**settings: Any) -> Visitor:
        visitors.append(Visitor(browser, server, **settings))
        return visitors[-1]

    yield new
    for visitor in visitors:
        assert [text for text in visitor.complaints if "WebSocket" not in text] == []
        visitor.leave()


def pytest_configure(config: pytest.Config) -> None:
    """Processes that tests start hear Ctrl-C even if the tests themselves were started in the background, deaf to it:
    what a process ignores its children ignore."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Before several workers start, compile what tests use: once, instead of once in each worker. `make test` has done
    so already."""
    if hasattr(session.config, "workerinput") or not getattr(session.config.option, "numprocesses", None):
        return
    if os.environ.get("TESTS_COMPILED"):
        return
    wanted = any(Path(given).is_dir() or "test_batch" in given for given in session.config.args)
    subprocess.run([sys.executable, "-m", "tests.compiled", *(["batches"] if wanted else [])], check=True)


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was imported and collected stays to the end: the garbage collector need not look at it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that write matches/, or keep hidden seeds, do so in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def start(command: list[str], **settings: Any) -> subprocess.Popen[str]:
    """A process whose output can be read while it runs."""
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **settings)


def wait_until(happened: Callable[[], bool], seconds: float = 120) -> None:
    """Wait for an event in another process or thread; fails if it does not come."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def replaced(game: bw.Game, **changes: Any) -> bw.Game:
    """The game with parts of its declaration replaced: fields of the contract, or of a group, as "rules.legal"."""
    parts = {name: value for name, value in changes.items() if "." not in name}
    for name, value in changes.items():
        group, _, field = name.partition(".")
        if field:
            parts[group] = dataclasses.replace(parts.get(group, getattr(game, group)), **{field: value})
    return dataclasses.replace(game, **parts)


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """The system takes the part of a write that fits, and refuses the rest."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What could not be tested here: say so where nobody overlooks it."""
    reasons = {str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])}
    for missing, untested in (
        ("NO BROWSER", "the pages were"),
        ("NO NODE", "the script in JavaScript was"),
        ("NO BUBBLEWRAP", "the sandbox was"),
    ):
        if any(missing in reason for reason in reasons):
            terminalreporter.section(f"{missing}: {untested} not tested", sep="!", red=True, bold=True)
