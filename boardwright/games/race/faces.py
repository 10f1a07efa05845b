"""Card faces of Race for the Galaxy: our own graphics, no publisher's artwork.

A face shows cost (a disc for worlds, a diamond for developments; red: to be conquered), points, the good, and its
powers by phase as symbols. What a symbol means is in the tooltip, in words.
"""

from __future__ import annotations

from typing import NamedTuple

from boardwright.drawing import CARD, CARD_EDGE, CARD_INK, TONES, Drawing, shortened, text_width, wrapped
from boardwright.games.race.cards import KINDS, Design, Power
from boardwright.games.race.text import card_text, effect_text

WIDTH, HEIGHT = 150, 134
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


def face(drawing: Drawing, design: Design, *, good: bool = False, picked: bool = False) -> None:
    """A card at (0, 0) of the group that is open."""
    colour = GOODS[design.good] if design.world and design.production else DEVELOPMENT
    drawing.rect(0, 0, WIDTH, HEIGHT, fill=CARD, edge=CARD_EDGE, line=1.3, corner=8)
    drawing.rect(1, 1, WIDTH - 2, 23, fill=colour if design.world else DEVELOPMENT, corner=7)
    size = next((size for size in (12, 11, 10, 9, 8.5) if 1.1 * text_width(design.name, size) <= WIDTH - 10), 8.5)
    ink = "#ffffff" if design.world and design.good in ("rare", "genes") and design.production else CARD_INK
    drawing.text(6, 17, design.name, size=size, fill=ink, bold=True)
    _cost(drawing, design, colour)
    _points(drawing, design)
    if design.world and design.production:
        _production(drawing, design)
    _powers(drawing, design)
    if good:
        with drawing.group(WIDTH - 30, HEIGHT - 34, title=f"a {design.good} good"):
            drawing.rect(0, 0, 24, 28, fill=GOODS[design.good], edge="#1d2433", line=2, corner=4)
            drawing.circle(12, 14, 5, fill="#ffffff", edge="#1d2433")
    if picked:
        drawing.rect(0, 0, WIDTH, HEIGHT, fill="#1d2433", corner=8, opacity=0.25)
        drawing.text(WIDTH / 2, HEIGHT / 2 + 14, "✓", size=42, fill=TONES["green"], anchor="middle", bold=True)


def tooltip(design: Design) -> str:
    """The card in words."""
    kind = "world" if design.world else "development"
    flags = [flag for flag in ("military", "rebel", "alien", "start") if design.has(flag)]
    text = f"{card_text(design)} – {' '.join([*flags, kind])}"
    return (
        text if not design.bonus else f"{text}; scores {', '.join(bonus.replace('_', ' ') for bonus in design.bonus)}"
    )


def _cost(drawing: Drawing, design: Design, colour: str) -> None:
    if design.world:
        military = design.has("military")
        drawing.circle(19, 44, 13, fill="#ffffff", edge=MILITARY if military else CARD_INK, line=4 if military else 2)
        ink = MILITARY if military else CARD_INK
    else:
        drawing.polygon([(19, 28), (35, 44), (19, 60), (3, 44)], fill="#ffffff", edge=CARD_INK, line=2)
        ink = CARD_INK
    drawing.text(19, 49, str(design.cost), size=15, fill=ink, anchor="middle", bold=True)


def _points(drawing: Drawing, design: Design) -> None:
    drawing.polygon([(9, 66), (29, 66), (36, 78), (29, 90), (9, 90), (2, 78)], fill="#ece4c8", edge=CARD_EDGE)
    drawing.text(19, 83, "?" if design.bonus else str(design.vp), size=14, fill=CARD_INK, anchor="middle", bold=True)


def _production(drawing: Drawing, design: Design) -> None:
    """A full square produces; an empty one comes with a good once (windfall)."""
    windfall = design.production == "windfall"
    colour = GOODS[design.good]
    drawing.rect(9, 98, 20, 20, fill="#ffffff" if windfall else colour, edge=colour if windfall else CARD_INK,
                 line=5 if windfall else 1.5, corner=4)  # fmt: skip


def _powers(drawing: Drawing, design: Design) -> None:
    rows = [(power, symbols(power, design)) for power in design.powers]
    y = 31.0
    for power, parts in rows[:5]:
        numeral = NUMERALS[power.phase]
        drawing.rect(41, y, 20, 15, fill=NUMERAL_FILLS[numeral], corner=4)
        drawing.text(51, y + 11.5, numeral, size=11, fill="#ffffff", anchor="middle", bold=True)
        if len(parts) == 1 and parts[0].kind == "word":
            lines = wrapped(parts[0].text, WIDTH - 68, 9.5)[:3]
            for number, line in enumerate(lines):
                drawing.text(65, y + 10.5 + 11 * number, line, size=9.5, fill=CARD_INK)
            y += ROW + 11 * (len(lines) - 1)
            continue
        x = 66.0
        for part in parts:
            x += _symbol(drawing, x, y, part, WIDTH - 4 - x)
        y += ROW
    if design.bonus and len(rows) < 4:
        for line in wrapped("; ".join(_bonus(text) for text in design.bonus), WIDTH - 46, 9)[: int((HEIGHT - y) // 11)]:
            drawing.text(41, y + 9, line, size=9, fill="#5a5346")
            y += 11


def _bonus(text: str) -> str:
    points, _, per = text.partition(" ")
    return f"{points} per {per.replace('_', ' ').removeprefix('named card ')}"


def _symbol(drawing: Drawing, x: float, y: float, part: Symbol, room: float) -> float:
    """Draws a symbol and returns how wide it is."""
    middle = y + 7.5
    if part.kind == "word":
        text = shortened(part.text, room, 10.5)
        drawing.text(x, y + 11.5, text, size=10.5, fill=CARD_INK)
        return text_width(text, 10.5) + 3
    if part.kind == "card":
        width = 12 if len(part.text) < 2 else 19
        drawing.rect(x, y, width, 15, fill="#ffffff", edge=CARD_INK, corner=2)
        drawing.text(x + width / 2, y + 11.5, part.text, size=10, fill=CARD_INK, anchor="middle", bold=True)
        return width + 3
    if part.kind == "vp":
        corners = [(x, middle), (x + 4, y), (x + 13, y), (x + 17, middle), (x + 13, y + 15), (x + 4, y + 15)]
        drawing.polygon(corners, fill="#ece4c8", edge=CARD_INK)
        drawing.text(x + 8.5, y + 11.5, part.text, size=10, fill=CARD_INK, anchor="middle", bold=True)
        return 20
    if part.kind == "military":
        drawing.circle(x + 9, middle, 8.5, fill=MILITARY)
        drawing.text(x + 9, y + 11, part.text, size=9.5, fill="#ffffff", anchor="middle", bold=True)
        return 20
    if part.kind == "less":
        drawing.polygon(
            [(x, middle), (x + 10, y - 2), (x + 20, middle), (x + 10, y + 17)], fill="#ffffff", edge=CARD_INK
        )
        drawing.text(x + 10, y + 11, part.text, size=9.5, fill=CARD_INK, anchor="middle", bold=True)
        return 23
    drawing.rect(x, y + 1, 13, 13, fill=GOODS[part.good], edge=CARD_INK, corner=2, line=1)
    drawing.text(x + 6.5, y + 11.5, part.text, size=10, fill=CARD_INK, anchor="middle", bold=True)
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
