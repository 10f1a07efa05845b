"""Puzzles at the terminal: one after the other, as spaced repetition says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from rich.console import Console
from rich.markup import escape

from boardwright.arena.loop import LeaveGame, TakeBack
from boardwright.coach.analysis import Analysis, OptionValue
from boardwright.coach.evaluators import evaluator_spec, make_evaluator
from boardwright.coach.narration import Narration
from boardwright.coach.puzzles import Puzzle
from boardwright.coach.repetition import HINTED, RIGHT, WRONG, Repetition
from boardwright.coach.review import Decision
from boardwright.kernel import Observation
from boardwright.kernel.entries import RULES
from boardwright.kernel.ready import make_ready
from boardwright.kernel.set_choice import SetChoice
from boardwright.terminal.human import Human


class Solver(Human):
    """A person who solves a puzzle: one step is asked for, even where it is part of a larger choice."""

    def prepare(self) -> None:
        super().prepare()
        self.hinted = False

    def _set_choice(self, observation: Observation) -> SetChoice | None:
        return None

    def _hint(self, observation: Observation, keys: Mapping[int, str]) -> None:
        self.hinted = True
        super()._hint(observation, keys)


def drill(puzzles: Sequence[Puzzle], repetition: Repetition, console: Console, count: int) -> int:
    """Ask so many puzzles; how many were solved."""
    by_id = {puzzle.id: puzzle for puzzle in puzzles}
    waiting = repetition.queue(list(by_id))[:count]
    if not waiting:
        soonest = min(repetition.due(name) for name in by_id)
        console.print(f"Nothing is due; the next puzzle comes again {_when(soonest)}.")
        return 0
    solved = asked = 0
    for number, name in enumerate(waiting, 1):
        console.print(f"\n[bold]Puzzle {number} of {len(waiting)}[/]", highlight=False)
        try:
            how = _ask(by_id[name], console)
        except LeaveGame:
            break
        asked, solved = asked + 1, solved + (how != WRONG)
        again = repetition.answered(name, how)
        repetition.save()
        console.print(f"[dim]It comes again {_when(again)}.[/]", highlight=False)
        if not _go_on(by_id[name], console):
            break
    console.print(
        f"\nSolved {solved} of {asked}; of all {len(by_id)} puzzles {repetition.solved(list(by_id))} are solved.",
        highlight=False,
    )
    return solved


_last: list[int] = []
"""What was answered last, for the question why."""


def _ask(puzzle: Puzzle, console: Console) -> str:
    game, observation = puzzle.load_game(), puzzle.observation()
    person = Solver(game, puzzle.seat)
    person.console = console
    make_ready([*game.entries.code(RULES)])
    while True:
        try:
            action = person.decide(observation).action
            break
        except TakeBack:
            console.print("[dim]There is nothing to take back in a puzzle.[/]")
    _last[:] = [action]
    right = action == puzzle.answer
    best = max(value for option, value in puzzle.values.items() if option != puzzle.answer)
    answer = escape(game.describe(observation, puzzle.answer))
    verdict = "[green]Right[/]" if right else f"[red]Not {escape(game.describe(observation, action))}[/]"
    console.print(
        f"{verdict}: {answer} leads to {100 * puzzle.values[puzzle.answer]:.0f} %, the next best option to"
        f" {100 * best:.0f} %.",
        highlight=False,
    )
    return WRONG if not right else HINTED if person.hinted else RIGHT


def _go_on(puzzle: Puzzle, console: Console) -> bool:
    while True:
        try:
            answer = console.input("[dim]Enter for the next, w for why, q to stop:[/] ").strip().lower()
        except EOFError:
            return False
        if answer in ("q", "quit"):
            return False
        if answer not in ("w", "why"):
            return True
        for sentence in why(puzzle, _last[0]):
            console.print(f"  {escape(sentence)}", highlight=False)


def why(puzzle: Puzzle, action: int) -> tuple[str, ...]:
    """Why the answer is better than that action or, if it was right, than the next best."""
    observation, game = puzzle.observation(), puzzle.load_game()
    others = {option: value for option, value in puzzle.values.items() if option != puzzle.answer}
    played = action if action != puzzle.answer else max(others, key=lambda option: others[option])
    value = puzzle.values.get(played, puzzle.values[puzzle.answer] - puzzle.gap)
    options = tuple(OptionValue(option, worth, 0.0, 0) for option, worth in puzzle.values.items())
    analysis = Analysis(
        played, puzzle.answer, value, 0.0, puzzle.values[puzzle.answer] - value, puzzle.standard_error, 0, options
    )
    texts = {option: game.describe(observation, option) for option in observation.legal_actions()}
    decision = Decision(0, puzzle.seat, "", "", texts[played], texts[puzzle.answer], analysis, texts)
    evaluator = make_evaluator(evaluator_spec(game, puzzle.seats), game, puzzle.seats)
    narration = Narration(evaluator)
    try:
        return narration.sentences(decision, observation)
    finally:
        narration.close()
        evaluator.close()


def _when(due: datetime) -> str:
    left = due - datetime.now(UTC)
    if left < timedelta(hours=1):
        minutes = max(1, round(left.total_seconds() / 60))
        return f"in {minutes} minute{'s' * (minutes > 1)}"
    return f"in {round(left.total_seconds() / 3600)} hours" if left < timedelta(days=2) else f"in {left.days} days"
