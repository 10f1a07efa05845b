"""Networks that learn to play as in recorded games."""

from __future__ import annotations

import itertools
import json
import lzma
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.arena.record import read_records
from boardwright.cli import main
from boardwright.errors import BadRecord
from boardwright.executors import InProcess
from boardwright.kernel.automatic_features import own_features
from boardwright.kernel.contract import SavedGame
from boardwright.learn.agents import NetPolicy, NetSearch
from boardwright.learn.config import TrainingConfig
from boardwright.learn.imitation import Examples, RecordedGame
from boardwright.learn.network import Network, load
from boardwright.learn.training import Training

TAKE_THREE = Path(__file__).parent / "games" / "take_three.py"
KELDON = Path(__file__).parent / "data" / "race" / "games.jsonl.xz"


@pytest.fixture(scope="module")
def take_three() -> bw.Game:
    return bw.game(str(TAKE_THREE))


def played(game: bw.Game, seed: int, choose: Any) -> RecordedGame:
    """A game in which every seat chooses by a function."""
    state, actions = game.new(seed=seed), []
    while not state.is_terminal:
        actions.append(choose(state))
        state.apply(actions[-1])
    return RecordedGame(SavedGame(seed, 2, {}, actions), (True, True))


def always_two_if_odd(state: Any) -> int:
    """A habit that the network can find out: two from an odd heap, else one."""
    wanted = 1 if state.record.heap % 2 else 0
    return min(wanted, max(state.legal_actions()))


def examples_of(game: bw.Game, games: int) -> Examples:
    examples = Examples(game, own_features(game))
    file = Path("games.jsonl")
    file.write_text("")
    examples.add_file(file, [played(game, seed, always_two_if_odd) for seed in range(games)], seats=2)
    return examples


def imitation(game: bw.Game, examples: Examples, **changes: Any) -> Training:
    settings = {"games": 6000, "seed": 3, "generation_size": 100, "epochs": 1, "learning_rate": 0.01, **changes}
    return Training.begin(TrainingConfig("take_three", 2, imitate="games.jsonl", **settings), game, examples=examples)


def test_a_habit_is_learned_from_records(take_three: bw.Game) -> None:
    examples = examples_of(take_three, 100)
    assert (len(examples.learned), len(examples.held_out)) == (90, 10)
    training = imitation(take_three, examples)
    before = examples.agreement(training.optimizer.weights).share
    while not training.finished:
        training.advance(InProcess())
    agreement = examples.agreement(training.network().weights)
    assert agreement.share == 1.0 > before
    assert sum(agreement.asked.values()) == sum(agreement.named.values()) > 10
    agent = NetPolicy(take_three, 0)
    agent.networks[2] = training.network()
    state = take_three.new(seed=0)
    while not state.is_terminal:
        if len(state.legal_actions()) > 1:
            assert agent.decide(state.observation(state.player)).action == always_two_if_odd(state)
        state.apply(always_two_if_odd(state))


def test_games_held_out_are_the_last_of_each_file_and_never_learned_from(take_three: bw.Game) -> None:
    examples = examples_of(take_three, 40)
    assert [one.game.seed for one in examples.held_out] == [36, 37, 38, 39]
    learned_from = [one.game.seed for one in examples.learned]
    assert learned_from == list(range(36))
    trajectories, _ = examples.generation(seed=1, first=0, count=72)
    whole, _ = examples.rows(examples.learned)
    assert sum(len(t.seat) for t in trajectories) == 2 * sum(len(t.seat) for t in whole), "two passes over all"


def test_only_the_seats_named_are_imitated(take_three: bw.Game) -> None:
    examples = examples_of(take_three, 20)
    game = examples.learned[0].game
    rows, _ = examples.rows([RecordedGame(game, (True, False)), RecordedGame(game, (True, True))])
    assert set(rows[0].seat[rows[0].is_decision]) == {0}
    assert set(rows[1].seat[rows[1].is_decision]) == {0, 1}
    value_rows = [np.count_nonzero(~one.is_decision) for one in rows]
    assert value_rows[0] == value_rows[1], "all seats are learned from for the value"


def test_imitation_goes_on_from_a_checkpoint_as_if_nothing_had_happened(take_three: bw.Game) -> None:
    examples = examples_of(take_three, 30)

    def finish(training: Training) -> Any:
        while not training.finished:
            training.advance(InProcess())
        return training.optimizer.weights

    through = finish(imitation(take_three, examples))
    stopped = imitation(take_three, examples)
    stopped.advance(InProcess())
    stopped.save(Path("half.checkpoint"))
    resumed = Training.resume(Path("half.checkpoint"), stopped.config, take_three, examples=examples)
    assert all(np.array_equal(a, b) for a, b in zip(through, finish(resumed), strict=True))


