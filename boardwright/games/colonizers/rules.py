"""The rules of Colonizers, in the order of docs/rules/colonizers.md (sections 1 to 3).

Four seats. A round: everybody picks a colonist in secret; then each seat in turn draws, uses its colonist's power
and builds. When a colony has eight modules the round is played to its end, and the most valuable colony wins.

The game comes from Crha's thesis of 2020. Where its text leaves something open, we play what its program does. What a
seat may know is in information.py.
"""

from __future__ import annotations

from boardwright.games.colonizers.cards import (
    CARDS,
    COLONISTS,
    COPIES,
    COST,
    INCOME,
    KINDS,
    KINDS_OF_A_COLOUR,
    OF_COLOUR,
    OPPORTUNIST,
    SPY,
    VALUE,
    VISIONARY,
)
from boardwright.games.colonizers.state import (
    ALL_COLONISTS,
    BUILD,
    BUILD_MODULE,
    BUILD_NOTHING,
    CARDS_DRAWN,
    COLONIST_PICK,
    COLONY_TARGET,
    DISCARD,
    DO_NOTHING,
    DRAW,
    DRAW_MODULES,
    EXHAUSTED,
    FINISHED,
    HAND_CAPACITY,
    KEEP,
    NONE,
    PICK,
    POWER,
    SEATS,
    TAKE_OMNIUM,
    TARGET,
    THESIS_BONUS,
)
from boardwright.kernel import TERMINAL, Actions, Record, Returns, rng, rule

OMNIUM_TAKEN = 2
OMNIUM_STOLEN = 2
BONUS_FIRST, BONUS_OTHERS = 4, 2
REWARDS = (1.0, 0.2, 0.1, 0.0)
"""The returns of ranks 1 to 4, as in the thesis."""


# Setup


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    """Everybody starts with nothing: no Omnium, no cards, no colony."""
    rng.seed(s.rng, seed)
    s.bonus, s.leak = options[0], options[1]
    s.first_complete = NONE
    s.drawn[:] = NONE
    for kind in range(KINDS):
        for _ in range(COPIES[kind]):
            s.deck[s.deck_size] = kind
            s.deck_size += 1
    rng.shuffle(s.rng, s.deck, CARDS)
    start_round(s)


@rule
def start_round(s: Record) -> None:
    """One colonist, unseen by all, is out of this round."""
    s.round += 1
    s.phase = COLONIST_PICK
    s.turn = 0
    s.colonist[:] = NONE
    s.offered[:] = 0
    s.offered[0] = ALL_COLONISTS & ~(1 << rng.below(s.rng, len(COLONISTS)))


@rule
def player(s: Record) -> int:
    return TERMINAL if s.phase >= FINISHED else s.turn


# What can be done


@rule
def legal(s: Record, out: Actions) -> int:
    if s.phase == COLONIST_PICK:
        return colonists_on_offer(s, out)
    if s.phase == DRAW:
        out[0] = TAKE_OMNIUM
        out[1] = DRAW_MODULES
        return 2 if s.hand_size[s.turn] < HAND_CAPACITY else 1
    if s.phase == DISCARD:
        out[0] = KEEP + s.drawn[0]
        out[1] = KEEP + s.drawn[1]
        return 2 if s.drawn[0] != s.drawn[1] else 1
    if s.phase == POWER:
        return colonists_to_name(s, out)
    return modules_to_build(s, out)


@rule
def colonists_on_offer(s: Record, out: Actions) -> int:
    n = 0
    on_offer = s.offered[s.turn]
    for colonist in range(len(COLONISTS)):
        if on_offer >> colonist & 1:
            out[n] = PICK + colonist
            n += 1
    return n


@rule
def colonists_to_name(s: Record, out: Actions) -> int:
    """Every other colonist can be named, whether or not anybody has it."""
    n = 0
    own = s.colonist[s.turn]
    if own in (OPPORTUNIST, SPY):
        for colonist in range(len(COLONISTS)):
            if colonist != own:
                out[n] = TARGET + colonist
                n += 1
    out[n] = DO_NOTHING
    return n + 1


