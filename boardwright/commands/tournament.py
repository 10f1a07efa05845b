"""A tournament of everything that lies in a folder."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.commands.common import Jobs, Seats, check_games, in_sandbox, named_game, publish, seeds_given, terminal
from boardwright.commands.played import play_ladder
from boardwright.errors import BadSpec, BoardwrightError
from boardwright.files import make_folder

if TYPE_CHECKING:
    from boardwright.arena.tournament import Submission
    from boardwright.kernel import Game
    from boardwright.reports.tournament import Refusal


def tournament(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the submissions lie: files or folders.")],
    game: Annotated[str, typer.Option("--game", "-g", help="The game, or the path of one.")] = "connect_four",
    beside: Annotated[
        list[str] | None, typer.Option("--with", metavar="SPEC", help="An agent of ours that plays too; repeatable.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="Games at each table.")] = 20,
    seats: Seats = None,
    jobs: Jobs = 1,
    sandbox: Annotated[
        bool, typer.Option(help="Keep submissions from the network and from writing files (needs bubblewrap).")
    ] = True,
    out: Annotated[Path, typer.Option(help="The folder for games, results and their page.")] = Path("tournament"),
) -> None:
    """Let all agents and scripts of a folder meet. A submission that fails loses that game; one that cannot start is
    named and does not take part. Stopped, the same command goes on.

    Example: boardwright tournament submissions --game connect_four --with random --with uct:iterations=100
    """
    from boardwright.arena.ladder import Ladder
    from boardwright.arena.record import read_records
    from boardwright.arena.tournament import submissions
    from boardwright.files import atomic_output
    from boardwright.reports.tournament import forfeits, page, tournament_report

    check_games(games)
    loaded, console = named_game(game), terminal()
    count = loaded.check_seats(seats)
    entered, refused = _able(loaded, count, submissions(folder), sandbox)
    names = dict(zip(in_sandbox([entry.spec for entry in entered], sandbox), (e.name for e in entered), strict=True))
    specs = [*names, *(beside or [])]
    if len(specs) < count:
        raise BadSpec(f"{len(specs)} can take part, and {loaded.name} needs {count}; add some with --with random")
    planned = Ladder(loaded, tuple(specs), count, game_name=game, on_failure="forfeit", **seeds_given(None, specs))
    planned.check()
    make_folder(out, "games")
    try:
        results = play_ladder(planned, games, out, jobs, None, console)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    records = [record for file in sorted(out.glob("*.jsonl")) for record in read_records(file)]
    named = {spec: names.get(spec, spec) for spec in planned.specs}
    failed = {spec: reasons for spec, reasons in forfeits(records).items() if spec in named}
    report = tournament_report(loaded, results, failed, named, refused)
    publish(report, console, out / "results.json", None)
    with atomic_output(out / "index.html") as temporary:
        temporary.write_text(page(report, f"{loaded.title}: tournament"), encoding="utf-8", newline="\n")
    console.print(f"{out / 'index.html'}: the results as a page")


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


COMMANDS = (tournament,)
