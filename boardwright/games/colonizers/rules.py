"""The rules of Colonizers, in the order of docs/rules/colonizers.md (sections 1 to 3).

Four seats. A round: everybody picks a colonist in secret; then each seat in turn draws, uses its colonist's power
and builds. When a colony has eight modules the round is played to its end, and the most valuable colony wins.

The game comes from Crha's thesis of 2020. Where its text leaves something open, we play what its program does. What a
seat may know is in information.py.
"""

from __future__ import annotations

from boardwright.games.colonizers import cards, state
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
    s.first_complete = state.NONE
    s.drawn[:] = state.NONE
    for kind in range(cards.KINDS):
        for _ in range(cards.COPIES[kind]):
            s.deck[s.deck_size] = kind
            s.deck_size += 1
    rng.shuffle(s.rng, s.deck, cards.CARDS)
    start_round(s)


@rule
def start_round(s: Record) -> None:
    """One colonist, unseen by all, is out of this round."""
    s.round += 1
    s.phase = state.COLONIST_PICK
    s.turn = 0
    s.colonist[:] = state.NONE
    s.offered[:] = 0
    s.offered[0] = state.ALL_COLONISTS & ~(1 << rng.below(s.rng, len(cards.COLONISTS)))


@rule
def player(s: Record) -> int:
    return TERMINAL if s.phase >= state.FINISHED else s.turn


# What can be done


@rule
def legal(s: Record, out: Actions) -> int:
    if s.phase == state.COLONIST_PICK:
        return colonists_on_offer(s, out)
    if s.phase == state.DRAW:
        out[0] = state.TAKE_OMNIUM
        out[1] = state.DRAW_MODULES
        return 2 if s.hand_size[s.turn] < state.HAND_CAPACITY else 1
    if s.phase == state.DISCARD:
        out[0] = state.KEEP + s.drawn[0]
        out[1] = state.KEEP + s.drawn[1]
        return 2 if s.drawn[0] != s.drawn[1] else 1
    if s.phase == state.POWER:
        return colonists_to_name(s, out)
    return modules_to_build(s, out)


@rule
def colonists_on_offer(s: Record, out: Actions) -> int:
    n = 0
    on_offer = s.offered[s.turn]
    for colonist in range(len(cards.COLONISTS)):
        if on_offer >> colonist & 1:
            out[n] = state.PICK + colonist
            n += 1
    return n


@rule
def colonists_to_name(s: Record, out: Actions) -> int:
    """Every other colonist can be named, whether or not anybody has it."""
    n = 0
    own = s.colonist[s.turn]
    if own in (cards.OPPORTUNIST, cards.SPY):
        for colonist in range(len(cards.COLONISTS)):
            if colonist != own:
                out[n] = state.TARGET + colonist
                n += 1
    out[n] = state.DO_NOTHING
    return n + 1


@rule
def modules_to_build(s: Record, out: Actions) -> int:
    """What is in the hand and can be paid; a colony may hold the same module several times."""
    n = 0
    hand, omnium = s.hand[s.turn], s.omnium[s.turn]
    for kind in range(cards.KINDS):
        if hand[kind] > 0 and cards.COST[kind] <= omnium:
            out[n] = state.BUILD_MODULE + kind
            n += 1
    out[n] = state.BUILD_NOTHING
    return n + 1


# What happens


@rule
def apply(s: Record, action: int) -> None:
    if s.phase == state.COLONIST_PICK:
        pick(s, action - state.PICK)
    elif s.phase == state.DRAW:
        draw(s, action)
    elif s.phase == state.DISCARD:
        keep(s, action - state.KEEP)
    elif s.phase == state.POWER:
        if action != state.DO_NOTHING:
            use_power(s, action - state.TARGET)
        s.phase = state.BUILD
    else:
        if action != state.BUILD_NOTHING:
            build(s, action - state.BUILD_MODULE)
        end_turn(s)


@rule
def pick(s: Record, colonist: int) -> None:
    s.colonist[s.turn] = colonist
    if s.turn < state.SEATS - 1:
        s.offered[s.turn + 1] = s.offered[s.turn] & ~(1 << colonist)
        s.turn += 1
    else:
        s.turn = 0
        s.phase = state.DRAW


@rule
def draw(s: Record, action: int) -> None:
    """The colonist is revealed and its passive ability works first, whichever way the choice went."""
    colonist = s.colonist[s.turn]
    if cards.INCOME[colonist] != state.NONE:
        s.omnium[s.turn] += modules_of_colour(s, s.turn, cards.INCOME[colonist])
    elif colonist == cards.VISIONARY:
        visionary_draws(s)
    if action == state.TAKE_OMNIUM:
        s.omnium[s.turn] += OMNIUM_TAKEN
        s.phase = state.POWER
    elif s.deck_size < state.CARDS_DRAWN:
        s.phase = state.EXHAUSTED
    else:
        s.drawn[0] = take_top(s)
        s.drawn[1] = take_top(s)
        s.phase = state.DISCARD


