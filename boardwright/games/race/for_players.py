"""What a person needs to play Race for the Galaxy at a terminal: the tables in short, cards with what they cost now,
sets of cards picked at once, cards looked up by name, the rules in short."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from boardwright.games.race.bits import WORDS, bits_of, has, members
from boardwright.games.race.cards import DESIGN, DESIGNS, IS_SECOND, MILITARY, SECOND_INDEX, Design
from boardwright.games.race.picks import pickable_word, three_kinds
from boardwright.games.race.rules import legal
from boardwright.games.race.scoring import score
from boardwright.games.race.state import (
    CONSUME,
    DISCARD,
    DONE,
    FOR_VP,
    NUM_ACTIONS,
    PAY,
    PLACE,
    SECOND_COPY,
    TRADE_GOOD,
    WINDFALL,
)
from boardwright.games.race.text import (
    asked_for,
    card_of,
    card_text,
    chosen_action,
    cost_now,
    facts,
    headline,
    name,
    names,
    points_text,
    seat_name,
)
from boardwright.kernel import Record
from boardwright.kernel.set_choice import SetChoice
from boardwright.wording import counted

RULES = Path(__file__).with_name("rules_in_short.txt").read_text(encoding="utf-8")


def show_brief(s: Record, seat: int) -> str:
    """Your table by name, and with two seats the other one; your hand, where it is not what you choose from."""
    lines = [headline(s)]
    for other in (seat, *(other for other in range(s.seats) if other != seat)):
        who = "you" if other == seat else seat_name(other)
        held = "" if other == seat else f", {s.hand_size[other]} in hand"
        placed = [int(card) for card in s.tableau[other][: s.size[other]]]
        goods = [place for place in range(s.size[other]) if s.good[other, place]]
        shown = other == seat or s.seats == 2
        size = "" if shown else f", {len(placed)} placed, {len(goods)} goods"
        lines.append(
            f"{who}: {counted(score(s, other), 'point')}, {counted(s.chips[other], 'chip')},"
            f" military {s.standing[other, MILITARY]:+d}{held}"
            f"{size}{chosen_action(s, other, seat)}"
        )
        if shown:
            lines.append("  " + ", ".join(name(card) + "*" * (place in goods) for place, card in enumerate(placed)))
    hand = members(s.hand[seat])
    if s.asked == seat and s.question == PLACE:
        hand = [card for card in hand if DESIGN[card] not in {DESIGN[card_of(action)] for action in _placements(s)}]
        lines += [f"also in your hand: {_in_short(hand)}"] if hand else []
    elif s.asked != seat or s.question not in (DISCARD, PAY, FOR_VP):
        lines.append(f"your hand: {_in_short(hand)}")
    asks_for_a_set = set_choice(s) is not None  # which the terminal asks for in its own words
    return "\n".join(lines if asks_for_a_set or s.asked != seat else [*lines, f"You choose {asked_for(s)}."])


def _placements(s: Record) -> list[int]:
    """The cards that can be placed now."""
    actions = np.zeros(NUM_ACTIONS, np.int64)
    return [int(action) for action in actions[: legal(s, actions)] if action != DONE]


def _in_short(cards: Sequence[int]) -> str:
    """Cards with cost and points, "d" before the cost of a military world standing for defence."""
    found = [DESIGNS[int(DESIGN[card])] for card in cards]
    return (
        ", ".join(
            f"{design.name} {'d' if design.has('military') else ''}{design.cost}/{points_text(design)}"
            for design in found
        )
        or "empty"
    )


def action_details(s: Record, action: int) -> str:
    """What the card that an action names costs and does."""
    if action == DONE or s.question not in (PLACE, DISCARD, PAY, FOR_VP, TRADE_GOOD, CONSUME, WINDFALL):
        return ""
    card = card_of(action)
    design = DESIGNS[int(DESIGN[card])]
    cost = cost_now(s, s.asked, card) if s.question in (PLACE, DISCARD, PAY, FOR_VP) else ""
    return facts(design, cost)


def set_choice(s: Record) -> SetChoice | None:
    """Cards to discard, to pay with or to give for points, and goods to consume: any set of the right size."""
    if s.question not in (DISCARD, PAY, FOR_VP, CONSUME) or three_kinds(s):
        return None
    seat = s.asked
    cards = [card for card in members([pickable_word(s, w) for w in range(WORDS)]) if s.picks[seat]]
    if not cards:
        return None
    given = len(cards) - s.picks[seat] if s.keeps[seat] else s.picks[seat]
    verb = {DISCARD: "discard", PAY: "pay with", FOR_VP: "give for victory points", CONSUME: "consume the good of"}
    keeps, original, any_number = bool(s.keeps[seat]), bool(s.original), s.question == FOR_VP

    def actions(chosen: Sequence[int]) -> list[int]:
        picked = [cards[place] for place in chosen]
        named = [card for card in cards if card not in picked] if keeps else picked
        steps = _steps(sorted(named), cards, original)
        return [*steps, DONE] if any_number and len(steps) < given else steps

    return SetChoice(
        verb=verb[s.question],
        items=tuple(name(card) for card in cards),
        keys=tuple(f"{seat} {card}" if s.question == CONSUME else f"hand {card}" for card in cards),
        details=tuple(_detail(s, seat, card) for card in cards),
        least=0 if any_number else given,
        most=given,
        begun=any(s.picked[seat]),
        actions=actions,
    )


def _detail(s: Record, seat: int, card: int) -> str:
    return facts(DESIGNS[int(DESIGN[card])], "" if s.question == CONSUME else cost_now(s, seat, card))


def _steps(named: Sequence[int], cards: Sequence[int], original: bool) -> list[int]:
    """Actions that name these cards in ascending order. Of two equal cards the first is named, unless it matters."""
    steps, floor = [], 0
    for card in named:
        first = card - 1
        if IS_SECOND[card] and first in cards and first not in named and not original:
            card = first
        if IS_SECOND[card] and first in cards and first >= floor and first not in named and original:
            steps.append(SECOND_COPY + int(SECOND_INDEX[card]))
        else:
            steps.append(int(DESIGN[card]))
        floor = card + 1
    return steps


def others(s: Record, seat: int) -> str:
    """The cards of the others, with their powers."""
    lines = []
    for other in range(s.seats):
        if other != seat:
            lines.append(f"{seat_name(other)}: {counted(score(s, other), 'point')}{chosen_action(s, other, seat)}")
            for place in range(s.size[other]):
                good = " [good]" if s.good[other, place] else ""
                lines.append(f"  {card_text(DESIGNS[int(DESIGN[s.tableau[other, place]])])}{good}")
    return "\n".join(lines)


def seen_cards(s: Record, seat: int) -> str:
    """The cards that a seat has seen in the discard pile or in other hands."""
    in_hands = {
        card for other in range(s.seats) if other != seat for card in members(s.hand[other]) if has(s.knows[seat], card)
    }
    discarded = bits_of([card for card in members(s.knows[seat]) if card not in in_hands])
    lines = [f"seen in the discard pile: {names(discarded)}"]
    return "\n".join([*lines, f"seen in other hands: {names(bits_of(in_hands))}"] if in_hands else lines)


def cards() -> dict[str, str]:
    """Every card of the game by name."""
    return {design.name: _whole_text(design) for design in DESIGNS}


def _whole_text(design: Design) -> str:
    lines = [card_text(design)]
    if design.bonus:
        lines.append("points at the end: " + ", ".join(_bonus_text(text) for text in design.bonus))
    others = [flag for flag in design.flags if flag not in ("military", "start")]
    lines += [f"counts as: {', '.join(others)}"] if others else []
    lines += ["start world"] if design.has("start") else []
    return "\n".join([*lines, f"{design.copies} in the game"])


def _bonus_text(text: str) -> str:
    points, what, *rest = text.split(maxsplit=2)
    return f"{points} for {rest[0]}" if what == "named_card" else f"{points} per {what.replace('_', ' ')}"
