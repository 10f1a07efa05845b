"""The small expert system beside the phase reasoner: actions that would do nothing are left out.

Each rule has a name and can be switched on and off. `endgame` goes beyond the dissertation, which names the weakness.
"""

from __future__ import annotations

from collections.abc import Callable

from boardwright.errors import UnknownName
from boardwright.games.race.cards import DESIGNS, FIRST_CARD, IS_WINDFALL
from boardwright.games.race.scout.problems.model import DESIGN_OF_ID
from boardwright.games.race.scout.reasoners.thought import Asked
from boardwright.games.race.state import (
    CONSUME_TRADE_ACTION,
    CONSUME_TWICE,
    DEVELOP_ACTION,
    PRODUCE_ACTION,
    SETTLE_ACTION,
    TABLEAU_END,
)

Rule = Callable[[Asked], set[int]]


def placeable(asked: Asked) -> set[int]:
    """Develop and Settle need a card that can be placed."""
    useless = set()
    if asked.number("player_developments") == 0:
        useless.add(DEVELOP_ACTION)
    if asked.number("player_worlds") == 0:
        useless.add(SETTLE_ACTION)
    return useless


def goods(asked: Asked) -> set[int]:
    """Consume-Trade needs a good; Consume-×2 needs points to double."""
    useless = set()
    if asked.number("player_number_of_goods") == 0:
        useless.add(CONSUME_TRADE_ACTION)
    if asked.number("player_consume_points") == 0 and not _hand_consumer(asked):
        useless.add(CONSUME_TWICE)
    return useless


def _hand_consumer(asked: Asked) -> bool:
    return any(
        "discard_from_hand" in power.kinds
        for card in asked.problem.me.tableau
        for power in DESIGNS[DESIGN_OF_ID[card]].powers
    )


def producers(asked: Asked) -> set[int]:
    """Produce needs a world that could carry a good and does not."""
    me = asked.problem.me
    idle = [DESIGN_OF_ID[card] for card in me.tableau if card not in me.goods]
    if asked.number("player_producers") == 0 and not any(IS_WINDFALL[FIRST_CARD[design]] for design in idle):
        return {PRODUCE_ACTION}
    return set()


LAST_POOL = 2


def endgame(asked: Asked) -> set[int]:
    """In what is likely the last round nothing that pays later: no Produce, no trade."""
    problem = asked.problem
    longest = max(len(problem.me.tableau), len(problem.opponent.tableau))
    if longest >= TABLEAU_END - 1 or problem.pool <= LAST_POOL:
        return {PRODUCE_ACTION}
    return set()


RULES: dict[str, Rule] = {"placeable": placeable, "goods": goods, "producers": producers, "endgame": endgame}


def chosen_rules(text: str) -> list[Rule]:
    """`placeable+goods`: the rules of those names; `none` for none of them."""
    names = [] if text in ("", "none") else text.split("+")
    for name in names:
        if name not in RULES:
            raise UnknownName("expert rule", name, RULES)
    return [RULES[name] for name in names]


def useless_actions(rules: list[Rule], asked: Asked) -> set[int]:
    useless: set[int] = set()
    for rule in rules:
        useless |= rule(asked)
    return useless
