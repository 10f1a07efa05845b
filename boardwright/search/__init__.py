"""Search over the contract: no game is known here by name.

A search is a kernel (uct.py, ismcts.py, flat.py) over a table of rules, driven by budget.py and turned into
an agent in agents.py.
"""
