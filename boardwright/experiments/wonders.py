"""Figures 55 to 57 of Madrid's report on 7 Wonders (2018): one agent against four RANDOM, five seats, 10,000 games; and
RBAI, LEARNER and RANDOM at one table.

Figure 55 gives shares of places; its LEARNER row sums to 1.21, and to 1.00 if the first share were .24 instead of
.45. It does not say how the LEARNER's table was made. "As run" plays with those slips of his program that are options
of the game, and with the players as coded; the program's own reproduction stands in the notes. Of figures 56 and 57
only the captions survive: what they showed is played again, with nothing to compare it with.
"""

from __future__ import annotations

from functools import partial

from boardwright.experiments.madrid_figures import placements, score_distributions
from boardwright.experiments.model import Arrangement, Claim, Experiment, Places, Published, Row, share
from boardwright.experiments.tables import places, scores

GAME = "wonders"
SEED = 55
GAMES = 10_000
ALL_SLIPS = {"slips": "all"}

RANDOM = ("RANDOM", "madrid_random")
RANDOM_AS_CODED = ("RANDOM", "madrid_random:as_coded=true")
RBAI = ("RBAI", "rbai1")
RBAI_AS_CODED = ("RBAI", "rbai1:as_coded=true")
LEARNER = ("LEARNER", "learner:table=win_share")
LEARNER_AS_CODED = ("LEARNER", "learner:as_coded=true,table=win_count_as_run")


TIES = (
    "His program puts equal scores in the order of seats, and so do we here: sharing the first place counts as"
    " winning for the earlier seat. Seats are permuted, so nobody gains by it."
)


def published(label: str, places: Places, *again: Places) -> Published:
    """A row of the figure, and what his program gave when it was run again."""
    shares = places.shares
    rank = sum(place * part for place, part in enumerate(shares, 1)) / sum(shares)
    row = Row(label, GAMES, round(GAMES * shares[0]), round(GAMES * shares[4]), rank, places=places)
    return Published("figure 55", GAMES, "agent", (row,), again)


def arrangements(as_coded: tuple[str, str], exact: tuple[str, str], prefix: str = "") -> tuple[Arrangement, ...]:
    """One agent against four RANDOM."""
    return (
        Arrangement(
            f"{prefix}as_run", "with his program's slips", (as_coded, *(RANDOM_AS_CODED,) * 4), dict(ALL_SLIPS)
        ),
        Arrangement(f"{prefix}exact", "exact rules, the agent as described", (exact, *(RANDOM,) * 4)),
    )


_experiment = partial(Experiment, game=GAME, seed=SEED, games=GAMES, ties_by_seat=True)

_ALL = (
    _experiment(
        name="madrid-55",
        title="an expert system against four random players",
        question="Does RBAI play better than RANDOM?",
        published=published(
            "RBAI",
            Places("published", 38, 10, 64, 7.6, (0.19, 0.22, 0.22, 0.20, 0.17)),
            Places("his program, again", 35.8, 5, 64, 7.4, (0.176, 0.202, 0.215, 0.215, 0.191)),
        ),
        arrangements=arrangements(RBAI_AS_CODED, RBAI),
        claims=(Claim("RBAI wins more often than chance", share("RBAI", "wins", above=0.2)),),
        notes=(
            "Which of his two expert systems the figure means is not said; this is RBAI1.",
            TIES,
        ),
    ),
    _experiment(
        name="madrid-55-learner",
        title="a learned table of card values against four random players",
        question="Does LEARNER play better than RANDOM?",
        published=published(
            "LEARNER",
            Places("published", 38, 11, 69, 8.0, (0.45, 0.24, 0.20, 0.17, 0.15)),
            Places("his, winners' builds", 35.8, 3, 60, 7.5, (0.216, 0.228, 0.210, 0.188, 0.158)),
            Places("his, winners' share", 48.0, 17, 81, 8.8, (0.733, 0.148, 0.066, 0.035, 0.017)),
        ),
        arrangements=arrangements(LEARNER_AS_CODED, LEARNER),
        claims=(Claim("LEARNER wins more often than chance", share("LEARNER", "wins", above=0.2)),),
        notes=(
            "The published shares sum to 1.21. How the table of values was made is not said: winners' builds counted"
            " (as run, here) and the winners' share of builds (exact) are two of the plausible ways.",
            TIES,
        ),
    ),
    _experiment(
        name="madrid-56",
        title="how the scores of each agent spread, against four random players",
        question="Do RBAI and LEARNER score alike?",
        published=Published("figure 56, the caption alone", GAMES, "agent", ()),
        arrangements=(
            *arrangements(RBAI_AS_CODED, RBAI, "rbai_"),
            *arrangements(LEARNER_AS_CODED, LEARNER, "learner_"),
        ),
        notes=(
            'Its caption repeats that of figure 55: "Agent scoring information over 10,000 trials, 1 Agent vs 4 RANDOM.'
            ' Both agents performed comparably when facing RANDOM opponents." These are the same games.',
        ),
        tables={"": scores},
        analyses=(score_distributions,),
    ),
    _experiment(
        name="madrid-57",
        title="an expert system, a learned table and a random player at one table",
        question="Which of the three comes in which place?",
        published=Published("figure 57, the caption alone", GAMES, "agent", ()),
        arrangements=(
            Arrangement(
                "as_run",
                "with his program's slips",
                (RBAI_AS_CODED, LEARNER_AS_CODED, RANDOM_AS_CODED),
                dict(ALL_SLIPS),
            ),
            Arrangement("exact", "exact rules, agents as described", (RBAI, LEARNER, RANDOM)),
        ),
        notes=(
            'Its caption: "Agent placement results over 10,000 trials, RBAI vs LEARNER vs RANDOM." How many of each sat'
            " at the table is not said; here it is one of each, so three seats.",
            TIES,
        ),
        tables={"": places},
        analyses=(placements,),
    ),
)
EXPERIMENTS = {experiment.name: experiment for experiment in _ALL}
