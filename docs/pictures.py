"""Draw the pictures of the README from what the program really prints: `make docs`."""

from __future__ import annotations

import re
from pathlib import Path

from rich.console import Console

from boardwright.demo import demo

FOLDER = Path(__file__).parent / "images"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    console = Console(record=True, width=92, force_terminal=False)
    demo(console)
    picture = console.export_svg(title="boardwright demo", unique_id="demo")
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)  # no fonts fetched from elsewhere
    picture = picture.replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, monospace")
    (FOLDER / "demo.svg").write_text(picture)
    print(FOLDER / "demo.svg")


if __name__ == "__main__":
    main()
