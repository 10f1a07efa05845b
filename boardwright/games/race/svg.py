"""A position of Race for the Galaxy as a picture: the actions, everybody's tableau, and the hand that the seat sees."""

from __future__ import annotations

from boardwright.drawing import CARD, CARD_EDGE, CARD_INK, FAINT, SEAT_COLOURS, Drawing
from boardwright.games.race import faces
from boardwright.games.race.bits import members
from boardwright.games.race.cards import (
    COLONY_SHIP,
    CONSUME_POWERS,
    CONTACT,
    DESIGN,
    DESIGNS,
    IS_SECOND,
    MILITARY,
    SECOND_INDEX,
    TACTICS,
)
from boardwright.games.race.scoring import score
from boardwright.games.race.state import (
    ACTION,
    CONSUME,
    DISCARD,
    DONE,
    FOR_VP,
    GAME_OVER,
    GUESS,
    GUESSES,
    HIDDEN,
    HIGHEST_GUESS,
    PAY,
    PLACE,
    POWER,
    ROUND_CHOOSE,
    SECOND_COPY,
    SPECIAL,
    SPECIALS,
    TRADE_GOOD,
    USE_COLONY_SHIP,
    USE_CONTACT,
    USE_POWER,
    USE_TACTICS,
    WINDFALL,
)
from boardwright.games.race.text import ACTION_NAMES, PHASES, asked_for, describe_action, seat_name
from boardwright.kernel import Record

WIDTH, MARGIN, GAP = 1104, 12, 6
SMALL = 0.86  # the size of tableaux beside the hand's
HAND_QUESTIONS = (DISCARD, PAY, PLACE, FOR_VP)
TABLEAU_QUESTIONS = (TRADE_GOOD, CONSUME, WINDFALL)
NUMERAL_OF_ACTION = {1: "I", 2: "I", 3: "II", 5: "III", 7: "IV", 8: "IV", 9: "V"}


def draw_state(s: Record, seat: int | None) -> str:
    """The seat that looks is at the bottom, with its hand; without a seat everybody's hand is shown."""
    drawing = Drawing(WIDTH)
    phases = ", ".join(phase for i, phase in enumerate(PHASES) if s.phases >> i & 1)
    head = f"Round {s.round}" if s.round else "Setup"
    drawing.text(MARGIN, 26, head + (f" · {phases}" if phases else ""), size=18, bold=True)
    drawing.text(
        WIDTH - MARGIN, 26, f"pool {s.pool} · deck {s.deck_size} · discards {s.discard_size}", fill=FAINT, anchor="end"
    )
    y = _draw_actions(drawing, s, seat, 38)
    own = seat if seat is not None and seat >= 0 else 0
    for other in [(own + 1 + i) % s.seats for i in range(s.seats)]:
        y = _draw_seat(drawing, s, other, seat, y)
    y = _draw_answers(drawing, s, seat, y)
    for holder in [holder for holder in range(s.seats) if seat in (None, holder)]:
        y = _draw_hand(drawing, s, holder, y)
    drawing.height = y + 6
    return drawing.svg("Race for the Galaxy")


def _draw_actions(drawing: Drawing, s: Record, seat: int | None, y: float) -> float:
    """The seven actions of a round, with a dot for everybody who has chosen it."""
    width = (WIDTH - 2 * MARGIN - 6 * GAP) / 7
    for place, (action, name) in enumerate(ACTION_NAMES.items()):
        chosen = [other for other in range(s.seats) if s.chosen[other] == action and _sees_choice(s, other, seat)]
        with drawing.group(MARGIN + place * (width + GAP), y, actions=[ACTION + action], title=name):
            numeral = NUMERAL_OF_ACTION[action]
            drawing.rect(0, 0, width, 40, fill=CARD, edge=CARD_EDGE, line=2.5 if chosen else 1, corner=8)
            drawing.rect(5, 6, 30, 28, fill=faces.NUMERAL_FILLS[numeral], corner=6)
            drawing.text(20, 25, numeral, size=15, fill="#ffffff", anchor="middle", bold=True)
            drawing.text(42, 25, name, size=13, fill=CARD_INK, bold=bool(chosen))
            for number, other in enumerate(chosen):
                drawing.circle(width - 10 - 14 * number, 9, 5, fill=SEAT_COLOURS[other])
    return y + 50


def _sees_choice(s: Record, other: int, seat: int | None) -> bool:
    return s.chosen[other] != HIDDEN and (s.stage != ROUND_CHOOSE or seat in (None, other))


