"""The games: one file or folder each, knowing nothing but the kernel.

Called as a function, `boardwright.games()`, it lists them.
"""

from boardwright.registry import games, make_callable

make_callable(__name__, games)
