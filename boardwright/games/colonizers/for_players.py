"""What a person needs to play Colonizers at a terminal: the colonies in short, what modules and colonists are for,
cards looked up by name, the rules in short."""

from __future__ import annotations

import numpy as np

from boardwright.games.colonizers import state
from boardwright.games.colonizers.cards import COLONISTS, COLOURLESS, COLOURS, KINDS, MODULES, Module
from boardwright.games.colonizers.rules import legal, points
from boardwright.games.colonizers.state import COLONY_TARGET, HAND_CAPACITY
from boardwright.games.colonizers.text import PHASES, cards_text, colonist_text, name_of
from boardwright.kernel import Record

RULES = f"""
In each round everybody picks a colonist in secret. Then the seats act in turn: take 2 Omnium or draw two modules and
keep one of them, use the colonist's power, and build one module from the hand by paying its cost in Omnium.

The game ends after the round in which a colony has {COLONY_TARGET} modules; a hand holds {HAND_CAPACITY} cards. Points
are the values of the modules in the colony, and a bonus for a complete colony.

Ecologist, General and Miner earn 1 Omnium for each green, red or blue module in the colony; the Opportunist steals up
to 2 Omnium from a colonist it names, the Spy swaps hands with one, the Visionary draws a card.

In the position, > marks the seat that acts, and "Spy or Miner?" is what a secret colonist may still be.
"""


def show_brief(s: Record, seat: int) -> str:
    """Everybody in two lines; your hand, where it is not what you choose from."""
    lines = [f"Round {s.round}: {PHASES[s.phase]}; {s.deck_size} modules in the deck"]
    for holder in range(state.SEATS):
        mark = ">" if holder == s.turn else " "
        lines.append(
            f"{mark} {name_of(holder, seat)}: {points(s, holder)} points, {s.omnium[holder]} Omnium,"
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
