"""What can be switched in SCOUT's reasoning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from boardwright.cbr.index import IndexProfile
from boardwright.cbr.reuse import Selection
from boardwright.scout.cases.profiles import load_profiles

SimilarityName = Literal["facts", "confusions", "combined"]
Space = Literal["features", "learned"]
"""Where cases are near each other: by their features, or by what the policy network expects of them."""
ClassWeights = Literal["problem", "case"]
"""Whose class says what matters in a placement: those the problem may belong to (6.5), or that of each case."""
Passing = Literal["cases", "never"]
"""Whether placing nothing is a solution like the cards, or is done only where nothing can be placed."""


@dataclass(frozen=True)
class Settings:
    """The parameters of `scout2` that concern reasoning."""

    weights: str = "learned"
    first_games: int = 0
    """Reason from the cases of so many games of the case base only; 0: of all."""
    k: int = 0
    stages: int = 2
    similarity: SimilarityName = "combined"
    selection: Selection = "best"
    passing: Passing = "cases"
    class_weights: ClassWeights = "problem"
    space: Space = "features"
    hypothetical: bool = False
    generalise: bool = True
    auxiliary: bool = True
    windows: bool = True
    rules: str = "placeable+goods+producers"
    option_rates: bool = True
    """Judge every option by how often it was taken where it was offered."""
    policy_network: bool = True
    """Use the policy network that was trained on the case base."""
    case_weight: float = 1.0
    """How much cases count beside the network: the power that their shares are taken to."""
    negative_cases: str = ""
    """A case base of lost games, whose choices count against an option,"""
    negative_weight: float = 0.5
    """and how much: by which power of how much more often winners chose it."""

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> Settings:
        """Those among an agent's parameters."""
        return cls(**{field.name: params[field.name] for field in fields(cls)})

    def profile(self, kind: str) -> IndexProfile:
        profile = load_profiles(self.weights).get(kind) or load_profiles("learned")[kind]
        switched = profile.switched(generalise=self.generalise, auxiliary=self.auxiliary, windows=self.windows)
        return switched if not self.k or kind in ("discard", "rest") else switched.with_k(self.k)
