"""Index profiles: which features are indexed for which decision, and how important they are. Data, in weights.json.

Importance is given in words, as in section 6.2.1 of the dissertation, or as a number.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from boardwright.cbr.index import IndexProfile
from boardwright.errors import BadSpec, UnknownName
from boardwright.scout.cases.features import ACTION_SCHEMA

_FILE = "weights.json"


def load_profiles(name: str) -> dict[str, IndexProfile]:
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


def _profile(fields: dict[str, Any], scale: dict[str, float]) -> IndexProfile:
    known = set(ACTION_SCHEMA.names)

    def weigh(importances: dict[str, Any]) -> dict[str, float]:
        for name in importances:
            if name not in known:
                raise _unknown(name, known)
        return {name: float(scale.get(word, word)) for name, word in importances.items()}

    return IndexProfile(
        k=int(fields["k"]),
        numbers=weigh(fields["numbers"]),
        sets=weigh(fields["sets"]),
        exponents={name: float(value) for name, value in fields.get("exponents", {}).items()},
        windows={name: int(value) for name, value in fields.get("windows", {}).items()},
        generalised=dict(fields.get("generalised", {})),
        auxiliary=weigh(fields.get("auxiliary", {})),
    )


def _unknown(name: str, known: set[str]) -> Exception:
    now = name.replace("seems_", "policy_")
    if name != now and now in known:
        return BadSpec(f"feature {name!r} is now called {now!r}")
    return UnknownName("feature", name, known)


def as_data(profile: IndexProfile) -> dict[str, Any]:
    """A profile in the form of weights.json."""
    return {
        "k": profile.k,
        "numbers": {name: round(float(weight), 3) for name, weight in profile.numbers.items()},
        "sets": {name: round(float(weight), 3) for name, weight in profile.sets.items()},
        "exponents": {name: value for name, value in profile.exponents.items() if value != 1.0},
        "windows": dict(profile.windows),
    }
