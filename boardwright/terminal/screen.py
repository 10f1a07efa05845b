"""What a person sees at a question: the position and the choices together, on one screen if that can be."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from boardwright.kernel import Observation, State
from boardwright.terminal.layout import hanging, position_panel

_LEFT_FREE = 2
"""Lines of the screen that are left for output before and after."""
_GAP = 2
_BELOW_A_FRAME = 3
"""Lines that are printed below the frame of a position, as the result."""


def show_question(
    console: Console,
    observation: Observation,
    texts: Sequence[str],
    details: Sequence[str],
    asked: str = "",
    in_sight: int = 0,
    numbers: Sequence[int] = (),
) -> int:
    """The position, then the choices: each with what is to be known of it, or where the screen is too small for that,
    without. `in_sight`: how many lines ago the position was shown; it is not shown again if it stays on the screen.
    `numbers`: what is typed for each choice; default: from 1 on. Returns how many lines it is from there to the answer,
    that one included."""
    room = console.height - _LEFT_FREE - 1 - bool(asked)  # a line is for the answer
    numbers = numbers or range(1, len(texts) + 1)
    full, brief = detailed(texts, details, console.width, numbers), in_columns(texts, console.width, numbers)
    lines = full
    if not in_sight or in_sight + len(full) > room:
        position = position_lines(observation, console.width)
        lines = full if len(position) + len(full) <= room else brief
        console.rule(f"[bold]{escape(position[0])}[/]", align="left")
        for line in position[1:]:
            console.print(Text(line), highlight=False, soft_wrap=True)
        in_sight = len(position)
    for line in lines:
        console.print(Text.from_markup(line), highlight=False, soft_wrap=True)
    if asked:
        console.print(asked, highlight=False)
    return in_sight + len(lines) + bool(asked) + 1


def position_lines(observation: Observation, width: int) -> list[str]:
    """What is shown of the position, the first line with the game's name."""
    game = observation.game
    title = f"{game.title}: you are {game.seat_name(observation.seat)}"
    if game.text.show_brief is None:
        return [title, *hanging(str(observation), width).split("\n")]
    first, _, rest = game.text.show_brief(observation.record, observation.seat).partition("\n")
    head = f"{title}. {first}"
    lines = hanging(rest, width).split("\n") if rest else []
    return [head, *lines] if len(head) < width else [title, *hanging(first, width).split("\n"), *lines]


def show_open_position(state: State, seat: int, title: str, console: Console) -> None:
    """A position with everything open, in a frame; where that is longer than the screen, in short, as a seat would see
    it, and without a frame, which would take of the width."""
    text, brief = str(state), state.game.text.show_brief
    panel = position_panel(text, title, console)
    if brief is None or len(console.render_lines(panel)) + _BELOW_A_FRAME <= console.height:
        console.print(panel)
        return
    console.rule(f"[bold]{escape(title)}[/]", align="left")
    for line in hanging(brief(state.record, seat), console.width).split("\n"):
        console.print(Text(line), highlight=False, soft_wrap=True)


def detailed(texts: Sequence[str], details: Sequence[str], width: int, numbers: Sequence[int]) -> list[str]:
    """A choice in each line, with what is to be known of it; without details, in columns."""
    if not any(details):
        return in_columns(texts, width, numbers)
    digits, lines = len(str(max(numbers))), []
    for number, text, detail in zip(numbers, texts, details, strict=True):
        whole = f"{number:>{digits}} {text}" + (f": {detail}" if detail else "")
        first, *rest = hanging(whole, width, further_in=digits + 3).split("\n")
        head = f"{number:>{digits}} {text}"[: len(first)]
        lines.append(f"[bold cyan]{head[:digits]}[/][bold]{escape(head[digits:])}[/]{escape(first[len(head) :])}")
        lines += [escape(line) for line in rest]
    return lines


def in_columns(texts: Sequence[str], width: int, numbers: Sequence[int]) -> list[str]:
    """The choices without details, as many beside each other as there is room for; long ones go on below."""
    digits = len(str(max(numbers)))
    widest = max(map(len, texts)) + digits + 1 + _GAP
    per_row = max(1, (width + _GAP) // widest)
    rows = -(-len(texts) // per_row)
    lines = []
    for row in range(rows):
        cells = []
        for place in range(row * per_row, min((row + 1) * per_row, len(texts))):
            cell = f"{numbers[place]:>{digits}} {texts[place]}"
            cell = hanging(cell, width, further_in=digits + 1) if per_row == 1 else cell.ljust(widest - _GAP)
            cells.append(f"[bold cyan]{cell[:digits]}[/]{escape(cell[digits:])}")
        lines += (" " * _GAP).join(cells).rstrip().split("\n")
    return lines
