"""A tournament of everything that lies in a folder."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from boardwright.commands.common import check_games, in_sandbox, named_game, publish, seeds_given
from boardwright.commands.options import JobsOption, SeatsOption
from boardwright.commands.played import play_ladder
from boardwright.errors import BadSpec, BoardwrightError
from boardwright.files import make_folder
from boardwright.settings import argument, option

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.arena.tournament import Submission
    from boardwright.kernel import Game
    from boardwright.reports import Report
    from boardwright.reports.tournament import Refusal


class PlayTournament(SeatsOption, JobsOption):
    """Let all agents and scripts of a folder meet. A submission that fails loses that game; one that cannot start is
    named and does not take part. Stopped, the same command goes on.

    Example: boardwright tournament submissions --game connect_four --with random --with uct:iterations=100
    """

    folder: Path = argument("Where the submissions lie: files or folders.", "FOLDER")
    game: str = option("connect_four", "The game, or the path of one.", "-g")
    beside: list[str] | None = option(None, "An agent of ours that plays too; repeatable.", "--with", metavar="SPEC")
    games: int = option(20, "Games at each table.", "-n")
    sandbox: bool = option(
        True, "Keep submissions from the network and from writing files (needs bubblewrap).", "--sandbox/--no-sandbox"
    )
    out: Path = option(Path("tournament"), "The folder for games, results and their page.")

    def run(self, console: Console) -> Report:
        """The ratings, forfeits and refusals."""
        from boardwright.arena.ladder import Ladder
        from boardwright.arena.record import read_records
        from boardwright.arena.tournament import submissions
        from boardwright.files import atomic_output
        from boardwright.reports.tournament import forfeits, page, tournament_report

        check_games(self.games)
        loaded, out = named_game(self.game), self.out
        seats = loaded.check_seats(self.seats)
        entered, refused = _able(loaded, seats, submissions(self.folder), self.sandbox)
        isolated = in_sandbox([entry.spec for entry in entered], self.sandbox)
        names = dict(zip(isolated, (entry.name for entry in entered), strict=True))
        specs = [*names, *(self.beside or [])]
        if len(specs) < seats:
            raise BadSpec(f"{len(specs)} can take part, and {loaded.name} needs {seats}; add some with --with random")
        seeds = seeds_given(None, specs)
        planned = Ladder(loaded, tuple(specs), seats, game_name=self.game, on_failure="forfeit", **seeds)
        planned.check()
        make_folder(out, "games")
        results = play_ladder(planned, self.games, out, self.jobs, None, console)
        records = [record for file in sorted(out.glob("*.jsonl")) for record in read_records(file)]
        named = {spec: names.get(spec, spec) for spec in planned.specs}
        failed = {spec: reasons for spec, reasons in forfeits(records).items() if spec in named}
        report = tournament_report(loaded, results, failed, named, refused)
        publish(report, console, out / "results.json", None)
        with atomic_output(out / "index.html") as temporary:
            temporary.write_text(page(report, f"{loaded.title}: tournament"), encoding="utf-8", newline="\n")
        console.print(f"{out / 'index.html'}: the results as a page")
        return report


def _able(game: Game, seats: int, entered: list[Submission], sandbox: bool) -> tuple[list[Submission], list[Refusal]]:
    """Those that can begin a game, and why the others cannot."""
    from boardwright.kernel.ready import make_ready
    from boardwright.registry import make_agent
    from boardwright.reports.tournament import Refusal

    able, refused = [], []
    state = game.new(seed=0, seats=seats)
    for entry in entered:
        (spec,) = in_sandbox([entry.spec], sandbox)
        try:
            with closing(make_agent(spec, game, state.player)) as agent:
                make_ready(agent.needs())
                agent.decide(state.observation(state.player))
        except BoardwrightError as error:
            refused.append(Refusal(entry.name, str(error)))
        else:
            able.append(entry)
    return able, refused


COMMANDS = {"tournament": PlayTournament}
