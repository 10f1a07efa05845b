"""A player by rules of thumb, which is also a rollout policy.

Everything is measured in victory points. A card in hand is worth a bit less than half a point as payment; a card in the
tableau is worth its points, what six-cost developments make of it, and what its powers will still earn, which
shrinks as the game goes on.

All numbers were set by hand. How strong the player is with them: docs/race.md, "Strength".
"""

from __future__ import annotations

import numpy as np

from boardwright.games.race.bits import WORDS, lowest
from boardwright.games.race.cards import (
    BONUS,
    BONUS_CHIPS,
    BONUS_MILITARY,
    CHIPS_PER_BONUS,
    CONSUME_ALL,
    CONSUME_GOODS,
    CONSUME_THREE_KINDS,
    CONSUME_TWO,
    CONTACT,
    COST,
    DESIGN,
    DESIGNS,
    FIRST_CARD,
    FIRST_POWER,
    FROM_HAND,
    GAMBLE,
    GOOD_VALUE,
    IS_MILITARY,
    IS_PRODUCTION,
    IS_SIX,
    IS_WINDFALL,
    IS_WORLD,
    KIND,
    KIND_COUNT,
    KINDS,
    MILITARY,
    NO_KIND,
    POWER_CARDS,
    POWER_EFFECT,
    POWER_KIND,
    POWER_TIMES,
    POWER_VP,
    POWERS,
    PRODUCE_DRAW,
    PRODUCE_WINDFALL,
    SCAN,
    SCAN_VALUE,
    STANDING,
    VP,
    Design,
)
from boardwright.games.race.consume import trade_value
from boardwright.games.race.develop import can_develop, develop_discount
from boardwright.games.race.picks import above, action_naming, pickable_word
from boardwright.games.race.settle import can_settle, price_with, settle_price, strength
from boardwright.games.race.state import (
    ACTION,
    CHOOSE_ACTION,
    CONSUME,
    CONSUME_TRADE_ACTION,
    CONSUME_TWICE,
    DEVELOP_ACTION,
    DONE,
    EXPLORE_FIVE,
    EXPLORE_ONE,
    FOR_VP,
    GUESS,
    GUESSES,
    PLACE,
    POOL_PER_SEAT,
    POWER,
    PRODUCE_ACTION,
    ROUND_ACTIONS,
    ROUNDS,
    SECOND_COPY,
    SETTLE_ACTION,
    SPECIAL,
    SPECIALS,
    TABLEAU_END,
    TRADE_GOOD,
    USE_COLONY_SHIP,
    USE_POWER,
    USE_TACTICS,
)
from boardwright.games.race.tableau import owns_design
from boardwright.kernel import Actions, Record, RngState, rng, rule

CARD = 0.45
"""What a card to pay with is worth."""
MISSING_STRENGTH = 0.9
"""What each point of military strength costs that a conquest lacks."""
SPECIAL_CARD = 1.3
"""What discarding a special card in settling costs."""
LIKELY_COST = 2
"""What it guesses with Gambling World."""
FULL_HAND = 8
"""With so many cards the cards of a trade are worth half."""
GOOD_HAND = 5
"""With fewer cards exploring is worth more."""
NEAR_END = 0.12
"""With less time left (see `time_left`) goods will hardly be consumed any more."""
NOISE = 0.15
"""Added to what an action gains, up to this much, so that actions of about the same worth alternate."""
_MOST_PICKABLE = 64  # cards that a pick is chosen from


def _engine(design: Design) -> float:
    """What the powers of a card earn over a whole game, by a rough rule."""
    worth = 0.0
    if design.production == "production":
        worth += 1.2 + CARD * GOOD_VALUE[KINDS.index(design.good)]
    elif design.production == "windfall":
        worth += 0.6 + 0.4 * GOOD_VALUE[KINDS.index(design.good)]
    for power in design.powers:
        kinds, value, times = power.kinds, power.value, max(1, power.times)
        limited = any(kind.startswith("only") for kind in kinds)
        if power.trades_better:
            worth += 0.5 * value
        elif "gain_vp" in kinds:
            goods = min(times, 2)
            worth += (1.2 * value * goods) if "discard_from_hand" not in kinds else 2.5
            worth += 1.0 if "gain_card" in kinds else 0.0
        elif "gain_card" in kinds or "gain_two_cards" in kinds:
            worth += 1.0
        elif "extra_trade" in kinds:
            worth += 1.5
        elif "gamble" in kinds:
            worth += 0.6
        elif "military" in kinds and "discard_this_card" not in kinds:
            worth += 0.6 * value * (0.6 if limited else 1.0)
        elif "discount" in kinds:
            worth += (0.8 if power.phase == "develop" else 0.9) * value * (0.5 if limited else 1.0)
        elif "extra_keep" in kinds:
            worth += 1.2
        elif "extra_draw" in kinds:
            worth += 0.4 * value
        elif any(kind.startswith("draw") for kind in kinds):
            worth += 1.0 * max(1, value)
        elif any(kind.startswith("windfall") for kind in kinds):
            worth += 1.2
        elif "discard_this_card" in kinds:
            worth += 1.0
        elif "pay_for_military_world" in kinds:
            worth += 0.8
    return worth


