"""Compiling rules and search kernels, once per machine.

`rule` marks a function of the rules: it is compiled into whatever calls it. `compiled` makes an entry point:
machine code for one signature, kept on disk under a digest of everything it depends on (fingerprint.py), so
that the next process loads it in milliseconds and an edit anywhere recompiles exactly what it touches.

With NUMBA_DISABLE_JIT=1 both leave functions as they are, for a debugger.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core import config
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher as CPUDispatcher
from numba.core.errors import NumbaError
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from boardwright.errors import BadGame
from boardwright.files import atomic_write
from boardwright.kernel.compile_errors import compile_error_text
from boardwright.kernel.fingerprint import fingerprint
from boardwright.kernel.interrupts import interrupts_wait
from boardwright.kernel.records import PlainRecord

UNCOMPILED: bool = bool(config.DISABLE_JIT)
"""Whether rules run as plain Python in this process."""

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_SWITCHES = (config.BOUNDSCHECK, str(config.OPT), config.DEBUGINFO_DEFAULT)
"""Settings from the environment that change what Numba makes of the same source."""
_KEPT_VERSIONS = 4  # of each entry point, so that switching between branches stays quick

F = TypeVar("F", bound=Callable[..., Any])


class _Rule(CPUDispatcher):
    """A rule called from Python with a PlainRecord or plain numbers runs as Python: words about a position can use
    the rules without waiting for a compiler."""

    def __call__(self, *arguments: Any) -> Any:
        if arguments and isinstance(arguments[0], (PlainRecord, int, np.integer)):
            return self.py_func(*arguments)
        return super().__call__(*arguments)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Integers are passed 64 bits wide, so that a rule is compiled once, not once for every width of field
        and every constant it is called with."""
        return super().get_call_template(tuple(map(_widened, args)), {k: _widened(t) for k, t in kws.items()})


def _widened(kind: Any) -> Any:
    if isinstance(kind, types.Literal) and isinstance(kind.literal_type, types.Integer):
        return types.int64
    return types.int64 if isinstance(kind, types.Integer) and kind.bitwidth < 64 else kind


def rule(function: F) -> F:
    """Mark a function of the rules: compiled, without the GIL, into everything that calls it."""
    return _rule(function, {})


def sums_in_any_order(function: F) -> F:
    """A rule whose sums of floats may be added up in any order, several terms at a time. Faster, and the last
    digit of a result then depends on the machine: for networks, not for rules of a game."""
    return _rule(function, {"fastmath": {"reassoc", "contract"}})


def _rule(function: F, more: dict[str, Any]) -> F:
    if UNCOMPILED:
        return function
    if function.__closure__:
        _name_apart(function, function.__qualname__, fingerprint(function))
    dispatcher = numba.njit(**_OPTIONS, **more)(function)
    dispatcher.__class__ = _Rule
    return cast(F, dispatcher)


def compiled(function: F, signature: Any, label: str) -> F:
    """Machine code of `function` for `signature`, from the disk if nothing it depends on has changed.

    `label` names the entry point in messages and in the cache, as "connect_four.apply".
    """
    if UNCOMPILED:
        return function
    digest = fingerprint(function, repr(_OPTIONS), repr(_SWITCHES))
    _name_apart(function, label, digest)
    dispatcher = numba.njit(**_OPTIONS)(function)
    dispatcher._cache = _DiskCache(label, digest)
    try:
        with interrupts_wait():  # LLVM calls back to keep what it has compiled
            dispatcher.compile(signature)
    except (NumbaError, KeyError, AttributeError, NotImplementedError, TypeError) as error:
        raise BadGame(f"{label} cannot be compiled: {compile_error_text(error)}") from error
    dispatcher.disable_compile()
    return cast(F, dispatcher)


def _name_apart(function: Callable[..., Any], name: str, digest: str) -> None:
    """Machine code loaded from disk is linked by name: two closures from the same line need two names, or one
    game would run another's code."""
    function.__qualname__ = f"{name}_{digest}"


def address(dispatcher: Any) -> int:
    """Where an entry point's machine code starts; see pointers.py."""
    (result,) = dispatcher.overloads.values()
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def cache_folder() -> Path:
    """BOARDWRIGHT_CACHE, or the user's cache folder."""
    chosen = os.environ.get("BOARDWRIGHT_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "boardwright"


class _DiskCache(_Cache):  # type: ignore[misc]
    """Numba's cache interface over one checked file per entry point and fingerprint."""

    def __init__(self, label: str, digest: str) -> None:
        self.label = label
        self.digest = digest
        self.enabled = True

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def enable(self) -> None:
        self.enabled = True

    def disable(self) -> None:
        self.enabled = False

    def flush(self) -> None:
        for file in cache_folder().glob(f"{self._stem}-*.code"):
            file.unlink(missing_ok=True)

    @property
    def _stem(self) -> str:
        tag = f"py{sys.version_info.major}{sys.version_info.minor}-{platform.machine()}"
        return re.sub(r"[^\w.-]", "_", f"{self.label}-{tag}")

    def _file(self, signature: Any, codegen: Any) -> Path:
        target = hashlib.sha256(repr((signature, codegen.magic_tuple())).encode()).hexdigest()[:8]
        return cache_folder() / f"{self._stem}-{self.digest}-{target}.code"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        if not self.enabled:
            return None
        try:
            stored = self._file(signature, target_context.codegen()).read_bytes()
        except OSError:
            stored = b""
        check, payload = stored[:32], stored[32:]
        if not payload or hashlib.sha256(payload).digest() != check:
            _announce(self.label)
            target_context.refresh()
            return None
        rtsys.initialize(target_context)  # all that loading needs of refresh(), which imports for 0.3 s
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(payload))
        except Exception:  # written by another version of something it names: compile again
            _announce(self.label)
            target_context.refresh()
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        if not self.enabled:
            return
        payload = dumps(result._reduce())
        file = self._file(signature, result.codegen)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(file) as temporary:
                temporary.write_bytes(hashlib.sha256(payload).digest() + payload)
        except OSError as error:
            _warn_unwritable(error)
            return
        versions = sorted(file.parent.glob(f"{self._stem}-*.code"), key=_modified, reverse=True)
        for old in versions[_KEPT_VERSIONS:]:
            old.unlink(missing_ok=True)


def _modified(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return time.time()


_announced: set[str] = set()


def _announce(label: str) -> None:
    """One line, once per process and game, so that nobody wonders why the first start takes seconds."""
    group = label.partition(".")[0]
    if group not in _announced:
        _announced.add(group)
        print(
            f"boardwright: compiling {group} for this machine; later starts load it from disk",
            file=sys.stderr,
            flush=True,
        )


def _warn_unwritable(error: OSError) -> None:
    if "unwritable" not in _announced:
        _announced.add("unwritable")
        print(
            f"boardwright: compiled code cannot be kept in {cache_folder()} ({error.strerror});"
            " every start will compile again. Set BOARDWRIGHT_CACHE to a writable folder.",
            file=sys.stderr,
        )
