"""Tables of README and docs, made from files of results: `make docs`. With --check: say which are not as they would be
made.

Results come from benchmarks/results.json, which the benchmarks write, from docs/matches/*.json, results of matches and
evaluations as `--json` writes them, and from docs/results/*.json, those of experiments, which declare their own tables
(boardwright/experiments/tables.py). A table stands between two comments:

    <!-- table: race-speed -->
    …
    <!-- /table -->
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from boardwright.agents.characters import STRENGTHS, cast_of
from boardwright.arena.standings import Z95
from boardwright.bench.references import SETS, References, rated
from boardwright.experiments import experiments, load_experiment
from boardwright.experiments.deck_report import comparison
from boardwright.experiments.model import Experiment
from boardwright.experiments.tables import Stored, Table
from boardwright.playstyle.cast_report import style_in_words
from boardwright.registry import load_game
from boardwright.reports.plots import figure

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BENCHMARKS = ROOT / "benchmarks" / "results.json"
RESULTS = ROOT / "docs" / "matches"
EXPERIMENTS = ROOT / "docs" / "results"
IMAGES = ROOT / "docs" / "images"
_BLOCK = re.compile(r"(<!-- table: ([\w.-]+) -->\n)(.*?)(<!-- /table -->)", re.DOTALL)


class Figures:
    """Results by name."""

    def __init__(self) -> None:
        self.benchmarks: dict[str, Any] = json.loads(BENCHMARKS.read_text())
        self.results = _by_name(RESULTS)
        self.experiments = _by_name(EXPERIMENTS)

    def of(self, benchmark: str) -> dict[str, float]:
        figures: dict[str, float] = self.benchmarks[benchmark]["figures"]
        return figures

    def won(self, result: str, agent: int = 0) -> str:
        """How often an agent won a match: "95.1 % (93.6–96.3) of 1,000"."""
        found = self.results[result]
        return won(found["agents"][agent], found["games"])

    def won_in_experiment(self, name: str, arrangement: str, label: str) -> str:
        """How often an agent won in an experiment, in the same form."""
        found = self.experiments[name]["arrangements"][arrangement]
        row = next(row for row in found["rows"] if row["label"] == label)
        low, high = row["win_interval"]
        share = row["wins"] / row["appearances"]
        return f"{100 * share:.1f} % ({100 * low:.1f}–{100 * high:.1f}) of {found['games']:,}"


def won(row: dict[str, Any], games: int) -> str:
    low, high = row["interval"]
    return f"{100 * row['win_rate']:.1f} % ({100 * low:.1f}–{100 * high:.1f}) of {games:,}"


def _names(folder: Path, pattern: str) -> list[str]:
    return [file.stem for file in folder.glob(f"{pattern}.json")]


def points(difference: dict[str, Any]) -> str:
    """A difference between two agents in the same games: "0.7 (-1.4 to +2.9)"."""
    low, high = difference["interval"]
    return f"{100 * difference['difference']:.1f} ({100 * low:+.1f} to {100 * high:+.1f})"


def _by_name(folder: Path) -> dict[str, Any]:
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))}


def rounded(value: float, digits: int = 3) -> str:
    """A figure with its leading digits, grouped: 28,600."""
    if value == 0:
        return "0"
    scaled = float(f"{value:.{digits}g}")
    return f"{scaled:,.0f}" if scaled >= 100 else f"{scaled:g}"


def readme(figures: Figures) -> Table:
    """The README's figures."""
    uct, threads, startup = figures.of("uct_connect_four"), figures.of("threads"), figures.of("startup")
    colonizers, race, net = figures.of("colonizers"), figures.of("race"), figures.of("netsearch")
    scout, wonders, lords = figures.of("scout"), figures.of("wonders"), figures.of("lords")
    own, observed = figures.experiments["scout-7.5-critic"], figures.experiments["scout-7.5-observe"]
    return [
        ("what", "ours", "peer or target", "ratio"),
        (
            "UCT on Connect Four, iterations/s on one thread",
            f"{rounded(uct['ours_slowest'])} – {rounded(uct['ours_fastest'])}",
            f"OpenSpiel's C++ `MCTSBot`: {rounded(uct['open_spiel_slowest'])} – {rounded(uct['open_spiel_fastest'])}",
            f"{uct['ratio']:.1f} (geometric mean of nine settings)",
        ),
        (
            "the same on two threads",
            rounded(threads["two"]),
            f"one thread: {rounded(threads['one'])}",
            f"{threads['two'] / threads['one']:.1f}",
        ),
        (
            "`boardwright match connect_four random random --games 1`, warm",
            f"{startup['match_s']:.1f} s",
            "under 1.5 s",
            "",
        ),
        (
            "Colonizers: random games per CPU second",
            rounded(colonizers["random_games"]),
            f"the same rules as plain Python: {rounded(colonizers['random_games_as_python'], 2)}",
            rounded(colonizers["random_games"] / colonizers["random_games_as_python"], 2),
        ),
        (
            "Colonizers: a game with one of each agent",
            f"{colonizers['game_of_each_s']:.2f} s",
            f"the thesis: {THESIS_GAME_S:,} s",
            rounded(THESIS_GAME_S / colonizers["game_of_each_s"], 2),
        ),
        (
            "Colonizers, experiment 3 with correct rules: games won by ISMCTS",
            figures.won_in_experiment("colonizers-3", "corrected", "ISMCTS"),
            "the thesis: 37 of 50",
            "",
        ),
        (
            "Lords of War: 5,000 iterations of UCT from the thesis's position S1, ISMCTS",
            f"{lords['uct_ms']:.0f} ms, {lords['ismcts_ms']:.0f} ms",
            f"the thesis, on its machine: {lords['uct_published_ms']:.0f} ms, {lords['ismcts_published_ms']:,.0f} ms",
            f"{lords['uct_published_ms'] / lords['uct_ms']:.1f},"
            f" {lords['ismcts_published_ms'] / lords['ismcts_ms']:.1f}",
        ),
        (
            "Lords of War, open cards: `uct` as it is by default against plain UCT, 5 ms of processor time each",
            figures.won("lords-against-plain"),
            "at least 80 %",
            "",
        ),
        (
            "Race for the Galaxy: random games per CPU second",
            rounded(race["random_games"]),
            f"the original C program: {race['original_random_games']:,.0f}",
            f"{race['random_games'] / race['original_random_games']:.1f}",
        ),
        (
            "Race for the Galaxy: `netsearch` against `heuristic`",
            figures.won("race-netsearch-heuristic"),
            "at least 90 %",
            "",
        ),
        (
            "Race for the Galaxy: games of `netsearch` against itself per CPU second",
            f"{net['self_play_games']:.1f}",
            f"the original program's AI: {net['original_games']:g}",
            f"{net['self_play_games'] / net['original_games']:.1f}",
        ),
        (
            "SCOUT: nearest neighbours among 300,000 cases",
            f"{scout['retrieval_300000_ms']:.1f} ms",
            f"the same scan with NumPy arrays: {scout['numpy_300000_ms']:.0f} ms",
            f"{scout['numpy_300000_ms'] / scout['retrieval_300000_ms']:.0f}",
        ),
        (
            "SCOUT, network and cases: `scout2:preset=network-and-cases` against `netsearch`. The policy of a network"
            " trained by self-play weighs the votes of cases; nothing looks ahead",
            figures.won("scout2-network-cases"),
            f"at least 45 %; the network alone {figures.won('scout2-network-alone')}, and with a second seed"
            f" {points(figures.results['scout2-network-second-seed'])} points less",
            "",
        ),
        (
            "SCOUT, cases in a learned space: `scout2:preset=learned-space` against `netsearch`. The network says which"
            " cases are near, only cases vote; `netsearch` is a partner that trades and consumes",
            figures.won("scout2-learned"),
            "at least 38 %",
            "",
        ),
        (
            "SCOUT, cases alone: `scout2:preset=cases-alone,case_base=taught.cases`"
            " against `netsearch`. No network, no partner",
            figures.won("scout2-alone-taught"),
            "at least 25 %",
            "",
        ),
        (
            "SCOUT2 as described, against `netsearch`. Cases alone, no network; `netsearch` is a partner that trades"
            " and consumes",
            figures.won("scout2-as-described"),
            f"against the original program {figures.won('scout2-described-original')}; the dissertation: 30.2 %",
            "",
        ),
        (
            "`scout-hybrid` against `netsearch`. A search of two rounds with a larger network; cases are half of its"
            " prior",
            figures.won("scout-hybrid-large"),
            f"at least 65 %; without cases {figures.won('scout-hybrid-large-no-cases')}",
            "",
        ),
        (
            "SCOUT3: wins per era of 200 games, by its own games with a search as critic; learning from whoever wins",
            f"{trend(own)}; {trend(observed)}",
            "the dissertation: no clear trend",
            "",
        ),
        (
            "SCOUT: games against `netsearch` per CPU second",
            f"{scout['games']:.0f}",
            f"the dissertation: {DISSERTATION_GAMES}",
            rounded(scout["games"] / DISSERTATION_GAMES, 2),
        ),
        (
            "7 Wonders: random five-seat games per CPU second",
            rounded(wonders["random_games_5"]),
            f"TAG, as measured before: {wonders['tag_random_games_5']:.0f}",
            f"{wonders['random_games_5'] / wonders['tag_random_games_5']:.0f}",
        ),
        (
            "Netrunner decks from five seen cards: match accuracy, near duplicates left out",
            decks_best(figures, "decks-similar"),
            "the thesis: 59 %, with near duplicates",
            "",
        ),
    ]


