"""What a person needs to play Lords of War at a terminal: a board of two lines per row, cards chosen before squares,
cards looked up by name, the rules in short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from boardwright.games.lords import board, state, text
from boardwright.games.lords.cards import ARMIES, DECKS, Card, kinds_of, turned
from boardwright.games.lords.elimination import side_of
from boardwright.games.lords.information import hand_of
from boardwright.games.lords.rules import legal
from boardwright.games.lords.state import CARDS_TO_WIN, COMMANDS_TO_WIN
from boardwright.games.lords.text import FACES_DOWN, FACES_UP
from boardwright.kernel import Record
from boardwright.kernel.set_choice import ChoiceStep

_COMMAND_MARKS = {FACES_UP: "△", FACES_DOWN: "▽"}
_WIDTH = 10
_ALL_OTHERS = "○"

_IN_SHORT = Path(__file__).with_name("rules_in_short.txt").read_text(encoding="utf-8")
RULES = _IN_SHORT.format(
    faces_up=FACES_UP,
    faces_down=FACES_DOWN,
    command_up=_COMMAND_MARKS[FACES_UP],
    command_down=_COMMAND_MARKS[FACES_DOWN],
    all_others=_ALL_OTHERS,
    cards_to_win=CARDS_TO_WIN,
    commands_to_win=COMMANDS_TO_WIN,
)


def cards() -> dict[str, str]:
    """Every card of the six armies by name."""
    found: dict[str, list[str]] = {}
    for army, deck in zip(ARMIES, DECKS, strict=False):
        for card in deck:
            line = f"{army}: {_about(card)}, {_arrows(card.arrows)}"
            if line not in found.setdefault(card.name, []):
                found[card.name].append(line)
    return {name: "\n".join([name, *(f"  {line}" for line in lines)]) for name, lines in found.items()}


def action_steps(s: Record, action: int) -> tuple[ChoiceStep, ...]:
    """A card first, then its square; to recall, then which card."""
    if action >= state.RECALL:
        square = action - state.RECALL
        return ChoiceStep("recall a card"), ChoiceStep(f"{text.name_on(s, square)} from {board.square_name(square)}")
    if action >= state.SHOOT_AT:
        return (ChoiceStep(text.describe_action(s, action)),)
    kind, square = divmod(action - state.DEPLOY_CARD, board.SQUARES)
    card = text.card_of(s, s.mover, kind)
    return ChoiceStep(_label(s, s.mover, kind), _about(card)), ChoiceStep(board.square_name(square))


def show_brief(s: Record, seat: int) -> str:
    """The board, what was eliminated, and the hand where it is not what can be chosen from."""
    lines = [text.headline(s, seat), *_board(s, seat), _eliminated(s, seat)]
    if s.mover == seat and s.phase in (state.CHALLENGE, state.DEPLOY):
        playable = _playable(s)
        idle = [kind for kind in hand_of(s, seat) if kind not in playable]
        lines += [f"not playable now: {_names(s, seat, idle)}"] if idle else []
    else:
        lines.append(f"your hand: {_names(s, seat, hand_of(s, seat))}")
    shown = [kind for kind in hand_of(s, 1 - seat) if kind != state.UNKNOWN]
    lines += [f"the enemy's hand: {_names(s, 1 - seat, shown)}"] if shown else []
    return "\n".join(lines)


def _playable(s: Record) -> set[int]:
    """The kinds that the seat to move can deploy now."""
    actions = np.zeros(state.MAX_LEGAL, np.int64)
    return {(int(action) - state.DEPLOY_CARD) // board.SQUARES for action in actions[: legal(s, actions)]}


def _label(s: Record, seat: int, kind: int) -> str:
    """A card by its name and arrows, and its rank where that tells it from another kind."""
    kinds = kinds_of(s.row[seat])
    card = kinds[kind]
    twins = sum(other.name == card.name and other.arrows == card.arrows for other in kinds)
    return f"{card.name}{f' ({card.rank})' if twins > 1 else ''} {_arrows(card.arrows)}"


def _names(s: Record, seat: int, kinds: Sequence[int]) -> str:
    counted = Counter(text.card_of(s, seat, kind).name for kind in kinds)
    return ", ".join(f"{name} ×{n}" if n > 1 else name for name, n in counted.items()) or "empty"


def _about(card: Card) -> str:
    """A card without its name and arrows."""
    shot = f", shoots {card.missile}" if card.missile else ""
    return f"{card.rank} {card.unit_class}, defence {card.defence}{shot}"


def _arrows(values: Sequence[int]) -> str:
    """Arrows by strength, the strongest first: "2↑ 1←→"; in eight directions the last ones are counted only."""
    signs = {
        value: [text.ARROW_SIGNS[board.DIRECTIONS[d]] for d in range(board.NUM_DIRECTIONS) if values[d] == value]
        for value in sorted(set(values) - {0}, reverse=True)
    }
    parts = [f"{value}{''.join(found)}" for value, found in signs.items()]
    if parts and sum(map(len, parts)) > _WIDTH:
        parts[-1] = f"{parts[-1][0]}{_ALL_OTHERS}"
    return "".join(parts) or "no arrows"


def _eliminated(s: Record, viewer: int) -> str:
    """How far both are, the viewer first."""
    yours, theirs = (
        f"{s.losses[enemy]}/{CARDS_TO_WIN}, command {s.command_losses[enemy]}/{COMMANDS_TO_WIN}"
        for enemy in (1 - viewer, viewer)
    )
    decks = f"decks {s.deck_size[viewer]}, {s.deck_size[1 - viewer]}"
    return f"eliminated: you {yours}; the enemy {theirs}; {decks}"


def _board(s: Record, viewer: int) -> list[str]:
    """Two lines for each row, one for an empty row; the second seat sees it turned."""
    attack, lines = s.attack.tolist(), []
    for row in range(board.ROWS):
        places = range(row * board.COLUMNS, (row + 1) * board.COLUMNS)
        squares = [board.half_turn(place) if viewer == 1 else place for place in places]
        cells = [_cell(s, attack, square, viewer) for square in squares]
        labels = (board.square_name(squares[0])[1], " ")[: 1 + any(s.card[square] >= 0 for square in squares)]
        lines += [f"{label} " + " ".join(cell[i] for cell in cells).rstrip() for i, label in enumerate(labels)]
    letters = [
        board.square_name(board.half_turn(column) if viewer == 1 else column)[0] for column in range(board.COLUMNS)
    ]
    return [*lines, "  " + " ".join(f"  {letter}".ljust(_WIDTH) for letter in letters).rstrip()]


def _cell(s: Record, attack: Sequence[Sequence[int]], square: int, viewer: int) -> tuple[str, str]:
    """A card's owner, name, defence and threat, and its arrows below; or the threats to an empty square."""
    if s.card[square] < 0:
        threats = "".join(
            f"{text.mark_of(q, viewer)}{attack[q][square]} " for q in range(board.SEATS) if attack[q][square]
        )
        return f"· {threats}".ljust(_WIDTH), " " * _WIDTH
    seat = side_of(s, square)
    card = text.card_of(s, seat, s.card[square])
    mark = text.mark_of(seat, viewer)
    values = turned(card.arrows, seat)
    if viewer == 1:
        values = tuple(values[(d + board.OPPOSITE) % board.NUM_DIRECTIONS] for d in range(board.NUM_DIRECTIONS))
    threat = attack[1 - seat][square]
    strength = f"{card.defence}{'*' if card.missile else ''}{f'/{threat}' if threat else ''}"
    name = f"{_COMMAND_MARKS[mark] if card.is_command else mark}{text.short_name(card)}"
    return f"{name}{strength.rjust(_WIDTH - len(name))}", _arrows(values).ljust(_WIDTH)
