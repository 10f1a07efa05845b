"""Machine code by Numba. How it compiles hangs on its private parts, which are used here and checked after each step.

Numba optimises and finalises every function on its own, with everything that it calls linked in: a helper three calls
deep is optimised four times and turned into machine code four times, though only the outermost caller is ever run.
Here a function's LLVM module is kept as it was lowered (`DeferredLibrary`). `link` puts the modules of several entry
points and of all that they call together, each once, and optimises the whole.

`link` also leaves out the counting of references in functions that own nothing (references.py).

Where Numba's parts are not what this expects, functions are compiled by plain `numba.njit`: slower to compile, never
kept on disk, a little slower to run, and the same games. BOARDWRIGHT_COMPILE=plain asks for that; tests compare both.
"""

from __future__ import annotations

import functools
import os
import pickle
import sys
import types as python_types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numba
from numba import types
from numba.core import config
from numba.core.codegen import JITCodeLibrary, ll
from numba.core.compiler import Flags, compile_extra, compile_result, lookup_environment
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.runtime.context import NRTContext
from numba.core.serialize import dumps
from numba.extending import intrinsic

from boardwright.errors import BadGame
from boardwright.kernel import instructions
from boardwright.kernel.compile_errors import compile_error_text
from boardwright.kernel.declare import Instruction, Rule, resolved
from boardwright.kernel.fingerprint import fingerprint
from boardwright.kernel.interrupts import interrupts_wait
from boardwright.kernel.references import without_counting

PLAIN = "plain"
"""With BOARDWRIGHT_COMPILE=plain everything is compiled by `numba.njit` alone."""
TRIED = ("0.65", "0.67", "0.68")
"""Versions of Numba that all of this was tried with."""
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_NO_WRAPPERS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Rules are called by compiled code only: making them callable from Python and C took a fifth of the time."""
SWITCHES = (config.BOUNDSCHECK, str(config.OPT), config.DEBUGINFO_DEFAULT)
"""Settings from the environment that change what Numba makes of the same source."""
_SCALARS = (types.Number, types.Boolean, types.NoneType)
"""What functions return that hand no array to their caller."""
_EXCEPTION_HELPER = "__excinfo_unwrap_args"  # how Numba names what makes an exception of run-time values
_ENVIRONMENT = "_ZN08NumbaEnv"  # how Numba names the variables that hold a function's Python objects

Functions = Mapping[str, tuple[Callable[..., Any], Any]]
lock = global_compiler_lock


class PrivatePartsDiffer(Exception):
    """Numba does not work inside as this module expects."""


def _expect(true: object, what: str) -> None:
    if not true:
        raise PrivatePartsDiffer(what)


# Rules and instructions, as Numba sees them


class RuleDispatcher(Dispatcher):
    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Integers are passed 64 bits wide, so that a rule is compiled once, not once for every width of field
        and every constant it is called with."""
        return super().get_call_template(tuple(map(_widened, args)), {k: _widened(t) for k, t in kws.items()})

    def add_overload(self, result: Any) -> None:
        super().add_overload(result)
        for callback in rule_callbacks:
            callback()


rule_callbacks: list[Callable[[], None]] = []
"""Called whenever a rule has been translated: for progress bars."""


def _widened(kind: Any) -> Any:
    if isinstance(kind, types.Literal) and isinstance(kind.literal_type, types.Integer):
        return types.int64
    return types.int64 if isinstance(kind, types.Integer) and kind.bitwidth < 64 else kind


def type_of_rule(rule: Rule) -> Any:
    function = rule.py_func
    if getattr(function, "__closure__", None):
        function = _named(function, function.__qualname__, fingerprint(function))
    dispatcher = numba.njit(**OPTIONS, **(_NO_WRAPPERS | rule.options))(function)
    dispatcher.__class__ = RuleDispatcher
    rule.made = dispatcher
    return types.Dispatcher(dispatcher)


def type_of_instruction(instruction: Instruction) -> Any:
    define = getattr(instructions, instruction.name)
    made = intrinsic(define(*instruction.parameters) if instruction.parameters else define)
    instruction.made = made
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(made)


