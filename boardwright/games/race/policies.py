"""A player by rules of thumb, which is also a rollout policy.

Everything is measured in victory points. A card in hand is worth a bit less than half a point as payment; a card in the
tableau is worth its points, what six-cost developments make of it, and what its powers will still earn, which
shrinks as the game goes on.

All numbers were set by hand. How strong the player is with them: docs/race.md, "Strength".
"""

from __future__ import annotations

import numpy as np

from boardwright.games.race import cards as tables
from boardwright.games.race import state
from boardwright.games.race.bits import WORDS, lowest
from boardwright.games.race.consume import trade_value
from boardwright.games.race.develop import can_develop, develop_discount
from boardwright.games.race.picks import above, action_naming, pickable_word
from boardwright.games.race.settle import can_settle, price_with, settle_price, strength
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


def _engine(design: tables.Design) -> float:
    """What the powers of a card earn over a whole game, by a rough rule."""
    worth = 0.0
    if design.production == "production":
        worth += 1.2 + CARD * tables.GOOD_VALUE[tables.KINDS.index(design.good)]
    elif design.production == "windfall":
        worth += 0.6 + 0.4 * tables.GOOD_VALUE[tables.KINDS.index(design.good)]
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


ENGINE = np.array(
    [_engine(tables.DESIGNS[d]) for d in range(len(tables.DESIGNS)) for _ in range(tables.DESIGNS[d].copies)]
)


@rule
def time_left(s: Record) -> float:
    """From 1 at the start to 0 at the end."""
    used = 1.0 - s.pool / (state.POOL_PER_SEAT * s.seats)
    for seat in range(s.seats):
        used = max(used, (s.size[seat] - 1) / (state.TABLEAU_END - 1.0))
    used = max(used, s.round / state.ROUNDS)
    return max(0.0, 1.0 - used)


@rule
def appetite(s: Record, seat: int) -> float:
    """How many goods the seat can consume in a phase, less how many its worlds yield."""
    balance = 0.0
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        if tables.IS_PRODUCTION[card]:
            balance -= 1.0
        elif tables.IS_WINDFALL[card]:
            balance -= 0.4
        for i in range(tables.POWERS[card]):
            power = tables.FIRST_POWER[card] + i
            if tables.POWER_EFFECT[power] <= tables.CONSUME_ALL:
                balance += (
                    max(1, tables.POWER_TIMES[power]) if tables.POWER_EFFECT[power] == tables.CONSUME_GOODS else 2.0
                )
    return balance


