"""Linking what Numba has compiled: one module, one optimisation, one object file for many functions.

Numba optimises and finalises every function on its own, with everything that it calls linked in: a helper three calls
deep is optimised four times and turned into machine code four times, though only the outermost caller is ever run.
Here a function's LLVM module is kept as it was lowered (`DeferredLibrary`). `link` puts the modules of several entry
points and of all that they call together, each once, and optimises the whole.

Numba counts references to every array that a function touches. Code that allocates nothing owns nothing: what it works
on belongs to whoever called it. `link` leaves its counting out, which makes a search kernel three times as fast.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary, ll
from numba.core.compiler import lookup_environment
from numba.core.compiler_lock import global_compiler_lock

_EXCEPTION_HELPER = "__excinfo_unwrap_args"  # how Numba names what makes an exception of run-time values
_ENVIRONMENT = "_ZN08NumbaEnv"  # how Numba names the variables that hold a function's Python objects
_FROM_PYTHON = "_ZN7cpython"  # how Numba names what unpacks the arguments of a call from Python, and owns them
_FROM_C = "@cfunc."  # how Numba names what C would call; its own `max` and `int` come with one that nobody calls
_COUNTING = re.compile(r"\s*(tail )?call void @NRT_(incref|decref)\(")
_OWNING = re.compile(r"call .*@NRT_(?!incref|decref)")


@contextmanager
def deferred_linking(codegen: Any) -> Iterator[None]:
    """What is compiled in this block, Numba's own helpers included, is not finalised until it is needed."""
    with global_compiler_lock:
        usual = codegen._library_class
        codegen._library_class = DeferredLibrary
        try:
            yield
        finally:
            codegen._library_class = usual


class DeferredLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A compiled function's own module, not optimised, and the libraries of what it calls.

    Others may use it as any library of Numba: it is finalised when somebody wants its code from outside.
    """

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._linked: JITCodeLibrary | None = None

    @property
    def codegen(self) -> Any:
        return self._codegen if self._linked is not None else _WithoutEnvironments(self._codegen)

    def add_llvm_module(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        self._final_module.link_in(module)

    def finalize(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        if not _defines(self._final_module, name):
            return 0
        return int(self._whole().get_pointer_to_function(name))

    def _get_module_for_linking(self) -> Any:
        return self._whole()._get_module_for_linking()

    def _whole(self) -> JITCodeLibrary:
        if self._linked is None:
            defined = [function.name for function in self._final_module.functions if not function.is_declaration]
            self._linked = link(self._codegen, self.name, [self], defined)
        return self._linked


class _WithoutEnvironments:
    """A codegen for functions that are in no executable module yet, so that their environments cannot be set."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """`link` sets them."""


def link(
    codegen: Any,
    name: str,
    libraries: Sequence[DeferredLibrary],
    exported: Collection[str],
    progress: Callable[[float], None] = lambda done: None,
    *,
    borrows: bool = False,
) -> JITCodeLibrary:
    """One library of these and all that they use, optimised as a whole; only what is exported can be called.

    `progress` is told what part of the work is done. `borrows`: no array is returned to the caller, so that references
    need not be counted unless something is allocated.
    """
    library = JITCodeLibrary(codegen, name)
    library.enable_object_caching()
    module = library._final_module
    for used in _closure(libraries):
        library._reload_init.update(used._reload_init)
        if isinstance(used, DeferredLibrary):
            module.link_in(_copy_to_link(used._final_module))
        else:  # LLVM takes of these what is called by then
            module.link_in(used._get_module_for_linking(), preserve=True)
    for function in module.functions:
        if not function.is_declaration and function.name not in exported:
            function.linkage = ll.Linkage.internal
    if borrows:
        module = library._final_module = _without_counting(module)
    progress(0.1)
    library._optimize_final_module()
    progress(0.7)
    module.verify()
    library._finalize_final_module()
    for environment in environments(library):
        codegen.set_env(environment.env_name, environment)
    return library


def load(codegen: Any, name: str, object_code: bytes, exported: Collection[str]) -> JITCodeLibrary:
    """The library whose object code was kept."""
    library = JITCodeLibrary(codegen, name)
    library.enable_object_caching()
    library._set_compiled_object(object_code)
    library._finalize_final_module()
    codegen._engine._defined_symbols.update(exported)
    return library


def environments(library: JITCodeLibrary) -> list[Any]:
    """Of all functions in a library that was just linked."""
    names = [variable.name for variable in library._final_module.global_variables]
    found = (lookup_environment(name) for name in names if name.startswith(_ENVIRONMENT))
    return [environment for environment in found if environment is not None]


def _without_counting(module: Any) -> Any:
    """The module without calls that count references; as it is if something in it allocates."""
    lines, counts = [], False
    for line in str(module).splitlines():
        if line.startswith("define"):
            counts = _FROM_PYTHON in line or _FROM_C in line or "@NRT_" in line
        elif not counts and _OWNING.search(line):
            return module
        elif not counts and _COUNTING.match(line):
            continue
        lines.append(line)
    found = ll.parse_assembly("\n".join(lines))
    found.name = module.name
    return found


def _copy_to_link(module: Any) -> Any:
    """A copy whose helpers of exceptions are its own: every module that raises one with arguments defines them."""
    copy = module.clone()
    for function in copy.functions:
        if not function.is_declaration and function.name.startswith(_EXCEPTION_HELPER):
            function.linkage = ll.Linkage.internal
    return copy


def _closure(libraries: Sequence[DeferredLibrary]) -> list[Any]:
    """These libraries and all that they use, each once, deferred ones first."""
    found: dict[int, Any] = {}
    waiting: list[Any] = list(libraries)
    while waiting:
        library = waiting.pop()
        if id(library) not in found:
            found[id(library)] = library
            if isinstance(library, DeferredLibrary):
                waiting += library._linking_libraries
    return sorted(found.values(), key=lambda library: not isinstance(library, DeferredLibrary))


def _defines(module: Any, name: str) -> bool:
    try:
        return not module.get_function(name).is_declaration
    except NameError:
        return False
