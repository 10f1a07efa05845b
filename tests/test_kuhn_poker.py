"""Kuhn poker: rules, secrecy, the known equilibrium, and what information set search makes of it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import boardwright as bw
from boardwright.games.kuhn_poker.agents import VALUE_OF_FIRST_SEAT, Optimal
from boardwright.games.kuhn_poker.state import BET, JACK, KING, PASS, QUEEN, UNKNOWN

NAMES = {JACK: "jack", QUEEN: "queen", KING: "king"}


def test_a_determinization_with_the_seed_of_the_deal_is_no_better_a_guess() -> None:
    """Of two cards the other seat may have, it is the true one in half of 600 games, give or take 49: four standard
    errors. Otherwise whoever guesses the seed of a match could look into the cards."""
    game = bw.game("kuhn_poker")
    right = 0
    for seed in range(600):
        state = game.new(seed=seed)
        right += state.observation(0).determinize(seed=seed).record.card[1] == state.record.card[1]
    assert abs(right - 300) < 49


def dealt(game: bw.Game, first: int, second: int, *actions: int) -> bw.State:
    state = game.new(seed=0)
    state.record.card[:] = [first, second, 3 - first - second]
    for action in actions:
        state.apply(action)
    return state


@pytest.mark.parametrize(
    ("actions", "payoff"),
    [
        ((PASS, PASS), 1),
        ((BET, BET), 2),
        ((PASS, BET, BET), 2),
        ((BET, PASS), 1),
        ((PASS, BET, PASS), -1),
    ],
)
def test_payoffs_of_a_king_against_a_queen(kuhn: bw.Game, actions: tuple[int, ...], payoff: int) -> None:
    state = dealt(kuhn, KING, QUEEN, *actions)
    assert state.is_terminal
    assert state.returns == (payoff, -payoff)


def test_seat_sees_only_its_own_card(kuhn: bw.Game) -> None:
    observation = dealt(kuhn, KING, JACK, PASS).observation(1)
    assert observation.record.card.tolist() == [UNKNOWN, JACK, UNKNOWN]
    assert not observation.record.rng.any()


def test_showdown_opens_the_cards_and_a_fold_does_not(kuhn: bw.Game) -> None:
    assert dealt(kuhn, KING, JACK, BET, BET).observation(1).record.card.tolist() == [KING, JACK, UNKNOWN]
    assert dealt(kuhn, KING, JACK, BET, PASS).observation(1).record.card.tolist() == [UNKNOWN, JACK, UNKNOWN]


def test_samples_deal_each_unseen_card_equally_often(kuhn: bw.Game) -> None:
    observation = dealt(kuhn, QUEEN, KING).observation(0)
    samples = [observation.determinize(seed=seed).record.card[1] for seed in range(2000)]
    assert set(samples) == {JACK, KING}
    assert abs(samples.count(JACK) - 1000) < 4 * np.sqrt(500)


def expected_payoff(game: bw.Game, players: tuple[Optimal, Optimal]) -> float:
    """The first seat's exact expectation over all deals and choices."""

    def value(state: bw.State) -> float:
        if state.is_terminal:
            return float(state.returns[0])
        bet = players[state.player].bet_probability(state.observation(state.player))
        total = 0.0
        for action, chance in ((BET, bet), (PASS, 1 - bet)):
            if chance:
                after = state.copy()
                after.apply(action)
                total += chance * value(after)
        return total

    return float(np.mean([value(dealt(game, a, b)) for a, b in itertools.permutations(range(3), 2)]))


@pytest.mark.parametrize("alpha", [0.0, 0.2, 1 / 3])
def test_equilibrium_costs_the_first_seat_one_eighteenth(kuhn: bw.Game, alpha: float) -> None:
    players = (Optimal(kuhn, 0, alpha=alpha), Optimal(kuhn, 1, alpha=alpha))
    assert expected_payoff(kuhn, players) == pytest.approx(VALUE_OF_FIRST_SEAT)


class Mixed(Optimal):
    """Plays a fixed bet in every information set."""

    def bet_probability(self, observation: bw.Observation) -> float:
        return self.plan[(observation.record.card[observation.seat], observation.record.choices)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_gains_by_deviating_from_the_equilibrium(kuhn: bw.Game, seat: int) -> None:
    """All 64 pure plans of the first seat, all 16 of the second that ever differ, against the solution."""
    moments = (0, 2) if seat == 0 else (1,)
    places = [(card, moment) for card in range(3) for moment in moments]
    sign = 1 if seat == 0 else -1
    best = -np.inf
    for bets in itertools.product((0.0, 1.0), repeat=len(places)):
        deviator = Mixed(kuhn, seat)
        deviator.plan = dict(zip(places, bets, strict=True))  # type: ignore[attr-defined]
        players = [Optimal(kuhn, 0), Optimal(kuhn, 1)]
        players[seat] = deviator
        best = max(best, sign * expected_payoff(kuhn, (players[0], players[1])))
    assert best == pytest.approx(sign * VALUE_OF_FIRST_SEAT)


@pytest.mark.parametrize("spec", ["ismcts:iterations=4000", "ismcts:iterations=4000,threads=2"])
@pytest.mark.parametrize(
    ("cards", "actions", "right"),
    [
        ((KING, QUEEN), (PASS, BET), BET),  # a king calls,
        ((JACK, QUEEN), (PASS, BET), PASS),  # a jack folds to a bet,
        ((QUEEN, KING), (BET,), BET),
        ((QUEEN, JACK), (BET,), PASS),
        ((QUEEN, KING), (PASS,), BET),  # and a king bets when it can no longer be bluffed
    ],
)
def test_information_set_search_never_plays_a_dominated_action(
    kuhn: bw.Game, spec: str, cards: tuple[int, int], actions: tuple[int, ...], right: int
) -> None:
    state = dealt(kuhn, *cards, *actions)
    for seed in range(5):
        decision = bw.agent(spec, kuhn, state.player, seed=seed).decide(state.observation(state.player))
        assert decision.action == right, f"with a {NAMES[cards[state.player]]} after {actions}"


def test_information_set_search_judges_a_queen_by_both_cards_it_may_face(kuhn: bw.Game) -> None:
    """Calling with a queen loses to a king and beats a jack, equally likely: worth 0 against someone who always bets.
    Search that looked at the real cards would say +2 or -2."""
    for other in (JACK, KING):
        state = dealt(kuhn, other, QUEEN, BET)
        decision = bw.agent("ismcts:iterations=20000", kuhn, 1).decide(state.observation(1))
        call = next(reason for reason in decision.reasons if reason.action == BET)
        assert call.value == pytest.approx(0.0, abs=0.06)


@pytest.mark.parametrize("spec", ["random", "flat", "uct:iterations=200", "ismcts:iterations=200", "optimal"])
def test_decisions_do_not_depend_on_what_is_hidden(kuhn: bw.Game, spec: str) -> None:
    seen = {
        bw.agent(spec, kuhn, 0, seed=11).decide(dealt(kuhn, QUEEN, other).observation(0)).action
        for other in (JACK, KING)
    }
    assert len(seen) == 1
