"""What seats may know: observations hide, determinizations fit, actions are disguised."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.conformance.promises import Failure, check, must
from boardwright.conformance.rules import count
from boardwright.conformance.walking import walks
from boardwright.kernel import Game, State, rng


@check("whose turn it is is public, and who moves sees all its legal actions")
def turns_are_public(game: Game, games: int, seed: int) -> None:
    for where, state, legal in walks(game, games, seed):
        for seat in range(state.seats):
            observation = state.observation(seat)
            must(
                observation.player == state.player,
                f"seat {seat} sees {observation.player} to move, not {state.player}",
                where,
            )
            if seat == state.player:
                must(
                    observation.legal_actions() == legal,
                    f"seat {seat} sees other legal actions than there are",
                    where,
                )


@check("a determinization looks the same to its seat")
def determinizations_fit_their_observation(game: Game, games: int, seed: int) -> None:
    for where, state, _ in walks(game, games, seed):
        for seat in range(state.seats):
            observation = state.observation(seat)
            sample = observation.determinize(seed=seed)
            must(
                sample.observation(seat) == observation, f"seat {seat} can tell a determinization from the truth", where
            )
            must(
                sample == observation.determinize(seed=seed),
                "determinizing twice with one seed gives two states",
                where,
            )
            if game.rules.piece_counts is not None:
                must(count(sample) == count(state), f"a determinization for seat {seat} has other pieces", where)


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
            must(sample.is_terminal, f"a game played on from a determinization for seat {seat} does not end", where)


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
            must(
                other.observation(seat) == state.observation(seat),
                f"seat {seat}'s observation shows something hidden",
                where,
            )
            blanked = state.observation(seat)
            again = State(game, blanked.memory.copy()).observation(seat)
            must(again == blanked, f"looking twice shows seat {seat} something else", where)
    must(varied, "scramble never changed anything", f"{games} games")


def _chance_fell(before: State, after: State) -> bool:
    return "rng" in (before.game.state.names or ()) and list(before.record.rng) != list(after.record.rng)


@check("actions that a seat cannot tell apart leave it with the same observation")
def disguises_hold(game: Game, games: int, seed: int) -> None:
    if game.information.action_observation is None:
        return
    for where, state, legal in walks(game, games, seed):
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
                after.apply(action)
                if _chance_fell(state, after):
                    continue  # it may fall otherwise after another action: a discarded card can be drawn again
                observation = observations.setdefault(sight, after.observation(seat))
                must(
                    observation == after.observation(seat),
                    f"seat {seat} can tell actions apart that action_observation hides",
                    where,
                )
