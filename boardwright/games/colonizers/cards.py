"""The cards of Colonizers: 16 kinds of module, 52 cards in all, and six colonists.

A row of modules.txt is a printed card. Rules and texts name a card by its place in these tables.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

GREEN, BLUE, RED, COLOURLESS = range(4)
COLOURS = ("green", "blue", "red", "colourless")


class Module(NamedTuple):
    name: str
    cost: int
    """Omnium to build it."""
    value: int
    """Points it is worth in a colony."""
    colour: int
    copies: int


def _module(row: str) -> Module:
    name, cost, value, colour, copies = (cell.strip() for cell in row.split("|"))
    return Module(name, int(cost), int(value), COLOURS.index(colour), int(copies))


_ROWS = Path(__file__).with_name("modules.txt").read_text(encoding="utf-8").splitlines()[2:]
MODULES = tuple(map(_module, _ROWS))

KINDS = len(MODULES)
CARDS = sum(module.copies for module in MODULES)

COST = np.array([module.cost for module in MODULES], np.int64)
VALUE = np.array([module.value for module in MODULES], np.int64)
COLOUR = np.array([module.colour for module in MODULES], np.int64)
COPIES = np.array([module.copies for module in MODULES], np.int64)

KINDS_OF_A_COLOUR = 4
OF_COLOUR = np.array([np.flatnonzero(colour == COLOUR) for colour in range(len(COLOURS))], np.int64)
"""The kinds of each colour."""


class Colonist(NamedTuple):
    name: str
    ability: str
    """What it does, in words."""
    income: int = -1
    """The colour of the modules that earn Omnium, one each; -1: none."""
    power: str = ""
    """What it does to the colonist it names, in words; empty: it has no such power."""


COLONISTS = (
    Colonist("Ecologist", "1 Omnium for each own green module", income=GREEN),
    Colonist("General", "1 Omnium for each own red module", income=RED),
    Colonist("Miner", "1 Omnium for each own blue module", income=BLUE),
    Colonist("Opportunist", "steals up to 2 Omnium from a colonist it names", power="steal from"),
    Colonist("Spy", "swaps hands with a colonist it names", power="swap hands with"),
    Colonist("Visionary", "draws a module if the hand is not full"),
)
ECOLOGIST, GENERAL, MINER, OPPORTUNIST, SPY, VISIONARY = range(len(COLONISTS))

INCOME = np.array([colonist.income for colonist in COLONISTS], np.int64)
EARNING = np.array([[*INCOME].index(colour) for colour in (GREEN, BLUE, RED)], np.int64)
"""The colonist who earns by each colour."""
