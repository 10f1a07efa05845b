"""What a person can choose from: all actions at once, or step by step; and which one an answer means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from boardwright.kernel import Observation
from boardwright.kernel.set_choice import ChoiceStep
from boardwright.terminal.answers import fitting

_SHORT = 3
"""A step as short as the name of a square is typed as it is, not by its number; and it is not asked for where there is
one only. What says more than that is: nobody discards a card by looking at it."""


@dataclass(frozen=True)
class _Path:
    """An action, what remains to be typed to choose it, and its whole text."""

    action: int
    steps: tuple[ChoiceStep, ...]
    text: str


@dataclass(frozen=True)
class Menu:
    """The choices of one step, and what each of them leaves to choose."""

    chosen: tuple[str, ...]
    """What was chosen in the steps before."""
    choices: tuple[ChoiceStep, ...]
    paths: tuple[tuple[_Path, ...], ...]
    """For each choice, the actions that begin with it."""
    numbers: tuple[int, ...]
    """What is typed for each."""

    @property
    def texts(self) -> list[str]:
        return [choice.text for choice in self.choices]

    @property
    def details(self) -> list[str]:
        return [choice.detail for choice in self.choices]

    def after(self, place: int) -> Menu | int:
        """What a choice leads to: the next step, or an action if nothing is left to say."""
        paths = self.paths[place]
        if len(paths) == 1 and all(len(step.text) <= _SHORT for step in paths[0].steps[1:]):
            return paths[0].action
        further = [replace(path, steps=path.steps[1:]) for path in paths]
        return _menu(further, (*self.chosen, self.choices[place].text))

    def understand(self, answer: str) -> Menu | int | list[str]:
        """What an answer leads to; if it is not clear, the texts that it may mean.

        It names a choice, an action as a whole, or a choice and then what follows it: "2 c3"."""
        found = fitting(answer, self.texts, self.numbers)
        if len(found) == 1:
            return self.after(found[0])
        every = [path for paths in self.paths for path in paths]
        whole = fitting(answer, [path.text for path in every]) if not answer.isdigit() else []
        if len(whole) == 1:
            return every[whole[0]].action
        first, _, rest = answer.partition(" ")
        begun = fitting(first, self.texts, self.numbers) if rest else []
        if len(begun) == 1 and isinstance(following := self.after(begun[0]), Menu):
            return following.understand(rest.strip())
        return [self.texts[place] for place in found] or [every[place].text for place in whole]

    def keys(self) -> dict[int, str]:
        """What can be typed to choose each action."""
        found: dict[int, str] = {}
        for place, text in enumerate(self.texts):
            key = text if len(self.chosen) and len(text) <= _SHORT else str(self.numbers[place])
            following = self.after(place)
            if isinstance(following, Menu):
                found |= {action: f"{key} {rest}" for action, rest in following.keys().items()}
            else:
                found[following] = key
        return found


def menu_of(observation: Observation, legal: Sequence[int]) -> Menu:
    """The first step of a choice among the legal actions."""
    text = observation.game.text
    paths = []
    for action in legal:
        description = observation.game.describe(observation, action)
        if text.action_steps is not None:
            steps = text.action_steps(observation.record, action)
        else:
            steps = (
                ChoiceStep(description, text.action_details(observation.record, action) if text.action_details else ""),
            )
        paths.append(_Path(action, steps, description))
    return _menu(paths, (), observation.game.choice_numbers(observation, legal) if text.action_steps is None else ())


def _menu(paths: Sequence[_Path], chosen: tuple[str, ...], numbers: Sequence[int] = ()) -> Menu:
    """`numbers`: one per action, where each is a choice; default: choices are numbered from 1."""
    groups: dict[str, list[_Path]] = {}
    for path in paths:
        groups.setdefault(path.steps[0].text, []).append(path)
    choices = tuple(group[0].steps[0] for group in groups.values())
    if len(numbers) != len(choices):  # several actions with one text are one choice
        numbers = range(1, len(choices) + 1)
    return Menu(chosen, choices, tuple(map(tuple, groups.values())), tuple(numbers))
