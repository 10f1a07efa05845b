"""Draw the pictures of README and docs from what the program really prints and draws: `make docs`."""

from __future__ import annotations

import html
import io
import itertools
import re
import sys
import tempfile
from pathlib import Path

from rich.console import Console

import boardwright as bw
from boardwright.demo import demo
from boardwright.games.lords.information import hand_of
from boardwright.games.lords.state import DEPLOY
from boardwright.games.lords.svg import draw_state

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.browser import ARGUMENTS, chromium
from tests.web_server import Server

FOLDER = Path(__file__).parent / "images"
PAGE_SIZE = (1120, 700)
FRAMES, FRAME_MS = 8, 1_200


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    draw_demo()
    draw_lords()
    draw_page()


def draw_lords(decisions: int = 34) -> None:
    """A position of Lords of War between two heuristic players, with the squares where one of the cards may go."""
    game = bw.game("lords")
    state = game.new(seed=1, armies="orc,dwarf")
    agents = [bw.agent("heuristic", game, seat, seed=1) for seat in range(2)]
    for number in itertools.count():
        if number >= decisions and state.player == 0 and state.record.phase == DEPLOY:
            break
        state.apply(agents[state.player].decide(state.observation(state.player)).action)
    record = state.observation(0).record
    file = FOLDER / "lords.svg"
    file.write_text(draw_state(record, 0, chosen=hand_of(record, 0)[-1]), encoding="utf-8")
    print(file)


def draw_page() -> None:
    """Tables of two games on the page, as somebody who watches sees them: a moving picture."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    path = chromium()
    if path is None:
        print("no browser: the moving picture of the page stays as it is")
        return
    width, height = PAGE_SIZE
    frames: list[Image.Image] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        for game, agent in (("race", "netsearch"), ("lords", "heuristic")):
            table, _ = server.table(game, agent, agent, seed=7, pace=0.6)
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(f"{server.address}/table/{table}")
            page.wait_for_selector("svg")
            page.wait_for_timeout(9_000)  # so that something lies on the table
            for _ in range(FRAMES):
                page.wait_for_timeout(700)
                frames.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
            page.close()
        browser.close()
        server.stop()
    smaller = [frame.resize((width * 3 // 4, height * 3 // 4), Image.Resampling.LANCZOS) for frame in frames]
    smaller[0].save(
        FOLDER / "page.webp", save_all=True, append_images=smaller[1:], duration=FRAME_MS, quality=55, loop=0
    )
    print(FOLDER / "page.webp")


def draw_demo() -> None:
    (FOLDER / "demo.svg").write_text(demo_picture(), encoding="utf-8")
    print(FOLDER / "demo.svg")


def demo_picture() -> str:
    """What `boardwright demo` prints, as a picture."""
    console = Console(record=True, width=92, force_terminal=False, file=io.StringIO())
    demo(console)
    picture = console.export_svg(title="boardwright demo", unique_id="demo")
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)  # no fonts fetched from elsewhere
    return picture.replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, monospace")


def text_of(picture: str) -> str:
    """What a picture of a command says, without the times, which are another every time."""
    text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", picture, flags=re.DOTALL)
    return re.sub(r"in [0-9.,]+ m?s\b", "in a while", " ".join(html.unescape(text).split()))


if __name__ == "__main__":
    main()
