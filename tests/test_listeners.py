"""Listeners on matches are merged from wherever games are played; agents can be objects and functions."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.adapters.policies import TrainedPolicy
from boardwright.agents.function import named_entrants
from boardwright.arena.balance import Balance
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord
from boardwright.arena.runner import run_match
from boardwright.errors import BadSpec
from boardwright.executors import Processes
from boardwright.kernel import Observation, State
from boardwright.processes import lasting_threads


class Heard(bw.Accumulator):
    """Every action with its seat, game by game, and who sat where."""

    def __init__(self) -> None:
        self.actions: list[tuple[int, int]] = []
        self.games: list[tuple[int, list[str]]] = []

    def applied(self, state: State, seat: int, action: int) -> None:
        self.actions.append((seat, action))

    def finished(self, record: GameRecord, final: State) -> None:
        assert list(final.returns) == record.returns
        self.games.append((record.index, record.agents))

    def merge(self, other: Heard) -> None:
        self.actions += other.actions
        self.games += other.games


class Last(bw.Agent):
    """Plays the last legal action, or the one before it."""

    before: int = bw.param(0, "how many before the last", ge=0, le=1)

    def decide(self, observation: Observation) -> bw.Decision:
        legal = observation.legal_actions()
        return bw.Decision(legal[max(-1 - self.before, -len(legal))])


class Holding(bw.Agent):
    """Holds something that was given to it, as a network, and shares it with its copies."""

    def __init__(self, model: list[int]) -> None:
        self.model = model

    def decide(self, observation: Observation) -> bw.Decision:
        self.model.append(observation.seat)
        return bw.Decision(observation.legal_actions()[0])


def first(observation: Observation) -> int:
    return observation.legal_actions()[0]


def test_what_listeners_find_does_not_depend_on_where_games_are_played(tmp_path: Path) -> None:
    match, found = Match("connect_four", ("random", "uct:iterations=5"), seed=3), []
    for name, executor in (("here", None), ("there", Processes(2))):
        heard, balance = Heard(), Balance()
        run_match(match, 7, file=tmp_path / f"{name}.jsonl", executor=executor, listeners=[heard, balance])
        found.append((heard.games, heard.actions, [vars(choice) for choice in balance.choices], balance.seats))
    assert found[0] == found[1]
    assert [index for index, _ in found[0][0]] == list(range(7))


def test_listeners_hear_games_that_were_kept(tmp_path: Path) -> None:
    match, file = Match("connect_four", ("random", "random")), tmp_path / "games.jsonl"
    whole, rest = Heard(), Heard()
    run_match(match, 2, file=file)
    run_match(match, 5, file=file, resume=True, listeners=[rest])
    bw.match("connect_four", "random", "random", games=5, listeners=[whole])
    assert (rest.games, rest.actions) == (whole.games, whole.actions)


def test_objects_and_functions_play_in_matches_and_on_ladders() -> None:
    result = bw.match("connect_four", Last(), "random", games=4)
    assert [agent.spec for agent in result.agents] == ["Last", "random"]
    same = bw.match("connect_four", Last(before=1), first, games=4, jobs=2)
    assert [agent.spec for agent in same.agents] == ["Last:before=1", "first"]
    assert [r.actions for r in same.records] == [
        r.actions for r in bw.match("connect_four", Last(before=1), first, games=4).records
    ]
    ratings = bw.ladder("connect_four", Last(), first, "random", games=2).ratings
    assert {rating.spec for rating in ratings} == {"Last", "first", "random"}
    seats: list[int] = []
    bw.match("connect_four", Holding(seats), "random", games=2)
    assert set(seats) == {0, 1}


def test_entrants_have_names_of_their_own() -> None:
    one, other = Last(), Last()
    names, objects = named_entrants([one, other, one, "random", lambda observation: 0], {"Last-2"})
    assert names == ["Last", "Last-3", "Last", "random", "function"]
    assert objects["Last"] is one
    assert objects["Last-3"] is other


@pytest.mark.parametrize(
    ("agent", "complaint"),
    [(Last, "is a class; give an agent of it, as Last"), (7, "7 cannot play"), (lambda: 0, "cannot be sent to other")],
)
def test_what_cannot_play_is_refused(agent: Any, complaint: str) -> None:
    with pytest.raises(BadSpec, match=complaint):
        bw.match("connect_four", agent, "random", games=1, jobs=2)


def test_games_of_objects_are_not_resumed(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match="put it into a Python file"):
        bw.match("connect_four", Last(), "random", games=1, record=tmp_path / "games.jsonl", resume=True)


class Masked:
    """As sb3-contrib's models."""

    def predict(self, array: Any, action_masks: Any = None, deterministic: bool = False) -> tuple[Any, None]:
        assert array.shape == (15, 6, 7)
        assert deterministic
        return np.array(int(np.flatnonzero(action_masks)[-1])), None


def test_trained_policies_choose_among_legal_actions() -> None:
    def logits(array: Any) -> Any:
        return np.arange(7.0), array.sum()

    for policy in (Masked(), logits):
        games = [bw.match("connect_four", agent, first, games=2).records for agent in (TrainedPolicy(policy), Last())]
        assert [record.actions for record in games[0]] == [record.actions for record in games[1]]
    with pytest.raises(bw.errors.AgentFailed, match="gives 3 numbers; connect_four has 7 actions"):
        bw.match("connect_four", TrainedPolicy(lambda array: np.zeros(3)), first, games=1)


def test_what_was_defined_at_a_prompt_plays_in_other_processes() -> None:
    pytest.importorskip("cloudpickle")
    lines = (
        "import boardwright as bw",
        "class Mine(bw.Agent):",
        "    def decide(self, observation): return bw.Decision(observation.legal_actions()[0])",
        "",
        "print(bw.match('connect_four', Mine(), 'random', games=3, jobs=2).games)",
    )
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "3", done.stderr


def test_threads_of_a_pool_do_not_keep_a_process_from_ending() -> None:
    before = lasting_threads()
    with ThreadPoolExecutor(1, thread_name_prefix="mine") as pool:
        pool.submit(int).result()
        assert lasting_threads() == before
