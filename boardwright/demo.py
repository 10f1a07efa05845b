"""What `make demo` shows: two short matches, one decision with its reasons; then it compiles for what comes next."""

from __future__ import annotations

import tempfile
from pathlib import Path

from rich.console import Console

from boardwright.arena.match import Match
from boardwright.arena.runner import run_match
from boardwright.kernel.ready import make_ready
from boardwright.learn import self_play
from boardwright.registry import load_game
from boardwright.reports.console import show
from boardwright.reports.standings import match_report
from boardwright.terminal.explain import explain_position, position_after
from boardwright.terminal.progress import MatchProgress

MATCHES = [
    (Match("connect_four", ("uct:iterations=2000", "flat:iterations=2000"), seed=1), 60),
    (Match("kuhn_poker", ("ismcts:iterations=500", "optimal"), seed=1), 600),
]
NEXT = [
    Match("connect_four", ("human", "uct")),
    Match("race", ("human", "netsearch")),
    Match("race", ("heuristic", "random")),
    Match("colonizers", ("netsearch", "heuristic", "heuristic", "heuristic")),
]
"""What the README's next commands use. It is compiled here, so that they start at once."""


def demo(console: Console) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for number, (match, games) in enumerate(MATCHES):
            console.rule(f"[bold]boardwright match {match.game_name} {' '.join(match.entrants)} --games {games}")
            file = Path(folder) / f"{number}.jsonl"
            outcome = run_match(match, games, file=file, listeners=[MatchProgress(console)])
            show(match_report(match, outcome), console)
            console.print()
            if outcome.interrupted:
                return
    moves, spec = "4 4 3", "uct:iterations=100000"
    console.rule(f'[bold]boardwright explain connect_four {spec} --moves "{moves}"')
    explain_position(position_after(load_game("connect_four"), None, 1, {}, moves.split(), 0), spec, 1, console)
    console.print()
    make_ready([part for match in NEXT for part in match.needs()] + [self_play.code])
    console.print("Next: [bold]boardwright web[/] to play in your browser, [bold]boardwright play connect_four[/] to")
    console.print("play here, [bold]boardwright --help[/], and docs/write-a-game.md")
