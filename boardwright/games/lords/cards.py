"""The cards of Lords of War: six armies of 36, read from cards.txt and grids.txt, and personalised ones (swaps.txt).

Equal cards of an army are one kind. Rules, actions and texts name a card by its kind: a number from 0, in the order of
the printed card numbers, within one deck. A deck is an army in one of two versions of the card data.

The tables for compiled rules have a row for every kind of every deck as each of the two seats holds it: for the second
seat, cards are turned by 180 degrees. `table_row` is where the rows of a seat's deck begin. States store these rows, so
those of the six armies come first, and stay where they are when a personalised army is added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from boardwright.games.lords import board
from boardwright.kernel import rule

RANKS = ("general", "command", "special", "elite", "veteran", "regular", "recruit")
CLASSES = ("infantry", "cavalry", "berserker", "spear", "ranged")
RANK_COUNTS = {"general": 1, "command": 5, "special": 4, "elite": 4, "veteran": 6, "regular": 8, "recruit": 8}
CARDS = 36
"""In an army."""

_ARROW_ORDER = ("NW", "N", "NE", "W", "E", "SW", "S", "SE")


@dataclass(frozen=True)
class Card:
    """What is printed on a card, seen by its owner."""

    name: str
    rank: str
    unit_class: str
    defence: int
    arrows: tuple[int, ...]
    """Values in the order of DIRECTIONS; 0: no arrow."""
    missile: int = 0
    grid: str = ""

    @property
    def is_general(self) -> bool:
        return self.rank == "general"

    @property
    def is_command(self) -> bool:
        """Whether it is one of the six whose loss counts twice: towards 20 cards, and towards 4 command cards."""
        return self.rank in ("general", "command")

    @property
    def is_support(self) -> bool:
        """Whether it may be deployed beside a friend instead of engaging."""
        return self.unit_class in ("spear", "ranged")


def _lines(name: str) -> list[str]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def _grids() -> dict[str, tuple[tuple[int, int], ...]]:
    """The squares of each grid as (to the right, ahead), from the owner's side."""
    found = {}
    for block in "\n".join(_lines("grids.txt")).strip().split("\n\n"):
        name, *rows = block.splitlines()
        cells = {(x, y): cell for y, row in enumerate(rows) for x, cell in enumerate(row.split())}
        (own_x, own_y) = next(place for place, cell in cells.items() if cell == "C")
        found[name] = tuple((x - own_x, own_y - y) for (x, y), cell in cells.items() if cell == "x")
    return found


def _card(row: list[str]) -> Card:
    _, _, name, rank, unit_class, defence, arrows, shot, _ = row
    values = [0 if value == "." else int(value) for value in arrows.replace("/", "").split()]
    by_direction = dict(zip(_ARROW_ORDER, values, strict=True))
    missile, grid = shot.split() if shot != "-" else ("0", "")
    in_order = tuple(by_direction[direction] for direction in board.DIRECTIONS)
    return Card(name, rank, unit_class, int(defence), in_order, int(missile), grid)


def _corrected(card: Card, correction: str) -> Card:
    for change in () if correction == "-" else correction.split(", "):
        what, value = change.split()
        if what == "rank":
            card = replace(card, rank=value)
        else:
            arrows = list(card.arrows)
            arrows[board.DIRECTIONS.index(what)] = int(value)
            card = replace(card, arrows=tuple(arrows))
    return card


def _rows(name: str) -> list[list[str]]:
    """The rows of a table below its head."""
    return [[cell.strip() for cell in line.split("|")] for line in _lines(name)[1:]]


def _armies(corrected: bool) -> dict[str, tuple[Card, ...]]:
    armies: dict[str, list[Card]] = {}
    for row in _rows("cards.txt"):
        armies.setdefault(row[0], []).append(_corrected(_card(row), row[-1]) if corrected else _card(row))
    return {name: tuple(cards) for name, cards in armies.items()}


GRIDS = _grids()
VERSIONS: Mapping[str, Mapping[str, tuple[Card, ...]]] = {
    "corrected": _armies(corrected=True),
    "as_recorded": _armies(corrected=False),
}
"""All cards of every army, in the order of their printed numbers."""
ARMIES = tuple(VERSIONS["corrected"])


def personalised(armies: Mapping[str, Sequence[Card]], swaps: Iterable[Sequence[str]]) -> dict[str, tuple[Card, ...]]:
    """The armies that rows of swaps.txt make of the printed ones. Only a card of the same rank may come in."""
    found: dict[str, list[Card]] = {}
    for name, army, out, substitute in swaps:
        cards = found.setdefault(name, list(armies[army]))
        source, number = substitute.split()
        place, card = int(out) - 1, armies[source][int(number) - 1]
        if cards[place].rank != card.rank:
            raise ValueError(f"{name}: {card.name} is {card.rank}, {cards[place].name} is {cards[place].rank}")
        cards[place] = card
    return {name: tuple(cards) for name, cards in found.items()}


PERSONALISED = personalised(VERSIONS["corrected"], _rows("swaps.txt"))
"""All cards of every personalised army. They are of the corrected card data: as recorded, a card has another rank."""
ARMY_NAMES = ARMIES + tuple(PERSONALISED)

