"""Our games in other libraries pass those libraries' own tests."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import boardwright as bw
from boardwright.errors import BadSpec, BoardwrightError, IllegalAction
from tests.conftest import DICE_RACE, PENNIES

pytest.importorskip("pettingzoo")
pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, seed_test

from boardwright.adapters.gymnasium import SeatEnv, SeatVectorEnv
from boardwright.adapters.pettingzoo import env, parallel_env, simultaneous

GAMES = [*bw.games(), str(DICE_RACE), str(PENNIES)]
every_game = pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)


@every_game
def test_pettingzoo_accepts_every_game(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on observations without bounds
        api_test(env(name), num_cycles=200)
        seed_test(lambda: env(name), num_cycles=50)


@every_game
def test_pettingzoo_accepts_every_game_in_parallel(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on observations without bounds
        parallel_api_test(parallel_env(name), num_cycles=20)


def test_who_chooses_in_secret_chooses_at_once() -> None:
    """In 7 Wonders all seats choose a card; in Connect Four there is one at a time."""
    table = parallel_env("wonders", seats=4)
    observations, _ = table.reset(seed=3)
    masks = [seen["action_mask"] for seen in observations.values()]
    assert all(mask.any() for mask in masks)
    true = table.state_now.copy()
    chosen = {agent: int(np.flatnonzero(mask)[-1]) for agent, mask in zip(table.agents, masks, strict=True)}
    table.step(chosen)
    for action in chosen.values():
        true.apply(action)
    assert table.state_now == true
    assert list(simultaneous(bw.game("connect_four").new(seed=1))) == [0]


def test_a_parallel_game_is_the_game_itself() -> None:
    """Played to the end: the same seed gives the same game, and the returns are the rewards."""
    ends = []
    for _ in range(2):
        table = parallel_env(str(PENNIES))
        observations, _ = table.reset(seed=9)
        rewards: dict[str, float] = {}
        while table.agents:
            actions = {agent: int(np.argmax(seen["action_mask"])) for agent, seen in observations.items()}
            observations, rewards, ends_now, _, _ = table.step(actions)
        assert all(ends_now.values())
        assert list(rewards.values()) == list(table.state_now.returns)
        ends.append(bytes(table.state()))
    assert ends[0] == ends[1]


def test_an_aec_game_is_the_game_itself(kuhn: bw.Game) -> None:
    """The same deal, the same rewards, and no sight of the other's card."""
    table = env("kuhn_poker", render_mode="ansi")
    table.reset(seed=4)
    state = table.state_now.copy()
    for action in (0, 1, 1):
        observation = table.observe(table.agent_selection)
        assert bytes(observation["observation"]) == bytes(state.observation(state.player))
        assert table.observe(f"seat_{1 - state.player}")["action_mask"].sum() == 0
        table.step(action)
        state.apply(action)
    assert table.render() == str(state)
    assert list(table.rewards.values()) == list(state.returns)
    assert all(table.terminations.values())


def test_an_illegal_action_is_an_error_in_pettingzoo() -> None:
    table = env("connect_four")
    table.reset(seed=0)
    with pytest.raises(IllegalAction, match="action 9 is not legal"):
        table.step(9)


@every_game
def test_gymnasium_accepts_every_game(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(SeatEnv(name), skip_render_check=True)


def test_the_learner_plays_its_seat_against_the_agents_it_named() -> None:
    learner = SeatEnv("connect_four", "uct:iterations=50", seat=1)
    rewards = []
    for seed in range(6):
        _, info = learner.reset(seed=seed)
        assert info["seat"] == 1
        over = False
        while not over:
            action = int(np.flatnonzero(info["action_mask"])[0])
            _, reward, over, _, info = learner.step(action)
        rewards.append(reward)
    assert sum(rewards) <= -4, "who always plays the first column loses to a search"
    learner.close()


KNOWS_OPTIONS = """
import boardwright as bw

class Knows(bw.Agent):
    def decide(self, observation):
        assert self.game_options["armies"] == "dwarf"
        return bw.Decision(observation.legal_actions()[0])
"""


def test_opponents_of_a_learner_know_the_options_of_the_game(tmp_path: Path) -> None:
    """As they do in a match."""
    (tmp_path / "knows.py").write_text(KNOWS_OPTIONS)
    learner = SeatEnv("lords", f"{tmp_path / 'knows.py'}", seat=1, armies="dwarf")
    _, info = learner.reset(seed=1)
    assert info["seat"] == 1, "the opponent has made its first moves"
    learner.close()


def test_an_illegal_action_loses_the_game_in_gymnasium(connect_four: bw.Game) -> None:
    learner = SeatEnv(connect_four, seat=0)
    learner.reset(seed=1)
    _, reward, over, _, info = learner.step(7)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(BoardwrightError, match="call reset"):
        learner.step(3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seat": 2}, "there is no seat 2"),
        ({"opponents": ["random", "random"]}, "2 seats need 1 opponents; 2 given"),
        ({"observe": "planes"}, "features or record"),
    ],
)
def test_what_a_learner_cannot_ask_for_is_said(settings: dict[str, object], message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        SeatEnv("connect_four", **settings)  # type: ignore[arg-type]


def test_a_vector_of_games_shows_each_learner_its_own_turns(connect_four: bw.Game) -> None:
    many = SeatVectorEnv(connect_four, 64)
    observations, info = many.reset(seed=3)
    again, _ = SeatVectorEnv(connect_four, 64).reset(seed=3)
    assert (observations == again).all()
    assert many.observation_space.contains(observations)
    wins = games = 0
    random = np.random.default_rng(0)
    for _ in range(60):
        assert (many.batch.current_player == many.learners).all()
        actions = np.array([random.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        observations, rewards, terminated, truncated, info = many.step(actions)
        assert not truncated.any()
        assert (rewards[~terminated] == 0).all()
        wins += int((rewards > 0).sum())
        games += int(terminated.sum())
    assert games == many.batch.games.sum()
    assert 0.3 < wins / games < 0.7, "random against random"


def test_gymnasium_accepts_the_vector() -> None:
    """Its own wrappers run over it."""
    from gymnasium.wrappers.vector import RecordEpisodeStatistics

    many = RecordEpisodeStatistics(SeatVectorEnv("kuhn_poker", 16))
    many.reset(seed=1)
    ended = 0
    for _ in range(10):
        _, _, terminated, *_ = many.step(many.env.batch.random_actions())
        ended += int(terminated.sum())
    assert ended == many.episode_count > 0
