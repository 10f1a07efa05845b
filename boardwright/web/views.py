"""What somebody at a table is shown: the position as far as their seat may know it, as plain data.

A view is a seat, SPECTATOR, or EVERYTHING. Whatever is sent about a position is made here, from the observation of
that view and not from the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boardwright.errors import IllegalAction
from boardwright.kernel import SPECTATOR, Game, Observation, Position, State
from boardwright.kernel.set_choice import SetChoice

EVERYTHING = None
View = int | None

UNSEEN = "makes a choice that you cannot see"


def seen(state: State, view: View) -> Position:
    """The position as the view knows it."""
    if view is EVERYTHING:
        return state
    return state.public() if view == SPECTATOR else state.observation(view)


def picture(state: State, view: View) -> str:
    """As an SVG; nothing where a game with secrets has no drawing to keep them."""
    if view == SPECTATOR and state.game.text.draw_state is None:
        return "" if state.game.information.observe is not None else state.to_svg()
    return seen(state, view).to_svg()


def words(state: State, view: View) -> str:
    """As text; nothing where a game with secrets does not know of spectators."""
    if view == SPECTATOR and state.game.text.draw_state is None:
        return "" if state.game.information.observe is not None else str(state)
    return str(seen(state, view))


def choices(observation: Observation) -> list[dict[str, Any]]:
    """The legal actions of the seat to move, in words."""
    game = observation.game
    return [{"action": action, "text": game.describe(observation, action)} for action in observation.legal_actions()]


def set_choice(observation: Observation) -> SetChoice | None:
    """The choice of several things at once that a seat has, if it has one and has not begun to make it."""
    find = observation.game.text.set_choice
    choice = find(observation.record) if find is not None else None
    return None if choice is None or choice.begun else choice


def set_as_json(choice: SetChoice) -> dict[str, Any]:
    many = f"{choice.most}" if choice.least == choice.most else f"{choice.least} to {choice.most}"
    return {
        "verb": choice.verb,
        "question": f"{choice.verb.capitalize()} {many} of {len(choice.items)}.",
        "items": [
            {"text": text, "detail": detail, "key": key}
            for text, detail, key in zip(choice.items, choice.details, choice.keys, strict=True)
        ],
        "least": choice.least,
        "most": choice.most,
    }


def set_steps(observation: Observation, places: Sequence[int]) -> list[int]:
    """The actions that choose these places of the set; IllegalAction if they cannot be chosen."""
    choice = set_choice(observation)
    if choice is None:
        raise IllegalAction("there is no set to choose from now")
    if len(set(places)) != len(places) or not all(0 <= place < len(choice.items) for place in places):
        raise IllegalAction(f"the places must be different ones from 0 to {len(choice.items) - 1}")
    if not choice.least <= len(places) <= choice.most:
        raise IllegalAction(f"{len(places)} chosen; {set_as_json(choice)['question']}")
    return choice.actions(sorted(places))


def position(state: State, view: View) -> dict[str, Any]:
    """Everything about a position that the view may know."""
    said: dict[str, Any] = {
        "player": None if state.is_terminal else state.player,
        "over": state.is_terminal,
        "picture": picture(state, view),
        "text": words(state, view),
        "choices": [],
        "set": None,
        "scores": None,
        "returns": None,
    }
    if state.is_terminal:
        said |= {"scores": list(state.scores), "returns": list(state.returns)}
    elif view in (EVERYTHING, state.player):
        said |= asked(state)
    return said


def asked(state: State) -> dict[str, Any]:
    """What the seat to move can choose from: actions, and a set of things if it is a choice of several at once."""
    observation = state.observation(state.player)
    choice = set_choice(observation)
    return {"choices": choices(observation), "set": None if choice is None else set_as_json(choice)}


def told(state: State, action: int) -> tuple[str, list[bool]]:
    """An action about to be played, in words, and which seats may know it."""
    game, memory = state.game, state.memory
    mover = state.player
    known = [
        seat == mover or int(game.entries.action_observation(memory, action, seat)) == action
        for seat in range(state.seats)
    ]
    return game.describe(state, action), known


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
