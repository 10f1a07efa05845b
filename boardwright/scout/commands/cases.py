"""`boardwright cases`: building, showing and evaluating case bases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from boardwright.commands.common import Jobs, On, executor_given
from boardwright.commands.declared import add_commands
from boardwright.scout.commands.case_bases import COMMANDS, OUT

cases = typer.Typer()

TEMPERATURE = 0.03
"""The prior weight of `netsearch`: with it, soft targets rank options as its search does."""

Out = Annotated[Path, typer.Option("--out", help=OUT)]


@cases.callback()
def _cases() -> None:
    """Case bases: the won games that SCOUT reasons from."""


@cases.command()
def build(
    out: Out,
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="For the agent `cases`, any game; left out: for SCOUT, which plays Race."
        ),
    ] = None,
    spec: Annotated[str | None, typer.Option("--from", metavar="SPEC", help="Let this agent play itself.")] = None,
    of: Annotated[
        str | None,
        typer.Option(
            "--of", metavar="SPEC", help="A teacher, or a name in the records: keep its decisions alone; it plays"
        ),
    ] = None,
    vs: Annotated[str | None, typer.Option("--vs", metavar="SPEC", help="against this agent.")] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same games.")] = 0,
    jobs: Jobs = 1,
    on: On = None,
    saves: Annotated[
        list[Path] | None, typer.Option("--from-saves", help="Saves or exports of the original program; repeatable.")
    ] = None,
    records: Annotated[
        list[Path] | None,
        typer.Option("--from-records", help="Games recorded by `match`, `play` or `scout run`; repeatable."),
    ] = None,
    types: Annotated[
        Literal["core", "all"], typer.Option(help="The decisions SCOUT reasons about, or all there are.")
    ] = "core",
    losers: Annotated[
        bool, typer.Option("--losers", help="The decisions of the losing seat instead: negative cases.")
    ] = False,
    keep: Annotated[
        int,
        typer.Option(
            "--keep", min=0, help="Keep cases of so many games only, and train the policy network on all; 0: all."
        ),
    ] = 0,
    begin_with: Annotated[
        str,
        typer.Option(
            "--begin-with", metavar="CASES", help="Keep the cases of this case base, and train its network further."
        ),
    ] = "",
    heads: Annotated[
        Literal["core", "all"],
        typer.Option(help="What the policy network is asked: actions and placements, or discards and payments, too."),
    ] = "core",
    seats: Annotated[int | None, typer.Option(help="With GAME: how many seats; default: as few as it allows.")] = None,
    initial: Annotated[
        int | None,
        typer.Option(
            "--initial", min=0, help="With GAME: cases of so many games only. 0: an empty case base, SCOUT's too."
        ),
    ] = None,
    space: Annotated[
        Literal["network", "own"],
        typer.Option(help="With GAME: cases lie in the space of the game's network, or of one trained on these games."),
    ] = "network",
    outlook: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="With GAME: look one action ahead for every option, by this evaluation of the game, or by `returns`:"
            " wins and losses alone.",
        ),
    ] = "",
    lost: Annotated[
        bool | None,
        typer.Option(
            "--lost/--won",
            help="With GAME: also the decisions of lost games, as where an agent plays, or those of won games alone, as"
            " where records are read for --of.",
        ),
    ] = None,
    labels: Annotated[
        list[Path] | None,
        typer.Option("--labels", help="With --begin-with: train it on an expert's labels, too (`cases label`)."),
    ] = None,
    temperature: Annotated[
        float, typer.Option("--temperature", min=0.001, help="By what difference in value labels tell options apart.")
    ] = TEMPERATURE,
) -> None:
    """Build a case base: of any game for the agent `cases`, or from the decisions of winners for SCOUT.

    Games that an agent plays are recorded beside it, so that a stopped build goes on where it was.

    Examples:

      boardwright cases build wonders --of netsearch --games 300 --out wonders.cases

      boardwright cases build race --from-records games.jsonl --of human --out mine.cases

      boardwright cases build --from netsearch --games 2000 --jobs 2 --out scout.db

      boardwright cases build --of netsearch:turns=2,determinizations=64 --vs netsearch --games 2000 --out taught.cases

      boardwright cases build --from-saves games.jsonl --out keldon.cases
    """
    from boardwright.commands.case_files import Source, build_case_file
    from boardwright.errors import BadSpec
    from boardwright.scout.commands.build import make_empty

    if game is not None:
        source = Source(of or spec or "", vs or "", games, seed, jobs, records or ())
        build_case_file(game, source, seats, lost, initial, out, own_space=space == "own", outlook=outlook)
        return
    if initial is not None and initial:
        raise BadSpec("--initial N is for GAME; SCOUT's case bases keep N games with --keep N")
    if initial == 0:
        make_empty(out)
        return
    from boardwright.scout.cases.building import ALL_TYPES, CORE_TYPES
    from boardwright.scout.commands.build import ExpertAdvice, Kept, Origin, build_cases, train_further
    from boardwright.scout.reasoners.policy_network import CORE_HEADS, POLICY_TYPES

    origin = Origin(spec, of, vs, games, seed, executor_given(jobs, on), saves or (), records or ())
    asked = POLICY_TYPES if heads == "all" else CORE_HEADS
    if labels and not begin_with:
        raise BadSpec("--labels train a network further: name its case base with --begin-with")
    if not begin_with:
        build_cases(out, origin, Kept(ALL_TYPES if types == "all" else CORE_TYPES, keep, losers, asked))
    elif keep or losers or types == "all":
        raise BadSpec("--begin-with keeps the cases of that case base: leave --types, --keep and --losers")
    else:
        train_further(out, origin, begin_with, ExpertAdvice(labels or (), temperature), asked)


add_commands(cases, COMMANDS)
