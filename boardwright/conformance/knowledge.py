"""What search, learners and people get from a game: policies, features, questions put again, text."""

from __future__ import annotations

import numpy as np

from boardwright.conformance.promises import Failure, check, must
from boardwright.conformance.walking import walks
from boardwright.kernel import MAX_SEATS, Game, Observation, SparseFeatures, rng

_ROUNDING = 1e-9
"""What sums of returns may be off by."""
_GAMES_AS_TEXT = 2
"""Of each variant: text takes a hundred times as long as compiled rules."""


@check("policies choose legal actions from what their seat sees")
def policies_choose_legal_actions(game: Game, games: int, seed: int) -> None:
    scratch, rng_state = np.zeros(game.max_legal, np.int64), rng.generator(seed)
    for where, state, legal in walks(game, min(games, 5), seed):
        for policy in () if state.is_terminal else game.search.policies:
            observation = state.observation(state.player)
            before = bytes(observation)
            action = game.entries.choose(policy)(observation.memory, scratch, rng_state)
            must(action in legal, f"policy {policy} chooses {action}, legal are {legal}", where)
            must(bytes(observation) == before, f"policy {policy} changes the observation", where)


@check("random_action finds what a drawn place of the legal actions has")
def random_action_is_one_of_the_list(game: Game, games: int, seed: int) -> None:
    """So that who makes no list plays the same games as who does."""
    scratch, choose = np.zeros(game.max_legal, np.int64), game.entries.choose("random")
    for number, (where, state, legal) in enumerate(walks(game, min(games, 5), seed)):
        if game.search.random_action is None or state.is_terminal:
            continue
        before, drawn, listed = bytes(state), rng.generator(seed + number), rng.generator(seed + number)
        action = choose(state.memory, scratch, drawn)
        expected = legal[rng.below(listed, len(legal))]
        must(action == expected, f"random_action gives {action}, the list at the place drawn {expected}", where)
        must(bool(np.all(drawn == listed)), "random_action draws more or fewer random numbers than the list", where)
        must(bytes(state) == before, "random_action changes the state", where)


@check("evaluations that are no rankings estimate the returns")
def estimates_lie_within_bounds(game: Game, games: int, seed: int) -> None:
    estimates = [name for name in game.search.evaluations if name not in game.search.rankings]
    out = np.zeros(MAX_SEATS)
    for where, state, _ in walks(game, min(games, 5), seed):
        for name in estimates:
            game.entries.evaluation(name)(state.memory, out)
            values = out[: state.seats]
            must(
                bool(np.all((game.min_utility <= values) & (values <= game.max_utility))),
                f"evaluation {name} gives {values.tolist()}, and returns lie between {game.min_utility} and"
                f" {game.max_utility}; if it is in units of its own, name it in `search.rankings`",
                where,
            )
            if game.max_utility_sum is not None:
                must(
                    float(values.sum()) <= game.max_utility_sum + _ROUNDING,
                    f"evaluation {name} gives {values.tolist()}, which is more than max_utility_sum",
                    where,
                )


@check("features show a seat no more than its observation does")
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
                must(
                    n <= len(game.learning.feature_names),
                    f"more features are added than the {len(game.learning.feature_names)} that have names",
                    where,
                )
                places = sparse.index[:n]
                within = bool(((places >= 0) & (places < len(game.learning.feature_names))).all())
                must(within, "a feature is added that has no name", where)
                must(bool(np.isfinite(sparse.value[:n]).all()), "a feature is not a number", where)
            for i in np.flatnonzero(
                truth.dense(len(game.learning.feature_names)) != observation.dense(len(game.learning.feature_names))
            ):
                raise Failure(
                    f"features show seat {seat + 1} what it may not know: {game.learning.feature_names[i]} ({where})"
                )


@check("a simultaneous question can be asked again")
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
        must(again.player == asked, f"after rewinding seat {asked + 1} is not asked again", where)
        must(again.legal_actions() == legal, "after rewinding there are other legal actions", where)


@check("actions and positions have text")
def everything_has_text(game: Game, games: int, seed: int) -> None:
    before: list[Observation] = []
    for where, state, legal in walks(game, min(games, _GAMES_AS_TEXT), seed):
        seen = [state.observation(seat) for seat in range(state.seats)]
        for text in (str(state), *map(str, seen)):
            must(bool(text.strip()), "a position shows as nothing", where)
        for old, new in zip(before if not where.endswith("move 1") else [], seen, strict=False):
            must(all(game.revealed(old, new)), "what is revealed has no text", where)
        before = seen
        texts = [game.describe(state, action) for action in legal]
        must(all(texts), "an action has no text", where)
        must(len(set(texts)) == len(texts), f"two legal actions have the same text: {texts}", where)
