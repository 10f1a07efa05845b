"""Search over the contract: no game is known here by name.

A search is a kernel (uct.py, ismcts.py, flat.py, maxn.py) over a table of rules, driven by budget.py. What tree
searches can do beyond the plain algorithm is in toolbox.py, and each tool in a file of its own.
"""

from boardwright.kernel import Code
from boardwright.search import flat, ismcts, maxn, uct

__all__ = ["CODE"]

CODE: dict[str, Code] = {
    "uct": uct.kernel_code(),
    "uct with tools": uct.kernel_code(tools=True),
    "ismcts": ismcts.kernel_code(),
    "ismcts with tools": ismcts.kernel_code(tools=True),
    "flat": flat.code,
    "maxn": maxn.code,
}
"""Each gives the unit of a search's kernel."""
