"""What a person's answer means: one of several texts, or a set of them."""

from __future__ import annotations

import re
from collections.abc import Sequence


def pick(answer: str, texts: Sequence[str]) -> int | None:
    """The place of the choice that an answer means: its number, its words, or a beginning that fits only one."""
    lowered = [text.lower() for text in texts]
    if answer in lowered:
        return lowered.index(answer)
    if answer.isdigit():
        return int(answer) - 1 if 1 <= int(answer) <= len(texts) else None
    fitting = [place for place, text in enumerate(lowered) if answer and text.startswith(answer)]
    return fitting[0] if len(fitting) == 1 else None


def places_in(answer: str, texts: Sequence[str]) -> list[int] | None:
    """The places that an answer names, each once: "1 3 4", "1,3,4", "mining league, old earth", "none"; "but 2 5" are
    all others."""
    answer = answer.strip().lower()
    if answer.startswith("but "):
        left_out = places_in(answer.removeprefix("but "), texts)
        return None if left_out is None else [place for place in range(len(texts)) if place not in left_out]
    if answer in ("none", "nothing"):
        return []
    words = re.split(r"[\s,]+", answer) if re.fullmatch(r"[\d\s,]+", answer) else answer.split(",")
    places: list[int] = []
    for word in filter(None, map(str.strip, words)):
        place = pick(word, texts)
        if place is None:
            return None
        if place in places and not word.isdigit():  # of two equal cards the other one
            place = next((p for p, text in enumerate(texts) if text == texts[place] and p not in places), place)
        if place in places:
            return None
        places.append(place)
    return sorted(places)


def moves_in(text: str) -> list[str]:
    """Several answers in one text: "4 4 3", or with commas between them "column 4, column 4"."""
    if re.fullmatch(r"[\d\s,]*", text):
        return re.findall(r"\d+", text)
    return [part.strip() for part in text.split(",") if part.strip()]
