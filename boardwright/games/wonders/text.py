"""7 Wonders for people: actions and positions as text, and what reports count."""

from __future__ import annotations

import numpy as np

from boardwright.drawing import remembered
from boardwright.games.wonders import cards as tables
from boardwright.games.wonders import state
from boardwright.games.wonders.building import COINS_FOR_A_DISCARD
from boardwright.games.wonders.choosing import is_chained, ways_to_build, ways_to_stage
from boardwright.games.wonders.costs import NO_PURCHASE, NO_RIGHT, NO_WAY, UNLIMITED, least, offered, right_for, ways
from boardwright.games.wonders.information import first_held, is_hidden, times_held
from boardwright.games.wonders.scoring import PARTS, breakdown, total
from boardwright.games.wonders.slips import CARD_DATA
from boardwright.games.wonders.state import packet_of
from boardwright.kernel import SPECTATOR, Record, SeatMetrics, Trait
from boardwright.wording import counted

ROMAN = ("I", "II", "III")


@remembered
def goods_text(packed: int) -> str:
    """Packed goods in words: `2 wood, glass`."""
    numbers = [(packed >> (tables.GOOD_BITS * i) & tables.UNIT_MASK, good) for i, good in enumerate(tables.GOODS)]
    return ", ".join(good if n == 1 else f"{n} {good}" for n, good in numbers if n) or "nothing"


_SIDES = {"left": "the left neighbour", "right": "the right neighbour", "left right": "both neighbours"}
_CITIES = {"self": "of yours", "left right": "of your neighbours", "self left right": "of yours and your neighbours"}
_COUNTED = {"stage": "wonder stage", "defeat": "defeat token"}


@remembered
def gives_text(gives: str) -> str:
    """What a structure or a stage gives, in words; cards.txt says it in short."""
    return ", ".join(_part_text(part) for part in gives.split(", "))


def _part_text(part: str) -> str:
    words = part.split()
    if "per" in words:
        gain, _, rest = part.partition(" per ")
        things, _, cities = rest.partition(" in ")
        numbers, units = gain.split()[::2], gain.split()[1::2]
        gains = [counted(int(number), unit.removesuffix("s")) for number, unit in zip(numbers, units, strict=True)]
        *others, last = things.split()
        kinds = _COUNTED.get(last, f"{' or '.join([', '.join(others), last]) if others else last} card")
        return f"{' and '.join(gains)} per {kinds} {_CITIES[cities]}"
    if "for" in words:
        goods, _, sides = part.partition(" for 1 from ")
        return f"{goods} goods for 1 coin from {_SIDES[sides]}"
    if words[0].isdigit():
        return counted(int(words[0]), words[1].removesuffix("s"))
    return part


@remembered
def choice_text(mask: int) -> str:
    return "/".join(good for i, good in enumerate(tables.GOODS) if mask >> i & 1)


def payment(left: int, right: int) -> str:
    parts = [f"{coins} to the {side}" for coins, side in ((left, "left"), (right, "right")) if coins]
    return ", ".join(parts)


def describe_action(s: Record, action: int) -> str:
    use, seat = state.use_of(action), s.mover
    if use == state.FROM_PILE:
        return f"build {tables.NAMES[state.kind_in(action)]} from the discards"
    if use == state.NOTHING:
        return "build nothing from the discards"
    name, left = tables.NAMES[state.kind_in(action)], state.to_left(action)
    if use == state.DISCARD:
        return f"discard {name} for {COINS_FOR_A_DISCARD} coins"
    if use == state.FREE:
        return f"build {name} free by Olympia's power" + (", losing 1 coin" if action >= state.DEAR else "")
    if use == state.STAGE:
        number = s.city[seat].stages + 1
        paid = payment(left, right_for(ways_to_stage(s, seat), left))
        return f"tuck {name} for stage {number}" + (f" ({paid})" if paid else "")
    kind = state.kind_in(action)
    paid = payment(left, right_for(ways_to_build(s, seat, kind), left))
    chained = is_chained(s, seat, kind)
    bank = f"{counted(tables.COST_COINS[kind], 'coin')} to the bank" if tables.COST_COINS[kind] and not chained else ""
    cost = ", ".join(part for part in (bank, paid, "1 coin lost" if action >= state.DEAR else "") if part)
    if chained and not cost:
        return f"build {name} (free: chained)"
    return f"build {name}" + (f" ({cost})" if cost else "")


