"""Does a game keep the contract? Every registered game is asked on every test run; `boardwright check` asks any.

Each check plays random games with every seat count and every variant, and raises Failure with the seed and the
move at which the promise was broken.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from boardwright.errors import BoardwrightError
from boardwright.kernel import Game, Observation, State, rng
from boardwright.kernel.features import SparseFeatures
from boardwright.registry import load_game

LONGEST_GAME = 100_000
_UNCOMPILED_GAMES = 2
_GAMES_IN_WORDS = 2
"""Of each variant: uncompiled rules and text take a hundred times as long as compiled rules."""
_BRANCH_EVERY = 8
"""One position in so many is followed into a determinization."""
_ALIKE, _GAMES_ALIKE = 2, 2
"""Positions to compare with one, of those that a seat cannot tell from it; and games of each variant to do so in."""
_SPARE, _UNTOUCHED = 4096, -(2**40)

Check = Callable[..., None]
CHECKS: dict[str, Check] = {}


class Failure(BoardwrightError):
    """A promise of the contract that a game breaks."""


def _check(promise: str) -> Callable[[Check], Check]:
    def register(function: Check) -> Check:
        CHECKS[promise] = function
        return function

    return register


def variants(game: Game) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every seat count with the default options, and every other value of each switch and choice."""
    for seats in game.seats:
        yield seats, {}
    for name, option in game.options.items():
        for value in option.others:
            yield game.seats[0], {name: value}


def walks(game: Game, games: int, seed: int) -> Iterator[tuple[str, State, list[int]]]:
    """Random games of all variants, position by position: where we are, the state, the legal actions."""
    for seats, options in variants(game):
        for number in range(games):
            yield from walk(game, seats, options, rng.derive(seed, number))


def walk(game: Game, seats: int, options: dict[str, Any], seed: int) -> Iterator[tuple[str, State, list[int]]]:
    state = game.new(seed=seed, seats=seats, **options)
    rng_state = rng.generator(seed)
    for move in range(LONGEST_GAME):
        where = f"seats {seats}, options {options or 'default'}, seed {seed}, move {move + 1}"
        legal = state.legal_actions()
        yield where, state, legal
        if state.is_terminal:
            return
        if not legal:
            raise Failure(f"no legal action although the game is not over ({where})")
        state.apply(legal[rng.draw(rng_state) % len(legal)])
    raise Failure(f"not over after {LONGEST_GAME} moves (seats {seats}, options {options}, seed {seed})")


def _must(holds: bool, what: str, where: str) -> None:
    if not holds:
        raise Failure(f"{what} ({where})")


@_check("legal actions are there, distinct, within bounds and applicable")
def legal_actions_hold(game: Game, games: int, seed: int) -> None:
    for where, state, legal in walks(game, games, seed):
        if state.is_terminal:
            continue
        _must(0 <= state.player < state.seats, f"player() says {state.player}", where)
        room = np.full(game.max_legal + _SPARE, _UNTOUCHED, np.int64)
        n = game.entries.legal(state.memory, room)
        _must(0 < n <= game.max_legal, f"legal() says {n} actions; max_legal is {game.max_legal}", where)
        _must(bool((room[game.max_legal :] == _UNTOUCHED).all()), "legal() writes beyond max_legal actions", where)
        _must(
            len(legal) <= game.max_legal,
            f"{len(legal)} legal actions, more than max_legal = {game.max_legal}",
            where,
        )
        _must(len(set(legal)) == len(legal), f"legal actions repeat: {legal}", where)
        for action in legal:
            _must(0 <= action < game.num_actions, f"action {action} is not below actions = {game.num_actions}", where)
            after = state.copy()
            after.apply(action)
            _must(bytes(after) != bytes(state), f"action {action} changes nothing", where)


@_check("the same seed and actions give the same game")
def games_repeat(game: Game, games: int, seed: int) -> None:
    for (where, first, _), (_, second, _) in zip(walks(game, games, seed), walks(game, games, seed), strict=True):
        _must(first == second, "two games from one seed differ", where)


@_check("a copy equals its original and is independent of it")
def copies_are_independent(game: Game, games: int, seed: int) -> None:
    for where, state, legal in walks(game, games, seed):
        copy, before = state.copy(), bytes(state)
        _must(copy == state, "a copy differs from its original", where)
        if legal:
            copy.apply(legal[-1])
            _must(bytes(state) == before, "playing in a copy changed the original", where)