@rule
def modules_to_build(s: Record, out: Actions) -> int:
    """What is in the hand and can be paid; a colony may hold the same module several times."""
    n = 0
    hand, omnium = s.hand[s.turn], s.omnium[s.turn]
    for kind in range(KINDS):
        if hand[kind] > 0 and COST[kind] <= omnium:
            out[n] = BUILD_MODULE + kind
            n += 1
    out[n] = BUILD_NOTHING
    return n + 1


# What happens


@rule
def apply(s: Record, action: int) -> None:
    if s.phase == COLONIST_PICK:
        pick(s, action - PICK)
    elif s.phase == DRAW:
        draw(s, action)
    elif s.phase == DISCARD:
        keep(s, action - KEEP)
    elif s.phase == POWER:
        if action != DO_NOTHING:
            use_power(s, action - TARGET)
        s.phase = BUILD
    else:
        if action != BUILD_NOTHING:
            build(s, action - BUILD_MODULE)
        end_turn(s)


@rule
def pick(s: Record, colonist: int) -> None:
    s.colonist[s.turn] = colonist
    if s.turn < SEATS - 1:
        s.offered[s.turn + 1] = s.offered[s.turn] & ~(1 << colonist)
        s.turn += 1
    else:
        s.turn = 0
        s.phase = DRAW


@rule
def draw(s: Record, action: int) -> None:
    """The colonist is revealed and its passive ability works first, whichever way the choice went."""
    colonist = s.colonist[s.turn]
    if INCOME[colonist] != NONE:
        s.omnium[s.turn] += modules_of_colour(s, s.turn, INCOME[colonist])
    elif colonist == VISIONARY:
        visionary_draws(s)
    if action == TAKE_OMNIUM:
        s.omnium[s.turn] += OMNIUM_TAKEN
        s.phase = POWER
    elif s.deck_size < CARDS_DRAWN:
        s.phase = EXHAUSTED
    else:
        s.drawn[0] = take_top(s)
        s.drawn[1] = take_top(s)
        s.phase = DISCARD


@rule
def modules_of_colour(s: Record, seat: int, colour: int) -> int:
    n = 0
    for place in range(KINDS_OF_A_COLOUR):
        n += s.colony[seat, OF_COLOUR[colour, place]]
    return n


@rule
def visionary_draws(s: Record) -> None:
    if s.hand_size[s.turn] < HAND_CAPACITY and s.deck_size > 0:
        add_to_hand(s, take_top(s))


@rule
def take_top(s: Record) -> int:
    kind = s.deck[s.top]
    s.deck[s.top] = NONE
    s.top = (s.top + 1) % CARDS
    s.deck_size -= 1
    return kind


@rule
def put_at_bottom(s: Record, kind: int) -> None:
    s.deck[(s.top + s.deck_size) % CARDS] = kind
    s.deck_size += 1


@rule
def add_to_hand(s: Record, kind: int) -> None:
    s.hand[s.turn, kind] += 1
    s.hand_size[s.turn] += 1


@rule
def keep(s: Record, kind: int) -> None:
    """The other card goes to the bottom of the deck. A Visionary whose own draw has filled the hand since the
    choice finds no room for the kept card: it leaves the game."""
    other = s.drawn[1] if s.drawn[0] == kind else s.drawn[0]
    if s.hand_size[s.turn] < HAND_CAPACITY:
        add_to_hand(s, kind)
    else:
        s.removed[kind] += 1
    put_at_bottom(s, other)
    s.drawn[:] = NONE
    s.phase = POWER


@rule
def use_power(s: Record, named: int) -> None:
    """Nothing happens if nobody has the named colonist."""
    for seat in range(SEATS):
        if s.colonist[seat] == named:
            if s.colonist[s.turn] == OPPORTUNIST:
                steal(s, seat)
            else:
                swap_hands(s, seat)


