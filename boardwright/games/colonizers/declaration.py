"""Colonizers as a game of Boardwright."""

from __future__ import annotations

from boardwright.games.colonizers import (
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
from boardwright.games.colonizers.state import MAX_LEGAL, NUM_ACTION_OBSERVATIONS, NUM_ACTIONS, OPTIONS, SEATS, STATE
from boardwright.kernel import Game, Information, Learning, Metrics, Rules, SearchKnowledge, Text
from boardwright.kernel.contract import shipped_characters, shipped_named_networks, shipped_networks

game = Game(
    name="colonizers",
    title="Colonizers",
    state=STATE,
    seats=(SEATS,),
    num_actions=NUM_ACTIONS,
    max_legal=MAX_LEGAL,
    min_utility=0.0,
    max_utility=1.0,
    constant_sum=True,
    chance="play",
    options=OPTIONS,
    positions="boardwright.games.colonizers.positions:positions",
    agents={
        "heuristic": "boardwright.games.colonizers.agents:Heuristic",
        "thesis_random": "boardwright.games.colonizers.agents:ThesisRandom",
    },
    levels={  # in even steps on the ladder: docs/strength.md
        "beginner": "ismcts:iterations=5",
        "easy": "heuristic",
        "middling": "maxn",
        "strong": "ismcts:iterations=300",
    },
    characters=shipped_characters(__file__),
    rules=Rules.of(rules),
    information=Information.of(information, num_action_observations=NUM_ACTION_OBSERVATIONS),
    search=SearchKnowledge(
        policies={
            "heuristic": policies.heuristic,
            "heuristic_figure": policies.heuristic_figure,
            "thesis_random": policies.thesis_random,
        },
        evaluations={"thesis": evaluation.thesis},
        rankings=("thesis",),
        defaults={"playout": "heuristic", "loop": "open"},  # measured in matches: docs/colonizers.md, "Strength"
    ),
    learning=Learning.of(
        features, networks=shipped_networks(__file__), named_networks=shipped_named_networks(__file__)
    ),
    text=Text.of(text, svg, guide, for_players),
    metrics=Metrics.of(text, style),
)
