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

from boardwright.games.race import consume, produce, state
from boardwright.games.race.bits import WORDS, lowest
from boardwright.games.race.cards import DESIGN, DESIGN_COUNT, FIRST_CARD
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
from boardwright.kernel import TERMINAL, Actions, Record, rule

__all__ = ["NUM_PIECE_KINDS", "advance", "apply", "legal", "piece_counts", "player", "returns", "scores", "setup"]

NUM_PIECE_KINDS = DESIGN_COUNT


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    deal(s, seed, seats, options)
    advance(s)


@rule
def player(s: Record) -> int:
    return TERMINAL if s.question == state.GAME_OVER else s.asked


@rule
def advance(s: Record) -> None:
    """Carry on until somebody has to choose."""
    while s.question == state.NOTHING:
        stage = s.stage
        if stage < state.DEVELOP:
            before_develop(s, stage)
        elif stage < state.CONSUME_START:
            placing_phases(s, stage)
        else:
            goods_phases(s, stage)


@rule
def before_develop(s: Record, stage: int) -> None:
    if stage == state.ROUND_CHOOSE:
        round_choose(s)
    elif stage == state.EXPLORE:
        explore(s)
    elif stage == state.EXPLORE_KEEP:
        explore_keep(s)
    elif stage == state.EXPLORE_DISCARD:
        explore_discard(s)
    elif stage == state.ROUND_START:
        round_start(s)
    elif stage == state.SETUP_DISCARD:
        setup_discard(s)


@rule
def placing_phases(s: Record, stage: int) -> None:
    if stage == state.DEVELOP:
        develop(s)
    elif stage == state.DEVELOP_PLACE:
        develop_place(s)
    elif stage == state.DEVELOP_PAY:
        develop_pay(s)
    elif stage == state.DEVELOP_PAID:
        develop_paid(s)
    elif stage == state.SETTLE:
        settle(s)
    elif stage == state.SETTLE_PLACE:
        settle_place(s)
    elif stage == state.SETTLE_PAY:
        settle_pay(s)
    elif stage == state.SETTLE_CARDS:
        settle_cards(s)
    elif stage == state.SETTLE_PAID:
        settle_paid(s)


@rule
def goods_phases(s: Record, stage: int) -> None:
    if stage == state.CONSUME_START:
        consume.consume_start(s)
    elif stage == state.CONSUME_TRADE:
        consume.consume_trade(s)
    elif stage == state.CONSUME_TRADED:
        consume.consume_traded(s)
    elif stage == state.CONSUME_NEXT:
        consume.consume_powers(s)
    elif stage == state.CONSUME_USE:
        consume.consume_use(s)
    elif stage == state.CONSUME_CHOSEN:
        consume.consume_chosen(s)
    elif stage == state.PRODUCE_START:
        produce.produce_start(s)
    elif stage == state.PRODUCE_SCAN:
        produce.produce_scan(s)
    elif stage == state.PRODUCE_BONUS:
        produce.produce_bonus(s)
    elif stage == state.PRODUCE_ANY:
        produce.produce_any(s)
    elif stage == state.PRODUCE_COUNT:
        produce.produce_count(s)
    elif stage == state.ROUND_DISCARD:
        round_discard(s)
    else:
        round_end(s)


@rule
def legal(s: Record, out: Actions) -> int:
    question = s.question
    if question == state.CHOOSE_ACTION:
        for i in range(len(state.ROUND_ACTIONS)):
            out[i] = state.ACTION + state.ROUND_ACTIONS[i]
        return len(state.ROUND_ACTIONS)
    if question == state.PLACE:
        return legal_developments(s, out) if s.stage == state.DEVELOP_PLACE else legal_worlds(s, out)
    if question == state.SPECIAL:
        return legal_specials(s, out)
    if question == state.TRADE_GOOD:
        return consume.legal_goods(s, out)
    if question == state.USE_POWER:
        return consume.legal_powers(s, out)
    if question == state.GUESS:
        return consume.legal_guesses(s, out)
    if question == state.WINDFALL:
        return produce.legal_windfalls(s, out)
    return legal_picks(s, out)


@rule
def apply(s: Record, action: int) -> None:
    question = s.question
    if question == state.CHOOSE_ACTION:
        choose_action(s, action - state.ACTION)
    elif question == state.PLACE:
        place(s, action)
    elif question == state.SPECIAL:
        use_specials(s, action - state.SPECIALS)
    elif question == state.TRADE_GOOD:
        consume.choose_world(s, action)
    elif question == state.USE_POWER:
        consume.choose_power(s, action)
    elif question == state.GUESS:
        consume.guess(s, action - state.GUESSES)
    elif question == state.WINDFALL:
        produce.choose_windfall(s, FIRST_CARD[action])
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
