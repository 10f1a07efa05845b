"""Choices made in secret, kept until the person at the table can tell them.

What a person sees reveals a choice when no other choice could have led to it. So alternatives are carried along, in
which one or two of the secret choices were others: each is a position in which everything else happens as it really
does. An alternative that would look different to the person by now is dropped. A choice is revealed when no alternative
is left in which it was another, and when it is the same in every determinization of what the person knows. Where chance
falls it falls in several other ways too: a difference that chance alone makes reveals nothing. What is still open when
a seat chooses again stays secret: a card that went face down is not told because the others of that hand are seen
later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from boardwright.agents import Decision
from boardwright.kernel import Bytes, Observation, State, rng

_OTHER_CHANCES = 6
_OTHER_CHOICES = 2
"""Alternatives differ in so many choices: two seats may have chosen each other's card."""
_MOST_ALTERNATIVES = 2_000
_DETERMINIZATIONS = 24


@dataclass(eq=False)
class Secret:
    """A choice that the observer could not see when it was made."""

    seat: int
    before: State
    observation: Observation
    """What its seat knew."""
    decision: Decision
    """What its seat chose."""
    marks: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    """The bytes of the state in which another choice would show."""
    values: Bytes = field(default_factory=lambda: np.zeros(0, np.uint8))
    """What this choice made of these bytes."""
    doubtful: bool = False
    """Whether a determinization had another choice when no alternative had."""


@dataclass(frozen=True)
class _Alternative:
    """A position that the observer cannot tell from the true one, and the choices that were others there."""

    state: State
    others: frozenset[Secret] = frozenset()


class Secrets:
    """The secret choices of a game, from the seat of one observer."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.kept: list[Secret] = []
        """Those that may still be revealed."""
        self.for_good: list[Secret] = []
        """Those that are not revealed before the end."""
        self._alternatives: list[_Alternative] = []
        self._choice: Secret | None = None
        self._hidden = False
        self._before: State | None = None

    def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> bool:
        """A decision is about to be played; whether it is a secret."""
        self._before = state.copy()
        for earlier in [secret for secret in self.kept if secret.seat == seat]:
            self._give_up(earlier)
        seen = int(state.game.entries.action_observation(state.memory, int(decision.action), self.viewer))
        secret = seat != self.viewer and seen != decision.action
        shown = secret and not decision.forced  # what was no choice is not worth telling
        self._choice = Secret(seat, self._before, observation, decision) if shown else None
        self._hidden = secret
        return secret

    def applied(self, state: State, action: int) -> list[Secret]:
        """It was played; the choices that are revealed by it."""
        before, choice = self._before, self._choice
        assert before is not None, "applied() follows decided()"
        if choice is not None:
            choice.marks = _marks(before, state, action)
            choice.values = state.memory[choice.marks].copy()
            self.kept.append(choice)
        played = list(self._play(before, state, action, choice))
        self._alternatives = [alternative for alternative, open_still in played if open_still]
        for alternative, open_still in played:
            if not open_still:
                for secret in alternative.others:
                    self._give_up(secret)
        while len(self._alternatives) > _MOST_ALTERNATIVES:
            self._give_up(self.kept[0])
        open_choices = {secret for alternative in self._alternatives for secret in alternative.others}
        revealed = [secret for secret in self.kept if secret not in open_choices and self._is_certain(secret, state)]
        self.kept = [secret for secret in self.kept if secret not in revealed]
        return revealed

    def _is_certain(self, secret: Secret, state: State) -> bool:
        """Whether all determinizations have this choice, as long as the state shows it."""
        if not np.array_equal(state.memory[secret.marks], secret.values):
            return not secret.doubtful
        observation = state.observation(self.viewer)
        samples = (observation.determinize(seed=number) for number in range(_DETERMINIZATIONS))
        certain = all(np.array_equal(sample.memory[secret.marks], secret.values) for sample in samples)
        secret.doubtful = not certain
        return certain

    def taken_back(self) -> None:
        """Moves were taken back: what was chosen before is not shown any more."""
        self.kept, self.for_good, self._alternatives, self._choice = [], [], [], None

    def _give_up(self, secret: Secret) -> None:
        """When this one is revealed is unknown."""
        if secret in self.kept:
            self.kept.remove(secret)
            self.for_good.append(secret)
            self._alternatives = [alternative for alternative in self._alternatives if secret not in alternative.others]

    def _play(
        self, before: State, after: State, action: int, choice: Secret | None
    ) -> Iterator[tuple[_Alternative, bool]]:
        """The alternatives after a move; with each, whether it can be carried on, or only chance tells it from the
        truth."""
        seen = after.observation(self.viewer)
        for alternative in [_Alternative(before), *self._alternatives]:
            for move in self._moves(alternative, action):
                if move == action and not alternative.others:
                    continue  # the truth
                others = alternative.others | {choice} if choice is not None and move != action else alternative.others
                if len(others) > _OTHER_CHOICES:
                    continue
                then = alternative.state.copy()
                then.game.entries.apply(then.memory, move)
                if then.observation(self.viewer) == seen:
                    yield _Alternative(then, others), True
                elif self._same_by_chance(before, action, alternative.state, move):
                    yield _Alternative(then, others), False

    def _moves(self, alternative: _Alternative, action: int) -> list[int]:
        """What may have been played there: what was seen, or anything if nobody saw it."""
        if alternative.state.is_terminal:
            return []
        legal = alternative.state.legal_actions()
        return legal if self._hidden else [action] if action in legal else []

    def _same_by_chance(self, before: State, action: int, other: State, move: int) -> bool:
        """Whether the two moves look the same if chance falls otherwise."""
        if before.game.chance != "play":
            return False
        for number in range(_OTHER_CHANCES):
            ends = []
            for state, played in ((before, action), (other, move)):
                tried = state.copy()
                tried.record.rng[:] = rng.generator(1 + number)
                tried.game.entries.apply(tried.memory, played)
                ends.append(tried.observation(self.viewer))
            if ends[0] == ends[1]:
                return True
        return False


def _marks(before: State, after: State, action: int) -> NDArray[np.int64]:
    """The bytes that would be others if another action had been played, chance aside."""
    differ = np.zeros(len(after.memory), bool)
    for other in before.legal_actions():
        if other != action:
            then = before.copy()
            then.game.entries.apply(then.memory, other)
            differ |= then.memory != after.memory
    kind = before.game.state
    if before.game.chance == "play":
        start = kind.fields["rng"][1]  # type: ignore[index]
        differ[start : start + kind["rng"].itemsize] = False
    return np.flatnonzero(differ)


def public_actions(observation: Observation, actions: Sequence[int]) -> list[int]:
    """Those actions of the seat to move that are legal whatever is hidden from the observer: they name no secrets."""
    found = list(actions)
    for number in range(_OTHER_CHANCES):
        legal = set(observation.determinize(seed=number).legal_actions())
        found = [action for action in found if action in legal]
    return found
