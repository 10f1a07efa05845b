"""Card faces of Race for the Galaxy: our own graphics, no publisher's artwork.

A face shows cost (a disc for worlds, a diamond for developments; red: to be conquered), points, the good, and its
powers by phase as symbols. What a symbol means is in the tooltip, in words.
"""

from __future__ import annotations

from typing import NamedTuple

from boardwright.drawing import CARD, CARD_EDGE, CARD_INK, TONES, Drawing, shortened, text_width, wrapped
from boardwright.games.race.cards import KINDS, Design, Power
from boardwright.games.race.text import card_text, effect_text

WIDTH, HEIGHT = 158, 138
ROW_HEIGHT = 46
"""A card as a row, where there is no room for a face."""
GOODS = {"none": "#b9bec8", "novelty": "#56b4e9", "rare": "#a5672f", "genes": "#2f9e5b", "alien": "#f0d032"}
DEVELOPMENT = "#cfd4de"
MILITARY = "#c0392b"
NUMERALS = {"explore": "I", "develop": "II", "settle": "III", "consume": "IV", "produce": "V"}
NUMERAL_FILLS = {"I": "#56708f", "II": "#8a6d3b", "III": "#5b4b8a", "IV": "#2d7d78", "V": "#5f7d2d"}
ROW = 18


class Symbol(NamedTuple):
    """A part of a power: a word, or a picture with a number in it."""

    kind: str
    text: str = ""
    good: str = "none"


def word(text: str) -> Symbol:
    return Symbol("word", text)


def face(drawing: Drawing, design: Design, width: float = WIDTH, *, good: bool = False, picked: bool = False) -> None:
    """A card at (0, 0) of the group that is open."""
    drawing.rect(0, 0, width, HEIGHT, fill=CARD, edge=CARD_EDGE, line=1.3, corner=8)
    drawing.rect(1, 1, width - 2, 23, fill=_colour(design), corner=7)
    _name(drawing, design, 6, 17, width - 10, (13, 12, 11))
    draw_cost(drawing, design, 19, 44)
    draw_points(drawing, design, 19, 78)
    if design.world and design.production:
        draw_production(drawing, design, 9, 98)
    _powers(drawing, design, width)
    if good:
        draw_good(drawing, design, width - 30, HEIGHT - 34)
    if picked:
        _picked(drawing, width, HEIGHT)


def row(drawing: Drawing, design: Design, width: float, *, good: bool = False, picked: bool = False) -> None:
    """A card as a row: cost, points, name, and its powers in one line; what does not fit is in the tooltip."""
    drawing.rect(0, 0, width, ROW_HEIGHT, fill=CARD, edge=CARD_EDGE, line=1.3, corner=8)
    left = 6.0
    if width > 200:
        draw_cost(drawing, design, 21, ROW_HEIGHT / 2)
        draw_points(drawing, design, 57, ROW_HEIGHT / 2)
        left = 82.0
    else:
        drawing.rect(0, 0, 6, ROW_HEIGHT, fill=_colour(design), corner=3)
        left = 11.0
    end = width - (32 if good else 4)
    if width > 200 and design.world and design.production:
        draw_production(drawing, design, end - 24, 4, 14)
        end -= 28
    _name(drawing, design, left, 17, end - left, (13, 12, 11), fill=CARD_INK)
    x = left
    for power in design.powers:
        x = _power_in_line(drawing, x, 25, symbols(power, design), NUMERALS[power.phase], width - (32 if good else 4))
    if good:
        draw_good(drawing, design, width - 29, 9)
    if picked:
        _picked(drawing, width, ROW_HEIGHT)


def _colour(design: Design) -> str:
    return GOODS[design.good] if design.world and design.production else DEVELOPMENT


def _name(
    drawing: Drawing, design: Design, x: float, y: float, room: float, sizes: tuple[int, ...], fill: str = ""
) -> None:
    size = next((size for size in sizes if 1.08 * text_width(design.name, size) <= room), sizes[-1])
    ink = "#ffffff" if design.world and design.good in ("rare", "genes") and design.production else CARD_INK
    drawing.text(x, y, shortened(design.name, 1.1 * room, size), size=size, fill=fill or ink, bold=True)


def draw_good(drawing: Drawing, design: Design, x: float, y: float) -> None:
    with drawing.group(x, y, title=f"a {design.good} good"):
        drawing.rect(0, 0, 24, 28, fill=GOODS[design.good], edge="#1d2433", line=2, corner=4)
        drawing.circle(12, 14, 5, fill="#ffffff", edge="#1d2433")