ENGINE = np.array([_engine(DESIGNS[d]) for d in range(len(DESIGNS)) for _ in range(DESIGNS[d].copies)])


@rule
def time_left(s: Record) -> float:
    """From 1 at the start to 0 at the end."""
    used = 1.0 - s.pool / (POOL_PER_SEAT * s.seats)
    for seat in range(s.seats):
        used = max(used, (s.size[seat] - 1) / (TABLEAU_END - 1.0))
    used = max(used, s.round / ROUNDS)
    return max(0.0, 1.0 - used)


@rule
def appetite(s: Record, seat: int) -> float:
    """How many goods the seat can consume in a phase, less how many its worlds yield."""
    balance = 0.0
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        if IS_PRODUCTION[card]:
            balance -= 1.0
        elif IS_WINDFALL[card]:
            balance -= 0.4
        for i in range(POWERS[card]):
            power = FIRST_POWER[card] + i
            if POWER_EFFECT[power] <= CONSUME_ALL:
                balance += max(1, POWER_TIMES[power]) if POWER_EFFECT[power] == CONSUME_GOODS else 2.0
    return balance


@rule
def worth(s: Record, seat: int, card: int, left: float, hunger: float) -> float:
    """What a card adds when it is placed."""
    points = float(VP[card])
    for place in range(s.size[seat]):
        other = s.tableau[seat, place]
        if IS_SIX[card]:
            points += BONUS[card, other]
        if IS_SIX[other]:
            points += BONUS[other, card] + BONUS_MILITARY[other] * STANDING[card, MILITARY]
    if IS_SIX[card]:
        points += BONUS[card, card] + BONUS_CHIPS[card] * (s.chips[seat] // CHIPS_PER_BONUS)
        points += BONUS_MILITARY[card] * (s.standing[seat, MILITARY] + STANDING[card, MILITARY])
        points += 2.0 * left
    engine = ENGINE[card]
    if IS_PRODUCTION[card]:
        engine += 1.0 if hunger > 0.0 else -0.6
    elif hunger < 0.0 and POWERS[card] > 0:
        engine += 1.0
    return points + left * engine


@rule
def effort(s: Record, seat: int, card: int) -> float:
    """What placing a card takes, in points."""
    if not IS_WORLD[card]:
        return CARD * max(0, COST[card] - develop_discount(s, seat))
    if IS_MILITARY[card]:
        gap = COST[card] - strength(s, seat, card)
        if gap <= 0:
            return 0.0
        if s.standing[seat, CONTACT]:
            return min(MISSING_STRENGTH * gap, CARD * max(0, settle_price(s, seat, card) - 1))
        return MISSING_STRENGTH * gap
    return CARD * max(0, settle_price(s, seat, card))


@rule
def hold(s: Record, seat: int, card: int, left: float, hunger: float) -> float:
    """What a card in the hand is worth beyond being a card."""
    value = worth(s, seat, card, left, hunger) - effort(s, seat, card)
    if not IS_WORLD[card] and owns_design(s, seat, DESIGN[card]):  # a second copy cannot be placed
        return -1.0
    return value


@rule
def best_placement(s: Record, seat: int, worlds: bool, left: float, hunger: float) -> float:
    """What the best placement of a development, or of a world, would gain now."""
    best = 0.0
    for w in range(WORDS):
        word = s.hand[seat, w]
        while word:
            card = lowest(word, w)
            word &= word - 1
            if (IS_WORLD[card] != 0) != worlds:
                continue
            if can_settle(s, seat, card) if worlds else can_develop(s, seat, card):
                best = max(best, worth(s, seat, card, left, hunger) - effort(s, seat, card))
    return best


def _capacity(card: int) -> float:
    """How many goods the powers of a card consume in a phase."""
    powers = range(FIRST_POWER[card], FIRST_POWER[card] + POWERS[card])
    consuming = [power for power in powers if POWER_EFFECT[power] <= CONSUME_ALL]
    return float(sum(POWER_TIMES[p] if POWER_EFFECT[p] == CONSUME_GOODS else 2 for p in consuming))


def _consumes(card: int, general: bool) -> bool:
    """Whether a card has consume powers for any kind of goods, or for one."""
    powers = range(FIRST_POWER[card], FIRST_POWER[card] + POWERS[card])
    return any(
        (general and POWER_EFFECT[p] == FROM_HAND)
        or (POWER_EFFECT[p] <= CONSUME_ALL and (POWER_KIND[p] == NO_KIND) == general)
        for p in powers
    )


CAPACITY = np.array([_capacity(card) for card in range(len(POWERS))])
CONSUMES = np.array([[_consumes(card, general) for general in (False, True)] for card in range(len(POWERS))], np.int64)
"""One row per card: whether it consumes goods of one kind, and of any."""
_COUNT_BITS = 8
_MOST_COUNTED = (1 << _COUNT_BITS) - 1


@rule
def consume_gain(s: Record, seat: int, doubled: float, traded: int) -> float:
    """What the consume powers would earn with the goods at hand; `traded` is a kind of which one good is sold first."""
    goods = total = 0  # the goods of each kind in bits of their own: an array would have to be allocated
    for kind in range(1, KIND_COUNT):
        count = max(0, s.goods[seat, kind] - (1 if kind == traded else 0))
        goods |= count << _COUNT_BITS * kind
        total += count
    gain = 0.0
    for general in range(2):  # powers for one kind first
        for place in range(s.size[seat]):
            card = s.tableau[seat, place]
            for i in range(POWERS[card] if CONSUMES[card, general] else 0):
                power = FIRST_POWER[card] + i
                effect, kind = POWER_EFFECT[power], POWER_KIND[power]
                if effect > CONSUME_ALL or (kind == NO_KIND) != (general == 1):
                    if effect == FROM_HAND and general == 1:
                        gain += 0.5 * min(2, s.hand_size[seat])
                    continue
                have = total if kind == NO_KIND else min(total, goods >> _COUNT_BITS * kind & _MOST_COUNTED)
                if effect == CONSUME_GOODS:
                    used = min(POWER_TIMES[power], have)
                    times = used
                elif effect == CONSUME_TWO:
                    used = 2 if have >= 2 else 0
                    times = 1 if used else 0
                elif effect == CONSUME_THREE_KINDS:
                    used = 3 if have >= 4 else 0
                    times = 1 if used else 0
                else:
                    used = have
                    times = max(0, have - 1)
                total -= used
                if kind != NO_KIND:
                    goods -= used << _COUNT_BITS * kind
                gain += times * (doubled * POWER_VP[power] + CARD * POWER_CARDS[power])
    return gain


@rule
def best_trade(s: Record, seat: int) -> int:
    """The world whose good sells best; -1 if there is no good."""
    best, cards = -1, 0
    for place in range(s.size[seat]):
        if s.good[seat, place]:
            value = trade_value(s, seat, s.tableau[seat, place])
            if value > cards:
                best, cards = s.tableau[seat, place], value
    return best


@rule
def produce_gain(s: Record, seat: int, left: float) -> float:
    """What the goods and cards of a produce phase would be worth."""
    goods, windfalls, gain, capacity, helpers = 0.0, 0, 0.0, 0.0, 1
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        if s.good[seat, place] == 0:
            if IS_PRODUCTION[card]:
                goods += 1.0
            elif IS_WINDFALL[card]:
                windfalls += 1
        if SCAN[card] == PRODUCE_DRAW:
            gain += CARD * SCAN_VALUE[card]
        elif SCAN[card] == PRODUCE_WINDFALL:
            helpers += 1
        capacity += CAPACITY[card]
    goods += min(windfalls, helpers)
    room = max(0.0, capacity - s.goods[seat, NO_KIND])
    useful = min(goods, room)
    gain += 1.25 * useful + 0.5 * min(goods - useful, 2.0)
    if s.goods[seat, NO_KIND] == 0 and goods > 0.0:
        gain += 0.8  # one to trade
    return gain * (1.0 if left > NEAR_END else 0.3)


@rule
def choose_round_action(s: Record, rng_state: RngState) -> int:
    seat = s.asked
    left, hunger = time_left(s), appetite(s, seat)
    best, best_gain = EXPLORE_ONE, -1.0
    sold = best_trade(s, seat)
    for action in ROUND_ACTIONS:
        gain = NOISE * rng.uniform(rng_state)
        if action == EXPLORE_ONE:
            gain += 1.0 + 0.15 * max(0, GOOD_HAND - s.hand_size[seat])
        elif action == EXPLORE_FIVE:
            gain += 0.9 + 0.1 * max(0, GOOD_HAND - s.hand_size[seat])
        elif action == DEVELOP_ACTION:
            gain += best_placement(s, seat, False, left, hunger) + CARD
        elif action == SETTLE_ACTION:
            gain += best_placement(s, seat, True, left, hunger) + CARD
        elif action == CONSUME_TWICE:
            gain += consume_gain(s, seat, 2.0, NO_KIND)
        elif action == CONSUME_TRADE_ACTION:
            if sold >= 0:
                hungry = 0.5 if s.hand_size[seat] >= FULL_HAND else 1.0
                gain += hungry * CARD * trade_value(s, seat, sold) + consume_gain(s, seat, 1.0, KIND[sold])
        elif action == PRODUCE_ACTION:
            gain += produce_gain(s, seat, left)
        if gain > best_gain:
            best, best_gain = action, gain
    return ACTION + best


@rule
def choose_placement(s: Record, actions: Actions, n: int) -> int:
    seat = s.asked
    left, hunger = time_left(s), appetite(s, seat)
    best, best_gain = DONE, 0.0
    for i in range(n):
        if actions[i] >= SECOND_COPY:  # DONE, or as good as the first copy
            continue
        card = FIRST_CARD[actions[i]]
        gain = worth(s, seat, card, left, hunger) - effort(s, seat, card)
        if gain > best_gain:
            best, best_gain = actions[i], gain
    return best


@rule
def choose_specials(s: Record, actions: Actions, n: int) -> int:
    """The cheapest way to settle."""
    seat = s.asked
    best, best_cost = actions[0], 1000.0
    for i in range(n):
        mask = actions[i] - SPECIALS
        cost = CARD * price_with(s, seat, s.placing[seat] - 1, mask, s.hand_size[seat])
        if mask & USE_COLONY_SHIP:
            cost += SPECIAL_CARD
        if mask & USE_TACTICS:
            cost += SPECIAL_CARD
        if cost < best_cost:
            best, best_cost = actions[i], cost
    return best


@rule
def rank_value(s: Record, card: int, left: float, hunger: float) -> float:
    if s.question == CONSUME:
        return float(trade_value(s, s.asked, card))
    return hold(s, s.asked, card, left, hunger)


@rule
def choose_pick(s: Record) -> int:
    """Give away the least valuable cards or goods, keep the most valuable: the first of that set in ascending order."""
    left, hunger = time_left(s), appetite(s, s.asked)
    if s.left == 0:
        return DONE
    keep = s.keeps[s.asked] != 0
    cards = np.zeros(_MOST_PICKABLE, np.int64)
    value = np.zeros(_MOST_PICKABLE, np.float64)
    n = 0
    for w in range(WORDS):
        word = above(pickable_word(s, w), w, s.floor)
        while word and n < _MOST_PICKABLE:
            cards[n] = lowest(word, w)
            value[n] = rank_value(s, cards[n], left, hunger)
            if keep:
                value[n] = -value[n]
            word &= word - 1
            n += 1
    for i in range(n):  # the first card that fewer than `left` others come before
        ahead = 0
        for j in range(n):
            if value[j] < value[i] or (value[j] == value[i] and j < i):
                ahead += 1
        if ahead < s.left:
            if s.question == FOR_VP and value[i] > 1.0 + 2.5 * left:
                continue
            return action_naming(s, cards[i]) if s.question != CONSUME else DESIGN[cards[i]]
    return DONE


@rule
def choose_power(s: Record, actions: Actions, n: int) -> int:
    """Cards first, then what pays best for its goods, powers for one kind before those for any."""
    best, best_rank = DONE, -1000.0
    for i in range(n):
        if actions[i] == DONE:
            continue
        power = actions[i] - POWER
        effect = POWER_EFFECT[power]
        rank = POWER_VP[power] + CARD * POWER_CARDS[power]
        if POWER_KIND[power] != NO_KIND:
            rank += 2.0
        if effect == CONSUME_TWO:
            rank -= 1.4
        elif effect == CONSUME_THREE_KINDS:
            rank += 2.0
        elif effect == CONSUME_ALL:
            rank = -5.0
        elif effect == GAMBLE:
            rank = 10.0
        elif effect == FROM_HAND:
            rank = -10.0
        elif effect > CONSUME_ALL:
            rank = 9.0
        if rank > best_rank:
            best, best_rank = actions[i], rank
    return best


@rule
def choose_good(s: Record, actions: Actions, n: int) -> int:
    """The world whose good trades best."""
    best, cards = actions[0], -1
    for i in range(n):
        value = trade_value(s, s.asked, FIRST_CARD[actions[i]])
        if value > cards:
            best, cards = actions[i], value
    return best


@rule
def heuristic(s: Record, actions: Actions, n: int, rng_state: RngState) -> int:
    question = s.question
    if n == 1:
        return actions[0]
    if question == CHOOSE_ACTION:
        return choose_round_action(s, rng_state)
    if question == PLACE:
        return choose_placement(s, actions, n)
    if question == SPECIAL:
        return choose_specials(s, actions, n)
    if question == USE_POWER:
        return choose_power(s, actions, n)
    if question == GUESS:
        return GUESSES + LIKELY_COST
    if question == CONSUME and POWER_EFFECT[s.power] == CONSUME_THREE_KINDS:
        return actions[0]
    if question == TRADE_GOOD or question > GUESS:
        return choose_good(s, actions, n)
    return choose_pick(s)
