"""The cards and boards as tables of numbers, read from cards.txt, boards.txt and madrid.txt.

A structure's *kind* is its number, its row in cards.txt: structures of one name are one kind, so Loom,
Glassworks and Press of Ages I and II share theirs, as they do in the rule against duplicates. Tables with a
leading axis of two hold the printed data (0) and Madrid's (1).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources import files

import numpy as np

from boardwright.kernel import rule

GOODS = ("wood", "stone", "clay", "ore", "glass", "loom", "papyrus")
NUM_GOODS = len(GOODS)
RAW = 4  # goods below are raw, from here on manufactured
COLOURS = ("brown", "grey", "blue", "yellow", "red", "green", "purple")
NUM_COLOURS = len(COLOURS)
BROWN, GREY, BLUE, YELLOW, RED, GREEN, PURPLE = range(NUM_COLOURS)
SYMBOLS = ("compass", "gear", "tablet", "any")
ANY = 3
NONE = -1

GOOD_BITS, UNIT_MASK = 8, 127
"""Goods are packed into one number, eight bits for each. The highest of them is free, so that one subtraction compares
what a city has with what it needs."""

COUNTED = (*COLOURS, "stage", "defeat")
"""What an effect can count, as bits of a mask."""
STAGE_BIT, DEFEAT_BIT = 1 << NUM_COLOURS, 1 << (NUM_COLOURS + 1)
SELF, LEFT, RIGHT = 1, 2, 4

LEFT_RAW, RIGHT_RAW, LEFT_MADE, RIGHT_MADE = 1, 2, 4, 8
"""Bits of a city's discounts."""

NO_POWER, SEVENTH_CARD, FROM_DISCARDS, FREE_BUILD, COPY_GUILD = range(5)
_POWERS = {
    "play the seventh card": SEVENTH_CARD,
    "build from the discards": FROM_DISCARDS,
    "one free build an age": FREE_BUILD,
    "copy a guild": COPY_GUILD,
}
_AGES = {"I": 0, "II": 1, "III": 2}


@dataclass
class Effect:
    """What a structure or a wonder stage gives."""

    fixed: int = 0
    choice: int = 0
    points: int = 0
    coins: int = 0
    shields: int = 0
    symbol: int = NONE
    discount: int = 0
    power: int = NO_POWER
    coins_each: int = 0
    points_each: int = 0
    counts: int = 0
    cities: int = 0


@dataclass
class Structure:
    name: str
    colour: int
    marks: dict[int, list[int]]
    """For each Age (from 0), the smallest number of players of each copy."""
    guild: bool
    coins: int
    need: int
    text: str
    effect: Effect
    parents: list[str] = field(default_factory=list)


@dataclass
class Stage:
    coins: int
    need: int
    text: str
    effect: Effect


def pack(goods: list[str]) -> int:
    """Goods as one number."""
    return sum(1 << (GOOD_BITS * GOODS.index(good)) for good in goods)


def _rows(name: str) -> list[list[str]]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [[cell.strip() for cell in line.split("|")] for line in lines[1:]]


def _cost(text: str) -> tuple[int, int]:
    coins, need = 0, 0
    for part in text.replace("-", "").split(","):
        words = part.split()
        if words[1:] == ["coin"]:
            coins = int(words[0])
        else:
            need += pack(words)
    return coins, need


def _effect(text: str) -> Effect:
    effect = Effect()
    for part in text.split(", "):
        words = part.split()
        if part in _POWERS:
            effect.power = _POWERS[part]
        elif "per" in words:
            gain, _, rest = part.partition(" per ")
            counted, _, cities = rest.partition(" in ")
            for number, unit in zip(gain.split()[::2], gain.split()[1::2], strict=True):
                setattr(effect, f"{unit}_each", int(number))
            effect.counts = sum(1 << COUNTED.index(word) for word in counted.split())
            effect.cities = sum({"self": SELF, "left": LEFT, "right": RIGHT}[city] for city in cities.split())
        elif "for" in words:
            raw = words[0] == "raw"
            effect.discount = sum(
                {"left": LEFT_RAW if raw else LEFT_MADE, "right": RIGHT_RAW if raw else RIGHT_MADE}[side]
                for side in words[words.index("from") + 1 :]
            )
        elif words[0] == "symbol":
            effect.symbol = SYMBOLS.index(words[1])
        elif words[0].isdigit():
            setattr(effect, words[1], int(words[0]))
        elif "/" in part:
            effect.choice = sum(1 << GOODS.index(good) for good in part.split("/"))
        else:
            effect.fixed = pack(words)
    return effect


def _structures() -> list[Structure]:
    found = []
    for name, colour, deck, cost, gives, parents in _rows("cards.txt"):
        marks = {}
        for part in deck.split(", "):
            age, *copies = part.split()
            marks[_AGES[age]] = [int(mark) for mark in copies if mark != "guild"]
        free_with = [] if parents == "-" else parents.split(", ")
        coins, need = _cost(cost)
        guild = deck.endswith("guild")
        found.append(
            Structure(name, COLOURS.index(colour), marks, guild, coins, need, gives, _effect(gives), free_with)
        )
    return found


def _boards() -> tuple[list[str], list[str], dict[tuple[int, int], list[Stage]]]:
    names: list[str] = []
    starts: list[str] = []
    stages: dict[tuple[int, int], list[Stage]] = {}
    for board, side, start, _, cost, gives in _rows("boards.txt"):
        if board not in names:
            names.append(board)
            starts.append(start)
        place = (names.index(board), "AB".index(side))
        stages.setdefault(place, []).append(Stage(*_cost(cost), gives, _effect(gives)))
    return names, starts, stages