@_check("states and observations survive bytes, pickle and JSON")
def states_survive_saving(game: Game, games: int, seed: int) -> None:
    for where, state, _ in walks(game, min(games, 5), seed):
        _must(game.load(bytes(state)) == state, "bytes do not bring the state back", where)
        _must(
            game.from_dict(json.loads(json.dumps(state.to_dict()))) == state,
            "JSON does not bring it back",
            where,
        )
        _must(pickle.loads(pickle.dumps(state)) == state, "pickle does not bring the state back", where)
        observation = state.observation(state.seats - 1)
        _must(pickle.loads(pickle.dumps(observation)) == observation, "pickle does not bring a view back", where)


@_check("pieces and cards are conserved")
def pieces_are_conserved(game: Game, games: int, seed: int) -> None:
    if game.rules.piece_counts is None:
        return
    at_start: list[int] = []
    for where, state, _ in walks(game, games, seed):
        now = count(state)
        if where.endswith("move 1"):
            at_start = now
        _must(now == at_start, f"the piece counts changed from {at_start} to {now}", where)


def count(state: State) -> list[int]:
    """How many pieces of each kind there are."""
    out = np.zeros(state.game.rules.num_piece_kinds, np.int64)
    state.game.entries.piece_counts(state.memory, out)
    return [int(n) for n in out]


@_check("returns lie within their bounds and scores are numbers")
def returns_lie_within_bounds(game: Game, games: int, seed: int) -> None:
    low, high = game.min_utility, game.max_utility
    for where, state, _ in walks(game, games, seed):
        _must(all(math.isfinite(score) for score in state.scores), f"scores are {state.scores}", where)
        if state.is_terminal:
            _must(
                all(low <= x <= high for x in state.returns),
                f"returns {state.returns} exceed {low}..{high}",
                where,
            )


@_check("whose turn it is is public, and who moves sees all its legal actions")
def turns_are_public(game: Game, games: int, seed: int) -> None:
    for where, state, legal in walks(game, games, seed):
        for seat in range(state.seats):
            observation = state.observation(seat)
            _must(
                observation.player == state.player,
                f"seat {seat} sees {observation.player} to move, not {state.player}",
                where,
            )
            if seat == state.player:
                _must(
                    observation.legal_actions() == legal,
                    f"seat {seat} sees other legal actions than there are",
                    where,
                )


@_check("a determinization looks the same to its seat")
def determinizations_fit_their_observation(game: Game, games: int, seed: int) -> None:
    for where, state, _ in walks(game, games, seed):
        for seat in range(state.seats):
            observation = state.observation(seat)
            sample = observation.determinize(seed=seed)
            _must(sample.observation(seat) == observation, f"seat {seat} can tell a sample from the truth", where)
            _must(sample == observation.determinize(seed=seed), "sampling twice with one seed gives two states", where)
            if game.rules.piece_counts is not None:
                _must(count(sample) == count(state), f"a sample for seat {seat} has other pieces", where)


@_check("determinizations can be played to the end")
def determinizations_can_be_played(game: Game, games: int, seed: int) -> None:
    playout, scratch, rng_state = (
        game.entries.playout("random"),
        np.zeros(game.max_legal, np.int64),
        rng.generator(seed),
    )
    for where, state, _ in walks(game, min(games, 5), seed):
        for seat in range(state.seats):
            sample = state.observation(seat).determinize(seed=seed)
            playout(sample.memory, scratch, rng_state)
            _must(sample.is_terminal, f"a game played on from a sample for seat {seat} does not end", where)


@_check("an observation does not depend on what is hidden")
def observations_hide_what_is_hidden(game: Game, games: int, seed: int) -> None:
    if not game.has_hidden_information:
        return
    if game.information.observe is not None and game.information.scramble is None:
        raise Failure("the game hides information but declares no scramble(s, seat, random) to prove it with")
    random = np.random.default_rng(seed)
    varied = False
    for where, state, _ in walks(game, games, seed):
        for seat in range(state.seats):
            other = state.copy()
            if game.information.scramble is not None:
                game.information.scramble(other.record, seat, random)
            else:
                other.record.rng[:] = random.integers(0, 2**63, 4)
            varied = varied or other != state
            _must(
                other.observation(seat) == state.observation(seat),
                f"seat {seat}'s view shows something hidden",
                where,
            )
            blanked = state.observation(seat)
            again = State(game, blanked.memory.copy()).observation(seat)
            _must(again == blanked, f"looking twice shows seat {seat} something else", where)
    _must(varied, "scramble never changed anything", f"{games} games")


