"""Does a saved game replay to the end it should have? And back: our games as saved games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardwright.games.race import replay
from boardwright.games.race.bits import members
from boardwright.games.race.cards import COST, DESIGN, ID, IS_WORLD
from boardwright.games.race.declaration import game
from boardwright.games.race.log import logs_of
from boardwright.games.race.saves import BadSave, Expected, ExpectedPlayer, ExportCard, ExportPlayer, Save
from boardwright.games.race.saves import plain_text as _plain_text
from boardwright.games.race.saves import xml_text as _xml_text
from boardwright.games.race.text import describe, name
from boardwright.kernel import State

GENERATOR = {"generator": "keldon"}

_QUESTIONS = {
    0: "an action for the round",
    2: "discards",
    5: "a placement",
    6: "a payment",
    12: "a good to trade",
    13: "a consume power",
    14: "cards for victory points",
    15: "goods to consume",
    16: "a guess",
    19: "a windfall world",
}


def start(save: Save) -> State:
    return game.new(seed=save.seed, seats=save.seats, **GENERATOR)


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
        options = [_card(state, action) for action in state.legal_actions()[1:]]
        reason = f"the listed placements differ from what the rules allow, which is {sorted(options)}"
    else:
        reason = f"an illegal choice ({_words(state, detail)})"
    where = f"round {state.record.round}" if state.record.round else "setup"
    return f"player {seat}, entry {entry} ({where}): {reason}"


def _card(state: State, action: int) -> int:
    from boardwright.games.race.picks import card_for

    return int(card_for(state.record, action))


def _words(state: State, action: int) -> str:
    try:
        return describe(state.record, action)
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


def export_order(card: int) -> tuple[bool, int, int]:
    """Hands are printed worlds first, then by cost, then by design."""
    return not IS_WORLD[card], int(COST[card]), int(ID[card])


def save_of(seed: int, seats: int, moves: list[int], where: str = "") -> Save:
    """A game played here, with the original generator, as a saved game."""
    state = game.new(seed=seed, seats=seats, **GENERATOR)
    return Save(seed, logs_of(state, moves), where)


def plain_text(save: Save) -> str:
    return _plain_text(save)


def xml_text(save: Save, exporting: int = 0) -> str:
    """The game as an export by one of the players."""
    state, _ = play(save)
    s, scores, returns = state.record, state.scores, state.returns
    players = []
    for turn in range(s.seats):
        seat = (s.first + turn) % s.seats
        tableau = [
            ExportCard(int(ID[s.tableau[seat, i]]), name(s.tableau[seat, i]), bool(s.good[seat, i]))
            for i in range(s.size[seat])
        ]
        hand = [ExportCard(int(ID[c]), name(c)) for c in sorted(members(s.hand[seat]), key=export_order)]
        players.append(
            ExportPlayer(
                name=f"Player {seat}",
                chips=s.chips[seat],
                score=int(scores[seat]),
                winner=returns[seat] > 0,
                tableau=tableau,
                hand=hand,
                exporting=seat == exporting,
            )
        )
    status = {"round": s.round, "deck": s.deck_size, "discard": s.discard_size, "pool": s.pool}
    return _xml_text(save, status, players)
