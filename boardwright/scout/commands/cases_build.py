"""`boardwright cases build`: a case base of any game for the agent `cases`, or of Race for SCOUT."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from boardwright.commands.common import executor_given
from boardwright.commands.options import SeedOption, WorkerOptions
from boardwright.errors import BadSpec
from boardwright.scout.commands.case_bases import OUT
from boardwright.settings import Checked, argument, option, required

if TYPE_CHECKING:
    from rich.console import Console

TEMPERATURE = 0.03
"""The prior weight of `netsearch`: with it, soft targets rank options as its search does."""


class GamesToLearnFrom(SeedOption, WorkerOptions):
    """Where the games of a case base come from."""

    from_: str | None = option(None, "Let this agent play itself.", "--from", metavar="SPEC")
    of: str | None = option(
        None, "A teacher, or a name in the records: keep its decisions alone; it plays", metavar="SPEC"
    )
    vs: str | None = option(None, "against this agent.", metavar="SPEC")
    games: int = option(1000, "How many games.", "-n", minimum=1)
    from_saves: list[Path] | None = option(None, "Saves or exports of the original program; repeatable.")
    from_records: list[Path] | None = option(None, "Games recorded by `match`, `play` or `scout run`; repeatable.")


class ForAnyGame(Checked):
    """What only a case file of the agent `cases` has."""

    seats: int | None = option(None, "With GAME: how many seats; default: as few as it allows.")
    initial: int | None = option(
        None, "With GAME: cases of so many games only. 0: an empty case base, SCOUT's too.", minimum=0
    )
    space: Literal["network", "own"] = option(
        "network", "With GAME: cases lie in the space of the game's network, or of one trained on these games."
    )
    outlook: str = option(
        "",
        "With GAME: look one action ahead for every option, by this evaluation of the game, or by `returns`: wins and"
        " losses alone.",
        metavar="NAME",
    )
    lost: bool | None = option(
        None,
        "With GAME: also the decisions of lost games, as where an agent plays, or those of won games alone, as where"
        " records are read for --of.",
        "--lost/--won",
    )


class ForScout(Checked):
    """What only SCOUT's case bases have."""

    types: Literal["core", "all"] = option("core", "The decisions SCOUT reasons about, or all there are.")
    losers: bool = option(False, "The decisions of the losing seat instead: negative cases.", "--losers")
    keep: int = option(0, "Keep cases of so many games only, and train the policy network on all; 0: all.", minimum=0)
    begin_with: str = option("", "Keep the cases of this case base, and train its network further.", metavar="CASES")
    heads: Literal["core", "all"] = option(
        "core", "What the policy network is asked: actions and placements, or discards and payments, too."
    )
    labels: list[Path] | None = option(None, "With --begin-with: train it on an expert's labels, too (`cases label`).")
    temperature: float = option(TEMPERATURE, "By what difference in value labels tell options apart.", minimum=0.001)


class BuildCases(GamesToLearnFrom, ForAnyGame, ForScout):
    """Build a case base: of any game for the agent `cases`, or from the decisions of winners for SCOUT.

    Games that an agent plays are recorded beside it, so that a stopped build goes on where it was.

    Examples:

      boardwright cases build wonders --of netsearch --games 300 --out wonders.cases

      boardwright cases build race --from-records games.jsonl --of human --out mine.cases

      boardwright cases build --from netsearch --games 2000 --jobs 2 --out scout.db

      boardwright cases build --of netsearch:turns=2,determinizations=64 --vs netsearch --games 2000 --out taught.cases

      boardwright cases build --from-saves games.jsonl --out keldon.cases
    """

    game: str | None = argument(
        "For the agent `cases`, any game; left out: for SCOUT, which plays Race.", "[GAME]", default=None
    )
    out: Path = required(OUT)

    def run(self, console: Console) -> Path:
        """The file."""
        if self.game is not None:
            self._build_for_any_game(self.game)
        elif self.initial:
            raise BadSpec("--initial N is for GAME; SCOUT's case bases keep N games with --keep N")
        elif self.initial == 0:
            from boardwright.scout.commands.build import make_empty

            make_empty(self.out)
        else:
            self._build_for_scout()
        return self.out

    def _build_for_any_game(self, game: str) -> None:
        from boardwright.commands.case_files import Source, build_case_file

        of, vs = self.of or self.from_ or "", self.vs or ""
        source = Source(of, vs, self.games, self.seed, self.jobs, self.from_records or ())
        own_space = self.space == "own"
        build_case_file(
            game, source, self.seats, self.lost, self.initial, self.out, own_space=own_space, outlook=self.outlook
        )

    def _build_for_scout(self) -> None:
        from boardwright.scout.cases.building import ALL_TYPES, CORE_TYPES
        from boardwright.scout.commands.build import ExpertAdvice, Kept, Origin, build_cases, train_further
        from boardwright.scout.reasoners.policy_network import CORE_HEADS, POLICY_TYPES

        executor = executor_given(self.jobs, self.on)
        saves, records = self.from_saves or (), self.from_records or ()
        origin = Origin(self.from_, self.of, self.vs, self.games, self.seed, executor, saves, records)
        heads = POLICY_TYPES if self.heads == "all" else CORE_HEADS
        if self.labels and not self.begin_with:
            raise BadSpec("--labels train a network further: name its case base with --begin-with")
        if not self.begin_with:
            types = ALL_TYPES if self.types == "all" else CORE_TYPES
            build_cases(self.out, origin, Kept(types, self.keep, self.losers, heads))
        elif self.keep or self.losers or self.types == "all":
            raise BadSpec("--begin-with keeps the cases of that case base: leave --types, --keep and --losers")
        else:
            advice = ExpertAdvice(self.labels or (), self.temperature)
            train_further(self.out, origin, self.begin_with, advice, heads)