def _picked(drawing: Drawing, width: float, height: float) -> None:
    drawing.rect(0, 0, width, height, fill="#1d2433", corner=8, opacity=0.25)
    drawing.text(width / 2, height / 2 + 14, "✓", size=42, fill=TONES["green"], anchor="middle", bold=True)


def tooltip(design: Design) -> str:
    """The card in words."""
    kind = "world" if design.world else "development"
    flags = [flag for flag in ("military", "rebel", "alien", "start") if design.has(flag)]
    text = f"{card_text(design)} – {' '.join([*flags, kind])}"
    return (
        text if not design.bonus else f"{text}; scores {', '.join(bonus.replace('_', ' ') for bonus in design.bonus)}"
    )


def draw_cost(drawing: Drawing, design: Design, x: float, y: float) -> None:
    if design.world:
        military = design.has("military")
        drawing.circle(x, y, 13, fill="#ffffff", edge=MILITARY if military else CARD_INK, line=4 if military else 2)
        ink = MILITARY if military else CARD_INK
    else:
        drawing.polygon([(x, y - 16), (x + 16, y), (x, y + 16), (x - 16, y)], fill="#ffffff", edge=CARD_INK, line=2)
        ink = CARD_INK
    drawing.text(x, y + 5, str(design.cost), size=15, fill=ink, anchor="middle", bold=True)


def draw_points(drawing: Drawing, design: Design, x: float, y: float) -> None:
    corners = [(-10, -12), (10, -12), (17, 0), (10, 12), (-10, 12), (-17, 0)]
    drawing.polygon([(x + dx, y + dy) for dx, dy in corners], fill="#ece4c8", edge=CARD_EDGE)
    drawing.text(x, y + 5, "?" if design.bonus else str(design.vp), size=14, fill=CARD_INK, anchor="middle", bold=True)


def draw_production(drawing: Drawing, design: Design, x: float, y: float, side: float = 20) -> None:
    """A full square produces; an empty one comes with a good once (windfall)."""
    windfall = design.production == "windfall"
    colour = GOODS[design.good]
    drawing.rect(x, y, side, side, fill="#ffffff" if windfall else colour, edge=colour if windfall else CARD_INK,
                 line=5 if windfall else 1.5, corner=4)  # fmt: skip


def draw_numeral(drawing: Drawing, x: float, y: float, numeral: str) -> None:
    drawing.rect(x, y, 20, 15, fill=NUMERAL_FILLS[numeral], corner=4)
    drawing.text(x + 10, y + 11.5, numeral, size=11, fill="#ffffff", anchor="middle", bold=True)


def _power_in_line(drawing: Drawing, x: float, y: float, parts: list[Symbol], numeral: str, end: float) -> float:
    """A power in a row of them; returns where the next may begin."""
    if x + 34 > end:
        return x
    draw_numeral(drawing, x, y, numeral)
    x += 23
    for part in parts:
        if x + 12 <= end:
            x += draw_symbol(drawing, x, y, part, end - x)
    return x + 5


