"""Where work is done: what a person is told whose script starts processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_a_script_that_other_processes_would_run_again_is_told_so() -> None:
    """They import it: without the guard that Python asks for, each would begin the match again."""
    Path("script.py").write_text(
        'import boardwright as bw\n\nprint(bw.match("kuhn_poker", "random", "random", games=4, jobs=2))\n'
    )
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 1, done.stderr
    assert 'put what the script does under `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]
