"""What decides how trained weights come out, and what is reported about each generation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from boardwright.settings import Checked, option

if TYPE_CHECKING:
    from boardwright.kernel import Game

RANDOM_OPENING = 8
"""The most actions at random with which `train` begins games of tree search, where nothing is left to chance. Without
them, games of `connect_four` were so much alike that the value's loss went up and down by a third from one generation
to the next."""


class TrainingOptions(Checked):
    """What the weights depend on and `boardwright train` and `bw.train` take as it is. docs/learning.md has the trials
    that some defaults come from; the others were chosen at the beginning and not varied."""

    seed: int = option(0, "The same seed gives the same games.", "-s")
    determinizations: int = option(4, "Determinizations per decision of self-play.", minimum=1)
    """Half as many as `netsearch` takes, since there are many games to play. Not varied."""
    breadth: int = option(1, "Actions tried at a seat's first decision after a candidate.", minimum=1, maximum=16)
    """As for `netsearch`: three were no better than one (docs/learning.md)."""
    generation_size: int = option(512, "Games between two updates of the weights.", minimum=1)
    """Games of self-play between two updates of the weights. Not varied, except that the network of `colonizers` was
    trained with 256."""
    epochs: int = option(2, "How often each row of the training set is used.", minimum=1)
    """How often each row of the training set is used. Not varied."""
    learning_rate: float = option(1e-3, "At the beginning; it falls to a tenth.", minimum=1e-6)
    """At the beginning; it falls linearly to a tenth. The value that Adam's paper recommends; not varied."""
    prior_weight: float = option(0.03, "Weight of the policy prior in searches and policy targets.", minimum=1e-6)
    """Weight of the policy prior in searches and policy targets. When playing, 0.015 and 0.06 were not shown to be
    better or worse (docs/learning.md)."""
    td_lambda: float = option(
        0.95, "λ of TD(λ): how much results count against later searches.", minimum=0.0, maximum=1.0
    )
    """λ of the value targets: 1 is the result alone. 0.9 was better than 0.8; 0.95 was then chosen without a trial
    (docs/learning.md)."""
    turns: int = option(1, "Turns that searches of self-play look ahead.", minimum=1)
    """Turns that searches of self-play look ahead. With two the policy learns from a stronger player, and games take
    more than twice as long."""
    simulations: int = option(32, "Simulations of tree search per decision of self-play.", minimum=1)
    """Of tree search, per decision of self-play. The paper of Gumbel AlphaZero shows learning with so few and fewer;
    not varied."""
    begin_with: str = option(
        "", "Train this network further: a file, or one of the game's by name, as `default`.", metavar="FILE"
    )
    """The network to train further: its file, its name, or `default`, the one that comes with the game. Else: random
    weights."""
    hidden_units: int = option(
        0, "Units of the hidden layer; 0: 128, or those of the network to begin with.", minimum=0
    )
    """Units of the hidden layer. 0: as many as the network to begin with has, or 128. If it has fewer, its units are
    split."""
    searched: float = option(
        1.0,
        "The part of the decisions of self-play that are searched and learned from; others follow the policy.",
        minimum=0.01,
        maximum=1.0,
    )
    """The part of the decisions of self-play that are searched and learned from; the others are sampled from the policy
    (playout-cap randomization, Wu 2019)."""
    all_seats: bool = option(False, "One network for all seat counts; games have each of them in turn.", "--all-seats")
    """One network for all seat counts that the game allows: games of a generation have each of them in turn. `seats` is
    then the one that strength is measured with."""
    averaging: float = option(
        0.0,
        "Keep a moving average of the weights, in which each generation counts so much; 0: none.",
        minimum=0.0,
        maximum=1.0,
    )
    """If not 0, the network is a moving average of the weights (Polyak and Juditsky, 1992), and each generation counts
    so much. Self-play goes on with the weights themselves."""
    auxiliary: float = option(
        0.0, "How much the loss of auxiliary targets counts, the lead and the length of the game; 0: none.", minimum=0.0
    )
    """How much the loss of auxiliary targets counts (auxiliary.py); 0: none."""
    pruned: float = option(
        0.0,
        "Leave actions out of policy targets whose probability is below so much of the best one's; 0: none.",
        minimum=0.0,
        maximum=1.0,
    )
    """Actions whose probability is below so much of the best one's are left out of policy targets; 0: none."""
    symmetric: bool = option(
        False, "Learn from positions turned at random, by the symmetries that the game declares.", "--symmetric"
    )
    """Learn from positions turned at random, by the symmetries that the game declares for its own features."""
    first_places: bool = option(
        False, "The value to learn is the chance to come first, instead of the game's return.", "--first-places"
    )
    """The value is the chance to come first, instead of the game's return: where returns count other places too, the
    network plays for the win alone."""
    asynchronous: bool = option(
        False,
        "Play the next generation while the network learns from the last: its games are one update behind.",
        "--asynchronous",
    )
    """Each generation is played while the network learns from the one before it, with weights that are one update
    old."""
    pool_part: float = option(
        0.25, "The part of the games that are played against the agents of --pool.", minimum=0.01, maximum=1.0
    )
    """The part of the games that are played against the agents of the pool, each of them in turn."""


class TrainingConfig(TrainingOptions, kw_only=False):
    """All that the weights depend on."""

    game: str
    seats: int
    games: int
    width: int = 16
    """As for `netsearch`. In 64 games of `race` with two seats no decision had more than 14 legal actions."""
    search: Literal["turns", "tree"] = "turns"
    """Of self-play: turn search, or tree search, which `train` chooses for games whose turns are single actions."""
    opening: int = 0
    """With tree search: a game begins with 0 to so many actions at random, which are not learned from. Where nothing is
    left to chance, games would be much alike without them."""
    features: Literal["", "automatic"] = ""
    """Automatic features also for a game that declares some of its own."""
    imitate: str = ""
    """If not empty: the files of recorded games to learn from, with their digests, instead of self-play. `games` then
    counts games learned from, each of them as often as that takes."""
    exploit: str = ""
    """If not empty: the agent that the network learns to beat. It sits in all other seats, and the network in one."""
    pool: tuple[str, ...] = ()
    """Agents that a part of the games is played against, each in turn; the others are self-play."""

    @property
    def has_opponents(self) -> bool:
        """Whether agents that do not learn take part in games."""
        return bool(self.exploit or self.pool)

    def seat_counts(self, game: Game) -> tuple[int, ...]:
        """Those that games of self-play have in turn."""
        return tuple(game.seats) if self.all_seats else (self.seats,)


@dataclass(frozen=True)
class GenerationStats:
    """One generation's entry in the learning curve."""

    games: int
    """Games of self-play, or games learned from, so far."""
    value_loss: float
    policy_loss: float
    games_per_second: float
    decisions_per_game: float
    """Of all seats together."""
    score: float | None = None
    """The share of games won against the reference, where it was measured. (Networks trained by earlier versions have
    the mean return here, scaled to 0 to 1.)"""
    agreement: float | None = None
    """Imitation: the share of decisions in the games held out in which the network names the action chosen, where it
    was measured."""
    interval: tuple[float, float] | None = None
    """Of the score, 95 %."""
    staleness: int = 0
    """How many updates of the weights its games were played without."""
    seconds_waited: float = 0.0
    """How long the learner waited for its games."""


@dataclass(frozen=True)
class Strength:
    """What was measured against the reference."""

    score: float
    """The share of games won."""
    interval: tuple[float, float]
