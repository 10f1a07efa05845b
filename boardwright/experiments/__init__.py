"""Published experiments as declarations that rerun with one command. Their names are in catalogue.py."""

from __future__ import annotations

from boardwright import registry
from boardwright.experiments.model import Experiment

__all__ = ["experiments", "load_experiment"]

experiments = registry.experiments


def load_experiment(name: str) -> Experiment:
    experiment = registry.load_experiment(name)
    if not isinstance(experiment, Experiment):
        raise TypeError(f"experiment {name!r} is a {type(experiment).__name__}, not an Experiment")
    return experiment
