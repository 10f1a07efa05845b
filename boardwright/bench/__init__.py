"""Graded opponents: how strong is a newcomer, on a scale that stays?

references.py   the reference opponents of each game, and their ratings as data
tables.py       games at tables, in blocks that are played once and found again
calibration.py  the references' ratings, from games among themselves
rating.py       a newcomer's rating, from games against the references
"""

__all__: list[str] = []