def revealed(before: Record, after: Record, seat: int) -> list[str]:
    """When the last seat has chosen: what the others built, that they built a stage or discarded, whose coins are
    others now, and the conflicts of an Age. Of who chose last a build is told already. The same for the seventh card of
    Babylon."""
    if before.phase == state.DIG or any(choice != state.NOT_YET for choice in after.chosen[: after.seats]):
        return []
    lines = []
    for who in range(after.seats):
        if who == seat or (before.phase == state.SEVENTH and who != before.mover):
            continue
        old, new = before.city[who], after.city[who]
        built = [kind for kind in range(tables.KINDS) if new.built[kind] > old.built[kind]]
        if built and who != before.mover:
            lines.append(f"seat {who + 1} builds {tables.NAMES[built[0]]}")
        elif new.stages > old.stages:
            lines.append(f"seat {who + 1} builds stage {new.stages} of {board_name(after, who)}")
        elif not built:
            lines.append(f"seat {who + 1} discards a card")
    return [*lines, *_coin_lines(before, after, seat), *_conflict_lines(before, after, seat)]


def _coin_lines(before: Record, after: Record, seat: int) -> list[str]:
    """Everybody's coins that have changed, in one line: by costs, trade, discards and what cards give."""
    changes = [
        f"{'you' if who == seat else f'seat {who + 1}'} {before.city[who].coins} → {after.city[who].coins}"
        for who in range(after.seats)
        if before.city[who].coins != after.city[who].coins
    ]
    return [f"coins: {', '.join(changes)}"] if changes else []


def _conflict_lines(before: Record, after: Record, seat: int) -> list[str]:
    """At the end of an Age, what everybody won and lost."""
    parts = []
    for who in range(after.seats):
        won = after.city[who].victory - before.city[who].victory
        lost = after.city[who].defeats - before.city[who].defeats
        if won or lost:
            parts.append(f"{'you' if who == seat else f'seat {who + 1}'} +{won} -{lost}")
    return [f"conflicts: {', '.join(parts)}"] if parts else []


def action_group(s: Record, action: int) -> tuple[str, str] | None:
    """Reports group actions by the structure built or the stage of which board."""
    use = state.use_of(action)
    if use == state.DISCARD:
        return ("discard", tables.NAMES[state.kind_in(action)])
    if use == state.STAGE:
        city = s.city[s.mover]
        return ("stage", f"{board_name(s, s.mover)} {city.stages + 1}")
    return None if use == state.NOTHING else ("structure", tables.NAMES[state.kind_in(action)])


def why_not(s: Record, seat: int, kind: int) -> str:
    """Why a card cannot be built now; empty if it can."""
    city = s.city[seat]
    if city.built[kind]:
        return "already in the city"
    if is_chained(s, seat, kind) or ways_to_build(s, seat, kind) != NO_WAY:
        return ""
    if city.coins < tables.COST_COINS[kind]:
        return f"costs {counted(tables.COST_COINS[kind], 'coin')}"
    frontier = ways(s, seat, int(tables.NEED[s.slips & CARD_DATA, kind]), UNLIMITED)
    if frontier == NO_WAY:
        return "goods missing that no neighbour sells"
    return f"goods would cost {counted(least(frontier), 'coin')}"


def card_line(s: Record, seat: int, kind: int) -> str:
    """A card of the hand: what it is, what it gives, what it would cost now."""
    structure = tables.STRUCTURES[kind]
    text = f"{structure.name} ({tables.COLOURS[structure.colour]}): {gives_text(structure.text)}"
    reason = why_not(s, seat, kind)
    if reason:
        return f"{text} - cannot be built: {reason}"
    if is_chained(s, seat, kind) and ways_to_build(s, seat, kind) == NO_PURCHASE:
        return f"{text} - free, chained"
    return f"{text} - {cost_line(ways_to_build(s, seat, kind), s.undominated, tables.COST_COINS[kind])}"


