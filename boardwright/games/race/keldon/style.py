"""How games were played: scores, length and chosen actions, to be compared with the Keldon AI against itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from boardwright.games.race.state import ACTION, CHOOSE_ACTION, ROUND_ACTIONS, ROUNDS, TABLEAU_END
from boardwright.kernel import State

ORIGINAL = {
    "games": 2400,
    "score": 28.49,
    "winner's score": 31.98,
    "loser's score": 25.05,
    "rounds": 13.22,
    "ended by the pool": 84.8,
    "ended by a tableau": 20.3,
    "ended by round 30": 1.4,
}
"""The Keldon AI, version 0.9.4, against itself; the last three in percent of games."""
ORIGINAL_ACTIONS = {1: 2.6, 2: 7.4, 3: 10.7, 5: 28.1, 7: 16.8, 8: 15.4, 9: 18.9}
"""The share of each action, in percent."""


@dataclass
class Style:
    """Counts over games with two seats."""

    games: int = 0
    scores: list[float] = field(default_factory=list)
    better: list[float] = field(default_factory=list)
    worse: list[float] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    by_pool: int = 0
    by_tableau: int = 0
    by_rounds: int = 0
    actions: dict[int, Counter[int]] = field(default_factory=dict)
    """How often each action was chosen, by who chose."""

    def add(self, positions: Iterable[tuple[State, int | None]], who: Sequence[int]) -> None:
        """A game: every position with the action played in it, None at the end. `who` sits in each seat."""
        for state, action in positions:
            record, scores = state.record, state.scores
            if action is not None and record.question == CHOOSE_ACTION:
                self.actions.setdefault(who[record.asked], Counter())[action - ACTION] += 1
        self.games += 1
        self.scores += scores
        self.better.append(max(scores))
        self.worse.append(min(scores))
        self.rounds.append(record.round)
        self.by_pool += record.pool <= 0
        self.by_tableau += max(record.size[seat] for seat in range(record.seats)) >= TABLEAU_END
        self.by_rounds += record.round >= ROUNDS

    def metrics(self) -> dict[str, float]:
        """Under the names of ORIGINAL."""

        def mean(values: Sequence[float]) -> float:
            return sum(values) / max(1, len(values))

        return {
            "games": self.games,
            "score": mean(self.scores),
            "winner's score": mean(self.better),
            "loser's score": mean(self.worse),
            "rounds": mean(self.rounds),
            "ended by the pool": 100 * self.by_pool / max(1, self.games),
            "ended by a tableau": 100 * self.by_tableau / max(1, self.games),
            "ended by round 30": 100 * self.by_rounds / max(1, self.games),
        }

    def action_shares(self, who: int) -> dict[int, float]:
        """In percent of that entrant's choices."""
        chosen = self.actions.get(who, Counter())
        return {action: 100 * chosen[action] / max(1, chosen.total()) for action in ROUND_ACTIONS}
