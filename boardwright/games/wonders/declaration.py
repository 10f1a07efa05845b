"""7 Wonders: the declaration."""

from __future__ import annotations

from boardwright.games.wonders.choosing import legal
from boardwright.games.wonders.evaluation import chances
from boardwright.games.wonders.information import NUM_PIECE_KINDS, determinize, observe, piece_counts
from boardwright.games.wonders.policies import heuristic
from boardwright.games.wonders.scoring import returns, scores
from boardwright.games.wonders.scramble import scramble
from boardwright.games.wonders.setup import setup
from boardwright.games.wonders.state import MOST_LEGAL, NUM_ACTIONS, OPTIONS, STATE
from boardwright.games.wonders.text import action_group, describe, seat_metrics, show
from boardwright.games.wonders.turns import A_CHOICE, action_observation, apply, player, quiescent
from boardwright.kernel import Game, Information, Metrics, Rules, SearchKnowledge, Text

game = Game(
    name="wonders",
    title="7 Wonders",
    state=STATE,
    seats=(3, 4, 5, 6, 7),
    num_actions=NUM_ACTIONS,
    max_legal=MOST_LEGAL,
    min_utility=0.0,
    max_utility=1.0,
    options=OPTIONS,
    agents={
        "heuristic": "boardwright.games.wonders.agents:Heuristic",
        "learner": "boardwright.games.wonders.agents:Learner",
        "madrid_random": "boardwright.games.wonders.agents:MadridRandom",
        "perceptron": "boardwright.games.wonders.agents:Perceptron",
        "rbai1": "boardwright.games.wonders.agents:RBAI1",
        "rbai2": "boardwright.games.wonders.agents:RBAI2",
    },
    rules=Rules(
        setup=setup,
        player=player,
        legal=legal,
        apply=apply,
        returns=returns,
        scores=scores,
        piece_counts=piece_counts,
        num_piece_kinds=NUM_PIECE_KINDS,
    ),
    information=Information(
        observe=observe,
        determinize=determinize,
        action_observation=action_observation,
        num_action_observations=A_CHOICE + 1,
        scramble=scramble,
    ),
    search=SearchKnowledge(
        policies={"heuristic": heuristic},
        evaluations={"chances": chances},
        quiescent=quiescent,
        defaults={"playout": "heuristic", "plies": 8, "evaluation": "chances", "exploration": 0.2},
    ),
    text=Text(describe_action=describe, show_state=show),
    metrics=Metrics(action_group=action_group, seat_metrics=seat_metrics),
)
