"""Problems that no game would lead to, yet every document may describe: for agents to survive."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from boardwright.games.race.cards import CONSUME_POWERS, DESIGNS
from boardwright.scout.problems.problem import ID_OF_DESIGN, SPECIAL_POWERS, TYPES, Option, Problem, Side

START_WORLDS = [design.id for design in DESIGNS if design.has("start")]
CARRIES = {design.id for design in DESIGNS if design.good != "none"}
POWERS = [(ID_OF_DESIGN[power.design], power.position) for power in CONSUME_POWERS]
PHASES = (1, 3, 5, 7, 9)


def invented(rng: random.Random) -> Problem:
    """Random cards everywhere, a random question about them, and piles that add up."""
    starts = rng.sample(START_WORLDS, 2)
    deck = [design.id for design in DESIGNS for _ in range(design.copies) if design.id not in starts]
    rng.shuffle(deck)
    me, other = _side(0, starts[0], deck, rng), _side(1, starts[1], deck, rng)
    other = replace(other, hand=())
    rest = 114 - sum(len(side.tableau) + len(side.goods) + side.hand_size for side in (me, other))
    kind = rng.choice(TYPES)
    options = _options(kind, me, rng)
    least = rng.randrange(len(options) + 1)
    phases = tuple(sorted(rng.sample(PHASES, rng.randrange(6))))
    in_deck = rng.choice([0, rest // 2, rest])
    return Problem(
        type=kind,
        options=tuple(options),
        minimum=least,
        maximum=rng.randrange(least, len(options) + 1),
        subject=rng.choice([-1, me.tableau[-1], rng.choice(me.tableau)]),
        round=rng.choice([0, 1, 5, 30]),
        phases=phases,
        phase=rng.choice((0, *phases)),
        deck=in_deck,
        discard=rest - in_deck,
        pool=rng.choice([24, 5, 0, -3]),
        me=me,
        opponent=other,
    )


def _side(seat: int, start: int, deck: list[int], rng: random.Random) -> Side:
    size = rng.choice([1, 2, 5, 8, 11, 12, 13])
    tableau = [start]
    for card_id in deck[:40]:
        if len(tableau) < size and card_id not in tableau:
            tableau.append(card_id)
            deck.remove(card_id)
    hand = sorted(deck.pop() for _ in range(rng.choice([0, 1, 2, 5, 11, 20])))
    return Side(
        seat=seat,
        action=rng.choice([0, 1, 2, 3, 5, 7, 8, 9]),
        chips=rng.choice([0, 3, 500]),
        score=7,
        military=rng.choice([-1, 0, 4]),
        tableau=tuple(tableau),
        goods=tuple(card_id for card_id in tableau if card_id in CARRIES and rng.random() < 0.5),
        hand=tuple(hand),
        hand_size=len(hand),
    )


def _options(kind: int, me: Side, rng: random.Random) -> list[Option]:
    found: list[Any]
    if kind == 0:
        found = [1, 2, 3, 5, 7, 8, 9]
    elif kind == 16:
        found = [1, 2, 3, 4, 5, 6, 7]
    elif kind == 13:
        found = [power for power in POWERS if power[0] in me.tableau]
    elif kind in (12, 15):
        found = list(me.goods)
    elif kind == 19:
        found = [card_id for card_id in me.tableau if card_id in CARRIES and card_id not in me.goods]
    elif kind == 6:
        found = [*me.hand, *(power for power in SPECIAL_POWERS.values() if power[0] in me.tableau)]
    else:
        found = list(me.hand)
    return [option for option in found if rng.random() < 0.8]
