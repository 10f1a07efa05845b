"""The cards of Colonizers: 16 kinds of module, 52 cards in all, and six colonists.

A row here is a printed card. Rules and texts name a card by its place in these tables.
"""

from __future__ import annotations

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


MODULES = (
    #                                   cost  value  colour  copies
    Module("Oxygen Generator",             4,     4, GREEN,      4),
    Module("Water Reservoir",              5,     6, GREEN,      4),
    Module("Hydroponics Facility",         6,     8, GREEN,      4),
    Module("Eco-Dome",                     8,    11, GREEN,      1),
    Module("Marketplace",                  2,     2, BLUE,       4),
    Module("Warehouse",                    3,     3, BLUE,       4),
    Module("Quarry",                       5,     6, BLUE,       4),
    Module("Omnium Purification Plant",    8,    10, BLUE,       1),
    Module("Garrison",                     1,     1, RED,        4),
    Module("Barracks",                     2,     2, RED,        4),
    Module("Military Academy",             3,     3, RED,        4),
    Module("Planetary Defense System",     6,     7, RED,        1),
    Module("Housing Unit",                 1,     1, COLOURLESS, 4),
    Module("Spaceport",                    4,     5, COLOURLESS, 4),
    Module("Research Lab",                 6,     8, COLOURLESS, 4),
    Module("Mass Relay",                  12,    16, COLOURLESS, 1),
)  # fmt: skip

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