NETSEARCH_RESTS = "trades and consumes"
SCOUT_ROWS = (
    (
        "network and cases: a network trained by self-play weighs the votes, and decides what is not voted on",
        "scout2:preset=network-and-cases",
        "nothing",
        "scout2-network-cases",
    ),
    (
        "the same network alone",
        "scout2:network=(netpolicy:weights=large),network_weight=1",
        "nothing",
        "scout2-network-alone",
    ),
    (
        "the same network, the network of the case base, and cases",
        "scout2:network=(netpolicy:weights=large)",
        "nothing",
        "scout2-network",
    ),
    (
        "network of the case base and cases; the network had a stronger teacher",
        "scout2",
        NETSEARCH_RESTS,
        "scout2-netsearch",
    ),
    (
        "the same network without the votes of cases on actions and placements",
        "scout2:case_weight=0",
        NETSEARCH_RESTS,
        "scout2-no-votes",
    ),
    (
        "cases in a learned space: a network says which are near",
        "scout2:preset=learned-space",
        NETSEARCH_RESTS,
        "scout2-learned",
    ),
    (
        "cases alone, no network, no partner; cases of a stronger teacher",
        "scout2:preset=cases-alone,case_base=taught.cases",
        "nothing",
        "scout2-alone-taught",
    ),
    (
        "the same, cases of the package",
        "scout2:preset=cases-alone",
        "nothing",
        "scout2-alone-no-partner",
    ),
    ("cases alone, no network", "scout2:policy_network=false", NETSEARCH_RESTS, "scout2-alone"),
    (
        "as described, cases of a stronger teacher",
        "scout2:preset=described,case_base=taught.cases",
        NETSEARCH_RESTS,
        "scout2-described-taught",
    ),
    (
        "the same, one neighbour",
        "scout2:preset=described,case_base=taught.cases,k=1",
        NETSEARCH_RESTS,
        "scout2-described-taught-1",
    ),
    (
        "one neighbour, importances by gradient",
        "scout2:preset=described-gradient,case_base=taught.cases",
        NETSEARCH_RESTS,
        "scout2-described-gradient",
    ),
    (
        "the same without hypothetical problems",
        "scout2:preset=described-gradient,hypothetical=false,case_base=taught.cases",
        NETSEARCH_RESTS,
        "scout2-described-gradient-no-hypothetical",
    ),
    (
        "its placements alone",
        "scout2:preset=described+partners,placement=cases,case_base=taught.cases",
        "everything else",
        "scout2-described-taught-placements",
    ),
    (
        "its actions alone",
        "scout2:preset=described+partners,phase=cases,case_base=taught.cases",
        "everything else",
        "scout2-described-taught-actions",
    ),
    (
        "as described, cases of `netsearch`",
        "scout2:preset=described",
        NETSEARCH_RESTS,
        "scout2-as-described",
    ),
)
"""What decides, the spec, what netsearch decides as a partner, and the file of the result."""
HYBRID_ROWS = (
    ("cases are half of the prior", "scout-hybrid", "scout-hybrid-large"),
    ("the same search without cases", "scout-hybrid:case_share=0", "scout-hybrid-large-no-cases"),
    ("quick: half of the prior", "scout-hybrid:preset=quick", "scout-hybrid-quick"),
    (
        "quick: three tenths of the prior, and cases without the case base's network",
        "scout-hybrid:preset=quick,case_share=0.3,policy_network=false",
        "scout-hybrid-quick-cases-alone",
    ),
    ("quick: where the search looks", "scout-hybrid:preset=quick,cases_as=candidates", "scout-hybrid-quick-candidates"),
    ("quick: no cases", "scout-hybrid:preset=quick,case_share=0", "scout-hybrid-quick-no-cases"),
    ("small: half of the prior", "scout-hybrid:preset=small", "scout-hybrid-prior"),
    ("small: where the search looks", "scout-hybrid:preset=small,cases_as=candidates", "scout-hybrid-candidates"),
    ("small: no cases", "scout-hybrid:preset=small,case_share=0", "scout-hybrid-no-cases"),
    ("forty: where the search looks", "scout-hybrid:preset=forty,cases_as=candidates", "scout-hybrid-candidates-40"),
    ("forty: no cases", "scout-hybrid:preset=forty,case_share=0", "scout-hybrid-no-cases-40"),
)
"""What cases do, the spec, and the file of the result. docs/scout.md says what the words in capitals stand for."""


