"""Card numbers in documents. Programs number the cards their own way; the names that a document lists settle which
card it means, and numbers without a name are the ids of cards.json."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from boardwright.games.race.cards import DESIGNS
from boardwright.scout.documents.xml_parsing import number_in, shown, text_of
from boardwright.scout.problems.problem import DESIGN_OF_ID, BadDocument

HIGHEST = 9999
_BY_NAME = {design.name: design.id for design in DESIGNS}


def name_of(face: int) -> str:
    return DESIGNS[DESIGN_OF_ID[face]].name


class Numbering:
    """Which card each number of a document means."""

    def __init__(self, root: Element) -> None:
        self._faces: dict[int, int] = {}
        self._numbers: dict[int, int] = {}
        for card in root.iter("Card"):
            self._learn(card)

    def _learn(self, card: Element) -> None:
        name = text_of(card)
        if not name:
            return
        if name not in _BY_NAME:
            raise BadDocument(f"<Card>: there is no card {shown(name)!r} in the base game")
        if "id" not in card.attrib:
            return
        number, face = number_in(card.attrib["id"], "<Card id>", 0, HIGHEST), _BY_NAME[name]
        if self._faces.setdefault(number, face) != face:
            raise BadDocument(f"<Card id>: {number} is both {name_of(self._faces[number])} and {name}")
        if self._numbers.setdefault(face, number) != number:
            raise BadDocument(f"<Card id>: {name} is both {self._numbers[face]} and {number}")

    def face(self, number: int, where: str) -> int:
        """The card that a number means."""
        face = self._faces.get(number, number)
        if face not in DESIGN_OF_ID:
            raise BadDocument(f"{where}: there is no card {number}")
        return face

    def card(self, card: Element) -> int:
        """The card of a <Card> element."""
        name = text_of(card)
        if name:
            return _BY_NAME[name]
        if "id" not in card.attrib:
            raise BadDocument("<Card> has neither an id nor a name")
        return self.face(number_in(card.attrib["id"], "<Card id>", 0, HIGHEST), "<Card id>")

    def number(self, face: int) -> int:
        """How the document numbers a card."""
        return self._numbers.get(face, face)