@functools.cache
def called_from_python(function: Callable[..., Any]) -> Any:
    """Rules have no way in from Python of their own."""
    return numba.njit(**OPTIONS)(function)


def _named(function: Any, name: str, digest: str) -> Any:
    """A copy with a name of its own. Machine code loaded from disk is linked by name: two closures from the same line
    need two names, or one game would run another's code."""
    copy = python_types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__module__, copy.__doc__, copy.__qualname__ = function.__module__, function.__doc__, f"{name}_{digest}"
    return copy


# Entry points


def is_plain() -> bool:
    return os.environ.get("BOARDWRIGHT_COMPILE") == PLAIN or bool(_differences)


_differences: list[str] = []


def target_tag() -> Any:
    """What machine the code is for."""
    return _target().codegen().magic_tuple()


def compile_entry_points(
    group: str, label: str, functions: Functions, digest: str, progress: Callable[[float], None]
) -> tuple[dict[str, Any], bytes]:
    """The entry points by name, and what `load` makes them of; empty if that cannot be."""
    if not is_plain():
        try:
            return _compile_linked(group, label, functions, digest, progress)
        except (PrivatePartsDiffer, BadGame) as error:
            if isinstance(error, BadGame) and numba.__version__.startswith(TRIED):
                raise
            made = _compile_plain(group, functions, digest)  # which fails if it is the game's fault
            _differences.append(str(error))
            print(
                f"boardwright: Numba {numba.__version__} differs inside ({error}): compiling takes longer, and nothing"
                f" is kept on disk; versions that were tried: {', '.join(TRIED)}",
                file=sys.stderr,
            )
            return made, b""
    return _compile_plain(group, functions, digest), b""


def _compile_plain(group: str, functions: Functions, digest: str) -> dict[str, Any]:
    made = {}
    for name, (function, signature) in functions.items():
        with _errors_of(f"{group}.{name}"):
            named = _named(function, f"{group}.{name}", digest)
            made[name] = numba.njit(resolved(signature), **OPTIONS)(named)
    return made


def _compile_linked(
    group: str, label: str, functions: Functions, digest: str, progress: Callable[[float], None]
) -> tuple[dict[str, Any], bytes]:
    """Translate the functions, and those they call, and link them."""
    target = _target()
    with interrupts_wait():
        target.refresh()
    results = {}
    with deferred_linking(target.codegen()):
        for name, (function, signature) in functions.items():
            named = _named(function, f"{group}.{name}", digest)
            results[name] = lowered(named, signature, f"{group}.{name}", {"no_cfunc_wrapper": True})
        kept = {name: (result.fndesc, result.environment, result.signature) for name, result in results.items()}
        with interrupts_wait():  # LLVM calls back to keep what it has compiled
            library = link(
                target.codegen(),
                label,
                [result.library for result in results.values()],
                _exported(kept.values()),
                progress,
                borrows=all(isinstance(result.signature.return_type, _SCALARS) for result in results.values()),
            )
    _expect_addresses(library, kept.values())
    for descriptor, _, _ in kept.values():
        descriptor.typemap = descriptor.calltypes = None  # cannot be pickled, and are not needed any more
    payload = b""
    if not library.has_dynamic_globals:
        payload = dumps((library._get_compiled_object(), library._reload_init, environments(library), kept))
    return _dispatchers(functions, library, kept), payload


def load_entry_points(label: str, functions: Functions, payload: bytes) -> dict[str, Any] | None:
    """Those that `compile_entry_points` has made; None if they were made by another version of something they name."""
    target = _target()
    try:
        with interrupts_wait():  # LLVM calls back
            rtsys.initialize(target)  # all that loading needs of refresh(), which imports for 0.3 s
            object_code, reload_init, all_environments, kept = pickle.loads(payload)
            for initialize in reload_init:
                initialize()
            library = load(target.codegen(), label, object_code, _exported(kept.values()))
        _expect_addresses(library, kept.values())
    except Exception:
        return None
    for environment in all_environments:
        target.codegen().set_env(environment.env_name, environment)
    return _dispatchers(functions, library, kept)


