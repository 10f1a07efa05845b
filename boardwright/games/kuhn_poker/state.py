"""What a position of Kuhn poker is made of: the cards, the choices made so far, and the two actions."""

from __future__ import annotations

from boardwright.kernel import RNG, record

JACK, QUEEN, KING = 0, 1, 2
CARDS = 3
ASIDE = 2  # the place in `card` of the card that nobody gets
UNKNOWN = -1  # in observations: a card that the seat may not know

PASS, BET = 0, 1  # PASS folds to a bet, BET calls one
NUM_ACTIONS = 2
MOST_CHOICES = 3  # pass, bet, and the answer to the bet

STATE = record(
    card=("i1", CARDS),  # of seat 0, of seat 1, put aside
    choice=("i1", MOST_CHOICES),
    choices="i1",  # how many are made
    rng=RNG,
)
