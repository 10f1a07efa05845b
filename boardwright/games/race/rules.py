"""The rules as the contract wants them: what happens next, what may be done, what an answer does."""

from __future__ import annotations

from boardwright.games.race.bits import WORDS, lowest
from boardwright.games.race.cards import DESIGN, DESIGN_COUNT, FIRST_CARD
from boardwright.games.race.consume import (
    choose_power,
    choose_world,
    consume_chosen,
    consume_powers,
    consume_start,
    consume_trade,
    consume_traded,
    consume_use,
    guess,
    legal_goods,
    legal_guesses,
    legal_powers,
)
from boardwright.games.race.develop import (
    develop,
    develop_paid,
    develop_pay,
    develop_place,
    legal_developments,
    place,
)
from boardwright.games.race.explore import explore, explore_discard, explore_keep
from boardwright.games.race.picks import legal_picks, pick
from boardwright.games.race.produce import (
    choose_windfall,
    legal_windfalls,
    produce_any,
    produce_bonus,
    produce_count,
    produce_scan,
    produce_start,
)
from boardwright.games.race.rounds import choose_action, round_choose, round_discard, round_end, round_start
from boardwright.games.race.settle import (
    legal_specials,
    legal_worlds,
    settle,
    settle_cards,
    settle_paid,
    settle_pay,
    settle_place,
    use_specials,
)
from boardwright.games.race.setup import deal, setup_discard
from boardwright.games.race.state import (
    ACTION,
    CHOOSE_ACTION,
    CONSUME_CHOSEN,
    CONSUME_POWERS,
    CONSUME_START,
    CONSUME_TRADE,
    CONSUME_TRADED,
    CONSUME_USE,
    DEVELOP,
    DEVELOP_PAID,
    DEVELOP_PAY,
    DEVELOP_PLACE,
    EXPLORE,
    EXPLORE_DISCARD,
    EXPLORE_KEEP,
    GAME_OVER,
    GUESS,
    GUESSES,
    NOTHING,
    PLACE,
    PRODUCE_ANY,
    PRODUCE_BONUS,
    PRODUCE_COUNT,
    PRODUCE_SCAN,
    PRODUCE_START,
    ROUND_ACTIONS,
    ROUND_CHOOSE,
    ROUND_DISCARD,
    ROUND_START,
    SETTLE,
    SETTLE_CARDS,
    SETTLE_PAID,
    SETTLE_PAY,
    SETTLE_PLACE,
    SETUP_DISCARD,
    SPECIAL,
    SPECIALS,
    TRADE_GOOD,
    USE_POWER,
    WINDFALL,
)
from boardwright.kernel import TERMINAL, Actions, Record, rule


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    deal(s, seed, seats, options)
    advance(s)


@rule
def player(s: Record) -> int:
    return TERMINAL if s.question == GAME_OVER else s.asked


@rule
def advance(s: Record) -> None:
    """Carry on until somebody has to choose."""
    while s.question == NOTHING:
        stage = s.stage
        if stage < DEVELOP:
            before_develop(s, stage)
        elif stage < CONSUME_START:
            placing_phases(s, stage)
        else:
            goods_phases(s, stage)


@rule
def before_develop(s: Record, stage: int) -> None:
    if stage == ROUND_CHOOSE:
        round_choose(s)
    elif stage == EXPLORE:
        explore(s)
    elif stage == EXPLORE_KEEP:
        explore_keep(s)
    elif stage == EXPLORE_DISCARD:
        explore_discard(s)
    elif stage == ROUND_START:
        round_start(s)
    elif stage == SETUP_DISCARD:
        setup_discard(s)


