"""Lords of War for people: actions and positions as text, and what reports group actions under."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from boardwright.drawing import remembered
from boardwright.games.lords import board, state
from boardwright.games.lords.cards import ARMY_OF_DECK, RANKS, Card, deck_at_row, kinds_of, turned
from boardwright.games.lords.elimination import side_of
from boardwright.games.lords.information import deck_of, hand_of
from boardwright.kernel import Record, SeatMetrics, Trait

FACES_UP, FACES_DOWN = "▲", "▼"
ARROW_SIGNS = dict(zip(board.DIRECTIONS, "↑↗→↘↓↙←↖", strict=True))
_READING_ORDER = [board.DIRECTIONS.index(direction) for direction in ("NW", "N", "NE", "W", "E", "SW", "S", "SE")]
RANK_LETTERS = {
    "general": "G",
    "command": "C",
    "special": "S",
    "elite": "E",
    "veteran": "V",
    "regular": "R",
    "recruit": "r",
}
CELL = 9
_SHORT = 5
_TITLES = ("The", "Brother", "Father")
NEXT_CARDS = 3
"""Of a deck whose order is open, so many are shown."""


# Cards and actions


def card_of(s: Record, seat: int, kind: int) -> Card:
    return kinds_of(s.row[seat])[kind]


def army_of(s: Record, seat: int) -> str:
    return ARMY_OF_DECK[deck_at_row(s.row[seat])]


@remembered
def arrows_text(card: Card) -> str:
    """The arrows of a card as its owner sees them."""
    signs = [f"{ARROW_SIGNS[board.DIRECTIONS[d]]}{card.arrows[d]}" for d in _READING_ORDER if card.arrows[d]]
    return " ".join(signs) or "no arrows"


def card_label(s: Record, seat: int, kind: int) -> str:
    """A card so that it cannot be taken for another kind: its name and arrows, and its rank where that tells."""
    kinds = kinds_of(s.row[seat])
    card = kinds[kind]
    twins = sum(other.name == card.name and other.arrows == card.arrows for other in kinds)
    return f"{card.name}{f' ({card.rank})' if twins > 1 else ''} {arrows_text(card)}"


@remembered
def card_line(card: Card) -> str:
    shot = f", shoots {card.missile}" if card.missile else ""
    return f"{card.name}, {card.rank} {card.unit_class}, defence {card.defence}{shot}: {arrows_text(card)}"


@remembered
def short_name(card: Card, length: int = _SHORT) -> str:
    """Command cards are people, known by their first name; other cards by what they are."""
    words = [word for word in card.name.split() if word not in _TITLES]
    return (words[0] if card.is_command else words[-1])[:length]


def name_on(s: Record, square: int) -> str:
    """The card on a square, or what an observation shows of it."""
    return card_of(s, side_of(s, square), s.card[square]).name


def describe_action(s: Record, action: int) -> str:
    if action == state.DRAW:
        return "draw a card"
    if action == state.NO_REINFORCEMENT:
        return "take no card"
    if action == state.NO_SHOT:
        return f"{name_on(s, s.shooter)} on {board.square_name(s.shooter)} does not shoot"
    if action >= state.RECALL:
        return f"recall {name_on(s, action - state.RECALL)} from {board.square_name(action - state.RECALL)}"
    if action >= state.SHOOT_AT:
        target = action - state.SHOOT_AT
        shooter = f"{name_on(s, s.shooter)} on {board.square_name(s.shooter)}"
        return f"{shooter} shoots {name_on(s, target)} on {board.square_name(target)}"
    kind, square = divmod(action - state.DEPLOY_CARD, board.SQUARES)
    return f"{card_label(s, s.mover, kind)} to {board.square_name(square)}"


def revealed(before: Record, after: Record, seat: int) -> list[str]:
    """The cards that fell, and the card that the seat has drawn."""
    lines = []
    for owner in range(board.SEATS):
        who = "you lose" if owner == seat else f"seat {owner + 1} loses"
        for kind, card in enumerate(kinds_of(after.row[owner])):
            fallen = int(after.dead[owner, kind]) - int(before.dead[owner, kind])
            gone = [
                board.square_name(square)
                for square in range(board.SQUARES)
                if before.card[square] == kind and side_of(before, square) == owner and after.card[square] < 0
            ]
            if fallen:
                lines.append(f"{who} {card.name}" + (f" on {', '.join(gone)}" if len(gone) == fallen else ""))
    if seat in range(board.SEATS) and after.deck_size[seat] < before.deck_size[seat]:
        drawn = Counter(hand_of(after, seat)) - Counter(hand_of(before, seat))
        lines += [f"you draw {card_of(after, seat, kind).name}" for kind in drawn if kind != state.UNKNOWN]
    return lines


def action_group(s: Record, action: int) -> tuple[str, str] | None:
    if action < state.SHOOT_AT:
        return "card", card_of(s, s.mover, (action - state.DEPLOY_CARD) // board.SQUARES).name
    if action <= state.NO_SHOT:
        return "ranged units", "no shot" if action == state.NO_SHOT else "shot"
    return "reinforcement", {state.DRAW: "draw", state.NO_REINFORCEMENT: "none"}.get(action, "recall")


def seat_metrics(s: Record, seat: int) -> SeatMetrics:
    """For reports: the eliminated enemies by rank, the army, and the own cards that fell."""
    enemy = 1 - seat
    fallen = Counter[str]()
    for kind, card in enumerate(kinds_of(s.row[enemy])):
        fallen[card.rank] += s.dead[enemy, kind]
    lost = (Trait("card lost", card.name) for kind, card in enumerate(kinds_of(s.row[seat])) if s.dead[seat, kind])
    deployments = 1 + s.turn / board.SEATS  # the challenge, and one in each turn
    return SeatMetrics(
        {rank: fallen[rank] for rank in RANKS},
        (Trait("army", army_of(s, seat)), *lost),
        {"losses per deployment": float(s.dead[seat].sum()) / deployments},
    )


# Positions


def show_state(s: Record, seat: int | None) -> str:
    """The board as the seat sees it from its own side, and what both hold."""
    lines = [headline(s, seat), *_board(s, seat)]
    lines.append("▲▼ owner, rank, class, defence, *missile, t threat; arrows stand around")
    for holder in range(board.SEATS):
        lines += _show_seat(s, holder, seat)
    return "\n".join(lines)


def headline(s: Record, viewer: int | None = None) -> str:
    if s.phase == state.FINISHED:
        result = "a draw" if s.winner == state.DRAW_GAME else f"{seat_name(s, s.winner, viewer)} wins"
        return f"After {s.turn} turns: {result}"
    if s.phase == state.CHALLENGE:
        return f"The challenge: {seat_name(s, s.mover, viewer)} places a card"
    asked = {
        state.SHOOT: f"shoots with {name_on(s, s.shooter)} on {board.square_name(s.shooter)}"
        if s.phase == state.SHOOT
        else "",
        state.REINFORCE: "draws or recalls",
    }
    return f"Turn {s.turn + 1}: {seat_name(s, s.mover, viewer)} {asked.get(s.phase, 'deploys a card')}"


def mark_of(seat: int, viewer: int | None) -> str:
    """Which way the cards of a seat face, as the viewer sees the board."""
    return FACES_UP if seat == (1 if viewer == 1 else 0) else FACES_DOWN


def seat_name(s: Record, seat: int, viewer: int | None = None) -> str:
    return f"{mark_of(seat, viewer)} seat {seat + 1} ({army_of(s, seat)})"


def _board(s: Record, viewer: int | None) -> list[str]:
    """The second seat sees it turned."""
    turn_board = viewer == 1
    border = "  +" + ("-" * CELL + "+") * board.COLUMNS
    lines, attack = [border], s.attack.tolist()
    places = range(board.SQUARES)
    for row in range(board.ROWS):
        squares = [
            board.half_turn(place) if turn_board else place
            for place in places[row * board.COLUMNS : (row + 1) * board.COLUMNS]
        ]
        cells = [_cell(s, attack, square, viewer) for square in squares]
        labels = (" ", board.square_name(squares[0])[1], " ", " ")
        lines += [f"{labels[i]} |" + "|".join(cell[i] for cell in cells) + "|" for i in range(4)]
        lines.append(border)
    letters = [
        board.square_name(board.half_turn(column) if turn_board else column)[0] for column in range(board.COLUMNS)
    ]
    lines.append("   " + " ".join(letter.center(CELL) for letter in letters).rstrip())
    return lines


def _cell(s: Record, attack: Sequence[Sequence[int]], square: int, viewer: int | None) -> tuple[str, str, str, str]:
    """Four lines of a square: arrows and a short name, or the threats to an empty square."""
    if s.card[square] < 0:
        threats = " ".join(f"{mark_of(q, viewer)}{attack[q][square]}" for q in range(board.SEATS) if attack[q][square])
        return " " * CELL, threats.center(CELL), " " * CELL, " " * CELL
    seat = side_of(s, square)
    card = card_of(s, seat, s.card[square])
    values = turned(card.arrows, seat)
    if viewer == 1:
        values = tuple(values[(d + board.OPPOSITE) % board.NUM_DIRECTIONS] for d in range(board.NUM_DIRECTIONS))
    nw, n, ne, w, e, sw, south, se = (str(values[d] or "·") for d in _READING_ORDER)
    threat = attack[1 - seat][square]
    about = f"{mark_of(seat, viewer)}{RANK_LETTERS[card.rank]}{card.unit_class[0]}{card.defence}"
    about += f"*{card.missile}" if card.missile else ""
    about += f"t{threat}".rjust(CELL - len(about)) if threat else ""
    return (
        f"{nw}   {n}   {ne}",
        f"{w} {short_name(card).center(_SHORT)} {e}",
        f"{sw}   {south}   {se}",
        about.ljust(CELL),
    )


def _show_seat(s: Record, holder: int, seat: int | None) -> list[str]:
    enemy = 1 - holder
    you = ", you" if holder == seat else ""
    lines = [
        f"{seat_name(s, holder, seat)}{you}: eliminated {s.losses[enemy]}/{state.CARDS_TO_WIN} cards,"
        f" {s.command_losses[enemy]}/{state.COMMANDS_TO_WIN} command; hand {s.hand_size[holder]},"
        f" deck {s.deck_size[holder]}"
    ]
    fallen = [
        card_label(s, holder, kind) + (f" ×{copies}" if copies > 1 else "")
        for kind, copies in enumerate(s.dead[holder].tolist())
        if copies
    ]
    if fallen and seat is not None:
        lines.append(f"    has lost: {'; '.join(fallen)}")
    hand = hand_of(s, holder)
    lines += [f"    {card_line(card_of(s, holder, kind))}" for kind in hand]
    if len(hand) < s.hand_size[holder]:
        lines.append(f"    {s.hand_size[holder] - len(hand)} unknown cards")
    top = deck_of(s, holder)[:NEXT_CARDS]
    if (seat is None or s.information == state.OPEN) and top and top[0] != state.UNKNOWN:
        lines.append(f"    next: {', '.join(card_of(s, holder, kind).name for kind in top)}")
    return lines
