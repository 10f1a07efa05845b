"""Turn search: play some turns to their end in sampled worlds, and let a network judge where they lead.

For each of a few worlds consistent with the view, every candidate is played and the turn carried on to its end.
Opponents do what the network expects of them, as they see that world; in a simultaneous question those who have
answered already are asked again, since their answer is not known. The searching seat's first choice that follows is
tried `breadth` ways, the likeliest ones, and the best counts; later ones go the likeliest way. So do those of the
`turns` - 1 turns that follow. Where the last of them ends, the network gives the chance to win; where the game ends,
the result counts.

All candidates see the same worlds, so that luck cancels out between them, and on the way the worse ones drop out. A few
worlds cannot tell small differences from luck, and the network has seen many: so its first impression of an option, the
logarithm of how likely it thought it, counts too, with the weight `trust`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types

from boardwright.kernel import MAX_SEATS, TERMINAL, Game, calls, compiled, rng, rule
from boardwright.kernel.calls import LEARNING_RULES, RNG_STATE
from boardwright.kernel.contract import NO_TURNS
from boardwright.kernel.features import SparseFeatures
from boardwright.learn.network import HIDDEN, WEIGHTS, chance_to_win, see, weigh_choices

HALVINGS = 3
"""How often the worse half of the candidates drops out."""
MOST_BREADTH = 16
LEAST_LIKELY = 1e-4


class Settings(NamedTuple):
    """How hard to search."""

    worlds: int
    width: int
    """The most candidates, the likeliest ones."""
    breadth: int
    """The most ways in which the first own choice that follows is tried."""
    trust: float
    """How much the first impression counts, in chance to win."""
    turns: int
    """How many are played, with the one under way, before the network judges."""


class Desk(NamedTuple):
    """Memory that one search after another uses."""

    known: Any
    """The view that is searched, then room for worlds and positions."""
    world: Any
    state: Any
    branch: Any
    legal: Any
    chances: Any
    sparse: Any
    hidden: Any
    payoff: Any
    bounds: Any
    """The lowest and the highest payoff."""
    chance: Any
    likeliest: Any
    actions: Any
    """Of the position searched: its legal actions,"""
    prior: Any
    """how likely the network thinks each,"""
    value: Any
    """the sum of the values found,"""
    visits: Any
    """in so many worlds,"""
    order: Any
    """and the candidates, best first."""

    @classmethod
    def for_game(cls, game: Game) -> Desk:
        return cls.sized(
            game.state.itemsize, game.max_legal, len(game.learning.feature_names), (game.min_utility, game.max_utility)
        )

    @classmethod
    def sized(cls, state: int, legal: int, features: int, payoffs: tuple[float, float]) -> Desk:
        known, world, played, branch = (np.zeros(state, np.uint8) for _ in range(4))
        return cls(
            known=known,
            world=world,
            state=played,
            branch=branch,
            legal=np.zeros(legal, np.int64),
            chances=np.zeros(legal),
            sparse=SparseFeatures.with_capacity(features),
            hidden=np.zeros(HIDDEN, np.float32),
            payoff=np.zeros(MAX_SEATS),
            bounds=np.array(payoffs, np.float64),
            chance=np.zeros(4, np.uint64),
            likeliest=np.zeros(MOST_BREADTH, np.int64),
            actions=np.zeros(legal, np.int64),
            prior=np.zeros(legal),
            value=np.zeros(legal),
            visits=np.zeros(legal, np.int64),
            order=np.zeros(legal, np.int64),
        )


DESK = typeof(Desk.sized(1, 1, 1, (0.0, 1.0)))
SETTINGS = typeof(Settings(1, 1, 1, 0.5, 1))


@rule
def result(rules: Any, state: Any, seat: int, desk: Any) -> float:
    """The payoff of a finished game, from 0 to 1."""
    calls.returns(rules, state, desk.payoff)
    low, high = desk.bounds[0], desk.bounds[1]
    return (desk.payoff[seat] - low) / (high - low)


@rule
def judge(rules: Any, weights: Any, state: Any, seat: int, desk: Any) -> float:
    """The chance to win as the seat would see it."""
    calls.features(rules, state, seat, desk.sparse)
    see(weights, desk.sparse, desk.hidden)
    return chance_to_win(weights, desk.hidden)


@rule
def expect(rules: Any, weights: Any, state: Any, seat: int, n: int, desk: Any) -> None:
    """What the seat is likely to choose among the n legal actions on the desk."""
    calls.features(rules, state, seat, desk.sparse)
    see(weights, desk.sparse, desk.hidden)
    weigh_choices(weights, desk.hidden, desk.legal, n, desk.chances)


@rule
def drawn(chances: Any, n: int, rng_state: Any) -> int:
    """One of n, as likely as the chances say."""
    left = rng.uniform(rng_state)
    for i in range(n - 1):
        left -= chances[i]
        if left < 0.0:
            return i
    return n - 1


@rule
def likeliest_of(chances: Any, n: int) -> int:
    best = 0
    for i in range(1, n):
        if chances[i] > chances[best]:
            best = i
    return best


@rule
def is_over(rules: Any, state: Any, turn: int) -> bool:
    """Whether a turn has come to its end."""
    return calls.player(rules, state) == TERMINAL or turn == NO_TURNS or calls.turn(rules, state) != turn


@rule
def move_on(rules: Any, weights: Any, state: Any, seat: int, n: int, desk: Any) -> None:
    """Whoever is asked takes one of the n legal actions on the desk: the seat the likeliest, others as likely."""
    choice = 0
    if n > 1:
        player = calls.player(rules, state)
        expect(rules, weights, state, player, n, desk)
        choice = likeliest_of(desk.chances, n) if player == seat else drawn(desk.chances, n, desk.chance)
    calls.apply(rules, state, desk.legal[choice])


@rule
def carry_on(rules: Any, weights: Any, state: Any, seat: int, turn: int, own: bool, desk: Any) -> int:
    """Play on until the turn is over, or, with `own`, until the seat has a choice: how many options it then has."""
    while not is_over(rules, state, turn):
        n = calls.legal(rules, state, desk.legal)
        if own and n > 1 and calls.player(rules, state) == seat:
            return n
        move_on(rules, weights, state, seat, n, desk)
    return 0


@rule
def play_turns(rules: Any, weights: Any, state: Any, seat: int, turns: int, desk: Any) -> None:
    """Play so many whole turns, or to the end of the game."""
    for _ in range(turns):
        if calls.player(rules, state) == TERMINAL:
            return
        turn = calls.turn(rules, state)
        move_on(rules, weights, state, seat, calls.legal(rules, state, desk.legal), desk)
        carry_on(rules, weights, state, seat, turn, False, desk)


@rule
def value_after(rules: Any, weights: Any, state: Any, seat: int, turns: int, desk: Any) -> float:
    """The chance to win when so many turns more have been played; the result, if the game is over then."""
    play_turns(rules, weights, state, seat, turns, desk)
    if calls.player(rules, state) == TERMINAL:
        return result(rules, state, seat, desk)
    return judge(rules, weights, state, seat, desk)


@rule
def pick_likeliest(n: int, most: int, desk: Any) -> int:
    """The likeliest of the n legal actions on the desk, at most `most`, into `likeliest`."""
    most = min(most, min(n, MOST_BREADTH))
    for i in range(most):
        best = likeliest_of(desk.chances, n)
        desk.likeliest[i] = desk.legal[best]
        desk.chances[best] = -1.0
    return most


@rule
def try_action(rules: Any, weights: Any, seat: int, action: int, turn: int, settings: Any, desk: Any) -> float:
    """Play an action in the world on the desk and as many turns as are to be played; the chance to win there."""
    state = desk.state
    state[:] = desk.world
    calls.rewind(rules, state)
    while calls.player(rules, state) != seat:  # answers that are not known are given again
        n = calls.legal(rules, state, desk.legal)
        expect(rules, weights, state, calls.player(rules, state), n, desk)
        calls.apply(rules, state, desk.legal[drawn(desk.chances, n, desk.chance)])
    calls.apply(rules, state, action)
    turns = settings.turns - 1
    n = carry_on(rules, weights, state, seat, turn, settings.breadth > 1, desk)
    if n == 0:
        return value_after(rules, weights, state, seat, turns, desk)
    expect(rules, weights, state, seat, n, desk)
    ways = pick_likeliest(n, settings.breadth, desk)
    best = -1.0
    for i in range(ways):
        desk.branch[:] = state
        calls.apply(rules, desk.branch, desk.likeliest[i])
        carry_on(rules, weights, desk.branch, seat, turn, False, desk)
        best = max(best, value_after(rules, weights, desk.branch, seat, turns, desk))
    return best


@rule
def merit(desk: Any, i: int, trust: float) -> float:
    """The mean value of an option, and what the network thought of it at first sight."""
    return desk.value[i] / desk.visits[i] + trust * np.log(max(desk.prior[i], LEAST_LIKELY))


@rule
def rank(desk: Any, candidates: int, trust: float) -> None:
    """Put the first `candidates` of the order into the order of merit (insertion: they are few)."""
    for i in range(1, candidates):
        moved = desk.order[i]
        j = i
        while j > 0 and merit(desk, desk.order[j - 1], trust) < merit(desk, moved, trust):
            desk.order[j] = desk.order[j - 1]
            j -= 1
        desk.order[j] = moved


@rule
def choose_candidates(desk: Any, n: int, width: int) -> int:
    """The likeliest actions first; how many are looked at."""
    for i in range(n):
        desk.value[i], desk.visits[i] = 0.0, 0
        moved, j = i, i
        while j > 0 and desk.prior[desk.order[j - 1]] < desk.prior[moved]:
            desk.order[j] = desk.order[j - 1]
            j -= 1
        desk.order[j] = moved
    return min(n, width)


@rule
def first_impressions(rules: Any, weights: Any, seat: int, desk: Any) -> int:
    """The legal actions of the view on the desk, and how likely the network thinks each; how many there are."""
    n = calls.legal(rules, desk.known, desk.actions)
    desk.legal[:n] = desk.actions[:n]
    expect(rules, weights, desk.known, seat, n, desk)
    desk.prior[:n] = desk.chances[:n]
    return n


@rule
def try_candidates(rules: Any, weights: Any, seat: int, n: int, settings: Any, rng_state: Any, desk: Any) -> None:
    """Play the likeliest of the n actions on the desk in sampled worlds; values, visits and order are left there."""
    candidates = choose_candidates(desk, n, settings.width)
    turn = calls.turn(rules, desk.known)
    stage = max(1, settings.worlds // (HALVINGS + 1))
    for number in range(settings.worlds):
        desk.world[:] = desk.known
        calls.determinize(rules, desk.world, seat, rng.next64(rng_state))
        luck = rng.next64(rng_state)
        for i in range(candidates):
            rng.seed(desk.chance, luck)
            k = desk.order[i]
            desk.value[k] += try_action(rules, weights, seat, desk.actions[k], turn, settings, desk)
            desk.visits[k] += 1
        if (number + 1) % stage == 0 or number == settings.worlds - 1:
            rank(desk, candidates, settings.trust)
            if candidates > 2:
                candidates = (candidates + 1) // 2


@rule
def search(rules: Any, weights: Any, seat: int, settings: Any, rng_state: Any, desk: Any) -> int:
    """Search the view on the desk; its legal actions and what was found are left there. How many actions there are."""
    n = first_impressions(rules, weights, seat, desk)
    try_candidates(rules, weights, seat, n, settings, rng_state, desk)
    return n


def _search(rules: Any, weights: Any, seat: int, settings: Any, rng_state: Any, desk: Any) -> int:
    return search(rules, weights, seat, settings, rng_state, desk)


@cache
def kernel() -> Any:
    """`search(rules, weights, seat, settings, rng_state, desk) -> number of actions`, over `desk.known`."""
    signature = types.int64(LEARNING_RULES, WEIGHTS, types.int64, SETTINGS, RNG_STATE, DESK)
    return compiled(_search, signature, "learn.turn_search")
