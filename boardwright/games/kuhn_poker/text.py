"""Kuhn poker for people: actions and positions as text."""

from __future__ import annotations

from boardwright.games.kuhn_poker.state import BET, JACK, KING, PASS, QUEEN, UNKNOWN
from boardwright.kernel import Record

CARD_NAMES = {JACK: "jack", QUEEN: "queen", KING: "king", UNKNOWN: "?"}
ACTION_NAMES = {PASS: ("pass", "fold"), BET: ("bet", "call")}
"""The name of an action, and its name when it answers a bet."""


def describe_action(s: Record, action: int) -> str:
    return ACTION_NAMES[action][answers_bet(s, s.choices)]


def show_state(s: Record, seat: int | None) -> str:
    cards = [f"seat {holder + 1}: {CARD_NAMES[s.card[holder]]}" for holder in (0, 1)]
    choices = [ACTION_NAMES[s.choice[place]][answers_bet(s, place)] for place in range(s.choices)]
    return f"{', '.join(cards)}; {' – '.join(choices) or 'nothing bet yet'}"


def answers_bet(s: Record, place: int) -> bool:
    """Whether the choice in that place follows a bet."""
    return place > 0 and s.choice[place - 1] == BET