def _powers(drawing: Drawing, design: Design, width: float) -> None:
    rows = [(power, symbols(power, design)) for power in design.powers]
    y = 31.0
    for power, parts in rows[:5]:
        draw_numeral(drawing, 41, y, NUMERALS[power.phase])
        if len(parts) == 1 and parts[0].kind == "word":
            lines = wrapped(parts[0].text, width - 66, 11)[:3]
            for number, line in enumerate(lines):
                drawing.text(65, y + 11.5 + 12 * number, line, size=11, fill=CARD_INK)
            y += ROW + 12 * (len(lines) - 1)
            continue
        x = 65.0
        for part in parts:
            x += draw_symbol(drawing, x, y, part, width - 3 - x)
        y += ROW
    if design.bonus and len(rows) < 4:
        lines = wrapped("; ".join(_bonus(text) for text in design.bonus), width - 44, 11)
        room = int((HEIGHT - y) // 12)
        for line in lines[:room] if len(lines) <= room else [*lines[: room - 1], f"{lines[room - 1]} …"]:
            drawing.text(41, y + 10, line, size=11, fill="#5a5346")
            y += 12


def _bonus(text: str) -> str:
    points, _, per = text.partition(" ")
    return f"{points} per {per.replace('_', ' ').removeprefix('named card ')}"


def draw_symbol(drawing: Drawing, x: float, y: float, part: Symbol, room: float) -> float:
    """Draws a symbol and returns how wide it is."""
    middle = y + 7.5
    if part.kind == "word":
        text = shortened(part.text, room, 11)
        drawing.text(x, y + 11.5, text, size=11, fill=CARD_INK)
        return text_width(text, 11) + 2
    if part.kind == "card":
        width = 13 if len(part.text) < 2 else 20
        drawing.rect(x, y, width, 15, fill="#ffffff", edge=CARD_INK, corner=2)
        drawing.text(x + width / 2, y + 11.5, part.text, size=11, fill=CARD_INK, anchor="middle", bold=True)
        return width + 3
    if part.kind == "vp":
        corners = [(x, middle), (x + 4, y), (x + 13, y), (x + 17, middle), (x + 13, y + 15), (x + 4, y + 15)]
        drawing.polygon(corners, fill="#ece4c8", edge=CARD_INK)
        drawing.text(x + 8.5, y + 11.5, part.text, size=11, fill=CARD_INK, anchor="middle", bold=True)
        return 20
    if part.kind == "military":
        drawing.circle(x + 10, middle, 9.5, fill=MILITARY)
        drawing.text(x + 9.5, y + 11.5, part.text, size=11, fill="#ffffff", anchor="middle", bold=True)
        return 22
    if part.kind == "less":
        drawing.polygon(
            [(x, middle), (x + 10, y - 2), (x + 20, middle), (x + 10, y + 17)], fill="#ffffff", edge=CARD_INK
        )
        drawing.text(x + 10, y + 11, part.text, size=11, fill=CARD_INK, anchor="middle", bold=True)
        return 23
    drawing.rect(x, y + 1, 13, 13, fill=GOODS[part.good], edge=CARD_INK, corner=2, line=1)
    drawing.text(x + 6.5, y + 11.5, part.text, size=11, fill=CARD_INK, anchor="middle", bold=True)
    return 16


def symbols(power: Power, design: Design) -> list[Symbol]:
    """A power as symbols; in short words where it has no symbols."""
    kinds, value = power.kinds, power.value
    about = KINDS[power.good_kind]
    only = [Symbol("good", good=about)] if power.good_kind else []
    only += [word("rebels")] if "only_vs_rebel" in kinds else []
    if "discard_this_card" in kinds:
        gain = word("cost 0") if "pay_zero" in kinds else Symbol("military", f"+{value}")
        return [word("discard →"), gain]
    if "military" in kinds:
        return [Symbol("military", f"{value:+d}"), *only]
    if "discount" in kinds:
        return [Symbol("less", f"-{value}"), *only]
    if "extra_draw" in kinds:
        return [word("draw"), Symbol("card", f"+{value}")]
    if "extra_keep" in kinds:
        return [word("keep"), Symbol("card", f"+{value}")]
    if kinds & {"draw", "draw_at_start", "draw_after_develop", "draw_after_settle"}:
        when = "after" if kinds & {"draw_after_develop", "draw_after_settle"} else "draw"
        return [word(when), Symbol("card", str(value))]
    if power.trades_better:
        own = [Symbol("good", good=design.good)] if "trade_bonus_own_good" in kinds else only
        return [word("trade"), *own, Symbol("card", f"+{value}")]
    if power.phase == "produce":
        return _produce_symbols(power, design, about)
    if power.phase == "consume" and {"gain_vp", "gain_card", "gain_two_cards"} & kinds:
        return _consume_symbols(power, about)
    return [word(effect_text(power))]


def _produce_symbols(power: Power, design: Design, about: str) -> list[Symbol]:
    kinds = power.kinds
    if "produce_here" in kinds:
        return [Symbol("good", good=design.good), word("good")]
    if any(kind.startswith("windfall_") for kind in kinds):
        return [Symbol("good", good=about if power.good_kind else "none"), word("on windfall")]
    if "draw_if_produced_here" in kinds:
        return [word("if produced"), Symbol("card", str(power.value))]
    return [word(effect_text(power))]


def _consume_symbols(power: Power, about: str) -> list[Symbol]:
    kinds = power.kinds
    good = Symbol("good", good=about)
    if "discard_from_hand" in kinds:
        given = [Symbol("card", ""), word(f"×{power.times}")]
    elif "consume_three_kinds" in kinds:
        given = [word("3 kinds")]
    elif "consume_all" in kinds:
        given = [word("all"), good, word("-1")]
    elif "needs_two_goods" in kinds:
        given = [good, good]
    else:
        given = [good, *([word(f"×{power.times}")] if power.times > 1 else [])]
    gains = []
    if "gain_vp" in kinds:
        gains.append(Symbol("vp", str(power.value)))
    if "gain_card" in kinds:
        gains.append(Symbol("card", str(power.value)))
    if "gain_two_cards" in kinds:
        gains.append(Symbol("card", str(2 * power.value)))
    return [*given, word("→"), *gains]
