"""What engine and server say to each other: problems, how a game ended, choices."""

from __future__ import annotations

from dataclasses import dataclass

from boardwright.scout.documents.card_numbers import HIGHEST
from boardwright.scout.documents.reading import MOST, Document, document_in
from boardwright.scout.documents.xml_parsing import attribute, number_in, parse, shown, text_of
from boardwright.scout.problems.problem import BadDocument, Choice


@dataclass(frozen=True)
class GameOver:
    """How a game ended."""

    won: bool
    score: int
    opponent: int


def read_message(data: bytes) -> Document | GameOver:
    """What an engine says: a problem to answer, or that the game is over."""
    root = parse(data)
    if root.tag != "GameOver":
        return document_in(root)
    winner = root.get("winner")
    if winner not in ("yes", "no"):
        raise BadDocument("<GameOver winner>: should be yes or no")
    return GameOver(winner == "yes", attribute(root, "score", -MOST, MOST), attribute(root, "opponent", -MOST, MOST))


def read_choice(data: bytes) -> Choice:
    """The <Choice> that answers a problem, in its numbers."""
    root = parse(data)
    if root.tag == "Error":
        raise BadDocument(text_of(root))
    if root.tag != "Choice":
        raise BadDocument(f"<{shown(root.tag)}> where <Choice> is expected")
    words = (word.partition(":") for word in filter(None, text_of(root).split(".")))
    return tuple(
        (number_in(card, "<Choice>", 0, HIGHEST), number_in(power, "<Choice>", 0, MOST))
        if power
        else number_in(card, "<Choice>", 0, HIGHEST)
        for card, _, power in words
    )
