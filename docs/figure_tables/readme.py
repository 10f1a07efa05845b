"""The figures of the README, and the page of all figures."""

from __future__ import annotations

from boardwright.experiments.tables import Table
from figure_tables.decks import decks_best
from figure_tables.results import Figures, TableOf, points, rounded
from figure_tables.scout import trend
from figure_tables.speed import THESIS_GAME_S

DISSERTATION_GAMES = 0.009
HEADLINES = (
    "UCT on Connect Four, iterations/s on one thread",
    "Colonizers: a game with one of each agent",
    "Race for the Galaxy: `netsearch` against `heuristic`",
    "SCOUT2 as described, against `netsearch`",
    "7 Wonders: random five-seat games per CPU second",
)


def _search(figures: Figures) -> Table:
    """Search on Connect Four, and how long a match takes to begin."""
    uct, threads, startup = figures.of("uct_connect_four"), figures.of("threads"), figures.of("startup")
    return [
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
    ]


def _colonizers(figures: Figures) -> Table:
    colonizers = figures.of("colonizers")
    return [
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
    ]


def _lords(figures: Figures) -> Table:
    lords = figures.of("lords")
    return [
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
    ]


def _race(figures: Figures) -> Table:
    race, net = figures.of("race"), figures.of("netsearch")
    return [
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
    ]


def _scout(figures: Figures) -> Table:
    scout = figures.of("scout")
    own, observed = figures.experiments["scout-7.5-critic"], figures.experiments["scout-7.5-observe"]
    return [
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
            "SCOUT, cases alone: `scout2:preset=features-alone,case_base=taught.cases`"
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
    ]


def _wonders(figures: Figures) -> Table:
    wonders = figures.of("wonders")
    return [
        (
            "7 Wonders: random five-seat games per CPU second",
            rounded(wonders["random_games_5"]),
            f"TAG, as measured before: {wonders['tag_random_games_5']:.0f}",
            f"{wonders['random_games_5'] / wonders['tag_random_games_5']:.0f}",
        ),
    ]


def _decks(figures: Figures) -> Table:
    return [
        (
            "Netrunner decks from five seen cards: match accuracy, near duplicates left out",
            decks_best(figures, "decks-similar"),
            "the thesis: 59 %, with near duplicates",
            "",
        ),
    ]


def readme(figures: Figures) -> Table:
    """Figures of all subjects beside those of peers."""
    subjects = (_search, _colonizers, _lords, _race, _scout, _wonders, _decks)
    rows = [row for subject in subjects for row in subject(figures)]
    return [("what", "ours", "peer or target", "ratio"), *rows]


def headline(figures: Figures) -> Table:
    """The rows of `readme` that stay in the README itself."""
    head, *rows = readme(figures)
    return [head, *(row for start in HEADLINES for row in rows if row[0].startswith(start))]


TABLES: dict[str, TableOf] = {
    "readme": readme,
    "headline": headline,
}
