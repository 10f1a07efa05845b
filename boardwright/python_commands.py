"""Commands from Python: each has the arguments, options and defaults of the command line, and returns its result.

    network = bw.train("race", games=2_000, out="race.npz", jobs=2)
    figures = bw.experiment("colonizers-3", games=200, jobs=2)
    eras = bw.scout_run(case_base="evolving.db", games=400, era=200)
    file = bw.cases_build("wonders", of="netsearch", games=300, out="wonders.cases")
    styles = bw.style("race", ["netsearch", "heuristic"], games=50)
    model = bw.decks_learn(["decks.jsonl"], out="decks.npz")
    deck = bw.decks_complete(identity="Noise", cards="3 Cache")
    values = bw.learn_values("wonders", rule="win_share", games=10_000)
    rating = bw.rate("connect_four", "uct:iterations=300")

Two have other names here, since packages have theirs: `boardwright learn` is `bw.learn_values`, `boardwright bench` is
`bw.rate`.
`bw.match`, `bw.ladder` and `bw.balance` are in results.py.
"""

from __future__ import annotations

from boardwright.commands.bench import RateAgainstReferences
from boardwright.commands.decks import CheckDecks, CompleteDeck, EvaluateDecks, LearnDecks, MineDecks, PredictDeck
from boardwright.commands.declared import PythonCommand
from boardwright.commands.experiment import RunExperiment
from boardwright.commands.learning import Train
from boardwright.commands.playing import PlayGame
from boardwright.commands.study import ReportGames, StudyCompanion
from boardwright.commands.style import CompareStyles, SearchStyles
from boardwright.commands.tables import ExportTables, LearnValues
from boardwright.commands.tournament import PlayTournament
from boardwright.scout.commands.cases_build import CasesBuild
from boardwright.scout.commands.scout import ScoutRun

train = PythonCommand(Train, "train")
experiment = PythonCommand(RunExperiment, "experiment")
scout_run = PythonCommand(ScoutRun, "scout_run")
cases_build = PythonCommand(CasesBuild, "cases_build")
play = PythonCommand(PlayGame, "play", quiet=False)
rate = PythonCommand(RateAgainstReferences, "rate")
report = PythonCommand(ReportGames, "report")
companion = PythonCommand(StudyCompanion, "companion")
learn_values = PythonCommand(LearnValues, "learn_values")
export = PythonCommand(ExportTables, "export")
tournament = PythonCommand(PlayTournament, "tournament")
style = PythonCommand(CompareStyles, "style")
style_search = PythonCommand(SearchStyles, "style_search")
decks_learn = PythonCommand(LearnDecks, "decks_learn")
decks_predict = PythonCommand(PredictDeck, "decks_predict")
decks_complete = PythonCommand(CompleteDeck, "decks_complete")
decks_check = PythonCommand(CheckDecks, "decks_check")
decks_evaluate = PythonCommand(EvaluateDecks, "decks_evaluate")
decks_mine = PythonCommand(MineDecks, "decks_mine")
