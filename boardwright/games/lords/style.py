"""What an action of Lords of War says about a seat's style: where cards go, whether they shoot or come back."""

from __future__ import annotations

from boardwright.games.lords.board import COLUMNS, ROWS, SQUARES, column_of, row_of
from boardwright.games.lords.cards import kinds_of
from boardwright.games.lords.state import DEPLOY_CARD, NO_SHOT, RECALL, SHOOT_AT
from boardwright.kernel import Record


def style(s: Record, action: int) -> dict[str, float]:
    if action < SHOOT_AT:
        kind, square = divmod(action - DEPLOY_CARD, SQUARES)
        row, column = row_of(square), column_of(square)
        card = kinds_of(s.row[s.mover])[kind]
        return {
            "rows advanced": float(ROWS - 1 - row if s.mover == 0 else row),
            "edge": float(row in (0, ROWS - 1) or column in (0, COLUMNS - 1)),
            "berserkers": float(card.unit_class == "berserker"),
            "ranged units deployed": float(card.missile > 0),
            "command cards": float(card.is_command),
        }
    if action <= NO_SHOT:
        return {"shots": float(action < NO_SHOT)}
    return {"retreats": float(action >= RECALL)}
