"""7 Wonders: the declaration."""

from __future__ import annotations

from boardwright.games.wonders.choosing import legal
from boardwright.games.wonders.evaluation import chances
from boardwright.games.wonders.information import CENSUS_KINDS, census, determinize, observe
from boardwright.games.wonders.policies import heuristic
from boardwright.games.wonders.scoring import returns, scores
from boardwright.games.wonders.scramble import scramble
from boardwright.games.wonders.setup import setup
from boardwright.games.wonders.state import ACTIONS, MOST_LEGAL, OPTIONS, STATE
from boardwright.games.wonders.turns import A_CHOICE, apply, player, seen_as, settled
from boardwright.games.wonders.words import describe, figures, show, topic
from boardwright.kernel import Game

game = Game(
    name="wonders",
    title="7 Wonders",
    state=STATE,
    seats=(3, 4, 5, 6, 7),
    actions=ACTIONS,
    max_legal=MOST_LEGAL,
    sights=A_CHOICE + 1,
    payoffs=(0.0, 1.0),
    options=OPTIONS,
    agents={
        "heuristic": "boardwright.games.wonders.agents:Heuristic",
        "learner": "boardwright.games.wonders.agents:Learner",
        "madrid_random": "boardwright.games.wonders.agents:MadridRandom",
        "perceptron": "boardwright.games.wonders.agents:Perceptron",
        "rbai1": "boardwright.games.wonders.agents:RBAI1",
        "rbai2": "boardwright.games.wonders.agents:RBAI2",
    },
    setup=setup,
    player=player,
    legal=legal,
    apply=apply,
    returns=returns,
    scores=scores,
    observe=observe,
    determinize=determinize,
    seen_as=seen_as,
    census=census,
    kinds=CENSUS_KINDS,
    policies={"heuristic": heuristic},
    evaluations={"chances": chances},
    settled=settled,
    advice={"playout": "heuristic", "plies": 8, "evaluation": "chances", "exploration": 0.2},
    scramble=scramble,
    describe_action=describe,
    show_state=show,
    topic=topic,
    figures=figures,
)
