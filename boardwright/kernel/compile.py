"""Compiling rules and search kernels, once per machine.

`rule` marks a function of the rules: it is compiled into whatever calls it. A `Unit` is a set of entry points:
functions with fixed signatures, compiled together with all that they call (linking.py) and kept as one file under a
digest of everything they depend on (fingerprint.py). The next process loads it in milliseconds, and an edit anywhere
recompiles exactly what it touches. ready.py compiles units ahead of time, in other processes.

With NUMBA_DISABLE_JIT=1 functions are left as they are, for a debugger.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import platform
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core import config
from numba.core.compiler import Flags, compile_extra, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher as CPUDispatcher
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from boardwright.errors import BadGame, BoardwrightError
from boardwright.kernel import cache_files, linking
from boardwright.kernel.compile_errors import compile_error_text
from boardwright.kernel.fingerprint import fingerprint, fingerprint_and_size
from boardwright.kernel.interrupts import interrupts_wait
from boardwright.kernel.linking import deferred_linking
from boardwright.kernel.ready import AHEAD, announce
from boardwright.kernel.records import PlainRecord

UNCOMPILED: bool = bool(config.DISABLE_JIT)
"""Whether rules run as plain Python in this process."""

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_NO_WRAPPERS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Rules are called by compiled code only: making them callable from Python and C took a fifth of the time."""
_SWITCHES = (config.BOUNDSCHECK, str(config.OPT), config.DEBUGINFO_DEFAULT)
"""Settings from the environment that change what Numba makes of the same source."""
_FILE_FORMAT = 5  # of the cache's files
_SCALARS = (types.Number, types.Boolean, types.NoneType)
"""What functions return that hand no array to their caller."""
_KEPT_VERSIONS = 4  # of each unit, so that switching between branches stays quick

Code = Callable[[], "Unit"]
"""What code to make ready: a function that gives a unit, also in another process."""
F = TypeVar("F", bound=Callable[..., Any])


