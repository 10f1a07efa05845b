"""Figures 7.1 to 7.5 of the SCOUT dissertation: case-based reasoning in Race for the Galaxy.

The original opponent, the Keldon AI, is `netsearch` here: the same sort of player, a network that judges positions and
a short search. Its cases came from 748 games a person won; ours from games that netsearch won against itself. The
dissertation counts ties as victories; here a tie is a draw, in fewer than 1 % of the games.

"As described" plays with the importances of section 6.2.1, proportional selection and 2-stage adaptation.

Random in figure 7.1 draws "one of the possible options". These are cards; whether passing is one of them too, the text
does not say. Both readings are played, and SCOUT1 is compared with each.
"""

from __future__ import annotations

from boardwright.experiments.model import Arrangement, Claim, Experiment, Published, Row, share
from boardwright.experiments.scout_eras import AS_DESCRIBED as OWN_WINS
from boardwright.experiments.scout_eras import CRITICISED, DESCRIBED_REASONER, OBSERVING
from boardwright.experiments.scout_figures import action_frequencies, score_ratios, victory_rates

GAME = "race"
SEED = 7
GAMES = 5000
OPPONENT = ("opponent", "netsearch")
KELDON = "Keldon AI"
TIES = "The dissertation counts ties as victories."
TEACHER = "Netsearch stands in for the Keldon AI, and its games for those of the human player."


def row(label: str, won: float, games: int = GAMES) -> Row:
    wins = round(won * games)
    return Row(label, games, wins, games - wins, 2 - won)


def arrangement(key: str, title: str, label: str, spec: str) -> Arrangement:
    return Arrangement(key, title, ((label, spec), OPPONENT), answers=(label,))


def with_placement(spec: str) -> str:
    """Netsearch for everything but placements."""
    return f"scout2:placement={spec},phase=netsearch,payment=netsearch,discard=netsearch,rest=netsearch"


_SCOUT2 = arrangement("scout2", "SCOUT2 as described", "SCOUT2", f"scout2:{DESCRIBED_REASONER}")
_AS_MANY = arrangement(
    "scout2_748",
    "SCOUT2 as described, with cases of 748 games",
    "SCOUT2",
    f"scout2:{DESCRIBED_REASONER},first_games=748",
)
_BEYOND = arrangement("beyond", "SCOUT2 with learned weights, option rates and a policy network", "SCOUT2", "scout2")
_NETSEARCH = arrangement("netsearch", "netsearch for the Keldon AI", KELDON, "netsearch")

