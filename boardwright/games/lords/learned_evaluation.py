"""A learned evaluation: the chance to win as a logistic regression over what both sides have.

Weights are in `learned.json`; fit_evaluation.py fits them to games of the rollout policy against itself, which cost
next to nothing. Cards count by what is printed on them, so the weights serve every army. Both hands count: in a
determinization the other one is a guess, over which search averages.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from boardwright.files import read_json
from boardwright.games.lords.board import SEATS
from boardwright.games.lords.cards import ARROW_VALUE, DEFENCE, IS_COMMAND, IS_GENERAL, IS_SUPPORT, MISSILE
from boardwright.games.lords.rules import returns
from boardwright.games.lords.state import FINISHED
from boardwright.kernel import Record, Returns, rule
from boardwright.kernel.bits import lowest_bit

LEAST_MARGIN, MOST_MARGIN = -1, 6
"""How much more a card can bear, its defence less what strikes it: below 0 it falls in the next fight. More counts as
the most."""
LOGITS = (
    *("constant", "phase", "card", "losses", "commands", "hand_size", "deck_size"),
    *("common", "command", "general", "struck", "board", "hand"),
)
"""What is weighed. Losses, command cards lost and margins have a weight for each number."""
FILE = Path(__file__).with_name("learned.json")
WEIGHTS = {name: np.array(values) for name, values in read_json(FILE).items()}

ON_BOARD = np.stack([ARROW_VALUE.sum(1), (ARROW_VALUE > 0).sum(1), DEFENCE, MISSILE, IS_SUPPORT], axis=1)
"""What is printed on each card, as far as it counts on the board: its arrows added up, their number, its defence,
whether it shoots, whether it supports."""
IN_HAND = np.stack(
    [
        ARROW_VALUE.sum(1),
        (ARROW_VALUE > 0).sum(1),
        ARROW_VALUE.max(1),
        DEFENCE,
        MISSILE,
        IS_SUPPORT,
        IS_COMMAND,
        IS_GENERAL,
    ],
    axis=1,
)
BOARD_VALUE = ON_BOARD @ WEIGHTS["board"] + WEIGHTS["card"]
HAND_VALUE = IN_HAND @ WEIGHTS["hand"] + WEIGHTS["hand_size"]
MARGIN_VALUE = np.stack([WEIGHTS[name] for name in ("common", "command", "general")])
STRUCK_VALUE, LOSSES_VALUE, COMMANDS_VALUE = (WEIGHTS[name] for name in ("struck", "losses", "commands"))
PHASE_VALUE, DECK_VALUE, CONSTANT = WEIGHTS["phase"], float(WEIGHTS["deck_size"][0]), float(WEIGHTS["constant"][0])


@rule
def side_value(s: Record, side: int) -> float:
    """What a side's cards are worth, in logits."""
    first = s.row[side]
    value = LOSSES_VALUE[min(s.losses[side], LOSSES_VALUE.size - 1)] + DECK_VALUE * s.deck_size[side]
    value += COMMANDS_VALUE[min(s.command_losses[side], COMMANDS_VALUE.size - 1)]
    cards = s.occupied[side]
    while cards:
        square = lowest_bit(cards)
        cards &= cards - 1
        row, strikes = first + s.card[square], s.attack[1 - side, square]
        margin = min(max(DEFENCE[row] - strikes, LEAST_MARGIN), MOST_MARGIN) - LEAST_MARGIN
        value += BOARD_VALUE[row] + MARGIN_VALUE[IS_COMMAND[row] + IS_GENERAL[row], margin]
        if strikes > 0:
            value += STRUCK_VALUE[margin]
    kinds = s.hand_kinds[side]
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        value += HAND_VALUE[first + kind] * s.hand[side, kind]
    return value


@rule
def learned(s: Record, out: Returns) -> None:
    """The chance to win of each seat; a finished game has its returns."""
    if s.phase == FINISHED:
        returns(s, out)
        return
    to_choose = PHASE_VALUE[s.phase] * (1.0 if s.mover == 0 else -1.0)
    logit = CONSTANT + to_choose + side_value(s, 0) - side_value(s, 1)
    out[0] = 1.0 / (1.0 + math.exp(-logit))
    out[SEATS - 1] = 1.0 - out[0]
