"""Turn search: play a turn or more to the end in several determinizations, and evaluate where that leads.

The candidates are the `width` actions with the highest policy priors. In every determinization each candidate is
played, and a rollout with the network's policy carries the turn on to its end: opponents' actions are sampled, the
searching seat takes its most likely one. At the seat's first decision on the way the `breadth` most likely actions are
all tried, and the best one counts. With `turns` more than one the rollout goes on for as many turns. Where it ends the
value head gives the value; where the game ends the returns do. In a simultaneous decision, those who have answered
already are asked again, since the searching seat does not know their answer.

All candidates meet the same determinizations and the same random numbers (common random numbers), so that chance
cancels out of the differences between them. The determinizations are spent by sequential halving (Karnin, Koren and
Somekh, 2013): after each part of them the worse half of the candidates is dropped.

A few determinizations cannot tell small differences from chance, but the policy was learned from many games. So
candidates are compared by their mean value plus `prior_weight` times the logarithm of their policy prior.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from boardwright.kernel import TERMINAL, Bytes, RngState, Unit, calls, copy_into, rng, rule, typeof, types
from boardwright.kernel.arrays import Float64s
from boardwright.kernel.calls import LEARNING_RULES, RNG_STATE
from boardwright.kernel.calls import LearningRules as Rules
from boardwright.kernel.contract import NO_TURNS
from boardwright.learn.evaluations import evaluation_digest, find_evaluation, keep_evaluation
from boardwright.learn.first_layer import begin_rollout, forget, hidden_layer_of_listed, list_features
from boardwright.learn.network import Weights, initial_weights, policy_head, value_head
from boardwright.learn.workspace import MAX_BREADTH, WORKSPACE, Workspace, scale_returns

HALVINGS = 3
"""How often the candidates are halved: 16, the default width, become 2. Where the determinizations do not divide by 4
the parts are shorter, and there can be more of them."""
MIN_PRIOR = 1e-4
"""A lower policy prior counts as this one, so that no action is ruled out: with the default prior weight it can lack
0.28 at most. Chosen, not tuned."""


class Models(NamedTuple):
    """The networks of a search: one for the searching seat, and one that predicts the others, mostly the same."""

    own: Weights
    others: Weights


MODELS = typeof(Models(*[initial_weights(1, 1, np.random.default_rng(0))] * 2))


class Settings(NamedTuple):
    """The parameters that the kernel sees."""

    determinizations: int
    width: int
    """The most candidates."""
    breadth: int
    """The most actions tried at the seat's first decision after the candidate."""
    prior_weight: float
    """What the logarithm of the policy prior is multiplied by before it is added to the value."""
    turns: int
    """Turns to play before the position is evaluated, the current one included."""
    rollouts: int = 0
    """If not 0, so many rollouts are shared among the candidates, in as many determinizations as that takes."""


SETTINGS = typeof(Settings(1, 1, 1, 0.5, 1))


@rule
def terminal_value(rules: Rules, state: Bytes, seat: int, workspace: Workspace) -> float:
    """What a finished game is worth to a seat, from 0 to 1."""
    calls.returns(rules, state, workspace.returns)
    scale_returns(workspace)
    return float(workspace.returns[seat])


@rule
def evaluate_value(rules: Rules, weights: Weights, state: Bytes, seat: int, workspace: Workspace) -> float:
    """What the value head says for a seat."""
    value, kept = workspace.value, workspace.evaluations
    list_features(rules, weights, state, seat, workspace)
    digest = evaluation_digest(workspace.sparse, workspace.legal, 0)
    if not find_evaluation(kept, digest, workspace.sparse, 1, value):
        hidden_layer_of_listed(weights, seat, workspace)
        value[0] = value_head(weights, workspace.hidden)
        keep_evaluation(kept, digest, 1, value)
    return value[0]


@rule
def evaluate_policy(rules: Rules, weights: Weights, state: Bytes, seat: int, n: int, workspace: Workspace) -> None:
    """The probabilities that the policy head gives the n actions in `legal`, into `policy`."""
    policy, kept = workspace.policy, workspace.evaluations
    list_features(rules, weights, state, seat, workspace)
    digest = evaluation_digest(workspace.sparse, workspace.legal, n)
    if not find_evaluation(kept, digest, workspace.sparse, n, policy):
        hidden_layer_of_listed(weights, seat, workspace)
        policy_head(weights, workspace.hidden, workspace.legal, n, policy)
        keep_evaluation(kept, digest, n, policy)


@rule
def sample_index(probabilities: Float64s, n: int, rng_state: RngState) -> int:
    """An index below n, each with its probability."""
    left = rng.uniform(rng_state)
    for i in range(n - 1):
        left -= probabilities[i]
        if left < 0.0:
            return i
    return n - 1


