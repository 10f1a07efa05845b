"""Secret choices are told when the person at the table can tell them, and not before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import boardwright as bw
from boardwright.agents import Decision
from boardwright.games.race.state import CHOOSE_ACTION, DISCARD, PLACE
from boardwright.kernel import State, rng
from boardwright.terminal.revealing import Secret, Secrets, public_actions


def play(state: State, onlooker: int, moves: int, told: Callable[[State, Secret], None]) -> Secrets:
    """Random moves; `told` hears of every choice that is revealed, with the position then."""
    secrets, chance = Secrets(onlooker), rng.generator(7)
    for _ in range(moves):
        if state.is_terminal:
            break
        legal = state.legal_actions()
        decision = Decision(legal[rng.draw(chance) % len(legal)]) if len(legal) > 1 else Decision.only(legal[0])
        secrets.decided(state, state.player, state.observation(state.player), decision)
        state.apply(int(decision.action))
        for secret in secrets.applied(state, int(decision.action)):
            told(state, secret)
    return secrets


@pytest.mark.parametrize("seats", [2, 3])
def test_race_reveals_actions_and_placements_when_all_have_chosen(seats: int) -> None:
    questions: list[int] = []

    def told(state: State, secret: Secret) -> None:
        before = secret.before.record
        questions.append(before.question)
        if before.question == CHOOSE_ACTION:
            assert state.observation(seats - 1).record.chosen[secret.seat] == state.record.chosen[secret.seat]
        elif before.question == PLACE:
            assert state.record.question != PLACE or state.record.stage != before.stage

    secrets = play(bw.game("race").new(seed=3, seats=seats), onlooker=seats - 1, moves=250, told=told)
    assert questions.count(CHOOSE_ACTION) > 5
    assert questions.count(PLACE) > 5
    assert DISCARD not in questions, "cards go face down"
    kept_back = {secret.before.record.question for secret in (*secrets.kept, *secrets.for_good)}
    assert DISCARD in kept_back


def test_colonists_are_not_told_before_they_are_called() -> None:
    """Who sees what is left on offer knows which colonists are taken, but not by whom."""

    def told(state: State, secret: Secret) -> None:
        if secret.before.game.describe(secret.before, int(secret.decision.action)).startswith("pick the"):
            shown = str(state.observation(3))
            colonist = secret.before.game.describe(secret.before, int(secret.decision.action)).removeprefix("pick the ")
            assert f"{colonist}?" not in shown
            assert colonist in shown or state.record.round > secret.before.record.round

    for seed in range(4):
        play(bw.game("colonizers").new(seed=seed), onlooker=3, moves=120, told=told)


def test_pennies_are_told_when_both_lie_open(pennies: bw.Game) -> None:
    state = pennies.new(seed=1)
    found: list[Secret] = []
    play(state, onlooker=1, moves=1, told=lambda _, secret: found.append(secret))
    assert not found
    play(pennies.new(seed=1), onlooker=1, moves=2, told=lambda _, secret: found.append(secret))
    assert [secret.seat for secret in found] == [0]


def test_options_that_name_hidden_cards_are_not_public() -> None:
    state = bw.game("race").new(seed=3)
    assert state.record.question == DISCARD
    assert public_actions(state.observation(1 - state.player), state.legal_actions()) == []