def trend(result: dict[str, Any]) -> str:
    """How wins change from era to era: "+0.39 per era (+0.23 to +0.55), 100 eras of 5 runs"."""
    low, high = result["interval"]
    eras, runs = sum(map(len, result["wins"])), len(result["wins"])
    return f"{result['slope']:+.2f} per era ({low:+.2f} to {high:+.2f}), {eras} eras of {runs} runs"


def scout_rows(figures: Figures) -> Table:
    """SCOUT on cases, with what others decide."""
    rows = [(what, f"`{spec}`", partner, figures.won(name)) for what, spec, partner, name in SCOUT_ROWS]
    return [("what decides", "spec", "`netsearch` as a partner", "won against `netsearch`"), *rows]


def scout_hybrid(figures: Figures) -> Table:
    """The hybrid with cases and without."""
    rows = [(what, f"`{spec}`", figures.won(name)) for what, spec, name in HYBRID_ROWS]
    return [("what cases do", "spec", "won against `netsearch`"), *rows]


PUBLISHED_SIMILARITIES = {
    "Comet Zone": 1.0,
    "Bio-Hazard Mining World": 0.8462,
    "Imperium Armaments World": 0.7846,
    "Gem World": 0.7231,
    "Prosperous World": 0.6923,
    "Blaster Gem Mines": 0.6923,
    "New Earth": 0.6615,
    "Lost Species Ark World": 0.6615,
    "Distant World": 0.6308,
}
"""Figure 6.3: the worlds most like Mining World."""


def similarity() -> Table:
    """Figure 6.3, all of its rows, in its order."""
    from boardwright.games.race.cards import DESIGNS
    from boardwright.scout.reasoners.card_similarity import card_similarity

    place = {design.name: number for number, design in enumerate(DESIGNS)}
    own = card_similarity()[place["Mining World"]]
    rows = [(name, f"{printed:.2f}", f"{own[place[name]]:.2f}") for name, printed in PUBLISHED_SIMILARITIES.items()]
    return [("like Mining World", "published", "ours"), *rows]


def scout_ladder(figures: Figures) -> Table:
    """SCOUT among the agents of Race for the Galaxy, on Elo's scale."""
    found = figures.results["race-scout-ladder"]
    rows = [
        (
            f"`{rated['spec']}`",
            f"{rated['elo']:+.0f} ({rated['low']:+.0f} to {rated['high']:+.0f})",
            f"{100 * rated['share']:.1f} %",
        )
        for rated in found["ratings"]
    ]
    return [("agent", "rating (95 %)", f"ahead, of {found['ratings'][0]['games']} games"), *rows]


def ladder_of(name: str) -> Callable[[Figures], Table]:
    """A ladder of `boardwright strength`."""

    def table(figures: Figures) -> Table:
        rows = [
            (
                f"`{rated['spec']}`",
                f"{rated['elo']:+.0f} ({rated['low']:+.0f} to {rated['high']:+.0f})",
                f"{100 * rated['share']:.1f} %",
                f"{rated['games']:,}",
                f"{rated['milliseconds']:.2g}",
            )
            for rated in figures.results[name]["ratings"]
        ]
        return [("agent", "rating (95 %)", "ahead", "games", "CPU ms per decision"), *rows]

    return table


