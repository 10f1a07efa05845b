"""How the thesis's two simple opponents choose (docs/rules/colonizers.md, section 6). Both are rollout policies.

In the original program equal cards in a hand were separate options. Here they are one action, so a
random choice gives an action a weight: the number of such cards.
"""

from __future__ import annotations

from boardwright.games.colonizers import cards as tables
from boardwright.games.colonizers import state
from boardwright.games.colonizers.information import candidates, one_of
from boardwright.games.colonizers.rules import modules_of_colour
from boardwright.kernel import Actions, Record, RngState, rng, rule

# The rule by which the heuristic chose; NOTES says it in words.
(
    NO_RULE,
    COLOUR_PAYS,
    HAND_NEARLY_EMPTY,
    OMNIUM_NEEDED,
    HAND_EMPTY,
    END_IS_NEAR,
    HAND_FULL,
    COLOUR_FITS,
    STEAL,
    SWAP,
    NOTHING_TO_GAIN,
    NO_POWER,
    COLONY_GROWN,
) = range(13)

NOTES = (
    "no rule applies: any option, at random",
    "three modules of a colour: the colonist who earns by it",
    "hardly any cards: the Visionary draws one",
    "no Omnium, or cards enough: take Omnium",
    "no cards: draw",
    "a colony is nearly full: the card of highest value that can be paid",
    "the hand is full: the card with most value for its cost that can be paid",
    "of the own main colour, the card with most value for its cost that can be paid",
    "steal from the seat with most Omnium, less one for each doubt about its colonist",
    "swap with the seat that has most cards more, less one for each doubt about its colonist",
    "nobody has enough cards more: keep the hand",
    "this colonist has no power to use",
    "five modules in the colony: the card with most value for its cost that can be paid",
)

# Where the rules draw their lines, as in the thesis's program.
MANY_OF_A_COLOUR = 3
FEW_CARDS = 1
MANY_CARDS = 4
NEARLY_FULL = state.COLONY_TARGET - 1
MANY_MODULES = 5
ANY_COLOUR = -1

PROGRAM, FIGURE = range(2)
"""Two readings of one rule, the one for five or more modules: in hand, as the thesis's program tests, or in the colony,
as its figure 4.2 says."""


@rule
def thesis_random(s: Record, actions: Actions, n: int, rng_state: RngState) -> int:
    """All cards and other options are equally likely."""
    if s.phase != state.BUILD:
        return actions[rng.below(rng_state, n)]
    builds = n - 1
    cards = 0
    for i in range(builds):
        cards += s.hand[s.turn, actions[i] - state.BUILD_MODULE]
    skip = rng.below(rng_state, cards + 1)
    for i in range(builds):
        skip -= s.hand[s.turn, actions[i] - state.BUILD_MODULE]
        if skip < 0:
            return actions[i]
    return state.BUILD_NOTHING


@rule
def heuristic(s: Record, actions: Actions, n: int, rng_state: RngState) -> int:
    """The thesis's rules: the first that says something legal wins; if none does, an option at random.

    Of cards that a rule likes equally it keeps the one drawn first and builds the first in the order of MODULES (the
    original: in the order they came to the hand, which is not part of our positions).
    """
    return by_rules(s, actions, n, rng_state, PROGRAM)


@rule
def heuristic_figure(s: Record, actions: Actions, n: int, rng_state: RngState) -> int:
    """The same rules as figure 4.2 of the thesis has them."""
    return by_rules(s, actions, n, rng_state, FIGURE)


@rule
def by_rules(s: Record, actions: Actions, n: int, rng_state: RngState, reading: int) -> int:
    why, suggested = suggest(s, actions, n, reading)
    if why == NO_RULE:
        return thesis_random(s, actions, n, rng_state)
    if why in (STEAL, SWAP):
        return state.TARGET + one_of(rng_state, candidates(s, s.turn, suggested))
    return suggested


@rule
def suggest(s: Record, actions: Actions, n: int, reading: int) -> tuple[int, int]:
    """The rule that decides, and what it suggests: an action, or for STEAL and SWAP the seat to aim at."""
    if s.phase == state.COLONIST_PICK:
        return suggest_pick(s)
    if s.phase == state.DRAW:
        return suggest_draw(s)
    if s.phase == state.POWER:
        return suggest_power(s)
    return suggest_card(s, actions, n, reading)


