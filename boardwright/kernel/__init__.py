"""What a game is written with, and what search is written over."""

from boardwright.kernel import rng
from boardwright.kernel.batch import Batch
from boardwright.kernel.compile import Code, Unit, compiled
from boardwright.kernel.contract import (
    MAX_SEATS,
    SPECTATOR,
    TERMINAL,
    Information,
    Learning,
    Metrics,
    Rules,
    SearchKnowledge,
    Text,
    shipped_named_networks,
    shipped_networks,
)
from boardwright.kernel.declare import UNCOMPILED, rule, typeof, types
from boardwright.kernel.features import FeatureLayout, SparseFeatures, add_feature
from boardwright.kernel.game import Game
from boardwright.kernel.metrics import SeatMetrics, Trait
from boardwright.kernel.options import Option, PerSeat, Several
from boardwright.kernel.pointers import copy_into
from boardwright.kernel.position import Observation, Position, State
from boardwright.kernel.records import Actions, Bytes, Record, Returns, record
from boardwright.kernel.rng import RNG, RngState

__all__ = [
    "MAX_SEATS",
    "RNG",
    "SPECTATOR",
    "TERMINAL",
    "UNCOMPILED",
    "Actions",
    "Batch",
    "Bytes",
    "Code",
    "FeatureLayout",
    "Game",
    "Information",
    "Learning",
    "Metrics",
    "Observation",
    "Option",
    "PerSeat",
    "Position",
    "Record",
    "Returns",
    "RngState",
    "Rules",
    "SearchKnowledge",
    "SeatMetrics",
    "Several",
    "SparseFeatures",
    "State",
    "Text",
    "Trait",
    "Unit",
    "add_feature",
    "compiled",
    "copy_into",
    "record",
    "rng",
    "rule",
    "shipped_named_networks",
    "shipped_networks",
    "typeof",
    "types",
]
