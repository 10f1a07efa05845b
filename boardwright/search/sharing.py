"""Trees that several threads share, and trees of one thread, from one source.

A tree is a named tuple of arrays; the class of a shared one is `Shared`, too. In a kernel, `is_shared(tree)` is known
when the kernel is compiled for that class, so the code of the other case is not there at all: a search on one thread
pays nothing for locks and atomic counters.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

from boardwright.kernel import UNCOMPILED


class Shared:
    """Mixed into the class of trees that several threads search."""

    __slots__ = ()


def _is_shared_plain(tree: Any) -> bool:
    return isinstance(tree, Shared)


@intrinsic  # type: ignore[untyped-decorator]
def _is_shared(typing_context: Any, tree: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return context.get_constant(types.boolean, issubclass(tree.instance_class, Shared))

    return types.boolean(tree), generate


is_shared = _is_shared_plain if UNCOMPILED else _is_shared
