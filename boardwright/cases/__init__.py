"""Cases for any game: situations of recorded games, what was done there, and how it ended.

    file.py      the case file: recorded games, and whose decisions are remembered; data, checked when it is read
    memory.py    the cases of a file as points in the space of a network's hidden layer
    voting.py    what the nearest situations say about the options at hand
    agent.py     the agent `cases`
    building.py  case files from matches, from records, from a game that somebody has just played
    shipped/     the case files of the package, as GAME-SEATS.cases

Retrieval is of `cbr/`, which knows no game; features and networks are of `learn/`. SCOUT, in `scout/`, is what knows
Race for the Galaxy besides.
"""

__all__: list[str] = []
