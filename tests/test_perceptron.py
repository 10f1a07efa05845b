"""How perceptrons are trained: batches, learning rates, averages of weights."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from boardwright.learn.perceptron import Rows, Schedule, Task, train, update_average


class Notebook:
    """What a training asks of one task."""

    def __init__(self, examples: int) -> None:
        self.batches: list[list[int]] = []
        self.rates: list[float] = []
        optimizer: Any = SimpleNamespace(step=lambda gradient, rate: self.rates.append(rate))
        self.task: Task[Any] = Task(optimizer, examples, self.gradient)

    def gradient(self, rows: Rows) -> None:
        self.batches.append(rows.tolist())


def trained(schedule: Schedule, *examples: int) -> tuple[list[int], list[Notebook]]:
    books = [Notebook(number) for number in examples]
    return list(train([book.task for book in books], schedule, np.random.default_rng(1))), books


def test_every_epoch_goes_through_all_examples_once_in_an_order_of_its_own() -> None:
    epochs, (book,) = trained(Schedule(2, 0.5, 3), 7)
    assert epochs == [0, 1]
    assert [len(batch) for batch in book.batches] == [3, 3, 1, 3, 3, 1]
    first, second = ([row for batch in book.batches[place : place + 3] for row in batch] for place in (0, 3))
    assert sorted(first) == sorted(second) == list(range(7))
    assert first != second


def test_the_learning_rate_falls_to_0_unless_it_is_to_stay() -> None:
    assert trained(Schedule(2, 0.5, 4), 8)[1][0].rates == pytest.approx([0.5, 0.375, 0.25, 0.125])
    assert trained(Schedule(2, 0.5, 4, falling=False), 8)[1][0].rates == [0.5] * 4


def test_steps_of_several_tasks_are_mixed() -> None:
    _, books = trained(Schedule(1, 1.0, 1), 30, 10)
    assert [len(book.rates) for book in books] == [30, 10]
    assert sorted(books[0].rates + books[1].rates) == pytest.approx([step / 40 for step in range(1, 41)])
    assert min(books[1].rates) < 0.5 < max(books[1].rates), "neither task comes first"


def test_an_average_moves_towards_the_weights_by_its_share() -> None:
    average, weights = (np.array([1.0, 2.0], np.float32),), (np.array([2.0, 0.0], np.float32),)
    update_average(average, weights, 0.25)
    assert average[0].tolist() == [1.25, 1.5]


def test_an_average_is_one_of_all_arrays() -> None:
    weights = (np.zeros(2, np.float32), np.zeros(2, np.float32))
    with pytest.raises(ValueError, match="longer"):
        update_average(weights[:1], weights, 0.25)  # type: ignore[type-var]
