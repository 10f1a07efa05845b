"""Cards, and pools of them, of any game with constructed decks."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from boardwright.decks.errors import UnknownCard


@dataclass(frozen=True, slots=True)
class Card:
    """What every card has. Games add the facts that their construction rules need."""

    code: str
    """What names it in files: short, and the same for all printings."""
    title: str
    kind: str
    """As printed: event, ice, …; `identity` for the card that a deck is built around."""
    limit: int
    """The most copies in a deck."""

    @property
    def is_identity(self) -> bool:
        return self.kind == IDENTITY


IDENTITY = "identity"
C = TypeVar("C", bound=Card)


def plain(title: str) -> str:
    """A title without case, accents and punctuation: what people type."""
    letters = unicodedata.normalize("NFKD", title.casefold())
    return re.sub(r"[^a-z0-9]+", " ", "".join(c for c in letters if not unicodedata.combining(c))).strip()


def _parts(title: str) -> set[str]:
    """What people call an identity by: the part before the colon without its article, each word of it, and the part
    behind."""
    name, _, epithet = title.partition(":")
    words = [word for word in plain(name).split() if word not in ("the", "a")]
    return {*words, " ".join(words), plain(epithet)}


def _initials(title: str) -> set[str]:
    """Of the parts before and behind the colon, and of both together."""
    first, behind = ("".join(word[0] for word in plain(part).split()) for part in (*title.split(":", 1), "")[:2])
    return {first, behind, first + behind} - {""}


class CardPool(Generic[C]):
    """All cards of a game, by code and by title."""

    def __init__(
        self,
        cards: Iterable[C],
        reprints: Mapping[str, str] | None = None,
        nicknames: Mapping[str, str] | None = None,
    ) -> None:
        """`nicknames` are those of identities, with the code of each, that do not follow from their titles."""
        self._cards = {card.code: card for card in cards}
        self._codes = {**{code: code for code in self._cards}, **(reprints or {})}
        self._titles = {plain(card.title): card for card in self._cards.values()}
        self._short_titles = self._titles_before_the_colon()
        self._nicknames = nicknames or {}

    def _titles_before_the_colon(self) -> dict[str, C]:
        """Identities by the first part of their title ("Noise"), where only one begins like that."""
        found: dict[str, list[C]] = {}
        for card in self._cards.values():
            if card.is_identity and ":" in card.title:
                found.setdefault(plain(card.title.partition(":")[0]), []).append(card)
        return {title: cards[0] for title, cards in found.items() if len(cards) == 1 and title not in self._titles}

    def __iter__(self) -> Iterator[C]:
        return iter(self._cards.values())

    def __len__(self) -> int:
        return len(self._cards)

    def __contains__(self, code: str) -> bool:
        return code in self._codes

    def __getitem__(self, code: str) -> C:
        """The card of a code; reprints are the same card."""
        if code not in self._codes:
            raise UnknownCard(f"unknown card code {code!r}")
        return self._cards[self._codes[code]]

    def find(self, name: str) -> C:
        """The card of a code or title; UnknownCard with a suggestion if there is none."""
        if name in self._codes:
            return self[name]
        wanted = plain(name)
        card = self._titles.get(wanted) or self._short_titles.get(wanted)
        if card is not None:
            return card
        near = self._nearest(wanted)
        raise UnknownCard(f"unknown card {name!r}" + (f"; did you mean {near.title!r}?" if near else ""))

    def find_identity(self, name: str) -> C:
        """The identity of a code, a title or a part of one ("Kate"), initials ("NEH") or a nickname ("Andy")."""
        if name in self._codes:
            return self[name]
        wanted = plain(name)
        if wanted in self._nicknames:
            return self[self._nicknames[wanted]]
        called = self._short_titles.get(wanted) or self._titles.get(wanted)
        if called is not None and called.is_identity:
            return called
        called = next(self._identities_called(wanted), None) or called
        if called is not None:
            return called
        near = self._nearest(wanted)
        hint = f"; did you mean {near.title!r}?" if near is not None and near.is_identity else ""
        raise UnknownCard(f"unknown identity {name!r}{hint}")

    def _identities_called(self, wanted: str) -> Iterator[C]:
        """The one identity, if there is one, with this part of its title or these initials; several are an error."""
        for of in (_parts, _initials):
            found = [card for card in self._cards.values() if card.is_identity and wanted in of(card.title)]
            if len(found) == 1:
                yield found[0]
            elif found:
                raise UnknownCard(f"{wanted!r} may be " + " or ".join(card.title for card in found))

    def _nearest(self, wanted: str) -> C | None:
        known = {**self._short_titles, **self._titles}
        if close := difflib.get_close_matches(wanted, known, n=1, cutoff=0.6):
            return known[close[0]]
        beginning = [title for title in self._titles if wanted and title.startswith(wanted)]
        return self._titles[min(beginning, key=len)] if beginning else None

    @property
    def reprints(self) -> dict[str, str]:
        """Codes of later printings, and the card that each is."""
        return {code: first for code, first in self._codes.items() if code != first}
