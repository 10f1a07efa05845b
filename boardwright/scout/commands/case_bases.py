"""`boardwright cases`, but for building: labels for them, what is in them, tests, weights, documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from boardwright.commands.common import executor_given
from boardwright.commands.options import JsonOption, SeedOption, WorkerOptions
from boardwright.settings import Checked, argument, option, required

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.scout.cases.collection import CaseCollection

OUT = "The file: .cases is a case file, small and read-only; else a store is made."


class CaseBaseArgument(Checked):
    case_base: str = argument("A case file, a store, or `default`.", "CASES", default="default")


class LabelGames(SeedOption, WorkerOptions):
    """Let a learner play, and ask an expert about every action and placement it had to choose (DAgger).

    `cases build --begin-with CASES --labels FILE` trains a policy network on the labels. A stopped command goes on
    where it was.

    Example:

      boardwright cases label --of scout2 --expert netsearch:turns=2,determinizations=64 --out round1.labels
    """

    out: Path = required("The file of labels: a line of JSON for each game.")
    expert: str = required("Who says what every option is worth.", metavar="SPEC")
    of: str = required("The learner, whose decisions are labelled.", metavar="SPEC")
    vs: str = option("netsearch", "Whom the learner plays against.", metavar="SPEC")
    games: int = option(1000, "How many games.", "-n", minimum=1)

    def run(self, console: Console) -> int:
        """How many labels there are."""
        from boardwright.scout.commands.label import Labelling, label_positions

        executor = executor_given(self.jobs, self.on)
        labelling = Labelling(self.of, self.vs, self.expert, self.games, self.seed, executor)
        return label_positions(self.out, labelling, console)


class ShowCases(CaseBaseArgument):
    """Show what is in a case base.

    Example: boardwright cases stats scout.db
    """

    def run(self, console: Console) -> CaseCollection:
        """The cases."""
        from boardwright.scout.commands.case_reports import show_stats

        return show_stats(self.case_base, console)


class EvaluateCases(CaseBaseArgument, JsonOption):
    """Leave-one-game-out tests: ask SCOUT about cases, each time without the whole game the case is from.

    Cases alone answer, unless --policy-network is given: the network of a case base was trained on its own games.

    Examples:

      boardwright cases test default --limit 500 --weights dissertation --stages 1

      boardwright cases test default --asked other.cases --policy-network
    """

    limit: int = option(1000, "The most cases of each type.", minimum=1)
    weights: str = option("", "A profile of feature weights, or a .json file.")
    stages: int = option(0, "1-stage or 2-stage adaptation; 0: option rates instead.", minimum=0, maximum=2)
    k: int = option(0, "Cases to retrieve; 0: as the profile says.", "-k", minimum=0)
    scout: str = option("", "Other parameters of scout2, as similarity=facts.")
    leave: Literal["out", "in"] = option("out", "Leave the game of each case out, or everything in.")
    asked: str = option("", "Ask about the cases of another case base instead.", metavar="CASES")
    policy_network: bool = option(
        False, "With the network, trained anew on the games that are not asked about.", "--policy-network"
    )

    def run(self, console: Console) -> dict[str, Any]:
        """The figures by type, as `--json` writes them."""
        from boardwright.scout.commands.testing import Test, show_tests

        test = Test(self.case_base, self.limit, self.asked, self.leave == "in", self.policy_network)
        given = {"weights": self.weights, "stages": self.stages, "k": self.k}
        return show_tests(test, self.scout, given, self.json, console)


class ShowWeights(CaseBaseArgument):
    """Show which features matter, by the statistics of the case base.

    Example: boardwright cases weights default --card "Alien Robotic Factory"
    """

    card: str = option("", "Show what matters to placing this card.")

    def run(self, console: Console) -> None:
        from boardwright.scout.commands.case_reports import show_weights

        show_weights(self.case_base, self.card, console)


class LearnWeights(CaseBaseArgument):
    """Learn feature weights by leave-one-game-out tests; `scout2:weights=FILE` plays with them.

    Examples:

      boardwright cases learn scout.db --out learned.json

      boardwright cases learn scout.db --method gradient --passes 400 --start learned --out gradient.json
    """

    out: Path = option(Path("weights.json"), "Where the weights go, as JSON.")
    start: str = option("dissertation", "The weights to begin with.")
    limit: int = option(1500, "The most cases in each test.", minimum=10)
    passes: int = option(2, "How often every weight is tried; how many generations, or steps.", minimum=1)
    method: Literal["coordinate", "genetic", "cbl4", "gradient"] = option(
        "coordinate", "Coordinate search, a genetic algorithm, CBL4, or neighbourhood components."
    )
    indexed: bool = option(
        False,
        "Weigh only the features that the weights to begin with index, single cards as well as groups; and derived"
        " numbers, where they have any.",
        "--indexed",
    )

    def run(self, console: Console) -> dict[str, Any]:
        """The weights by type of decision, as in the file."""
        from boardwright.scout.commands.build import learn_weights

        return learn_weights(
            self.case_base, self.out, self.start, self.limit, self.passes, self.method, console, indexed=self.indexed
        )


class ExportCases(CaseBaseArgument):
    """Write every case as an XML document.

    Example: boardwright cases export scout.db documents
    """

    case_base: str = argument("A case file, a store, or `default`.", "CASES")
    folder: Path = argument("The folder for the documents.")

    def run(self, console: Console) -> int:
        """How many cases were written."""
        from boardwright.scout.cases.files import load_cases
        from boardwright.scout.cases.xml_folder import export_cases

        written = export_cases(load_cases(self.case_base), self.folder)
        console.out(f"{written:,} cases written to {self.folder}", highlight=False)
        return written


class ImportCases(Checked):
    """Make a case base from XML documents.

    Example: boardwright cases import documents --out scout.db
    """

    folder: Path = argument("A folder of XML documents.")
    out: Path = required(OUT)

    def run(self, console: Console) -> CaseCollection:
        """The cases."""
        from boardwright.scout.cases.files import exclusive, write_cases
        from boardwright.scout.cases.xml_folder import import_cases

        with exclusive(self.out):
            cases = import_cases(self.folder)
            write_cases(cases, self.out)
        console.out(f"{len(cases):,} cases of {cases.games:,} games in {self.out}", highlight=False)
        return cases


COMMANDS = {
    "label": LabelGames,
    "stats": ShowCases,
    "test": EvaluateCases,
    "weights": ShowWeights,
    "learn": LearnWeights,
    "export": ExportCases,
    "import": ImportCases,
}
