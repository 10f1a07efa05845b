"""What can be switched in SCOUT's reasoning, and presets: the settings of published rows under one name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from boardwright.agents import setting
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
    """What can be switched in reasoning: parameters of `scout2` and of all that are made from it."""

    weights: str = setting("learned", "feature weights: a profile of the package, or a .json file")
    k: int = setting(0, "cases to retrieve; 0: as the profile says", ge=0, le=200)
    first_games: int = setting(0, "reason from the cases of its first so many games; 0: of all", ge=0, advanced=True)
    selection: Selection = setting("best", "how one of the solutions is selected: most votes, or a draw in proportion")
    policy_network: bool = setting(True, "use the policy network that was trained on the case base")
    discriminants: bool = setting(
        False, "instead of a network: linear discriminants, learned from the cases when they are read"
    )
    case_weight: float = setting(
        1.0, "how much cases count beside the network or the discriminants; 0: not at all", ge=0, le=1
    )
    option_rates: bool = setting(
        True, "judge every option by how often it was taken where it was offered", advanced=True
    )
    space: Space = setting("features", "where cases are near: by features, or in the policy network's space")
    rules: str = setting(
        "placeable+goods+producers", "expert rules beside the cases: names joined by +, or none", advanced=True
    )
    negative_cases: str = setting(
        "", "a case base of lost games (`cases build --losers`), which count against options", advanced=True
    )
    negative_weight: float = setting(
        0.5, "how much they count: the power of how much more often winners chose an option", ge=0, le=4, advanced=True
    )
    stages: int = setting(
        2, "1: only cases whose card is at hand; 2: the most similar card at hand instead", ge=1, le=2, advanced=True
    )
    similarity: SimilarityName = setting(
        "combined", "what makes cards similar: facts, confusions, or both combined", advanced=True
    )
    passing: Passing = setting(
        "cases", "when nothing is placed: as in the cases, or never if a card can be placed", advanced=True
    )
    class_weights: ClassWeights = setting(
        "problem",
        "weights of cards in adaptation: for the classes a problem may belong to (6.5), or each case's own",
        advanced=True,
    )
    hypothetical: bool = setting(False, "ask what would be placed, to tell Develop from Settle", advanced=True)
    generalise: bool = setting(True, "compare groups of cards, not single cards, when choosing actions", advanced=True)
    auxiliary: bool = setting(True, "use derived features when choosing actions", advanced=True)
    windows: bool = setting(
        True, "compare only cases of the same stage of the game when choosing actions", advanced=True
    )

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> Settings:
        """Those among an agent's parameters."""
        return cls(**{field.name: params[field.name] for field in fields(cls)})

    def profile(self, kind: str) -> IndexProfile:
        profile = load_profiles(self.weights).get(kind) or load_profiles("learned")[kind]
        switched = profile.switched(generalise=self.generalise, auxiliary=self.auxiliary, windows=self.windows)
        return switched if not self.k or kind in ("discard", "rest") else switched.with_k(self.k)


DESCRIBED: dict[str, Any] = {
    "weights": "dissertation",
    "selection": "proportional",
    "option_rates": False,
    "policy_network": False,
    "hypothetical": True,
}
PRESETS: dict[str, dict[str, Any]] = {
    "described": DESCRIBED,
    "described-gradient": {**DESCRIBED, "weights": "dissertation-gradient", "k": 1},
    "cases-alone": {"policy_network": False, "discriminants": True, "case_weight": 0.5, "rest": "cases"},
    "features-alone": {"policy_network": False, "weights": "gradient", "rest": "cases"},
    "learned-space": {"space": "learned"},
    "network-and-cases": {"network": "netpolicy:weights=large", "policy_network": False},
    "partners": dict.fromkeys(("placement", "phase", "payment", "discard", "rest"), "netsearch"),
}
"""As the dissertation describes SCOUT2; the same with one neighbour and importances found by gradient; no network and
no partner, with linear discriminants of the cases or by weighed features alone; near by what a network expects; a
network of self-play that weighs the votes; and `netsearch` in every module, but for those that are named beside it."""