class _Rule(CPUDispatcher):
    """A rule called from Python with a PlainRecord or plain numbers runs as Python: words about a position can use
    the rules without waiting for a compiler. With arrays it is compiled for that call."""

    in_python: Callable[..., Any] | None = None
    """What runs then, if the rule itself cannot."""

    def __call__(self, *arguments: Any) -> Any:
        if arguments and isinstance(arguments[0], (PlainRecord, int, np.integer)):
            return (self.in_python or self.py_func)(*arguments)
        return _called_from_python(self.py_func)(*arguments)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Integers are passed 64 bits wide, so that a rule is compiled once, not once for every width of field
        and every constant it is called with."""
        return super().get_call_template(tuple(map(_widened, args)), {k: _widened(t) for k, t in kws.items()})

    def add_overload(self, result: Any) -> None:
        super().add_overload(result)
        for hear in _hear_rules:
            hear()


_hear_rules: list[Callable[[], None]] = []
"""Called whenever a rule has been translated: for progress bars."""


@functools.cache
def _called_from_python(function: Callable[..., Any]) -> Any:
    """Rules have no way in from Python of their own."""
    return numba.njit(**_OPTIONS)(function)


def _widened(kind: Any) -> Any:
    if isinstance(kind, types.Literal) and isinstance(kind.literal_type, types.Integer):
        return types.int64
    return types.int64 if isinstance(kind, types.Integer) and kind.bitwidth < 64 else kind


def rule(function: F) -> F:
    """Mark a function of the rules: compiled, without the GIL, into everything that calls it."""
    return _rule(function, {})


def rule_for(plain: F) -> Callable[[Callable[..., Any]], F]:
    """A rule that computes the same as `plain` by what only compiled code can do: a machine instruction."""

    def mark(function: Callable[..., Any]) -> F:
        if UNCOMPILED:
            return plain
        dispatcher: Any = rule(function)
        dispatcher.in_python = plain
        return cast(F, dispatcher)

    return mark


def sums_in_any_order(function: F) -> F:
    """A rule whose sums of floats may be added up in any order, several terms at a time. Faster, and the last
    digit of a result then depends on the machine: for networks, not for rules of a game."""
    return _rule(function, {"fastmath": {"reassoc", "contract"}})


def _rule(function: F, more: dict[str, Any]) -> F:
    if UNCOMPILED:
        return function
    if function.__closure__:
        _name_apart(function, function.__qualname__, fingerprint(function))
    dispatcher = numba.njit(**_OPTIONS, **_NO_WRAPPERS, **more)(function)
    dispatcher.__class__ = _Rule
    return cast(F, dispatcher)


def compiled(function: F, signature: Any, label: str) -> F:
    """Machine code of `function` for `signature`: a unit of one entry point.

    `label` names it in messages and in the cache, as "wonders.invariants".
    """
    group, _, name = label.rpartition(".")
    return cast(F, Unit(group, {name: (function, signature)}, label=label).entry_points[name])


class Unit:
    """Entry points that are compiled together, by name: a function and its signature each.

    `group` names in messages what they belong to: a game, or the search. `label` names their file in the cache.
    """

    def __init__(self, group: str, functions: Mapping[str, tuple[Callable[..., Any], Any]], *, label: str = "") -> None:
        self.group = group
        self.label = label or f"{group}.{next(iter(functions))}"
        self._functions = functions

    def __repr__(self) -> str:
        return f"<unit {self.label}: {', '.join(self._functions)}>"

    @cached_property
    def entry_points(self) -> dict[str, Any]:
        """The compiled functions, loaded from disk, or compiled if something they depend on has changed."""
        if os.environ.get("BOARDWRIGHT_COMPILE") == AHEAD and not self.on_disk:
            raise BoardwrightError(f"{self.label} was not made ready, and BOARDWRIGHT_COMPILE={AHEAD} is set")
        return self._load_or_compile()

    def make(self, progress: Callable[[float], None] = lambda step: None) -> None:
        """Have it compiled and loaded. `progress` is told in steps how much is done, which add up to `size`."""
        if "entry_points" not in vars(self):
            self.entry_points = self._load_or_compile(progress)

    def _load_or_compile(self, progress: Callable[[float], None] = lambda step: None) -> dict[str, Any]:
        if UNCOMPILED:
            return {name: function for name, (function, _) in self._functions.items()}
        with global_compiler_lock:  # threads may ask at the same time
            return self._from_disk() or self._compile(_Progress(self.size, progress))

    @property
    def on_disk(self) -> bool:
        """Whether it need not be compiled."""
        return UNCOMPILED or "entry_points" in vars(self) or bool(cache_files.read(self.file))

    @property
    def can_be_kept(self) -> bool:
        """Whether another process would find what this one compiles."""
        return cache_files.can_write()

    @cached_property
    def _walked(self) -> tuple[str, int]:
        return fingerprint_and_size(
            *(function for function, _ in self._functions.values()),
            *(repr(signature) for _, signature in self._functions.values()),
            repr(_OPTIONS),
            repr(_SWITCHES),
        )

    @property
    def size(self) -> int:
        """How many functions there are to compile, those that are called included: a measure of the time it takes."""
        return self._walked[1]

    @cached_property
    def file(self) -> str:
        """Its name in the cache, which tells everything that the code depends on."""
        target = repr((_FILE_FORMAT, list(self._functions), _target().codegen().magic_tuple()))
        return f"{self._stem}-{self._walked[0]}-{hashlib.sha256(target.encode()).hexdigest()[:8]}.code"

    @property
    def _stem(self) -> str:
        tag = f"py{sys.version_info.major}{sys.version_info.minor}-{platform.machine()}"
        return re.sub(r"[^\w.-]", "_", f"{self.label}-{tag}")

    def _from_disk(self) -> dict[str, Any] | None:
        payload = cache_files.read(self.file)
        if not payload:
            return None
        target = _target()
        try:
            with interrupts_wait():  # LLVM calls back
                rtsys.initialize(target)  # all that loading needs of refresh(), which imports for 0.3 s
                object_code, reload_init, environments, kept = pickle.loads(payload)
                for initialize in reload_init:
                    initialize()
                library = linking.load(target.codegen(), self.label, object_code, _exported(kept.values()))
        except Exception:  # written by another version of something it names: compile again
            return None
        for environment in environments:
            target.codegen().set_env(environment.env_name, environment)
        return {name: self._dispatcher(name, library, *kept[name]) for name in self._functions}

    def _compile(self, progress: _Progress) -> dict[str, Any]:
        """Translate the functions, and those they call, and link them."""
        announce(self.group)
        compilations.append(self.label)
        target = _target()
        with interrupts_wait():
            target.refresh()
        results = {}
        with deferred_linking(target.codegen()), progress:
            for name, (function, signature) in self._functions.items():
                _name_apart(function, f"{self.group}.{name}", self._walked[0])
                results[name] = _lowered(function, signature, f"{self.group}.{name}")
            kept = {name: (result.fndesc, result.environment, result.signature) for name, result in results.items()}
            with interrupts_wait():  # LLVM calls back to keep what it has compiled
                library = linking.link(
                    target.codegen(),
                    self.label,
                    [result.library for result in results.values()],
                    _exported(kept.values()),
                    progress.linking,
                    borrows=all(isinstance(result.signature.return_type, _SCALARS) for result in results.values()),
                )
        for descriptor, _, _ in kept.values():
            descriptor.typemap = descriptor.calltypes = None  # cannot be pickled, and are not needed any more
        if not library.has_dynamic_globals:
            self._keep(
                dumps((library._get_compiled_object(), library._reload_init, linking.environments(library), kept))
            )
        return {name: self._dispatcher(name, library, *kept[name]) for name in self._functions}

    def _keep(self, payload: bytes) -> None:
        if cache_files.write(self.file, payload):
            folder = cache_files.safe_folder()
            found = folder.glob(f"{self._stem}-*.code") if folder is not None else ()
            for old in sorted(found, key=_modified, reverse=True)[_KEPT_VERSIONS:]:
                old.unlink(missing_ok=True)

    def _dispatcher(self, name: str, library: Any, descriptor: Any, environment: Any, signature: Any) -> Any:
        """What Python calls."""
        target = _target()
        dispatcher = numba.njit(**_OPTIONS)(self._functions[name][0])
        dispatcher.add_overload(
            compile_result(
                typing_context=target.typing_context,
                target_context=target,
                entry_point=target.get_executable(library, descriptor, environment),
                signature=signature,
                objectmode=False,
                fndesc=descriptor,
                library=library,
                environment=environment,
            )
        )
        dispatcher.disable_compile()
        return dispatcher


class _Progress:
    """Adds up what was done of a unit, while rules are translated and then linked, and tells it in steps."""

    def __init__(self, size: int, tell: Callable[[float], None]) -> None:
        self._size = size
        self._tell = tell
        self._done = 0.0

    def __enter__(self) -> None:
        _hear_rules.append(self._translated)

    def __exit__(self, *error: object) -> None:
        _hear_rules.remove(self._translated)
        self._reach(self._size)

    def _translated(self) -> None:
        self._reach(min(self._done + _TRANSLATING, _TRANSLATING * self._size))

    def linking(self, part: float) -> None:
        self._reach(self._size * (_TRANSLATING + (1 - _TRANSLATING) * part))

    def _reach(self, done: float) -> None:
        if done > self._done:
            self._tell(done - self._done)
            self._done = done


_TRANSLATING = 0.7  # of the time; the rest is optimising, and making machine code
compilations: list[str] = []
"""The units that this process has compiled: what was made ready before is not among them."""


def _target() -> Any:
    return cpu_target.target_context


def _exported(kept: Iterable[tuple[Any, Any, Any]]) -> set[str]:
    """The symbols of entry points: for compiled callers, and for Python."""
    return {name for fn, _, _ in kept for name in (fn.llvm_func_name, fn.llvm_cpython_wrapper_name)}


def _lowered(function: Callable[..., Any], signature: Any, label: str) -> Any:
    """A function typed and translated to LLVM's language, with a way in from Python."""
    flags = Flags()
    cpu_target.options.parse_as_flags(flags, {"nopython": True, **_OPTIONS, "no_cfunc_wrapper": True})
    flags.no_compile = True
    try:
        return compile_extra(
            cpu_target.typing_context, _target(), function, signature.args, signature.return_type, flags, {}
        )
    except (NumbaError, KeyError, AttributeError, NotImplementedError, TypeError) as error:
        raise BadGame(f"{label} cannot be compiled: {compile_error_text(error)}") from error


def _name_apart(function: Callable[..., Any], name: str, digest: str) -> None:
    """Machine code loaded from disk is linked by name: two closures from the same line need two names, or one
    game would run another's code."""
    function.__qualname__ = f"{name}_{digest}"


def address(dispatcher: Any) -> int:
    """Where an entry point's machine code starts; see pointers.py."""
    (result,) = dispatcher.overloads.values()
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def unchecked(entry_point: F) -> F:
    """The same, without looking up which version fits the types of the arguments, which takes 10 µs for a search's many
    arrays: for callers that made the arguments for it."""
    if UNCOMPILED:
        return entry_point
    (result,) = cast(Any, entry_point).overloads.values()
    return cast(F, result.entry_point)


def _modified(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return time.time()