def test_games_that_do_not_replay_are_refused_by_name(take_three: bw.Game) -> None:
    examples, whole = Examples(take_three, own_features(take_three)), played(take_three, 3, always_two_if_odd)
    file = Path("games.jsonl")
    file.write_text("")
    illegal = whole._replace(game=whole.game._replace(actions=[*whole.game.actions[:-1], 7]))
    with pytest.raises(BadRecord, match=r"games\.jsonl, game 2: action \d+ is not legal"):
        examples.add_file(file, [whole, illegal], seats=2)
    short = whole._replace(game=whole.game._replace(actions=whole.game.actions[:-1]))
    with pytest.raises(BadRecord, match="game 1: it stops before the game ends"):
        examples.add_file(file, [short], seats=2)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as leaving:
        main(list(arguments))
    return int(leaving.value.code or 0)


def test_train_imitates_an_agent_in_our_own_records(capsys: pytest.CaptureFixture[str]) -> None:
    match = ["match", str(TAKE_THREE), "uct:iterations=50", "random", "--games", "40", "--seed", "1"]
    assert run(*match, "--record", "games.jsonl") == 0
    train = ["train", str(TAKE_THREE), "--imitate", "games.jsonl", "--games", "72", "--generation-size", "36"]
    train += ["--reference-games", "0", "--out", "clone.npz"]
    assert run(*train, "--imitate-agent", "uct:iterations=50") == 0
    assert "4 games held out" in capsys.readouterr().out
    decisions = 0
    for record in read_records(Path("games.jsonl"))[36:]:
        for state, action in record.replay():
            mine = action is not None and record.agents[state.player] == "uct:iterations=50"
            decisions += mine and len(state.legal_actions()) > 1
    with np.load("clone.npz") as stored:
        held_out = json.loads(str(stored["metadata"]))["history"]["held_out"]
    assert held_out["games"] == 4
    assert held_out["asked"] == {"decision": decisions}
    assert 0 < held_out["named"]["decision"] <= decisions
    assert run(*train, "--imitate-agent", "nobody") == 1
    assert "no games of take_three with 2 seats in which nobody plays" in capsys.readouterr().err
    assert run("train", str(TAKE_THREE), "--imitate-agent", "random") == 1
    assert "give at least one" in capsys.readouterr().err
    assert run("train", "race", "--imitate", "games.jsonl") == 1
    assert "not of race" in capsys.readouterr().err


def test_games_of_another_program_are_imitated(capsys: pytest.CaptureFixture[str]) -> None:
    """By question, as the game names them."""
    race = bw.game("race")
    with lzma.open(KELDON, "rt") as lines:
        Path("few.jsonl").write_text("".join(itertools.islice(lines, 20)))
    out = ["--generation-size", "18", "--reference-games", "0", "--epochs", "1", "--out", "clone.npz"]
    assert run("train", "race", "--imitate", "few.jsonl", "--games", "36", *out) == 0
    shown = capsys.readouterr().out
    assert "2 games held out" in shown
    history = load(Path("clone.npz"), race).history
    assert {"action", "world", "development", "payment"} <= set(history["held_out"]["asked"])
    assert history["config"]["imitate"].startswith("few.jsonl ")


def test_another_network_can_predict_the_opponents(take_three: bw.Game) -> None:
    """In rollouts over several turns the others choose by it, the seat by its own."""
    examples = examples_of(take_three, 20)
    training = imitation(take_three, examples)
    while not training.finished:
        training.advance(InProcess())
    training.network().save(Path("clone.npz"))
    other = training.network().weights._replace(
        policy_bias=np.array([-9, -9, 9], np.float32), policy=np.zeros_like(training.network().weights.policy)
    )
    Network("take_three", 2, other, {}).save(Path("greedy.npz"))
    state = take_three.new(seed=7)
    observation = state.observation(state.player)

    def values(**more: str) -> dict[int, float | None]:
        agent = NetSearch(take_three, state.player, seed=1, weights="clone.npz", turns=1000, determinizations=4, **more)
        return {reason.action: reason.value for reason in agent.decide(observation).reasons}

    assert values(opponent="clone.npz") == values()
    assert values(opponent="greedy.npz") != values()
    with pytest.raises(BadRecord, match=r"no network nowhere\.npz"):
        NetSearch(take_three, 0, opponent="nowhere.npz")
