"""The sandbox: no network and a read-only file system, through bubblewrap."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from boardwright.agents.spec import ISOLATED, Spec
from boardwright.errors import BadSpec
from boardwright.kernel.cache_files import cache_folder
from boardwright.registry import is_ours, scripts

BWRAP_PROCESSES = 2
"""Bubblewrap's own, beside those of the script."""
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TZ", "NUMBA_DISABLE_JIT", "PYTHONPATH")


def check_sandbox() -> str:
    """Where bubblewrap is; BadSpec if it is not installed."""
    found = shutil.which("bwrap")
    if found is None:
        raise BadSpec(
            "--sandbox needs bubblewrap, which is not installed here (on Debian: apt-get install bubblewrap); without"
            " --sandbox, scripts have limits but can read your files and use the network"
        )
    return found


def sandboxed(command: Sequence[str], variables: Mapping[str, str], hidden: Sequence[Path]) -> tuple[str, ...]:
    """The command in a sandbox: the file system can be read but not written, but for an empty /tmp; there is no
    network, and no process but its own. The folders that are `hidden` look empty."""
    here = Path.cwd()
    inside = [check_sandbox(), "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
    paths = [*command, sys.prefix, *variables.get("PYTHONPATH", "").split(os.pathsep)]
    for place in (here, *(Path(path) for path in paths if path.startswith("/"))):
        if place.is_relative_to("/tmp") and place.exists():  # what is needed from there must be seen
            inside += ["--ro-bind", str(place), str(place)]
    for folder in hidden:
        if folder.is_dir():
            inside += ["--tmpfs", str(folder.absolute())]
    inside += ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]
    for name in _KEPT_VARIABLES:
        if name in variables:
            inside += ["--setenv", name, variables[name]]
    if (cache := cache_folder()) is not None:
        inside += ["--setenv", "BOARDWRIGHT_CACHE", str(cache)]
    inside += ["--setenv", "HOME", "/tmp", "--chdir", str(here)]
    return (*inside, "--", *command)


def in_sandbox(text: str) -> str:
    """A spec with its sandbox switched on. BadSpec for an agent that is not ours and runs in this process."""
    spec = Spec.parse(text)
    if spec.name in scripts() or spec.name == ISOLATED:
        check_sandbox()
        return str(Spec(spec.name, {**spec.params, "sandbox": "true"}))
    for name in spec.agents_here():
        if not is_ours("agents", name):
            raise BadSpec(f"--sandbox: {name} runs in this process; move it behind a wall with isolated:({text})")
    return text
