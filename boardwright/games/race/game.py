"""The declaration."""

from __future__ import annotations

from boardwright.games.race import features, heuristic, information, rules, scoring, svg, words
from boardwright.games.race.cards import DESIGN_COUNT
from boardwright.games.race.state import ACTIONS, OPTIONS, STATE
from boardwright.kernel import Game
from boardwright.kernel.contract import shipped_networks

game = Game(
    name="race",
    title="Race for the Galaxy",
    state=STATE,
    seats=(2, 3, 4),
    actions=ACTIONS,
    payoffs=(0.0, 1.0),
    sights=information.SIGHTS,
    options=OPTIONS,
    agents={
        "heuristic": "boardwright.games.race.agents:Heuristic",
        "scout1": "boardwright.games.race.scout.scout1:Scout1",
        "scout2": "boardwright.games.race.scout.agents:Scout2",
        "scout3": "boardwright.games.race.scout.agents:Scout3",
        "scout-hybrid": "boardwright.games.race.scout.hybrid:ScoutHybrid",
        "remote": "boardwright.games.race.scout.interface.client:Remote",
    },
    policies={"heuristic": heuristic.heuristic},
    setup=rules.setup,
    player=rules.player,
    legal=rules.legal,
    apply=rules.apply,
    returns=scoring.returns,
    scores=scoring.scores,
    census=rules.census,
    kinds=DESIGN_COUNT,
    observe=information.observe,
    determinize=information.determinize,
    seen_as=information.seen_as,
    scramble=information.scramble,
    features=features.features,
    feature_names=features.FEATURE_NAMES,
    turn=features.turn,
    rewind=rules.rewind,
    networks=shipped_networks(__file__),
    describe_action=words.describe,
    show_state=words.show,
    draw_state=svg.draw,
    topic=words.topic,
    saves="boardwright.games.race.stories:saved",
)
