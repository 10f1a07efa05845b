"""`boardwright cases`: making, looking into and testing case libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

cases = typer.Typer(name="cases", no_args_is_help=True)

LibraryName = Annotated[str, typer.Argument(metavar="LIBRARY", help="A library file, or `default`.")]
Out = Annotated[Path, typer.Option("--out", help="The library file; .cases is small and read-only.")]


@cases.callback()
def _cases() -> None:
    """Case libraries: the won games that SCOUT reasons from."""


@cases.command()
def build(
    out: Out,
    spec: Annotated[str | None, typer.Option("--from", metavar="SPEC", help="Let this agent play itself.")] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same games.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0: one for each core.")] = 1,
    saves: Annotated[
        list[Path] | None, typer.Option("--from-saves", help="Saves or exports of the original program; repeatable.")
    ] = None,
    records: Annotated[
        list[Path] | None, typer.Option("--from-records", help="Games recorded by `match` or `play`; repeatable.")
    ] = None,
    types: Annotated[
        Literal["core", "all"], typer.Option(help="The decisions SCOUT reasons about, or all there are.")
    ] = "core",
    losers: Annotated[
        bool, typer.Option("--losers", help="The decisions of the losing seat instead: negative cases.")
    ] = False,
    keep: Annotated[
        int, typer.Option("--keep", min=0, help="Take cases out of so many games only, and learn from all; 0: of all.")
    ] = 0,
) -> None:
    """Make a library of the decisions of winners.

    Games that an agent plays are recorded beside the library, so that a stopped build goes on where it was.

    Examples:

      boardwright cases build --from netsearch --games 2000 --jobs 2 --out scout.db

      boardwright cases build --from-saves games.jsonl --out keldon.cases
    """
    from boardwright.scout.cases.building import ALL_TYPES, CORE_TYPES
    from boardwright.scout.commands.build import Origin, build_library

    origin = Origin(spec, games, seed, jobs, saves or (), records or ())
    build_library(out, origin, types=ALL_TYPES if types == "all" else CORE_TYPES, keep=keep, losers=losers)


@cases.command()
def stats(library: LibraryName = "default") -> None:
    """Show what is in a library.

    Example: boardwright cases stats scout.db
    """
    from boardwright.scout.commands.case_reports import show_stats

    show_stats(library)


@cases.command("test")
def ask_cases(
    library: LibraryName = "default",
    most: Annotated[int, typer.Option("--most", min=1, help="Cases to ask of each type.")] = 1000,
    weights: Annotated[str, typer.Option("--weights", help="A profile of feature weights, or a .json file.")] = "",
    stages: Annotated[int, typer.Option("--stages", min=1, max=2, help="1-stage or 2-stage adaptation.")] = 2,
    k: Annotated[int, typer.Option("-k", min=0, help="Cases to retrieve; 0: as the profile says.")] = 0,
    json: Annotated[Path | None, typer.Option("--json", help="Write the figures as JSON.")] = None,
) -> None:
    """Ask SCOUT about cases of the library, each time without the whole game the case is from.

    Example: boardwright cases test default --most 500
    """
    from boardwright.scout.commands.case_reports import show_tests

    show_tests(library, most, weights, stages, k, json)


@cases.command()
def weights(
    library: LibraryName = "default",
    card: Annotated[str, typer.Option("--card", help="Show what matters to placing this card.")] = "",
) -> None:
    """Show which features matter, as the library's statistics say.

    Example: boardwright cases weights default --card "Alien Robotic Factory"
    """
    from boardwright.scout.commands.case_reports import show_weights

    show_weights(library, card)


@cases.command()
def learn(
    library: LibraryName = "default",
    out: Annotated[Path, typer.Option("--out", help="Where the weights go, as JSON.")] = Path("weights.json"),
    start: Annotated[str, typer.Option("--start", help="The weights to begin with.")] = "dissertation",
    most: Annotated[int, typer.Option("--most", min=10, help="Cases to ask in each test.")] = 1500,
    passes: Annotated[int, typer.Option("--passes", min=1, help="How often every weight is tried.")] = 2,
) -> None:
    """Learn feature weights by leave-one-game-out tests; `scout2:weights=FILE` plays with them.

    Example: boardwright cases learn scout.db --out learned.json
    """
    from boardwright.scout.commands.build import learn_weights

    learn_weights(library, out, start, most, passes)


@cases.command("export")
def export_cases(
    library: LibraryName, folder: Annotated[Path, typer.Argument(help="The folder for the documents.")]
) -> None:
    """Write every case as an XML document.

    Example: boardwright cases export scout.db documents
    """
    from boardwright.scout.cases.files import load_library
    from boardwright.scout.cases.xml_folder import export

    print(f"{export(load_library(library), folder):,} cases written to {folder}")


@cases.command("import")
def import_cases(folder: Annotated[Path, typer.Argument(help="A folder of XML documents.")], out: Out) -> None:
    """Make a library of XML documents.

    Example: boardwright cases import documents --out scout.db
    """
    from boardwright.scout.cases.xml_folder import import_folder
    from boardwright.scout.commands.build import write_library

    write_library(import_folder(folder), out)
