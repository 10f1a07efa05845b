"""Race for the Galaxy for people: cards, actions and positions as text, and what reports group actions under."""

from __future__ import annotations

import tomllib
from pathlib import Path

from boardwright.games.race import cards as tables
from boardwright.games.race import state
from boardwright.games.race.bits import WORDS, members
from boardwright.games.race.develop import develop_discount
from boardwright.games.race.picks import pickable_word, three_kinds
from boardwright.games.race.scoring import score
from boardwright.games.race.settle import settle_price, strength
from boardwright.kernel import SPECTATOR, Record, SeatMetrics, Trait
from boardwright.wording import counted

ACTION_NAMES = {
    state.EXPLORE_FIVE: "Explore +5",
    state.EXPLORE_ONE: "Explore +1/+1",
    state.DEVELOP_ACTION: "Develop",
    state.SETTLE_ACTION: "Settle",
    state.CONSUME_TRADE_ACTION: "Consume-Trade",
    state.CONSUME_TWICE: "Consume-×2",
    state.PRODUCE_ACTION: "Produce",
}
PHASES = ("Explore", "Develop", "Settle", "Consume", "Produce")

_KIND_TEXTS = tomllib.loads(Path(__file__).with_name("power_texts.toml").read_text(encoding="utf-8"))


def power_text(power: tables.Power) -> str:
    """A power in short: "settle: military +2"."""
    return f"{power.phase}: {effect_text(power)}"


def effect_text(power: tables.Power) -> str:
    kinds, value = power.kinds, power.value
    for kind, text in _KIND_TEXTS.items():
        if kind in kinds:
            return text.format(v=value) + (" at its plain value" if "ignore_trade_bonuses" in kinds else "")
    only = next((f" against {k.removeprefix('only_vs_')}s" for k in kinds if k.startswith("only_vs_")), "")
    only = next((f" for {k.removeprefix('only_')}" for k in kinds if k.startswith("only_") and "vs" not in k), only)
    if "discard_this_card" in kinds:
        return "discard for " + ("a free world" if "pay_zero" in kinds else f"military +{value}")
    if "military" in kinds:
        return f"military {value:+d}{only}"
    if "discount" in kinds:
        return f"-{value} cost{only}"
    if kinds == {"draw"}:
        return f"draw {value}"
    if power.phase == "produce":
        return f"good for a {tables.KINDS[power.good_kind]} windfall world"
    return f"{_given(power)} → {_reward(power)}"


def _given(power: tables.Power) -> str:
    kinds = power.kinds
    if "discard_from_hand" in kinds:
        return f"up to {power.times} cards"
    if "consume_three_kinds" in kinds:
        return "3 kinds of goods"
    if "consume_all" in kinds:
        return "all goods but one"
    sort = "" if power.good_kind == 0 else f" {tables.KINDS[power.good_kind]}"
    if "needs_two_goods" in kinds:
        return f"2{sort} goods"
    return f"{power.times if power.times > 1 else 'a'}{sort} good{'s' if power.times > 1 else ''}"


def _reward(power: tables.Power) -> str:
    parts = []
    if "gain_vp" in power.kinds:
        parts.append(f"{power.value} VP")
    if "gain_card" in power.kinds:
        parts.append(f"{power.value} card")
    if "gain_two_cards" in power.kinds:
        parts.append(f"{2 * power.value} cards")
    return " + ".join(parts) + (" each" if power.times > 1 else "")


def card_text(design: tables.Design) -> str:
    """A card in one line: name, kind, cost, points, good, powers."""
    cost = f"defence {design.cost}" if design.has("military") else f"cost {design.cost}"
    return f"{design.name} ({facts(design, cost)})"


def facts(design: tables.Design, cost: str) -> str:
    """All about a card but its name, with its cost as given."""
    kind = f"military {design.type}" if design.has("military") else design.type
    good = f"{design.good} {design.production}" if design.production else ""
    summary = ", ".join(part for part in (kind, cost, f"{points_text(design)} VP", good) if part)
    return "; ".join([summary, *(power_text(power) for power in design.powers)])