_CARDS_OF_DECKS = (*(cards for armies in VERSIONS.values() for cards in armies.values()), *PERSONALISED.values())
DECKS = tuple(tuple(dict.fromkeys(cards)) for cards in _CARDS_OF_DECKS)
"""The kinds of every deck: first the corrected armies, then those as recorded, then the personalised ones."""
NUM_DECKS, NUM_PRINTED = len(DECKS), len(VERSIONS) * len(ARMIES)
ARMY_OF_DECK = ARMIES * len(VERSIONS) + tuple(PERSONALISED)
KINDS = max(map(len, DECKS[:NUM_PRINTED]))
"""The most kinds that a deck has. Actions are numbered by it, so a personalised army may not have more."""
if any(len(kinds) > KINDS for kinds in DECKS):
    raise ValueError(f"swaps.txt: an army has more than {KINDS} different cards")


@rule
def deck_number(version: int, army: int) -> int:
    if army >= len(ARMIES):
        return NUM_PRINTED + army - len(ARMIES)
    return version * len(ARMIES) + army


@rule
def table_row(seat: int, deck: int) -> int:
    """Where the rows of a seat's deck begin in the tables below: those of printed armies first, then the others."""
    if deck < NUM_PRINTED:
        return (seat * NUM_PRINTED + deck) * KINDS
    return (board.SEATS * NUM_PRINTED + seat * (NUM_DECKS - NUM_PRINTED) + deck - NUM_PRINTED) * KINDS


@rule
def deck_at_row(row: int) -> int:
    """The deck whose rows begin there."""
    place = row // KINDS
    if place < board.SEATS * NUM_PRINTED:
        return place % NUM_PRINTED
    return NUM_PRINTED + (place - board.SEATS * NUM_PRINTED) % (NUM_DECKS - NUM_PRINTED)


def kinds_of(row: int) -> tuple[Card, ...]:
    """The kinds of the deck whose rows begin there."""
    return DECKS[deck_at_row(row)]


# Tables

Table = NDArray[np.int64]


def _per_deck(value: Callable[[Card, int], int]) -> Table:
    """A row for each kind of each deck, for both seats."""
    table = np.zeros(board.SEATS * NUM_DECKS * KINDS, np.int64)
    for seat in range(board.SEATS):
        for deck, kinds in enumerate(DECKS):
            for kind, card in enumerate(kinds):
                table[table_row(seat, deck) + kind] = value(card, seat)
    return table


def turned(arrows: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Arrows by direction on the board: those of the second seat point the other way."""
    return (
        arrows
        if seat == 0
        else tuple(arrows[(d + board.OPPOSITE) % board.NUM_DIRECTIONS] for d in range(board.NUM_DIRECTIONS))
    )


DEFENCE = _per_deck(lambda card, seat: card.defence)
MISSILE = _per_deck(lambda card, seat: card.missile)
IS_SUPPORT = _per_deck(lambda card, seat: card.is_support)
IS_COMMAND = _per_deck(lambda card, seat: card.is_command)
IS_GENERAL = _per_deck(lambda card, seat: card.is_general)
CLASS = _per_deck(lambda card, seat: CLASSES.index(card.unit_class))
ARROWS = _per_deck(lambda card, seat: sum(1 << d for d, value in enumerate(turned(card.arrows, seat)) if value)).astype(
    np.uint8
)
"""A bit for each direction on the board that an arrow points in."""
ARROW_VALUE = np.stack(
    [_per_deck(lambda card, seat, d=d: turned(card.arrows, seat)[d]) for d in range(board.NUM_DIRECTIONS)],  # type: ignore[misc]
    axis=1,
)
"""The value of the arrow in each direction on the board."""
RING = _per_deck(lambda card, seat: board.ring(turned(card.arrows, seat)))
"""The squares around a card that its arrows point at; `pointed_at` moves them to a square."""
ARROWS_BEFORE = _per_deck(lambda card, seat: board.bytes_before(turned(card.arrows, seat)))
ARROWS_BEHIND = _per_deck(lambda card, seat: board.bytes_behind(turned(card.arrows, seat)))
"""The same as bytes, for the eight squares before the card and the eight behind it."""

NO_GRID = 255
_GRID_NAMES = tuple(GRIDS)
GRID = _per_deck(lambda card, seat: seat * len(GRIDS) + _GRID_NAMES.index(card.grid) if card.grid else NO_GRID).astype(
    np.uint8
)
"""A row of TARGETS, or NO_GRID for a card that cannot shoot."""


def _targets(seat: int, grid: str, square: int) -> int:
    """The squares of a grid as a set, for a card on a square."""
    forward = 1 if seat == 0 else -1
    found = 0
    for right, ahead in GRIDS[grid]:
        target = board.square_at(board.column_of(square) + forward * right, board.row_of(square) - forward * ahead)
        found |= 1 << target if target is not None else 0
    return found


TARGETS = np.array(
    [
        [_targets(seat, grid, square) for square in range(board.SQUARES)]
        for seat in range(board.SEATS)
        for grid in GRIDS
    ],
    np.int64,
)
"""The squares that a card with a grid can hit from each square."""

COPIES = np.zeros((NUM_DECKS, KINDS), np.int64)
"""How many cards of each kind a deck has."""
for _number, _cards in enumerate(_CARDS_OF_DECKS):
    for _one in _cards:
        COPIES[_number, DECKS[_number].index(_one)] += 1

GENERAL = np.array([next(k for k, card in enumerate(kinds) if card.is_general) for kinds in DECKS], np.int64)
"""The kind of each deck's general."""

assert board.DIRECTIONS[board.NORTH] == "N"
