"""The tables of the documentation, from stored results of experiments; `make docs` writes them.

Each experiment declares its own (`Experiment.tables`): a name, and one of these functions.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from boardwright.games.race.state import ROUND_ACTIONS
from boardwright.games.race.text import ACTION_NAMES
from boardwright.reports.report import in_percent

Table = list[tuple[str, ...]]
"""The heading, and the rows below it."""
Result = Mapping[str, Any]


class Stored(NamedTuple):
    """The stored results of an experiment: with the declared budget, if there are games, and with others."""

    results: Sequence[Result]
    declared: bool = True
    """Whether the first is of the declared budget."""

    @classmethod
    def of(cls, name: str, stored: Mapping[str, Result]) -> Stored:
        """Those of an experiment among all, by name; a budget is the end of the name, as sephton-p1-200, and "earlier"
        of a run on another machine."""
        others = sorted(other for other in stored if re.fullmatch(rf"{re.escape(name)}-([\d.]+s?|earlier)", other))
        return cls([stored[other] for other in (name, *others) if other in stored], name in stored)

    @property
    def first(self) -> Result:
        return self.results[0]


TableOf = Callable[[Stored], Table]

# Series of matches


def comparison(stored: Stored) -> Table:
    """Shares of first and last places in %: published, then each arrangement, wins with intervals."""
    result, ours = stored.first, list(stored.first["arrangements"].items())
    source = result["published"]["source"].split(" and ")[0].replace("tables", "table")
    heading = [f"won: {source}", *(f"{_title(key)}, {one['games']:,} games" for key, one in ours)]
    heading += [f"last: {source}", *(_title(key) for key, _ in ours)]
    rows = []
    for number, row in enumerate(result["published"]["rows"]):
        found = [one["rows"][number] for _, one in ours]
        cells = [_places(row, "wins"), *(_places(one, "wins", "win_interval") for one in found)]
        rows.append((row["label"], *cells, _places(row, "last"), *(_places(one, "last") for one in found)))
    return [("", *heading), *rows]


def _title(key: str) -> str:
    return key.replace("_", " ")


def _places(row: Result, counted: str, interval: str = "") -> str:
    share = in_percent(row[counted] / row["appearances"])
    return f"{share} ({'–'.join(map(in_percent, row[interval]))})" if interval else share


def mean_ranks(stored: Stored) -> Table:
    """The mean place of each: published, then each arrangement with the 95 % margin."""
    ours = stored.first["arrangements"]
    rows = []
    for number, row in enumerate(stored.first["published"]["rows"]):
        found = (one["rows"][number] for one in ours.values())
        cells = (f"{one['mean_rank']:.2f} ± {one['rank_margin']:.2f}" for one in found)
        rows.append((row["label"], f"{row['mean_rank']:g}", *cells))
    return [("mean rank", "published", *map(_title, ours)), *rows]


def wins_by_seat(stored: Stored) -> Table:
    """What share of all games each agent won from each seat, in %: published, then each arrangement."""
    published, ours = stored.first["published"], list(stored.first["arrangements"].items())

    def shares(wins: Sequence[int], games: int) -> str:
        return ", ".join(f"{100 * won / games:.0f}" for won in wins)

    rows = []
    for number, row in enumerate(published["rows"]):
        found = (shares(one["rows"][number]["wins_by_seat"], one["games"]) for _, one in ours)
        rows.append((row["label"], shares(row["wins_by_seat"], published["games"]), *found))
    source = published["source"].rpartition(" and ")[2]
    heading = [f"table {source}, {published['games']:,} games" if source[0].isdigit() else source]
    heading += [f"{_title(key)}, {one['games']:,} games" for key, one in ours]
    return [("won in %, from seats 1, 2, 3, 4", *heading), *rows]


def chi_squares(stored: Stored) -> Table:
    """The publication's tests: published, then each arrangement over all its games."""
    ours = stored.first["arrangements"]
    rows = []
    for number, test in enumerate(next(iter(ours.values()))["tests"]):
        name = f"{test['counted']} of {test['label']}" + (f" in seat {test['seat']}" if test["seat"] else "")
        p = f"p = {test['published_p']:.3g}" if test["published_p"] else "p nearly 0"
        found = [one["tests"][number] for one in ours.values()]
        cells = (f"{one['statistic']:.1f} (p = {one['p']:.2g})" for one in found)
        rows.append((name, f"{test['published']:g} ({p})", *cells))
    return [("χ²", "published", *map(_title, ours)), *rows]


