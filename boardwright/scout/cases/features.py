"""The case schema: the features of section 6.2.1 of the dissertation, and some derived ones.

The numbers up to `pool` and the first five sets are the dissertation's. The auxiliary numbers and the generalised sets
are derived from tableau, goods and hand, with narrower ranges: what an action would do now, in goods, cards and points.
"""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum, auto
from typing import Any

from boardwright.cbr.schema import CaseSchema, NumberFeature, SetFeature
from boardwright.games.race.cards import DESIGN_COUNT
from boardwright.games.race.state import ROUND_ACTIONS
from boardwright.scout.cases.card_groups import COPIES, GOOD_GROUPS, GROUP_COUNT


class _Features(IntEnum):
    """Counted from 0; the name of a feature is that of its member in small letters."""

    @staticmethod
    def _generate_next_value_(_name: str, _start: int, count: int, _last: list[Any]) -> int:
        return count

    @property
    def feature(self) -> str:
        return self.name.lower()


class Numbers(_Features):
    """The number features, by their rows."""

    GAME_ROUND = auto()
    PLAYER_CHIPS = auto()
    PLAYER_HAND_SIZE = auto()
    PLAYER_MILITARY = auto()
    PLAYER_SCORE = auto()
    PLAYER_TABLEAU_SIZE = auto()
    OPPONENT_CHIPS = auto()
    OPPONENT_HAND_SIZE = auto()
    OPPONENT_MILITARY = auto()
    OPPONENT_SCORE = auto()
    OPPONENT_TABLEAU_SIZE = auto()
    SCORE_DIFFERENCE = auto()
    DECK = auto()
    DISCARD = auto()
    POOL = auto()
    # auxiliary
    PLAYER_NUMBER_OF_GOODS = auto()
    OPPONENT_NUMBER_OF_GOODS = auto()
    PLAYER_PRODUCERS = auto()  # production worlds that carry no good
    OPPONENT_PRODUCERS = auto()
    PLAYER_CONSUME_POINTS = auto()
    OPPONENT_CONSUME_POINTS = auto()
    PLAYER_CONSUME_GOODS = auto()  # goods that consume powers would use up now
    PLAYER_TRADE_VALUE = auto()
    OPPONENT_TRADE_VALUE = auto()
    PLAYER_WORLDS = auto()  # of the hand, that could be settled now
    PLAYER_DEVELOPMENTS = auto()
    PLAYER_WORLD_POINTS = auto()  # the most points on one of them
    PLAYER_DEVELOPMENT_POINTS = auto()
    PLAYER_DISCOUNT = auto()
    PLAYER_DEVELOP_DISCOUNT = auto()
    PLAYER_ACTION = auto()
    OPPONENT_ACTION = auto()
    OPTIONS = auto()  # to choose from
    PLAYER_PRODUCTION_WORLDS = auto()
    PLAYER_WORLD_SHORTFALL = auto()  # cards, or strength, that the nearest unaffordable world lacks; see NOTHING_NEAR
    PLAYER_DEVELOPMENT_SHORTFALL = auto()
    PLAYER_WORLD_WORTH = auto()  # of the best affordable world, in half points by rule of thumb
    PLAYER_DEVELOPMENT_WORTH = auto()
    PLAYER_IDLE_WINDFALLS = auto()  # windfall worlds that carry no good
    OPPONENT_IDLE_WINDFALLS = auto()
    PLAYER_CONSUME_CARDS = auto()
    OPPONENT_PRODUCTION_WORLDS = auto()


class Sets(_Features):
    """The set features, by their positions."""

    PLAYER_HAND = auto()
    PLAYER_GOODS = auto()
    PLAYER_TABLEAU = auto()
    OPPONENT_GOODS = auto()
    OPPONENT_TABLEAU = auto()
    # derived
    PLAYER_TABLEAU_GROUPS = auto()
    PLAYER_GOODS_KINDS = auto()
    PLAYER_HAND_GROUPS = auto()
    OPPONENT_TABLEAU_GROUPS = auto()
    PLAYER_PLACEABLE = auto()  # cards of the hand that could be placed now
    # the question itself: never compared, but counted (option_rates.py)
    OFFERED = auto()
    TAKEN = auto()


_LOWEST = {
    Numbers.PLAYER_MILITARY: -20,
    Numbers.PLAYER_SCORE: -10,
    Numbers.OPPONENT_MILITARY: -20,
    Numbers.OPPONENT_SCORE: -10,
    Numbers.SCORE_DIFFERENCE: -128,
    Numbers.POOL: -60,
    Numbers.PLAYER_DISCOUNT: -10,
}
_ELEMENTS = {
    Sets.PLAYER_TABLEAU_GROUPS: GROUP_COUNT * COPIES,
    Sets.PLAYER_GOODS_KINDS: GOOD_GROUPS * COPIES,
    Sets.PLAYER_HAND_GROUPS: GROUP_COUNT * COPIES,
    Sets.OPPONENT_TABLEAU_GROUPS: GROUP_COUNT * COPIES,
}
"""Of the generalised sets; the others are sets of card designs."""
_ABOUT_THE_QUESTION = (Numbers.PLAYER_ACTION, Numbers.OPPONENT_ACTION, Numbers.OPTIONS)
AUXILIARY_NUMBERS = tuple(
    number.feature for number in Numbers if number > Numbers.POOL and number not in _ABOUT_THE_QUESTION
)
"""Derived from tableau, goods and hand."""
PASS = DESIGN_COUNT
"""The class of a decision to choose nothing."""
CLASSES = DESIGN_COUNT + 1
SCHEMA = CaseSchema(
    tuple(NumberFeature(number.feature, _LOWEST.get(number, 0)) for number in Numbers),
    tuple(SetFeature(cards.feature, _ELEMENTS.get(cards, DESIGN_COUNT)) for cards in Sets),
    CLASSES,
)
ACTION_SCHEMA = replace(
    SCHEMA, numbers=(*SCHEMA.numbers, *(NumberFeature(f"policy_{action}") for action in ROUND_ACTIONS))
)
"""The schema of action cases with the probability that the policy network gives each action, from 0 to 255."""
NOTHING_NEAR = 10
"""The shortfall where no card of the sort is out of reach."""
