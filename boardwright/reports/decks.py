"""Reports about decks: predictions with their reasons, whole decks, and how well predictors do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boardwright.decks import DeckGame
from boardwright.decks.deck import Deck
from boardwright.decks.evaluation import Protocol, Score
from boardwright.decks.mining import ItemSets, Transactions
from boardwright.decks.model import DeckModel
from boardwright.decks.prediction import Observation, Prediction
from boardwright.decks.reasons import Explanation, Reasons
from boardwright.decks.table import DeckTable
from boardwright.reports.plots import Interval, draw_intervals, figure, legend_beside
from boardwright.reports.report import Metric, Report, Section, percent, percent_with_interval

_TELLING = 0.01
"""Reasons that add less than this to a chance are not shown."""
_MOST_REASONS = 3
"""The most reasons that are shown."""
_FEWEST_CARDS = 30
"""A point of the reliability plot stands for at least this many cards."""


class _Expected(NamedTuple):
    title: str
    kind: str
    chances: list[float]
    copies: int
    seen: int
    why: Explanation | None


_EXPECTED = (
    Metric("card", lambda row: row.title, "card", left=True),
    Metric("kind", lambda row: row.kind),
    Metric("seen", lambda row: row.seen, "seen", lambda row: str(row.seen or "")),
    Metric("predicted", lambda row: row.copies, "copies", lambda row: str(row.copies or "")),
    Metric("at_least", lambda row: row.chances, "1+", lambda row: percent(row.chances[0])),
    Metric("", lambda row: row.chances[1], "2+", lambda row: percent(row.chances[1])),
    Metric("", lambda row: row.chances[2], "3+", lambda row: percent(row.chances[2])),
    Metric("why", lambda row: _why_as_json(row.why), "why", lambda row: _why(row.why), left=True),
)


def _why_as_json(why: Explanation | None) -> dict[str, Any] | None:
    if why is None:
        return None
    evidence = [{**found._asdict(), "confidence": found.confidence} for found in why.evidence]
    return {"usual": why.usual, "evidence": evidence}


def _why(why: Explanation | None) -> str:
    """The usual chance, then what matters most of what was seen, in percentage points."""
    if why is None:
        return ""
    telling = [found for found in why.evidence if abs(found.adds) >= _TELLING][:_MOST_REASONS]
    added = (f"{found.item.partition(':')[0]} {100 * found.adds:+.0f}" for found in telling)
    return ", ".join([f"usual {100 * why.usual:.0f}", *added])


def prediction_report(model: DeckModel, prediction: Prediction, reasons: Reasons, shown: Sequence[int]) -> Report:
    """The cards that are expected, with chances and rules; then the nearest known decks and archetypes."""
    pool, seen = model.game.pool, prediction.observation
    rows = [
        _Expected(
            pool[model.cards[card]].title,
            pool[model.cards[card]].kind,
            [float(chance) for chance in prediction.at_least[card]],
            int(prediction.copies[card]),
            int(seen.copies[card]),
            None if seen.copies[card] else reasons.cards.get(model.cards[card]),
        )
        for card in shown
    ]
    new = [
        _Expected(pool[code].title, pool[code].kind, [float(number >= k) for k in (1, 2, 3)], number, number, None)
        for code, number in seen.others.items()
    ]
    identity = model.book.identities[seen.identity]
    sizes = ", ".join(f"{size} cards ({chance:.0%})" for size, chance in seen.sizes.items())
    size = f"probably {sizes}" if len(seen.sizes) > 1 else f"{seen.size} cards"
    section = Section(f"{pool[identity].title}, {size}: what the deck may contain", _EXPECTED, [*new, *rows])
    sections: list[Section | str] = [
        section,
        *_news(model, seen),
        f"The predicted deck is expected to have {prediction.expected_accuracy:.1%} of its cards in common with the"
        " hidden one.\n",
        *_reasons(reasons),
    ]
    data = {
        "identity": identity,
        "size": seen.size,
        "sizes": {str(size): chance for size, chance in seen.sizes.items()},
        "expected_accuracy": prediction.expected_accuracy,
        "cards": section.as_json(),
        "nearest_decks": [near._asdict() for near in reasons.decks],
        "archetypes": [near._asdict() for near in reasons.archetypes],
    }
    return Report(sections, data)


def _news(model: DeckModel, seen: Observation) -> list[str]:
    """What of the observation no known deck has."""
    pool = model.game.pool
    codes = [model.book.identities[seen.identity]] if seen.identity >= len(model.identities) else []
    titles = [pool[code].title for code in (*codes, *seen.others)]
    if not titles:
        return []
    return [f"No known deck has {', '.join(titles)}: what was seen besides is all that the prediction rests on.\n"]


def _reasons(reasons: Reasons) -> list[Section | str]:
    lines: list[Section | str] = []
    columns: tuple[Metric, ...]
    if reasons.decks:
        columns = (
            Metric("name", lambda near: near.name, "deck", left=True),
            Metric("identity", lambda near: near.identity, "identity", left=True),
            Metric("date", lambda near: near.date, "date"),
            Metric("weight", lambda near: near.weight, "weight", lambda near: percent(near.weight)),
        )
        lines.append(Section("Nearest known decks", columns, reasons.decks))
    if reasons.archetypes:
        columns = (
            Metric("weight", lambda near: near.weight, "weight", lambda near: percent(near.weight)),
            Metric("identity", lambda near: near.identity, "mostly with", left=True),
            Metric("cards", lambda near: ", ".join(near.cards), "and with", left=True),
        )
        lines.append(Section("Nearest archetypes", columns, reasons.archetypes))
    return lines


def deck_report(model: DeckModel, given: Observation, deck: Deck) -> Report:
    """A whole deck, kind by kind, with what it spends."""
    pool, rules = model.game.pool, model.game.construction
    codes = list(deck.cards)
    requirements = rules.requirements(deck.identity, deck.size, codes)
    copies = np.array(list(deck.cards.values()))
    wanted = {code for code, number in zip(model.cards, given.copies, strict=True) if number} | set(given.others)
    lines = [pool[deck.identity].title]
    for kind in sorted({pool[code].kind for code in deck.cards}):
        of_kind = {code: number for code, number in deck.cards.items() if pool[code].kind == kind}
        lines.append(f"\n{kind} ({sum(of_kind.values())})")
        for code in sorted(of_kind, key=lambda code: str(pool[code].title)):
            cost = int(requirements.cost[codes.index(code)])
            dots = " " + "•" * cost if cost else ""
            lines.append(f"{of_kind[code]}x {pool[code].title}{dots}{'  (given)' if code in wanted else ''}")
    spent, points = requirements.spent(copies), int(copies @ requirements.points)
    summary = f"\nCards: {deck.size}, influence spent: {spent}/{requirements.budget}"
    if requirements.points_high:
        summary += f", agenda points: {points} ({requirements.points_low} or {requirements.points_high})"
    data = {
        "identity": deck.identity,
        "cards": dict(deck.cards),
        "size": deck.size,
        "influence": spent,
        "agenda_points": points,
    }
    return Report([*lines, summary], data)


_SCORES = (
    Metric("predictor", lambda score: score.name, "predictor", left=True),
    Metric("observed", lambda score: score.observed, "seen"),
    Metric("decks", lambda score: len(score.accuracies), "decks", lambda score: f"{len(score.accuracies):,}"),
    Metric(
        "accuracy",
        lambda score: score.mean,
        "accuracy (95 %)",
        lambda score: percent_with_interval(score.mean, score.interval),
    ),
    Metric("interval", lambda score: list(score.interval)),
    Metric("unanswered", lambda score: score.unanswered),
    Metric(
        "expected",
        lambda score: float(np.mean(score.expected)) if score.expected else None,
        "expected",
        lambda score: percent(float(np.mean(score.expected))) if score.expected else "",
    ),
    Metric(
        "calibration_error",
        lambda score: score.calibration_error if score.expected else None,
        "off by",
        lambda score: percent(score.calibration_error) if score.expected else "",
    ),
)


def evaluation_report(title: str, protocol: Protocol, scores: Sequence[Score]) -> Report:
    section = Section(title, _SCORES, scores)
    data = {
        "title": title,
        "protocol": vars(protocol),
        "scores": [
            {**row, "reliability": _reliability(score)} for row, score in zip(section.as_json(), scores, strict=True)
        ],
    }
    return Report([section], data, lambda file: plot_evaluation(file, title, scores))


def _reliability(score: Score) -> list[dict[str, Any]]:
    """Unseen cards in bins of their chance: the mean chance, and how often the decks had them."""
    columns = (score.chances.tolist(), score.present.tolist(), score.counted.tolist())
    return [
        {"chance": chances / counted, "frequency": present / counted, "cards": counted}
        for chances, present, counted in zip(*columns, strict=True)
        if counted
    ]


def plot_evaluation(file: Path, title: str, scores: Sequence[Score]) -> None:
    """Accuracies with their intervals; beside them, how often cards with a given chance were in the deck."""
    forecasts = [score for score in scores if score.expected]
    several = len({score.observed for score in scores}) > 1
    rows = [
        Interval(
            f"{score.name}, {score.observed} seen" if several else score.name,
            100 * score.mean,
            100 * score.interval[0],
            100 * score.interval[1],
        )
        for score in scores
    ]
    columns = 2 if forecasts else 1
    with figure(file, (6 * columns, 2 + 0.35 * max(len(scores), 8)), columns=columns, squeeze=False) as (drawn, axes):
        draw_intervals(axes[0, 0], rows)
        axes[0, 0].set_xlabel("match accuracy in percent, with 95 % interval")
        axes[0, 0].grid(axis="x", alpha=0.3)
        if forecasts:
            names = [f"{score.name}, {score.observed} seen" if several else score.name for score in forecasts]
            draw_reliability(axes[0, 1], dict(zip(names, map(_reliability, forecasts), strict=True)))
        drawn.suptitle(title, x=0.01, ha="left")


def draw_reliability(axes: Any, curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """How often cards with a given chance were in the deck: a curve per predictor, as JSON has its `reliability`."""
    axes.plot([0, 100], [0, 100], color="#999999", linestyle="--", linewidth=1)
    for name, bins in curves.items():
        points = [point for point in bins if point["cards"] >= _FEWEST_CARDS]
        chances = [100 * point["chance"] for point in points]
        frequencies = [100 * point["frequency"] for point in points]
        axes.plot(chances, frequencies, "o-", markersize=3, linewidth=1, label=name)
    axes.set_xlabel("chance given to an unseen card, in percent")
    axes.set_ylabel("decks that had it, in percent")
    axes.set_aspect("equal")
    legend_beside(axes)


def rules_report(game: DeckGame, table: DeckTable, transactions: Transactions, sets: ItemSets, show: int) -> Report:
    """Association rules, the surest first."""
    rules = sorted(transactions.rules(sets), key=lambda rule: (-rule.confidence, -rule.support))

    def name(item: int) -> str:
        if item < len(table.identities):
            return str(game.pool[table.identities[item]].title)
        card, copy = divmod(item - len(table.identities), transactions.copies_per_card)
        return str(game.pool[table.cards[card]].title) + ("" if copy == 0 else f" ({copy + 1})")

    columns = (
        Metric("if", lambda r: [name(i) for i in r.antecedent], "if", lambda r: " + ".join(map(name, r[0])), left=True),
        Metric("then", lambda rule: name(rule.consequent), "then", left=True),
        Metric("support", lambda rule: rule.support, "decks", lambda rule: f"{rule.support:,}"),
        Metric("confidence", lambda rule: rule.confidence, "confidence", lambda rule: percent(rule.confidence)),
    )
    title = f"{len(sets):,} frequent item sets, {len(rules):,} rules of {len(table):,} decks"
    section = Section(title, columns, rules[:show])
    return Report([section], {"sets": len(sets), "rules": len(rules), "shown": section.as_json()})