def keldon_clone(figures: Figures) -> Table:
    """How often the clones name what the Keldon program chose."""
    by_seats = figures.results["race-keldon-clone"]["seats"]
    questions = sorted(by_seats["2"]["asked"], key=lambda question: -by_seats["2"]["asked"][question])

    def share(seats: str, question: str) -> str:
        found = by_seats[seats]
        asked, named = found["asked"].get(question, 0), found["named"].get(question, 0)
        return f"{100 * named / asked:.1f} % of {asked:,}" if asked else ""

    def total(seats: str) -> str:
        asked, named = (sum(by_seats[seats][kind].values()) for kind in ("asked", "named"))
        return f"{100 * named / asked:.1f} % of {asked:,}"

    rows = [(question, *(share(seats, question) for seats in by_seats)) for question in questions]
    games = (f"{found['games']:,}" for found in by_seats.values())
    heading = ("question", *(f"{seats} seats" for seats in by_seats))
    return [heading, *rows, ("all", *map(total, by_seats)), ("games held out", *games)]


THESIS_GAME_S = 1_558
DISSERTATION_GAMES = 0.009


def colonizers_speed(figures: Figures) -> Table:
    found = figures.of("colonizers")
    return [
        ("", "here", "target", "thesis"),
        ("random games", f"{rounded(found['random_games'])} per second", "20,000", ""),
        (
            "heuristic games, each seat choosing from its observation",
            f"{rounded(found['heuristic_games'])} per second",
            "5,000",
            "",
        ),
        ("an ISMCTS decision, 200 iterations", f"{found['decision_ms']:.1f} ms", "10 ms", "up to tens of seconds"),
        ("a game with one of each agent", f"{found['game_of_each_s']:.2f} s", "0.5 s", f"{THESIS_GAME_S:,} s"),
    ]


def race_speed(figures: Figures) -> Table:
    found = figures.of("race")
    return [
        ("what", "ours", "original", "ratio"),
        (
            "games of two random players",
            rounded(found["random_games"]),
            f"{found['original_random_games']:,.0f}",
            f"{found['random_games'] / found['original_random_games']:.1f}",
        ),
        (
            "replays of its AI's games",
            rounded(found["replays"]),
            f"{found['original_replays']:,.0f}",
            f"{found['replays'] / found['original_replays']:.1f}",
        ),
        ("games of two heuristic players", rounded(found["heuristic_games"]), "", ""),
    ]


def wonders_speed(figures: Figures) -> Table:
    found = figures.of("wonders")
    tag = found["tag_iterations"]

    def row(what: str, ours: float, theirs: float | None) -> tuple[str, ...]:
        return (what, rounded(ours), f"{theirs:,.0f}" if theirs else "", f"{ours / theirs:.0f}" if theirs else "")

    return [
        ("", "ours", "TAG, same game", "times"),
        row("random games/s, 4 seats", found["random_games_4"], found["tag_random_games_4"]),
        row("random games/s, 5 seats", found["random_games_5"], found["tag_random_games_5"]),
        row("search iterations/s with random playouts to the end, 4 seats", found["iterations_plain"], tag),
        row("the same with `playout=heuristic`", found["iterations_heuristic"], tag),
        row("search by the game's defaults, playouts cut short", found["iterations_defaults"], None),
    ]


DECK_PROTOCOLS = {
    "decks-folds": "30 folds",
    "decks-similar": "30 folds, near duplicates left out",
    "decks-later": "August 2014 on, learned once",
    "decks-fortnightly": "August 2014 on, learned every two weeks",
}
DECK_TARGETS = {"decks-folds": 68.5, "decks-similar": 67.0, "decks-later": 64.0, "decks-fortnightly": 65.0}


def decks_accuracy(figures: Figures) -> Table:
    """Match accuracy of the learned predictors."""
    scores = {name: {row["predictor"]: row for row in figures.results[name]["scores"]} for name in DECK_PROTOCOLS}
    rows = [
        (f"`{predictor}`", *(_accuracy(scores[name][predictor]) for name in DECK_PROTOCOLS))
        for predictor in scores["decks-folds"]
    ]
    expected = [f"{100 * scores[name]['best']['expected']:.1f}" for name in DECK_PROTOCOLS]
    decks = [f"{scores[name]['best']['decks']:,}" for name in DECK_PROTOCOLS]
    targets = [f"{DECK_TARGETS[name]:g}" if name in DECK_TARGETS else "" for name in DECK_PROTOCOLS]
    return [
        ("match accuracy in % (95 %)", *DECK_PROTOCOLS.values()),
        *rows,
        ("what `best` expected", *expected),
        ("target for `best`", *targets),
        ("decks predicted", *decks),
    ]


def decks_best(figures: Figures, protocol: str) -> str:
    scores = figures.results[protocol]["scores"]
    return _accuracy(next(row for row in scores if row["predictor"] == "best")).replace(" (", " % (")


def _accuracy(score: dict[str, Any]) -> str:
    low, high = score["interval"]
    return f"{100 * score['accuracy']:.1f} ({100 * low:.1f}–{100 * high:.1f})"


def deck_experiment(name: str, reading: str) -> Callable[[Figures], Table]:
    """A reading of what an experiment about decks gave in other conditions, as the command prints it."""
    return lambda figures: comparison(figures.results[name], reading)


@cache
def declared() -> list[Experiment]:
    """The experiments that declare tables, but those against another opponent that have not been run yet."""
    names = (name for name in experiments() if not name.endswith("-clone") or (EXPERIMENTS / f"{name}.json").exists())
    return [load_experiment(name) for name in names]


def tables_of(experiment: Experiment) -> Iterator[tuple[str, Callable[[Figures], Table]]]:
    """The tables that an experiment declares, by the names that they have in the pages."""
    for part, table in experiment.docs_tables.items():
        name = f"{experiment.name}-{part}" if part else experiment.name
        yield name, lambda figures, table=table: table(Stored.of(experiment.name, figures.experiments))


def picture_of(experiment: Experiment) -> Callable[[Figures, Path], None]:
    """The figure of the publication, published and ours in one plot."""
    return lambda figures, file: experiment.drawn(Stored.of(experiment.name, figures.experiments).results, file)


