"""Figures 7.1 to 7.5 of the SCOUT dissertation: case-based reasoning in Race for the Galaxy.

The original opponent, the Keldon AI, is `netsearch` here: the same sort of player, a network that judges positions and
a short search. Its cases came from 748 games a person won; ours from games that netsearch won against itself. The
dissertation counts ties as victories; here a tie is a draw, in fewer than 1 % of the games.

"As described" plays with the importances of section 6.2.1, proportional selection and 2-stage adaptation.

Each is also declared against `netpolicy:weights=keldon` (`scout-7.1-clone` and so on), a network that was trained to
choose as the original program does in its recorded games: the nearest there is to the author's opponent. It is also
SCOUT's partner then.

Random in figure 7.1 draws "one of the possible options". These are cards; whether passing is one of them too, the text
does not say. Both readings are played, and SCOUT1 is compared with each.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from boardwright.experiments import tables
from boardwright.experiments.model import Arrangement, Claim, Experiment, Published, Row, share
from boardwright.experiments.scout_eras import AS_DESCRIBED as OWN_WINS
from boardwright.experiments.scout_eras import CRITICISED, FROM_NOTHING, OBSERVING
from boardwright.experiments.scout_figures import action_frequencies, score_ratios, victory_rates

GAME = "race"
SEED = 7
GAMES = 5000
NETSEARCH, CLONE = "netsearch", "netpolicy:weights=keldon"
"""Who stands in for the Keldon AI: a player of the same sort, or a network that imitates it."""
KELDON = "Keldon AI"
TIES = "The dissertation counts ties as victories."
TEACHER = "Netsearch stands in for the Keldon AI, and its games for those of the human player."
IMITATED = (
    "A network that imitates the Keldon AI stands in for it, and games of netsearch for those of the human player."
)


def row(label: str, won: float, games: int = GAMES) -> Row:
    wins = round(won * games)
    return Row(label, games, wins, games - wins, 2 - won)


class _Arrangements:
    """The arrangements with one opponent, whose judgement also decides what a figure leaves to the engine."""

    def __init__(self, opponent: str) -> None:
        self.opponent = opponent
        self.partner = f"({opponent})" if ":" in opponent else opponent
        own = opponent == NETSEARCH  # SCOUT's default partner: specs stay as they were measured
        rest = "" if own else f",rest={self.partner}"
        self.scout2 = self.of("scout2", "SCOUT2 as described", "SCOUT2", f"scout2:preset=described{rest}")
        self.as_many = self.of(
            "scout2_748",
            "SCOUT2 as described, with cases of 748 games",
            "SCOUT2",
            f"scout2:preset=described,first_games=748{rest}",
        )
        self.beyond = self.of(
            "beyond",
            "SCOUT2 with learned weights, option rates and a policy network",
            "SCOUT2",
            "scout2" if own else f"scout2:rest={self.partner}",
        )
        key = "netsearch" if own else "clone"
        self.itself = self.of(key, f"{opponent} for the Keldon AI", KELDON, opponent)
        self.random = self.of("random", "random", "Random", "random")

    def of(self, key: str, title: str, label: str, spec: str) -> Arrangement:
        return Arrangement(key, title, ((label, spec), ("opponent", self.opponent)), answers=(label,))

    def scout1(self, key: str, title: str, retrieval: str = "") -> Arrangement:
        chosen = f",retrieval={retrieval}" if retrieval else ""
        return self.of(key, title, "SCOUT1", f"scout1:partner_agent={self.partner}{chosen}")

    def with_placement(self, key: str, title: str, placement: str) -> Arrangement:
        """The opponent's judgement for everything but placements."""
        if self.opponent == NETSEARCH:
            return self.of(key, title, "Random", f"scout2:preset=partners,placement={placement}")
        others = ",".join(f"{module}={self.partner}" for module in ("phase", "payment", "discard", "rest"))
        return self.of(key, title, "Random", f"scout2:placement={placement},{others}")


_experiment = partial(Experiment, game=GAME, seed=SEED, games=GAMES)


def _placements(with_: _Arrangements) -> Experiment:
    return _experiment(
        name="scout-7.1",
        title="who places the cards, with the opponent's own judgement for the rest",
        question="Does SCOUT1 place better than chance?",
        published=Published(
            "figure 7.1",
            GAMES,
            "agent",
            (row("SCOUT1", 0.321), row(KELDON, 0.51), row("Random", 0.211), row("Human", 0.545, 50)),
        ),
        arrangements=(
            with_.scout1("scout1", "SCOUT1"),
            with_.scout1("scout1_absolute", "SCOUT1, positions by absolute differences", "absolute"),
            with_.scout1("scout1_set", "SCOUT1, first retrieval function", "set"),
            with_.itself,
            with_.with_placement("random", "random placement of a card", "random-card"),
            with_.with_placement("random_or_pass", "random placement, or none", "random"),
        ),
        claims=(Claim("SCOUT1 wins more than random placement did", share("SCOUT1", "wins", above=0.211), "SCOUT1"),),
        notes=(TIES,),
        tables={"": tables.victories},
        analyses=(victory_rates,),
    )


WEAKER = Claim("SCOUT2 is weaker than its opponent", share("SCOUT2", "wins", below=0.5), "SCOUT2")