def _chance_fell(before: State, after: State) -> bool:
    fields: Mapping[str, Any] = before.game.state.fields or {}
    if "rng" not in fields:
        return False
    kind, begin = fields["rng"][:2]
    rng_bytes = slice(begin, begin + kind.itemsize)
    return bytes(before.memory[rng_bytes]) != bytes(after.memory[rng_bytes])


def searched(game: Game, games: int, seed: int) -> Iterator[tuple[str, State, list[int]]]:
    """Positions as trees meet them: those of random games, and now and then a few moves on from a determinization, in
    which choices that are hidden may be asked for again."""
    rng_state = rng.generator(seed)
    for where, state, legal in walks(game, games, seed):
        yield where, state, legal
        if state.is_terminal or rng.draw(rng_state) % _BRANCH_EVERY:
            continue
        seat = rng.draw(rng_state) % state.seats
        sample = state.observation(seat).determinize(seed=rng.draw(rng_state))
        for step in range(state.seats):
            legal = sample.legal_actions()
            if not legal:
                break
            yield f"{where}, {step} moves into a sample for seat {seat}", sample.copy(), legal
            sample.apply(legal[rng.draw(rng_state) % len(legal)])


@_check("actions that a seat cannot tell apart leave it with the same observation")
def disguises_hold(game: Game, games: int, seed: int) -> None:
    if game.information.action_observation is None:
        return
    for where, state, legal in searched(game, games, seed):
        for seat in range(state.seats):
            if seat == state.player:
                continue
            observations: dict[int, Any] = {}
            for action in legal:
                sight = game.entries.action_observation(state.memory, action, seat)
                allowed = sight == action or game.num_actions <= sight < game.num_action_observations
                _must(
                    allowed,
                    f"action_observation is {sight} for action {action}: neither it nor from {game.num_actions} up",
                    where,
                )
                after = state.copy()
                game.entries.apply(after.memory, action)
                if _chance_fell(state, after):
                    continue  # it may fall otherwise after another action: a discarded card can be drawn again
                observation = observations.setdefault(sight, after.observation(seat))
                _must(
                    observation == after.observation(seat),
                    f"seat {seat} can tell actions apart that action_observation hides",
                    where,
                )


@_check("of an action a seat is told what it sees or hears, and no more")
def secrets_are_kept(game: Game, games: int, seed: int) -> None:
    """Where a seat's observations before and after are the same, so is the action observation: in this position, and in
    others that the seat cannot tell from it. Otherwise trees would split on what the seat cannot see. An action that is
    revealed later is told nothing of now; then the observation shows it. Only what a player says aloud (`announced`)
    may leave no trace in the observation."""
    if game.information.observe is None:
        return
    announced = game.information.announced or (lambda s, action: False)
    for where, state, _ in searched(game, min(games, _GAMES_ALIKE), seed):
        for seat in range(state.seats):
            if seat == state.player or state.is_terminal:
                continue
            told: dict[bytes, tuple[int, int]] = {}
            observation = state.observation(seat)
            for position in (state, *(observation.determinize(seed=number) for number in range(_ALIKE))):
                for action in position.legal_actions():
                    sight = int(game.entries.action_observation(position.memory, action, seat))
                    if announced(position.record, action):
                        _must(sight == action, f"action {action} is announced, and not told to seat {seat}", where)
                        continue
                    after = position.copy()
                    game.entries.apply(after.memory, action)
                    if _chance_fell(position, after):
                        continue  # then what is seen is chance's doing
                    first, other = told.setdefault(bytes(after.observation(seat)), (sight, action))
                    _must(
                        sight == first,
                        f"seat {seat} is told actions {other} and {action} apart, but its observations are the same",
                        where,
                    )


@_check("policies choose legal actions from what their seat sees")
def policies_choose_legal_actions(game: Game, games: int, seed: int) -> None:
    scratch, rng_state = np.zeros(game.max_legal, np.int64), rng.generator(seed)
    for where, state, legal in walks(game, min(games, 5), seed):
        for policy in () if state.is_terminal else game.search.policies:
            observation = state.observation(state.player)
            before = bytes(observation)
            action = game.entries.choose(policy)(observation.memory, scratch, rng_state)
            _must(action in legal, f"policy {policy} chooses {action}, legal are {legal}", where)
            _must(bytes(observation) == before, f"policy {policy} changes the view", where)