@rule
def worth(s: Record, seat: int, card: int, left: float, hunger: float) -> float:
    """What a card adds when it is placed."""
    points = float(tables.VP[card])
    for place in range(s.size[seat]):
        other = s.tableau[seat, place]
        if tables.IS_SIX[card]:
            points += tables.BONUS[card, other]
        if tables.IS_SIX[other]:
            points += tables.BONUS[other, card] + tables.BONUS_MILITARY[other] * tables.STANDING[card, tables.MILITARY]
    if tables.IS_SIX[card]:
        points += tables.BONUS[card, card] + tables.BONUS_CHIPS[card] * (s.chips[seat] // tables.CHIPS_PER_BONUS)
        points += tables.BONUS_MILITARY[card] * (
            s.standing[seat, tables.MILITARY] + tables.STANDING[card, tables.MILITARY]
        )
        points += 2.0 * left
    engine = ENGINE[card]
    if tables.IS_PRODUCTION[card]:
        engine += 1.0 if hunger > 0.0 else -0.6
    elif hunger < 0.0 and tables.POWERS[card] > 0:
        engine += 1.0
    return points + left * engine


@rule
def effort(s: Record, seat: int, card: int) -> float:
    """What placing a card takes, in points."""
    if not tables.IS_WORLD[card]:
        return CARD * max(0, tables.COST[card] - develop_discount(s, seat))
    if tables.IS_MILITARY[card]:
        gap = tables.COST[card] - strength(s, seat, card)
        if gap <= 0:
            return 0.0
        if s.standing[seat, tables.CONTACT]:
            return min(MISSING_STRENGTH * gap, CARD * max(0, settle_price(s, seat, card) - 1))
        return MISSING_STRENGTH * gap
    return CARD * max(0, settle_price(s, seat, card))


@rule
def hold(s: Record, seat: int, card: int, left: float, hunger: float) -> float:
    """What a card in the hand is worth beyond being a card."""
    value = worth(s, seat, card, left, hunger) - effort(s, seat, card)
    if not tables.IS_WORLD[card] and owns_design(s, seat, tables.DESIGN[card]):  # a second copy cannot be placed
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
            if (tables.IS_WORLD[card] != 0) != worlds:
                continue
            if can_settle(s, seat, card) if worlds else can_develop(s, seat, card):
                best = max(best, worth(s, seat, card, left, hunger) - effort(s, seat, card))
    return best


def _capacity(card: int) -> float:
    """How many goods the powers of a card consume in a phase."""
    powers = range(tables.FIRST_POWER[card], tables.FIRST_POWER[card] + tables.POWERS[card])
    consuming = [power for power in powers if tables.POWER_EFFECT[power] <= tables.CONSUME_ALL]
    return float(sum(tables.POWER_TIMES[p] if tables.POWER_EFFECT[p] == tables.CONSUME_GOODS else 2 for p in consuming))


def _consumes(card: int, general: bool) -> bool:
    """Whether a card has consume powers for any kind of goods, or for one."""
    powers = range(tables.FIRST_POWER[card], tables.FIRST_POWER[card] + tables.POWERS[card])
    return any(
        (general and tables.POWER_EFFECT[p] == tables.FROM_HAND)
        or (tables.POWER_EFFECT[p] <= tables.CONSUME_ALL and (tables.POWER_KIND[p] == tables.NO_KIND) == general)
        for p in powers
    )


CAPACITY = np.array([_capacity(card) for card in range(len(tables.POWERS))])
CONSUMES = np.array(
    [[_consumes(card, general) for general in (False, True)] for card in range(len(tables.POWERS))], np.int64
)
"""One row per card: whether it consumes goods of one kind, and of any."""
_COUNT_BITS = 8
_MOST_COUNTED = (1 << _COUNT_BITS) - 1


@rule
def consume_gain(s: Record, seat: int, doubled: float, traded: int) -> float:
    """What the consume powers would earn with the goods at hand; `traded` is a kind of which one good is sold first."""
    goods = total = 0  # the goods of each kind in bits of their own: an array would have to be allocated
    for kind in range(1, tables.KIND_COUNT):
        count = max(0, s.goods[seat, kind] - (1 if kind == traded else 0))
        goods |= count << _COUNT_BITS * kind
        total += count
    gain = 0.0
    for general in range(2):  # powers for one kind first
        for place in range(s.size[seat]):
            card = s.tableau[seat, place]
            for i in range(tables.POWERS[card] if CONSUMES[card, general] else 0):
                power = tables.FIRST_POWER[card] + i
                effect, kind = tables.POWER_EFFECT[power], tables.POWER_KIND[power]
                if effect > tables.CONSUME_ALL or (kind == tables.NO_KIND) != (general == 1):
                    if effect == tables.FROM_HAND and general == 1:
                        gain += 0.5 * min(2, s.hand_size[seat])
                    continue
                have = total if kind == tables.NO_KIND else min(total, goods >> _COUNT_BITS * kind & _MOST_COUNTED)
                if effect == tables.CONSUME_GOODS:
                    used = min(tables.POWER_TIMES[power], have)
                    times = used
                elif effect == tables.CONSUME_TWO:
                    used = 2 if have >= 2 else 0
                    times = 1 if used else 0
                elif effect == tables.CONSUME_THREE_KINDS:
                    used = 3 if have >= 4 else 0
                    times = 1 if used else 0
                else:
                    used = have
                    times = max(0, have - 1)
                total -= used
                if kind != tables.NO_KIND:
                    goods -= used << _COUNT_BITS * kind
                gain += times * (doubled * tables.POWER_VP[power] + CARD * tables.POWER_CARDS[power])
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
            if tables.IS_PRODUCTION[card]:
                goods += 1.0
            elif tables.IS_WINDFALL[card]:
                windfalls += 1
        if tables.SCAN[card] == tables.PRODUCE_DRAW:
            gain += CARD * tables.SCAN_VALUE[card]
        elif tables.SCAN[card] == tables.PRODUCE_WINDFALL:
            helpers += 1
        capacity += CAPACITY[card]
    goods += min(windfalls, helpers)
    room = max(0.0, capacity - s.goods[seat, tables.NO_KIND])
    useful = min(goods, room)
    gain += 1.25 * useful + 0.5 * min(goods - useful, 2.0)
    if s.goods[seat, tables.NO_KIND] == 0 and goods > 0.0:
        gain += 0.8  # one to trade
    return gain * (1.0 if left > NEAR_END else 0.3)


@rule
def choose_round_action(s: Record, rng_state: RngState) -> int:
    seat = s.asked
    left, hunger = time_left(s), appetite(s, seat)
    best, best_gain = state.EXPLORE_ONE, -1.0
    sold = best_trade(s, seat)
    for action in state.ROUND_ACTIONS:
        gain = NOISE * rng.uniform(rng_state)
        if action == state.EXPLORE_ONE:
            gain += 1.0 + 0.15 * max(0, GOOD_HAND - s.hand_size[seat])
        elif action == state.EXPLORE_FIVE:
            gain += 0.9 + 0.1 * max(0, GOOD_HAND - s.hand_size[seat])
        elif action == state.DEVELOP_ACTION:
            gain += best_placement(s, seat, False, left, hunger) + CARD
        elif action == state.SETTLE_ACTION:
            gain += best_placement(s, seat, True, left, hunger) + CARD
        elif action == state.CONSUME_TWICE:
            gain += consume_gain(s, seat, 2.0, tables.NO_KIND)
        elif action == state.CONSUME_TRADE_ACTION:
            if sold >= 0:
                hungry = 0.5 if s.hand_size[seat] >= FULL_HAND else 1.0
                gain += hungry * CARD * trade_value(s, seat, sold) + consume_gain(s, seat, 1.0, tables.KIND[sold])
        elif action == state.PRODUCE_ACTION:
            gain += produce_gain(s, seat, left)
        if gain > best_gain:
            best, best_gain = action, gain
    return state.ACTION + best


@rule
def choose_placement(s: Record, actions: Actions, n: int) -> int:
    seat = s.asked
    left, hunger = time_left(s), appetite(s, seat)
    best, best_gain = state.DONE, 0.0
    for i in range(n):
        if actions[i] >= state.SECOND_COPY:  # DONE, or as good as the first copy
            continue
        card = tables.FIRST_CARD[actions[i]]
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
        mask = actions[i] - state.SPECIALS
        cost = CARD * price_with(s, seat, s.placing[seat] - 1, mask, s.hand_size[seat])
        if mask & state.USE_COLONY_SHIP:
            cost += SPECIAL_CARD
        if mask & state.USE_TACTICS:
            cost += SPECIAL_CARD
        if cost < best_cost:
            best, best_cost = actions[i], cost
    return best


@rule
def rank_value(s: Record, card: int, left: float, hunger: float) -> float:
    if s.question == state.CONSUME:
        return float(trade_value(s, s.asked, card))
    return hold(s, s.asked, card, left, hunger)


@rule
def choose_pick(s: Record) -> int:
    """Give away the least valuable cards or goods, keep the most valuable: the first of that set in ascending order."""
    left, hunger = time_left(s), appetite(s, s.asked)
    if s.left == 0:
        return state.DONE
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
            if s.question == state.FOR_VP and value[i] > 1.0 + 2.5 * left:
                continue
            return action_naming(s, cards[i]) if s.question != state.CONSUME else tables.DESIGN[cards[i]]
    return state.DONE


@rule
def choose_power(s: Record, actions: Actions, n: int) -> int:
    """Cards first, then what pays best for its goods, powers for one kind before those for any."""
    best, best_rank = state.DONE, -1000.0
    for i in range(n):
        if actions[i] == state.DONE:
            continue
        power = actions[i] - state.POWER
        effect = tables.POWER_EFFECT[power]
        rank = tables.POWER_VP[power] + CARD * tables.POWER_CARDS[power]
        if tables.POWER_KIND[power] != tables.NO_KIND:
            rank += 2.0
        if effect == tables.CONSUME_TWO:
            rank -= 1.4
        elif effect == tables.CONSUME_THREE_KINDS:
            rank += 2.0
        elif effect == tables.CONSUME_ALL:
            rank = -5.0
        elif effect == tables.GAMBLE:
            rank = 10.0
        elif effect == tables.FROM_HAND:
            rank = -10.0
        elif effect > tables.CONSUME_ALL:
            rank = 9.0
        if rank > best_rank:
            best, best_rank = actions[i], rank
    return best


@rule
def choose_good(s: Record, actions: Actions, n: int) -> int:
    """The world whose good trades best."""
    best, cards = actions[0], -1
    for i in range(n):
        value = trade_value(s, s.asked, tables.FIRST_CARD[actions[i]])
        if value > cards:
            best, cards = actions[i], value
    return best


@rule
def heuristic(s: Record, actions: Actions, n: int, rng_state: RngState) -> int:
    question = s.question
    if n == 1:
        return actions[0]
    if question == state.CHOOSE_ACTION:
        return choose_round_action(s, rng_state)
    if question == state.PLACE:
        return choose_placement(s, actions, n)
    if question == state.SPECIAL:
        return choose_specials(s, actions, n)
    if question == state.USE_POWER:
        return choose_power(s, actions, n)
    if question == state.GUESS:
        return state.GUESSES + LIKELY_COST
    if question == state.CONSUME and tables.POWER_EFFECT[s.power] == tables.CONSUME_THREE_KINDS:
        return actions[0]
    if question == state.TRADE_GOOD or question > state.GUESS:
        return choose_good(s, actions, n)
    return choose_pick(s)