def _whole_games(with_: _Arrangements) -> Experiment:
    return _experiment(
        name="scout-7.2",
        title="SCOUT2 decides everything",
        question="Can cases alone play the whole game?",
        published=Published(
            "figure 7.2",
            GAMES,
            "agent",
            (row("SCOUT2", 0.302), row(KELDON, 0.51), row("Random", 0.0004), row("Human", 0.748, 1000)),
        ),
        arrangements=(with_.scout2, with_.as_many, with_.beyond, with_.itself, with_.random),
        claims=(
            Claim(
                "SCOUT2 can play: it wins far more than a random player",
                share("SCOUT2", "wins", above=0.05),
                "SCOUT2",
            ),
            WEAKER,
        ),
        notes=(TIES,),
        tables={"": tables.victories},
        analyses=(victory_rates,),
    )


def _ratios(with_: _Arrangements) -> Experiment:
    return _experiment(
        name="scout-7.3",
        title="how close the games are: SCOUT's score over the opponent's",
        question="Does SCOUT lose by little?",
        published=Published("figure 7.3", GAMES, "agent", (row("SCOUT2", 0.317),)),
        arrangements=(with_.scout2, with_.as_many, with_.beyond),
        claims=(WEAKER,),
        notes=("Published: median 0.85, a log-normal distribution, 31.7 % won or drawn before the tie-break.",),
        tables={"": tables.ratios},
        analyses=(score_ratios,),
    )


def _actions(with_: _Arrangements) -> Experiment:
    return _experiment(
        name="scout-7.4",
        title="how often each action is chosen",
        question="Does SCOUT choose like the player of its cases?",
        published=Published("figure 7.4", GAMES, "agent", (row("SCOUT2", 0.302),)),
        arrangements=(with_.scout2, with_.beyond, with_.itself),
        notes=(
            "The figure gives bars without numbers. In 63,438 choices of the Keldon AI against itself: Explore +5"
            " 2.6 %, Explore +1/+1 7.4 %, Develop 10.7 %, Settle 28.1 %, Consume-Trade 16.8 %, Consume-×2 15.4 %,"
            " Produce 18.9 %.",
        ),
        tables={"": tables.actions},
        analyses=(action_frequencies,),
    )


def _eras(opponent: str) -> tuple[Experiment, ...]:
    """Figure 7.5, and two ways of learning beyond the dissertation."""
    published = Published("figure 7.5", 4000, "agent", (row("SCOUT3", 0.3, 4000),))
    over_eras = partial(_experiment, games=4000, published=published)
    return (
        over_eras(
            name="scout-7.5",
            title="SCOUT3's wins per era of 200 games",
            question="Does case-base maintenance make SCOUT stronger?",
            notes=(
                "Published: three runs of 20 eras, no clear trend, best fit lines with a slight rise.",
                "The published share of wins is not given as a number; 0.3 stands for the figure's level.",
            ),
            conduct=replace(OWN_WINS, opponent=opponent).run,
        ),
        over_eras(
            name="scout-7.5-observe",
            title="SCOUT3's wins per era of 200 games, when it also learns from what its opponent won",
            question="Does SCOUT become stronger if it learns from whoever wins?",
            notes=(
                "Beyond the dissertation: after a lost game the winner's decisions become cases, the policy network is"
                " trained again each era, and no case is removed without proof. Runs begin with 50 games of cases.",
            ),
            conduct=replace(OBSERVING, opponent=opponent).run,
        ),
        over_eras(
            name="scout-7.5-critic",
            title="SCOUT3's wins per era of 200 games, when a search says which of its own decisions were good",
            question="Does SCOUT become stronger by its own games alone?",
            notes=(
                "Beyond the dissertation: cases are credited by whether a search advises the same, and not by results;"
                " a decision of SCOUT becomes a case if the search confirms it. Runs begin with 50 games of cases.",
            ),
            conduct=replace(CRITICISED, opponent=opponent).run,
        ),
    )


def _from_nothing() -> Experiment:
    return _experiment(
        name="scout-7.5-empty",
        title=f"SCOUT3's wins per era of {FROM_NOTHING.era} games, from an empty start, with a search as its critic",
        question="Does SCOUT learn to play by its own games alone?",
        published=Published("figure 7.5", 4000, "agent", (row("SCOUT3", 0.3, 4000),)),
        games=20 * FROM_NOTHING.era,
        notes=("Beyond the dissertation: as scout-7.5-critic, from an empty start and against `heuristic`.",),
        conduct=FROM_NOTHING.run,
    )


def _against(opponent: str, suffix: str, teacher: str) -> list[Experiment]:
    """All figures, with this opponent; `teacher` says who stands in for whom."""
    with_ = _Arrangements(opponent)
    figures = (_placements(with_), _whole_games(with_), _ratios(with_), _actions(with_), *_eras(opponent))
    return [replace(one, name=one.name + suffix, notes=(*one.notes, teacher)) for one in figures]


_ALL = (_from_nothing(), *_against(NETSEARCH, "", TEACHER), *_against(CLONE, "-clone", IMITATED))
EXPERIMENTS = {experiment.name: experiment for experiment in _ALL}
