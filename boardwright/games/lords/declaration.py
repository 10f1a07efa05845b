"""Lords of War as a game of Boardwright."""

from __future__ import annotations

from boardwright.games.lords import (
    complexity,
    evaluation,
    features,
    for_players,
    guide,
    information,
    policies,
    rules,
    state,
    style,
    svg,
    text,
)
from boardwright.games.lords.board import SEATS
from boardwright.games.lords.state import DERIVED, MAX_LEGAL, NUM_ACTIONS, OPTIONS, STATE
from boardwright.kernel import Game, Information, Learning, Metrics, Rules, SearchKnowledge, Text, shipped_networks
from boardwright.kernel.contract import shipped_characters

game = Game(
    name="lords",
    title="Lords of War",
    state=STATE,
    derived=DERIVED,
    seats=(SEATS,),
    num_actions=NUM_ACTIONS,
    max_legal=MAX_LEGAL,
    min_utility=0.0,
    max_utility=1.0,
    max_utility_sum=1.0,
    constant_sum=True,
    chance="deal",
    max_game_length=state.longest_game,
    options=OPTIONS,
    agents={"heuristic": "boardwright.games.lords.agents:Heuristic"},
    levels={  # in even steps on the ladder: docs/strength.md
        "beginner": "ismcts:iterations=5",
        "easy": "ismcts:iterations=15",
        "middling": "ismcts:iterations=50",
        "strong": "netsearch",
        "expert": "heuristic",
        "master": "ismcts:iterations=2000",
        "grandmaster": "ismcts:evaluation=learned,plies=0,iterations=500",
        "the strongest": "ismcts:evaluation=learned,plies=0,seconds=2",
    },
    characters=shipped_characters(__file__),
    positions="boardwright.games.lords.positions:positions",
    rules=Rules.of(rules),
    information=Information.of(information),
    search=SearchKnowledge(
        random_action=rules.random_action,
        policies={"greedy": policies.greedy},
        evaluations=evaluation.EVALUATIONS,
        rankings=(*evaluation.HEURISTICS, *evaluation.READINGS),
        complexities=complexity.COMPLEXITIES,
        defaults={"plies": 4, "evaluation": "scaled_h4", "exploration": 0.1, "loop": "open"},
    ),
    learning=Learning.of(features, networks=shipped_networks(__file__)),
    text=Text.of(text, svg, guide, for_players),
    metrics=Metrics.of(text, style),
)