def cost_now(s: Record, seat: int, card: int) -> str:
    """What a card of the hand costs this seat, after discounts: "cost 3, for you 1"."""
    design = tables.DESIGNS[int(tables.DESIGN[card])]
    if design.has("military"):
        return f"defence {design.cost}, your strength {strength(s, seat, card)}"
    price = settle_price(s, seat, card) if design.world else design.cost - develop_discount(s, seat)
    price = max(0, int(price))
    return f"cost {design.cost}" + (f", for you {price}" if price != design.cost else "")


def hand_line(s: Record, seat: int, card: int) -> str:
    """A card of a hand as its owner reads it."""
    design = tables.DESIGNS[int(tables.DESIGN[card])]
    return f"{design.name} ({facts(design, cost_now(s, seat, card))})"


def points_text(design: tables.Design) -> str:
    return "?" if design.bonus else str(design.vp)


def name(card: int) -> str:
    return tables.DESIGNS[int(tables.DESIGN[card])].name


def names(cards: object) -> str:
    return ", ".join(name(card) for card in members(cards)) or "nothing"


def seat_name(seat: int) -> str:
    return f"seat {seat + 1}"


def card_of(action: int) -> int:
    """The card that a card-naming action names, as far as the action tells."""
    return int(
        tables.SECOND_CARD[action - state.SECOND_COPY] if action >= state.SECOND_COPY else tables.FIRST_CARD[action]
    )


def _card_action(action: int) -> str:
    return name(card_of(action)) + (" (the second copy)" if action >= state.SECOND_COPY else "")


def specials_text(mask: int) -> str:
    used = [
        text
        for bit, text in (
            (state.USE_COLONY_SHIP, "discard Colony Ship"),
            (state.USE_TACTICS, "discard New Military Tactics"),
            (state.USE_CONTACT, "use Contact Specialist"),
        )
        if mask & bit
    ]
    return " and ".join(used) or "use no special card"


def describe_action(s: Record, action: int) -> str:
    """An action as a player would say it."""
    question = s.question
    if question == state.CHOOSE_ACTION:
        return ACTION_NAMES[action - state.ACTION]
    if question == state.SPECIAL:
        return f"for {name(s.placing[s.asked] - 1)}: {specials_text(action - state.SPECIALS)}"
    if question == state.GUESS:
        return f"guess cost {action - state.GUESSES}"
    if question == state.USE_POWER:
        if action == state.DONE:
            return "use no more powers"
        power = tables.CONSUME_POWERS[action - state.POWER]
        design = tables.DESIGNS[power.design]
        return f"use {design.name}: {effect_text(design.powers[power.position])}"
    if action == state.DONE:
        return {state.PLACE: "place nothing", state.FOR_VP: "no more cards"}.get(question, "nothing left to choose")
    card = _card_action(action)
    if question == state.PLACE:
        return f"{'develop' if s.stage == state.DEVELOP_PLACE else 'settle'} {card}"
    if question == state.TRADE_GOOD:
        return f"trade the good of {card}"
    if question == state.WINDFALL:
        return f"produce on {card}"
    return f"{_pick_verb(s)} {card}"


def _pick_verb(s: Record) -> str:
    if s.question == state.CONSUME:
        return "keep the good of" if s.keeps[s.asked] else "consume the good of"
    if s.keeps[s.asked]:
        return "keep"
    return {state.DISCARD: "discard", state.PAY: "pay with", state.FOR_VP: "give for a victory point"}[s.question]


def revealed(before: Record, after: Record, seat: int) -> list[str]:
    """The actions and the cards of those who chose in secret, when all have chosen; and of everybody, what was paid,
    drawn, produced, consumed and earned."""
    lines = []
    for other in range(after.seats):
        if other == seat:
            continue
        if before.chosen[other] == state.HIDDEN and after.chosen[other] not in (0, state.HIDDEN):
            lines.append(f"{seat_name(other)} has chosen {ACTION_NAMES[after.chosen[other]]}")
        lay_there = {int(tables.DESIGN[card]) for card in before.tableau[other][: before.size[other]]}
        for card in after.tableau[other][: after.size[other]]:
            described = before.question == state.PLACE and before.asked == other
            if int(tables.DESIGN[card]) not in lay_there and not described:
                lines.append(f"{seat_name(other)} places {name(card)}")
    return [*lines, *(line for other in range(after.seats) for line in _gains(before, after, other, seat))]


