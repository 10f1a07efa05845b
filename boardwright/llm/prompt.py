"""What a language model is told about a decision, and what is made of its answer. No network here."""

from __future__ import annotations

import re
from collections.abc import Sequence

from boardwright.kernel import Game, Observation

SYSTEM = (
    "You play a board game. You are told what your seat may know. Think briefly, then end your answer with one line:"
    " ACTION: followed by your choice. Nothing may follow that line."
)
NUMBERED, FREE = "numbered", "free"
_ANSWER = re.compile(r"ACTION\s*:\s*(.+)", re.IGNORECASE)


class NoAnswer(ValueError):
    """What is wrong with an answer, in words that can be sent back to the model."""


def question(
    game: Game, observation: Observation, actions: Sequence[int], history: Sequence[str], mode: str, rules: str
) -> str:
    """The decision in words: rules, what happened, the position, and the choices if they are listed."""
    texts = [game.describe(observation, action) for action in actions]
    parts = [f"The game is {game.title}. You are {game.seat_name(observation.seat)}."]
    parts += [f"Rules:\n{rules.strip()}"] if rules.strip() else []
    parts += ["What happened so far, as you saw it:\n" + "\n".join(history)] if history else []
    parts.append(f"The position:\n{observation}")
    if mode == NUMBERED:
        listed = "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))
        parts.append(f"Your choices:\n{listed}\n\nAnswer with the number of your choice, as in: ACTION: 1")
    else:
        parts.append("Say what you do in the game's own words, as in: ACTION: " + texts[0])
    return "\n\n".join(parts)


def choice(answer: str, texts: Sequence[str], mode: str) -> int:
    """The place of the chosen action; NoAnswer if the answer names none, or several."""
    lines = _ANSWER.findall(answer)
    if not lines:
        raise NoAnswer("There is no line that begins with ACTION: in your answer.")
    said = lines[-1].strip().strip("*`\"'.")
    number = re.match(r"#?(\d+)\b", said)
    if mode == NUMBERED:
        if number is None:
            raise NoAnswer(f"{said!r} is not a number; answer with the number of a choice.")
        place = int(number[1]) - 1 if len(number[1]) < 9 else -1
        if not 0 <= place < len(texts):
            raise NoAnswer(f"There is no choice {number[1][:20]}; they are numbered from 1 to {len(texts)}.")
        return place
    return _by_text(said, texts)


def _by_text(said: str, texts: Sequence[str]) -> int:
    """The action whose text this is, or the only one that it is part of."""
    wanted, lowered = said.casefold(), [text.casefold() for text in texts]
    same = [place for place, text in enumerate(lowered) if text == wanted]
    found = same or [place for place, text in enumerate(lowered) if wanted in text or text in wanted]
    if len(found) == 1:
        return found[0]
    if not found:
        raise NoAnswer(f"{said!r} is nothing that you can do now. You can, for example: {texts[0]}.")
    raise NoAnswer(f"{said!r} could be {len(found)} actions, among them: {', '.join(texts[i] for i in found[:4])}.")
