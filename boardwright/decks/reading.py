"""Reading decks: our JSON lines, NetrunnerDB's JSON, and plain text lists as people post them.

What cannot be read is a BadDeck that names the file and the place. `read_decks` stops at the first; with `skipped` it
collects them and goes on, for large collections in which some decks are broken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boardwright.decks.cards import CardPool
from boardwright.decks.deck import Deck
from boardwright.decks.errors import BadDeck, UnknownCard
from boardwright.files import parse_json

FORMS = "a NetrunnerDB decklist (JSON), JSON lines with `identity` and `cards`, or plain text (`3x Sure Gamble`)"

_INFLUENCE_DOTS = re.compile(r"[\s•●○★☆*·]+$")
_COPIES_FIRST = re.compile(r"^(\d{1,6})\s*(?:\{\d+\}\s*)?(?:[x×]\s*|\s)(.+)$", re.IGNORECASE)
_COPIES_LAST = re.compile(r"^(.+?)\s+[x×]\s*(\d{1,6})$", re.IGNORECASE)
_PACK = re.compile(r"\s*[(\[][^()\[\]]*[)\]]$")
_HEADING = re.compile(r"^[\w /-]+ \(\d+\)$")
_FOOTER = re.compile(
    r"^(\d+ (cards|influence|agenda points)\b|(cards|influence( spent)?|agenda points|deck built)\b[^:]*:|"
    r"cards up to\b|decklist published|https?://)",
    re.IGNORECASE,
)


class _BadLine(BadDeck):
    """A line of a plain list that cannot be read."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def read_decks(file: Path, pool: CardPool[Any], *, skipped: list[str] | None = None) -> list[Deck]:
    """All decks of a file, in whichever form it is."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BadDeck(f"there is no file {file}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadDeck(f"{file} cannot be read: {error}") from None
    if not text.strip():
        raise BadDeck(f"{file} is empty; expected {FORMS}")
    decks = []
    for place, found in _entries(text, file):
        try:
            decks.append(_deck(found, pool, place))
        except (BadDeck, UnknownCard) as error:
            where = f"{file}, line {error.line}" if isinstance(error, _BadLine) else place
            message = f"{where}: {error}"
            if skipped is None:
                raise BadDeck(message) from None
            skipped.append(message)
    return decks


def _entries(text: str, file: Path) -> Iterator[tuple[str, Any]]:
    """Each deck as found, with its place: JSON objects, the lines of a plain list, or what is wrong with it."""
    beginning = text.lstrip()[:1]
    if beginning == "<":
        raise BadDeck(f"{file} is a web page; expected {FORMS}")
    if beginning not in ("{", "["):
        yield from _plain_lists(text, file)
        return
    try:
        content = parse_json(text)
    except ValueError as error:
        if beginning == "{" and "\n" in text.strip():
            yield from _json_lines(text, file)
            return
        raise BadDeck(f"{file}: no JSON: {error}") from None
    if isinstance(content, dict) and isinstance(content.get("data"), list):
        content = content["data"]
    entries = content if isinstance(content, list) else [content]
    if not entries:
        raise BadDeck(f"{file} has no decks")
    for number, entry in enumerate(entries, 1):
        yield (f"{file}, deck {number}" if len(entries) > 1 else str(file)), entry


def _json_lines(text: str, file: Path) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                found = parse_json(line)
            except ValueError as error:
                found = BadDeck(f"no JSON: {error}")
            yield f"{file}, line {number}", found


def _deck(entry: Any, pool: CardPool[Any], place: str) -> Deck:
    if isinstance(entry, BadDeck):
        raise entry
    if isinstance(entry, list):
        return _from_lines(entry, pool, place)
    if not isinstance(entry, dict) or not isinstance(entry.get("cards"), dict):
        raise BadDeck(f"no decklist: it has no `cards` by code; expected {FORMS}")
    identities = [pool.find(str(entry["identity"])).code] if entry.get("identity") else []
    copies: dict[str, int] = {}
    for name, number in entry["cards"].items():
        card = pool.find(name)
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise BadDeck(f"{number!r} copies of {card.title}; expected a whole number from 1")
        if not card.is_identity:
            copies[card.code] = copies.get(card.code, 0) + number
        elif card.code not in identities:
            identities.append(card.code)
    date = entry.get("date") or entry.get("date_creation") or entry.get("creation") or ""
    day = str(date)[:10] if re.match(r"\d{4}-\d\d-\d\d", str(date)) else ""  # a year alone is no date
    return _built(identities, copies, pool, str(entry.get("name") or ""), day, place)


def _plain_lists(text: str, file: Path) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """The decks of a plain text: each begins with its identity's line, or after a line of dashes."""
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if re.fullmatch(r"[-=_]{3,}", line):
            if lines:
                yield f"{file}, line {lines[0][0]}", lines
            lines = []
        elif line and not line.startswith(("#", "//")) and not _FOOTER.match(line):
            lines.append((number, line))
    if lines:
        yield f"{file}, line {lines[0][0]}", lines


def parse_line(line: str) -> tuple[int | None, str]:
    """How many copies a line asks for, and the title; None: no number, as on the identity's line."""
    line = _INFLUENCE_DOTS.sub("", line)
    if match := _COPIES_FIRST.match(line):
        return int(match[1]), match[2].strip()
    if match := _COPIES_LAST.match(line):
        return int(match[2]), match[1].strip()
    return None, line


def find_title(title: str, pool: CardPool[Any]) -> Any:
    """The card of a title that may be followed by its pack, as `Corroder (Core Set)`."""
    try:
        return pool.find(title)
    except UnknownCard:
        without_pack = _PACK.sub("", title)
        if without_pack == title:
            raise
        return pool.find(without_pack)


def _from_lines(lines: list[tuple[int, str]], pool: CardPool[Any], place: str) -> Deck:
    identities: list[str] = []
    copies: dict[str, int] = {}
    name = ""
    for number, line in lines:
        wanted, title = parse_line(line)
        try:
            card = find_title(title, pool)
        except UnknownCard as error:
            if wanted is None and (_HEADING.match(title) or not identities) and not copies:
                name = name or title
                continue
            if wanted is None and (_HEADING.match(title) or title.isalpha()):
                continue  # a heading, as "Hardware (5)"
            raise _BadLine(str(error), number) from None
        if card.is_identity:
            identities.append(card.code)
        else:
            copies[card.code] = copies.get(card.code, 0) + (1 if wanted is None else wanted)
    return _built(identities, copies, pool, name, "", place)


def _built(
    identities: list[str], copies: dict[str, int], pool: CardPool[Any], name: str, date: str, place: str
) -> Deck:
    if not identities:
        raise BadDeck(f"no identity among {len(copies)} cards" if copies else f"no decklist; expected {FORMS}")
    if len(identities) > 1:
        raise BadDeck("two identities: " + " and ".join(pool[code].title for code in identities))
    return Deck(identities[0], copies, name, date, place)


def deck_as_json(deck: Deck) -> str:
    """A deck as one of our JSON lines."""
    named = {"name": deck.name} if deck.name else {}
    dated = {"date": deck.date} if deck.date else {}
    return json.dumps({**named, **dated, "identity": deck.identity, "cards": dict(deck.cards)}, ensure_ascii=False)
