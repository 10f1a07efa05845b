"""Leaf parallelization: one thread walks the tree, others play out the leaves it comes to (Sephton 2016, chapter 4).

A leaf is handed to a worker that is free and not waited for: the walker goes on, and backs up what workers have
finished whenever it starts from the root again. If all are busy it plays the leaf out itself. The walker and the
workers meet in `Jobs`, one for each worker, whose status changes by compare-and-swap:

    FREE --walker--> READY --worker--> TAKEN --worker--> DONE --walker--> FREE
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import wait
from functools import cache
from typing import NamedTuple

import numpy as np

from boardwright.kernel import MAX_SEATS, Game, RngState, Unit, calls, copy_into, rule, typeof, types
from boardwright.kernel.arrays import Float64s, Int32s, Int64s, UInt8s
from boardwright.kernel.atomics import atomic_add, compare_and_swap, yield_processor
from boardwright.kernel.calls import RNG_STATE, SEARCH_RULES, AnyRules
from boardwright.kernel.interrupts import interrupts_wait
from boardwright.search.budget import Advance, thread_pool
from boardwright.search.leaf import evaluate_leaf
from boardwright.search.workspace import LONGEST_PATH, WORKSPACE, Workspace

FREE, READY, TAKEN, DONE = range(4)


class Jobs(NamedTuple):
    """One for each worker."""

    status: Int32s
    state: UInt8s
    """The leaf, then where the playout ended."""
    path: Int32s
    length: Int64s
    returns: Float64s
    stop: Int32s
    """Whether workers are to go home."""

    @classmethod
    def for_game(cls, game: Game, workers: int) -> Jobs:
        return cls.sized(game.state.itemsize, workers)

    @classmethod
    def sized(cls, state: int, workers: int) -> Jobs:
        return cls(
            status=np.zeros(workers, np.int32),
            state=np.zeros((workers, state), np.uint8),
            path=np.zeros((workers, LONGEST_PATH), np.int32),
            length=np.zeros(workers, np.int64),
            returns=np.zeros((workers, MAX_SEATS), np.float64),
            stop=np.zeros(1, np.int32),
        )


JOBS = typeof(Jobs.sized(1, 1))


@rule
def status_of(jobs: Jobs, job: int) -> int:
    return atomic_add(jobs.status, job, np.int32(0))


@rule
def is_done(jobs: Jobs, job: int) -> bool:
    return status_of(jobs, job) == DONE


@rule
def has_stopped(jobs: Jobs) -> bool:
    return atomic_add(jobs.stop, 0, np.int32(0)) != 0


@rule
def hand_over(jobs: Jobs, workspace: Workspace, length: int) -> bool:
    """Give the leaf in the workspace to a free worker; whether there was one."""
    for job in range(jobs.status.size):
        if status_of(jobs, job) == FREE:
            copy_into(jobs.state[job], workspace.state, workspace.state.size)
            copy_into(jobs.path[job], workspace.path, length)
            jobs.length[job] = length
            return compare_and_swap(jobs.status, job, np.int32(FREE), np.int32(READY))
    return False


@rule
def take_back(jobs: Jobs, workspace: Workspace, job: int) -> int:
    """What a worker has finished, into the workspace; returns the length of the path."""
    length = jobs.length[job]
    copy_into(workspace.path, jobs.path[job], length)
    copy_into(workspace.returns, jobs.returns[job], MAX_SEATS)
    compare_and_swap(jobs.status, job, np.int32(DONE), np.int32(FREE))
    return length


@rule
def play_out(rules: AnyRules, jobs: Jobs, job: int, workspace: Workspace, plies: int, rng_state: RngState) -> None:
    """Do a job that was taken."""
    copy_into(workspace.state, jobs.state[job], workspace.state.size)
    evaluate_leaf(rules, workspace, calls.player(rules, workspace.state), rng_state, plies)
    copy_into(jobs.returns[job], workspace.returns, MAX_SEATS)
    compare_and_swap(jobs.status, job, np.int32(TAKEN), np.int32(DONE))


@rule
def wait_for(rules: AnyRules, jobs: Jobs, job: int, workspace: Workspace, plies: int, rng_state: RngState) -> bool:
    """At the end: whether there is something to take back, after the worker has finished. A job that no worker has
    taken yet is done here; if a worker has failed, nobody waits for it."""
    while status_of(jobs, job) != FREE and not has_stopped(jobs):
        if compare_and_swap(jobs.status, job, np.int32(READY), np.int32(TAKEN)):
            play_out(rules, jobs, job, workspace, plies, rng_state)
        if is_done(jobs, job):
            return True
        yield_processor()
    return False


def _work(rules: AnyRules, plies: int, jobs: Jobs, workspace: Workspace, rng_state: RngState) -> None:
    """What a worker does until it is stopped."""
    while not has_stopped(jobs):
        found = False
        for job in range(jobs.status.size):
            if compare_and_swap(jobs.status, job, np.int32(READY), np.int32(TAKEN)):
                play_out(rules, jobs, job, workspace, plies, rng_state)
                found = True
        if not found:
            yield_processor()


@cache
def code() -> Unit:
    signature = types.void(SEARCH_RULES, types.int64, JOBS, WORKSPACE, RNG_STATE)
    return Unit("search", {"leaf_workers": (_work, signature)})


Walk = Callable[[Jobs, int], None]
"""`walk(jobs, n)` does n iterations, and leaves no job behind."""


def with_workers(walk: Walk, game: Game, rules: AnyRules, plies: int, rng_states: list[RngState]) -> Advance:
    """A search that the calling thread walks, whose processor time counts, and others play out: one for each
    generator."""
    work = code().entry_points["leaf_workers"]
    jobs = Jobs.for_game(game, len(rng_states))
    workspaces = [Workspace.for_game(game) for _ in rng_states]
    pool = thread_pool(len(rng_states), os.getpid())

    def advance(n: int) -> None:
        jobs.stop[0] = 0
        with interrupts_wait():
            running = [
                pool.submit(work, rules, plies, jobs, workspace, rng_state)
                for workspace, rng_state in zip(workspaces, rng_states, strict=True)
            ]
        try:
            walk(jobs, n)
        finally:
            jobs.stop[0] = 1
            wait(running)  # also if Ctrl-C comes: none may go on in a tree that is given up
        for future in running:
            future.result()

    return advance
