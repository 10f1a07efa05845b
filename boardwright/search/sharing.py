"""Trees that several threads share, and trees of one thread, from one source.

A tree is a named tuple of arrays; the class of a shared one is `Shared`, too. In a kernel, `is_shared(tree)` is known
when the kernel is compiled for that class, so the code of the other case is not there at all: a search on one thread
pays nothing for locks and atomic counters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from boardwright.kernel import rule
from boardwright.kernel.atomics import prepare_to_add
from boardwright.kernel.declare import instruction_for
from boardwright.kernel.padding import LINE


class Shared:
    """Mixed into the class of trees that several threads search."""

    __slots__ = ()


def _is_shared_plain(tree: Any) -> bool:
    return isinstance(tree, Shared)


def counters(tree: type, nodes: int, kinds: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays for what is counted at every node, by name and type. In a shared tree those of a node lie side by side:
    when a thread has changed them, another fetches one line of memory and not one for each."""
    if not issubclass(tree, Shared):
        return {name: np.empty(nodes, kind) for name, kind in kinds.items()}
    kind = np.dtype(list(kinds.items()), align=True)
    memory = np.zeros(nodes * kind.itemsize + LINE, np.uint8)
    begin = -memory.ctypes.data % LINE
    block = memory[begin : begin + nodes * kind.itemsize].view(kind)
    return {name: block[name] for name in kinds}


is_shared = instruction_for(_is_shared_plain, "is_instance", Shared)


@rule
def with_virtual_losses(tree: Any, child: int, settings: Any) -> Any:
    """The visits of a child and the sum of its returns, counting a virtual loss for every thread that is below it."""
    visits, total = float(tree.visits[child]), tree.total[child]
    if is_shared(tree) and settings.virtual_loss > 0.0:
        losses = settings.virtual_loss * tree.pending[child]
        visits += losses
        total += losses * settings.loss
    return visits, total


@rule
def prepare_path(tree: Any, workspace: Any, length: int) -> None:
    """Fetch the counters of all nodes on the path at once, instead of one after the other when they are added to."""
    for place in range(length):
        prepare_to_add(tree.visits, workspace.path[place])
