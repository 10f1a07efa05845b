"""What a person needs to play 7 Wonders at a terminal: the cities in short, a card chosen before its use, cards looked
up by name, the rules in short."""

from __future__ import annotations

from boardwright.games.wonders import text
from boardwright.games.wonders.building import COINS_FOR_A_DISCARD
from boardwright.games.wonders.cards import COLOURS, STAGES, STRUCTURES, SYMBOLS, Structure
from boardwright.games.wonders.scoring import total
from boardwright.games.wonders.state import FROM_PILE, NOTHING, READY, SEVENTH, kind_in, left_of, right_of, use_of
from boardwright.kernel import Record
from boardwright.kernel.set_choice import ChoiceStep
from boardwright.wording import counted

RULES = f"""
Three Ages of six turns. In each turn everybody chooses a card of the hand in secret, all are played at once, and hands
are passed on: to the left in Ages I and III, to the right in Age II.

A card is built, tucked under the board for the next stage of the wonder, or discarded for {COINS_FOR_A_DISCARD} coins.
Goods that a city does not produce are bought from the two neighbours, 2 coins each. A structure that stands makes later
ones free that are chained to it. No structure is built twice.

Points: red cards win conflicts with both neighbours after each Age (1, 3 and 5 points; a lost one costs 1), 3 coins are
1 point, wonder stages, blue cards, green cards (equal symbols squared, 7 for each set of three), yellow and purple ones
as printed.

In the position, "left" and "right" are your neighbours; "2 wood, glass; clay/ore" is what a city produces, clay/ore
being one of the two each turn.
"""


def show_brief(s: Record, seat: int) -> str:
    """Your city, your neighbours' goods, the others in a line each. The hand is what you choose from."""
    extra = ", the extra card" if s.phase == SEVENTH else ""
    lines = [f"Age {text.ROMAN[s.age]}, turn {s.turn + 1}{extra}"]
    lines += _city(s, seat, "you")
    lines.append(f"  {text.stage_line(s, seat)}")
    if s.city[seat].free_build == READY:
        lines.append("  Olympia's free build of this Age is ready")
    for who in dict.fromkeys((left_of(s, seat), right_of(s, seat))):
        lines += _city(s, who, text.role(s, who, seat))
    near = {seat, left_of(s, seat), right_of(s, seat)}
    lines += [_status(s, who, f"seat {who + 1}") for who in range(s.seats) if who not in near]
    return "\n".join(lines)


def others(s: Record, seat: int) -> str:
    """What stands in the other cities, what is known of the hands that go round, and the discards."""
    lines = []
    for who in range(s.seats):
        if who != seat:
            lines += [*_city(s, who, text.role(s, who, seat)), *_standing(s, who)]
            lines.append(f"  hand: {text.known_cards(s, who, seat)}")
    return "\n".join([*lines, f"discards: {text.pile_text(s, seat)}"])


def action_steps(s: Record, action: int) -> tuple[ChoiceStep, ...]:
    """A card first, then what to do with it."""
    use, description = use_of(action), text.describe_action(s, action)
    if use in (FROM_PILE, NOTHING):
        about = text.gives_text(STRUCTURES[kind_in(action)].text) if use == FROM_PILE else ""
        return (ChoiceStep(description, about),)
    kind = kind_in(action)
    name, _, about = text.card_line(s, s.mover, kind).partition(" (")
    return ChoiceStep(name, about.replace("): ", ", ", 1)), ChoiceStep(description)


def cards() -> dict[str, str]:
    """Every structure by name."""
    return {structure.name: _whole_text(structure) for structure in STRUCTURES}


def _whole_text(structure: Structure) -> str:
    coins = counted(structure.coins, "coin") if structure.coins else ""
    cost = (
        ", ".join(part for part in (coins, text.goods_text(structure.need) if structure.need else "") if part)
        or "nothing"
    )
    ages = " and ".join(text.ROMAN[age] for age in structure.marks) if structure.marks else "III"
    lines = [
        f"{structure.name} ({COLOURS[structure.colour]}, Age {ages}): {text.gives_text(structure.text)}",
        f"costs {cost}",
    ]
    lines += [f"free with {' or '.join(structure.parents)}"] if structure.parents else []
    chained = [other.name for other in STRUCTURES if structure.name in other.parents]
    return "\n".join([*lines, *([f"makes free: {', '.join(chained)}"] if chained else [])])


def _status(s: Record, seat: int, title: str) -> str:
    city = s.city[seat]
    return (
        f"{title}: {text.board_name(s, seat)}, stage {city.stages}/{STAGES[city.board, city.side]},"
        f" {counted(city.coins, 'coin')}, {counted(city.shields, 'shield')}, +{city.victory} -{city.defeats},"
        f" {counted(total(s, seat), 'point')}"
    )


def _city(s: Record, seat: int, title: str) -> list[str]:
    """A city in two lines: what it has, and what it produces; the own one with what stands there."""
    city = s.city[seat]
    produced = [text.goods_text(city.goods), *(text.choice_text(city.choice[i]) for i in range(city.choices))]
    produced += [f"{text.choice_text(city.extra[i])} (own)" for i in range(city.extras)]
    symbols = ", ".join(f"{city.symbols[i]} {name}" for i, name in enumerate(SYMBOLS) if city.symbols[i])
    goods = f"  produces {'; '.join(produced)}" + (f"; symbols: {symbols}" if symbols else "")
    return [_status(s, seat, title), goods, *(_standing(s, seat) if title == "you" else [])]


def _standing(s: Record, seat: int) -> list[str]:
    """What stands in a city, by colour, in one running line; what it produces is told already."""
    standing = [STRUCTURES[kind] for kind, is_built in enumerate(s.city[seat].built.tolist()) if is_built]
    parts = []
    for colour, name in enumerate(COLOURS):
        found = [structure.name for structure in standing if structure.colour == colour]
        if found:
            parts.append(f"{name}: {', '.join(found)}")
    return [f"  {'; '.join(parts)}"] if parts else []