@rule
def modules_of_colour(s: Record, seat: int, colour: int) -> int:
    n = 0
    for place in range(cards.KINDS_OF_A_COLOUR):
        n += s.colony[seat, cards.OF_COLOUR[colour, place]]
    return n


@rule
def visionary_draws(s: Record) -> None:
    if s.hand_size[s.turn] < state.HAND_CAPACITY and s.deck_size > 0:
        add_to_hand(s, take_top(s))


@rule
def take_top(s: Record) -> int:
    kind = s.deck[s.top]
    s.deck[s.top] = state.NONE
    s.top = (s.top + 1) % cards.CARDS
    s.deck_size -= 1
    return kind


@rule
def put_at_bottom(s: Record, kind: int) -> None:
    s.deck[(s.top + s.deck_size) % cards.CARDS] = kind
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
    if s.hand_size[s.turn] < state.HAND_CAPACITY:
        add_to_hand(s, kind)
    else:
        s.removed[kind] += 1
    put_at_bottom(s, other)
    s.drawn[:] = state.NONE
    s.phase = state.POWER


@rule
def use_power(s: Record, named: int) -> None:
    """Nothing happens if nobody has the named colonist."""
    for seat in range(state.SEATS):
        if s.colonist[seat] == named:
            if s.colonist[s.turn] == cards.OPPORTUNIST:
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
    for kind in range(cards.KINDS):
        mine = s.hand[s.turn, kind]
        s.hand[s.turn, kind] = s.hand[other, kind]
        s.hand[other, kind] = mine
    size = s.hand_size[s.turn]
    s.hand_size[s.turn] = s.hand_size[other]
    s.hand_size[other] = size


@rule
def build(s: Record, kind: int) -> None:
    s.omnium[s.turn] -= cards.COST[kind]
    s.hand[s.turn, kind] -= 1
    s.hand_size[s.turn] -= 1
    s.colony[s.turn, kind] += 1
    s.colony_size[s.turn] += 1
    if s.colony_size[s.turn] == state.COLONY_TARGET and s.first_complete == state.NONE:
        s.first_complete = s.turn


@rule
def end_turn(s: Record) -> None:
    """The game ends only after the last seat, so that all have had the same number of turns."""
    if s.turn < state.SEATS - 1:
        s.turn += 1
        s.phase = state.DRAW
    elif s.first_complete != state.NONE:
        s.phase = state.FINISHED
    else:
        start_round(s)


# Score and rank


@rule
def points(s: Record, seat: int) -> int:
    """The value of the modules, and the bonus if the colony is complete; nothing if the deck ran out."""
    if s.phase == state.EXHAUSTED:
        return 0
    total = 0
    for kind in range(cards.KINDS):
        total += s.colony[seat, kind] * cards.VALUE[kind]
    if s.colony_size[seat] >= state.COLONY_TARGET:
        total += BONUS_OTHERS if s.bonus == state.THESIS_BONUS and seat != s.first_complete else BONUS_FIRST
    return total


@rule
def scores(s: Record, out: Returns) -> None:
    for seat in range(state.SEATS):
        out[seat] = points(s, seat)


@rule
def returns(s: Record, out: Returns) -> None:
    """A reward by rank; none before the end, and none if the deck ran out."""
    for seat in range(state.SEATS):
        out[seat] = REWARDS[rank(s, seat) - 1] if s.phase == state.FINISHED else 0.0


@rule
def rank(s: Record, seat: int) -> int:
    """1 for the most points, and so on; of equals the lower seat ranks better."""
    place = 1
    for other in range(state.SEATS):
        lead = points(s, other) - points(s, seat)
        if lead > 0 or (lead == 0 and other < seat):
            place += 1
    return place


# The pieces

NUM_PIECE_KINDS = cards.KINDS + len(cards.COLONISTS)


@rule
def hidden_colonist(s: Record) -> int:
    """The colonist out of this round, as a set of one."""
    return state.ALL_COLONISTS & ~s.offered[0]


@rule
def on_offer(s: Record) -> int:
    """The colonists nobody has picked yet; after the last pick, the one left over."""
    if s.phase == state.COLONIST_PICK:
        return s.offered[s.turn]
    return s.offered[state.SEATS - 1] & ~(1 << s.colonist[state.SEATS - 1])


@rule
def piece_counts(s: Record, out: Actions) -> None:
    """52 modules by kind, then the six colonists."""
    out[:] = 0
    for kind in range(cards.KINDS):
        out[kind] += s.removed[kind]
        for seat in range(state.SEATS):
            out[kind] += s.hand[seat, kind] + s.colony[seat, kind]
    for place in range(s.deck_size):
        out[s.deck[(s.top + place) % cards.CARDS]] += 1
    for place in range(state.CARDS_DRAWN):
        if s.drawn[place] >= 0:
            out[s.drawn[place]] += 1
    for colonist in range(len(cards.COLONISTS)):
        out[cards.KINDS + colonist] = (on_offer(s) >> colonist & 1) + (hidden_colonist(s) >> colonist & 1)
        for seat in range(state.SEATS):
            out[cards.KINDS + colonist] += s.colonist[seat] == colonist
