"""Card numbers in documents. Programs number the cards their own way; the names that a document lists settle which
card it means, and numbers without a name are the ids of cards.json."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from boardwright.games.race.cards import DESIGNS
from boardwright.scout.documents.xml_parsing import number_in, printable, text_of
from boardwright.scout.problems.problem import DESIGN_OF_ID, BadDocument

MAX_CARD_NUMBER = 9999
_BY_NAME = {design.name: design.id for design in DESIGNS}


def card_name(card_id: int) -> str:
    return DESIGNS[DESIGN_OF_ID[card_id]].name


class CardNumbering:
    """Which card each number of a document means."""

    def __init__(self, root: Element) -> None:
        self._card_ids: dict[int, int] = {}
        self._numbers: dict[int, int] = {}
        self._offered: dict[int, int] = {}
        """The numbers of those that can be chosen."""
        for card in root.iter("Card"):
            self._add(card)

    def _add(self, card: Element) -> None:
        name = text_of(card)
        if not name:
            return
        if name not in _BY_NAME:
            raise BadDocument(f"<Card>: there is no card {printable(name)!r} in the base game")
        if "id" not in card.attrib:
            return
        number, card_id = number_in(card.attrib["id"], "<Card id>", 0, MAX_CARD_NUMBER), _BY_NAME[name]
        if self._card_ids.setdefault(number, card_id) != card_id:
            raise BadDocument(f"<Card id>: {number} is both {card_name(self._card_ids[number])} and {name}")
        if self._numbers.setdefault(card_id, number) != number:
            raise BadDocument(f"<Card id>: {name} is both {self._numbers[card_id]} and {number}")

    def card_id(self, number: int, where: str) -> int:
        """The card that a number means."""
        card_id = self._card_ids.get(number, number)
        if card_id not in DESIGN_OF_ID:
            raise BadDocument(f"{where}: there is no card {number}")
        return card_id

    def offer(self, number: int, where: str) -> int:
        """The card that a number among those to choose from means; an answer names it by that number."""
        card_id = self.card_id(number, where)
        self._offered.setdefault(card_id, number)
        return card_id

    def card_of(self, card: Element) -> int:
        """The card of a <Card> element."""
        name = text_of(card)
        if name:
            return _BY_NAME[name]
        if "id" not in card.attrib:
            raise BadDocument("<Card> has neither an id nor a name")
        return self.card_id(number_in(card.attrib["id"], "<Card id>", 0, MAX_CARD_NUMBER), "<Card id>")

    def number(self, card_id: int) -> int:
        """How the document numbers a card: as it was offered, or as it is listed."""
        return self._offered.get(card_id, self._numbers.get(card_id, card_id))
