"""The cards of the base set as tables that compiled rules can read.

`cards.json` has one row per card face (a *design*): what is printed on it, its powers phase by phase as
"phase: kinds value xtimes", and for six-cost developments how they score. This module numbers the designs and the 114
cards and turns the rows into arrays, indexed by card number unless they say otherwise. Designs are numbered from 0
here; `ID` has the numbers that saved games use.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.files import parse_json

Table = NDArray[np.int64]

NO_KIND, NOVELTY, RARE, GENES, ALIEN = range(5)
KINDS = ("none", "novelty", "rare", "genes", "alien")
KIND_COUNT = 5


@dataclass(frozen=True)
class Power:
    """One power: "consume: consume_any gain_vp 1 x2" is phase, kinds, value and times."""

    phase: str
    kinds: frozenset[str]
    value: int
    times: int

    @classmethod
    def parse(cls, text: str) -> Power:
        phase, _, rest = text.partition(": ")
        words = rest.split()
        times = int(words.pop()[1:]) if words[-1][0] == "x" else 0
        value = int(words.pop()) if words[-1].lstrip("-").isdigit() else 0
        return cls(phase, frozenset(words), value, times)

    @property
    def trades_better(self) -> bool:
        return any(kind.startswith("trade_bonus_") for kind in self.kinds)

    @property
    def good_kind(self) -> int:
        """The kind of good the power is about: "windfall_rare", "only_rare", "consume_rare"; NO_KIND for any."""
        for kind in self.kinds:
            if kind.rpartition("_")[2] in KINDS:
                return KINDS.index(kind.rpartition("_")[2])
        return NO_KIND


@dataclass(frozen=True)
class Design:
    """One row of cards.json."""

    id: int
    name: str
    type: str
    cost: int
    vp: int
    copies: int = 1
    good: str = "none"
    production: str = ""
    flags: tuple[str, ...] = ()
    powers: tuple[Power, ...] = ()
    bonus: tuple[str, ...] = ()

    @property
    def world(self) -> bool:
        return self.type == "world"

    def has(self, flag: str) -> bool:
        return flag in self.flags

    def powers_in(self, phase: str) -> list[Power]:
        return [power for power in self.powers if power.phase == phase]


def _read() -> tuple[Design, ...]:
    rows: list[dict[str, Any]] = parse_json(files(__package__).joinpath("cards.json").read_text("utf-8"))
    designs = []
    for row in rows:
        powers = tuple(Power.parse(text) for text in row.pop("powers", ()))
        flags, bonus = tuple(row.pop("flags", ())), tuple(row.pop("bonus", ()))
        designs.append(Design(**row, flags=flags, powers=powers, bonus=bonus))
    return tuple(designs)


DESIGNS = _read()
DESIGN_COUNT = len(DESIGNS)
CARDS = sum(design.copies for design in DESIGNS)
_NUMBERED = [number for number, design in enumerate(DESIGNS) for _ in range(design.copies)]
_FACES = [DESIGNS[number] for number in _NUMBERED]
_BY_NAME = {design.name: number for number, design in enumerate(DESIGNS)}


def card_named(name: str) -> int:
    """The first card of that design."""
    return int(FIRST_CARD[_BY_NAME[name]])


def _table(values: Any) -> Table:
    return np.array(values, np.int64)


# What is printed.
DESIGN = _table(_NUMBERED)
ID = _table([face.id for face in _FACES])
FIRST_CARD = _table([_NUMBERED.index(number) for number in range(DESIGN_COUNT)])
"""By design."""
assert max(design.copies for design in DESIGNS) == 2, "actions name no third copy"
SECOND_CARD = _table([c for c in range(1, CARDS) if _NUMBERED[c] == _NUMBERED[c - 1]])
"""The second copies, of the designs that have two."""
IS_SECOND = _table([c > 0 and _NUMBERED[c] == _NUMBERED[c - 1] for c in range(CARDS)])
SECOND_INDEX = _table([np.sum(c > SECOND_CARD) for c in range(CARDS)])
"""Where a second copy stands in SECOND_CARD."""
START_WORLDS = 5
"""They are the cards 0 to 4."""
assert [c for c in range(CARDS) if _FACES[c].has("start")] == list(range(START_WORLDS))

COST = _table([face.cost for face in _FACES])
VP = _table([face.vp for face in _FACES])
KIND = _table([KINDS.index(face.good) for face in _FACES])
IS_WORLD = _table([face.world for face in _FACES])
IS_MILITARY = _table([face.has("military") for face in _FACES])
IS_REBEL = _table([face.has("rebel") for face in _FACES])
IS_WINDFALL = _table([face.production == "windfall" for face in _FACES])
IS_PRODUCTION = _table([face.production == "production" for face in _FACES])
IS_SIX = _table([bool(face.bonus) for face in _FACES])

GOOD_VALUE = _table([0, 2, 3, 4, 5])
"""Cards for a good of each kind when it is traded."""

# Standing powers: what a card adds to its owner's totals while it lies in the tableau.
(
    EXPLORE_DRAW,
    EXPLORE_KEEP,
    DEVELOP_DISCOUNT,
    DEVELOP_DRAW,  # when the phase begins
    DEVELOPED_DRAW,  # after placing
    SETTLED_DRAW,  # after placing
    COLONY_SHIP,  # owned: may be discarded to settle for nothing
    TACTICS,  # owned: may be discarded for military strength
    CONTACT,  # owned: may pay for military worlds
    REBEL_MILITARY,  # against rebel worlds
) = range(10)
DISCOUNT = 10
"""Settle discount: DISCOUNT + NO_KIND is for all worlds, DISCOUNT + kind for worlds of a kind."""
MILITARY = 15
"""Likewise for military strength."""
TRADE = 20
"""Likewise for trade bonuses."""
STANDING_COUNT = 25
TACTICS_STRENGTH = 3


def _standing_power(power: Power) -> tuple[int, int] | None:
    """Which total a power adds to, and how much."""
    kinds, value = power.kinds, power.value
    if power.trades_better and "trade_bonus_own_good" not in kinds:
        return TRADE + power.good_kind, value
    if "discard_this_card" in kinds:
        return (COLONY_SHIP if "pay_zero" in kinds else TACTICS), 1
    if "military" in kinds:
        return (REBEL_MILITARY if "only_vs_rebel" in kinds else MILITARY + power.good_kind), value
    if "discount" in kinds:
        return (DEVELOP_DISCOUNT if power.phase == "develop" else DISCOUNT + power.good_kind), value
    simple = {
        "extra_draw": EXPLORE_DRAW,
        "extra_keep": EXPLORE_KEEP,
        "draw_at_start": DEVELOP_DRAW,
        "draw_after_develop": DEVELOPED_DRAW,
        "draw_after_settle": SETTLED_DRAW,
    }
    for kind, total in simple.items():
        if kind in kinds:
            return total, value
    return (CONTACT, 1) if "pay_for_military_world" in kinds else None


def _standing() -> Table:
    table = np.zeros((CARDS, STANDING_COUNT), np.int64)
    for card, face in enumerate(_FACES):
        for power in face.powers:
            counted = _standing_power(power)
            if counted is not None:
                table[card, counted[0]] += counted[1]
    return table


STANDING = _standing()
HAS_STANDING = _table(STANDING.any(axis=1))
OWN_TRADE = _table(
    [sum(power.value for power in face.powers if "trade_bonus_own_good" in power.kinds) for face in _FACES]
)
"""What a world adds to the trade of its own good."""

# Consume powers: numbered over all cards; a card has up to two.
CONSUME_GOODS, CONSUME_TWO, CONSUME_THREE_KINDS, CONSUME_ALL, FROM_HAND, EXTRA_TRADE, JUST_DRAW, GAMBLE = range(8)


@dataclass(frozen=True)
class ConsumePower:
    """A consume power that is used, as against trade bonuses, which just count."""

    design: int
    position: int
    """Its place among all powers of the card, as saved games count them."""
    effect: int
    kind: int
    times: int
    vp: int
    cards: int
    """What one use gives."""
    plain: bool
    """Whether an extra trade ignores trade bonuses."""


def _consume_power(design: int, position: int, power: Power) -> ConsumePower:
    kinds = power.kinds
    if "consume_three_kinds" in kinds:
        effect = CONSUME_THREE_KINDS
    elif "consume_all" in kinds:
        effect = CONSUME_ALL
    elif "needs_two_goods" in kinds:
        effect = CONSUME_TWO
    elif "discard_from_hand" in kinds:
        effect = FROM_HAND
    elif "extra_trade" in kinds:
        effect = EXTRA_TRADE
    elif "gamble" in kinds:
        effect = GAMBLE
    elif "draw" in kinds:
        effect = JUST_DRAW
    else:
        effect = CONSUME_GOODS
    cards = 2 * power.value if "gain_two_cards" in kinds else power.value if {"gain_card", "draw"} & kinds else 0
    vp = power.value if "gain_vp" in kinds else 0
    return ConsumePower(
        design, position, effect, power.good_kind, power.times, vp, cards, "ignore_trade_bonuses" in kinds
    )


CONSUME_POWERS = tuple(
    _consume_power(number, position, power)
    for number, design in enumerate(DESIGNS)
    for position, power in enumerate(design.powers)
    if power.phase == "consume" and not power.trades_better
)
POWER_COUNT = len(CONSUME_POWERS)
POWERS_PER_CARD = 2
POWER_DESIGN = _table([power.design for power in CONSUME_POWERS])
POWER_POSITION = _table([power.position for power in CONSUME_POWERS])
POWER_EFFECT = _table([power.effect for power in CONSUME_POWERS])
POWER_KIND = _table([power.kind for power in CONSUME_POWERS])
POWER_TIMES = _table([power.times for power in CONSUME_POWERS])
POWER_VP = _table([power.vp for power in CONSUME_POWERS])
POWER_CARDS = _table([power.cards for power in CONSUME_POWERS])
POWER_PLAIN = _table([power.plain for power in CONSUME_POWERS])
FIRST_POWER = _table([np.sum(number > POWER_DESIGN) for number in _NUMBERED])
POWERS = _table([np.sum(number == POWER_DESIGN) for number in _NUMBERED])
assert POWERS.max() <= POWERS_PER_CARD

# Produce powers: no card has two that act while the tableau is scanned, or two that count what was produced.
NOTHING_HAPPENS, PRODUCE_HERE, PRODUCE_WINDFALL, PRODUCE_DRAW, DRAW_PER_GENES = range(5)
COUNT_NOTHING, COUNT_KIND, COUNT_KINDS = range(3)


def _scan_effect(power: Power) -> int:
    if "windfall_any" in power.kinds:
        return NOTHING_HAPPENS  # comes later in the phase
    if any(kind.startswith("windfall_") for kind in power.kinds):
        return PRODUCE_WINDFALL
    simple = {"produce_here": PRODUCE_HERE, "draw": PRODUCE_DRAW, "draw_per_genes_world": DRAW_PER_GENES}
    return next((effect for kind, effect in simple.items() if kind in power.kinds), NOTHING_HAPPENS)


def _produce() -> tuple[Table, Table, Table, Table, Table]:
    scan, scan_kind, scan_value, count, count_kind = (np.zeros(CARDS, np.int64) for _ in range(5))
    for card, face in enumerate(_FACES):
        for power in face.powers_in("produce"):
            effect = _scan_effect(power)
            if effect != NOTHING_HAPPENS:
                assert scan[card] == NOTHING_HAPPENS, face.name
                scan[card], scan_kind[card], scan_value[card] = effect, power.good_kind, power.value
            for kind in power.kinds & {"draw_per_novelty_produced", "draw_per_alien_produced"}:
                count[card], count_kind[card] = COUNT_KIND, KINDS.index(kind.split("_")[2])
            if "draw_per_kind_produced" in power.kinds:
                count[card] = COUNT_KINDS
    return scan, scan_kind, scan_value, count, count_kind


def _produce_value(kind: str) -> Table:
    return _table([sum(p.value for p in face.powers_in("produce") if kind in p.kinds) for face in _FACES])


SCAN, SCAN_KIND, SCAN_VALUE, PRODUCED_COUNT, PRODUCED_KIND = _produce()
DRAW_IF_PRODUCED_HERE = _produce_value("draw_if_produced_here")
DRAW_IF_MOST_RARE = _produce_value("draw_if_most_rare")
WINDFALL_ANY = _table([any("windfall_any" in p.kinds for p in face.powers) for face in _FACES])


# Scoring of six-cost developments.
def _matches(per: str, face: Design) -> bool:
    if per.startswith("named_card "):
        return face.name == per.removeprefix("named_card ")
    for kind in KINDS[1:]:
        for production in ("production", "windfall"):
            if per == f"{kind}_{production}_world":
                return face.good == kind and face.production == production
    sort, _, feature = per.partition("_with_")
    if feature:
        consume = face.powers_in("consume")
        has = {
            "explore_power": bool(face.powers_in("explore")),
            "trade_bonus_power": any(power.trades_better for power in consume),
            "consume_power": any(not power.trades_better for power in consume),
        }
        return face.type == sort and has[feature]
    return {
        "world": face.world,
        "development": not face.world,
        "six_cost_development": bool(face.bonus),
        "alien_card": face.has("alien"),
        "military_world": face.world and face.has("military"),
        "rebel_military_world": face.world and face.has("military") and face.has("rebel"),
    }[per]


PER_CHIPS, PER_MILITARY = "every_three_vp_chips", "total_military_strength"


def _bonus() -> Table:
    """Points that the card in the row scores for the card in the column: the first entry that matches."""
    table = np.zeros((CARDS, CARDS), np.int64)
    for card, face in enumerate(_FACES):
        for text in reversed(face.bonus):
            points, _, per = text.partition(" ")
            if per not in (PER_CHIPS, PER_MILITARY):
                table[card, [_matches(per, other) for other in _FACES]] = int(points)
    return table


def _bonus_for(per: str) -> Table:
    return _table([sum(int(text.split()[0]) for text in face.bonus if text.endswith(per)) for face in _FACES])


BONUS = _bonus()
CHIPS_PER_BONUS = 3
BONUS_CHIPS = _bonus_for(PER_CHIPS)
BONUS_MILITARY = _bonus_for(PER_MILITARY)
