"""SCOUT1's cases as XML, in the form of Listing 6.1: a winner's tableau with the position of each card."""

from __future__ import annotations

from typing import Any

from boardwright.games.race.cards import DESIGNS
from boardwright.games.race.state import TABLEAU_ROOM
from boardwright.scout.cases.collection import END
from boardwright.scout.cases.representation import Records, encode
from boardwright.scout.documents.card_numbers import CardNumbering
from boardwright.scout.documents.reading import ROOT
from boardwright.scout.documents.writing import card_line
from boardwright.scout.documents.xml_parsing import attribute, child, optional, parse, printable
from boardwright.scout.problems.problem import ID_OF_DESIGN, NO_SUBJECT, BadDocument, Problem, Side


def tableau_text(record: Any) -> str:
    """The end of a game as a document."""
    side = record["me"]
    card_ids = [ID_OF_DESIGN[design] for design in side["tableau"][: int(side["size"])].tolist()]
    cards = ["    " + card_line(card_id, f' pos="{place}"') for place, card_id in enumerate(card_ids, 1)]
    lines = [f"<{ROOT}>", f'  <Tableau count="{len(card_ids)}">', *cards, "  </Tableau>", f"</{ROOT}>", ""]
    return "\n".join(lines)


def is_tableau(data: bytes) -> bool:
    """Whether a document is of this form: a tableau, and no question."""
    root = parse(data)
    return root.tag == ROOT and optional(root, "Tableau") is not None and optional(root, "Type") is None


def read_tableau(data: bytes) -> Records:
    """The end case that a document describes."""
    root = parse(data)
    if root.tag != ROOT:
        raise BadDocument(f"<{printable(root.tag)}> where <{ROOT}> is expected")
    numbering, cards = CardNumbering(root), {}
    for card in child(root, "Tableau").findall("Card"):
        position = attribute(card, "pos", 1, TABLEAU_ROOM)
        if position in cards:
            raise BadDocument(f"<Card pos>: two cards in position {position}")
        cards[position] = numbering.card_of(card)
    if sorted(cards) != list(range(1, len(cards) + 1)):
        raise BadDocument("<Card pos>: positions should go from 1 on without a gap")
    if len(set(cards.values())) != len(cards):
        raise BadDocument("<Tableau>: a card is there twice")
    return end_record(tuple(cards[position] for position in sorted(cards)))


def end_record(tableau: tuple[int, ...]) -> Records:
    me = Side(0, 0, 0, 0, 0, tableau, (), (), 0)
    problem = Problem(0, (), 0, 0, NO_SUBJECT, 0, (), 0, 0, 0, 0, me, Side(1, 0, 0, 0, 0, (), (), (), 0))
    record = encode(problem)
    record["type"] = END
    return record


def names(record: Any) -> list[str]:
    """The cards of an end case."""
    return [DESIGNS[design].name for design in record["me"]["tableau"][: int(record["me"]["size"])].tolist()]
