"""What a game is written with, and what search is written over."""

from boardwright.kernel import rng, table
from boardwright.kernel.compile import UNCOMPILED, compiled, rule
from boardwright.kernel.contract import MAX_SEATS, OVER
from boardwright.kernel.game import Game
from boardwright.kernel.options import Option, PerSeat, Several
from boardwright.kernel.position import Position, State, View
from boardwright.kernel.records import Actions, Payoffs, Record, record
from boardwright.kernel.rng import RNG, Words

__all__ = [
    "MAX_SEATS",
    "OVER",
    "RNG",
    "UNCOMPILED",
    "Actions",
    "Game",
    "Option",
    "Payoffs",
    "PerSeat",
    "Position",
    "Record",
    "Several",
    "State",
    "View",
    "Words",
    "compiled",
    "record",
    "rng",
    "rule",
    "table",
]