def decks_play(figures: Figures) -> Table:
    """Matches of search that knows more about hidden decks against search that draws them uniformly."""
    rows = [(title, figures.won(name), figures.won(name, 1)) for name, title in DECK_MATCHES.items()]
    return [("", "it won (95 %)", "uniform decks won (95 %)"), *rows]


DECK_MATCHES = {
    "deck-duel-predicted": "the duel: predicted decks",
    "lords-pool-predicted": "Lords of War: predicted armies",
    "lords-pool-known": "Lords of War: the true army",
}


def decks_speed(figures: Figures) -> Table:
    found = figures.of("decks")

    def mined(support: str) -> tuple[str, ...]:
        ours, theirs = found[f"mine_{support}_s"], found[f"mlxtend_{support}_s"]
        what = f"{found[f'sets_{support}']:,.0f} item sets of up to four, in at least {support} % of 1,000 decks"
        return (what, f"{ours:.2g} s", f"mlxtend's FP-growth: {theirs:.2g} s", f"{theirs / ours:.0f}")

    return [
        ("what", "ours", "peer or target", "ratio"),
        mined("10"),
        mined("5"),
        ("learning from 10,000 decks, by the clock", f"{found['learn_clock_s']:.1f} s", "10 s", ""),
        ("CPU time of that", f"{found['learn_s']:.1f} s", "", ""),
        ("one prediction", f"{found['prediction_ms']:.1f} ms", "5 ms", ""),
        ("one prediction without the decks", f"{found['prediction_without_decks_ms']:.1f} ms", "5 ms", ""),
    ]


def draw_decks_reliability(figures: Figures, file: Path) -> None:
    """Chances and frequencies, for folds and for later decks."""
    from boardwright.reports.decks import draw_reliability

    with figure(file, (10, 5), columns=2) as (_, panels):
        for panel, name in zip(panels, ("decks-folds", "decks-fortnightly"), strict=True):
            scores = figures.results[name]["scores"]
            draw_reliability(panel, {row["predictor"]: row["reliability"] for row in scores})
            panel.set_title(DECK_PROTOCOLS[name], loc="left")


def lords_speed(figures: Figures) -> Table:
    found = figures.of("lords")
    return [
        ("CPU time on one core", "ours", "target", "the thesis"),
        (
            "random games per second",
            rounded(found["random_games"]),
            f"at least {found['random_games_target']:,.0f}",
            "",
        ),
        *(
            (
                f"5,000 iterations of {name} from S1",
                f"{found[f'{family}_ms']:.0f} ms",
                f"at most {found[f'{family}_target_ms']:.0f} ms",
                f"{found[f'{family}_published_ms']:,.0f} ms",
            )
            for family, name in (("uct", "UCT"), ("ismcts", "ISMCTS"))
        ),
    ]


def lords_iterations(figures: Figures) -> Table:
    found = figures.of("lords_iterations")
    searches = {
        "uct": "UCT",
        "ismcts": "ISMCTS",
        "pruned": "UCT pruned by h4, limit 15",
        "extrapolated": "the same with state extrapolation",
    }
    rows = (
        (text, f"{found[f'{name}_before']:,.0f}", f"{found[f'{name}_now']:,.0f}", f"{found[f'{name}_ratio']:.2f}")
        for name, text in searches.items()
    )
    return [("iterations per CPU second, playouts to the end", "before", "now", "times"), *rows]


def lords_shape(figures: Figures) -> Table:
    """How long games are and how many choices there are, beside the thesis's figures."""
    found = figures.of("lords")

    def values(name: str) -> str:
        low, high = found[f"{name}_low"], found[f"{name}_high"]
        return f"{found[name]:.0f}, nine in ten from {low:.0f} to {high:.0f}"

    return [
        ("", "ours", "the thesis"),
        ("turns of a random game", values("random_turns"), "50 to 120"),
        ("turns of a game of UCT", values("mcts_turns"), "30 to 60"),
        ("choices at a deployment in the middle half of a game of UCT", values("mcts_choices"), "25 to 50"),
        ("children of the root in S1, UCT", f"{found['uct_children']:.0f}", "20 to 30"),
        ("children of the root in S1, ISMCTS", f"{found['ismcts_children']:.0f}", "about 150"),
        ("deployments in S1 over all cards one might hold", f"{found['unknown_deployments']:.0f}", ""),
    ]


def lords_armies(figures: Figures) -> Table:
    """Rows are the army in the first seat."""
    found = figures.results["lords-armies"]
    sides = [total["side"] for total in found["totals"]]
    points = {(cell["first"], cell["second"]): cell for cell in found["pairings"]}
    totals = {total["side"]: total for total in found["totals"]}

    def share(tally: dict[str, Any]) -> str:
        low, high = tally["interval"]
        return f"{100 * tally['share']:.0f} ({100 * low:.0f}–{100 * high:.0f})"

    return [
        ("first seat", *sides, "against the others, both seats"),
        *(
            (f"**{first}**", *(share(points[first, second]) for second in sides), share(totals[first]))
            for first in sides
        ),
    ]


LORDS_MATCHES = (
    "lords-heuristic-random",
    "lords-ismcts-heuristic",
    "lords-maxn-heuristic",
    "lords-netsearch-random",
    "lords-netsearch-heuristic",
    "lords-netsearch-ismcts",
    "lords-exploration",
    "lords-plies",
    "lords-against-plain",
    "lords-learned",
    *(f"lords-learned-{army}" for army in ("templar", "dwarf", "undead", "lizardman", "elf")),
)
"""In the order of the table."""


def strength(*names: str) -> Callable[[Figures], Table]:
    """Matches of two agents, each in a row."""

    def table(figures: Figures) -> Table:
        rows = []
        for name in names:
            found = figures.results[name]
            first, second = (f"`{agent['spec']}`" for agent in found["agents"])
            options = ", ".join(f"{option}={value}" for option, value in found["options"].items())
            rows.append((first, second, options, str(found["seed"]), figures.won(name)))
        return [("agent", "against", "options", "seed", "won (95 %)"), *rows]

    return table