def scores(stored: Stored) -> Table:
    """Figure 56 of Madrid's report: how scores spread."""
    rows = (
        (
            f"`{key}`",
            f"{found['mean']:.1f}",
            f"{found['sd']:.1f}",
            ", ".join(f"{q:g}" for q in found["quartiles"]),
            f"{found['opponents_mean']:.1f}",
        )
        for key, found in stored.first["scores"].items()
    )
    return [("", "mean", "sd", "quartiles", "RANDOM's mean"), *rows]


def places(stored: Stored) -> Table:
    """Figure 57 of Madrid's report: who comes in which place, in %."""
    rows = [
        (key, f"`{spec}`", *(in_percent(n / found["games"]) for n in found["places"]), f"{found['mean_score']:.1f}")
        for key, agents in stored.first["places"].items()
        for spec, found in agents.items()
    ]
    return [("", "agent", "1st", "2nd", "3rd", "mean score"), *rows]


# SCOUT

ACTIONS = {str(action): ACTION_NAMES[action] for action in ROUND_ACTIONS}
"""By the codes of the result file."""
PUBLISHED_RATIOS = ("0.85", "31.7 %", "log-normal")


def victories(stored: Stored) -> Table:
    """Figures 7.1 and 7.2: games won against the opponent."""
    result = stored.first
    published = {row["label"]: row["wins"] / row["appearances"] for row in result["published"]["rows"]}
    rows = []
    for found in result["arrangements"].values():
        label = found["agents"][0]["label"]
        row = next(row for row in found["rows"] if row["label"] == label)
        share = in_percent(row["wins"] / found["games"])
        ours = f"{share} % ({'–'.join(map(in_percent, row['win_interval']))})"
        rows.append((found["title"], f"{100 * published[label]:.4g} % ({label})", ours, f"{found['games']:,}"))
    return [("who", "published", "ours (95 %)", "games"), *rows]


def ratios(stored: Stored) -> Table:
    """Figure 7.3: SCOUT's score over the opponent's."""
    result = stored.first
    rows = [
        (
            result["arrangements"][key]["title"],
            f"{found['median']:.2f}",
            f"{in_percent(found['won_or_drawn'])} %",
            f"p = {found['log_normal_p']:.1g}",
        )
        for key, found in result["ratios"].items()
    ]
    return [
        ("who", "median", "won or drawn before the tie-break", "log-normal?"),
        ("SCOUT2, published", *PUBLISHED_RATIOS),
        *rows,
    ]


def actions(stored: Stored) -> Table:
    """Figure 7.4: how often each action is chosen."""
    result = stored.first
    titles = {key: found["title"] for key, found in result["arrangements"].items()}
    shares = result["actions"]
    rows = [(name, *(f"{100 * found[code]:.1f} %" for found in shares.values())) for code, name in ACTIONS.items()]
    return [("action", *(titles.get(key, key) for key in shares)), *rows]


def eras(stored: Stored) -> Table:
    """Figure 7.5: wins of each era, one row for each run."""
    result = stored.first
    last = max(map(len, result["wins"]))
    rows = [(f"run {number}", *map(str, wins)) for number, wins in enumerate(result["wins"], 1)]
    return [(f"won of {result.get('era', 200)}, by era", *(str(era + 1) for era in range(last))), *rows]


# Grids of matches, and timed decisions


def won(stored: Stored) -> Table:
    """Games won in %: published / ours (95 %). One column for each opponent or setting. Of several results with other
    budgets the first that has a cell; in italics what is not of the first, or if that is not of the declared budget."""
    cells = {place: _won(cell, mark) for place, (cell, mark) in _best_known(stored).items()}
    columns = sorted(dict.fromkeys(column for _, column in cells), key=_number)
    widest_first = sorted(stored.results, key=lambda result: -len(result["cells"]))
    rows = sorted(dict.fromkeys(cell["row"] for one in widest_first for cell in one["cells"]), key=_heuristic)
    published = any(cell["published"] is not None for one in stored.results for cell in one["cells"])
    heading = f"won in %{', published / ours' if published else ''} (95 %)"
    return [(heading, *columns), *((row, *(cells.get((row, column), "") for column in columns)) for row in rows)]


def _best_known(stored: Stored) -> dict[tuple[str, str], tuple[Result, str]]:
    """The cells of several results, each from the first that has it, and what marks those of another budget."""
    cells: dict[tuple[str, str], tuple[Result, str]] = {}
    for number, result in enumerate(stored.results):
        for cell in result["cells"]:
            cells.setdefault((cell["row"], cell["column"]), (cell, "*" if number or not stored.declared else ""))
    return cells