def _gains(before: Record, after: Record, other: int, seat: int) -> list[str]:
    """What a seat has more and less of: cards, goods, chips. The own cards are named."""
    old, new = (_goods(s, other) for s in (before, after))
    who, ending = ("you", "") if other == seat else (seat_name(other), "s")
    placed = len(set(new) - set(old))
    drawn = int(after.hand_size[other]) - int(before.hand_size[other]) + placed
    lines = []
    if produced := [card for card in new if new[card] and not old.get(card)]:
        lines.append(f"{who} produce{ending} on {', '.join(map(name, produced))}")
    used = [card for card in old if old[card] and not new.get(card)]
    described = before.asked == other and before.question in (state.TRADE_GOOD, state.CONSUME) and len(used) == 1
    if used and not described:
        lines.append(f"{who} use{ending} the good{'s' if len(used) > 1 else ''} of {', '.join(map(name, used))}")
    if other == seat:
        fresh = [card for card in members(after.hand[seat]) if card not in members(before.hand[seat])]
        lines += [f"you draw {', '.join(map(name, fresh))}"] if fresh else []
    elif drawn > 0:
        lines.append(f"{who} draws {counted(drawn, 'card')}")
    elif drawn < 0:
        verb = {state.DISCARD: "discards", state.PAY: "pays with"}.get(before.question, "gives")
        lines.append(f"{who} {verb} {counted(-drawn, 'card')}")
    if (chips := after.chips[other] - before.chips[other]) > 0:
        lines.append(f"{who} get{ending} {counted(chips, 'point')}")
    return lines


def _goods(s: Record, seat: int) -> dict[int, bool]:
    """The cards that lie before a seat, and whether there is a good on each."""
    return {int(s.tableau[seat, place]): bool(s.good[seat, place]) for place in range(s.size[seat])}


def action_group(s: Record, action: int) -> tuple[str, str] | None:
    """Reports group round actions, developments and worlds."""
    if s.question == state.CHOOSE_ACTION:
        return "action", ACTION_NAMES[action - state.ACTION]
    if s.question == state.PLACE and action != state.DONE:
        return ("development" if s.stage == state.DEVELOP_PLACE else "world"), name(card_of(action))
    return None


def seat_metrics(s: Record, seat: int) -> SeatMetrics:
    """For reports: where the points come from, and the start world."""
    parts = {"chips": s.chips[seat], "worlds": 0, "developments": 0, "six-cost developments": 0}
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        part = "worlds" if tables.IS_WORLD[card] else "six-cost developments" if tables.IS_SIX[card] else "developments"
        parts[part] += int(tables.VP[card])
    parts["six-cost developments"] += score(s, seat) - sum(parts.values())
    return SeatMetrics(parts, (Trait("start world", name(s.tableau[seat, 0])),))


QUESTIONS = {
    state.CHOOSE_ACTION: "action",
    state.DISCARD: "discard",
    state.SPECIAL: "special cards",
    state.PAY: "payment",
    state.TRADE_GOOD: "trade",
    state.USE_POWER: "consume power",
    state.CONSUME: "goods to consume",
    state.FOR_VP: "cards for points",
    state.GUESS: "gamble",
    state.WINDFALL: "windfall",
}


def question(s: Record) -> str:
    """What reports group decisions by."""
    if s.question == state.PLACE:
        return "development" if s.stage == state.DEVELOP_PLACE else "world"
    return QUESTIONS[s.question]


def asked_for(s: Record) -> str:
    """The question under way, in words."""
    if s.question in (state.DISCARD, state.PAY, state.CONSUME) and not any(s.picked[s.asked]) and not three_kinds(s):
        return _set_asked_for(s)
    return {
        state.CHOOSE_ACTION: "an action",
        state.DISCARD: f"{s.left} more to {'keep' if s.keeps[s.asked] else 'discard'}",
        state.PLACE: "a development" if s.stage == state.DEVELOP_PLACE else "a world",
        state.SPECIAL: "special cards to settle with",
        state.PAY: f"{s.left} more to {'keep in paying' if s.keeps[s.asked] else 'pay with'}",
        state.TRADE_GOOD: "a good to trade",
        state.USE_POWER: "a consume power",
        state.CONSUME: f"{s.left} more goods to {'keep' if s.keeps[s.asked] else 'consume'}",
        state.FOR_VP: "cards for victory points",
        state.GUESS: "a cost",
        state.WINDFALL: "a windfall world to produce on",
    }[s.question]