NETWORK_MATCHES = (
    "race-keldon-netsearch",
    "race-keldon-heuristic",
    "race-large-keldon",
    "race-large-opponent-keldon",
    "race-keldon-search-4",
)
"""Matches with the clone of the Keldon program."""

MORE_SEATS = (
    "race-netsearch-keldon-3",
    "race-netsearch-keldon-4",
    "race-turns-keldon-4",
)
"""The network for three and four seats against the clone."""


def at_table(*names: str) -> Callable[[Figures], Table]:
    """Matches of one agent against all others at a table, each in a row."""

    def table(figures: Figures) -> Table:
        rows = []
        for name in names:
            found = figures.results[name]
            first, *others = (f"`{agent['spec']}`" for agent in found["agents"])
            many = f"{len(others)} × " if len(others) > 1 else ""
            rows.append((first, many + others[0], str(found["seed"]), figures.won(name)))
        return [("agent", "against", "seed", "won by the first (95 %)"), *rows]

    return table


def cases_strength(figures: Figures) -> Table:
    """Matches of `cases` in every game, beside those that the network it retrieves with has played without search."""
    rows = []
    for name in sorted(_names(RESULTS, "cases-*-heuristic") + _names(RESULTS, "cases-*-ismcts")):
        found, network = figures.results[name], name.replace("cases-", "netpolicy-", 1)
        others = [f"`{agent['spec']}`" for agent in found["agents"][1:]]
        many = f"{len(others)} × " if len(others) > 1 else ""
        beside = figures.won(network) if network in figures.results else ""
        chance = f"{100 / len(found['agents']):.0f} %"
        rows.append((found["game"], many + others[0], str(found["seed"]), chance, figures.won(name), beside))
    return [("game", "against", "seed", "even", "won by `cases` (95 %)", "by `netpolicy`, same deals"), *rows]


def cases_leaderboard(figures: Figures) -> Table:
    """How often choices of test games are named."""
    found = figures.results["cases-leaderboard"]["rows"]
    columns = {"guess": "guessing", "nearest": "`cases:k=1`", "cases": "`cases`", "network": "the network"}
    rows = (
        (
            f"{row['game']}, {row['seats']} seats",
            f"{row['train']:,}",
            f"{row['asked']:,} of {row['test']:,}",
            *(f"{100 * row[name]:.1f} %" for name in columns),
        )
        for row in found
    )
    return [("data set", "training cases", "asked", *columns.values()), *rows]


def cases_speed(figures: Figures) -> Table:
    found = figures.of("cases")
    sizes = [int(name.split("_")[1]) for name in found if name.startswith("retrieval_")]
    rows = [(f"the nearest 32 of {size:,} points", f"{found[f'retrieval_{size}_ms']:.2f} ms") for size in sizes]
    decision = ("a decision of `race` with 100,000 cases", f"{found['decision_ms']:.2f} ms")
    return [("what", "processor time"), *rows, decision]


def connect_four_moves(figures: Figures) -> Table:
    """How many moves keep the value of a position."""
    found = figures.results["connect-four-moves"]
    return [
        ("agent", f"keeps the value, of {found['positions']:,}", f"of {found['critical']:,} critical positions"),
        *(
            (
                f"`{row['spec']}`",
                f"{100 * row['kept'] / found['positions']:.1f} %",
                f"{100 * row['critical_kept'] / found['critical']:.1f} %",
            )
            for row in found["agents"]
        ),
    ]


def companion(figures: Figures) -> Table:
    """What the others won together, by game and opponent, and what the companion aimed at for them."""
    found = figures.results["companion"]["held"]
    aims = dict.fromkeys(held["aim"] for held in found)

    def won_by(game: str, opponent: str, aim: float) -> str:
        held = next(one for one in found if (one["game"], one["opponent"], one["aim"]) == (game, opponent, aim))
        low, high = held["interval"]
        return f"{100 * held['share']:.0f} ({100 * low:.0f}–{100 * high:.0f})"

    rows = {(one["game"], one["opponent"]): one for one in found}
    return [
        ("the others won (95 %)", "", "games", *(f"aim {100 * aim:.0f} %" for aim in aims)),
        *(
            (load_game(game).title, one["kind"], str(one["games"]), *(won_by(game, opponent, aim) for aim in aims))
            for (game, opponent), one in rows.items()
        ),
    ]


def characters(game: str) -> Callable[[Figures], Table]:
    """Ratings of a game's characters at each strength, and how often they are recognised from five games."""

    def table(figures: Figures) -> Table:
        found = json.loads((ROOT / "docs" / "styles" / f"{game}-characters.json").read_text(encoding="utf-8"))
        strengths = found["strengths"]
        by_name: dict[str, dict[str, str]] = {}
        for strength, entry in strengths.items():
            for one in entry["characters"]:
                shown = f"{one['elo']:+.0f} ({one['low']:+.0f} to {one['high']:+.0f})"
                by_name.setdefault(one["character"], {})[strength] = shown
        recognised = [
            f"{100 * known['accuracy']:.0f} % ({100 * known['interval'][0]:.0f}–{100 * known['interval'][1]:.0f})"
            for known in (entry["recognition"] for entry in strengths.values())
        ]
        games = next(iter(strengths.values()))["characters"][0]["games"]
        cast = cast_of(load_game(game))
        assert cast is not None
        styles = {one.name: style_in_words(one) for one in cast.characters}
        return [
            (f"rating, {games} games each (95 %)", *strengths, "more than its fellows, or less"),
            *(
                (name, *(shown.get(strength, "") for strength in strengths), styles[name])
                for name, shown in by_name.items()
            ),
            ("recognised from five games", *recognised, ""),
        ]

    return table


