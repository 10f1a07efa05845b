"""`boardwright cases`: building, showing and evaluating case bases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from boardwright.commands.common import Jobs, On, executor_given
from boardwright.commands.declared import command
from boardwright.scout.commands.cases_build import OUT, CasesBuild

cases = typer.Typer()

CaseBaseName = Annotated[str, typer.Argument(metavar="CASES", help="A case file, a store, or `default`.")]
Out = Annotated[Path, typer.Option("--out", help=OUT)]


@cases.callback()
def _cases() -> None:
    """Case bases: the won games that SCOUT reasons from."""


cases.command()(command(CasesBuild, "build"))


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
