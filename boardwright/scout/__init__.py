"""SCOUT: case-based reasoning for Race for the Galaxy with two players, and a server for other engines.

It stands above the arena and knows the game. Read on in problems/ (what is asked), cases/ (what is remembered),
reasoners/ (how a problem is answered), scout2.py (the agent) and run.py (learning over many games).
"""

__all__: list[str] = []
