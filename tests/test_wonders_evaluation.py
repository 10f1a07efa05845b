"""7 Wonders: what a position is worth, and searches that ask it."""

from __future__ import annotations

import numpy as np
import pytest

import boardwright as bw
from boardwright.errors import BadSpec
from tests.wonders_table import Table


def expected_returns(table: Table) -> list[float]:
    out = np.zeros(8)
    table.game.entries.evaluation("expected_returns")(table.state.memory, out)
    return out[: table.s.seats].tolist()


@pytest.mark.parametrize(
    ("cards", "age"),
    [(["Palace"], 3), (["Stockade"], 1), (["Loom"], 1), (["Scriptorium"], 1), (["East Trading Post"], 1)],
)
def test_whatever_helps_a_city_is_worth_something(cards: list[str], age: int) -> None:
    before, after = expected_returns(Table(age=age)), expected_returns(Table(age=age).build(1, *cards))
    assert after[0] > before[0]
    assert after[1] < before[1]


def test_production_is_worth_nothing_at_last() -> None:
    assert expected_returns(Table(age=3).build(1, "Loom"))[0] == pytest.approx(expected_returns(Table(age=3))[0])


def test_expected_returns_are_shared_out_as_the_returns_are() -> None:
    game = bw.game("wonders")
    for seed in range(5):
        state = game.new(seed=seed, seats=4)
        agents = [bw.agent("heuristic", game, i, seed=seed) for i in range(4)]
        while not state.is_terminal:
            out = np.zeros(8)
            game.entries.evaluation("expected_returns")(state.memory, out)
            assert out[:4].sum() == pytest.approx(0.5 + 0.5 * 2)
            assert (out[:4] >= 0).all()
            assert (out[:4] <= 1).all()
            state.apply(agents[state.player].decide(state.observation(state.player)).action)
        game.entries.evaluation("expected_returns")(state.memory, out)
        assert tuple(out[:4]) == pytest.approx(state.returns)


def test_near_the_end_the_leader_is_likely_to_win() -> None:
    game, right = bw.game("wonders"), 0
    for seed in range(40):
        state = game.new(seed=seed, seats=3)
        agents = [bw.agent("madrid_random", game, i, seed=seed) for i in range(3)]
        leader = -1
        while not state.is_terminal:
            if (state.record.age, state.record.turn, state.player) == (2, 5, 0):
                out = np.zeros(8)
                game.entries.evaluation("expected_returns")(state.memory, out)
                leader = int(out[:3].argmax())
            state.apply(agents[state.player].decide(state.observation(state.player)).action)
        right += state.returns[leader] == max(state.returns)
    assert right >= 26, f"{right} of 40; four standard errors below what 400 games showed"


# --- search
@pytest.mark.parametrize("spec", ["ismcts", "ismcts:variant=mo", "ismcts:variant=pom", "uct", "flat"])
def test_searches_cut_playouts_short_as_the_game_says(spec: str) -> None:
    game = bw.game("wonders")
    agent = bw.agent(spec, game, 0)
    assert agent.playout_plies == game.search.defaults["plies"]  # type: ignore[attr-defined]
    observation = game.new(seed=1, seats=4).observation(0)
    decision = agent.decide(observation)
    assert decision.action in observation.legal_actions()
    values = [reason.value for reason in decision.reasons if reason.value is not None]
    assert all(0.2 < value < 0.6 for value in values), "estimates at the start are near the mean of the returns"


def test_playouts_go_to_the_end_if_one_says_so() -> None:
    game = bw.game("wonders")
    observation = game.new(seed=1, seats=4).observation(0)
    one, other = (bw.agent(f"flat:iterations=50{x}", game, 0).decide(observation) for x in ("", ",plies=-1"))
    assert {r.value for r in one.reasons} != {r.value for r in other.reasons}


@pytest.mark.parametrize(
    ("game", "spec", "complaint"),
    [
        (
            "connect_four",
            "uct:plies=3",
            "plies=3 needs an evaluation, and connect_four has no default one; evaluations of connect_four: none",
        ),
        (
            "wonders",
            "flat:evaluation=returns",
            "evaluation=returns needs finished games, but plies=8 cuts playouts short",
        ),
        (
            "wonders",
            "uct:plies=3,evaluation=returns",
            "plies=3 cuts playouts short; evaluations of wonders: expected_returns",
        ),
    ],
)
def test_cutting_playouts_short_needs_an_evaluation(game: str, spec: str, complaint: str) -> None:
    with pytest.raises(BadSpec, match=complaint):
        bw.agent(spec, bw.game(game), 0)


def test_maxn_judges_by_expected_returns_and_beats_random_players() -> None:
    game, wins = bw.game("wonders"), 0
    for seed in range(8):
        state = game.new(seed=seed, seats=3)
        specs = ["maxn:depth=3,determinizations=2" if i == seed % 3 else "random" for i in range(3)]
        agents = [bw.agent(spec, game, i, seed=seed) for i, spec in enumerate(specs)]
        while not state.is_terminal:
            state.apply(agents[state.player].decide(state.observation(state.player)).action)
        wins += state.returns[seed % 3] == max(state.returns)
    assert wins >= 7