STRUCTURES = _structures()
NAMES = tuple(structure.name for structure in STRUCTURES)
KINDS = len(STRUCTURES)
FIRST_GUILD = next(kind for kind, structure in enumerate(STRUCTURES) if structure.guild)
GUILDS = KINDS - FIRST_GUILD

BOARD_NAMES, _STARTS, STAGE_ROWS = _boards()
BOARDS = len(BOARD_NAMES)
ALEXANDRIA, BABYLON, EPHESOS, GIZAH, HALIKARNASSOS, OLYMPIA, RHODOS = range(BOARDS)
MOST_STAGES = 4

MADRID = {name: (*_cost(cost), _effect(gives)) for name, cost, gives in _rows("madrid.txt")}


@rule
def goods_in(packed: int) -> int:
    """A bit for each good that occurs in packed goods."""
    mask = 0
    for good in range(NUM_GOODS):
        if packed >> (GOOD_BITS * good) & UNIT_MASK:
            mask |= 1 << good
    return mask


def kind_of(name: str) -> int:
    """The kind of the structure of that name."""
    return NAMES.index(name)


def _column(values: list[int]) -> np.ndarray:
    return np.array(values, np.int64)


COLOUR = _column([x.colour for x in STRUCTURES])
COST_COINS = _column([x.coins for x in STRUCTURES])
FIXED = _column([x.effect.fixed for x in STRUCTURES])
CHOICE = _column([x.effect.choice for x in STRUCTURES])
POINTS = _column([x.effect.points for x in STRUCTURES])
COINS = _column([x.effect.coins for x in STRUCTURES])
SHIELDS = _column([x.effect.shields for x in STRUCTURES])
SYMBOL = _column([x.effect.symbol for x in STRUCTURES])
DISCOUNT = _column([x.effect.discount for x in STRUCTURES])
COINS_EACH = _column([x.effect.coins_each for x in STRUCTURES])
POINTS_EACH = _column([x.effect.points_each for x in STRUCTURES])
COUNTS = _column([x.effect.counts for x in STRUCTURES])
SCIENTISTS = kind_of("Scientists Guild")

PARENTS = np.full((KINDS, 2), NONE, np.int64)
"""The structures that make it free."""
for _kind, _structure in enumerate(STRUCTURES):
    for _place, _parent in enumerate(_structure.parents):
        PARENTS[_kind, _place] = kind_of(_parent)

NEED = np.array([[x.need for x in STRUCTURES]] * 2, np.int64)
CITIES = np.array([[x.effect.cities for x in STRUCTURES]] * 2, np.int64)
START = _column([pack([good]) for good in _STARTS])

STAGES = np.zeros((BOARDS, 2), np.int64)
STAGE_NEED = np.zeros((2, BOARDS, 2, MOST_STAGES), np.int64)
STAGE_CHOICE = np.zeros((BOARDS, 2, MOST_STAGES), np.int64)
STAGE_POINTS = np.zeros((BOARDS, 2, MOST_STAGES), np.int64)
STAGE_COINS = np.zeros((BOARDS, 2, MOST_STAGES), np.int64)
STAGE_SHIELDS = np.zeros((BOARDS, 2, MOST_STAGES), np.int64)
STAGE_SYMBOL = np.full((BOARDS, 2, MOST_STAGES), NONE, np.int64)
STAGE_DISCOUNT = np.zeros((BOARDS, 2, MOST_STAGES), np.int64)
STAGE_POWER = np.zeros((BOARDS, 2, MOST_STAGES), np.int64)
for (_board, _side), _stages in STAGE_ROWS.items():
    STAGES[_board, _side] = len(_stages)
    for _number, _stage in enumerate(_stages):
        _at = (_board, _side, _number)
        STAGE_NEED[:, _board, _side, _number] = _stage.need
        STAGE_CHOICE[_at], STAGE_POINTS[_at] = _stage.effect.choice, _stage.effect.points
        STAGE_COINS[_at], STAGE_SHIELDS[_at] = _stage.effect.coins, _stage.effect.shields
        STAGE_SYMBOL[_at], STAGE_DISCOUNT[_at] = _stage.effect.symbol, _stage.effect.discount
        STAGE_POWER[_at] = _stage.effect.power

for _name, (_coins, _need, _changed) in MADRID.items():
    if _name in NAMES:
        NEED[1, kind_of(_name)], CITIES[1, kind_of(_name)] = _need, _changed.cities
    else:
        _words = _name.split()
        STAGE_NEED[1, BOARD_NAMES.index(_words[0]), "AB".index(_words[1]), int(_words[2]) - 1] = _need

MOST_SEATS, LEAST_SEATS, HAND, TURNS = 7, 3, 7, 6
AGES = 3
AGE_ONE, AGE_TWO, AGE_THREE = range(AGES)

COPIES = np.zeros((MOST_SEATS + 1, AGES, KINDS), np.int64)
"""How many copies of each kind are in the deck of an Age at a number of players, guilds left out."""
for _kind, _structure in enumerate(STRUCTURES):
    for _age, _marks in _structure.marks.items():
        for _seats in range(LEAST_SEATS, MOST_SEATS + 1):
            COPIES[_seats, _age, _kind] = sum(mark <= _seats for mark in _marks)

DECK = np.zeros((MOST_SEATS + 1, AGES, HAND * MOST_SEATS), np.int64)
DECK_SIZE = np.zeros((MOST_SEATS + 1, AGES), np.int64)
"""The deck of an Age as a list of kinds, guilds left out."""
for _seats in range(LEAST_SEATS, MOST_SEATS + 1):
    for _age in range(AGES):
        _deck = np.repeat(np.arange(KINDS), COPIES[_seats, _age])
        DECK[_seats, _age, : len(_deck)] = _deck
        DECK_SIZE[_seats, _age] = len(_deck)
