"""What an agent says that actions are worth, from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence

from boardwright.agents import Reason
from boardwright.kernel import Game

TRUSTED_SHARE = 0.1
"""Values of actions with fewer visits than this share of the most are not trusted."""


def values(reasons: Sequence[Reason], game: Game, trusted_share: float = TRUSTED_SHARE) -> dict[int, float]:
    """The returns that it expects of actions, scaled, as far as it knows enough of them."""
    low, high = game.min_utility, game.max_utility
    valued = {
        reason.action: (reason.value - low) / (high - low)
        for reason in reasons
        if reason.value is not None and reason.visits != 0
    }
    most = max((reason.visits or 0 for reason in reasons), default=0)
    trusted = {reason.action for reason in reasons if reason.visits is None or reason.visits >= trusted_share * most}
    return {action: value for action, value in valued.items() if action in trusted} or valued


def worth(reasons: Sequence[Reason], game: Game) -> dict[int, float]:
    """The values of actions; where an agent has none, its probabilities."""
    return values(reasons, game) or {reason.action: reason.weight for reason in reasons if reason.weight is not None}
