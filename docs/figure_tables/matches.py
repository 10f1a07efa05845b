"""Matches, ladders and studies, from the files that `--json` writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from boardwright.agents.levels import LEVELS
from boardwright.arena.standings import wilson_interval
from boardwright.bench.ladders import LADDERS, StrengthLadder, known, level_ratings
from boardwright.bench.references import SETS, Anchor, References, rated
from boardwright.experiments.tables import Table
from boardwright.registry import load_game
from figure_tables.results import Figures, TableOf, in_percent, names


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


def lords_armies(figures: Figures) -> Table:
    """Rows are the army in the first seat."""
    found = figures.results["lords-armies"]
    sides = [total["side"] for total in found["totals"]]
    points = {(cell["first"], cell["second"]): cell for cell in found["pairings"]}
    totals = {total["side"]: total for total in found["totals"]}

    return [
        ("first seat", *sides, "against the others, both seats"),
        *(
            (f"**{first}**", *(_share(points[first, second]) for second in sides), _share(totals[first]))
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
    "lords-learned-10ms",
    *(f"lords-learned-{army}" for army in ("templar", "dwarf", "undead", "lizardman", "elf")),
)
"""In the order of the table."""


def strength(*names: str) -> TableOf:
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
    "race-netsearch-keldon-3-second",
    "race-netsearch-keldon-4-second",
    "race-netsearch-keldon-3",
    "race-netsearch-keldon-4",
    "race-turns-keldon-4",
)
"""The network for three and four seats against the clone."""


WONDERS_MATCHES = (
    *(f"wonders-netsearch-ismcts-3-{match}" for match in ("clone-third", "fifth", "clone", "fourth", "before-clone")),
    *(f"wonders-netsearch-ismcts-3-{match}" for match in ("clone-second", "third")),
    *(f"wonders-netsearch-ismcts-5-{match}" for match in ("clone", "features")),
    *(f"wonders-nettree-ismcts-{seats}" for seats in ("3-second", "3", "5")),
    *(f"wonders-netsearch-ismcts-{seats}" for seats in ("3-second", "3", "5-third", "5-second", "5", "7-second", "7")),
    *(f"wonders-first-ismcts-{seats}" for seats in (3, 5)),
)
"""The larger networks of 7 Wonders against search: the new one for three seats, and a clone of the opponents; the one
for all seats, in tree search and in turn search; then the first one."""


TRAINING_MATCHES = (
    "training-connect-four",
    *(f"training-connect-four-{option}" for option in ("symmetric", "auxiliary", "pruned")),
    *(f"training-colonizers-{option}" for option in ("auxiliary", "pruned")),
    "training-wonders-first-places",
)
"""Networks after short trainings with one option each: against the same search, and against those without."""
SEARCHED_MATCHES = (
    *(f"training-race-{kind}-{share}" for kind in ("searched", "time") for share in ("0.5", "0.25")),
    "training-colonizers-time-0.25",
)
"""Networks of which a part of the decisions was searched, after as many games and after as much time as with all."""
POOL_MATCHES = (
    "race-large-keldon-10ms",
    "race-pool-keldon",
    "race-pool2-keldon",
    "race-pool-large",
    "race-pool3-large",
    "wonders-pool-ismcts-5",
)
"""The network that trainings with a pool began with, those networks, and one of 7 Wonders."""
FEATURES_MATCHES = tuple(f"features-{game}" for game in ("race", "colonizers", "lords"))
"""Hand-written features against automatic ones."""


SCOUT_SEATS = tuple(
    f"scout2-{seats}-{others}" for seats in (3, 4) for others in ("heuristic", "keldon", "keldon-alone")
)
"""SCOUT with three and four players."""


SCOUT_READINGS = tuple(
    f"scout2-{row}-clone" for row in ("described", "described-never", "gradient", "gradient-case-weights")
)
"""SCOUT as described, under two readings each, against the clone of the Keldon program."""


def at_table(*names: str) -> TableOf:
    """Matches of one agent against all others at a table, each in a row."""

    def table(figures: Figures) -> Table:
        rows = []
        for name in names:
            found = figures.results[name]
            first = f"`{found['agents'][0]['spec']}`"
            rows.append((first, others(found), str(found["seed"]), figures.won(name)))
        return [("agent", "against", "seed", "won by the first (95 %)"), *rows]

    return table


def cases_strength(figures: Figures) -> Table:
    """Matches of `cases` in every game, beside those that the network it retrieves with has played without search."""
    rows = []
    for name in sorted(names("cases-*-heuristic") + names("cases-*-ismcts")):
        found, network = figures.results[name], name.replace("cases-", "netpolicy-", 1)
        beside = figures.won(network) if network in figures.results else ""
        chance = f"{100 / len(found['agents']):.0f} %"
        rows.append((found["game"], others(found), str(found["seed"]), chance, figures.won(name), beside))
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


def dice_games(figures: Figures) -> Table:
    """What can be won against `ismcts` in small dice games at most."""
    found = figures.results["dice-games"]
    players = {"best play": "the best play", "best reply": "the best reply to its choices"}

    def shares(outcome: dict[str, float]) -> tuple[str, ...]:
        return tuple(f"{100 * outcome[name]:.1f} %" for name in ("won", "drawn", "lost"))

    return [
        ("game", f"against `{found['spec']}`", "won", "drawn", "lost"),
        *(
            (f"`{game}`", name, *shares(outcomes[player]))
            for game, outcomes in found["games"].items()
            for player, name in players.items()
        ),
    ]


def seeing(figures: Figures, game: str) -> Table:
    """What a search that sees everything wins in a game, by seat."""
    found = figures.results[f"{game}-seeing"]
    won, games = found["won_by_seat"], found["games_by_seat"]
    share = in_percent(sum(won) / sum(games), wilson_interval(sum(won), sum(games)), 1, " %")
    return [
        ("agent, which sees everything", "against", "seed", *(f"seat {seat + 1}" for seat in range(len(won))), "all"),
        (
            f"`{found['spec']}`",
            f"`{found['others']}`" if len(won) == 2 else f"{len(won) - 1} × `{found['others']}`",
            str(found["seed"]),
            *(f"{mine:g} of {of}" for mine, of in zip(won, games, strict=True)),
            f"{share} of {sum(games)}",
        ),
    ]


def companion(figures: Figures) -> Table:
    """What the others won together of a series, by game and opponent, and how far that is from the aim."""
    studies = [figures.results[name] for name in names("companion-*")]
    rows = [row for study in studies for row in _held(study)]
    off = [abs(_together(study, held["off"])) for study in studies for held in study["held"]]
    near = sum(round(points, 6) <= 5 for points in off)
    return [
        (
            "the others won, in % (off the aim)",
            "",
            "games",
            *(f"aim {aim} %" for aim in (30, 50, 70)),
            "most given away",
        ),
        *rows,
        (f"{near} of {len(off)} within 5 points, {sum(off) / len(off):.1f} off on average", *[""] * 6),
    ]


def _held(study: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """A row for each opponent, from the weakest on."""
    for kind, opponent in zip(OPPONENTS, dict.fromkeys(one["opponent"] for one in study["held"]), strict=True):
        own = [one for one in study["held"] if one["opponent"] == opponent]
        cells = (f"{_together(study, one['share']):.0f} ({_together(study, one['off']):+.0f})" for one in own)
        most = max(one["most_given_away"] for one in own)
        shown = opponent if kind == "heuristic" else kind
        yield load_game(study["game"]).title, shown, str(own[0]["games"]), *cells, f"{100 * most:.0f} %"


def _together(study: dict[str, Any], share: float) -> float:
    """What each of the others has is what they have together, in %, at two seats."""
    return 100 * share * (study["seats"] - 1)


OPPONENTS = ("random", "heuristic", "middling", "strong")
"""In studies of a companion, in this order; a game without a heuristic player has another one in its place."""


def references(one: References) -> TableOf:
    """The reference opponents of a game, with their ratings."""
    return lambda _: rated_agents("reference", rated(one).anchors)


def ladder_of(game: str, seats: int) -> TableOf:
    """A ladder of `boardwright strength`."""
    return lambda _: rated_agents("agent", known(game, seats))


def rated_agents(title: str, agents: Iterable[Anchor]) -> Table:
    """The strongest first."""
    rows = sorted(agents, key=lambda anchor: -anchor.elo)
    return [
        (title, "rating (95 %)", "games", "ms per decision"),
        *(
            (
                f"`{row.spec}`",
                row.shown,
                f"{row.games:,}",
                f"{row.milliseconds:.{2 if row.milliseconds < 99.5 else 3}g}",
            )
            for row in rows
        ),
    ]


def levels_of_all(_: Figures) -> Table:
    """What each level is on every ladder, and how strong."""
    columns = [(one, level_ratings(load_game(one.game), one.seats)) for one in LADDERS if one.game != "kuhn_poker"]

    def cell(level: str, rated: dict[str, Anchor]) -> str:
        return f"`{rated[level].spec}` {rated[level].elo:+.0f}" if level in rated else ""

    def title(one: StrengthLadder) -> str:
        game = load_game(one.game)
        return game.title if len(game.seats) == 1 else f"{game.title}, {one.seats} seats"

    used = [level for level in LEVELS if any(level in rated for _, rated in columns)]
    return [("", *used), *((title(one), *(cell(level, rated) for level in used)) for one, rated in columns)]


def given_away(figures: Figures) -> Table:
    """What agents give away of their chance to win, beside their ratings."""
    found = figures.results["race-given-away"]
    ratings = {anchor.spec: anchor.elo for anchor in known(found["game"], found["seats"])}
    rows = sorted(found["agents"], key=lambda row: -ratings[row["spec"]])
    return [
        ("agent", "rating", "mean", "more than 0.1", "more than 0.2"),
        *(
            (
                f"`{row['spec']}`",
                f"{ratings[row['spec']]:+.0f}",
                f"{row['mean']:.3f}",
                f"{100 * row['above_0.1']:.1f} %",
                f"{100 * row['above_0.2']:.1f} %",
            )
            for row in rows
        ),
    ]


def _share(counted: dict[str, Any]) -> str:
    return in_percent(counted["share"], counted["interval"])


def others(found: dict[str, Any]) -> str:
    """Who sat at a table with the first agent: "3 × `ismcts`"."""
    _, *others = (f"`{agent['spec']}`" for agent in found["agents"])
    return (f"{len(others)} × " if len(others) > 1 else "") + others[0]


TABLES: dict[str, TableOf] = {
    **{f"bench-{one.game}": references(one) for one in SETS if one.file.is_file()},
    **{
        f"strength-{one.game}-{one.seats}": ladder_of(one.game, one.seats)
        for one in LADDERS
        if known(one.game, one.seats)
    },
    "levels": levels_of_all,
    "given-away": given_away,
    "keldon-clone": keldon_clone,
    "keldon-matches": at_table(*NETWORK_MATCHES),
    "race-more-seats": at_table(*MORE_SEATS),
    "scout-more-seats": at_table(*SCOUT_SEATS),
    "race-playouts": strength("race-playouts"),
    "wonders-network": at_table(*WONDERS_MATCHES),
    "colonizers-network": at_table(
        "colonizers-netsearch-ismcts-second", "colonizers-netsearch-ismcts", "colonizers-first-ismcts"
    ),
    "colonizers-longer": at_table("colonizers-100ms-ismcts"),
    "training-trials": at_table(*TRAINING_MATCHES),
    "searched-trials": at_table(*SEARCHED_MATCHES),
    "pool-trials": at_table(*POOL_MATCHES),
    "scout-readings": at_table(*SCOUT_READINGS),
    "features-trials": at_table(*FEATURES_MATCHES),
    "connect-four-matches": at_table("connect-four-nettree-uct"),
    "connect-four-moves": connect_four_moves,
    **{f"{game}-seeing": partial(seeing, game=game) for game in ("colonizers", "race", "wonders")},
    "dice-games": dice_games,
    "quilts-matches": at_table("quilts-nettree-ismcts"),
    "cases-strength": cases_strength,
    "cases-memory": at_table("memorysearch-connect-four", "memorysearch-connect-four-without"),
    "cases-leaderboard": cases_leaderboard,
    "lords-armies": lords_armies,
    "lords-strength": strength(*LORDS_MATCHES),
    "companion": companion,
}