def confusion(game: str) -> Callable[[Figures], Table]:
    """Who was taken for whom, in samples of five games, at the highest strength that was measured."""

    def table(figures: Figures) -> Table:
        found = json.loads((ROOT / "docs" / "styles" / f"{game}-characters.json").read_text(encoding="utf-8"))
        known = list(found["strengths"].values())[-1]["recognition"]
        names = [name.partition(",")[0] for name in known["agents"]]
        rows = zip(names, known["confusion"], strict=True)
        return [("taken for", *names), *((name, *map(str, row)) for name, row in rows)]

    return table


def draw_characters(figures: Figures, file: Path) -> None:
    """The styles of characters as shades, and their ratings with intervals, a row of panels per game."""
    with figure(file, (12, 10), rows=len(RATED), columns=2) as (_, panels):
        for (left, right), name in zip(panels, RATED, strict=True):
            game = load_game(name)
            cast = cast_of(game)
            assert cast is not None
            features = list(cast.characters[0].style)
            shades = [[one.style.get(feature, 0.0) for feature in features] for one in cast.characters]
            left.imshow(shades, cmap="RdBu", vmin=-2, vmax=2, aspect="auto")
            left.set_xticks(range(len(features)), features, rotation=25, ha="right")
            left.set_yticks(range(len(cast.names)), cast.names)
            left.set_title(f"{game.title}: more (blue) or less (red) than its fellows", loc="left")
            for offset, strength in enumerate(STRENGTHS):
                rated = [(place, one.strengths[strength].rating) for place, one in enumerate(cast.characters)]
                known = [(place + 0.2 * (offset - 1), rating) for place, rating in rated if rating is not None]
                right.errorbar(
                    [rating.elo for _, rating in known],
                    [place for place, _ in known],
                    xerr=[
                        [rating.elo - rating.low for _, rating in known],
                        [rating.high - rating.elo for _, rating in known],
                    ],
                    fmt="o",
                    label=strength,
                )
            right.set_yticks(range(len(cast.names)), cast.names)
            right.invert_yaxis()
            right.set_xlabel("rating, the anchor “easy” is 0; 95 % intervals")
            right.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(STRENGTHS), frameon=False)


RATED = ("race", "colonizers", "wonders")
"""Games whose characters were rated."""


def scripts_speed(figures: Figures) -> Table:
    found = figures.of("scripts")
    return [
        ("Connect Four", "measured", "target"),
        ("`random` in this process, ms per decision (median)", rounded(found["in_process_ms"]), ""),
        ("`isolated:random`, the same decisions", rounded(found["isolated_ms"]), ""),
        ("overhead of a decision, pipe included, ms", rounded(found["overhead_ms"]), "at most 0.2"),
        (
            "`examples/scripts/first.py`, random decisions per CPU second of both processes",
            rounded(found["decisions_per_cpu_second"]),
            "3,000",
        ),
        (
            "the same by the clock, with other work on the [machine](figures.md)",
            rounded(found["decisions"]),
            "",
        ),
        ("rule applications/s, asked for in batches", rounded(found["applications"]), "100,000"),
    ]


def batches(figures: Figures) -> Table:
    found = figures.of("batches")

    def row(what: str, ours: str, peer: str, whose: str) -> tuple[str, ...]:
        return (what, rounded(found[ours]), f"{whose}: {rounded(found[peer])}", rounded(found[ours] / found[peer], 2))

    rows = [
        row("Connect Four, `step` with planes", "step", "pgx_step", "pgx, jitted scan"),
        row("the same", "step", "pettingzoo", "PettingZoo's own"),
        row("Connect Four, `run`", "run", "pgx_run", "pgx, jitted scan with nothing returned"),
    ]
    kinds = {"run": "`run`", "step_record": "`step` with records", "step_features": "`step` with features"}
    for name, title in (("race", "Race for the Galaxy, 2 seats"), ("wonders", "7 Wonders, 4 seats")):
        for kind, what in kinds.items():
            if f"{name}_{kind}" in found:
                rows.append(row(f"{title}, {what}", f"{name}_{kind}", f"{name}_random_games", "its random games"))
    return [("steps per CPU second", "ours", "beside", "times"), *rows]


def scale_costs(figures: Figures) -> Table:
    """What was measured of a game, a record, a task."""
    found = figures.of("scale")
    return [
        ("", "measured"),
        ("a game of SCOUT (`scout2`) against `netsearch`, one core", f"{found['long_game_s']:.2g} s"),
        (
            "a game of `heuristic` against `ismcts:iterations=100,playout=random` at Race, one core",
            f"{found['ladder_game_s']:.2g} s",
        ),
        ("a record of the first", f"{found['long_record_bytes']:,.0f} bytes"),
        ("collecting a result: recorded and counted", f"{1e6 * found['collect_s']:,.0f} µs"),
        ("an empty task on Ray", f"{1e6 * found['ray_task_s']:,.0f} µs"),
        ("a match of one short game on Ray, beside the game", f"{1e3 * found['table_s']:,.0f} ms"),
        ("to the first result, two processes", f"{found['processes_first_result_s']:.1f} s"),
        ("to the first result, Ray started for it", f"{found['ray_first_result_s']:.1f} s"),
        (
            "games of 20 ms and more per second, two workers of Ray beside two processes",
            f"{found['ray_games'] / found['processes_games']:.2f}",
        ),
    ]


CORES = (10, 100, 1000)
MILLION, LADDER_AGENTS, LADDER_GAMES = 1_000_000, 100, 100


