"""Where the program begins: `python -m boardwright`, and the command `boardwright`."""

from __future__ import annotations

import sys

from boardwright.ctrl_c import STOPPED


def main() -> None:
    """Run a command. Importing the commands takes a moment, and Ctrl-C ends that as quietly as a command."""
    try:
        from boardwright.cli import main as run
    except KeyboardInterrupt:
        print("boardwright: stopped", file=sys.stderr)
        sys.exit(STOPPED)
    run()


if __name__ == "__main__":
    main()