@rule
def argmax(values: Any, n: int) -> int:
    best = 0
    for i in range(1, n):
        if values[i] > values[best]:
            best = i
    return best


@rule
def turn_has_ended(rules: Rules, state: Bytes, turn: int) -> bool:
    return calls.player(rules, state) == TERMINAL or turn == NO_TURNS or calls.turn(rules, state) != turn


@rule
def play_by_policy(rules: Rules, models: Models, state: Bytes, seat: int, n: int, workspace: Workspace) -> None:
    """One of the n actions in `legal`: the most likely one if `seat` is to move, a sampled one if another is."""
    choice = 0
    if n > 1:
        player = calls.player(rules, state)
        evaluate_policy(rules, models.own if player == seat else models.others, state, player, n, workspace)
        if player == seat:
            choice = argmax(workspace.policy, n)
        else:
            choice = sample_index(workspace.policy, n, workspace.rollout_rng)
    calls.apply(rules, state, workspace.legal[choice])


@rule
def play_to_turn_end(
    rules: Rules, models: Models, state: Bytes, seat: int, turn: int, stop_at_own_decision: bool, workspace: Workspace
) -> int:
    """A rollout to the end of the turn, which gives 0, or to a decision of the seat, which gives the number of its
    legal actions."""
    while not turn_has_ended(rules, state, turn):
        n = calls.legal(rules, state, workspace.legal)
        if stop_at_own_decision and n > 1 and calls.player(rules, state) == seat:
            return n
        play_by_policy(rules, models, state, seat, n, workspace)
    return 0


@rule
def play_turns(rules: Rules, models: Models, state: Bytes, seat: int, turns: int, workspace: Workspace) -> None:
    """A rollout over so many whole turns, or to the end of the game."""
    for _ in range(turns):
        if calls.player(rules, state) == TERMINAL:
            return
        turn = calls.turn(rules, state)
        play_by_policy(rules, models, state, seat, calls.legal(rules, state, workspace.legal), workspace)
        play_to_turn_end(rules, models, state, seat, turn, False, workspace)


@rule
def value_after_turns(rules: Rules, models: Models, state: Bytes, seat: int, turns: int, workspace: Workspace) -> float:
    """The seat's value when so many more turns have been played; of its return, if the game has ended."""
    play_turns(rules, models, state, seat, turns, workspace)
    if calls.player(rules, state) == TERMINAL:
        return terminal_value(rules, state, seat, workspace)
    return evaluate_value(rules, models.own, state, seat, workspace)


@rule
def select_top_actions(n: int, breadth: int, workspace: Workspace) -> int:
    """The most likely of the n actions in `legal`, into `top_actions`; how many. Uses `policy` up."""
    count = min(breadth, min(n, MAX_BREADTH))
    for i in range(count):
        best = argmax(workspace.policy, n)
        workspace.top_actions[i] = workspace.legal[best]
        workspace.policy[best] = -1.0
    return count


@rule
def answer_again(rules: Rules, models: Models, seat: int, workspace: Workspace) -> None:
    """In the current determinization, those whose answer is hidden from the seat answer again: once for all
    candidates, which they do not know either."""
    state = workspace.determinization
    begin_rollout(workspace.first_layer)
    calls.rewind(rules, state)
    while calls.player(rules, state) != seat:
        n = calls.legal(rules, state, workspace.legal)
        evaluate_policy(rules, models.others, state, calls.player(rules, state), n, workspace)
        calls.apply(rules, state, workspace.legal[sample_index(workspace.policy, n, workspace.determinization_rng)])


@rule
def evaluate_action(
    rules: Rules, models: Models, seat: int, action: int, turn: int, settings: Settings, workspace: Workspace
) -> float:
    """The value of an action in the current determinization: a rollout, and the value where it ends."""
    state = workspace.state
    begin_rollout(workspace.first_layer)
    copy_into(state, workspace.determinization, state.size)
    copy_into(workspace.rollout_rng, workspace.determinization_rng, workspace.rollout_rng.size)  # common random numbers
    calls.apply(rules, state, action)
    turns = settings.turns - 1
    n = play_to_turn_end(rules, models, state, seat, turn, settings.breadth > 1, workspace)
    if n == 0:
        return value_after_turns(rules, models, state, seat, turns, workspace)
    evaluate_policy(rules, models.own, state, seat, n, workspace)
    count = select_top_actions(n, settings.breadth, workspace)
    best = -1.0
    for i in range(count):
        copy_into(workspace.branch, state, state.size)
        calls.apply(rules, workspace.branch, workspace.top_actions[i])
        play_to_turn_end(rules, models, workspace.branch, seat, turn, False, workspace)
        best = max(best, value_after_turns(rules, models, workspace.branch, seat, turns, workspace))
    return best


