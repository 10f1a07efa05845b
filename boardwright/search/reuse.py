"""Tree reuse: the next decision goes on with the part of the last tree that the game has reached."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from boardwright.kernel import Game
from boardwright.search.uct_tree import LEAF, Tree

MOST_POSITIONS = 2000
"""That are looked at to find the new position: more than a few decisions of others take."""


class KeptTree:
    """The tree of the last decision, with the position at its root."""

    def __init__(self) -> None:
        self._tree: Tree | None = None
        self._position: Any = None

    def keep(self, tree: Tree, position: Any) -> None:
        self._tree, self._position = tree, position.copy()

    def reaching(self, position: Any, game: Game, room: int) -> Tree | None:
        """The tree, with its start at that position; None if the position was not visited, or so much room is not left
        for new nodes."""
        tree = self._tree
        if tree is None or tree.first.size - int(tree.used[0]) < room:
            return None
        node = self._node_at(tree, position, game)
        if node is None:
            return None
        tree.start[0] = node
        self._position = position.copy()
        return tree

    def _node_at(self, tree: Tree, position: Any, game: Game) -> int | None:
        """Breadth first, from the last root down."""
        waiting = deque([(int(tree.start[0]), self._position)])
        for _ in range(MOST_POSITIONS):
            if not waiting:
                return None
            node, here = waiting.popleft()
            if np.array_equal(here, position):
                return node
            first = int(tree.first[node])
            for child in range(first, first + int(tree.children[node])) if first != LEAF else ():
                if tree.visits[child]:
                    below = here.copy()
                    game.entries.apply(below, int(tree.action[child]))
                    waiting.append((child, below))
        return None