def _draw_seat(drawing: Drawing, s: Record, other: int, seat: int | None, y: float) -> float:
    to_move = s.asked == other and s.question != GAME_OVER
    name = seat_name(other) + (" (you)" if seat == other else "") + (" ▸ first" if s.first == other else "")
    waiting = " · has chosen" if s.chosen[other] and not _sees_choice(s, other, seat) else ""
    drawing.circle(MARGIN + 8, y + 12, 7, fill=SEAT_COLOURS[other])
    drawing.text(MARGIN + 22, y + 17, name, size=15, bold=True)
    said = (
        f"{score(s, other)} points · {s.chips[other]} chips · {s.hand_size[other]} cards"
        f" · military {s.standing[other, MILITARY]:+d}{waiting}"
    )
    drawing.text(MARGIN + 190, y + 17, said, size=14, fill=FAINT)
    if to_move:
        drawing.text(WIDTH - MARGIN, y + 17, f"chooses {asked_for(s)}", size=14, anchor="end", bold=True)
    y += 26
    width, height = SMALL * faces.WIDTH, SMALL * faces.HEIGHT
    per_row = int((WIDTH - 2 * MARGIN + GAP) // (width + GAP))
    picked = set(members(s.picked[other])) if to_move and s.question == CONSUME else set()
    for place in range(s.size[other]):
        card = int(s.tableau[other, place])
        design = DESIGNS[int(DESIGN[card])]
        with drawing.group(
            MARGIN + place % per_row * (width + GAP),
            y + place // per_row * (height + GAP),
            actions=_tableau_actions(s, card) if to_move else [],
            key=f"{other} {card}",
            title=faces.tooltip(design),
            scale=SMALL,
        ):
            faces.face(drawing, design, good=bool(s.good[other, place]), picked=card in picked)
    return y + -(-max(1, int(s.size[other])) // per_row) * (height + GAP) + 4


def _tableau_actions(s: Record, card: int) -> list[int]:
    """What a click on a card of the tableau of the seat that is asked can mean."""
    if s.question in TABLEAU_QUESTIONS:
        return _card_actions(card)
    if s.question == USE_POWER:
        design = int(DESIGN[card])
        return [POWER + number for number, power in enumerate(CONSUME_POWERS) if power.design == design]
    return []


def _card_actions(card: int) -> list[int]:
    return [int(DESIGN[card]), *([SECOND_COPY + int(SECOND_INDEX[card])] if IS_SECOND[card] else [])]


def _draw_answers(drawing: Drawing, s: Record, seat: int | None, y: float) -> float:
    """Answers that are no card."""
    if s.question == GAME_OVER or seat not in (None, s.asked):
        return y
    if s.question == SPECIAL:
        owned = sum(
            bit
            for bit, total in ((USE_COLONY_SHIP, COLONY_SHIP), (USE_TACTICS, TACTICS), (USE_CONTACT, CONTACT))
            if s.standing[s.asked, total]
        )
        answers = [SPECIALS + mask for mask in range(8) if mask & ~owned == 0]
    elif s.question == GUESS:
        answers = [GUESSES + guess for guess in range(HIGHEST_GUESS + 1)]
    elif s.question in (PLACE, USE_POWER, FOR_VP):
        answers = [DONE]
    else:
        return y
    x: float = MARGIN
    for action in answers:
        text = describe_action(s, action)
        if x > MARGIN and x + 24 + 8 * len(text) > WIDTH - MARGIN:
            x, y = MARGIN, y + 36
        x += GAP + drawing.button(x, y, text, action)
    return y + 38


def _draw_hand(drawing: Drawing, s: Record, holder: int, y: float) -> float:
    cards = members(s.hand[holder])
    drawing.text(MARGIN, y + 14, f"Hand of {seat_name(holder)}: {len(cards)} cards", size=14, bold=True)
    y += 22
    asked = s.asked == holder and s.question in HAND_QUESTIONS
    picked = set(members(s.picked[holder])) if asked else set()
    fresh = set(members(s.fresh[holder]))
    per_row = int((WIDTH - 2 * MARGIN + GAP) // (faces.WIDTH + GAP))
    for place, card in enumerate(cards):
        design = DESIGNS[int(DESIGN[card])]
        with drawing.group(
            MARGIN + place % per_row * (faces.WIDTH + GAP),
            y + place // per_row * (faces.HEIGHT + GAP),
            actions=_card_actions(card) if asked else [],
            key=f"hand {card}",
            title=faces.tooltip(design) + (" (just drawn)" if card in fresh else ""),
        ):
            faces.face(drawing, design, picked=card in picked)
    return y + -(-len(cards) // per_row) * (faces.HEIGHT + GAP)
