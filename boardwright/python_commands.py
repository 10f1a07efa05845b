"""Commands from Python: each has the arguments, options and defaults of the command line, and returns its result.

    network = bw.train("race", games=2_000, out="race.npz", jobs=2)
    figures = bw.experiment("colonizers-3", games=200, jobs=2)
    eras = bw.scout_run(case_base="evolving.db", games=400, era=200)
    counts = bw.style(["games.jsonl"])

`bw.match`, `bw.ladder` and `bw.balance` are in results.py.
"""

from __future__ import annotations

from boardwright.commands.declared import PythonCommand
from boardwright.commands.experiment import RunExperiment
from boardwright.commands.learning import Train
from boardwright.commands.race import ShowStyle
from boardwright.scout.commands.scout import ScoutRun

train = PythonCommand(Train, "train")
experiment = PythonCommand(RunExperiment, "experiment")
scout_run = PythonCommand(ScoutRun, "scout_run")
style = PythonCommand(ShowStyle, "style")