@rule
def value_with_prior(workspace: Workspace, i: int, prior_weight: float) -> float:
    """What candidates are ranked by: mean value, plus the weighted logarithm of the policy prior."""
    mean = workspace.value_sum[i] / workspace.visits[i]
    return mean + prior_weight * np.log(max(workspace.prior[i], MIN_PRIOR))


@rule
def rank_candidates(workspace: Workspace, candidates: int, prior_weight: float) -> None:
    """Sort the first `candidates` of the ranking, best first (insertion sort: they are few)."""
    ranking = workspace.ranking
    for i in range(1, candidates):
        moved = ranking[i]
        j = i
        while j > 0 and value_with_prior(workspace, ranking[j - 1], prior_weight) < value_with_prior(
            workspace, moved, prior_weight
        ):
            ranking[j] = ranking[j - 1]
            j -= 1
        ranking[j] = moved


@rule
def rank_by_prior(workspace: Workspace, n: int) -> None:
    """Begin a search of n actions: nothing is found yet, and the most likely actions come first."""
    ranking = workspace.ranking
    for i in range(n):
        workspace.value_sum[i], workspace.visits[i] = 0.0, 0
        moved, j = i, i
        while j > 0 and workspace.prior[ranking[j - 1]] < workspace.prior[moved]:
            ranking[j] = ranking[j - 1]
            j -= 1
        ranking[j] = moved


@rule
def policy_priors(rules: Rules, models: Models, seat: int, workspace: Workspace) -> int:
    """The legal actions of the observation and their policy priors, into the workspace; how many actions."""
    n = calls.legal(rules, workspace.observation, workspace.actions)
    forget(workspace.first_layer, workspace.sparse, models.own, models.others)
    copy_into(workspace.legal, workspace.actions, n)
    evaluate_policy(rules, models.own, workspace.observation, seat, n, workspace)
    copy_into(workspace.prior, workspace.policy, n)
    return n


@rule
def sequential_halving(
    rules: Rules, models: Models, seat: int, n: int, settings: Settings, rng_state: RngState, workspace: Workspace
) -> None:
    """Evaluate candidates in more and more determinizations, and drop the worse half of them after each part.

    The parts have equally many determinizations, so later ones cost less; with a number of `rollouts` they cost the
    same, as in the paper. Values are kept from one part to the next, and two candidates are kept to the end.
    """
    forget(workspace.first_layer, workspace.sparse, models.own, models.others)
    rank_by_prior(workspace, n)
    candidates = min(n, settings.width)
    turn = calls.turn(rules, workspace.observation)
    by_rollouts = settings.rollouts > 0
    budget = settings.rollouts if by_rollouts else settings.determinizations
    part = max(1, budget // (HALVINGS + 1))
    spent = 0
    while spent < budget:
        copy_into(workspace.determinization, workspace.observation, workspace.observation.size)
        calls.determinize(rules, workspace.determinization, seat, rng.next64(rng_state))
        rng.seed(workspace.determinization_rng, rng.next64(rng_state))
        answer_again(rules, models, seat, workspace)
        for i in range(candidates):
            k = workspace.ranking[i]
            workspace.value_sum[k] += evaluate_action(
                rules, models, seat, workspace.actions[k], turn, settings, workspace
            )
            workspace.visits[k] += 1
        before = spent
        spent += candidates if by_rollouts else 1
        if spent // part > before // part or spent >= budget:
            rank_candidates(workspace, candidates, settings.prior_weight)
            if candidates > 2:
                candidates = (candidates + 1) // 2


@rule
def search(
    rules: Rules, models: Models, seat: int, settings: Settings, rng_state: RngState, workspace: Workspace
) -> int:
    """Search the observation in the workspace and leave what was found there; how many legal actions there are."""
    n = policy_priors(rules, models, seat, workspace)
    sequential_halving(rules, models, seat, n, settings, rng_state, workspace)
    return n


@cache
def code() -> Unit:
    seat = n = types.int64
    return Unit(
        "learn",
        {
            "turn_search": (search, n(LEARNING_RULES, MODELS, seat, SETTINGS, RNG_STATE, WORKSPACE)),
            "policy_priors": (policy_priors, n(LEARNING_RULES, MODELS, seat, WORKSPACE)),
            "sequential_halving": (
                sequential_halving,
                types.void(LEARNING_RULES, MODELS, seat, n, SETTINGS, RNG_STATE, WORKSPACE),
            ),
        },
    )


def kernel(name: str = "turn_search") -> Any:
    """Of `workspace.observation`: `turn_search(rules, models, seat, settings, rng_state, workspace) -> number of legal
    actions`. Or its two halves, for callers that change the actions and priors in the workspace in between:
    `policy_priors(rules, models, seat, workspace) -> number of legal actions`, and
    `sequential_halving(rules, models, seat, number of actions, settings, rng_state, workspace)`."""
    return code().entry_points[name]
