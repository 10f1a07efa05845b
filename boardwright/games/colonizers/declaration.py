"""Colonizers as a game of Boardwright."""

from __future__ import annotations

from boardwright.games.colonizers import features, information, policies, rules, words
from boardwright.games.colonizers.cards import COLONISTS, KINDS
from boardwright.games.colonizers.state import ACTIONS, MAX_LEGAL, OPTIONS, SEATS, SIGHTS, STATE
from boardwright.kernel import Game
from boardwright.kernel.contract import shipped_networks

game = Game(
    name="colonizers",
    title="Colonizers",
    state=STATE,
    seats=(SEATS,),
    actions=ACTIONS,
    max_legal=MAX_LEGAL,
    payoffs=(0.0, 1.0),
    options=OPTIONS,
    agents={
        "heuristic": "boardwright.games.colonizers.agents:Heuristic",
        "thesis_random": "boardwright.games.colonizers.agents:ThesisRandom",
    },
    setup=rules.setup,
    player=rules.player,
    legal=rules.legal,
    apply=rules.apply,
    returns=rules.returns,
    scores=rules.scores,
    observe=information.observe,
    determinize=information.determinize,
    seen_as=information.seen_as,
    sights=SIGHTS,
    census=information.census,
    kinds=KINDS + len(COLONISTS),
    policies={"heuristic": policies.heuristic, "thesis_random": policies.thesis_random},
    evaluations={"thesis": policies.thesis_value},
    features=features.features,
    feature_names=features.FEATURE_NAMES,
    turn=features.turn,
    networks=shipped_networks(__file__),
    describe_action=words.describe,
    show_state=words.show,
    topic=words.topic,
    scramble=words.scramble,
)