def _number(column: str) -> float:
    """Limits and threads in their order; what has no number stays where it is."""
    found = re.search(r"\d[\d,]*(\.\d+)?", column)
    return float(found[0].replace(",", "")) if found and not column.startswith("v. h") else 0.0


def _heuristic(row: str) -> tuple[bool, int, int]:
    """h2 before h10, pairs behind single heuristics, and readings behind all; other rows stay where they are."""
    found = re.fullmatch(r"h(\d+)(?:h(\d+))?R?(, .*)?", row)
    return (found[3] is not None, int(found[2] or 0), int(found[1])) if found and "limit" not in row else (False, 0, 0)


def _won(cell: Result, mark: str = "") -> str:
    low, high = cell["interval"]
    share = f"{100 * cell['points'] / cell['games']:.0f} ({100 * low:.0f}–{100 * high:.0f})"
    few = f" of {cell['games']}" if cell["games"] < FEW else ""
    ours = f"{mark}{share}{few}{mark}"
    return ours if cell["published"] is None else f"{100 * cell['published']:.0f} / {ours}"


NOT_PLAYED = "not played"
"""What the figures of a claim say of a cell without games."""
FEW = 20
"""Fewer games than this are named in the table."""


def across_budgets(stored: Stored) -> Table:
    """Figure 5.12: what agents win on average over the opponent's budgets that all of them have met, by n. From the
    result with the most cells; in italics if that is not of the declared budget."""
    result = max(stored.results, key=lambda one: len(one["cells"]))
    mark = "" if stored.declared and result is stored.first else "*"
    shares: dict[str, dict[str, float]] = {}
    for cell in result["cells"]:
        shares.setdefault(cell["row"], {})[cell["column"]] = 100 * cell["points"] / cell["games"]
    met = set.intersection(*map(set, shares.values()))
    averaged = shares.items() if met else ()
    means = {row.rpartition("_")[::2]: statistics.mean(found[one] for one in met) for row, found in averaged}
    widths = sorted({n for _, n in means}, key=int)
    rows = (
        (family, *(f"{mark}{means[family, n]:.0f}{mark}" if (family, n) in means else "" for n in widths))
        for family in dict.fromkeys(family for family, _ in means)
    )
    return [(f"won in %, mean over {len(met)} budgets", *(f"n = {n}" for n in widths)), *rows]


def won_and_best_moves(stored: Stored) -> Table:
    """The same for a single column, with the share of decisions in which the best action was taken."""
    order = {cell["row"]: number for number, cell in enumerate(stored.results[-1]["cells"])}
    cells = sorted(_best_known(stored).values(), key=lambda found: order.get(found[0]["row"], len(order)))
    rows = ((cell["row"], _won(cell, mark), f"{mark}{100 * cell['best_move_rate']:.0f}{mark}") for cell, mark in cells)
    return [("", "won in % (95 %)", "best move in %"), *rows]


def complexity(stored: Stored) -> Table:
    """Of the largest value that any of the agents met."""
    result = stored.first
    shares = result["complexity"]
    measures = list(next(iter(shares.values())))
    rows = ((agent, *(f"{found[measure]:.3f}" for measure in measures)) for agent, found in shares.items())
    return [("of the largest seen", *(measure.capitalize() for measure in measures)), *rows]


def claims(stored: Stored) -> Table:
    """The verdicts; of several results with other budgets, the first that has games of all cells that a claim is about,
    also where it leaves it open: fewer iterations may say the contrary. In italics what is not of the declared
    budget."""
    rows = []
    for number, first in enumerate(stored.first["claims"]):
        judged = [result["claims"][number] for result in stored.results]
        place = next((i for i, one in enumerate(judged) if NOT_PLAYED not in one["figures"]), len(judged) - 1)
        mark = "*" if place or not stored.declared else ""
        rows.append((first["claim"], *(f"{mark}{judged[place][part]}{mark}" for part in ("verdict", "figures"))))
    return [("claim", "here", "figures"), *rows]


def duplicates(stored: Stored) -> Table:
    """How many of 15 actions both heuristics of a pair choose."""
    result = stored.first
    found = result["duplicates"]
    return [("", *found), ("both of 15", *(f"{mean:.1f}" for mean in found.values()))]


