"""The prompt of a language model for a decision, and what is made of its answer. No network here."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from boardwright.files import parse_json
from boardwright.kernel import Game, Observation
from boardwright.scripts.positions import position_as_json

SYSTEM = (
    "You play a board game. You are told what your seat may know. Think briefly, then end your answer with one line:"
    " ACTION: followed by your choice. Nothing may follow that line."
)
SYSTEM_JSON = (
    "You play a board game. You are told what your seat may know. Answer with one JSON object: your thoughts, briefly,"
    ' and the number of the action that you choose, as {"thoughts": "…", "action": 12}.'
)
NUMBERED, FREE, JSON = "numbered", "free", "json"
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
    if mode == JSON:
        data = json.dumps(position_as_json(game, observation.record), separators=(",", ":"))
        parts.append(f"The position as data, as `boardwright schema {game.name}` describes it:\n{data}")
        listed = "\n".join(_listed(game, observation, action, action) for action in actions)
        parts.append(f"Your choices, by the numbers of the actions:\n{listed}")
    elif mode == NUMBERED:
        listed = "\n".join(_listed(game, observation, n, action) for n, action in enumerate(actions, 1))
        parts.append(f"Your choices:\n{listed}\n\nAnswer with the number of your choice, as in: ACTION: 1")
    else:
        parts.append("Say what you do in the game's own words, as in: ACTION: " + texts[0])
    return "\n\n".join(parts)


def _listed(game: Game, observation: Observation, number: int, action: int) -> str:
    """A choice with what else somebody should know to choose it."""
    details = game.text.action_details
    about = details(observation.record, action) if details is not None else ""
    return f"{number}. {game.describe(observation, action)}" + (f" ({about})" if about else "")


def choice(answer: str, texts: Sequence[str], mode: str, actions: Sequence[int] = ()) -> int:
    """The place of the chosen action; NoAnswer if the answer names none, or several."""
    if mode == JSON:
        return _by_action(answer, actions)
    lines = _ANSWER.findall(answer)
    if not lines:
        raise NoAnswer("There is no line that begins with ACTION: in your answer.")
    chosen = lines[-1].strip().strip("*`\"'.")
    number = re.match(r"#?(\d+)\b", chosen)
    if mode == NUMBERED:
        if number is None:
            raise NoAnswer(f"{chosen!r} is not a number; answer with the number of a choice.")
        place = int(number[1]) - 1 if len(number[1]) < 9 else -1
        if not 0 <= place < len(texts):
            raise NoAnswer(f"There is no choice {number[1][:20]}; they are numbered from 1 to {len(texts)}.")
        return place
    return _by_text(chosen, texts)


def _by_action(answer: str, actions: Sequence[int]) -> int:
    """The action that an answer in JSON names; some endpoints put it between marks."""
    try:
        found = parse_json(answer[answer.index("{") : answer.rindex("}") + 1])
    except ValueError:
        raise NoAnswer('Your answer is not one JSON object, as {"thoughts": "…", "action": 12}.') from None
    chosen = found.get("action") if isinstance(found, dict) else None
    if type(chosen) is not int or chosen not in actions:
        raise NoAnswer(f'"action" is {chosen!r}; it must be one of {", ".join(map(str, actions))}.')
    return list(actions).index(chosen)


def _by_text(chosen: str, texts: Sequence[str]) -> int:
    """The action whose text this is, or the only one that it is part of."""
    wanted, lowered = chosen.casefold(), [text.casefold() for text in texts]
    same = [place for place, text in enumerate(lowered) if text == wanted]
    found = same or [place for place, text in enumerate(lowered) if wanted in text or text in wanted]
    if len(found) == 1:
        return found[0]
    if not found:
        raise NoAnswer(f"{chosen!r} is nothing that you can do now. You can, for example: {texts[0]}.")
    raise NoAnswer(f"{chosen!r} could be {len(found)} actions, among them: {', '.join(texts[i] for i in found[:4])}.")
