"""How long searches run, in how many steps, and how threads share the work. Clocks here are made up."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from boardwright.kernel import rng
from boardwright.search import budget, game_clock
from boardwright.search.budget import Advance, Budget, spend, spend_together
from boardwright.search.game_clock import GameClock

TICK = 1 / 1024
"""Seconds; times made of such ticks are exact."""


class Clock:
    """A clock that only work moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(budget, "time", SimpleNamespace(perf_counter=lambda: self.now))
        monkeypatch.setitem(budget.CLOCKS, "wall", lambda: self.now)

    def search(self, steps: list[int], seconds: float) -> Advance:
        """A search whose iterations take so long; it notes how many are asked for at once."""

        def advance(n: int) -> None:
            steps.append(n)
            self.now += n * seconds

        return advance


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_iterations_are_divided_evenly_and_the_first_parts_have_the_rest() -> None:
    assert Budget(10).share(4) == [Budget(3), Budget(3), Budget(2), Budget(2)]
    assert Budget(2).share(3) == [Budget(1), Budget(1), Budget(0)]


def test_a_time_is_not_divided_since_its_searches_run_in_turns() -> None:
    assert Budget(7, 0.5, "cpu").share(3) == [Budget(7, 0.5, "cpu")] * 3


def test_time_is_that_on_the_wall_unless_said_otherwise() -> None:
    assert Budget(1).clock == "wall"
    assert (budget.CLOCKS["wall"], budget.CLOCKS["cpu"]) == (time.perf_counter, time.thread_time)


def test_several_searches_get_the_iterations_one_after_the_other() -> None:
    first, second = list[int](), list[int]()
    assert spend(Budget(5), [first.append, second.append]) == 10
    assert (first, second) == ([5], [5])


def test_slices_of_a_slow_search_are_single_iterations(clock: Clock) -> None:
    """A second each: Ctrl-C is heeded after every one."""
    steps: list[int] = []
    assert spend(Budget(67), [clock.search(steps, 1.0)]) == 67
    assert steps == [64, 1, 1, 1]


def test_a_clock_that_stands_still_does_no_harm(clock: Clock) -> None:
    steps: list[int] = []
    spend(Budget(64 + 1024 + 5), [clock.search(steps, 0.0)])
    assert steps == [64, 1024, 5]


def test_searches_of_a_time_take_turns_of_a_slice_together(clock: Clock) -> None:
    """48 ticks for two searches: four iterations each at first, and then as many as both can do in 20 ms, of which
    there are 20.48 in ticks."""
    first, second = list[int](), list[int]()
    assert spend(Budget(0, 48 * TICK), [clock.search(first, TICK), clock.search(second, TICK)]) == 48
    assert (first, second) == ([4, 10, 10], [4, 10, 10])


def test_the_last_turn_is_as_long_as_the_time_that_is_left(clock: Clock) -> None:
    steps: list[int] = []
    assert spend(Budget(0, 30 * TICK), [clock.search(steps, TICK)]) == 30
    assert steps == [4, 16, 10]


def test_the_time_ends_in_the_middle_of_a_turn(clock: Clock) -> None:
    first, second = list[int](), list[int]()
    assert spend(Budget(0, 6 * TICK), [clock.search(first, 2 * TICK), clock.search(second, TICK)]) == 4
    assert (first, second) == ([4], [])


def test_turns_grow_fourfold_at_most(clock: Clock) -> None:
    steps: list[int] = []
    spend(Budget(0, 0.01), [clock.search(steps, 2.0**-24)])
    assert steps[:5] == [4, 16, 64, 256, 1024]


def test_a_search_with_long_iterations_takes_one_at_a_time(clock: Clock) -> None:
    steps: list[int] = []
    assert spend(Budget(0, 1.0), [clock.search(steps, 1 / 8)]) == 8
    assert steps == [4, 1, 1, 1, 1]


def test_turns_grow_while_the_clock_stands_still(clock: Clock) -> None:
    steps: list[int] = []

    def advance(n: int) -> None:
        steps.append(n)
        clock.now = 1.0 if len(steps) == 4 else 0.0

    spend(Budget(0, 1.0), [advance])
    assert steps == [4, 16, 64, 256]


class Crew:
    """Searches that note which thread advances them."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int, int]] = []

    def member(self, name: str) -> Advance:
        return lambda n: self.calls.append((name, n, threading.get_ident()))

    def threads_of(self, *names: str) -> set[int]:
        return {thread for name, _, thread in self.calls if name in names}

    def done(self) -> dict[str, int]:
        return {name: sum(n for who, n, _ in self.calls if who == name) for name in sorted({c[0] for c in self.calls})}


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many threads were asked for."""
    asked: list[int] = []
    made = budget.thread_pool

    def noted(threads: int, process: int) -> Any:
        asked.append(threads)
        return made(threads, process)

    monkeypatch.setattr(budget, "thread_pool", noted)
    return asked


