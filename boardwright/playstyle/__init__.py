"""Play style: how an agent plays, apart from how well.

profile.py     what an agent does in its games, counted game by game; profiles with intervals
distance.py    how far two styles are apart, tested by permutation; recognising an agent from a few games
tilted.py      an agent that prefers some actions, and gives away no more than it may
report.py      profiles side by side as tables, data and plots
"""

from boardwright.playstyle.distance import StyleDistance, distances, recognition
from boardwright.playstyle.profile import StyleGames, StyleProfile, profiles

__all__ = ["StyleDistance", "StyleGames", "StyleProfile", "distances", "profiles", "recognition"]