def scale_runs(figures: Figures) -> Table:
    """What large runs would take, computed from the measured costs."""
    found = figures.of("scale")
    central = found["collect_s"] + found["ray_task_s"]
    tables = LADDER_AGENTS * (LADDER_AGENTS - 1) // 2

    def million(cores: int) -> float:
        return MILLION * max(found["long_game_s"] / cores, central)

    def ladder(cores: int) -> float:
        rounds = -(-LADDER_GAMES // cores)
        games = max(rounds * found["ladder_game_s"], LADDER_GAMES * central)
        return tables * (games + found["table_s"])

    rows = [
        ("a million games of SCOUT against `netsearch`", *(duration(million(cores)) for cores in CORES)),
        (f"a ladder of {LADDER_AGENTS} agents, {LADDER_GAMES} games a table", *(duration(ladder(c)) for c in CORES)),
    ]
    return [("run", *(f"{cores:,} cores" for cores in CORES)), *rows]


def duration(seconds: float) -> str:
    for unit, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{rounded(seconds / length, 2)} {unit}"
    return f"{seconds:.0f} s"


def measured(figures: Figures) -> Table:
    """When and where the benchmarks ran."""
    rows = [
        (
            f"`benchmarks/{name}.py`",
            run["date"],
            f"`{run['commit']}`",
            run["machine"],
            "" if run["load"] is None else str(run["load"]),
        )
        for name, run in sorted(figures.benchmarks.items())
    ]
    return [("benchmark", "date", "commit", "machine", "load of the machine"), *rows]


HEADLINES = (
    "UCT on Connect Four, iterations/s on one thread",
    "Colonizers: a game with one of each agent",
    "Race for the Galaxy: `netsearch` against `heuristic`",
    "SCOUT2 as described, against `netsearch`",
    "7 Wonders: random five-seat games per CPU second",
)


def headline(figures: Figures) -> Table:
    """The rows of `readme` that stay in the README itself."""
    head, *rows = readme(figures)
    return [head, *(row for start in HEADLINES for row in rows if row[0].startswith(start))]


def references(one: References) -> Callable[[Figures], Table]:
    """The reference opponents of a game, with their ratings."""

    def table(_: Figures) -> Table:
        rows = sorted(rated(one).anchors, key=lambda anchor: -anchor.elo)
        return [
            ("reference", "rating (95 %)", "games", "ms per decision"),
            *(
                (
                    f"`{row.spec}`",
                    f"{row.elo:+.0f} ± {Z95 * row.error:.0f}",
                    f"{row.games:,}",
                    f"{row.milliseconds:.2g}",
                )
                for row in rows
            ),
        ]

    return table


OWN_TABLES: dict[str, Callable[[Figures], Table]] = {
    **{f"bench-{one.game}": references(one) for one in SETS if one.file.is_file()},
    "readme": readme,
    "headline": headline,
    "scout-rows": scout_rows,
    "scout-hybrid": scout_hybrid,
    "scout-ladder": scout_ladder,
    "keldon-clone": keldon_clone,
    "keldon-matches": at_table(*NETWORK_MATCHES),
    "race-more-seats": at_table(*MORE_SEATS),
    "wonders-network": at_table(*(f"wonders-netsearch-ismcts-{seats}" for seats in (3, 5))),
    "connect-four-matches": at_table("connect-four-nettree-uct"),
    "connect-four-moves": connect_four_moves,
    **{name: ladder_of(name) for name in sorted(_names(RESULTS, "strength-*"))},
    "colonizers-speed": colonizers_speed,
    "scout-clone": at_table("scout2-described-clone"),
    "cases-strength": cases_strength,
    "cases-leaderboard": cases_leaderboard,
    "cases-speed": cases_speed,
    "race-speed": race_speed,
    "scripts-speed": scripts_speed,
    "wonders-speed": wonders_speed,
    "lords-speed": lords_speed,
    "lords-iterations": lords_iterations,
    "lords-shape": lords_shape,
    "lords-armies": lords_armies,
    "lords-strength": strength(*LORDS_MATCHES),
    "race-playouts": strength("race-playouts"),
    "companion": companion,
    **{f"characters-{game}": characters(game) for game in RATED},
    **{f"confusion-{game}": confusion(game) for game in RATED},
    "batches": batches,
    "scale-costs": scale_costs,
    "scale-runs": scale_runs,
    "measured": measured,
    "decks-accuracy": decks_accuracy,
    "decks-6.1-random": deck_experiment("netrunner-6.1-random", "rest"),
    "decks-6.1-random-confidence": deck_experiment("netrunner-6.1-random", "confidence"),
    "decks-play": decks_play,
    "decks-speed": decks_speed,
    "scout-similarity": lambda figures: similarity(),
}
DECLARED_TABLES = {name: table for experiment in declared() for name, table in tables_of(experiment)}
TABLES = OWN_TABLES | DECLARED_TABLES
PICTURES: dict[str, Callable[[Figures, Path], None]] = {
    "decks-reliability.png": draw_decks_reliability,
    "characters.png": draw_characters,
    **{f"{experiment.name}.png": picture_of(experiment) for experiment in declared() if experiment.drawn is not None},
}
"""Drawn from the same files. They are not compared with --check: other versions of the drawing library differ."""


def markdown(table: Table) -> str:
    head, *rows = table
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *(f"| {' | '.join(row)} |" for row in rows)]
    return "".join(" ".join(line.split()) + "\n" for line in lines)


def made(text: str, figures: Figures) -> str:
    """A page with its tables made again."""

    def table(block: re.Match[str]) -> str:
        return f"{block[1]}{markdown(TABLES[block[2]](figures))}{block[4]}"

    return _BLOCK.sub(table, text)


def main() -> None:
    figures, stale = Figures(), []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if (new := made(text, figures)) != text:
            stale.append(page)
            if "--check" not in sys.argv:
                page.write_text(new, encoding="utf-8")
                print(page)
    if "--check" not in sys.argv:
        pages = "".join(page.read_text(encoding="utf-8") for page in PAGES)
        for name, draw in PICTURES.items():
            if f"images/{name}" not in pages:
                continue
            draw(figures, IMAGES / name)
            print(IMAGES / name)
    if stale and "--check" in sys.argv:
        sys.exit(f"not as the results say: {', '.join(str(page.relative_to(ROOT)) for page in stale)}; run `make docs`")


if __name__ == "__main__":
    main()
