"""The rules themselves: legal actions, chance from the seed alone, copies, saving, pieces, returns."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np

from boardwright.conformance.promises import check, must
from boardwright.conformance.walking import variants, walks
from boardwright.files import parse_json
from boardwright.kernel import Game, State, rng

_SPARE, _UNTOUCHED = 4096, -(2**40)

_DEALS = 20
"""Seeds to deal with before all deals count as one."""
_ROUNDING = 1e-9
"""What sums of returns may be off by."""


@check("legal actions are there, distinct, within bounds and applicable")
def legal_actions_hold(game: Game, games: int, seed: int) -> None:
    for where, state, legal in walks(game, games, seed):
        if state.is_terminal:
            continue
        must(0 <= state.player < state.seats, f"player() says {state.player}", where)
        room = np.full(game.max_legal + _SPARE, _UNTOUCHED, np.int64)
        n = game.entries.legal(state.memory, room)
        must(0 < n <= game.max_legal, f"legal() says {n} actions; max_legal is {game.max_legal}", where)
        must(bool((room[game.max_legal :] == _UNTOUCHED).all()), "legal() writes beyond max_legal actions", where)
        must(
            len(legal) <= game.max_legal,
            f"{len(legal)} legal actions, more than max_legal = {game.max_legal}",
            where,
        )
        must(len(set(legal)) == len(legal), f"legal actions repeat: {legal}", where)
        for action in legal:
            must(
                0 <= action < game.num_actions,
                f"action {action} is not from 0 to {game.num_actions - 1} (num_actions = {game.num_actions})",
                where,
            )
            after = state.copy()
            after.apply(action)
            must(bytes(after) != bytes(state), f"action {action} changes nothing", where)


@check("the same seed and actions give the same game")
def games_repeat(game: Game, games: int, seed: int) -> None:
    for (where, first, _), (_, second, _) in zip(walks(game, games, seed), walks(game, games, seed), strict=True):
        must(first == second, "two games from one seed differ", where)


@check("chance comes in where the game says")
def chance_is_declared(game: Game, games: int, seed: int) -> None:
    """In the deal: then some of the first positions differ. In play: else the generator stays as it is."""
    seeds = [rng.derive(seed, number) for number in range(max(games, _DEALS))]
    for seats, options in variants(game):
        first = {bytes(game.new(seed=one, seats=seats, **options)) for one in seeds}
        where = f"seats {seats}, seed {seeds[0]} and others"
        must(len(first) == 1 or game.chance != "none", "the seed matters, but the game declares no `chance`", where)
        must(len(first) > 1 or game.chance == "none", "the game declares `chance`, but all seeds deal the same", where)
    if game.chance == "deal" and "rng" in (game.state.names or ()):
        dealt: bytes = b""
        for where, state, _ in walks(game, games, seed):
            dealt = bytes(state.record.rng) if where.endswith(" move 1") else dealt
            must(bytes(state.record.rng) == dealt, "`chance` is 'deal', but the generator is used in play", where)


@check("a copy equals its original and is independent of it")
def copies_are_independent(game: Game, games: int, seed: int) -> None:
    for where, state, legal in walks(game, games, seed):
        copy, before = state.copy(), bytes(state)
        must(copy == state, "a copy differs from its original", where)
        if legal:
            copy.apply(legal[-1])
            must(bytes(state) == before, "playing in a copy changed the original", where)


@check("states and observations survive bytes, pickle and JSON")
def states_survive_saving(game: Game, games: int, seed: int) -> None:
    for where, state, _ in walks(game, min(games, 5), seed):
        must(game.load(bytes(state)) == state, "bytes do not bring the state back", where)
        must(
            game.from_dict(parse_json(json.dumps(state.to_dict()))) == state,
            "JSON does not bring it back",
            where,
        )
        must(pickle.loads(pickle.dumps(state)) == state, "pickle does not bring the state back", where)
        observation = state.observation(state.seats - 1)
        must(pickle.loads(pickle.dumps(observation)) == observation, "pickle does not bring an observation back", where)


@check("pieces and cards are conserved")
def pieces_are_conserved(game: Game, games: int, seed: int) -> None:
    if game.rules.piece_counts is None:
        return
    at_start: list[int] = []
    for where, state, _ in walks(game, games, seed):
        now = count(state)
        if where.endswith("move 1"):
            at_start = now
        must(now == at_start, f"the piece counts changed from {at_start} to {now}", where)


def count(state: State) -> list[int]:
    """How many pieces of each kind there are."""
    out = np.zeros(state.game.rules.num_piece_kinds, np.int64)
    state.game.entries.piece_counts(state.memory, out)
    return [int(n) for n in out]


@check("returns lie within their bounds and scores are numbers")
def returns_lie_within_bounds(game: Game, games: int, seed: int) -> None:
    low, high = game.min_utility, game.max_utility
    totals: dict[int, float] = {}
    for where, state, _ in walks(game, games, seed):
        must(all(math.isfinite(score) for score in state.scores), f"scores are {state.scores}", where)
        if state.is_terminal:
            must(
                all(low <= x <= high for x in state.returns),
                f"returns {state.returns} exceed {low}..{high}",
                where,
            )
            total = sum(state.returns)
            first = totals.setdefault(state.seats, total)
            must(
                not game.constant_sum or abs(total - first) < _ROUNDING,
                f"returns {state.returns} add up to {total}, those of another game to {first}; it is no `constant_sum`",
                where,
            )
            if game.max_utility_sum is not None:
                must(
                    sum(state.returns) <= game.max_utility_sum + _ROUNDING,
                    f"returns {state.returns} add up to more than max_utility_sum, {game.max_utility_sum}",
                    where,
                )
