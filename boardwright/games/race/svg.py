"""A position of Race for the Galaxy as a picture: the actions, everybody's tableau, and the hand that the seat sees."""

from __future__ import annotations

from collections.abc import Sequence

from boardwright.drawing import CARD, CARD_EDGE, CARD_INK, FAINT, SEAT_COLOURS, WIDE, Drawing, Layout, text_width
from boardwright.games.race import cards as tables
from boardwright.games.race import faces, state
from boardwright.games.race.bits import members
from boardwright.games.race.scoring import score
from boardwright.games.race.text import ACTION_NAMES, PHASES, asked_for, describe_action, pool_text, seat_name
from boardwright.kernel import Record
from boardwright.wording import counted

MARGIN, GAP = 10, 6
HAND_QUESTIONS = (state.DISCARD, state.PAY, state.PLACE, state.FOR_VP)
TABLEAU_QUESTIONS = (state.TRADE_GOOD, state.CONSUME, state.WINDFALL)
NUMERAL_OF_ACTION = {1: "I", 2: "I", 3: "II", 5: "III", 7: "IV", 8: "IV", 9: "V"}
BRIEF_NAMES = {7: "Trade", 8: "Consume ×2"}
ACTIONS_PER_ROW_WHEN_NARROW = 4
ROOM_FOR_ALL_ACTIONS = 640  # in one row, with their names in full


def draw_state(s: Record, seat: int | None, layout: Layout = WIDE) -> str:
    """On top what can be done and the hand of the seat that looks, then its tableau, then everybody else's; without a
    seat everybody's hand is shown."""
    drawing = Drawing(layout.width)
    piles = f"{pool_text(s)} · deck {s.deck_size} · discards {s.discard_size}"
    head = _heading(s, PHASES)
    if layout.narrow or 1.1 * text_width(head, 18) + text_width(piles, 14) + 4 * MARGIN > layout.width:
        head = _heading(s, list(faces.NUMERALS.values()), "phases ")
    drawing.text(MARGIN, 24, head, size=16 if layout.narrow else 18, bold=True)
    if layout.narrow:
        drawing.text(MARGIN, 41, piles, size=12, fill=FAINT)
    else:
        drawing.text(layout.width - MARGIN, 24, piles, fill=FAINT, anchor="end")
    y = _draw_actions(drawing, s, seat, layout, 50 if layout.narrow else 36)
    y = _draw_answers(drawing, s, seat, layout, y)
    for holder in [holder for holder in range(s.seats) if seat in (None, holder)]:
        y = _draw_hand(drawing, s, holder, layout, y)
    own = seat if seat is not None and seat >= 0 else 0
    for other in [(own + i) % s.seats for i in range(s.seats)]:
        y = _draw_seat(drawing, s, other, seat, layout, y)
    drawing.height = y + 4
    return drawing.svg("Race for the Galaxy")


def _heading(s: Record, names: Sequence[str], before: str = "") -> str:
    """The round with its phases, by these names."""
    phases = ", ".join(phase for number, phase in enumerate(names) if s.phases >> number & 1)
    return (f"Round {s.round}" if s.round else "Setup") + (f" · {before}{phases}" if phases else "")


