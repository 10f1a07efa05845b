"""Every registered game keeps the contract, and the suite notices when one does not."""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import boardwright as bw
from boardwright import conformance
from boardwright.conformance import CHECKS, Failure
from boardwright.kernel import rule
from tests.conftest import COIN, DICE_RACE, PENNIES, replaced

connect_four_rules = importlib.import_module("boardwright.games.connect_four")
action_observations = importlib.import_module("boardwright.games.wonders.action_observations")
wonders_state = importlib.import_module("boardwright.games.wonders.state")
kuhn_state = importlib.import_module("boardwright.games.kuhn_poker.state")


GAMES = [*bw.games(), str(DICE_RACE), str(PENNIES), str(COIN)]
DEAR = (
    "actions and positions have text",
    "an observation does not depend on what is hidden",
    "compiled and uncompiled rules play the same games",
    "of an action a seat is told what it sees or hears, and no more",
    "states and observations survive bytes, pickle and JSON",
)
"""Promises that take so long that the quick suite looks at one game each."""


def promises() -> Iterator[Any]:
    """Every promise of every game. Uncompiled, Wonders takes as long as all the others together, and Race as long as
    those that are left."""
    for name, promise in itertools.product(GAMES, CHECKS):
        is_slow = name in ("race", "wonders") and promise == "compiled and uncompiled rules play the same games"
        yield pytest.param(name, promise, marks=pytest.mark.slow if is_slow else ())


