"""7 Wonders as a game of Boardwright."""

from __future__ import annotations

from boardwright.games.wonders import (
    action_observations,
    evaluation,
    features,
    for_players,
    guide,
    information,
    policies,
    rules,
    style,
    svg,
    text,
)
from boardwright.games.wonders.state import MAX_LEGAL, NUM_ACTION_OBSERVATIONS, NUM_ACTIONS, OPTIONS, STATE
from boardwright.kernel import Game, Information, Learning, Metrics, Rules, SearchKnowledge, Text
from boardwright.kernel.contract import shipped_characters, shipped_named_networks, shipped_networks

SEATS = 3, 4, 5, 6, 7


def _with_more(level: str) -> dict[int, str]:
    """A level with more than three seats, where the steps are others."""
    return dict.fromkeys(SEATS[1:], level)


game = Game(
    name="wonders",
    title="7 Wonders",
    state=STATE,
    seats=SEATS,
    num_actions=NUM_ACTIONS,
    max_legal=MAX_LEGAL,
    min_utility=0.0,
    max_utility=1.0,
    constant_sum=True,
    chance="play",
    max_game_length=lambda seats, options: seats * (3 * 7 + 4),  # seven cards in each age, and digs
    options=OPTIONS,
    agents={
        "heuristic": "boardwright.games.wonders.agents:Heuristic",
        "learner": "boardwright.games.wonders.agents:Learner",
        "madrid_random": "boardwright.games.wonders.agents:MadridRandom",
        "perceptron": "boardwright.games.wonders.agents:Perceptron",
        "rbai1": "boardwright.games.wonders.agents:RBAI1",
        "rbai2": "boardwright.games.wonders.agents:RBAI2",
    },
    levels={  # in even steps on the ladders: docs/strength.md
        "beginner": {3: "ismcts:iterations=2", **_with_more("ismcts:iterations=3")},
        "easy": {3: "ismcts:iterations=4", **_with_more("rbai1")},
        "middling": {3: "rbai1", **_with_more("ismcts:iterations=20")},
        "strong": {3: "ismcts:iterations=10", **_with_more("heuristic")},
        "expert": {3: "heuristic"},
        "master": {3: "netsearch"},
        "the strongest": "netsearch:turns=2,determinizations=64,weights=large,prior_weight=0.01",
    },
    characters=shipped_characters(__file__),
    positions="boardwright.games.wonders.positions:positions",
    rules=Rules.of(rules),
    information=Information.of(information, action_observations, num_action_observations=NUM_ACTION_OBSERVATIONS),
    search=SearchKnowledge(
        policies={"heuristic": policies.heuristic},
        evaluations={"expected_returns": evaluation.expected_returns},
        quiescent=evaluation.quiescent,
        defaults={  # measured in matches: docs/wonders.md, "Strength"
            "playout": "heuristic",
            "plies": 8,
            "evaluation": "expected_returns",
            "exploration": 0.2,
            "loop": "open",
        },
    ),
    learning=Learning.of(
        features, networks=shipped_networks(__file__), named_networks=shipped_named_networks(__file__)
    ),
    text=Text.of(text, svg, guide, for_players, pages={"others": for_players.others}),
    metrics=Metrics.of(text, style),
)
