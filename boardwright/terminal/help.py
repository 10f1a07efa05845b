"""What `h` tells: how to answer, the rules in short, and what the columns of a hint mean."""

from __future__ import annotations

from rich.markup import escape

from boardwright.kernel import Game

COLUMNS = {
    "expects": "what a player can expect from an action, in the game's own measure: {low:g} is the worst result,"
    " {high:g} the best",
    "visits": "how often a search has tried an action; it tries again what looks good, so many visits mean trust",
    "share": "the part of all visits, or the probability with which an agent draws the action",
    "prior": "what a network thinks of an action at first sight, before anything is tried",
}
"""The columns of a table of reasons."""


def columns_text(game: Game) -> dict[str, str]:
    """What the columns of a table of reasons mean in a game."""
    return {name: text.format(low=game.min_utility, high=game.max_utility) for name, text in COLUMNS.items()}


def help_text(game: Game, one_choice: bool) -> str:
    """Everything that a person may want to know at a question."""
    how = "a number, or any part of a choice that fits only one" if one_choice else "numbers or names, as 1 3"
    lines = [
        f"[bold]Answers:[/] {how}.",
        "[bold]?[/] a hint   [bold]u[/] take back   [bold]p[/] the whole position   [bold]q[/] leave, to go on later",
        "[bold]Enter[/] alone shows the question again.",
    ]
    if game.text.action_steps is not None:
        lines.append("A choice in steps can be answered at once: '2 c3', or in words; [bold]b[/] goes back a step.")
    asked = [f"[bold]{escape(name)}[/]" for name in game.text.pages]
    asked += ["[bold]card NAME[/], what is printed on a card"] if game.text.cards is not None else []
    lines += [f"To look at: {', '.join(asked)}"] if asked else []
    lines.append("What you type while others think does not count.")
    if rules := game.text.rules_in_short():
        lines += ["", f"[bold]{escape(game.title)} in short[/]", escape(_paragraphs(rules))]
    lines += ["", "[bold]What the columns of a hint mean[/]"]
    lines += [f"{name}: {escape(text)}" for name, text in columns_text(game).items()]
    return "\n".join(lines)


def _paragraphs(text: str) -> str:
    """Text whose lines are joined to paragraphs: the terminal breaks them where it ends."""
    return "\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))
