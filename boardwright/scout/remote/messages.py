"""The messages between engine and server: problems, results of games, choices."""

from __future__ import annotations

from dataclasses import dataclass

from boardwright.scout.documents.card_numbers import MAX_CARD_NUMBER
from boardwright.scout.documents.reading import MAX_VALUE, Document, document_in
from boardwright.scout.documents.xml_parsing import attribute, number_in, parse, printable, text_of
from boardwright.scout.problems.problem import BadDocument, Choice

_WON = {"yes": True, "no": False, "tie": None}


@dataclass(frozen=True)
class GameOver:
    """How a game ended."""

    won: bool | None
    """None: a tie."""
    score: int
    opponent: int
    """The best score of the others."""

    def by_seat(self, seat: int, seats: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Returns and scores of all seats, if this is the result of one of them. The others are taken to be equal: who
        of several has won is not said."""
        mine = 0.5 if self.won is None else float(self.won)
        returns, scores = [(1.0 - mine) / (seats - 1)] * seats, [float(self.opponent)] * seats
        returns[seat], scores[seat] = mine, float(self.score)
        return tuple(returns), tuple(scores)


def read_message(data: bytes) -> Document | GameOver:
    """A message of an engine: a problem to answer, or the result of a game."""
    root = parse(data)
    if root.tag != "GameOver":
        return document_in(root)
    winner = root.get("winner")
    if winner not in _WON:
        raise BadDocument("<GameOver winner>: should be yes, no or tie")
    score, opponent = (attribute(root, name, -MAX_VALUE, MAX_VALUE) for name in ("score", "opponent"))
    return GameOver(_WON[winner], score, opponent)


def read_choice(data: bytes) -> Choice:
    """The <Choice> that answers a problem, in its numbers."""
    root = parse(data)
    if root.tag == "Error":
        raise BadDocument(text_of(root))
    if root.tag != "Choice":
        raise BadDocument(f"<{printable(root.tag)}> where <Choice> is expected")
    words = (word.partition(":") for word in filter(None, text_of(root).split(".")))
    return tuple(
        (number_in(card, "<Choice>", 0, MAX_CARD_NUMBER), number_in(power, "<Choice>", 0, MAX_VALUE))
        if power
        else number_in(card, "<Choice>", 0, MAX_CARD_NUMBER)
        for card, _, power in words
    )
