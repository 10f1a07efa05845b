"""The sandbox: no network, no sockets of others, a read-only file system, through bubblewrap."""

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
from boardwright.scripts.warden import FILTER, NO_GROUPS

BWRAP_PROCESSES = 2
"""Bubblewrap's own, beside those of the script."""
FOLDERS = ("/tmp", "/dev/shm")
"""The folders that a script can write to; they are kept in memory."""
_PACKAGE = Path(__file__).parents[2]
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TZ", "NUMBA_DISABLE_JIT", "PYTHONPATH")
_NEEDED_OUTSIDE = ("LD_LIBRARY_PATH", NO_GROUPS)
"""By the warden and by bubblewrap."""


def check_sandbox() -> str:
    """Where bubblewrap is; BadSpec if it is not installed."""
    found = shutil.which("bwrap")
    if found is None:
        raise BadSpec(
            "--sandbox needs bubblewrap, which is not installed here (on Debian: apt-get install bubblewrap); without"
            " --sandbox, scripts have limits but can read your files and use the network"
        )
    return found


def outside(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables of the warden and of bubblewrap: a script can read them, since bubblewrap is its process 1."""
    return {name: variables[name] for name in (*_KEPT_VARIABLES, *_NEEDED_OUTSIDE) if name in variables}


def sandboxed(
    command: Sequence[str],
    variables: Mapping[str, str],
    hidden: Sequence[Path],
    memory: int,
    files: Sequence[str] = (),
) -> tuple[str, ...]:
    """The command in a sandbox: the file system can be read but not written, but for /tmp and /dev/shm, which are empty
    and hold at most `memory` MB; there is no network, and no process but its own. Folders and files that are `hidden`
    look empty. `files`: what it must be able to read besides the words of the command. The filter of system calls is
    read from descriptor FILTER."""
    here = Path.cwd()
    inside = [check_sandbox(), "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--remount-ro", "/dev"]
    inside += ["--remount-ro", "/proc"]  # root could change the settings of the machine's kernel in it
    for folder in FOLDERS:
        inside += ["--size", str(memory << 20), "--tmpfs", folder]
    for place in _needed_from_tmp(here, [*command, *files], variables):
        inside += ["--ro-bind", place, place]
    for place in map(os.path.realpath, hidden):
        if os.path.isdir(place):
            inside += ["--size", "4096", "--tmpfs", place, "--remount-ro", place]
        elif os.path.exists(place):
            inside += ["--ro-bind", os.devnull, place]
    inside += ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]
    inside += ["--seccomp", str(FILTER)]
    for name in _KEPT_VARIABLES:
        if name in variables:
            inside += ["--setenv", name, variables[name]]
    if (cache := cache_folder()) is not None:
        inside += ["--setenv", "BOARDWRIGHT_CACHE", str(cache)]
    inside += ["--setenv", "HOME", "/tmp", "--chdir", str(here)]
    return (*inside, "--", *command)


def _needed_from_tmp(here: Path, arguments: Sequence[str], variables: Mapping[str, str]) -> list[str]:
    """The project and its environment may lie in /tmp, which is another one inside: what is needed from there."""
    files = [argument for argument in arguments if argument.startswith("/")]
    paths = [str(here), sys.prefix, sys.base_prefix, os.path.realpath(sys.executable), str(_PACKAGE), *sys.path]
    paths += [os.path.dirname(file) for file in files if os.path.isfile(file)]  # with what lies beside it
    paths += [file for file in files if os.path.isdir(file)]
    paths += variables.get("PYTHONPATH", "").split(os.pathsep)
    if (cache := cache_folder()) is not None:
        paths.append(str(cache))
    paths += [os.path.realpath(path) for path in paths if path]
    needed = {path for path in paths if Path(path).is_relative_to("/tmp") and os.path.exists(path)}
    if "/tmp" in needed:  # somebody works in /tmp itself: all that lies there, on the empty one
        needed = needed - {"/tmp"} | {f"/tmp/{name}" for name in os.listdir("/tmp")}
    return sorted(path for path in needed if os.path.exists(path))


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