@pytest.mark.parametrize(("name", "promise"), list(promises()))
def test_game_keeps_its_promise(name: str, promise: str) -> None:
    CHECKS[promise](bw.game(name), games=1 if promise in DEAR else 3, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("promise", CHECKS)
@pytest.mark.parametrize("name", GAMES)
def test_game_keeps_its_promise_in_many_games(name: str, promise: str) -> None:
    CHECKS[promise](bw.game(name), games=20, seed=4)


def test_dear_promises_are_promises() -> None:
    assert set(DEAR) <= CHECKS.keys()


def broken(game: bw.Game, **changes: Any) -> bw.Game:
    """Under its own name: what the changes leave alone is not compiled again."""
    return replaced(game, **changes)


@rule
def legal_repeats_itself(s, out):  # type: ignore[no-untyped-def]
    n = connect_four_rules.legal(s, out)
    out[n] = out[0]
    return n + 1


@rule
def observe_shows_all(s, seat):  # type: ignore[no-untyped-def]
    s.rng[:] = 0


@rule
def determinize_deals_a_second_king(s, seat, seed):  # type: ignore[no-untyped-def]
    for place in range(3):
        if s.card[place] == kuhn_state.UNKNOWN:
            s.card[place] = kuhn_state.KING


@rule
def every_action_looks_the_same(s, action, seat):  # type: ignore[no-untyped-def]
    return 2


@rule
def the_last_choice_is_told(s, action, seat):  # type: ignore[no-untyped-def]
    """As it was once: a discard of the last chooser, or of Babylon's seventh card, was told by name."""
    for other in range(s.seats):
        if s.phase == wonders_state.CHOOSE and other != s.mover and s.chosen[other] in (-1, -2):
            return wonders_state.UNSEEN_CHOICE
    return action


@rule
def deferred_choices_do_not_count(s, action, seat):  # type: ignore[no-untyped-def]
    """In a determinization the hidden choices are asked for again: until then nothing may be told."""
    if s.phase == wonders_state.CHOOSE:
        for other in range(s.seats):
            if other != s.mover and s.chosen[other] == wonders_state.NOT_YET:
                return wonders_state.UNSEEN_CHOICE
        for other in range(s.seats):
            if other != s.mover and s.chosen[other] == wonders_state.DEFERRED:
                return action
    return action_observations.action_observation(s, action, seat)


@rule
def the_hand_is_told(s, action, seat):  # type: ignore[no-untyped-def]
    return action


@rule
def the_other_card_is_learned(before, s, seat):  # type: ignore[no-untyped-def]
    return 1 + s.card[1 - seat]


@rule
def returns_too_much(s, out):  # type: ignore[no-untyped-def]
    out[0], out[1] = 7.0, -7.0


@rule
def piece_counts_count_moves(s, out):  # type: ignore[no-untyped-def]
    out[0] = s.discs


@pytest.mark.parametrize(
    ("check", "game", "changes", "complaint"),
    [
        (
            conformance.rules.legal_actions_hold,
            "connect_four",
            {"rules.legal": legal_repeats_itself, "max_legal": 8},
            "repeat",
        ),
        (
            conformance.information.observations_hide_what_is_hidden,
            "kuhn_poker",
            {"information.observe": observe_shows_all},
            "seat 1's observation shows something hidden",
        ),
        (
            conformance.information.observations_hide_what_is_hidden,
            "kuhn_poker",
            {"information.scramble": None},
            "declares no scramble",
        ),
        (
            conformance.information.determinizations_fit_their_observation,
            "kuhn_poker",
            {"information.determinize": determinize_deals_a_second_king},
            "has other pieces",
        ),
        (
            conformance.information.disguises_hold,
            "kuhn_poker",
            {
                "information.action_observation": every_action_looks_the_same,
                "information.num_action_observations": 3,
            },
            "action_observation hides",
        ),
        (
            conformance.information.secrets_are_kept,
            str(PENNIES),
            {"information.action_observation": the_hand_is_told},
            "is told actions 0 and 1 apart",
        ),
        pytest.param(
            conformance.information.secrets_are_kept,
            "wonders",
            {"information.action_observation": the_last_choice_is_told},
            "apart, but its observations are the same",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            conformance.information.secrets_are_kept,
            "wonders",
            {"information.action_observation": deferred_choices_do_not_count},
            "apart, but its observations are the same",
            marks=pytest.mark.slow,
        ),
        (
            conformance.information.secrets_are_kept,
            "colonizers",
            {"information.announced": None},
            "apart, but its observations are the same",
        ),
        (
            conformance.information.secrets_are_kept,
            str(PENNIES),
            {"information.announced": lambda s, action: True},
            "is announced, and not told",
        ),
        (
            conformance.information.learning_is_seeing,
            "kuhn_poker",
            {"information.learned": the_other_card_is_learned},
            "learns what its observations do not show",
        ),
        (
            conformance.knowledge.estimates_lie_within_bounds,
            "lords",
            {"search.rankings": ()},
            "evaluation h1 gives .* if it is in units of its own, name it in `search.rankings`",
        ),
        (
            conformance.rules.returns_lie_within_bounds,
            "connect_four",
            {"max_utility_sum": -1.0},
            "add up to more than max_utility_sum",
        ),
        (conformance.rules.returns_lie_within_bounds, "connect_four", {"rules.returns": returns_too_much}, "exceed"),
        (
            conformance.rules.pieces_are_conserved,
            "connect_four",
            {"rules.piece_counts": piece_counts_count_moves},
            "piece counts changed",
        ),
        (
            conformance.knowledge.everything_has_text,
            "connect_four",
            {"text.describe_action": lambda s, a: "drop"},
            "same text",
        ),
    ],
)
def test_broken_game_is_caught(check: Any, game: str, changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(Failure, match=complaint):
        check(broken(bw.game(game), **changes), games=5, seed=1)


@pytest.mark.parametrize(("compiling", "verdicts"), [(["coin.rules"], []), ([], ["does not come back within 20 s"])])
def test_a_rule_that_hangs_is_told_from_one_that_is_compiled(
    compiling: list[str], verdicts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game of cards takes longer to compile than any rule may take for a position."""
    stage = importlib.import_module("boardwright.conformance.__main__")
    parents, clock, said = [1] * 5 + [2], itertools.count(0, 9), list[str]()
    monkeypatch.setattr(stage, "compiling", compiling)
    monkeypatch.setattr(stage, "report", lambda promise, failure: said.append(failure))
    monkeypatch.setattr(stage.os, "getppid", lambda: parents.pop(0))
    monkeypatch.setattr(stage.os, "_exit", sys.exit)
    monkeypatch.setattr(stage.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(stage.time, "process_time", lambda: next(clock))
    with pytest.raises(SystemExit):
        stage.watch(["a promise"])
    assert len(said) == len(verdicts)
    assert all(verdict in text for verdict, text in zip(verdicts, said, strict=True))
