"""Firefox for tests: a stock Firefox, driven by WebDriver BiDi over its own socket. No other driver is needed."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import time
from functools import cache
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

NAMES = ("firefox", "firefox-esr")
PATIENCE = 120.0  # seconds
MISSING = "NO FIREFOX: the pages were not tested in it. Install one (Debian: apt-get install firefox-esr)."
SETTINGS = {
    "ui.prefersReducedMotion": "1",
    "datareporting.policy.dataSubmissionEnabled": "false",
    "browser.shell.checkDefaultBrowser": "false",
}
_STARTED = "WebDriver BiDi listening on "


@cache
def firefox() -> str | None:
    """The path of a Firefox, if there is one."""
    return os.environ.get("BOARDWRIGHT_FIREFOX") or next(filter(None, map(shutil.which, NAMES)), None)


class BiDiError(Exception):
    """What Firefox, or a script in a page, complains of."""


class Firefox:
    """One Firefox with one page, and a profile of its own."""

    def __init__(self, path: str, profile: Path) -> None:
        (profile / "user.js").write_text(
            "".join(f'user_pref("{name}", {value});\n' for name, value in SETTINGS.items())
        )
        command = [path, "--headless", "--remote-debugging-port", "0", "--profile", str(profile), "--no-remote"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        assert self.process.stderr is not None
        address = next((line.partition(_STARTED)[2].strip() for line in self.process.stderr if _STARTED in line), "")
        assert address, "Firefox does not say where it listens"
        self._connecting = connect(f"{address}/session", max_size=None)
        self._socket = self._connecting.__enter__()
        self._numbers = itertools.count(1)
        self.complaints: list[str] = []
        self.command("session.new", capabilities={})
        self.command("session.subscribe", events=["log.entryAdded"])
        self._page = self.command("browsingContext.create", type="tab")["context"]

    def command(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(PATIENCE))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.complaints.append(message["params"]["text"])
            if message.get("id") == number:
                if message["type"] == "error":
                    raise BiDiError(f"{method}: {message['message']}")
                return message["result"]

    def goto(self, address: str) -> None:
        self.command("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def size(self, width: int, height: int) -> None:
        self.command("browsingContext.setViewport", context=self._page, viewport={"width": width, "height": height})

    def evaluate(self, script: str) -> Any:
        """The value of an expression in the page, which must be JSON."""
        found = self.command(
            "script.evaluate",
            expression=f"JSON.stringify({script})",
            target={"context": self._page},
            awaitPromise=True,
        )
        if found["type"] != "success":
            raise BiDiError(found["exceptionDetails"]["text"])
        return json.loads(found["result"]["value"]) if found["result"]["type"] == "string" else None

    def until(self, script: str) -> Any:
        """Wait until an expression is true in the page."""
        end = time.monotonic() + PATIENCE
        while not (found := self.evaluate(script)):
            assert time.monotonic() < end, f"{script} never came true; {self.evaluate('document.body.innerText')}"
            time.sleep(0.02)
        return found

    def click(self, selector: str) -> None:
        """With the mouse, in the middle of the first thing that fits."""
        place = f"""(() => {{
            const thing = document.querySelector({json.dumps(selector)});
            thing.scrollIntoView({{block: "center", inline: "center"}});
            const box = thing.getBoundingClientRect();
            return [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)];
        }})()"""
        x, y = self.evaluate(place)
        steps = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        pointer = {"type": "pointer", "id": "mouse", "actions": steps}
        self.command("input.performActions", context=self._page, actions=[pointer])

    def screenshot(self) -> bytes:
        import base64

        return base64.b64decode(self.command("browsingContext.captureScreenshot", context=self._page)["data"])

    def close(self) -> None:
        self._connecting.__exit__(None, None, None)
        self.process.terminate()
        self.process.wait(PATIENCE)