def _draw_actions(drawing: Drawing, s: Record, seat: int | None, layout: Layout, y: float) -> float:
    """The seven actions of a round, with a dot for everybody who has chosen it. On a phone they are small where one
    does not choose among them."""
    if layout.narrow and s.question != state.CHOOSE_ACTION:
        return _draw_chosen_actions(drawing, s, seat, layout, y)
    per_row = ACTIONS_PER_ROW_WHEN_NARROW if layout.width < ROOM_FOR_ALL_ACTIONS else len(ACTION_NAMES)
    room = layout.width - 2 * MARGIN
    width = (room - (per_row - 1) * GAP) / per_row
    in_short = width < 128
    numeral_width = 20 if in_short else 30
    for place, (action, name) in enumerate(ACTION_NAMES.items()):
        chosen = [other for other in range(s.seats) if s.chosen[other] == action and _sees_choice(s, other, seat)]
        x, top = MARGIN + place % per_row * (width + GAP), y + place // per_row * 46
        with drawing.group(x, top, actions=[state.ACTION + action], title=name):
            numeral = NUMERAL_OF_ACTION[action]
            drawing.rect(0, 0, width, 40, fill=CARD, edge=CARD_EDGE, line=2.5 if chosen else 1, corner=8)
            drawing.rect(4, 6, numeral_width, 28, fill=faces.NUMERAL_FILLS[numeral], corner=6)
            drawing.text(4 + numeral_width / 2, 25, numeral, size=13, fill="#ffffff", anchor="middle", bold=True)
            lines = _action_lines(BRIEF_NAMES.get(action, name) if in_short else name, width - numeral_width - 8)
            for number, line in enumerate(lines):
                base = 25 if len(lines) == 1 else 18 + 14 * number
                size = 11 if in_short else 13
                drawing.text(numeral_width + 8, base, line, size=size, fill=CARD_INK, bold=bool(chosen))
            for number, other in enumerate(chosen):
                drawing.circle(width - 8 - 12 * number, 8, 5, fill=SEAT_COLOURS[other])
    return y + -(-len(ACTION_NAMES) // per_row) * 46 + 4


def _draw_chosen_actions(drawing: Drawing, s: Record, seat: int | None, layout: Layout, y: float) -> float:
    """Who has chosen what, in a line."""
    width = (layout.width - 2 * MARGIN - (len(ACTION_NAMES) - 1) * GAP) / len(ACTION_NAMES)
    for place, (action, name) in enumerate(ACTION_NAMES.items()):
        chosen = [other for other in range(s.seats) if s.chosen[other] == action and _sees_choice(s, other, seat)]
        with drawing.group(MARGIN + place * (width + GAP), y, title=name, opacity=1.0 if chosen else 0.45):
            numeral = NUMERAL_OF_ACTION[action]
            drawing.rect(0, 0, width, 22, fill=faces.NUMERAL_FILLS[numeral], corner=6)
            drawing.text(4, 16, numeral, size=12, fill="#ffffff", bold=True)
            for number, other in enumerate(chosen):
                drawing.circle(width - 8 - 9 * number, 11, 4, fill=SEAT_COLOURS[other], edge="#ffffff")
    return y + 30


def _action_lines(name: str, room: float) -> list[str]:
    return [name] if text_width(name, 12) <= room else name.split(" ", 1)


def _sees_choice(s: Record, other: int, seat: int | None) -> bool:
    return s.chosen[other] != state.HIDDEN and (s.stage != state.ROUND_CHOOSE or seat in (None, other))


def _draw_seat(drawing: Drawing, s: Record, other: int, seat: int | None, layout: Layout, y: float) -> float:
    to_move = s.asked == other and s.question != state.GAME_OVER
    name = seat_name(other) + (" (you)" if seat == other else "") + (" · first" if s.first == other else "")
    waiting = " · has chosen" if s.chosen[other] and not _sees_choice(s, other, seat) else ""
    asked = f" · chooses {asked_for(s)}" if to_move and not layout.narrow else ""
    military = f"military {s.standing[other, tables.MILITARY]:+d}"
    chips, cards = counted(s.chips[other], "chip"), counted(s.hand_size[other], "card")
    facts = (
        f"{counted(score(s, other), 'point')} · {chips} · {cards} · {s.size[other]} placed · {military}{waiting}{asked}"
    )
    if layout.narrow:
        facts = f"{counted(score(s, other), 'pt')} · {chips} · {cards} · {military}{waiting}"
    folded = None if seat == other else layout.folds(other)
    room = layout.width - 2 * MARGIN
    y = drawing.seat_line(MARGIN, y, room, other, name, facts, to_move=to_move, folded=folded) + GAP
    if folded:
        return y
    picked = set(members(s.picked[other])) if to_move and s.question == state.CONSUME else set()
    per_row, width, height = _places(layout, 2)
    for place in range(s.size[other]):
        card = int(s.tableau[other, place])
        design = tables.DESIGNS[int(tables.DESIGN[card])]
        with drawing.group(
            MARGIN + place % per_row * (width + GAP),
            y + place // per_row * (height + GAP),
            actions=_tableau_actions(s, card) if to_move else [],
            key=f"{other} {card}",
            title=faces.tooltip(design),
        ):
            draw = faces.row if layout.narrow else faces.face
            draw(drawing, design, width, good=bool(s.good[other, place]), picked=card in picked)
    return y + -(-int(s.size[other]) // per_row) * (height + GAP) + 4


def _places(layout: Layout, narrow_columns: int) -> tuple[int, float, float]:
    """How many cards there are in a row, and the width and height of one."""
    room = layout.width - 2 * MARGIN
    per_row = narrow_columns if layout.narrow else int((room + GAP) // (faces.WIDTH + GAP))
    width = (room - (per_row - 1) * GAP) / per_row
    return per_row, width, faces.ROW_HEIGHT if layout.narrow else faces.HEIGHT


def _tableau_actions(s: Record, card: int) -> list[int]:
    """What a click on a card of the tableau of the seat that is asked can mean."""
    if s.question in TABLEAU_QUESTIONS:
        return _card_actions(card)
    if s.question == state.USE_POWER:
        design = int(tables.DESIGN[card])
        return [state.POWER + number for number, power in enumerate(tables.CONSUME_POWERS) if power.design == design]
    return []


def _card_actions(card: int) -> list[int]:
    return [
        int(tables.DESIGN[card]),
        *([state.SECOND_COPY + int(tables.SECOND_INDEX[card])] if tables.IS_SECOND[card] else []),
    ]


def _draw_answers(drawing: Drawing, s: Record, seat: int | None, layout: Layout, y: float) -> float:
    """Answers that are no card."""
    if s.question == state.GAME_OVER or seat not in (None, s.asked):
        return y
    if s.question == state.SPECIAL:
        owned = sum(
            bit
            for bit, total in (
                (state.USE_COLONY_SHIP, tables.COLONY_SHIP),
                (state.USE_TACTICS, tables.TACTICS),
                (state.USE_CONTACT, tables.CONTACT),
            )
            if s.standing[s.asked, total]
        )
        answers = [state.SPECIALS + mask for mask in range(8) if mask & ~owned == 0]
    elif s.question == state.GUESS:
        answers = [state.GUESSES + guess for guess in range(state.HIGHEST_GUESS + 1)]
    elif s.question in (state.PLACE, state.USE_POWER, state.FOR_VP):
        answers = [state.DONE]
    else:
        return y
    return drawing.buttons(MARGIN, y, layout.width - 2 * MARGIN, {a: describe_action(s, a) for a in answers})


def _draw_hand(drawing: Drawing, s: Record, holder: int, layout: Layout, y: float) -> float:
    cards = members(s.hand[holder])
    drawing.text(MARGIN, y + 14, f"Hand of {seat_name(holder)}: {len(cards)} cards", size=14, bold=True)
    y += 22
    asked = s.asked == holder and s.question in HAND_QUESTIONS
    picked = set(members(s.picked[holder])) if asked else set()
    fresh = set(members(s.fresh[holder]))
    per_row, width, height = _places(layout, 1)
    for place, card in enumerate(cards):
        design = tables.DESIGNS[int(tables.DESIGN[card])]
        with drawing.group(
            MARGIN + place % per_row * (width + GAP),
            y + place // per_row * (height + GAP),
            actions=_card_actions(card) if asked else [],
            key=f"hand {card}",
            title=faces.tooltip(design) + (" (just drawn)" if card in fresh else ""),
        ):
            (faces.row if layout.narrow else faces.face)(drawing, design, width, picked=card in picked)
    return y + -(-len(cards) // per_row) * (height + GAP) + 4
