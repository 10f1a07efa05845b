"""The cards of Android: Netrunner, one row each in cards.tsv: the facts that deck construction needs, no card text."""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from boardwright.decks.cards import Card, CardPool

FILE = Path(__file__).with_name("cards.tsv")

NICKNAMES = tomllib.loads(FILE.with_name("nicknames.toml").read_text(encoding="utf-8"))
"""What players call identities besides parts of their titles and initials."""


@dataclass(frozen=True, slots=True)
class NetrunnerCard(Card):
    side: str
    """Corp or runner."""
    faction: str
    subtypes: tuple[str, ...]
    influence: int | None
    """What a copy costs in a deck of another faction; None: no influence value, so its own faction only."""
    points: int
    """Agenda points."""
    minimum: int
    """Of identities: the smallest deck."""
    influence_limit: int | None
    """Of identities; None: no limit."""
    draft: bool
    """Of identities: for drafts only."""
    released: str
    """The date of the first printing; empty: never sold."""


@cache
def netrunner_pool() -> CardPool[NetrunnerCard]:
    cards: list[NetrunnerCard] = []
    reprints: dict[str, str] = {}
    with FILE.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            cards.append(
                NetrunnerCard(
                    code=row["code"],
                    title=row["title"],
                    kind=row["kind"],
                    limit=int(row["limit"]),
                    side=row["side"],
                    faction=row["faction"],
                    subtypes=tuple(row["subtypes"].split(",")) if row["subtypes"] else (),
                    influence=int(row["influence"]) if row["influence"] else None,
                    points=int(row["points"] or 0),
                    minimum=int(row["minimum"] or 0),
                    influence_limit=int(row["influence_limit"]) if row["influence_limit"].isdigit() else None,
                    draft=row["influence_limit"] == "draft",
                    released=row["released"],
                )
            )
            reprints |= dict.fromkeys(row["reprints"].split(), row["code"])
    return CardPool(cards, reprints, NICKNAMES)
