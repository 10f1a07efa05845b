"""Is a problem consistent? The cards exist, the options are there, and the bounds can be met."""

from __future__ import annotations

from collections import Counter

from boardwright.games.race.cards import CONSUME_POWERS, DESIGNS
from boardwright.games.race.state import HIGHEST_GUESS, ROUND_ACTIONS
from boardwright.scout.documents.card_numbers import card_name
from boardwright.scout.problems import problem as problems

_POWERS = frozenset((problems.ID_OF_DESIGN[power.design], power.position) for power in CONSUME_POWERS)


def check_cards_and_options(problem: problems.Problem) -> None:
    _check_cards(problem)
    _check_options(problem)


def check_bounds(problem: problems.Problem) -> None:
    if not problem.minimum <= problem.maximum <= len(problem.options):
        raise problems.BadDocument(
            f"<Min>, <Max>: {problem.minimum} to {problem.maximum} cannot be chosen of {len(problem.options)} options"
        )


def check_choice(problem: problems.Problem, choice: problems.Choice) -> None:
    _within(choice, Counter(problem.options), "<Choice>", "among the options")
    if not problem.minimum <= len(choice) <= problem.maximum:
        raise problems.BadDocument(f"<Choice>: {len(choice)} chosen, not {problem.minimum} to {problem.maximum}")


def _check_cards(problem: problems.Problem) -> None:
    cards = Counter([*problem.me.hand, *(card for side in problem.sides for card in side.tableau)])
    for card_id, count in cards.items():
        copies = DESIGNS[problems.DESIGN_OF_ID[card_id]].copies
        if count > copies:
            raise problems.BadDocument(f"<Card>: {card_name(card_id)} is listed {count} times; there are {copies}")
    for side in problem.sides:
        for card_id, count in Counter(side.tableau).items():
            if count > 1:
                raise problems.BadDocument(
                    f"<Tableau>: {card_name(card_id)} lies there twice; nobody can place a design twice"
                )


def _check_options(problem: problems.Problem) -> None:
    me, where = problem.me, "<Choices>"
    if problem.type == problems.TYPE_ACTION:
        _within(problem.options, Counter(ROUND_ACTIONS), where, "an action")
    elif problem.type == problems.TYPE_GAMBLE:
        _within(problem.options, Counter(range(1, HIGHEST_GUESS + 1)), where, f"a cost from 1 to {HIGHEST_GUESS}")
    elif problem.type == problems.TYPE_POWER:
        _within(problem.options, Counter(_POWERS), where, "a consume power, as card:power")
        _within([card for card, _ in pairs(problem.options)], Counter(dict.fromkeys(me.tableau, 9)), where, _THERE)
    elif problem.type in (problems.TYPE_TRADE, problems.TYPE_GOODS):
        _within(problem.options, Counter(me.goods), where, "a world with a good")
    elif problem.type == problems.TYPE_WINDFALL:
        _within(problem.options, Counter(me.tableau) - Counter(me.goods), where, "a world without a good")
    elif problem.type == problems.TYPE_PAYMENT:
        owned = [power for power in problems.SPECIAL_POWERS.values() if power[0] in me.tableau]
        allowed: Counter[problems.Option] = Counter((*owned, *(card for card, _ in owned), *me.hand))
        _within(problem.options, allowed, where, "in the hand, or a power that can pay")
    else:
        _within(problem.options, Counter(me.hand), where, "in the hand")


_THERE = "in the tableau"


def pairs(options: tuple[problems.Option, ...]) -> list[tuple[int, int]]:
    return [option for option in options if isinstance(option, tuple)]


def _within(options: problems.Choice | list[int], allowed: Counter, where: str, what: str) -> None:  # type: ignore[type-arg]
    for option, count in Counter(options).items():
        if count > allowed[option]:
            text = f"{option[0]}:{option[1]}" if isinstance(option, tuple) else str(option)
            raise problems.BadDocument(
                f"{where}: {text} is not {what}" + (", or not so often" if allowed[option] else "")
            )
