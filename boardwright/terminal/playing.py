"""Playing in the terminal: a game with people in it, kept while it is played, recorded when it is over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from boardwright.agents import Spec
from boardwright.arena.loop import LeaveGame, Listener
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, GameRecorder, next_index
from boardwright.arena.record_file import append_record
from boardwright.arena.seeds import HiddenSeed
from boardwright.arena.session import GameSession
from boardwright.errors import AgentFailed, BadSpec
from boardwright.files import alone, make_folder
from boardwright.kernel import rng
from boardwright.kernel.ready import make_ready
from boardwright.registry import is_file_name
from boardwright.terminal import unfinished
from boardwright.terminal.narrator import Narrator


def match_of(game: str, left: unfinished.Unfinished, trust: bool = False) -> Match:
    """A game that was left, as it was entered. Agents in Python files are run only if the user trusts it."""
    for spec in left.agents:
        parsed = Spec.parse(spec)
        if not trust and any(is_file_name(name) for name in parsed.agents()):
            raise BadSpec(f"the game that was left runs the Python file of {spec}; --trust allows it")
        if not trust and parsed.runs_programs:
            raise BadSpec(f"the game that was left runs the program of {spec}; --trust allows it")
    return Match(game, tuple(left.agents), left.seed or 0, dict(left.options), salt=left.salt, position=left.position)


def play(
    match: Match,
    console: Console,
    *,
    explain: bool = False,
    record: Path | None = None,
    resumed: unfinished.Unfinished | None = None,
    file: Path | None = None,
    coach: Callable[[Callable[[], bool]], Listener] | None = None,
    teach: Callable[[GameRecord], str] | None = None,
) -> GameRecord | None:
    """A game with people in it, seats as entered. Played to the end it is recorded, and returned. One that is left
    before is kept, and goes on with `resumed`, which was in `file`; None is returned, or KeyboardInterrupt raised after
    Ctrl-C. `coach` makes a listener that comments on decisions; it gets a function that says whether what happens is
    known already. `teach` learns from a finished game, and says what."""
    match.check()
    make_ready(match.needs())
    name = match.game.source or match.game_name
    make_folder(unfinished.FOLDER, "games")
    unfinished.clear_leftovers()
    file, record = file or unfinished.unfinished_file(match), record or unfinished.finished_file(match.game_name)
    left = resumed or unfinished.Unfinished(
        game=name,
        options=match.all_options,
        seed=match.seed,
        salt=match.salt,
        position=dict(match.position),
        agents=list(match.entrants),
    )
    hidden = HiddenSeed(file) if match.has_foreign_agents else None
    again = f"boardwright play {match.game_name} --resume{'' if hidden else f' --seed {match.seed}'}"
    console.print(f"[dim]Seed {match.seed}. Leave with q; go on with: {escape(again)}[/]", soft_wrap=True)
    busy = f"the game in {file} is being played in another terminal"
    with alone(file.with_suffix(".lock"), busy):
        try:
            recorder = _play(match, console, left, file, hidden, explain, coach)
        except (LeaveGame, KeyboardInterrupt) as how:
            console.print(f"\n[dim]Left. Go on with: {escape(again)}[/]", soft_wrap=True)
            if isinstance(how, KeyboardInterrupt):
                raise
            return None
        number = 1 + next_index(record)
        finished = recorder.record().model_copy(update={"index": number - 1})
        append_record(record, finished)
        file.unlink(missing_ok=True)
        if hidden is not None:
            hidden.forget()
    which = f" --game {number}" if number > 1 else ""
    which += f" --game-file {match.game_name}" if is_file_name(match.game_name) else ""
    console.print(
        f"[dim]Seed {match.seed}. See it again with: boardwright replay {escape(str(record))}{which}[/]", soft_wrap=True
    )
    if teach is not None:
        console.print(f"[dim]{escape(teach(finished))}[/]", soft_wrap=True)
    return finished


def _play(
    match: Match,
    console: Console,
    left: unfinished.Unfinished,
    file: Path,
    hidden: HiddenSeed | None,
    explain: bool,
    coach: Callable[[Callable[[], bool]], Listener] | None,
) -> GameRecorder:
    """Play what is left. LeaveGame or KeyboardInterrupt if it does not come to its end; it is kept then."""
    seats = range(len(match.entrants))
    recorder = GameRecorder(
        seed=match.seed,
        agents=match.entrants,
        order=list(seats),
        match_seed=match.seed,
        salt=match.salt,
        **match.about(),
    )
    salt = [match.salt] if match.salt else []
    session = GameSession(
        match.game,
        match.entrants,
        seed=match.seed,
        agent_seeds=[rng.derive(match.seed, rng.Stream.TERMINAL, seat, *salt) for seat in seats],
        options=match.options,
        on_failure=match.on_failure,
        position=match.position or None,
    )
    with session:
        people = {seat for seat, agent in enumerate(session.agents) if agent.interactive}
        autosave = unfinished.Autosave(file, left, people, hidden)

        def known() -> bool:
            return session.remaining > 0

        narrator = Narrator(console, match.entrants, explain, quiet=known)
        session.listeners += [recorder, autosave, narrator, *([coach(known)] if coach is not None else [])]
        try:
            session.play(after=left.actions)
        except (LeaveGame, KeyboardInterrupt):
            autosave.write()
            raise
        except AgentFailed as error:
            autosave.write()
            spec = match.entrants[error.seat or 0]
            raise AgentFailed(
                f"{spec} failed: {error}; the game is kept in {file}", traceback=error.traceback
            ) from error
    return recorder