@_check("features show a seat no more than its observation does")
def features_are_the_seats_own(game: Game, games: int, seed: int) -> None:
    if game.learning.features is None:
        return
    truth, observation = (SparseFeatures.with_capacity(len(game.learning.feature_names)) for _ in range(2))
    for where, state, _ in walks(game, games, seed):
        for seat in range(state.seats):
            game.entries.features(state.memory, seat, truth)
            game.entries.features(state.observation(seat).memory, seat, observation)
            for sparse in (truth, observation):
                n = int(sparse.count[0])
                _must(
                    n <= len(game.learning.feature_names),
                    f"more features are told than the {len(game.learning.feature_names)}",
                    where,
                )
                places = sparse.index[:n]
                within = bool(((places >= 0) & (places < len(game.learning.feature_names))).all())
                _must(within, "a feature is told that has no name", where)
                _must(bool(np.isfinite(sparse.value[:n]).all()), "a feature is not a number", where)
            for i in np.flatnonzero(
                truth.dense(len(game.learning.feature_names)) != observation.dense(len(game.learning.feature_names))
            ):
                raise Failure(f"seat {seat} is told what it may not know: {game.learning.feature_names[i]} ({where})")


@_check("a simultaneous question can be asked again")
def rewinding_holds(game: Game, games: int, seed: int) -> None:
    if game.learning.rewind is None:
        return
    for where, state, legal in walks(game, min(games, 5), seed):
        if state.is_terminal:
            continue
        again, asked = state.copy(), state.player
        game.entries.rewind(again.memory)
        for _ in range(state.seats):
            if again.player == asked:
                break
            again.apply(again.legal_actions()[0])
        _must(again.player == asked, f"after rewinding seat {asked} is not asked again", where)
        _must(again.legal_actions() == legal, "after rewinding there are other legal actions", where)


@_check("actions and positions have words")
def everything_has_words(game: Game, games: int, seed: int) -> None:
    before: list[Observation] = []
    for where, state, legal in walks(game, min(games, _GAMES_IN_WORDS), seed):
        seen = [state.observation(seat) for seat in range(state.seats)]
        for text in (str(state), *map(str, seen)):
            _must(bool(text.strip()), "a position shows as nothing", where)
        for old, new in zip(before if not where.endswith("move 1") else [], seen, strict=False):
            _must(all(game.revealed(old, new)), "what is revealed has no words", where)
        before = seen
        words = [game.describe(state, action) for action in legal]
        _must(all(words), "an action has no words", where)
        _must(len(set(words)) == len(words), f"two legal actions have the same words: {words}", where)


@_check("compiled and uncompiled rules play the same games")
def uncompiled_plays_the_same(game: Game, games: int, seed: int) -> None:
    games = min(games, _UNCOMPILED_GAMES)
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "boardwright.conformance"]
    finished = subprocess.run(
        [*command, game.source or game.name, str(games), str(seed)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if finished.returncode != 0:
        raise Failure(f"uncompiled rules fail: {(finished.stderr.strip().splitlines() or ['no message'])[-1]}")
    compiled_digests, uncompiled_digests = digests(game, games, seed), finished.stdout.split()
    for number, (ours, theirs) in enumerate(zip(compiled_digests, uncompiled_digests, strict=True)):
        _must(
            ours == theirs,
            "compiled and uncompiled rules differ",
            f"game {number + 1} of the variants in order",
        )


def digests(game: Game, games: int, seed: int) -> list[str]:
    """One digest per random game, over every state, view, sample, score, list of legal actions and choice of a
    policy in it."""
    found = []
    scratch, sparse = np.zeros(game.max_legal, np.int64), SparseFeatures.with_capacity(len(game.learning.feature_names))
    for seats, options in variants(game):
        for number in range(games):
            sha = hashlib.sha256()
            for _, state, legal in walk(game, seats, options, rng.derive(seed, number)):
                sha.update(bytes(state))
                sha.update(repr((legal, state.scores, state.returns)).encode())
                for seat in range(state.seats):
                    observation = state.observation(seat)
                    sha.update(bytes(observation))
                    sha.update(bytes(observation.determinize(seed=seed)))
                    if game.learning.features is not None:
                        game.entries.features(observation.memory, seat, sparse)
                        sha.update(sparse.dense(len(game.learning.feature_names)).tobytes())
                for policy in () if state.is_terminal else game.search.policies:
                    observation, rng_state = state.observation(state.player), rng.generator(seed)
                    sha.update(str(game.entries.choose(policy)(observation.memory, scratch, rng_state)).encode())
            found.append(sha.hexdigest())
    return found


if __name__ == "__main__":
    print("\n".join(digests(load_game(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
