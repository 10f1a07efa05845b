"""A text as a change of the one before it, so that a move sends what it changed and not a whole picture again.

A picture consists of pieces: its things, one of them after another, each with all that is in it. A patch lists the
pieces of the new picture: `(first, count)` takes pieces of the old one; `(place, line)` takes one with another first
line, as that of a card that has moved or can be chosen now; a text is a piece that is new.
"""

from __future__ import annotations

import json

from boardwright.web.messages import Patch


def pieces(text: str) -> list[str]:
    """The lines of a text, those of a group (`<g>` to `</g>`) together; joined by line ends they are the text."""
    found: list[str] = []
    depth = 0
    for line in text.split("\n"):
        if depth:
            found[-1] += "\n" + line
        else:
            found.append(line)
        if line.startswith("<g"):
            depth += 1
        elif line.startswith("</g>"):
            depth = max(0, depth - 1)
    return found


def patch(before: str, after: str) -> Patch | None:
    """How to make `after` from `before`; None if that is longer than `after` itself."""
    old_pieces = pieces(before)
    places = {piece: place for place, piece in reversed(list(enumerate(old_pieces)))}
    insides = {piece.partition("\n")[2]: place for place, piece in reversed(list(enumerate(old_pieces)))}
    found: Patch = []
    for piece in pieces(after):
        last = found[-1] if found else None
        if (place := places.get(piece)) is not None:
            if isinstance(last, tuple) and isinstance(last[1], int) and last[0] + last[1] == place:
                found[-1] = last[0], last[1] + 1
            else:
                found.append((place, 1))
            continue
        first, _, inside = piece.partition("\n")
        if inside and inside in insides:
            found.append((insides[inside], first))
        else:
            found.append(piece)
    return found if len(json.dumps(found)) < len(after) else None