_ALL = (
    Experiment(
        name="scout-7.1",
        game=GAME,
        title="who places the cards, with the opponent's own judgement for the rest",
        question="Does SCOUT1 place better than chance?",
        games=GAMES,
        seed=SEED,
        published=Published(
            "figure 7.1",
            GAMES,
            "agent",
            (row("SCOUT1", 0.321), row(KELDON, 0.51), row("Random", 0.211), row("Human", 0.545, 50)),
        ),
        arrangements=(
            arrangement("scout1", "SCOUT1", "SCOUT1", "scout1:partner_agent=netsearch"),
            arrangement(
                "scout1_absolute",
                "SCOUT1, positions by absolute differences",
                "SCOUT1",
                "scout1:partner_agent=netsearch,retrieval=absolute",
            ),
            arrangement(
                "scout1_set",
                "SCOUT1, first retrieval function",
                "SCOUT1",
                "scout1:partner_agent=netsearch,retrieval=set",
            ),
            _NETSEARCH,
            arrangement("random", "random placement of a card", "Random", with_placement("random-card")),
            arrangement("random_or_pass", "random placement, or none", "Random", with_placement("random")),
        ),
        claims=(Claim("SCOUT1 wins more than random placement did", share("SCOUT1", "wins", above=0.211), "SCOUT1"),),
        notes=(TIES, TEACHER),
        analyses=(victory_rates,),
    ),
    Experiment(
        name="scout-7.2",
        game=GAME,
        title="SCOUT2 decides everything",
        question="Can cases alone play the whole game?",
        games=GAMES,
        seed=SEED,
        published=Published(
            "figure 7.2",
            GAMES,
            "agent",
            (row("SCOUT2", 0.302), row(KELDON, 0.51), row("Random", 0.0004), row("Human", 0.748, 1000)),
        ),
        arrangements=(_SCOUT2, _AS_MANY, _BEYOND, _NETSEARCH, arrangement("random", "random", "Random", "random")),
        claims=(
            Claim(
                "SCOUT2 can play: it wins far more than a random player", share("SCOUT2", "wins", above=0.05), "SCOUT2"
            ),
            Claim("SCOUT2 is weaker than its opponent", share("SCOUT2", "wins", below=0.5), "SCOUT2"),
        ),
        notes=(TIES, TEACHER),
        analyses=(victory_rates,),
    ),
    Experiment(
        name="scout-7.3",
        game=GAME,
        title="how close the games are: SCOUT's score over the opponent's",
        question="Does SCOUT lose by little?",
        games=GAMES,
        seed=SEED,
        published=Published("figure 7.3", GAMES, "agent", (row("SCOUT2", 0.317),)),
        arrangements=(_SCOUT2, _AS_MANY, _BEYOND),
        claims=(Claim("SCOUT2 is weaker than its opponent", share("SCOUT2", "wins", below=0.5), "SCOUT2"),),
        notes=("Published: median 0.85, a log-normal distribution, 31.7 % won or drawn before the tie-break.", TEACHER),
        analyses=(score_ratios,),
    ),
    Experiment(
        name="scout-7.4",
        game=GAME,
        title="how often each action is chosen",
        question="Does SCOUT choose like the player of its cases?",
        games=GAMES,
        seed=SEED,
        published=Published("figure 7.4", GAMES, "agent", (row("SCOUT2", 0.302),)),
        arrangements=(_SCOUT2, _BEYOND, _NETSEARCH),
        notes=(
            "The figure gives bars without numbers. In 63,438 choices of the Keldon AI against itself: Explore +5"
            " 2.6 %, Explore +1/+1 7.4 %, Develop 10.7 %, Settle 28.1 %, Consume-Trade 16.8 %, Consume-×2 15.4 %,"
            " Produce 18.9 %.",
            TEACHER,
        ),
        analyses=(action_frequencies,),
    ),
    Experiment(
        name="scout-7.5",
        game=GAME,
        title="SCOUT3's wins per era of 200 games",
        question="Does case-base maintenance make SCOUT stronger?",
        games=4000,
        seed=SEED,
        published=Published("figure 7.5", 4000, "agent", (row("SCOUT3", 0.3, 4000),)),
        arrangements=(),
        notes=(
            "Published: three runs of 20 eras, no clear trend, best fit lines with a slight rise.",
            "The published share of wins is not given as a number; 0.3 stands for the figure's level.",
            TEACHER,
        ),
        conduct=OWN_WINS.run,
    ),
    Experiment(
        name="scout-7.5-observe",
        game=GAME,
        title="SCOUT3's wins per era of 200 games, when it also learns from what its opponent won",
        question="Does SCOUT become stronger if it learns from whoever wins?",
        games=4000,
        seed=SEED,
        published=Published("figure 7.5", 4000, "agent", (row("SCOUT3", 0.3, 4000),)),
        arrangements=(),
        notes=(
            "Beyond the dissertation: after a lost game the winner's decisions become cases, the policy network is"
            " trained again each era, and no case is removed without proof. Runs begin with 50 games of cases.",
            TEACHER,
        ),
        conduct=OBSERVING.run,
    ),
    Experiment(
        name="scout-7.5-critic",
        game=GAME,
        title="SCOUT3's wins per era of 200 games, when a search says which of its own decisions were good",
        question="Does SCOUT become stronger by its own games alone?",
        games=4000,
        seed=SEED,
        published=Published("figure 7.5", 4000, "agent", (row("SCOUT3", 0.3, 4000),)),
        arrangements=(),
        notes=(
            "Beyond the dissertation: cases are credited by whether a search advises the same, and not by results; a"
            " decision of SCOUT becomes a case if the search confirms it. Runs begin with 50 games of cases.",
            TEACHER,
        ),
        conduct=CRITICISED.run,
    ),
)
EXPERIMENTS = {experiment.name: experiment for experiment in _ALL}
