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


def invented(chance: random.Random) -> Problem:
    """Random cards everywhere, a random question about them, and piles that add up."""
    starts = chance.sample(START_WORLDS, 2)
    deck = [design.id for design in DESIGNS for _ in range(design.copies) if design.id not in starts]
    chance.shuffle(deck)
    me, other = _side(0, starts[0], deck, chance), _side(1, starts[1], deck, chance)
    other = replace(other, hand=())
    rest = 114 - sum(len(side.tableau) + len(side.goods) + side.hand_size for side in (me, other))
    kind = chance.choice(TYPES)
    options = _options(kind, me, chance)
    least = chance.randrange(len(options) + 1)
    phases = tuple(sorted(chance.sample(PHASES, chance.randrange(6))))
    in_deck = chance.choice([0, rest // 2, rest])
    return Problem(
        type=kind,
        options=tuple(options),
        minimum=least,
        maximum=chance.randrange(least, len(options) + 1),
        subject=chance.choice([-1, me.tableau[-1], chance.choice(me.tableau)]),
        round=chance.choice([0, 1, 5, 30]),
        phases=phases,
        phase=chance.choice((0, *phases)),
        deck=in_deck,
        discard=rest - in_deck,
        pool=chance.choice([24, 5, 0, -3]),
        me=me,
        opponent=other,
    )


def _side(seat: int, start: int, deck: list[int], chance: random.Random) -> Side:
    size = chance.choice([1, 2, 5, 8, 11, 12, 13])
    tableau = [start]
    for face in deck[:40]:
        if len(tableau) < size and face not in tableau:
            tableau.append(face)
            deck.remove(face)
    hand = sorted(deck.pop() for _ in range(chance.choice([0, 1, 2, 5, 11, 20])))
    return Side(
        seat=seat,
        action=chance.choice([0, 1, 2, 3, 5, 7, 8, 9]),
        chips=chance.choice([0, 3, 500]),
        score=7,
        military=chance.choice([-1, 0, 4]),
        tableau=tuple(tableau),
        goods=tuple(face for face in tableau if face in CARRIES and chance.random() < 0.5),
        hand=tuple(hand),
        hand_size=len(hand),
    )


def _options(kind: int, me: Side, chance: random.Random) -> list[Option]:
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
        found = [face for face in me.tableau if face in CARRIES and face not in me.goods]
    elif kind == 6:
        found = [*me.hand, *(power for power in SPECIAL_POWERS.values() if power[0] in me.tableau)]
    else:
        found = list(me.hand)
    return [option for option in found if chance.random() < 0.8]
