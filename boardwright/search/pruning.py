"""Pruning: a node keeps the actions that evaluations of the game think best (Sephton 2016, section 5.1).

Every candidate is played on a copy of the position, and the evaluations score where it leads for the seat that chooses.
With state extrapolation that seat plays on at random first, up to another seat's decision. An action's rank is its best
place among the scores of any evaluation; equals are in random order. So keeping the ranks below `limit` keeps the union
of the best of each. Progressive widening lets in further ranks as visits come in: all are kept then, in order of rank.

Scores are for ranking alone: they are in units of their own and never backed up. An action that wins at once is never
pruned, whatever the evaluations think of the position after it.
"""

from __future__ import annotations

import math
from typing import Any

from boardwright.kernel import TERMINAL, Actions, Bytes, RngState, calls, copy_into, rng, rule
from boardwright.kernel.calls import AnyRules

LONGEST_EXTRAPOLATION = 100
"""Decisions of the own seat, after which a position is scored as it is."""
EVERY_RANK = 2**31


@rule
def extrapolate(rules: AnyRules, state: Bytes, seat: int, legal: Actions, rng_state: RngState) -> None:
    """Play on at random while it is that seat's decision."""
    for _ in range(LONGEST_EXTRAPOLATION):
        if calls.player(rules, state) != seat:
            return
        n = calls.legal(rules, state, legal)
        calls.apply(rules, state, legal[rng.below(rng_state, n)])


@rule
def score_actions(
    rules: AnyRules, state: Bytes, workspace: Any, n: int, seat: int, settings: Any, rng_state: RngState
) -> None:
    """What each evaluation thinks of each action, into the rows of `score`; an action that wins at once has rank 0."""
    tools = settings.tools
    for i in range(n):
        copy_into(workspace.trial, state, state.size)
        calls.apply(rules, workspace.trial, workspace.legal[i])
        workspace.rank[i] = n
        if calls.player(rules, workspace.trial) == TERMINAL:
            calls.returns(rules, workspace.trial, workspace.values)
            if workspace.values[seat] >= tools.highest:
                workspace.rank[i] = 0
        if tools.extrapolate:
            extrapolate(rules, workspace.trial, seat, workspace.trial_legal, rng_state)
        for judge in range(tools.judges):
            calls.judge(rules, judge, workspace.trial, workspace.values)
            workspace.score[judge, i] = workspace.values[seat]


@rule
def rank_by(scores: Any, n: int, places: int, workspace: Any) -> None:
    """Better the ranks that this row of scores betters; of equal scores the first comes first. Ranks from `places` on
    are of no interest."""
    ranked = 0
    for i in range(n):
        place = ranked
        if ranked < places:
            ranked += 1
        elif scores[workspace.order[places - 1]] >= scores[i]:
            continue
        else:
            place = places - 1
        while place > 0 and scores[workspace.order[place - 1]] < scores[i]:
            workspace.order[place] = workspace.order[place - 1]
            place -= 1
        workspace.order[place] = i
    for place in range(ranked):
        action = workspace.order[place]
        workspace.rank[action] = min(workspace.rank[action], place)


@rule
def add_bias(scores: Any, n: int, weight: float, workspace: Any) -> None:
    """Add a row of scores, scaled to 0 to 1 among the n actions, to their biases."""
    low, high = math.inf, -math.inf
    for i in range(n):
        low, high = min(low, scores[i]), max(high, scores[i])
    for i in range(n):
        workspace.bias[i] += weight * ((scores[i] - low) / (high - low) if high > low else 0.5)


@rule
def sort_by_rank(n: int, workspace: Any) -> None:
    legal = workspace.legal
    for i in range(1, n):
        action, rank, bias = legal[i], workspace.rank[i], workspace.bias[i]
        place = i
        while place > 0 and workspace.rank[place - 1] > rank:
            legal[place], workspace.rank[place], workspace.bias[place] = (
                legal[place - 1],
                workspace.rank[place - 1],
                workspace.bias[place - 1],
            )
            place -= 1
        legal[place], workspace.rank[place], workspace.bias[place] = action, rank, bias


@rule
def rank_actions(
    rules: AnyRules, state: Bytes, workspace: Any, n: int, seat: int, settings: Any, rng_state: RngState
) -> int:
    """Put the n actions in `workspace.legal` in order of rank, equals in the order they had; returns how many to keep.
    The workspace has the `rank` and the `bias` of each then."""
    tools = settings.tools
    for i in range(n):
        workspace.rank[i], workspace.bias[i] = 0, 0.0
    hard = tools.limit > 0 and tools.widen == 0.0
    if tools.judges == 0 or (hard and tools.bias == 0.0 and n <= tools.limit):
        return n
    score_actions(rules, state, workspace, n, seat, settings, rng_state)
    for judge in range(tools.judges):
        rank_by(workspace.score[judge], n, tools.limit if hard else n, workspace)
        if tools.bias > 0.0:
            add_bias(workspace.score[judge], n, 1.0 / tools.judges, workspace)
    kept = keep_ranks(n, tools.limit, workspace) if hard else n
    sort_by_rank(kept, workspace)
    return kept


@rule
def keep_ranks(n: int, limit: int, workspace: Any) -> int:
    """Move the actions with ranks below a limit to the front; returns how many there are."""
    kept = 0
    for i in range(n):
        if workspace.rank[i] < limit:
            workspace.legal[kept] = workspace.legal[i]
            workspace.rank[kept], workspace.bias[kept] = workspace.rank[i], workspace.bias[i]
            kept += 1
    return kept


@rule
def open_ranks(visits: int, settings: Any) -> int:
    """The ranks that may be visited at a node: all, or with progressive widening `limit` at first and then as many as
    the visits to the power `widen`."""
    if settings.tools.widen == 0.0:
        return EVERY_RANK
    return max(1, settings.tools.limit, int(math.pow(visits, settings.tools.widen)))
