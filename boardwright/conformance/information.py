"""What seats may know: observations hide, determinizations fit, actions are disguised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.conformance.promises import Failure, check, must
from boardwright.conformance.rules import count
from boardwright.conformance.walking import walks
from boardwright.kernel import TERMINAL, Game, Observation, State, rng

_BRANCH_EVERY = 8
"""One position in so many is followed into a determinization."""
_ALIKE, _GAMES_ALIKE = 2, 2
"""Positions to compare with one, of those that a seat cannot tell from it; and games of each variant to do so in."""

_COUNT_EVERY, _REARRANGED = 16, 5
"""One position in so many is rearranged, so many times: what stays the same in all of them is no accident."""


def _name(player: int) -> str:
    """Who is to move, counted from 1 as everywhere where people read it."""
    return "nobody" if player == TERMINAL else f"seat {player + 1}"


def _difference(one: Observation, other: Observation) -> str:
    """Which fields of two observations differ."""
    first, second = (observation.memory.view(observation.game.state)[0] for observation in (one, other))
    names = [name for name in first.dtype.names if first[name].tobytes() != second[name].tobytes()]
    return f"{', '.join(f'`{name}`' for name in names)} {'differs' if len(names) == 1 else 'differ'}"


@check("whose turn it is is public, and who moves sees all its legal actions")
def turns_are_public(game: Game, games: int, seed: int) -> None:
    for where, state, legal in walks(game, games, seed):
        for seat in range(state.seats):
            observation = state.observation(seat)
            must(
                observation.player == state.player,
                f"seat {seat + 1} sees {_name(observation.player)} to move, not {_name(state.player)}",
                where,
            )
            if seat == state.player:
                must(
                    observation.legal_actions() == legal,
                    f"seat {seat + 1} sees other legal actions than there are",
                    where,
                )


@check("a determinization looks the same to its seat")
def determinizations_fit_their_observation(game: Game, games: int, seed: int) -> None:
    for where, state, _ in walks(game, games, seed):
        for seat in range(state.seats):
            observation = state.observation(seat)
            sample = observation.determinize(seed=seed)
            again = sample.observation(seat)
            must(
                again == observation,
                f"seat {seat + 1} can tell a determinization from the truth: {_difference(again, observation)}",
                where,
            )
            must(
                sample == observation.determinize(seed=seed),
                "determinizing twice with one seed gives two states",
                where,
            )
            if game.rules.piece_counts is not None:
                must(count(sample) == count(state), f"a determinization for seat {seat + 1} has other pieces", where)


@check("a determinization keeps the counts that no rearrangement of hidden things changes")
def determinizations_keep_counts(game: Game, games: int, seed: int) -> None:
    """If the other hand has three cards however they are exchanged, it has three in a determinization too."""
    scramble = game.information.scramble
    if scramble is None:
        return
    random = np.random.default_rng(seed)
    names = [name for name in game.state.names or () if name != "rng"]
    hidden = varied = False
    for number, (where, state, _) in enumerate(walks(game, min(games, _GAMES_ALIKE), seed)):
        if number % _COUNT_EVERY:
            continue
        for seat in range(state.seats):
            kept, moved = _counts(state), set()
            for _ in range(_REARRANGED):
                other = state.copy()
                scramble(other.record, seat, random)
                now = _counts(other)
                kept = {name: sums for name, sums in kept.items() if now[name] == sums}
                moved |= {name for name in kept if np.any(_field(other, name) != _field(state, name))}
            observation = state.observation(seat)
            one, two = observation.determinize(seed=seed + number), observation.determinize(seed=seed + number + 1)
            hidden = hidden or bool(moved)
            varied = varied or any(np.any(_field(one, name) != _field(two, name)) for name in names)
            found = _counts(one)
            wrong = next((name for name in kept if name in moved and found[name] != kept[name]), None)
            below = next((n for n in moved if _field(one, n).min() < 0 <= _field(state, n).min()), None)
            must(below is None, f"a determinization for seat {seat + 1} has fewer than no things in {below}", where)
            must(wrong is None, f"a determinization for seat {seat + 1} has another number of things in {wrong}", where)
    must(varied or not hidden, "determinizations with different seeds are all the same", f"{games} games")


def _counts(state: State) -> dict[str, list[int]]:
    """Of every array of the record, what its rows add up to."""
    return {
        name: _field(state, name).sum(axis=-1, dtype=np.int64).reshape(-1).tolist()
        for name in state.game.state.names or ()
        if name != "rng" and name not in state.game.sets
        if (kind := state.game.state[name]).base.names is None and kind.shape
        if kind.shape[-1] > max(state.game.seats)  # shorter ones have a number for each seat, which may be a name
    }


def _field(state: State, name: str) -> NDArray[Any]:
    return np.asarray(state.memory.view(state.game.state)[0][name])


@check("determinizations can be played to the end")
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
            must(sample.is_terminal, f"a game played on from a determinization for seat {seat + 1} does not end", where)


@check("an observation does not depend on what is hidden")
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
            shown, blanked = other.observation(seat), state.observation(seat)
            must(
                shown == blanked,
                f"seat {seat + 1}'s observation shows something hidden: {_difference(shown, blanked)}",
                where,
            )
            again = State(game, blanked.memory.copy()).observation(seat)
            must(again == blanked, f"looking twice shows seat {seat + 1} something else", where)
    must(varied, "scramble never changed anything", f"{games} games")


def _chance_fell(before: State, after: State) -> bool:
    fields: Mapping[str, Any] = before.game.state.fields or {}
    if before.game.chance != "play":
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
            yield f"{where}, {step} moves into a determinization for seat {seat + 1}", sample.copy(), legal
            sample.apply(legal[rng.draw(rng_state) % len(legal)])


@check("actions that a seat cannot tell apart leave it with the same observation")
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
                must(
                    allowed,
                    f"action_observation is {sight} for action {action}: neither it nor from {game.num_actions} up",
                    where,
                )
                after = state.copy()
                game.entries.apply(after.memory, action)
                if _chance_fell(state, after):
                    continue  # it may fall otherwise after another action: a discarded card can be drawn again
                observation = observations.setdefault(sight, after.observation(seat))
                must(
                    observation == after.observation(seat),
                    f"seat {seat + 1} can tell actions apart that action_observation hides",
                    where,
                )


@check("what a seat learns by an action shows in its observations")
def learning_is_seeing(game: Game, games: int, seed: int) -> None:
    """From its observations before and after, the same comes out as from the whole positions."""
    if game.information.learned is None:
        return
    learned, rng_state = game.entries.learned, rng.generator(seed)
    anything = False
    for where, state, legal in searched(game, games, seed):
        if not legal:
            continue
        after = state.copy()
        game.entries.apply(after.memory, legal[rng.draw(rng_state) % len(legal)])
        for seat in range(state.seats):
            known = learned(state.memory, after.memory, seat)
            anything = anything or known != 0
            seen = learned(state.observation(seat).memory, after.observation(seat).memory, seat)
            must(known == seen, f"seat {seat + 1} learns what its observations do not show", where)
    must(anything, "`learned` never tells anything", f"{games} games")


@check("of an action a seat is told what it sees or hears, and no more")
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
            known: dict[bytes, tuple[int, int]] = {}
            observation = state.observation(seat)
            for position in (state, *(observation.determinize(seed=number) for number in range(_ALIKE))):
                for action in position.legal_actions():
                    sight = int(game.entries.action_observation(position.memory, action, seat))
                    if announced(position.record, action):
                        must(sight == action, f"action {action} is announced, and not told to seat {seat + 1}", where)
                        continue
                    after = position.copy()
                    game.entries.apply(after.memory, action)
                    if _chance_fell(position, after):
                        continue  # then what is seen is chance's doing
                    first, other = known.setdefault(bytes(after.observation(seat)), (sight, action))
                    must(
                        sight == first,
                        f"seat {seat + 1} is told actions {other} and {action} apart,"
                        " but its observations are the same",
                        where,
                    )