@rule
def steal(s: Record, victim: int) -> None:
    loot = min(OMNIUM_STOLEN, s.omnium[victim])
    s.omnium[victim] -= loot
    s.omnium[s.turn] += loot


@rule
def swap_hands(s: Record, other: int) -> None:
    for kind in range(KINDS):
        mine = s.hand[s.turn, kind]
        s.hand[s.turn, kind] = s.hand[other, kind]
        s.hand[other, kind] = mine
    size = s.hand_size[s.turn]
    s.hand_size[s.turn] = s.hand_size[other]
    s.hand_size[other] = size


@rule
def build(s: Record, kind: int) -> None:
    s.omnium[s.turn] -= COST[kind]
    s.hand[s.turn, kind] -= 1
    s.hand_size[s.turn] -= 1
    s.colony[s.turn, kind] += 1
    s.colony_size[s.turn] += 1
    if s.colony_size[s.turn] == COLONY_TARGET and s.first_complete == NONE:
        s.first_complete = s.turn


@rule
def end_turn(s: Record) -> None:
    """The game ends only after the last seat, so that all have had the same number of turns."""
    if s.turn < SEATS - 1:
        s.turn += 1
        s.phase = DRAW
    elif s.first_complete != NONE:
        s.phase = FINISHED
    else:
        start_round(s)


# Score and rank


@rule
def points(s: Record, seat: int) -> int:
    """The value of the modules, and the bonus if the colony is complete; nothing if the deck ran out."""
    if s.phase == EXHAUSTED:
        return 0
    total = 0
    for kind in range(KINDS):
        total += s.colony[seat, kind] * VALUE[kind]
    if s.colony_size[seat] >= COLONY_TARGET:
        total += BONUS_OTHERS if s.bonus == THESIS_BONUS and seat != s.first_complete else BONUS_FIRST
    return total


@rule
def scores(s: Record, out: Returns) -> None:
    for seat in range(SEATS):
        out[seat] = points(s, seat)


@rule
def returns(s: Record, out: Returns) -> None:
    """A reward by rank; none before the end, and none if the deck ran out."""
    for seat in range(SEATS):
        out[seat] = REWARDS[rank(s, seat) - 1] if s.phase == FINISHED else 0.0


@rule
def rank(s: Record, seat: int) -> int:
    """1 for the most points, and so on; of equals the lower seat ranks better."""
    place = 1
    for other in range(SEATS):
        lead = points(s, other) - points(s, seat)
        if lead > 0 or (lead == 0 and other < seat):
            place += 1
    return place


# The pieces

NUM_PIECE_KINDS = KINDS + len(COLONISTS)


@rule
def hidden_colonist(s: Record) -> int:
    """The colonist out of this round, as a set of one."""
    return ALL_COLONISTS & ~s.offered[0]


@rule
def on_offer(s: Record) -> int:
    """The colonists nobody has picked yet; after the last pick, the one left over."""
    if s.phase == COLONIST_PICK:
        return s.offered[s.turn]
    return s.offered[SEATS - 1] & ~(1 << s.colonist[SEATS - 1])


@rule
def piece_counts(s: Record, out: Actions) -> None:
    """52 modules by kind, then the six colonists."""
    out[:] = 0
    for kind in range(KINDS):
        out[kind] += s.removed[kind]
        for seat in range(SEATS):
            out[kind] += s.hand[seat, kind] + s.colony[seat, kind]
    for place in range(s.deck_size):
        out[s.deck[(s.top + place) % CARDS]] += 1
    for place in range(CARDS_DRAWN):
        if s.drawn[place] >= 0:
            out[s.drawn[place]] += 1
    for colonist in range(len(COLONISTS)):
        out[KINDS + colonist] = (on_offer(s) >> colonist & 1) + (hidden_colonist(s) >> colonist & 1)
        for seat in range(SEATS):
            out[KINDS + colonist] += s.colonist[seat] == colonist
