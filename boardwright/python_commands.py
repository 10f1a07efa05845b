"""Commands from Python: each has the arguments, options and defaults of the command line, and returns its result.

    network = bw.train("race", games=2_000, out="race.npz", jobs=2)
    figures = bw.experiment("colonizers-3", games=200, jobs=2)
    eras = bw.scout_run(case_base="evolving.db", games=400, era=200)
    counts = bw.style(["games.jsonl"])

`bw.match`, `bw.ladder` and `bw.balance` are in results.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from boardwright.commands import learning
from boardwright.commands.declared import PythonCommand, PythonFunction
from boardwright.commands.experiment import RunExperiment
from boardwright.commands.race import ShowStyle
from boardwright.learn import network
from boardwright.registry import load_game
from boardwright.scout.commands.scout import ScoutRun


def _network(options: dict[str, Any]) -> network.Network:
    return network.load(Path(options["out"]), load_game(options["game"]))


train = PythonFunction(learning.train, _network)
experiment = PythonCommand(RunExperiment, "experiment")
scout_run = PythonCommand(ScoutRun, "scout_run")
style = PythonCommand(ShowStyle, "style")
