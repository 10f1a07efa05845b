"""Parsing XML from outside: within limits, and with messages that name the element and what is wrong with it."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from boardwright.scout.problems.problem import BadDocument

MAX_BYTES = 1 << 16
"""Of a document; real ones have three thousand or so."""
MAX_ELEMENTS = 1000
MAX_DEPTH = 8
_SHOWN = 40
"""How much of a wrong text a message repeats."""


class _Builder(TreeBuilder):
    """Refuses documents that are too deep or too large while they are being read."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = self.elements = 0

    def start(self, tag: str, attrs: dict[str, str]) -> Element:
        self.depth += 1
        self.elements += 1
        if self.depth > MAX_DEPTH:
            raise BadDocument(f"<{printable(tag)}>: elements are nested more than {MAX_DEPTH} deep")
        if self.elements > MAX_ELEMENTS:
            raise BadDocument(f"<{printable(tag)}>: more than {MAX_ELEMENTS} elements")
        return super().start(tag, attrs)

    def end(self, tag: str) -> Element:
        self.depth -= 1
        return super().end(tag)


def parse(data: bytes) -> Element:
    """The root of a document; nothing in it is expanded or fetched."""
    if len(data) > MAX_BYTES:
        raise BadDocument(f"a document of {len(data):,} bytes is too large; the limit is {MAX_BYTES:,}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadDocument(f"not UTF-8: byte {error.start} is {data[error.start]:#04x}") from None
    if not text.strip():
        raise BadDocument("an empty document")
    parser = DefusedXMLParser(target=_Builder(), forbid_dtd=True, forbid_entities=True, forbid_external=True)
    try:
        parser.feed(text)
        root: Element = parser.close()
    except DefusedXmlException as error:
        raise BadDocument(f"XML with declarations that a document has no use for: {type(error).__name__}") from None
    except (ParseError, ValueError) as error:
        raise BadDocument(f"broken XML: {error}") from None
    return root


def printable(text: str) -> str:
    """A text from outside, fit for a message of one line."""
    cut = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return "".join(letter if letter.isprintable() else "�" for letter in cut)


def optional(parent: Element, tag: str) -> Element | None:
    found = parent.findall(tag)
    if len(found) > 1:
        raise BadDocument(f"<{parent.tag}> has {len(found)} elements <{tag}>")
    return found[0] if found else None


def child(parent: Element, tag: str) -> Element:
    found = optional(parent, tag)
    if found is None:
        raise BadDocument(f"<{parent.tag}> has no <{tag}>")
    return found


def text_of(element: Element) -> str:
    if len(element):
        raise BadDocument(f"<{element.tag}> should hold text, not <{printable(element[0].tag)}>")
    return (element.text or "").strip()


def number_in(text: str, where: str, low: int, high: int) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        raise BadDocument(f"{where}: {printable(text)!r} is not a whole number")
    if not low <= int(text) <= high:
        raise BadDocument(f"{where}: {int(text)} is not from {low} to {high}")
    return int(text)


def number(parent: Element, tag: str, low: int, high: int) -> int:
    return number_in(text_of(child(parent, tag)), f"<{tag}>", low, high)


def attribute(element: Element, name: str, low: int, high: int) -> int:
    if name not in element.attrib:
        raise BadDocument(f"<{element.tag}> has no attribute {name}")
    return number_in(element.attrib[name], f"<{element.tag} {name}>", low, high)
