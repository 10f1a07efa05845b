"""Tables of the SCOUT dissertation's figures, 6.3 as the package computes it and 7.1 to 7.5 from stored results of
experiments, for figures.py."""

from __future__ import annotations

from typing import Any

Table = list[tuple[str, ...]]

ACTIONS = {
    "1": "Explore +5",
    "2": "Explore +1/+1",
    "3": "Develop",
    "5": "Settle",
    "7": "Consume-Trade",
    "8": "Consume-×2",
    "9": "Produce",
}
"""By the codes of the result file."""
PUBLISHED_RATIOS = ("0.85", "31.7 %", "log-normal")


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


def victories(result: dict[str, Any]) -> Table:
    """Figures 7.1 and 7.2: games won against the opponent."""
    published = {row["label"]: row["wins"] / row["appearances"] for row in result["published"]["rows"]}
    rows = []
    for found in result["arrangements"].values():
        label = found["agents"][0]["label"]
        row = next(row for row in found["rows"] if row["label"] == label)
        low, high = row["win_interval"]
        ours = f"{100 * row['wins'] / found['games']:.1f} % ({100 * low:.1f}–{100 * high:.1f})"
        rows.append((found["title"], f"{100 * published[label]:.4g} % ({label})", ours, f"{found['games']:,}"))
    return [("who", "published", "ours (95 %)", "games"), *rows]


def ratios(result: dict[str, Any]) -> Table:
    """Figure 7.3: SCOUT's score over the opponent's."""
    rows = [
        (
            result["arrangements"][key]["title"],
            f"{found['median']:.2f}",
            f"{100 * found['won_or_drawn']:.1f} %",
            f"p = {found['log_normal_p']:.1g}",
        )
        for key, found in result["ratios"].items()
    ]
    return [
        ("who", "median", "won or drawn before the tie-break", "log-normal?"),
        ("SCOUT2, published", *PUBLISHED_RATIOS),
        *rows,
    ]


def actions(result: dict[str, Any]) -> Table:
    """Figure 7.4: how often each action is chosen."""
    titles = {key: found["title"] for key, found in result["arrangements"].items()}
    shares = result["actions"]
    rows = [(name, *(f"{100 * found[code]:.1f} %" for found in shares.values())) for code, name in ACTIONS.items()]
    return [("action", *(titles.get(key, key) for key in shares)), *rows]


def eras(result: dict[str, Any]) -> Table:
    """Figure 7.5: wins of each era, one row for each run."""
    last = max(map(len, result["wins"]))
    rows = [(f"run {number}", *map(str, wins)) for number, wins in enumerate(result["wins"], 1)]
    return [("won of 200, by era", *(str(era + 1) for era in range(last))), *rows]
