"""Published experiments as declarations that rerun with one command."""

from __future__ import annotations

import importlib

from boardwright.errors import UnknownName
from boardwright.experiments.model import Experiment

_HOMES = {
    **{f"colonizers-{number}": "boardwright.experiments.colonizers" for number in range(1, 6)},
    **{f"madrid-{name}": "boardwright.experiments.wonders" for name in ("55", "55-learner", "56", "57")},
    **{f"netrunner-6.{number}": "boardwright.experiments.netrunner" for number in range(1, 4)},
    **{f"scout-7.{number}": "boardwright.experiments.scout" for number in range(1, 6)},
    "scout-7.5-observe": "boardwright.experiments.scout",
    "scout-7.5-critic": "boardwright.experiments.scout",
    **{f"sephton-a{number}": "boardwright.experiments.sephton_parallel" for number in range(1, 5)},
    **{f"sephton-{name}": "boardwright.experiments.sephton_pruning" for name in ("p1", "p2", "p3", "p4", "iterations")},
    **{
        f"sephton-{name}": "boardwright.experiments.sephton_selection"
        for name in ("selection", "budgets", "complexity", "tuning")
    },
    "toolbox": "boardwright.experiments.toolbox",
}


def experiments() -> list[str]:
    """The names of all experiments."""
    return list(_HOMES)


def load_experiment(name: str) -> Experiment:
    if name not in _HOMES:
        raise UnknownName("experiment", name, _HOMES)
    found: Experiment = importlib.import_module(_HOMES[name]).EXPERIMENTS[name]
    return found
