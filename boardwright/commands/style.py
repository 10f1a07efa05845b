"""Play style: how agents play, side by side; characters, their calibration, and the search for new ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from boardwright.commands import common
from boardwright.commands.declared import group
from boardwright.commands.options import GameArgument, JobsOption, JsonOption, SeedOption, StudyOptions
from boardwright.errors import BadSpec
from boardwright.settings import argument, option, required

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.agents.characters import Cast
    from boardwright.kernel import Game
    from boardwright.playstyle.style_search import StyleSearch
    from boardwright.reports import Report


class CompareStyles(StudyOptions):
    """How do agents play, apart from how well? Profiles with intervals, distances, who is recognised by its games.

    Examples:

      boardwright style race netsearch heuristic scout2 --games 200 --plot styles.png

      boardwright style lords --records matches/evening.jsonl
    """

    agents: list[str] | None = argument("Whose styles to compare.", "AGENT...", default=None)
    games: int = option(100, "How many games.", "-n")
    records: list[Path] | None = option(None, "Read these record files instead of playing; repeatable.", metavar="FILE")
    folder: Path = option(
        Path("matches/style"), "Where games are recorded; games that are there already are not played again."
    )

    def run(self, console: Console) -> Report:
        """The profiles, as a report."""
        from boardwright.playstyle.games import play_for_style
        from boardwright.playstyle.profile import StyleGames
        from boardwright.playstyle.report import style_report

        played = common.named_game(self.game)
        common.check_games(self.games)
        common.check_plot(self.plot)
        if bool(self.records) == bool(self.agents):
            raise BadSpec("name the agents that are to play, or --records to read; not both")
        if self.records:
            read = [record for file in self.records for record in common.records_in(file)]
            if any(record.game != played.name for record in read):
                raise BadSpec(f"not all of these records are games of {played.name}")
            found = StyleGames.over(read)
            names = list(dict.fromkeys(row.agent for row in found.rows))
        else:
            names = list(self.agents or ())
            found = play_for_style(
                played,
                names,
                games=self.games,
                seats=played.check_seats(self.seats),
                seed=self.seed,
                executor=common.executor_given(self.jobs, self.on),
                folder=self.folder,
                options=common.options_given(self.options),
            )
        if not found.rows:
            raise BadSpec("there is no finished game to look at")
        report = style_report(played, found.rows, names, seed=self.seed)
        common.publish(report, console, self.json, self.plot)
        return report


class Characters(GameArgument, SeedOption, JobsOption, JsonOption):
    """The characters of a game: who they are, how strong, how they play. With --calibrate: measure it, in games of all
    characters of a strength with each other and their anchor.

    A calibration that was stopped goes on with the same command.

    Examples:

      boardwright characters race

      boardwright characters race --calibrate --file mine.json --tune 3 --games 600
    """

    calibrate: bool = option(False, "Let them meet each other and their anchors, and keep the ratings.", "--calibrate")
    file: Path | None = option(None, "Characters of your own; default: those of the game.", metavar="FILE")
    games: int = option(240, "How many games.", "-n")
    tune: int = option(0, "Before: set handicaps in so many rounds of 120 games each.", minimum=0, metavar="ROUNDS")
    target: float = option(
        0.5, "The share of anchors that tuned characters are to come before.", minimum=0.05, maximum=0.95
    )
    strength: list[str] | None = option(None, "This one alone; repeatable.", metavar="easy|middling|strong")
    styles: bool = option(False, "With --calibrate: measure styles alone; ratings stay as they are.", "--styles")
    folder: Path = option(
        Path("matches/characters"), "Where games are recorded; games that are there already are not played again."
    )

    def run(self, console: Console) -> Report:
        """The characters, or what the calibration has found."""
        from boardwright.agents.characters import cast_of, read_cast
        from boardwright.playstyle.cast_report import characters_report

        game = common.named_game(self.game)
        self._check()
        cast = read_cast(self.file, game) if self.file is not None else cast_of(game)
        if cast is None:
            raise BadSpec(f"{game.name} has no characters yet; write a file of them, docs/style.md shows how")
        report = self._calibrated(game, cast, console) if self.calibrate else characters_report(game, cast)
        common.publish(report, console, self.json, None)
        return report

    def _check(self) -> None:
        from boardwright.agents.characters import STRENGTHS
        from boardwright.errors import UnknownName

        common.check_games(self.games)
        common.check_outputs(self.json)
        if self.calibrate and self.file is None:
            raise BadSpec("--calibrate writes ratings into a file; name it with --file")
        if self.styles and (self.tune or not self.calibrate):
            raise BadSpec("--styles is for --calibrate without --tune")
        for name in self.strength or ():
            if name not in STRENGTHS:
                raise UnknownName("strength", name, STRENGTHS)

    def _calibrated(self, game: Game, cast: Cast, console: Console) -> Report:
        """After each strength, what was found is written."""
        from boardwright.agents.characters import STRENGTHS, write_cast
        from boardwright.files import alone
        from boardwright.playstyle.calibration import Calibration
        from boardwright.playstyle.cast_report import calibration_report, with_results, with_styles

        assert self.file is not None
        targets = dict.fromkeys(STRENGTHS, self.target)
        with alone(self.file.with_suffix(".lock"), f"{self.file} is being calibrated by another process"):
            executor = common.executor_given(self.jobs)
            calibration = Calibration(game, cast, self.folder, executor, self.games, self.seed, targets)
            anchors = cast.anchors if self.styles else calibration.anchors()
            cast = cast.model_copy(update={"anchors": anchors})
            keep, found = with_styles if self.styles else with_results, []
            with console.status("calibrating") as status:
                for own in calibration.run(anchors, self.tune, self.strength or ()):
                    found += own
                    write_cast(self.file, keep(cast, found))
                    status.update(", ".join(f"{one.character} {one.share:.1%}" for one in own))
        return calibration_report(game, cast, found)


class SearchStyles(GameArgument, SeedOption, JobsOption, JsonOption):
    """Search over tilts for characters: a map of behaviours, filled at a wanted strength (MAP-Elites).

    Example: boardwright style search race --by military --by develop --by explore --axes develop settle
    """

    by: list[str] = required("What tilts can be by, as military; repeatable.", metavar="NAME")
    axes: tuple[str, str] = required("The axes of the map.", metavar="FEATURE FEATURE")
    strength: str = option("middling", "Against this anchor.", metavar="easy|middling|strong")
    trials: int = option(40, "Candidates to try.", minimum=1)
    games: int = option(20, "How many games.", "-n")
    target: float = option(0.5, "The wanted share of games won.", minimum=0.05, maximum=0.95)
    out: Path = option(
        Path("style-search.jsonl"), "Every trial is a line of this file; a search that was stopped goes on."
    )
    folder: Path = option(Path("matches/style-search"), "Where games are recorded.")

    def run(self, console: Console) -> Report:
        """The map."""
        from boardwright.playstyle.cast_report import map_report

        common.check_games(self.games)
        common.check_outputs(self.json, self.out)
        plan = self.planned()
        plan.check()
        done = []
        with console.status("searching") as status:
            for trial in plan.run(self.trials, self.out):
                done.append(trial)
                status.update(f"trial {trial.number + 1} of {self.trials}: {trial.share:.1%}")
        report = map_report(plan.game, plan, done)
        common.publish(report, console, self.json, None)
        return report

    def planned(self) -> StyleSearch:
        from boardwright.agents import Spec
        from boardwright.agents.characters import cast_of
        from boardwright.errors import UnknownName
        from boardwright.playstyle.style_search import StyleSearch

        played = common.named_game(self.game)
        cast = cast_of(played)
        if cast is None:
            raise BadSpec(f"{played.name} has no characters, and so no anchors to search against")
        anchors = {str(name): version.spec for name, version in cast.anchors.items()}
        if self.strength not in anchors:
            raise UnknownName("strength", self.strength, anchors)
        anchor = anchors[self.strength]
        base = Spec.parse(anchor)
        steady = str(Spec(base.name, {name: value for name, value in base.params.items() if name != "variety"}))
        return StyleSearch(
            played,
            steady,
            anchor,
            self.by,
            self.axes,
            cast.seats,
            self.games,
            self.target,
            self.seed,
            self.folder,
            common.executor_given(self.jobs),
        )


app = group({"compare": CompareStyles, "search": SearchStyles})
COMMANDS = {"characters": Characters}
