"""`boardwright cases`: building, showing and evaluating case bases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from boardwright.commands.common import Jobs, On, executor_given

cases = typer.Typer()

TEMPERATURE = 0.03
"""The prior weight of `netsearch`: with it, soft targets rank options as its search does."""

CaseBaseName = Annotated[str, typer.Argument(metavar="CASES", help="A case file, a store, or `default`.")]
Out = Annotated[
    Path, typer.Option("--out", help="The file: .cases is a case file, small and read-only; else a store is made.")
]


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


@cases.command()
def label(
    out: Annotated[Path, typer.Option("--out", help="The file of labels: a line of JSON for each game.")],
    expert: Annotated[str, typer.Option("--expert", metavar="SPEC", help="Who says what every option is worth.")],
    of: Annotated[str, typer.Option("--of", metavar="SPEC", help="The learner, whose decisions are labelled,")],
    vs: Annotated[str, typer.Option("--vs", metavar="SPEC", help="and whom it plays against.")] = "netsearch",
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same games.")] = 0,
    jobs: Jobs = 1,
    on: On = None,
) -> None:
    """Let a learner play, and ask an expert about every action and placement it had to choose (DAgger).

    `cases build --begin-with CASES --labels FILE` trains a policy network on the labels. A stopped command goes on
    where it was.

    Example:

      boardwright cases label --of scout2 --expert netsearch:turns=2,determinizations=64 --out round1.labels
    """
    from boardwright.scout.commands.label import Labelling, label_positions

    label_positions(out, Labelling(of, vs, expert, games, seed, executor_given(jobs, on)))


@cases.command()
def stats(case_base: CaseBaseName = "default") -> None:
    """Show what is in a case base.

    Example: boardwright cases stats scout.db
    """
    from boardwright.scout.commands.case_reports import show_stats

    show_stats(case_base)


@cases.command("test")
def evaluate(
    case_base: CaseBaseName = "default",
    limit: Annotated[int, typer.Option("--limit", min=1, help="The most cases of each type.")] = 1000,
    weights: Annotated[str, typer.Option("--weights", help="A profile of feature weights, or a .json file.")] = "",
    stages: Annotated[
        int, typer.Option("--stages", min=0, max=2, help="1-stage or 2-stage adaptation; 0: option rates instead.")
    ] = 0,
    k: Annotated[int, typer.Option("-k", min=0, help="Cases to retrieve; 0: as the profile says.")] = 0,
    scout: Annotated[str, typer.Option("--scout", help="Other parameters of scout2, as similarity=facts.")] = "",
    leave: Annotated[
        Literal["out", "in"], typer.Option("--leave", help="Leave the game of each case out, or everything in.")
    ] = "out",
    asked: Annotated[
        str, typer.Option("--asked", metavar="CASES", help="Ask about the cases of another case base instead.")
    ] = "",
    policy_network: Annotated[
        bool,
        typer.Option("--policy-network", help="With the network, trained anew on the games that are not asked about."),
    ] = False,
    json: Annotated[Path | None, typer.Option("--json", help="Write the figures as JSON.")] = None,
) -> None:
    """Leave-one-game-out tests: ask SCOUT about cases, each time without the whole game the case is from.

    Cases alone answer, unless --policy-network is given: the network of a case base was trained on its own games.

    Examples:

      boardwright cases test default --limit 500 --weights dissertation --stages 1

      boardwright cases test default --asked other.cases --policy-network
    """
    from boardwright.scout.commands.testing import Test, show_tests

    test = Test(case_base, limit, asked, leave == "in", policy_network)
    show_tests(test, scout, {"weights": weights, "stages": stages, "k": k}, json)


@cases.command()
def weights(
    case_base: CaseBaseName = "default",
    card: Annotated[str, typer.Option("--card", help="Show what matters to placing this card.")] = "",
) -> None:
    """Show which features matter, by the statistics of the case base.

    Example: boardwright cases weights default --card "Alien Robotic Factory"
    """
    from boardwright.scout.commands.case_reports import show_weights

    show_weights(case_base, card)


@cases.command()
def learn(
    case_base: CaseBaseName = "default",
    out: Annotated[Path, typer.Option("--out", help="Where the weights go, as JSON.")] = Path("weights.json"),
    start: Annotated[str, typer.Option("--start", help="The weights to begin with.")] = "dissertation",
    limit: Annotated[int, typer.Option("--limit", min=10, help="The most cases in each test.")] = 1500,
    passes: Annotated[
        int,
        typer.Option("--passes", min=1, help="How often every weight is tried; how many generations, or steps."),
    ] = 2,
    method: Annotated[
        Literal["coordinate", "genetic", "cbl4", "gradient"],
        typer.Option("--method", help="Coordinate search, a genetic algorithm, CBL4, or neighbourhood components."),
    ] = "coordinate",
    indexed: Annotated[
        bool,
        typer.Option(
            "--indexed",
            help="Weigh only the features that the weights to begin with index, single cards as well as groups; and"
            " derived numbers, where they have any.",
        ),
    ] = False,
) -> None:
    """Learn feature weights by leave-one-game-out tests; `scout2:weights=FILE` plays with them.

    Examples:

      boardwright cases learn scout.db --out learned.json

      boardwright cases learn scout.db --method gradient --passes 400 --start learned --out gradient.json
    """
    from boardwright.scout.commands.build import learn_weights

    learn_weights(case_base, out, start, limit, passes, method, indexed=indexed)


@cases.command("export")
def export_documents(
    case_base: CaseBaseName, folder: Annotated[Path, typer.Argument(help="The folder for the documents.")]
) -> None:
    """Write every case as an XML document.

    Example: boardwright cases export scout.db documents
    """
    from boardwright.scout.cases.files import load_cases
    from boardwright.scout.cases.xml_folder import export_cases

    print(f"{export_cases(load_cases(case_base), folder):,} cases written to {folder}")


@cases.command("import")
def import_documents(folder: Annotated[Path, typer.Argument(help="A folder of XML documents.")], out: Out) -> None:
    """Make a case base from XML documents.

    Example: boardwright cases import documents --out scout.db
    """
    from boardwright.scout.commands.build import import_folder

    import_folder(folder, out)
