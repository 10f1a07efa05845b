"""A whole choice as the steps into which our rules split it, and back."""

from __future__ import annotations

from collections import Counter

from boardwright.errors import IllegalAction
from boardwright.games.race.bits import members
from boardwright.games.race.picks import card_for
from boardwright.games.race.settle import price_with
from boardwright.games.race.state import DONE, FOR_VP, PAY, SETTLE_PAID, SPECIAL, SPECIALS
from boardwright.kernel import Observation, Record
from boardwright.scout.problems.problem import DESIGN_OF_ID, SPECIAL_POWERS, Choice
from boardwright.scout.problems.translation import PICKS, ids, ids_in, option_of, pickable, powers_of, settle_ways


def is_first_step(observation: Observation) -> bool:
    """Whether no step of the question has been answered yet."""
    s, seat = observation.record, observation.seat
    if s.question not in PICKS:
        return True
    if s.question == PAY and s.stage == SETTLE_PAID and (s.original or len(settle_ways(s, seat)) > 1):
        return False  # the special cards were asked for first
    return s.left == s.picks[seat]


def next_step(observation: Observation, choice: Choice) -> int:
    """The action that carries on with a whole choice, at any step of the question; IllegalAction if none does."""
    s = observation.record
    if s.question == SPECIAL:
        mask = _mask(choice)
        if settle_ways(s, observation.seat).get(mask) != len(choice) - mask.bit_count():
            raise _unfit(choice)
        return SPECIALS + mask
    if s.question == PAY and _mask(choice) != (s.specials if s.stage == SETTLE_PAID else 0):
        raise _unfit(choice)
    if s.question in PICKS:
        return _if_legal(observation, _next_pick(observation, s, choice), choice)
    for action in observation.legal_actions():
        if (() if action == DONE else (option_of(s, action),)) == choice:
            return action
    raise _unfit(choice)


def _mask(choice: Choice) -> int:
    return sum(bit for bit, power in SPECIAL_POWERS.items() if power in choice)


def _next_pick(observation: Observation, s: Record, choice: Choice) -> int:
    """Steps go in ascending order and name the cards kept, where those are fewer."""
    pool = Counter(ids(pickable(s)))
    chosen = Counter(option for option in choice if not isinstance(option, tuple))
    if not chosen <= pool:
        raise _unfit(choice)
    seat = observation.seat
    steps = pool - chosen if s.keeps[seat] else chosen
    made = Counter(ids_in(s.picked[seat]))
    fits = steps.total() <= s.picks[seat] if s.question == FOR_VP else steps.total() == s.picks[seat]
    if not fits or not made <= steps:
        raise _unfit(choice)
    to_come = steps - made
    return DESIGN_OF_ID[min(to_come)] if to_come else DONE


def _if_legal(observation: Observation, action: int, choice: Choice) -> int:
    if action not in observation.legal_actions():
        raise _unfit(choice)
    return action


def _unfit(choice: Choice) -> IllegalAction:
    return IllegalAction(f"race: the choice {choice} does not answer the question, or not what was answered before")


def completed_choice(observation: Observation, action: int) -> Choice | None:
    """The whole choice that a step completes, together with the steps before it; None if others follow."""
    s, seat = observation.record, observation.seat
    if s.question == SPECIAL:
        mask, hand = action - SPECIALS, ids_in(s.hand[seat])
        price = price_with(s, seat, s.placing[seat] - 1, mask, len(hand))
        if price not in (0, len(hand)):
            return None
        return (*(hand if price else ()), *powers_of(mask))
    if s.question not in PICKS:
        return () if action == DONE else (option_of(s, action),)
    if action != DONE and s.left > 1:
        return None
    picked = members(s.picked[seat])
    if action != DONE:
        picked.append(card_for(s, action))
    if s.keeps[seat]:
        picked = [card for card in pickable(s) if card not in picked]
    used = powers_of(s.specials) if s.question == PAY and s.stage == SETTLE_PAID else ()
    return (*ids(picked), *used)
