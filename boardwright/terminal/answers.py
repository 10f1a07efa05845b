"""What a person's answer means: one of several texts, or a set of them."""

from __future__ import annotations

import re
from collections.abc import Sequence


def fitting(answer: str, texts: Sequence[str], numbers: Sequence[int] = ()) -> list[int]:
    """The places of the texts that an answer may mean: the one with that number or those words; else those that begin
    with it, that have it in them, or that have its words in that order. `numbers`: one per text; default: from 1."""
    answer = " ".join(answer.lower().split())
    lowered = [" ".join(text.lower().split()) for text in texts]
    if not answer:
        return []
    if answer in lowered:
        return [lowered.index(answer)]
    if answer.isdigit():
        numbers = numbers or range(1, len(texts) + 1)
        return [numbers.index(int(answer))] if int(answer) in numbers else []
    begin = [place for place, text in enumerate(lowered) if text.startswith(answer)]
    within = [place for place, text in enumerate(lowered) if answer in text]
    return begin or within or [place for place, text in enumerate(lowered) if _has_words(text, answer)]


def pick(answer: str, texts: Sequence[str], numbers: Sequence[int] = ()) -> int | None:
    """The place of the choice that an answer means; None if it is none, or not only one."""
    found = fitting(answer, texts, numbers)
    return found[0] if len(found) == 1 else None


def _has_words(text: str, answer: str) -> bool:
    """Whether words of the text begin as those of the answer do, one after the other."""
    words = iter(text.split())
    return all(any(word.strip("(),:").startswith(part) for word in words) for part in answer.split())


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
        found = fitting(word, texts)
        if len({texts[place] for place in found}) != 1:
            return None
        place = next((place for place in found if place not in places), None)
        if place is None and not word.isdigit():  # of two equal cards the other one
            place = next((p for p, text in enumerate(texts) if text == texts[found[0]] and p not in places), None)
        if place is None:
            return None
        places.append(place)
    return sorted(places)


def moves_in(text: str) -> list[str]:
    """Several answers in one text: "4 4 3", or with commas between them "column 4, column 4"."""
    if re.fullmatch(r"[\d\s,]*", text):
        return re.findall(r"\d+", text)
    return [part.strip() for part in text.split(",") if part.strip()]
