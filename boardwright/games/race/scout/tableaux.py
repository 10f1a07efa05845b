"""Tableaux as XML, in the form of the dissertation's Listing 6.1: SCOUT's first kind of case."""

from __future__ import annotations

from boardwright.games.race.scout.documents import ROOT
from boardwright.games.race.scout.faces import Numbering
from boardwright.games.race.scout.parsing import BadDocument, attribute, child, parse, shown
from boardwright.games.race.scout.writing import card_line
from boardwright.games.race.state import TABLEAU_ROOM

MOST_CARDS = TABLEAU_ROOM + 1
"""Positions in the dissertation go up to 14."""


def read_tableau(data: bytes) -> tuple[int, ...]:
    """The design ids of a tableau in order of placement."""
    root = parse(data)
    if root.tag != ROOT:
        raise BadDocument(f"<{shown(root.tag)}> where <{ROOT}> is expected")
    numbering, tableau = Numbering(root), child(root, "Tableau")
    cards = tableau.findall("Card")
    if not 1 <= len(cards) <= MOST_CARDS:
        raise BadDocument(f"<Tableau>: {len(cards)} cards; there can be 1 to {MOST_CARDS}")
    if "count" in tableau.attrib and attribute(tableau, "count", 0, MOST_CARDS) != len(cards):
        raise BadDocument(f"<Tableau count>: {tableau.get('count')}, but {len(cards)} cards are listed")
    placed = {attribute(card, "pos", 1, len(cards)): numbering.card(card) for card in cards}
    if len(placed) != len(cards):
        raise BadDocument("<Card pos>: two cards have the same place")
    if len(set(placed.values())) != len(cards):
        raise BadDocument("<Card>: a card is listed twice; nobody places a design twice")
    return tuple(placed[position] for position in sorted(placed))


def tableau_text(tableau: tuple[int, ...]) -> str:
    """A tableau as XML with the ids of cards.json."""
    lines = [f"<{ROOT}>", f'  <Tableau count="{len(tableau)}">']
    for position, face in enumerate(tableau, 1):
        place = f' pos="{position}"'
        lines.append(f"    {card_line(face, place)}")
    return "\n".join([*lines, "  </Tableau>", f"</{ROOT}>", ""])