def times(stored: Stored) -> Table:
    """Milliseconds for a decision: published / ours, with efficiency, conflicts and what virtual losses change."""
    result = stored.first
    alone = {one["mode"]: one["published"] for one in result["timed"] if one["threads"] == 1}
    counted = any(one.get("changed_selections") is not None for one in result["timed"])
    rows = (
        (
            one["mode"],
            f"{one['threads']}{' *' if one['threads'] > result['cores'] else ''}",
            f"{one['published']:.0f} / {one['milliseconds']:.1f}",
            f"{alone[one['mode']] / (one['threads'] * one['published']):.2f} / {one['efficiency']:.2f}",
            f"{one['conflicts']:.0f}",
            *([_percent(one.get("changed_selections"))] if counted else []),
        )
        for one in result["timed"]
    )
    conflicts = [
        f"conflicts, on {result['cores']} cores",
        *(["selections changed by virtual losses"] if counted else []),
    ]
    return [("mode", "threads", "ms, published / ours", "efficiency, published / ours", *conflicts), *rows]


def times_claims(stored: Stored) -> Table:
    """The verdicts on times, and those of an earlier run on another machine beside them."""
    runs = [{one["claim"]: one for one in result["claims"]} for result in stored.results]
    rows = []
    for claim in runs[0]:
        judged = [run.get(claim) for run in runs]
        rows.append((claim, *(f"{one['verdict']}: {one['figures']}" if one else "" for one in judged)))
    headings = [f"{result['games']} decisions{', earlier' if i else ''}" for i, result in enumerate(stored.results)]
    return [("claim", *headings), *rows]


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.2%}"


# Style beside strength


def styles(stored: Stored) -> Table:
    """Strength and style of each agent beside the plain one; italic if the budget is not the declared one."""
    mark = "" if stored.declared else "*"
    return [
        ("agent", "games", "won (90 %)", "as strong?", "distance of style", "p", "most different in"),
        *(
            (
                one["agent"],
                str(one["games"]),
                f"{mark}{_share(one['share'])} % ({_share(one['low'])}–{_share(one['high'])}){mark}",
                f"{mark}{one['strength']}, p = {one['strength_p']:.2g}{mark}",
                f"{mark}{one['distance']:.2f}{mark}",
                f"{mark}{one['style_p']:.3f}{mark}",
                ", ".join(f"{name} {value:+.1f}" for name, value in one["differing"][:2]),
            )
            for one in stored.first["styles"]
        ),
    ]


def _share(part: float) -> str:
    """In whole percent; bounds of an interval stay within what is possible."""
    return f"{100 * min(1.0, max(0.0, part)):.0f}"


# The toolbox of tree search

TOOLBOX_GAMES = {
    "connect_four": "Connect Four",
    "lords": "Lords of War",
    "colonizers": "Colonizers",
    "wonders": "7 Wonders",
    "race": "Race",
}


ENOUGH = 200
"""Games of a cell of the toolbox from which it can be said that there is no difference above so many points."""


def tools(stored: Stored) -> Table:
    """What each tool is worth on each game: it helps, it harms, or how much it is worth at most, if it had enough games
    for that. In italics what had fewer."""

    def share(cell: Result) -> str:
        few = cell["games"] < ENOUGH
        at_most = "" if few else cell["verdict"].replace("no difference above ", "≤ ").removesuffix(" points")
        verdict = {"helps": "**helps**", "harms": "harms"}.get(cell["verdict"], at_most)
        won = f"{100 * cell['share']:.0f} ({100 * cell['low']:.0f}–{100 * cell['high']:.0f})"
        return f"{f'*{won}*' if few else won} {verdict}".strip()

    return _by_game(stored, share)


def tool_settings(stored: Stored) -> Table:
    return _by_game(stored, lambda cell: f"`{cell['setting'].removeprefix('@')}`")


def _by_game(stored: Stored, text: Callable[[Result], str]) -> Table:
    texts = {(cell["tool"], cell["game"]): text(cell) for cell in stored.first["cells"]}
    return [
        ("", *TOOLBOX_GAMES.values()),
        *(
            (tool, *(texts.get((tool, game), "") for game in TOOLBOX_GAMES))
            for tool in dict.fromkeys(t for t, _ in texts)
        ),
    ]


def tool_bases(stored: Stored) -> Table:
    """What the tools were tried on."""
    found: dict[tuple[str, ...], list[int]] = {}
    for cell in stored.first["cells"]:
        options = "".join(f", {name}={value}" for name, value in cell["options"].items())
        key = (f"{TOOLBOX_GAMES[cell['game']]}{options}", f"`{cell['plain']}`")
        found.setdefault(key, []).append(cell["games"])
    spans = {key: f"{min(n)} to {max(n)}" if min(n) < max(n) else f"{min(n)}" for key, n in found.items()}
    return [("game", "search without the tool", "games"), *((*key, span) for key, span in spans.items())]
