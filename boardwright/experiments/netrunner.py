"""Figures 6.1 to 6.3 of Sephton's thesis: hidden Netrunner decks predicted by association rules.

The figures are drawings without numbers; what is compared here is what the text says about them. The thesis can be read
in two ways: "All of these tests were run on a dataset of size 200 (30-fold cross-validation on a total set of size
6000)". Either rules are mined from 29 folds and tested on the 200 decks of the last one, or they are mined from 200
decks. Both are run. A card's score is its "rulecount", sorted "by rule support"; here active rules are counted, and in
a third run of figure 6.1 they count with their confidence. How it is done is in deck_runs.py.
"""

from __future__ import annotations

from boardwright.experiments import deck_runs
from boardwright.experiments.deck_runs import Cells, DeckClaim, DeckExperiment, PublishedAccuracy
from boardwright.experiments.model import Experiment, Published, Verdict, decided

PREDICTED = deck_runs.PER_FOLD * deck_runs.FOLDS
"""Decks that are predicted by default; all 6,000 take four times as long."""
SEED = 6
SUPPORTS = (10, 15, 20)
SUPPORT = 15
"""Of figure 6.2, which does not name one: the middle of those that figure 6.1 compares."""
RULES = ("a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7")
BEYOND = ("nearest", "best")
"""What the thesis does not have: the nearest decks, and the best predictor."""

ACCURACIES = (
    PublishedAccuracy("a0", 0.0, 0.06, "0 to 6 %"),
    PublishedAccuracy("a1", 0.48, 0.48, "48 %, with support 15"),
    PublishedAccuracy("a2", 0.53, 0.53, "53 %, with 10 and 15"),
    PublishedAccuracy("a3", 0.53, 0.55, "less than 2 points above a2, with 10"),
    PublishedAccuracy("a4", 0.57, 0.57, "57 %, with 20"),
    PublishedAccuracy("a5", 0.53, 0.57, "about a2 and a3, below a4"),
    PublishedAccuracy("a6", 0.57, 0.59, "above a4, mainly with 20"),
    PublishedAccuracy("a7", 0.59, 0.59, "59 %, with 20"),
)


def _share(value: float) -> str:
    return f"{100 * value:.1f}"


def triplets_cost_accuracy(cells: Cells) -> tuple[Verdict, str]:
    """a2 over a1, at the best support of each."""
    first, second = cells.best("a1"), cells.best("a2")
    return decided(second.low > first.high, second.high < first.low), (
        f"{_share(second.accuracy)} % against {_share(first.accuracy)} %"
    )


def confident_is_best(cells: Cells) -> tuple[Verdict, str]:
    """a7 over all other rule algorithms, at the best support of each."""
    others = max((cells.best(name) for name in RULES if name != "a7"), key=lambda cell: cell.accuracy)
    best = cells.best("a7")
    return decided(best.low > others.high, best.high < others.low), (
        f"a7 {_share(best.accuracy)} %, {others.predictor} {_share(others.accuracy)} %"
    )


def learned_beats_rules(cells: Cells) -> tuple[Verdict, str]:
    """With five seen cards."""
    rules = max((cells.at(name, 5) for name in RULES), key=lambda cell: cell.accuracy)
    best = cells.at("best", 5)
    return decided(best.low > rules.high, best.high < rules.low), (
        f"{_share(best.accuracy)} % against {_share(rules.accuracy)} % ({rules.predictor})"
    )


def twenty_points(cells: Cells) -> tuple[Verdict, str]:
    """From none to ten seen cards, the mean over a1 to a7."""
    ends = [
        sum(cells.at(name, observed).accuracy for name in RULES[1:]) / len(RULES[1:])
        for observed in (deck_runs.OBSERVED[0], deck_runs.OBSERVED[-1])
    ]
    gain = ends[1] - ends[0]
    return decided(0.15 <= gain <= 0.25, True), f"{100 * gain:+.1f} points, from {_share(ends[0])} % on"


def influence_first_needs_cards(cells: Cells) -> tuple[Verdict, str]:
    """a3 and a4 below a2 with only the identity seen."""
    plain = cells.at("a2", 0)
    poor = [cells.at(name, 0) for name in ("a3", "a4")]
    figures = ", ".join(f"{cell.predictor} {_share(cell.accuracy)} %" for cell in (plain, *poor))
    return decided(all(c.high < plain.low for c in poor), all(c.low > plain.high for c in poor)), figures


def refinements_help(cells: Cells) -> tuple[Verdict, str]:
    """The mean over all runs: a1 below a2, a3, a4, a6 and a7."""
    first, others = cells.mean("a1"), [cells.mean(name) for name in ("a2", "a3", "a4", "a6", "a7")]
    figures = f"a1 {_share(first)} %, the others {_share(min(others))} to {_share(max(others))} %"
    return decided(min(others) > first, max(others) < first), figures


_BY_SUPPORT = DeckExperiment(
    by="support",
    predictors=(*RULES, *BEYOND),
    supports=SUPPORTS,
    observed=(5,),
    readings=(deck_runs.REST, deck_runs.CONFIDENCE, deck_runs.FOLD),
    accuracies=ACCURACIES,
    claims=(
        DeckClaim("usual numbers of copies are better than triplets", triplets_cost_accuracy),
        DeckClaim("a7 predicts best", confident_is_best),
    ),
)
_BY_OBSERVED = DeckExperiment(
    by="observed",
    predictors=(*RULES, *BEYOND),
    supports=(SUPPORT,),
    observed=deck_runs.OBSERVED,
    claims=(
        DeckClaim("ten seen cards instead of none gain about 20 points", twenty_points),
        DeckClaim("a3 and a4 are poor when only the identity is known", influence_first_needs_cards),
        DeckClaim(
            "beyond the thesis: the learned predictor is better than all rules", learned_beats_rules, (deck_runs.REST,)
        ),
    ),
)
_ALL_RUNS = DeckExperiment(
    by="all",
    predictors=(*RULES, *BEYOND),
    claims=(DeckClaim("all refinements but a5 are better than a1", refinements_help),),
    total=(_BY_SUPPORT, _BY_OBSERVED),
)


def experiment(name: str, figure: str, title: str, question: str, conduct: DeckExperiment) -> Experiment:
    return Experiment(
        name=name,
        game="netrunner",
        title=title,
        question=question,
        games=PREDICTED,
        unit="decks",
        seed=SEED,
        published=Published(figure, deck_runs.DECKS, "agent", ()),
        notes=(
            *(f"Published: {row.predictor} {row.text}." for row in conduct.accuracies),
            *(f"{reading.key}: {reading.title}." for reading in conduct.readings),
        ),
        conduct=conduct.run,
    )


_EXPERIMENTS = (
    experiment(
        "netrunner-6.1",
        "figure 6.1",
        "match accuracy by algorithm and minimum support",
        "How much of a hidden deck do rules predict from five seen cards?",
        _BY_SUPPORT,
    ),
    experiment(
        "netrunner-6.2",
        "figure 6.2",
        "match accuracy by the number of seen cards",
        "How much does each seen card tell?",
        _BY_OBSERVED,
    ),
    experiment(
        "netrunner-6.3",
        "figure 6.3",
        "match accuracy by algorithm over all runs of figures 6.1 and 6.2",
        "Which algorithm is best on the whole?",
        _ALL_RUNS,
    ),
)
EXPERIMENTS = {found.name: found for found in _EXPERIMENTS}
