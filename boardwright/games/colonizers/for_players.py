"""What a person needs to play Colonizers at a terminal: the colonies in short, what modules and colonists are for,
cards looked up by name, the rules in short."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from boardwright.games.colonizers import state
from boardwright.games.colonizers.cards import COLONISTS, COLOURLESS, COLOURS, KINDS, MODULES, Module
from boardwright.games.colonizers.rules import legal, points
from boardwright.games.colonizers.state import COLONY_TARGET, HAND_CAPACITY
from boardwright.games.colonizers.text import PHASES, cards_text, colonist_text, name_of
from boardwright.kernel import Record
from boardwright.wording import counted

_IN_SHORT = Path(__file__).with_name("rules_in_short.txt").read_text(encoding="utf-8")
RULES = _IN_SHORT.format(colony_target=COLONY_TARGET, hand_capacity=HAND_CAPACITY)


def show_brief(s: Record, seat: int) -> str:
    """Everybody in two lines; your hand, where it is not what you choose from."""
    lines = [f"Round {s.round}: {PHASES[s.phase]}; {s.deck_size} modules in the deck"]
    for holder in range(state.SEATS):
        mark = ">" if holder == s.turn else " "
        lines.append(
            f"{mark} {name_of(holder, seat)}: {counted(points(s, holder), 'point')}, {s.omnium[holder]} Omnium,"
            f" {s.hand_size[holder]}/{HAND_CAPACITY} cards, {colonist_text(s, holder, seat)}"
        )
        lines.append(f"    colony {s.colony_size[holder]}/{COLONY_TARGET}: {cards_text(s.colony[holder])}")
    hand, about = s.hand[seat].tolist(), "your hand"
    if s.phase == state.BUILD and s.turn == seat:
        about = "in your hand, but not to be built now"
        for action in _legal(s):
            if state.BUILD_MODULE <= action < state.BUILD_MODULE + KINDS:
                hand[action - state.BUILD_MODULE] = 0
    if any(hand) or about == "your hand":
        lines.append(f"{about}: {cards_text(hand, with_value=True)}")
    return "\n".join(lines)


def _legal(s: Record) -> list[int]:
    actions = np.zeros(state.MAX_LEGAL, np.int64)
    return [int(action) for action in actions[: legal(s, actions)]]


def action_details(s: Record, action: int) -> str:
    """What a colonist does, and what a module costs and is worth."""
    if state.PICK <= action < state.PICK + len(COLONISTS):
        return COLONISTS[action - state.PICK].ability
    if state.KEEP <= action < state.KEEP + KINDS:
        return _facts(MODULES[action - state.KEEP])
    if state.BUILD_MODULE <= action < state.BUILD_MODULE + KINDS:
        return _colour(MODULES[action - state.BUILD_MODULE])
    return ""


def cards() -> dict[str, str]:
    """Every module and colonist by name."""
    found = {module.name: f"{module.name}: {_facts(module)}; {module.copies} in the deck" for module in MODULES}
    return found | {colonist.name: f"{colonist.name}: {colonist.ability}" for colonist in COLONISTS}


def _facts(module: Module) -> str:
    return f"cost {module.cost}, worth {module.value}, {_colour(module)}"


def _colour(module: Module) -> str:
    return "no colour" if module.colour == COLOURLESS else COLOURS[module.colour]
