"""Expert rules beside the cases: actions that would do nothing are left out before a solution is selected.

Each rule has a name and can be switched on and off. `endgame` goes beyond the dissertation, which names the weakness:
Produce is not chosen in what is likely the last round, and the last card to be placed is the one worth most.
"""

from __future__ import annotations

from collections.abc import Callable

from boardwright.errors import UnknownName
from boardwright.games.race import cards as tables
from boardwright.games.race import state
from boardwright.scout.problems.problem import DESIGN_OF_ID, Problem, Side
from boardwright.scout.reasoners.recommendation import IndexedProblem

Rule = Callable[[IndexedProblem], set[int]]


def placeable(indexed: IndexedProblem) -> set[int]:
    """Develop and Settle need a card that can be placed."""
    useless = set()
    if indexed.number("player_developments") == 0:
        useless.add(state.DEVELOP_ACTION)
    if indexed.number("player_worlds") == 0:
        useless.add(state.SETTLE_ACTION)
    return useless


def goods(indexed: IndexedProblem) -> set[int]:
    """Consume-Trade needs a good; Consume-×2 needs points to double."""
    useless = set()
    if indexed.number("player_number_of_goods") == 0:
        useless.add(state.CONSUME_TRADE_ACTION)
    if indexed.number("player_consume_points") == 0 and not _hand_consumer(indexed):
        useless.add(state.CONSUME_TWICE)
    return useless


def _hand_consumer(indexed: IndexedProblem) -> bool:
    return any(
        "discard_from_hand" in power.kinds
        for card in indexed.problem.me.tableau
        for power in tables.DESIGNS[DESIGN_OF_ID[card]].powers
    )


def producers(indexed: IndexedProblem) -> set[int]:
    """Produce needs a world that could carry a good and does not."""
    me = indexed.problem.me
    idle = [DESIGN_OF_ID[card] for card in me.tableau if card not in me.goods]
    if indexed.number("player_producers") == 0 and not any(
        tables.IS_WINDFALL[tables.FIRST_CARD[design]] for design in idle
    ):
        return {state.PRODUCE_ACTION}
    return set()


ENDGAME = "endgame"
LAST_POOL = 2


def endgame(indexed: IndexedProblem) -> set[int]:
    """In what is likely the last round no Produce, whose goods pay later."""
    problem = indexed.problem
    longest = max(len(side.tableau) for side in problem.sides)
    if longest >= state.TABLEAU_END - 1 or problem.pool <= LAST_POOL:
        return {state.PRODUCE_ACTION}
    return set()


RULES: dict[str, Rule] = {"placeable": placeable, "goods": goods, "producers": producers, ENDGAME: endgame}


def points_of(design: int, me: Side) -> int:
    """What a card adds to a player's points if the game ends now."""
    tableau = [int(tables.FIRST_CARD[DESIGN_OF_ID[card]]) for card in me.tableau]
    card = int(tables.FIRST_CARD[design])
    points = int(tables.VP[card]) + sum(int(tables.BONUS[other, card]) for other in tableau if tables.IS_SIX[other])
    strength = int(tables.STANDING[card, tables.MILITARY])
    points += sum(strength * int(tables.BONUS_MILITARY[other]) for other in tableau)
    if tables.IS_SIX[card]:
        whole = [*tableau, card]
        points += me.chips // 3 * int(tables.BONUS_CHIPS[card]) + sum(int(tables.BONUS[card, other]) for other in whole)
        points += int(tables.STANDING[whole, tables.MILITARY].sum()) * int(tables.BONUS_MILITARY[card])
    return points


def places_last(problem: Problem) -> bool:
    """Whether the game ends with this round, whatever is placed."""
    full = max(len(problem.me.tableau) + 1, *(len(side.tableau) for side in problem.opponents)) >= state.TABLEAU_END
    return full or problem.pool <= 0


def chosen_rules(text: str) -> list[Rule]:
    """`placeable+goods`: the rules of those names; `none` for none of them."""
    names = [] if text in ("", "none") else text.split("+")
    for name in names:
        if name not in RULES:
            raise UnknownName("expert rule", name, RULES)
    return [RULES[name] for name in names]


def useless_actions(rules: list[Rule], indexed: IndexedProblem) -> set[int]:
    useless: set[int] = set()
    for rule in rules:
        useless |= rule(indexed)
    return useless
