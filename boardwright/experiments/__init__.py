"""Published experiments as declarations that rerun with one command. Their names are in catalogue.py."""

from __future__ import annotations

from boardwright import registry
from boardwright.experiments.model import Experiment

experiments = registry.experiments


def load_experiment(name: str) -> Experiment:
    found = registry.load_experiment(name)
    if not isinstance(found, Experiment):
        raise TypeError(f"experiment {name!r} is a {type(found).__name__}, not an Experiment")
    return found
