"""SCOUT: what its parts win, and where it stands among other agents."""

from __future__ import annotations

from typing import Any

from boardwright.experiments.tables import Table
from boardwright.reports.report import in_percent as rounded_percent
from figure_tables.results import Figures, TableOf, rating

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
        "scout2:preset=features-alone,case_base=taught.cases",
        "nothing",
        "scout2-alone-taught",
    ),
    (
        "the same, cases of the package",
        "scout2:preset=features-alone",
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
            rating(rated),
            f"{rounded_percent(rated['share'])} %",
        )
        for rated in found["ratings"]
    ]
    return [("agent", "rating (95 %)", f"ahead, of {found['ratings'][0]['games']} games"), *rows]


TABLES: dict[str, TableOf] = {
    "scout-rows": scout_rows,
    "scout-hybrid": scout_hybrid,
    "scout-ladder": scout_ladder,
    "scout-similarity": lambda _: similarity(),
}
