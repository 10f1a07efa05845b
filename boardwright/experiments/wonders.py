"""Figure 55 of Madrid's report on 7 Wonders (2018): one agent against four RANDOM, five seats, 10,000 games.

The report gives shares of places; its LEARNER row sums to 1.21, and to 1.00 if the first share were .24 instead of
.45. It does not say how the LEARNER's table was made. "As run" plays with those slips of his program that are options
of the game, and with the players as coded; the program's own reproduction stands in the notes.
"""

from __future__ import annotations

from boardwright.experiments.model import Arrangement, Claim, Experiment, Published, Row, share

GAME = "wonders"
SEED = 55
GAMES = 10_000
ALL_SLIPS = {"slips": "all"}

RANDOM = ("RANDOM", "madrid_random")
RANDOM_AS_CODED = ("RANDOM", "madrid_random:as_coded=true")


TIES = "His program puts equal scores in seat order; here a shared first place counts as a draw, not as won."


def published(label: str, *shares: float) -> Published:
    """A row of the figure: the shares of first to fifth places."""
    rank = sum(place * part for place, part in enumerate(shares, 1)) / sum(shares)
    row = Row(label, GAMES, round(GAMES * shares[0]), round(GAMES * shares[4]), rank)
    return Published("figure 55", GAMES, "agent", (row,))


def arrangements(label: str, as_coded: str, exact: str) -> tuple[Arrangement, ...]:
    return (
        Arrangement(
            "as_run", "with his program's slips", ((label, as_coded), *(RANDOM_AS_CODED,) * 4), dict(ALL_SLIPS)
        ),
        Arrangement("exact", "exact rules, the agent as described", ((label, exact), *(RANDOM,) * 4)),
    )


_ALL = (
    Experiment(
        name="madrid-55",
        game=GAME,
        title="an expert system against four random players",
        question="Does RBAI play better than RANDOM?",
        games=GAMES,
        seed=SEED,
        published=published("RBAI", 0.19, 0.22, 0.22, 0.20, 0.17),
        arrangements=arrangements("RBAI", "rbai1:as_coded=true", "rbai1"),
        claims=(Claim("RBAI wins more often than chance", share("RBAI", "wins", above=0.2)),),
        notes=(
            "Published: mean score 38, from 10 to 64, standard deviation 7.6; places .19 .22 .22 .20 .17.",
            "His program, run again: 35.8, from 5 to 64, 7.4; places .176 .202 .215 .215 .191.",
            TIES,
        ),
    ),
    Experiment(
        name="madrid-55-learner",
        game=GAME,
        title="a learned table of card values against four random players",
        question="Does LEARNER play better than RANDOM?",
        games=GAMES,
        seed=SEED,
        published=published("LEARNER", 0.45, 0.24, 0.20, 0.17, 0.15),
        arrangements=arrangements("LEARNER", "learner:as_coded=true,table=win_count_as_run", "learner:table=win_share"),
        claims=(Claim("LEARNER wins more often than chance", share("LEARNER", "wins", above=0.2)),),
        notes=(
            "Published: mean score 38, from 11 to 69, standard deviation 8.0; places .45 .24 .20 .17 .15, which sum to"
            " 1.21.",
            "His program, run again with a table of winners' builds: 35.8, 3 to 60, 7.5; places .216 .228 .210 .188"
            " .158; with the winners' share of builds: 48.0, 17 to 81, 8.8; places .733 .148 .066 .035 .017.",
            TIES,
        ),
    ),
)
EXPERIMENTS = {experiment.name: experiment for experiment in _ALL}