def _dispatchers(functions: Functions, library: Any, kept: Mapping[str, tuple[Any, Any, Any]]) -> dict[str, Any]:
    """What Python calls."""
    target, made = _target(), {}
    for name, (descriptor, environment, signature) in ((name, kept[name]) for name in functions):
        made[name] = dispatcher = numba.njit(**OPTIONS)(functions[name][0])
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
        _expect(list(dispatcher.overloads) == [signature.args], "a dispatcher does not take what was compiled")
    return made


def lowered(function: Callable[..., Any], signature: Any, label: str, wrappers: Mapping[str, Any]) -> Any:
    """A function typed and translated to LLVM's language, within `deferred_linking`."""
    signature = resolved(signature)
    flags = Flags()
    cpu_target.options.parse_as_flags(flags, {"nopython": True, **OPTIONS, **wrappers})
    flags.no_compile = True
    with _errors_of(label):
        result = compile_extra(
            cpu_target.typing_context, _target(), function, signature.args, signature.return_type, flags, {}
        )
    _expect(isinstance(result.library, DeferredLibrary), "libraries are not made by the class that was set")
    return result


@contextmanager
def _errors_of(label: str) -> Iterator[None]:
    try:
        yield
    except (NumbaError, KeyError, AttributeError, NotImplementedError, TypeError) as error:
        raise BadGame(f"{label} cannot be compiled: {compile_error_text(error)}") from error


def _expect_addresses(library: Any, kept: Iterable[tuple[Any, Any, Any]]) -> None:
    for name in _exported(kept):
        _expect(library.get_pointer_to_function(name), f"{name} is not in the linked code")


def _target() -> Any:
    return cpu_target.target_context


def _exported(kept: Iterable[tuple[Any, Any, Any]]) -> set[str]:
    """The symbols of entry points: for compiled callers, and for Python."""
    return {name for fn, _, _ in kept for name in (fn.llvm_func_name, fn.llvm_cpython_wrapper_name)}


def address(entry_point: Any) -> int:
    """Where an entry point's machine code starts; see pointers.py."""
    (result,) = entry_point.overloads.values()
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def unchecked(entry_point: Any) -> Any:
    (result,) = entry_point.overloads.values()
    return result.entry_point


# Linking


@contextmanager
def deferred_linking(codegen: Any) -> Iterator[None]:
    """What is compiled in this block, Numba's own helpers included, is not finalised until it is needed."""
    _expect(hasattr(NRTContext, "get_meminfos"), "references are found by another method")
    with global_compiler_lock:
        usual, all_parts = codegen._library_class, NRTContext.get_meminfos
        codegen._library_class, NRTContext.get_meminfos = DeferredLibrary, _references_in
        try:
            yield
        finally:
            codegen._library_class, NRTContext.get_meminfos = usual, all_parts


def _references_in(context: Any, builder: Any, kind: Any, value: Any) -> list[tuple[Any, Any]]:
    """The references that are counted with a value. Numba takes all parts of it out to look for them, also numbers, and
    kernels hand on tuples of dozens: a fifth of what it wrote was that."""
    model = context._context.data_model_manager[kind]
    found = [(kind, model.get_nrt_meminfo(builder, value))] if model.has_nrt_meminfo() else []
    for part, taken_out in model.traverse(builder):
        if _has_references(context, builder, part):
            found += _references_in(context, builder, part, taken_out(value))
    return found


def _has_references(context: Any, builder: Any, kind: Any) -> bool:
    model = context._context.data_model_manager[kind]
    return model.has_nrt_meminfo() or any(
        _has_references(context, builder, part) for part, _ in model.traverse(builder)
    )


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

    `progress` is called with the part of the work that is done. `borrows`: no array is returned to the caller, so that
    references are counted only by functions that own something.
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
    known = (lookup_environment(name) for name in names if name.startswith(_ENVIRONMENT))
    return [environment for environment in known if environment is not None]


def _without_counting(module: Any) -> Any:
    """The module without calls that count references where nothing is owned."""
    uncounted = ll.parse_assembly(without_counting(str(module)))
    uncounted.name = module.name
    return uncounted


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
