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
from boardwright.kernel.contract import shipped_characters, shipped_networks

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
    characters=shipped_characters(__file__),
    rules=Rules(
        setup=rules.setup,
        player=rules.player,
        legal=rules.legal,
        apply=rules.apply,
        returns=rules.returns,
        scores=rules.scores,
        piece_counts=rules.piece_counts,
        num_piece_kinds=rules.NUM_PIECE_KINDS,
    ),
    information=Information(
        observe=information.observe,
        determinize=information.determinize,
        action_observation=information.action_observation,
        num_action_observations=NUM_ACTION_OBSERVATIONS,
        learned=information.learned,
        announced=information.announced,
        scramble=information.scramble,
    ),
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
    learning=Learning(
        features=features.features,
        feature_names=features.FEATURE_NAMES,
        turn=features.turn,
        networks=shipped_networks(__file__),
    ),
    text=Text(
        describe_action=text.describe_action,
        show_state=text.show_state,
        draw_state=svg.draw_state,
        guide=guide.GUIDE,
        revealed=text.revealed,
        action_details=for_players.action_details,
        show_brief=for_players.show_brief,
        cards=for_players.cards,
        rules=for_players.RULES,
    ),
    metrics=Metrics(action_group=text.action_group, style=style.style, seat_metrics=text.seat_metrics),
)
