"""What somebody at a table is shown: the position as far as their seat may know it, as plain data.

A view is a seat, SPECTATOR, or EVERYTHING. Whatever is sent about a position is made here, from the observation of
that view and not from the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from boardwright.blame import sentence
from boardwright.drawing import WIDE, WIDTHS, Layout, draw_text
from boardwright.errors import IllegalAction
from boardwright.kernel import SPECTATOR, Game, Observation, State
from boardwright.kernel.set_choice import SetChoice
from boardwright.web.messages import Choice, Position, ScoreSheet, SetItem, SetQuestion, TipShown

EVERYTHING = None
View = int | None

UNSEEN = "makes a choice that you cannot see"


def seen(state: State, view: View) -> State | Observation:
    """The position as the view knows it."""
    if view is EVERYTHING:
        return state
    return state.public() if view == SPECTATOR else state.observation(view)


def layout_for(width: float, touch: bool, toggled: Iterable[int]) -> Layout:
    """The room of a page, rounded down so that people with similar screens share pictures."""
    return Layout(max((known for known in WIDTHS if known <= width), default=WIDTHS[0]), touch, frozenset(toggled))


def picture(state: State, view: View, layout: Layout = WIDE) -> str:
    """As an SVG; nothing where a game with secrets has no drawing to keep them."""
    if view == SPECTATOR and state.game.text.draw_state is None:
        return "" if state.game.information.observe is not None else state.to_svg(layout)
    game = state.game
    return _by_author(
        game,
        lambda: seen(state, view).to_svg(layout),
        lambda fault: draw_text(game.title, f"The picture cannot be drawn:\n\n{fault}", layout),
    )


def _by_author(game: Game, make: Callable[[], str], instead: Callable[[str], str]) -> str:
    """What a game's own functions make. Those in a file of whoever runs the server may fail while they are written: the
    message then says what is wrong, with the line, and the rest of the page works."""
    try:
        return make()
    except Exception as error:
        if not game.source:
            raise
        return instead(sentence(error))


def _description(position: State | Observation, action: int) -> str:
    game = position.game
    return _by_author(game, lambda: game.describe(position, action), lambda fault: f"action {action} ({fault})")


def tips(state: State, view: View) -> list[TipShown]:
    """What somebody who plays their first game should know now."""
    guide = state.game.text.guide
    if guide is None or view is EVERYTHING or view == SPECTATOR:
        return []
    fitting = guide.fitting(state.observation(view).record, view)
    return [TipShown(name=tip.name, text=tip.text, at=tip.at) for tip in fitting]


def score_sheet(state: State) -> ScoreSheet:
    """Where everybody's points come from; without parts where the game does not tell them."""
    totals, find = [float(score) for score in state.scores], state.game.metrics.seat_metrics
    has_points = state.game.rules.scores is not None
    if find is None:
        return ScoreSheet(has_points=has_points, parts=[], rows=[[] for _ in totals], totals=totals)
    found = [find(state.record, seat).score_parts for seat in range(state.seats)]
    parts = [str(part) for part in found[0]]
    rows = [[float(row[part]) for part in parts] for row in found]
    return ScoreSheet(has_points=has_points, parts=parts, rows=rows, totals=totals)


def text(state: State, view: View) -> str:
    """As text; nothing where a game with secrets does not know of spectators."""
    if view == SPECTATOR and state.game.text.draw_state is None:
        return "" if state.game.information.observe is not None else str(state)
    return _by_author(state.game, lambda: str(seen(state, view)), lambda fault: f"There is no text: {fault}")


def choices(observation: Observation) -> list[Choice]:
    """The legal actions of the seat to move, with their descriptions."""
    legal = observation.legal_actions()
    numbers = observation.game.choice_numbers(observation, legal)
    return [
        Choice(action=action, text=_description(observation, action), number=number)
        for action, number in zip(legal, numbers, strict=True)
    ]


def set_choice(observation: Observation) -> SetChoice | None:
    """The choice of several things at once that a seat has, if it has one and has not begun to make it."""
    find = observation.game.text.set_choice
    choice = find(observation.record) if find is not None else None
    return None if choice is None or choice.begun else choice


def set_question(choice: SetChoice) -> SetQuestion:
    many = f"{choice.most}" if choice.least == choice.most else f"{choice.least} to {choice.most}"
    return SetQuestion(
        verb=choice.verb,
        question=f"{choice.verb.capitalize()} {many} of {len(choice.items)}.",
        items=[
            SetItem(text=text, detail=detail, key=key)
            for text, detail, key in zip(choice.items, choice.details, choice.keys, strict=True)
        ],
        least=choice.least,
        most=choice.most,
    )


def set_steps(observation: Observation, places: Sequence[int]) -> list[int]:
    """The actions that choose these places of the set; IllegalAction if they cannot be chosen."""
    choice = set_choice(observation)
    if choice is None:
        raise IllegalAction("there is no set to choose from now")
    if len(set(places)) != len(places) or not all(0 <= place < len(choice.items) for place in places):
        raise IllegalAction(f"the places must be different ones from 0 to {len(choice.items) - 1}")
    if not choice.least <= len(places) <= choice.most:
        raise IllegalAction(f"{len(places)} chosen; {set_question(choice).question}")
    return choice.actions(sorted(places))


def position(state: State, view: View, layout: Layout = WIDE, *, with_choices: bool = False) -> Position:
    """Everything about a position that the view may know. `with_choices`: those of the seat to move, whoever looks."""
    shown = Position(
        player=None if state.is_terminal else state.player,
        over=state.is_terminal,
        picture=picture(state, view, layout),
        text=text(state, view),
    )
    if state.is_terminal:
        found = {"scores": list(state.scores), "returns": list(state.returns), "sheet": score_sheet(state)}
        return shown.model_copy(update=found)
    if not with_choices and view not in (EVERYTHING, state.player):
        return shown
    return shown.model_copy(update=question(state))


def question(state: State) -> dict[str, Any]:
    """What the seat to move can choose from: actions, and a set of things if it is a choice of several at once."""
    observation = state.observation(state.player)
    choice = set_choice(observation)
    return {"choices": choices(observation), "set": None if choice is None else set_question(choice)}


def described(state: State, action: int) -> tuple[str, list[bool]]:
    """The description of an action about to be played, and which seats may know it."""
    game, memory = state.game, state.memory
    mover = state.player
    known = [
        seat == mover or int(game.entries.action_observation(memory, action, seat)) == action
        for seat in range(state.seats)
    ]
    return _description(state, action), known


def observations(state: State) -> list[Observation]:
    """Everybody's, where the game says what comes to light."""
    return [state.observation(seat) for seat in range(state.seats)] if state.game.text.revealed else []


def revealed(before: list[Observation], after: State) -> list[list[str]]:
    """What an action brought to light besides itself, for each seat."""
    if not before:
        return [[] for _ in range(after.seats)]
    return [after.game.revealed(seen, after.observation(seen.seat)) for seen in before]


def may_know(known: list[bool], view: View) -> bool:
    if view is EVERYTHING:
        return True
    return all(known) if view == SPECTATOR else known[view]


def result_text(game: Game, state: State, names: list[str]) -> str:
    """Who has won."""
    returns = state.returns
    first = [names[seat] for seat, own in enumerate(returns) if own == max(returns)]
    if len(first) == len(returns):
        return "A draw"
    return f"{' and '.join(first)} {'wins' if len(first) == 1 else 'share the win'}"
