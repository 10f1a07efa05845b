"""The web server under load: 500 tables with 1,000 connections at once, and how soon a move shows.

At each table a person (this script) plays against `random`, and somebody watches. People think for a second on average.
Server and clients share the machine. Targets: the 99th percentile under 250 ms; with one table, under 100 ms; as much
memory after `--games` games (2,000) as after a tenth of them; in a browser, a click shown within 60 ms at the median.
The load of the machine is printed with them: on a busy one they are worse.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from common import close
from websockets.asyncio.client import connect

TARGET_MS = 250
FOREVER = float("inf")
THINKING = 1.0  # seconds, on average


class Load:
    def __init__(self, address: str, game: str, seconds: float) -> None:
        self.address = address
        self.game = game
        self.until = FOREVER
        self.seconds = seconds
        self.latencies: list[float] = []
        self.first_pictures: list[float] = []
        self.frames = 0
        self.finished = 0

    async def run(self, tables: int) -> None:
        async with httpx.AsyncClient(base_url=self.address, timeout=120) as client:
            seats = [{"agent": None}, {"agent": "random"}]
            made = []
            for _ in range(tables):
                answer = await client.post("/api/tables", json={"game": self.game, "seats": seats, "pace": 0})
                answer.raise_for_status()
                made.append(answer.json())
        self.joining = asyncio.Barrier(2 * tables)
        await asyncio.gather(
            *(self.play(table["id"], table["tokens"]["0"]) for table in made),
            *(self.watch(table["id"]) for table in made),
        )

    async def play(self, table: str, token: str) -> None:
        chance = random.Random(table)
        begin = time.perf_counter()
        async with connect(self.socket(table), max_size=None) as socket:
            await socket.send(json.dumps({"type": "join", "token": token}))
            shown = await self.table(socket)
            self.first_pictures.append(time.perf_counter() - begin)
            await self.all_are_here()
            moved_at, sent = -1, 0.0
            while shown is not None and time.perf_counter() < self.until:
                if sent and shown["version"] > moved_at:
                    self.latencies.append(time.perf_counter() - sent)
                    sent = 0.0
                if shown["status"] != "running":
                    self.finished += 1
                    return
                if shown["choices"] and shown["version"] != moved_at:
                    await asyncio.sleep(chance.expovariate(1 / THINKING))
                    action = chance.choice(shown["choices"])["action"]
                    moved_at, sent = shown["version"], time.perf_counter()
                    await socket.send(json.dumps({"type": "move", "action": action, "version": moved_at}))
                shown = await self.table(socket)

    async def watch(self, table: str) -> None:
        async with connect(self.socket(table), max_size=None) as socket:
            await socket.send(json.dumps({"type": "join", "token": None}))
            await self.table(socket)
            await self.all_are_here()
            while time.perf_counter() < self.until:
                shown = await self.table(socket)
                if shown is None or shown["status"] != "running":
                    return

    async def all_are_here(self) -> None:
        """Everybody waits until everybody is at the table; then the time begins."""
        await self.joining.wait()
        self.until = self.until if self.until < FOREVER else time.perf_counter() + self.seconds

    async def table(self, socket: Any) -> dict[str, Any] | None:
        """The next position; None when time is up."""
        while (left := self.until - time.perf_counter()) > 0:
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), min(left, 3600.0)))
            except TimeoutError:
                return None
            self.frames += 1
            if message["type"] == "table":
                return message
        return None

    def socket(self, table: str) -> str:
        return f"{self.address.replace('http', 'ws')}/ws/{table}"


async def play_many(address: str, process: int, game: str, games: int) -> list[float]:
    """Games of `random` against itself, one table after the other; the server's memory after each tenth of them."""
    memory = []
    async with httpx.AsyncClient(base_url=address, timeout=120) as client:
        for number in range(1, games + 1):
            seats = [{"agent": "random"}, {"agent": "random"}]
            made = await client.post("/api/tables", json={"game": game, "seats": seats, "pace": 0})
            made.raise_for_status()
            while (await client.get(f"/api/tables/{made.json()['id']}")).json()["status"] == "running":
                await asyncio.sleep(0.02)
            if number % max(1, games // 10) == 0:
                memory.append(memory_mb(process))
    return memory


def clicks(address: str, game: str, most: int) -> list[float]:
    """Seconds from a click on the board until the page has drawn what came of it, in Chromium."""
    from playwright.sync_api import sync_playwright

    measure = """() => new Promise((done) => {
        const board = document.querySelector("#board"), before = board.dataset.version, began = performance.now();
        new MutationObserver((_, watcher) => {
            if (board.dataset.version === before) return;
            watcher.disconnect();
            requestAnimationFrame(() => done((performance.now() - began) / 1000));
        }).observe(board, { attributes: true });
        board.querySelector(".can").dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
    })"""
    found: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        while len(found) < most:
            seats = [{"agent": None}, {"agent": "random"}]
            table = httpx.post(f"{address}/api/tables", json={"game": game, "seats": seats, "pace": 0}).json()
            page.goto(f"{address}/table/{table['id']}#{table['tokens']['0']}")
            while len(found) < most:
                page.wait_for_selector("#board .can, #ending:not(.hidden)")
                if not page.locator("#board .can").count():
                    break
                found.append(float(page.evaluate(measure)))
                page.wait_for_timeout(100)
            page.goto("about:blank")
        browser.close()
    return found


def cpu_seconds(process: int) -> float:
    """What a process has used, whatever else the machine was doing."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(process: int) -> float:
    """What a process has in memory now."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def percentile(values: list[float], share: float) -> float:
    return 1000 * sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tables", type=int, default=500)
    arguments.add_argument("--seconds", type=float, default=20)
    arguments.add_argument("--game", default="connect_four")
    arguments.add_argument("--games", type=int, default=2000, help="for the memory over games; 0: not measured")
    arguments.add_argument("--clicks", type=int, default=40, help="in a browser; 0: not measured")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "boardwright", "web", "--no-open", "--port", "0"]
        command += ["--limit", f"tables_per_minute={2 * given.tables + 100 * given.games + 10}"]
        command += ["--limit", f"connections={2 * given.tables + 10}"]
        begin = time.perf_counter()
        server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found is not None
        print(f"starts in {time.perf_counter() - begin:.2f} s; load of the machine {os.getloadavg()[0]:.1f}")
        try:
            for tables in (1, given.tables):
                load = Load(found[0].rstrip("/"), given.game, given.seconds if tables > 1 else 8)
                before = cpu_seconds(server.pid)
                asyncio.run(load.run(tables))
                spent = cpu_seconds(server.pid) - before
                median, slow = percentile(load.latencies, 0.5), percentile(load.latencies, 0.99)
                first = percentile(load.first_pictures, 0.5)
                print(f"{tables} tables, {2 * tables} connections, {given.game}: first picture after {first:.0f} ms;")
                print(f"  {len(load.latencies):,} moves, shown after {median:.0f} ms (median), {slow:.0f} ms (99 %);")
                print(f"  {load.frames:,} frames, {load.finished} games finished;")
                print(f"  the server's own process has {memory_mb(server.pid):.0f} MB;")
                print(f"  the server's own process spent {1000 * spent / len(load.latencies):.1f} ms of CPU per move")
            if given.games:
                memory = asyncio.run(play_many(found[0].rstrip("/"), server.pid, given.game, given.games))
                print(f"memory over {given.games:,} games, in MB: {', '.join(f'{mb:.0f}' for mb in memory)}")
            if given.clicks:
                shown = clicks(found[0].rstrip("/"), given.game, given.clicks)
                print(f"{len(shown)} clicks in Chromium, shown after {percentile(shown, 0.5):.0f} ms (median)")
            print(f"load of the machine at the end {os.getloadavg()[0]:.1f}")
            close(slow / TARGET_MS, f"99 % of moves shown within {TARGET_MS} ms; the ratio is to that")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