@rule
def placing_phases(s: Record, stage: int) -> None:
    if stage == DEVELOP:
        develop(s)
    elif stage == DEVELOP_PLACE:
        develop_place(s)
    elif stage == DEVELOP_PAY:
        develop_pay(s)
    elif stage == DEVELOP_PAID:
        develop_paid(s)
    elif stage == SETTLE:
        settle(s)
    elif stage == SETTLE_PLACE:
        settle_place(s)
    elif stage == SETTLE_PAY:
        settle_pay(s)
    elif stage == SETTLE_CARDS:
        settle_cards(s)
    elif stage == SETTLE_PAID:
        settle_paid(s)


@rule
def goods_phases(s: Record, stage: int) -> None:
    if stage == CONSUME_START:
        consume_start(s)
    elif stage == CONSUME_TRADE:
        consume_trade(s)
    elif stage == CONSUME_TRADED:
        consume_traded(s)
    elif stage == CONSUME_POWERS:
        consume_powers(s)
    elif stage == CONSUME_USE:
        consume_use(s)
    elif stage == CONSUME_CHOSEN:
        consume_chosen(s)
    elif stage == PRODUCE_START:
        produce_start(s)
    elif stage == PRODUCE_SCAN:
        produce_scan(s)
    elif stage == PRODUCE_BONUS:
        produce_bonus(s)
    elif stage == PRODUCE_ANY:
        produce_any(s)
    elif stage == PRODUCE_COUNT:
        produce_count(s)
    elif stage == ROUND_DISCARD:
        round_discard(s)
    else:
        round_end(s)


@rule
def legal(s: Record, out: Actions) -> int:
    question = s.question
    if question == CHOOSE_ACTION:
        for i in range(len(ROUND_ACTIONS)):
            out[i] = ACTION + ROUND_ACTIONS[i]
        return len(ROUND_ACTIONS)
    if question == PLACE:
        return legal_developments(s, out) if s.stage == DEVELOP_PLACE else legal_worlds(s, out)
    if question == SPECIAL:
        return legal_specials(s, out)
    if question == TRADE_GOOD:
        return legal_goods(s, out)
    if question == USE_POWER:
        return legal_powers(s, out)
    if question == GUESS:
        return legal_guesses(s, out)
    if question == WINDFALL:
        return legal_windfalls(s, out)
    return legal_picks(s, out)


@rule
def apply(s: Record, action: int) -> None:
    question = s.question
    if question == CHOOSE_ACTION:
        choose_action(s, action - ACTION)
    elif question == PLACE:
        place(s, action)
    elif question == SPECIAL:
        use_specials(s, action - SPECIALS)
    elif question == TRADE_GOOD:
        choose_world(s, action)
    elif question == USE_POWER:
        choose_power(s, action)
    elif question == GUESS:
        guess(s, action - GUESSES)
    elif question == WINDFALL:
        choose_windfall(s, FIRST_CARD[action])
    else:
        pick(s, action)
    advance(s)


@rule
def rewind(s: Record) -> None:
    """Everybody chooses an action, or a card to place, again; nobody has seen the answers given so far."""
    if s.question == CHOOSE_ACTION:
        for seat in range(s.seats):
            s.chosen[seat] = 0
    elif s.question == PLACE:
        for seat in range(s.seats):
            s.placing[seat] = 0
    else:
        return
    s.turn = 0
    s.question = NOTHING
    advance(s)


@rule
def count_set(cards: Actions, out: Actions) -> None:
    for w in range(WORDS):
        word = cards[w]
        while word:
            out[DESIGN[lowest(word, w)]] += 1
            word &= word - 1


@rule
def piece_counts(s: Record, out: Actions) -> None:
    """How many cards of each design there are, wherever they lie."""
    for design in range(DESIGN_COUNT):
        out[design] = 0
    count_set(s.deck, out)
    count_set(s.discard, out)
    for seat in range(s.seats):
        count_set(s.hand[seat], out)
        for i in range(s.size[seat]):
            out[DESIGN[s.tableau[seat, i]]] += 1
            if s.good[seat, i]:
                out[DESIGN[s.good[seat, i] - 1]] += 1