def test_searches_that_run_one_at_a_time_need_no_other_thread(pools: list[int]) -> None:
    crew = Crew()
    assert spend_together([[(Budget(3), crew.member("a"))], [(Budget(5), crew.member("b"))]], 1) == 8
    assert crew.done() == {"a": 3, "b": 5}
    assert crew.threads_of("a", "b") == {threading.get_ident()}
    assert pools == []


def test_three_searches_on_two_threads(pools: list[int]) -> None:
    """The first and the third on one, the second on the other."""
    crew = Crew()
    work = [[(Budget(n), crew.member(name))] for n, name in ((3, "a"), (5, "b"), (7, "c"))]
    assert spend_together(work, 2) == 15
    assert crew.done() == {"a": 3, "b": 5, "c": 7}
    assert pools == [2]
    assert len(crew.threads_of("a", "c")) == len(crew.threads_of("b")) == 1


def test_no_more_threads_than_searches(pools: list[int]) -> None:
    crew = Crew()
    assert spend_together([[(Budget(3), crew.member("a"))], [(Budget(5), crew.member("b"))]], 9) == 8
    assert pools == [2]


def test_each_thread_of_a_shared_tree_has_its_part(pools: list[int]) -> None:
    crew = Crew()
    assert spend_together([[(Budget(3), crew.member("a")), (Budget(2), crew.member("b"))]], 1) == 5
    assert crew.done() == {"a": 3, "b": 2}
    assert pools == [2]


def test_all_searches_have_as_many_threads() -> None:
    crew = Crew()
    with pytest.raises(ValueError, match="shorter"):
        spend_together(
            [[(Budget(3), crew.member("a")), (Budget(2), crew.member("b"))], [(Budget(3), crew.member("c"))]], 1
        )
    assert crew.calls == []


def test_searches_of_one_thread_share_its_time_in_turns(clock: Clock) -> None:
    steps = list[int](), list[int]()
    work = [[(Budget(0, 8 * TICK), clock.search(own, TICK))] for own in steps]
    assert spend_together(work, 1) == 8
    assert steps == ([4], [4])


def test_a_search_that_fails_stops_the_others() -> None:
    """The error is the caller's, and no thread goes on searching."""
    began, counts = threading.Event(), [0]

    def endless(n: int) -> None:
        counts[0] += 1
        began.set()
        time.sleep(0.001)
        assert counts[0] < 100_000, "nobody stops it"

    def failing(n: int) -> None:
        assert began.wait(10)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        spend_together([[(Budget(10**9), failing)], [(Budget(10**9), endless)]], 2)
    deadline, before = time.monotonic() + 5, -1
    while counts[0] != before:
        assert time.monotonic() < deadline, "it goes on"
        before = counts[0]
        time.sleep(0.1)


def test_a_child_process_has_threads_of_its_own() -> None:
    assert budget.thread_pool(3, 1) is budget.thread_pool(3, 1)
    assert budget.thread_pool(3, 1) is not budget.thread_pool(3, 2)


def observation(seats: int) -> Any:
    memory = np.zeros(1, np.uint8)
    return SimpleNamespace(
        memory=memory, seats=seats, determinize=lambda seed: SimpleNamespace(memory=np.array([seed % 256], np.uint8))
    )


def test_decisions_left_are_the_mean_of_eight_random_games() -> None:
    """Of 1 to 8 decisions of two seats; each game is a determinization of its own."""
    played: list[int] = []

    def play(state: Any, room: Any, legal: Any, rng_state: Any) -> int:
        played.append(int(state[0]))
        return len(played)

    game: Any = SimpleNamespace(entries=SimpleNamespace(self_play=lambda policy: play), max_legal=1)
    assert game_clock.decisions_left(game, observation(2), rng.generator(1)) == 4.5 / 2
    assert len(played) == 8
    assert len(set(played)) > 4


@pytest.mark.parametrize(
    ("left", "decisions", "share"),
    [(12.0, 5.0, 2.4), (12.0, 4.0, 3.0), (12.0, 3.0, 3.0), (12.0, 0.0, 3.0), (2e-4, 4.0, 1e-4), (0.0, 5.0, 1e-4)],
)
def test_a_decision_gets_its_share_a_quarter_at_most_and_a_tenth_of_a_millisecond_at_least(
    left: float, decisions: float, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_clock, "decisions_left", lambda *_: decisions)
    game: Any = None
    clock = GameClock(game, 12.0)
    assert clock.left == 12.0
    clock.left = left
    assert clock.share(observation(2), rng.generator(1)) == pytest.approx(share, rel=1e-12)


def test_time_that_was_not_there_is_not_owed() -> None:
    game: Any = None
    clock = GameClock(game, 12.0)
    clock.spend(5.0)
    assert clock.left == 7.0
    clock.spend(9.0)
    assert clock.left == 0.0
    clock.start()
    assert clock.left == 12.0


def test_what_counts_decisions_is_compiled_before_the_game_begins() -> None:
    asked = []
    game: Any = SimpleNamespace(entries=SimpleNamespace(code=lambda name: asked.append(name) or ["code"]))
    assert GameClock(game, 1.0).code() == ["code"]
    assert asked == ["self_play random"]
