"""Does a saved game replay to the end it should have?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardwright.games.race.bits import members
from boardwright.games.race.cards import DESIGN
from boardwright.games.race.declaration import game
from boardwright.games.race.keldon import choice_logs, replay
from boardwright.games.race.keldon.saves import BadSave, Expected, ExpectedPlayer, Save
from boardwright.games.race.picks import card_for
from boardwright.games.race.text import describe_action, name
from boardwright.kernel import State

ORIGINAL_GENERATOR = {"generator": "keldon"}

_QUESTIONS = {
    choice_logs.TYPE_ACTION: "an action for the round",
    choice_logs.TYPE_DISCARD: "discards",
    choice_logs.TYPE_PLACE: "a placement",
    choice_logs.TYPE_PAYMENT: "a payment",
    choice_logs.TYPE_TRADE: "a good to trade",
    choice_logs.TYPE_CONSUME: "a consume power",
    choice_logs.TYPE_FOR_VP: "cards for victory points",
    choice_logs.TYPE_GOODS: "goods to consume",
    choice_logs.TYPE_GAMBLE: "a guess",
    choice_logs.TYPE_WINDFALL: "a windfall world",
}


def start(save: Save) -> State:
    return game.new(seed=save.seed, seats=save.seats, **ORIGINAL_GENERATOR)


def play(save: Save) -> tuple[State, list[int]]:
    """The end of a saved game and the actions that led there; BadSave says what does not fit."""
    state = start(save)
    replayed = replay.replay(state.memory, save.logs)
    if not replayed.fine:
        raise BadSave(f"{save.name}: {_complaint(state, replayed.verdict)}")
    return state, replayed.moves


def _complaint(state: State, verdict: list[int]) -> str:
    kind, seat, entry, detail, expected = verdict[:5]
    asked = f"type {expected}, {_QUESTIONS.get(expected, 'nothing')}"
    reasons = {
        replay.STOPS_EARLY: f"the log stops early: the rules ask for {asked}",
        replay.CUT_OFF: "the log is cut off in the middle of an entry, or its counts are wrong",
        replay.WRONG_TYPE: f"an entry of type {detail} where the rules ask for {asked}",
        replay.WRONG_COUNT: f"{detail} cards chosen where {expected} are asked for",
        replay.NO_SUCH_CARD: f"there is no card {detail}",
        replay.CARD_TWICE: f"card {detail} is listed twice",
        replay.LEFT_OVER: "the game is over, but the log goes on",
    }
    if kind in reasons:
        reason = reasons[kind]
    elif kind == replay.ILLEGAL_CARD:
        known = 0 <= detail < len(DESIGN)
        reason = f"card {detail} ({name(detail) if known else 'unknown'}) cannot be chosen here"
    elif kind == replay.OTHER_OPTIONS:
        options = [int(card_for(state.record, action)) for action in state.legal_actions()[1:]]
        reason = f"the listed placements differ from what the rules allow, which is {sorted(options)}"
    else:
        reason = f"an illegal choice ({_described(state, detail)})"
    where = f"round {state.record.round}" if state.record.round else "setup"
    return f"player {seat}, entry {entry} ({where}): {reason}"


def _described(state: State, action: int) -> str:
    try:
        return describe_action(state.record, action)
    except (KeyError, IndexError):
        return "out of range"


def differences(save: Save) -> list[str]:
    """What is not as it should be after a replay; empty if everything is."""
    try:
        state, _ = play(save)
    except BadSave as error:
        return [str(error)]
    return [f"{save.name}: {line}" for line in compare(state, save.expected)]


def compare(state: State, expected: Expected) -> Iterator[str]:
    s = state.record
    ours = {
        "round": s.round,
        "pool": s.pool,
        "deck": s.deck_size,
        "discard": s.discard_size,
        "end_seed": s.lcg,
        "first_seat": s.first,
    }
    for what, got in ours.items():
        should = getattr(expected, what)
        if should is not None and should != got:
            yield f"{what} is {got}, should be {should}"
    if expected.players and len(expected.players) != s.seats:
        yield f"{s.seats} players, should be {len(expected.players)}"
        return
    for number, player in enumerate(expected.players):
        seat = (s.first + number) % s.seats if expected.by_turn else number
        yield from (f"player {seat}: {line}" for line in _compare_player(state, seat, player))


def _compare_player(state: State, seat: int, expected: ExpectedPlayer) -> Iterator[str]:
    s = state.record
    tableau = [s.tableau[seat, place] for place in range(s.size[seat])]
    goods = [card for place, card in enumerate(tableau) if s.good[seat, place]]
    hand = members(s.hand[seat])
    ours: dict[str, Any] = {
        "chips": s.chips[seat],
        "score": state.scores[seat],
        "winner": state.returns[seat] > 0,
        "turn_index": (seat - s.first) % s.seats,
        "tableau": [name(card) for card in tableau],
        "tableau_cards": tableau,
        "goods": [name(card) for card in goods],
        "goods_on": goods,
        "hand": sorted(name(card) for card in hand),
        "hand_cards": sorted(hand),
        "hand_count": s.hand_size[seat],
    }
    for what, got in ours.items():
        should = getattr(expected, what)
        if should is not None and what.startswith("hand") and isinstance(should, list):
            should = sorted(should)
        if should is not None and should != got:
            yield f"{what} is {got}, should be {should}"
