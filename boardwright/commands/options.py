"""Options that several commands share, declared once. A command's dataclass inherits those that it takes."""

from __future__ import annotations

from pathlib import Path

from boardwright.commands.common import ON_RAY, check_outputs, check_plot
from boardwright.settings import Checked, argument, option


class GameArgument(Checked):
    game: str = argument("A game's name, or a Python file that defines one.", "GAME")


class SeatsOption(Checked):
    seats: int | None = option(None, "How many seats; default: as few as the game allows.")


class SeedOption(Checked):
    seed: int = option(0, "The same seed gives the same games.", "-s")


class JobsOption(Checked):
    jobs: int = option(1, "Processes to play in; 0: one for each core.", "-j")


class WorkerOptions(JobsOption):
    on: str | None = option(None, ON_RAY, metavar="ray[:ADDRESS]")


class JudgeOption(Checked):
    jobs: int = option(0, "Threads to judge with; 0: one for each core.", "-j")


class RecordedGameOption(Checked):
    game: int = option(1, "Which game of the file, from 1.", "-g", minimum=1)


class TrustOptions(Checked):
    """Records of a game that is in a Python file."""

    game_file: str | None = option(
        None, "The Python file of the game, for records of a game that has one.", metavar="FILE"
    )
    trust: bool = option(False, "Run the Python file that the records name as their game.", "--trust")


class VariantOption(Checked):
    options: list[str] | None = option(
        None, "A variant of the game; repeatable.", "--option", "-o", metavar="NAME=VALUE"
    )


class PositionOption(Checked):
    from_: Path | None = option(
        None, "Begin with a position of your own: JSON or YAML (docs/coach.md).", "--from", metavar="FILE"
    )


class ClockOption(Checked):
    clock: float | None = option(
        None, "Time for all decisions of a game, for each agent that keeps such a clock.", metavar="SECONDS"
    )


class SandboxOption(Checked):
    sandbox: bool = option(
        False, "Scripts and isolated agents get no network and a read-only file system.", "--sandbox"
    )


class FailureOptions(SandboxOption):
    """How agents are treated that are not our own."""

    on_failure: str | None = option(
        None,
        "If an agent fails: stop the match, let it lose that game, or play a random action for it. By default scripts"
        " and isolated agents forfeit, others stop.",
        metavar="stop|forfeit|substitute",
    )


class JsonOption(Checked):
    json: Path | None = option(None, "Write the result as JSON.")


class ResultOptions(JsonOption):
    plot: Path | None = option(None, "Draw the result: .png, .svg or .pdf.")

    def check_result_files(self) -> None:
        """What cannot be written is refused before the work."""
        check_plot(self.plot)
        check_outputs(self.json, self.plot)


class StudyOptions(GameArgument, SeatsOption, SeedOption, WorkerOptions, VariantOption, ResultOptions):
    """What studies of our own agents have in common."""
