"""Commands from Python: each has the arguments, options and defaults of the command line, and returns its result.

    network = bw.train("race", games=2_000, out="race.npz", jobs=2)
    figures = bw.experiment("colonizers-3", games=200, jobs=2)
    eras = bw.scout_run(case_base="evolving.db", games=400, era=200)
    styles = bw.style("race", ["netsearch", "heuristic"], games=50)
    model = bw.decks_learn(["decks.jsonl"], out="decks.npz")
    deck = bw.decks_complete(identity="Noise", cards="3 Cache")
    values = bw.learn_values("wonders", rule="win_share", games=10_000)
    rating = bw.rate("connect_four", "uct:iterations=300")
    decision = bw.explain("connect_four", "uct:iterations=20000", moves="4 4 3")

A command of a group is called after both, as `boardwright decks learn`: `bw.decks_learn`. Where the name is taken by a
package or by Python, the function has another: `boardwright learn` is `bw.learn_values`, `bench` is `bw.rate`,
`compile` is `bw.compile_games`, `engine` is `bw.export_engine`, `experiment run` is `bw.experiment`, `style compare` is
`bw.style`.
`bw.match`, `bw.ladder`, `bw.balance` and `bw.review` are in results.py, and have results as objects.
"""

from __future__ import annotations

from boardwright.commands.authoring import CheckGame, CompileGames, PrintPlaythrough, PrintSchema
from boardwright.commands.bench import RateAgainstReferences, RateFamilies
from boardwright.commands.coach import RatePerson, SolvePuzzles
from boardwright.commands.decks import CheckDecks, CompleteDeck, EvaluateDecks, LearnDecks, MineDecks, PredictDeck
from boardwright.commands.declared import PythonCommand
from boardwright.commands.engine import ExportEngine
from boardwright.commands.experiment import ListExperiments, RunExperiment, ShowExperiment
from boardwright.commands.learning import Train
from boardwright.commands.new import NewAgent, NewGame
from boardwright.commands.playing import ExplainPosition, PlayGame, ReplayGame
from boardwright.commands.race import ConvertSaves, ShowStyle, VerifySaves
from boardwright.commands.script import CheckScript
from boardwright.commands.study import ReportGames, StudyCompanion
from boardwright.commands.style import Characters, CompareStyles, SearchStyles
from boardwright.commands.tables import ExportTables, LearnValues
from boardwright.commands.tournament import PlayTournament
from boardwright.scout.commands import case_bases
from boardwright.scout.commands.cases_build import BuildCases
from boardwright.scout.commands.scout import CheckServer, ExplainMove, RollBack, ScoutRun, ShowLog, ShowRegistry

cases_build = PythonCommand(BuildCases, "cases_build")
cases_export = PythonCommand(case_bases.ExportCases, "cases_export")
cases_import = PythonCommand(case_bases.ImportCases, "cases_import")
cases_label = PythonCommand(case_bases.LabelGames, "cases_label")
cases_learn = PythonCommand(case_bases.LearnWeights, "cases_learn")
cases_stats = PythonCommand(case_bases.ShowCases, "cases_stats")
cases_test = PythonCommand(case_bases.EvaluateCases, "cases_test")
cases_weights = PythonCommand(case_bases.ShowWeights, "cases_weights")
characters = PythonCommand(Characters, "characters")
check = PythonCommand(CheckGame, "check")
companion = PythonCommand(StudyCompanion, "companion")
compile_games = PythonCommand(CompileGames, "compile_games")
decks_check = PythonCommand(CheckDecks, "decks_check")
decks_complete = PythonCommand(CompleteDeck, "decks_complete")
decks_evaluate = PythonCommand(EvaluateDecks, "decks_evaluate")
decks_learn = PythonCommand(LearnDecks, "decks_learn")
decks_mine = PythonCommand(MineDecks, "decks_mine")
decks_predict = PythonCommand(PredictDeck, "decks_predict")
experiment = PythonCommand(RunExperiment, "experiment")
experiment_list = PythonCommand(ListExperiments, "experiment_list")
experiment_show = PythonCommand(ShowExperiment, "experiment_show")
explain = PythonCommand(ExplainPosition, "explain")
export = PythonCommand(ExportTables, "export")
export_engine = PythonCommand(ExportEngine, "export_engine")
learn_values = PythonCommand(LearnValues, "learn_values")
new_agent = PythonCommand(NewAgent, "new_agent")
new_game = PythonCommand(NewGame, "new_game")
play = PythonCommand(PlayGame, "play", quiet=False)
playthrough = PythonCommand(PrintPlaythrough, "playthrough")
puzzles = PythonCommand(SolvePuzzles, "puzzles", quiet=False)
race_convert = PythonCommand(ConvertSaves, "race_convert")
race_style = PythonCommand(ShowStyle, "race_style")
race_verify = PythonCommand(VerifySaves, "race_verify")
rate = PythonCommand(RateAgainstReferences, "rate")
rating = PythonCommand(RatePerson, "rating")
replay = PythonCommand(ReplayGame, "replay", quiet=False)
report = PythonCommand(ReportGames, "report")
schema = PythonCommand(PrintSchema, "schema")
scout_check = PythonCommand(CheckServer, "scout_check")
scout_explain = PythonCommand(ExplainMove, "scout_explain")
scout_log = PythonCommand(ShowLog, "scout_log")
scout_registry = PythonCommand(ShowRegistry, "scout_registry")
scout_rollback = PythonCommand(RollBack, "scout_rollback")
scout_run = PythonCommand(ScoutRun, "scout_run")
script_check = PythonCommand(CheckScript, "script_check")
strength = PythonCommand(RateFamilies, "strength")
style = PythonCommand(CompareStyles, "style")
style_search = PythonCommand(SearchStyles, "style_search")
tournament = PythonCommand(PlayTournament, "tournament")
train = PythonCommand(Train, "train")
