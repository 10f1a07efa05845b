"""Which features are indexed for which decision, and how much they weigh: data, in weights.json.

Importance is given in words, as in section 6.2.1, or as a number. A number's weight in the distance is its importance
over the spread of the feature in the case base (to the power of the exponent), so that importance means the same for
every feature: it is what a difference of one standard deviation, or a set with nothing in common, costs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from boardwright.cbr.memory import Memory
from boardwright.cbr.metric import Metric, NumberMetric, SetMetric
from boardwright.errors import BadSpec, UnknownName
from boardwright.scout.cases.features import LAYOUT, SEEN

_FILE = "weights.json"


@dataclass(frozen=True)
class Profile:
    """The index of one kind of decision."""

    k: int
    numbers: dict[str, float]
    sets: dict[str, float]
    exponents: dict[str, float] = field(default_factory=dict)
    windows: dict[str, int] = field(default_factory=dict)
    generalised: dict[str, str] = field(default_factory=dict)
    auxiliary: dict[str, float] = field(default_factory=dict)

    def switched(self, *, generalise: bool, auxiliary: bool, windows: bool) -> Profile:
        """The same with some of its parts left out."""
        sets = {self.generalised.get(name, name) if generalise else name: w for name, w in self.sets.items()}
        numbers = {**self.numbers, **(self.auxiliary if auxiliary else {})}
        return Profile(self.k, numbers, sets, self.exponents, self.windows if windows else {})

    def with_k(self, k: int) -> Profile:
        return replace(self, k=k)

    def metric(self, memory: Memory) -> Metric:
        numbers = []
        known = {number.name for number in memory.layout.numbers}
        for name, importance in self.numbers.items():
            if name not in known:  # impressions, in a library that has none
                continue
            row = memory.layout.row(name)
            spread = float(memory.codes[row].std()) if len(memory) else 0.0
            exponent = self.exponents.get(name, 1.0)
            numbers.append(NumberMetric(row, importance / max(spread, 0.25) ** exponent, exponent))
        return Metric(
            memory.layout, numbers, [SetMetric(LAYOUT.place(name), weight) for name, weight in self.sets.items()]
        )


def load_profiles(name: str) -> dict[str, Profile]:
    """The profiles of that name, or of a file in the form of weights.json with one set of profiles."""
    data = _data()
    if name in data["profiles"]:
        return {kind: _profile(fields, data["importance"]) for kind, fields in data["profiles"][name].items()}
    if not name.endswith(".json"):
        raise UnknownName("weights", name, data["profiles"])
    try:
        chosen: dict[str, Any] = json.loads(Path(name).read_text("utf-8"))
        return {kind: _profile(fields, data["importance"]) for kind, fields in chosen.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadSpec(f"{name} does not hold feature weights: {error}") from None


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(files(__package__).joinpath(_FILE).read_text("utf-8"))
    return data


def _profile(fields: dict[str, Any], scale: dict[str, float]) -> Profile:
    known = {number.name for number in SEEN.numbers} | {feature.name for feature in LAYOUT.sets}

    def weigh(importances: dict[str, Any]) -> dict[str, float]:
        for name in importances:
            if name not in known:
                raise UnknownName("feature", name, known)
        return {name: float(scale.get(word, word)) for name, word in importances.items()}

    return Profile(
        k=int(fields["k"]),
        numbers=weigh(fields["numbers"]),
        sets=weigh(fields["sets"]),
        exponents={name: float(value) for name, value in fields.get("exponents", {}).items()},
        windows={name: int(value) for name, value in fields.get("windows", {}).items()},
        generalised=dict(fields.get("generalised", {})),
        auxiliary=weigh(fields.get("auxiliary", {})),
    )


def as_data(profile: Profile) -> dict[str, Any]:
    """A profile in the form of weights.json."""
    return {
        "k": profile.k,
        "numbers": {name: round(float(weight), 3) for name, weight in profile.numbers.items()},
        "sets": {name: round(float(weight), 3) for name, weight in profile.sets.items()},
        "exponents": {name: value for name, value in profile.exponents.items() if value != 1.0},
        "windows": dict(profile.windows),
    }
