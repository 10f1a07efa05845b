"""The rules of Race for the Galaxy as the contract wants them. Start reading here; each phase has its own module.

In the order of docs/rules/race.md:

    piles.py     section 3                 drawing and discarding
    setup.py     section 4                 start worlds and first cards
    rounds.py    sections 6, 7.6 and 8.1   choosing actions, the end of a round, the end of the game
    explore.py, develop.py, settle.py, consume.py, produce.py
                 sections 7.1 to 7.5       the phases
    scoring.py   sections 8.2 and 8.3      points, and who wins
    picks.py     section 9                 choosing several cards step by step
    tableau.py                             placing cards, goods on worlds, standing powers

The rules move from stage to stage until somebody has to choose (`advance`); then `s.question` says what is asked, and
`s.asked` whom. What a seat knows (section 14) is in information.py.
"""

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
from boardwright.games.race.scoring import returns, scores
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

__all__ = ["NUM_PIECE_KINDS", "advance", "apply", "legal", "piece_counts", "player", "returns", "scores", "setup"]

NUM_PIECE_KINDS = DESIGN_COUNT


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