@remembered
def cost_line(frontier: int, undominated: int, bank: int) -> str:
    shown = offered(frontier, undominated)
    splits = [(left, right_for(shown, left)) for left in range(state.MOST_TO_LEFT)]
    ways_to_pay = [payment(left, right) for left, right in splits if right < NO_RIGHT]
    parts = [f"{counted(bank, 'coin')} to the bank"] if bank else []
    if any(ways_to_pay):
        parts.append(" or ".join(ways_to_pay))
    return ", ".join(parts) or "free"


def stage_line(s: Record, seat: int) -> str:
    city = s.city[seat]
    if city.stages == tables.STAGES[city.board, city.side]:
        return "wonder complete"
    stage = tables.STAGE_ROWS[city.board, city.side][city.stages]
    need = int(tables.STAGE_NEED[s.slips & CARD_DATA, city.board, city.side, city.stages])
    frontier = ways_to_stage(s, seat)
    cost = "cannot be paid now" if frontier == NO_WAY else cost_line(frontier, s.undominated, 0)
    return f"next stage: {gives_text(stage.text)} for {goods_text(need)} - {cost}"


def board_name(s: Record, seat: int) -> str:
    city = s.city[seat]
    return f"{tables.BOARD_NAMES[city.board]} {'AB'[city.side]}"


def city_lines(s: Record, seat: int, title: str) -> list[str]:
    city = s.city[seat]
    produced = [goods_text(city.goods), *(choice_text(city.choice[i]) for i in range(city.choices))]
    produced += [f"{choice_text(city.extra[i])} (not for sale)" for i in range(city.extras)]
    symbols = ", ".join(f"{city.symbols[i]} {name}" for i, name in enumerate(tables.SYMBOLS) if city.symbols[i])
    lines = [
        f"{title}: {board_name(s, seat)},"
        f" {city.stages} of {tables.STAGES[city.board, city.side]} stages,"
        f" {counted(city.coins, 'coin')}, {counted(city.shields, 'shield')},"
        f" tokens +{city.victory} -{city.defeats}, {counted(total(s, seat), 'point')} now",
        f"  produces {'; '.join(produced)}" + (f"; symbols: {symbols}" if symbols else ""),
    ]
    standing = [tables.STRUCTURES[kind] for kind, is_built in enumerate(city.built.tolist()) if is_built]
    for colour, name in enumerate(tables.COLOURS):
        cards = [structure.name for structure in standing if structure.colour == colour]
        if cards:
            lines.append(f"  {name}: {', '.join(cards)}")
    return lines


def role(s: Record, seat: int, looking: int | None) -> str:
    name = f"seat {seat + 1}"
    if looking is None:
        return name
    if seat == looking:
        return f"{name} (you)"
    sides = [
        side
        for side, who in (("left", state.left_of(s, looking)), ("right", state.right_of(s, looking)))
        if who == seat
    ]
    return f"{name} ({' and '.join(sides)})" if sides else name


def known_cards(s: Record, seat: int, looking: int | None) -> str:
    """What the looking seat knows of the packet another seat holds."""
    packet = packet_of(s, seat)
    cards = [s.hand[packet, i] for i in range(tables.HAND) if s.hand[packet, i] != state.EMPTY]
    if looking is None or looking == seat:
        return ", ".join(tables.NAMES[card] for card in cards)
    first = first_held(s, looking, s.age, packet)
    group = times_held(s, first, s.turn)
    if group == 0:
        return f"{counted(len(cards), 'card')} you have not seen"
    hidden = [
        s.left[s.age, packet, turn]
        for turn in range(tables.HAND)
        if is_hidden(s, looking, s.age, packet, turn, first) and times_held(s, first, turn) == group
    ]
    names = ", ".join(tables.NAMES[card] for card in sorted([*cards, *hidden]))
    return names if not hidden else f"{len(cards)} of {names}"


def pile_text(s: Record, looking: int | None) -> str:
    """The discard pile: the cards that the looking seat has seen there, and how many others."""
    names, unknown = [], 0
    for age, packet, turn in places_of(s, state.DISCARDED, state.LOOKED_AT):
        first = 0 if looking is None else first_held(s, looking, age, packet)
        if looking is None or not is_hidden(s, looking, age, packet, turn, first):
            names.append(tables.NAMES[s.left[age, packet, turn]])
        else:
            unknown += 1
    text = ", ".join(names)
    if unknown:
        text += f"{' and ' if names else ''}{counted(unknown, 'card')} face down"
    return text or "empty"


