"""A position as a picture: drawn cards, our own graphics, no publisher's artwork."""

from __future__ import annotations

from xml.sax.saxutils import escape

from boardwright.games.race.bits import members
from boardwright.games.race.cards import DESIGN, DESIGNS, Design
from boardwright.games.race.scoring import score
from boardwright.games.race.state import GAME_OVER
from boardwright.games.race.text import ACTION_NAMES, PHASES, asked_for, power_text, seat_name
from boardwright.kernel import Record

WIDTH, HEIGHT, GAP, PER_ROW = 150, 104, 8, 7
COLOURS = {"none": "#8d99ae", "novelty": "#4aa3df", "rare": "#a5672f", "genes": "#4c9f50", "alien": "#d9b400"}
DEVELOPMENT = "#c8ccd4"
INK, PAPER, FAINT = "#1d2433", "#f7f7f4", "#6b7280"
TEXT_LINES = 5


def draw_state(s: Record, seat: int | None) -> str:
    """The tableaux with goods, the hands that the seat sees, chips, pool and phases, as an SVG picture."""
    parts: list[str] = []
    phases = ", ".join(phase for i, phase in enumerate(PHASES) if s.phases >> i & 1) or "choosing actions"
    y = 26
    head = f"Round {s.round} · {phases} · pool {s.pool} · deck {s.deck_size} · discards {s.discard_size}"
    parts.append(_text(GAP, y, head, 15, weight="bold"))
    y += 12
    for other in range(s.seats):
        chosen = ACTION_NAMES.get(s.chosen[other], "")
        line = f"{seat_name(other)}: {score(s, other)} points, {s.chips[other]} chips, {s.hand_size[other]} cards"
        parts.append(_text(GAP, y + 16, f"{line}{' · ' + chosen if chosen else ''}", 13))
        y += 26
        tableau = [s.tableau[other, place] for place in range(s.size[other])]
        goods = [bool(s.good[other, place]) for place in range(s.size[other])]
        y = _row(parts, y, tableau, goods, 1.0)
        if seat is None or seat == other:
            y = _row(parts, y, members(s.hand[other]), [], 0.75)
        y += 4
    if s.question != GAME_OVER:
        parts.append(_text(GAP, y + 14, f"{seat_name(s.asked)} chooses {asked_for(s)}", 13, FAINT))
        y += 22
    width = GAP + PER_ROW * (WIDTH + GAP)
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y + GAP}" width="{width}" height="{y + GAP}"'
        f' font-family="sans-serif"><rect width="100%" height="100%" fill="{PAPER}"/>\n{body}\n</svg>\n'
    )


def _row(parts: list[str], y: int, cards: list[int], goods: list[bool], opacity: float) -> int:
    """Cards side by side, in as many rows as it takes; returns where the next thing goes."""
    for number, card in enumerate(cards):
        x = GAP + number % PER_ROW * (WIDTH + GAP)
        top = y + number // PER_ROW * (HEIGHT + GAP)
        good = number < len(goods) and goods[number]
        parts.append(f'<g transform="translate({x},{top})" opacity="{opacity}">')
        parts += _card(DESIGNS[int(DESIGN[card])], good)
        parts.append("</g>")
    return y + -(-len(cards) // PER_ROW) * (HEIGHT + GAP)


def _card(design: Design, good: bool) -> list[str]:
    colour = COLOURS[design.good] if design.world else DEVELOPMENT
    windfall = design.production == "windfall"
    fill = "white" if windfall or not design.production else colour
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="7" fill="white" stroke="{INK}"/>',
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="22" rx="6" fill="{colour}" fill-opacity="0.3"/>',
    ]
    if design.world:
        stroke = "#c0392b" if design.has("military") else colour
        parts.append(f'<circle cx="14" cy="38" r="10" fill="{fill}" stroke="{stroke}" stroke-width="3"/>')
    else:
        parts.append(f'<rect x="5" y="29" width="18" height="18" transform="rotate(45 14 38)" fill="{DEVELOPMENT}"/>')
    parts.append(_text(14, 42, str(design.cost), 11, anchor="middle", weight="bold"))
    parts.append(_text(WIDTH - 6, 42, "?" if design.bonus else f"{design.vp} VP", 10, anchor="end"))
    parts.append(_text(6, 16, _short(design.name, 24), 10, weight="bold"))
    lines = [line for power in design.powers for line in _wrapped(power_text(power), 29)]
    for number, line in enumerate(lines[:TEXT_LINES]):
        parts.append(_text(6, 60 + 9 * number, line, 8, FAINT))
    if good:
        parts.append(f'<rect x="34" y="29" width="16" height="19" rx="3" fill="{colour}" stroke="{INK}"/>')
    return parts


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + 1 + len(word) > width and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _text(x: int, y: int, text: str, size: int, fill: str = INK, anchor: str = "start", weight: str = "normal") -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" font-weight="{weight}">'
        f"{escape(text)}</text>"
    )