@rule
def suggest_pick(s: Record) -> tuple[int, int]:
    on_offer = s.offered[s.turn]
    colour = main_colour(s)
    if modules_of_colour(s, s.turn, colour) >= MANY_OF_A_COLOUR and on_offer >> tables.EARNING[colour] & 1:
        return COLOUR_PAYS, state.PICK + tables.EARNING[colour]
    if s.hand_size[s.turn] <= FEW_CARDS and on_offer >> tables.VISIONARY & 1:
        return HAND_NEARLY_EMPTY, state.PICK + tables.VISIONARY
    return NO_RULE, state.NONE


@rule
def main_colour(s: Record) -> int:
    """The colour with most modules in the own colony; of equals red before green before blue."""
    best, most = tables.RED, modules_of_colour(s, s.turn, tables.RED)
    for colour in (tables.GREEN, tables.BLUE):
        modules = modules_of_colour(s, s.turn, colour)
        if modules > most:
            best, most = colour, modules
    return best


@rule
def suggest_draw(s: Record) -> tuple[int, int]:
    if s.omnium[s.turn] == 0 or s.hand_size[s.turn] >= MANY_CARDS:
        return OMNIUM_NEEDED, state.TAKE_OMNIUM
    if s.hand_size[s.turn] == 0:
        return HAND_EMPTY, state.DRAW_MODULES
    return NO_RULE, state.NONE


@rule
def suggest_power(s: Record) -> tuple[int, int]:
    own = s.colonist[s.turn]
    if own not in (tables.OPPORTUNIST, tables.SPY):
        return NO_POWER, state.DO_NOTHING
    target, most = state.NONE, 0
    for seat in range(state.SEATS):
        if seat != s.turn:
            if own == tables.OPPORTUNIST:
                gain = s.omnium[seat]
            else:
                gain = 2 * (s.hand_size[seat] - s.hand_size[s.turn])
            gain -= state.HOW_MANY[candidates(s, s.turn, seat)] - 1
            if target == state.NONE or gain > most:
                target, most = seat, gain
    if own == tables.OPPORTUNIST:
        return STEAL, target
    if most > 0:
        return SWAP, target
    return NOTHING_TO_GAIN, state.DO_NOTHING


@rule
def suggest_card(s: Record, actions: Actions, n: int, reading: int) -> tuple[int, int]:
    """What to keep of two drawn cards, and what to build, follow the same rules."""
    if end_is_near(s):
        action = best_card(s, actions, n, ANY_COLOUR, 0)
        if action != state.NONE:
            return END_IS_NEAR, action
    modules = s.hand_size[s.turn] if reading == PROGRAM else s.colony_size[s.turn]
    if modules >= MANY_MODULES:
        action = best_card(s, actions, n, ANY_COLOUR, 1)
        if action != state.NONE:
            return HAND_FULL if reading == PROGRAM else COLONY_GROWN, action
    action = best_card(s, actions, n, main_colour(s), 1)
    if action != state.NONE:
        return COLOUR_FITS, action
    return NO_RULE, state.NONE


@rule
def end_is_near(s: Record) -> bool:
    largest = 0
    for seat in range(state.SEATS):
        largest = max(largest, s.colony_size[seat])
    return largest >= NEARLY_FULL


@rule
def best_card(s: Record, actions: Actions, n: int, colour: int, cost_weight: int) -> int:
    """Of the cards that can be paid now, the one with the highest value - cost_weight · cost; NONE if there is none."""
    first = state.KEEP if s.phase == state.DISCARD else state.BUILD_MODULE
    omnium = s.omnium[s.turn]
    best, most = state.NONE, 0
    for i in range(n):
        kind = actions[i] - first
        if (
            kind < tables.KINDS
            and tables.COST[kind] <= omnium
            and (colour == ANY_COLOUR or tables.COLOUR[kind] == colour)
        ):
            worth = tables.VALUE[kind] - cost_weight * tables.COST[kind]
            if best == state.NONE or worth > most:
                best, most = actions[i], worth
    return best
