"""Index profiles: which features are indexed for which decision, and how important they are. Data, in weights.json.

Importance is given in words, as in section 6.2.1 of the dissertation, or as a number.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from boardwright.cbr.index import IndexProfile
from boardwright.cbr.similarity import CODE_COUNT
from boardwright.errors import BadSpec, UnknownName
from boardwright.files import parse_json, read_json
from boardwright.scout.cases.features import ACTION_SCHEMA

_FILE = "weights.json"
_LARGEST_K = 10_000
_HEAVIEST = 1e6
_HIGHEST_EXPONENT = 10.0


def load_profiles(name: str) -> dict[str, IndexProfile]:
    """The profiles of that name, or of a file in the form of weights.json with one set of profiles."""
    data = _data()
    if name in data["profiles"]:
        return {kind: _profile(fields, data["importance"]) for kind, fields in data["profiles"][name].items()}
    if not name.endswith(".json"):
        raise UnknownName("weights", name, data["profiles"])
    try:
        chosen: dict[str, Any] = read_json(Path(name))
        return {kind: _profile(fields, data["importance"]) for kind, fields in chosen.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadSpec(f"{name} does not hold feature weights: {error}") from None


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = parse_json(files(__package__).joinpath(_FILE).read_text("utf-8"))
    return data


def _profile(fields: dict[str, Any], scale: dict[str, float]) -> IndexProfile:
    numbers = {feature.name for feature in ACTION_SCHEMA.numbers}
    sets = {feature.name for feature in ACTION_SCHEMA.sets}

    def weigh(importances: dict[str, Any], known: set[str]) -> dict[str, float]:
        _check_names(importances, known)
        return {name: _within(scale.get(word, word), 0, _HEAVIEST) for name, word in importances.items()}

    exponents, windows = fields.get("exponents", {}), fields.get("windows", {})
    generalised = dict(fields.get("generalised", {}))
    _check_names((*exponents, *windows), numbers)
    _check_names((*generalised, *generalised.values()), sets)
    return IndexProfile(
        k=int(_within(fields["k"], 1, _LARGEST_K)),
        numbers=weigh(fields["numbers"], numbers),
        sets=weigh(fields["sets"], sets),
        exponents={name: _within(value, 0, _HIGHEST_EXPONENT) for name, value in exponents.items()},
        windows={name: int(_within(value, 0, CODE_COUNT)) for name, value in windows.items()},
        generalised=generalised,
        auxiliary=weigh(fields.get("auxiliary", {}), numbers),
    )


def _within(value: Any, least: float, most: float) -> float:
    number = float(value)
    if not least <= number <= most:  # NaN is not
        raise ValueError(f"{value} is not a number from {least} to {most}")
    return number


def _check_names(names: Iterable[str], known: set[str]) -> None:
    for name in names:
        if name not in known:
            raise UnknownName("feature", name, known)


def as_data(profile: IndexProfile) -> dict[str, Any]:
    """A profile in the form of weights.json."""
    return {
        "k": profile.k,
        "numbers": {name: round(float(weight), 3) for name, weight in profile.numbers.items()},
        "sets": {name: round(float(weight), 3) for name, weight in profile.sets.items()},
        "exponents": {name: value for name, value in profile.exponents.items() if value != 1.0},
        "windows": dict(profile.windows),
    }
