"""Search over the contract: no game is known here by name.

A search is a kernel (uct.py, ismcts.py, flat.py) over a table of rules, driven by budget.py and turned into
an agent in agents.py.
"""

from boardwright.search import flat, ismcts, uct

KERNELS = {"uct": uct.kernel, "ismcts": ismcts.kernel, "flat": flat.kernel}
"""Calling one compiles it, or loads it from disk."""
