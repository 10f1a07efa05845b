"""Search over the contract: no game is known here by name.

A search is a kernel (uct.py, ismcts.py, flat.py, maxn.py) over a table of rules, driven by budget.py and turned into
an agent in agents.py.
"""

from boardwright.search import flat, ismcts, maxn, uct

KERNELS = {"uct": uct.kernel, "ismcts": ismcts.kernel, "flat": flat.kernel, "maxn": maxn.kernel}
"""Calling one compiles it, or loads it from disk."""
