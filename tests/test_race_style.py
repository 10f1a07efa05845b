"""How games of race were played."""

from __future__ import annotations

import boardwright as bw
from boardwright.games.race.keldon.style import ORIGINAL, ORIGINAL_ACTIONS, Style
from boardwright.games.race.state import ACTION, CHOOSE_ACTION, ROUND_ACTIONS


def test_style_counts_what_happened() -> None:
    game = bw.game("race")
    state, positions, chosen = game.new(seed=4), [], {7: 0, 9: 0}
    while not state.is_terminal:
        legal = state.legal_actions()
        action = legal[len(positions) % len(legal)]
        if state.record.question == CHOOSE_ACTION:
            assert action - ACTION in ROUND_ACTIONS
            chosen[7 if state.player == 0 else 9] += 1
        positions.append((state.copy(), action))
        state.apply(action)
    style = Style()
    style.add([*positions, (state, None)], who=(7, 9))
    metrics = style.metrics()
    assert metrics["games"] == 1
    assert metrics["rounds"] == state.record.round
    assert sorted((metrics["winner's score"], metrics["loser's score"])) == sorted(state.scores)
    assert {who: count.total() for who, count in style.actions.items()} == chosen
    assert abs(sum(style.action_shares(7).values()) - 100) < 1e-9
    assert metrics["ended by the pool"] + metrics["ended by a tableau"] + metrics["ended by round 30"] >= 100


def test_the_originals_figures_are_all_there() -> None:
    assert set(ORIGINAL) == set(Style().metrics())
    assert set(ORIGINAL_ACTIONS) == set(ROUND_ACTIONS)
    assert abs(sum(ORIGINAL_ACTIONS.values()) - 100) < 0.2