def _set_asked_for(s: Record) -> str:
    """Of how many things how many go, before the first is named."""
    if s.question == state.CONSUME:
        available = len(members([pickable_word(s, w) for w in range(WORDS)]))
    else:
        available = s.drawn[s.asked] if s.stage == state.EXPLORE_KEEP else s.hand_size[s.asked]
    given = available - s.picks[s.asked] if s.keeps[s.asked] else s.picks[s.asked]
    what = {state.DISCARD: "cards to discard", state.PAY: "cards to pay with", state.CONSUME: "goods to consume"}[
        s.question
    ]
    return f"{given} of {available} {what}"


def headline(s: Record) -> str:
    """The round, its phases, and what is left."""
    phases = [phase for i, phase in enumerate(PHASES) if s.phases >> i & 1]
    head = f"round {s.round}" if s.round else "setup"
    if s.question == state.GAME_OVER:
        head += ", over"
    elif phases:
        head += f": {', '.join(phases)}"
    return f"{head} | {pool_text(s)} | deck {s.deck_size} | discards {s.discard_size}"


def pool_text(s: Record) -> str:
    """The chips that are left. In the last round more may be given than there are."""
    return f"pool {s.pool}" if s.pool > 0 else "pool empty"


def show_state(s: Record, seat: int | None) -> str:
    """A position as text. A seat reads the powers of all cards, and only numbers of what is hidden from it; without a
    seat everything is shown, in short."""
    lines = [headline(s)]
    for other in range(s.seats):
        lines += _show_seat(s, other, seat)
    if s.question != state.GAME_OVER:
        lines.append(f"{seat_name(s.asked)} chooses {asked_for(s)}")
    return "\n".join(lines)


def _show_seat(s: Record, other: int, seat: int | None) -> list[str]:
    first = " (first)" if s.first == other else ""
    lines = [
        f"{seat_name(other)}{first}: {counted(score(s, other), 'point')}, {counted(s.chips[other], 'chip')},"
        f" military {s.standing[other, tables.MILITARY]:+d}{chosen_action(s, other, seat)}"
    ]
    placed = []
    for place in range(s.size[other]):
        design = tables.DESIGNS[int(tables.DESIGN[s.tableau[other, place]])]
        good = f" [{design.good} good]" if s.good[other, place] else ""
        text = card_text(design) if seat is not None else f"{design.name} {design.cost}/{points_text(design)}"
        placed.append(f"{text}{good}")
    lines += [f"  {text}" for text in placed] if seat is not None else [f"  {', '.join(placed)}"]
    if seat is None or seat == other:
        lines += _hand_lines(s, other, seat)
        if s.asked == other and s.question in (state.DISCARD, state.PAY, state.FOR_VP) and any(s.picked[other]):
            lines.append(f"  picked: {names(s.picked[other])}")
        if seat is not None and any(s.knows[other]):
            lines.append(f"  has seen in the discard pile or in other hands: {names(s.knows[other])}")
    else:
        seen = f", among them {names(s.hand[other])}" if any(s.hand[other]) and seat != SPECTATOR else ""
        lines.append(f"  hand: {counted(s.hand_size[other], 'card')}{seen}")
    return lines


def chosen_action(s: Record, other: int, seat: int | None) -> str:
    """The action of a seat as another sees it; empty before it is chosen."""
    action = s.chosen[other]
    hidden = s.stage == state.ROUND_CHOOSE and seat not in (None, other)
    if not action:
        return ""
    return " | has chosen" if hidden or action == state.HIDDEN else f" | {ACTION_NAMES[action]}"


def _hand_lines(s: Record, owner: int, seat: int | None) -> list[str]:
    """The owner reads the cards with their costs and powers."""
    if seat is None:
        return [f"  hand ({s.hand_size[owner]}): {names(s.hand[owner])}"]
    return [f"  hand ({s.hand_size[owner]}):", *(f"    {hand_line(s, owner, card)}" for card in members(s.hand[owner]))]
