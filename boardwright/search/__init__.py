"""Search over the contract: no game is known here by name.

A search is a kernel (uct.py, ismcts.py, flat.py, maxn.py) over a table of rules, driven by budget.py and turned into
an agent in agents.py.
"""

from boardwright.search import flat, ismcts, maxn, uct

CODE = {"uct": uct.code, "ismcts": ismcts.code, "flat": flat.code, "maxn": maxn.code}
"""Each gives the unit of a search's kernel."""
