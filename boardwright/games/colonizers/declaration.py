"""Colonizers as a game of Boardwright."""

from __future__ import annotations

from boardwright.games.colonizers import features, information, policies, rules, text
from boardwright.games.colonizers.cards import COLONISTS, KINDS
from boardwright.games.colonizers.state import MAX_LEGAL, NUM_ACTION_OBSERVATIONS, NUM_ACTIONS, OPTIONS, SEATS, STATE
from boardwright.kernel import Game, Information, Learning, Metrics, Rules, SearchKnowledge, Text
from boardwright.kernel.contract import shipped_networks

game = Game(
    name="colonizers",
    title="Colonizers",
    state=STATE,
    seats=(SEATS,),
    num_actions=NUM_ACTIONS,
    max_legal=MAX_LEGAL,
    min_utility=0.0,
    max_utility=1.0,
    options=OPTIONS,
    agents={
        "heuristic": "boardwright.games.colonizers.agents:Heuristic",
        "thesis_random": "boardwright.games.colonizers.agents:ThesisRandom",
    },
    rules=Rules(
        setup=rules.setup,
        player=rules.player,
        legal=rules.legal,
        apply=rules.apply,
        returns=rules.returns,
        scores=rules.scores,
        piece_counts=information.piece_counts,
        num_piece_kinds=KINDS + len(COLONISTS),
    ),
    information=Information(
        observe=information.observe,
        determinize=information.determinize,
        action_observation=information.action_observation,
        num_action_observations=NUM_ACTION_OBSERVATIONS,
        scramble=text.scramble,
    ),
    search=SearchKnowledge(
        policies={"heuristic": policies.heuristic, "thesis_random": policies.thesis_random},
        evaluations={"thesis": policies.thesis_value},
    ),
    learning=Learning(
        features=features.features,
        feature_names=features.FEATURE_NAMES,
        turn=features.turn,
        networks=shipped_networks(__file__),
    ),
    text=Text(describe_action=text.describe, show_state=text.show),
    metrics=Metrics(action_group=text.action_group),
)
