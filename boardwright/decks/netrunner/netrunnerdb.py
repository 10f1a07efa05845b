"""NetrunnerDB's JSON of cards: a newer or another card pool than the one that ships."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from boardwright.decks.cards import IDENTITY, CardPool
from boardwright.decks.errors import BadDeck
from boardwright.decks.netrunner.cards import NICKNAMES, NetrunnerCard
from boardwright.files import read_json


def read_cards(file: Path) -> CardPool[NetrunnerCard]:
    """The cards of a file as NetrunnerDB's API gives them (`/api/2.0/public/cards`)."""
    try:
        content = read_json(file)
    except FileNotFoundError:
        raise BadDeck(f"there is no file {file}") from None
    except (OSError, ValueError) as error:
        raise BadDeck(f"{file} cannot be read as JSON: {error}") from None
    rows = content.get("data") if isinstance(content, dict) else content
    if not isinstance(rows, list) or not rows:
        raise BadDeck(f"{file} has no list of cards; expected NetrunnerDB's JSON of cards")
    first: dict[str, NetrunnerCard] = {}
    reprints: dict[str, str] = {}
    for number, row in enumerate(rows, 1):
        try:
            card = _card(row)
        except (KeyError, TypeError, ValueError) as error:
            raise BadDeck(f"{file}, card {number}: {type(error).__name__}: {error}") from None
        if card.title in first:
            reprints[card.code] = first[card.title].code
        else:
            first[card.title] = card
    return CardPool(first.values(), reprints, NICKNAMES)


def _card(row: dict[str, Any]) -> NetrunnerCard:
    identity = row["type_code"] == IDENTITY
    in_faction_only = row["type_code"] == "agenda" and not row["faction_code"].startswith("neutral")
    limit = row.get("influence_limit")
    return NetrunnerCard(
        code=str(row["code"]),
        title=str(row.get("title") or row["stripped_title"]),
        kind=str(row["type_code"]),
        limit=int(row.get("deck_limit") or 3),
        side=str(row["side_code"]),
        faction=str(row["faction_code"]),
        subtypes=tuple(str(row["keywords"]).split(" - ")) if row.get("keywords") else (),
        influence=None if identity or in_faction_only else int(row.get("faction_cost") or 0),
        points=int(row.get("agenda_points") or 0),
        minimum=int(row.get("minimum_deck_size") or 0),
        influence_limit=int(limit) if limit is not None else None,
        draft=identity and row.get("pack_code") == "draft",
        released=str(row.get("date_release") or ""),
    )