def tucked_text(s: Record) -> str:
    return ", ".join(tables.NAMES[s.left[place]] for place in places_of(s, state.TUCKED))


def places_of(s: Record, *fates: int) -> list[tuple[int, int, int]]:
    """Age, packet and turn of the cards with one of these fates."""
    return [
        (age, packet, turn)
        for age, packets in enumerate(s.fate.tolist())
        for packet, turns in enumerate(packets)
        for turn, fate in enumerate(turns)
        if fate in fates
    ]


def show_state(s: Record, seat: int | None) -> str:
    if s.phase == state.FINISHED:
        return "\n".join(["The game is over.", *score_lines(s)])
    lines = [f"Age {ROMAN[s.age]}, turn {s.turn + 1}" + (", the extra card" if s.phase == state.SEVENTH else "")]
    if seat == SPECTATOR:
        return "\n".join([*lines, *_lines_for_spectators(s)])
    order = list(range(s.seats)) if seat is None else [(seat + i) % s.seats for i in range(s.seats)]
    for who in order:
        lines += city_lines(s, who, role(s, who, seat))
        if seat is None or who != seat:
            lines.append(f"  hand: {known_cards(s, who, seat)}")
            if s.chosen[who] != state.NOT_YET:
                lines.append("  has chosen" if seat is not None else f"  has chosen: {_chosen(s, who)}")
    lines.append(f"discards: {pile_text(s, seat)}")
    if seat is not None:
        packet = packet_of(s, seat)
        kinds = [s.hand[packet, i] for i in range(tables.HAND) if s.hand[packet, i] >= 0]
        lines += [stage_line(s, seat), "your hand:"]
        lines += [f"  {card_line(s, seat, kind)}" for kind in kinds]
        if s.city[seat].free_build == state.READY:
            lines.append("Olympia's free build of this Age is ready")
    else:
        tucked = tucked_text(s)
        lines += [f"under the boards: {tucked}"] if tucked else []
    return "\n".join(lines)


def _lines_for_spectators(s: Record) -> list[str]:
    """The cities; hands and what lies face down are for those who play."""
    lines = []
    for who in range(s.seats):
        lines += city_lines(s, who, role(s, who, None))
        if s.chosen[who] != state.NOT_YET:
            lines.append("  has chosen")
    return [*lines, f"discards: {counted(len(places_of(s, state.DISCARDED, state.LOOKED_AT)), 'card')}"]


def _chosen(s: Record, seat: int) -> str:
    action = s.chosen[seat]
    if action < 0:
        return "to be asked last"
    verb = {state.BUILD: "build", state.STAGE: "a stage with", state.DISCARD: "discard", state.FREE: "build free"}[
        state.use_of(action)
    ]
    return f"{verb} {tables.NAMES[state.kind_in(action)]}"


def score_lines(s: Record) -> list[str]:
    """The final scoring, part by part."""
    heads = [*PARTS, "total"]
    lines = [f"{'':6}" + "".join(f" {head}" for head in heads)]
    for seat in range(s.seats):
        parts = parts_of(s, seat)
        cells = "".join(f" {points:>{len(head)}}" for head, points in zip(heads, [*parts, sum(parts)], strict=True))
        lines.append(f"seat {seat + 1}{cells}")
    boards = (
        f"seat {seat + 1} {board_name(s, seat)}, {counted(s.city[seat].coins, 'coin')}" for seat in range(s.seats)
    )
    return [*lines, "; ".join(boards)]


def parts_of(s: Record, seat: int) -> list[int]:
    parts = np.zeros(len(PARTS))
    breakdown(s, seat, parts)
    return [int(points) for points in parts]


def seat_metrics(s: Record, seat: int) -> SeatMetrics:
    """For reports: the seven parts of the score, the board, and what stands in the city."""
    standing = np.flatnonzero(np.asarray(s.city[seat].built)).tolist()
    cards = (
        Trait("structure", tables.NAMES[kind], tables.COLOURS[tables.STRUCTURES[kind].colour]) for kind in standing
    )
    parts = dict(zip(PARTS, parts_of(s, seat), strict=True))
    return SeatMetrics(parts, (Trait("board", board_name(s, seat)), *cards))
