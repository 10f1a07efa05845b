"""Compiling rules and search kernels, once per machine.

A `Unit` is a set of entry points: functions with fixed signatures, compiled together with all the rules that they call
(machine_code.py) and kept as one file under a digest of everything they depend on (fingerprint.py). The next process
loads it in milliseconds, and an edit anywhere recompiles exactly what it touches. ready.py compiles units ahead of
time, in other processes. Numba is loaded when the first unit is.
"""

from __future__ import annotations

import gc
import hashlib
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

from boardwright.errors import BoardwrightError
from boardwright.kernel import cache_files
from boardwright.kernel.declare import UNCOMPILED
from boardwright.kernel.ready import AHEAD, announce

_FILE_FORMAT = 7  # of the cache's files
_KEPT_VERSIONS = 4  # of each unit, so that switching between branches stays quick

Code = Callable[[], "Unit"]
"""What code to make ready: a function that gives a unit, also in another process."""
F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F, signature: Any, label: str) -> F:
    """Machine code of `function` for `signature`: a unit of one entry point.

    `label` names it in messages and in the cache, as "wonders.invariants".
    """
    group, _, name = label.rpartition(".")
    return cast(F, Unit(group, {name: (function, signature)}, label=label).entry_points[name])


class Unit:
    """Entry points that are compiled together, by name: a function or a rule, and its signature.

    `group` names in messages what they belong to: a game, or the search. `label` names their file in the cache.
    """

    def __init__(self, group: str, functions: Mapping[str, tuple[Callable[..., Any], Any]], *, label: str = "") -> None:
        self.group = group
        self.label = label or f"{group}.{next(iter(functions))}"
        self._functions = {name: (getattr(of, "py_func", of), signature) for name, (of, signature) in functions.items()}

    def __repr__(self) -> str:
        return f"<unit {self.label}: {', '.join(self._functions)}>"

    @cached_property
    def entry_points(self) -> dict[str, Any]:
        """The compiled functions, loaded from disk, or compiled if something they depend on has changed."""
        if os.environ.get("BOARDWRIGHT_COMPILE") == AHEAD and not self.on_disk:
            raise BoardwrightError(f"{self.label} was not made ready, and BOARDWRIGHT_COMPILE={AHEAD} is set")
        return self._load_or_compile()

    def make(self, progress: Callable[[float], None] = lambda step: None) -> None:
        """Have it compiled and loaded. `progress` gets steps that add up to `size`."""
        if "entry_points" not in vars(self):
            self.entry_points = self._load_or_compile(progress)

    def _load_or_compile(self, progress: Callable[[float], None] = lambda step: None) -> dict[str, Any]:
        if UNCOMPILED:
            return {name: function for name, (function, _) in self._functions.items()}
        from boardwright.kernel import machine_code

        with machine_code.lock:  # threads may ask at the same time
            return self._from_disk() or self._compile(_Progress(self.size, progress))

    @property
    def on_disk(self) -> bool:
        """Whether it need not be compiled."""
        return UNCOMPILED or "entry_points" in vars(self) or bool(cache_files.read(self.file))

    @property
    def can_be_kept(self) -> bool:
        """Whether another process would find what this one compiles."""
        from boardwright.kernel import machine_code

        return cache_files.can_write() and not machine_code.is_plain()

    @cached_property
    def _walked(self) -> tuple[str, int]:
        from boardwright.kernel import machine_code
        from boardwright.kernel.fingerprint import fingerprint_and_size

        return fingerprint_and_size(
            *(function for function, _ in self._functions.values()),
            *(repr(signature) for _, signature in self._functions.values()),
            repr(machine_code.OPTIONS),
            repr(machine_code.SWITCHES),
        )

    @property
    def size(self) -> int:
        """How many functions there are to compile, those that are called included: a measure of the time it takes."""
        return self._walked[1]

    @cached_property
    def file(self) -> str:
        """Its name in the cache, which depends on everything that the code depends on."""
        if UNCOMPILED:
            return self._stem
        from boardwright.kernel import machine_code

        target = repr((_FILE_FORMAT, list(self._functions), machine_code.target_tag()))
        return f"{self._stem}-{self._walked[0]}-{hashlib.sha256(target.encode()).hexdigest()[:8]}.code"

    @property
    def _stem(self) -> str:
        tag = f"py{sys.version_info.major}{sys.version_info.minor}-{platform.machine()}"
        return re.sub(r"[^\w.-]", "_", f"{self.label}-{tag}")

    def _from_disk(self) -> dict[str, Any] | None:
        from boardwright.kernel import machine_code

        payload = b"" if machine_code.is_plain() else cache_files.read(self.file)
        return machine_code.load_entry_points(self.label, self._functions, payload) if payload else None

    def _compile(self, progress: _Progress) -> dict[str, Any]:
        from boardwright.kernel import machine_code

        announce(self.group)
        compilations.append(self.label)
        under_way.append(self.label)
        try:
            with progress, _no_garbage_collected():
                entry_points, payload = machine_code.compile_entry_points(
                    self.group, self.label, self._functions, self._walked[0], progress.linking
                )
        finally:
            under_way.remove(self.label)
        if payload:
            self._keep(payload)
        return entry_points

    def _keep(self, payload: bytes) -> None:
        if cache_files.write(self.file, payload):
            folder = cache_files.safe_folder()
            found = folder.glob(f"{self._stem}-*.code") if folder is not None else ()
            for old in sorted(found, key=_modified, reverse=True)[_KEPT_VERSIONS:]:
                old.unlink(missing_ok=True)


@contextmanager
def _no_garbage_collected() -> Iterator[None]:
    """Numba makes millions of objects, most of which stay until a unit is compiled: to look for garbage among them took
    7 % of the time."""
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()


class _Progress:
    """Adds up what was done of a unit, while rules are translated and then linked, and reports it in steps."""

    def __init__(self, size: int, report: Callable[[float], None]) -> None:
        self._size = size
        self._report = report
        self._done = 0.0

    def __enter__(self) -> None:
        from boardwright.kernel import machine_code

        machine_code.rule_callbacks.append(self._translated)

    def __exit__(self, *error: object) -> None:
        from boardwright.kernel import machine_code

        machine_code.rule_callbacks.remove(self._translated)
        self._reach(self._size)

    def _translated(self) -> None:
        self._reach(min(self._done + _TRANSLATING, _TRANSLATING * self._size))

    def linking(self, part: float) -> None:
        self._reach(self._size * (_TRANSLATING + (1 - _TRANSLATING) * part))

    def _reach(self, done: float) -> None:
        if done > self._done:
            self._report(done - self._done)
            self._done = done


_TRANSLATING = 0.7  # of the time; the rest is optimising, and making machine code
compilations: list[str] = []
"""The units that this process has compiled: what was made ready before is not among them."""
under_way: list[str] = []
"""The units that this process is compiling now."""


def address(entry_point: Any) -> int:
    """Where an entry point's machine code starts; see pointers.py."""
    from boardwright.kernel import machine_code

    return machine_code.address(entry_point)


def unchecked(entry_point: F) -> F:
    """The same, without looking up which version fits the types of the arguments, which takes 10 µs for a search's many
    arrays: for callers that made the arguments for it."""
    if UNCOMPILED:
        return entry_point
    from boardwright.kernel import machine_code

    return cast(F, machine_code.unchecked(entry_point))


def _modified(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return time.time()
