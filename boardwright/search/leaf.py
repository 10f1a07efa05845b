"""What a leaf of a search is worth: a playout to the end, or a few moves on and an estimate."""

from __future__ import annotations

from typing import Any

from boardwright.kernel import TERMINAL, RngState, calls, rule
from boardwright.kernel.calls import AnyRules
from boardwright.search.workspace import Workspace

TO_THE_END = -1


@rule
def evaluate_leaf(rules: AnyRules, workspace: Workspace, mover: int, rng_state: RngState, plies: int) -> None:
    """Play on from the position in the workspace, where `mover` is to choose, and fill `workspace.returns`."""
    state = workspace.state
    if plies == TO_THE_END:
        if mover == TERMINAL or calls.playout(rules, state, workspace.legal, rng_state):
            calls.returns(rules, state, workspace.returns)
        else:
            workspace.returns[:] = workspace.unfinished[0]
        return
    if mover != TERMINAL:
        calls.truncated_playout(rules, state, workspace.legal, rng_state, plies)
    if calls.player(rules, state) == TERMINAL:
        calls.returns(rules, state, workspace.returns)
    else:
        calls.evaluate(rules, state, workspace.returns)


@rule
def evaluate_leaf_with_trace(rules: AnyRules, workspace: Any, mover: int, rng_state: RngState, plies: int) -> None:
    """The same, by a playout that adds its actions to `workspace.trace`."""
    state = workspace.state
    if mover != TERMINAL:
        calls.traced_playout(rules, state, workspace.legal, rng_state, plies, workspace.trace, workspace.action_values)
    if calls.player(rules, state) == TERMINAL:
        calls.returns(rules, state, workspace.returns)
    elif plies == TO_THE_END:
        workspace.returns[:] = workspace.unfinished[0]
    else:
        calls.evaluate(rules, state, workspace.returns)
