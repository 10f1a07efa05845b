"""Does a game keep the contract? Every registered game is asked on every test run; `boardwright check` asks any.

promises.py    the promises of the contract, by name, and Failure
walking.py     random games of every variant, position by position
rules.py, information.py, knowledge.py, uncompiled.py
               the checks: each plays random games and raises Failure with the seed and the move at which a promise
               was broken
source.py      before anything runs: arguments of the functions, and what compiled rules cannot contain
first_games.py the first games, as plain Python: mistakes are found at the author's line
bounds.py      the next ones, compiled with bounds checks
process.py     all of it in processes of their own, which a wrong rule may crash or hang
"""

from boardwright.conformance.promises import CHECKS, Failure, check
from boardwright.conformance.rules import (  # the order of these imports is the order of the checks
    chance_is_declared,
    copies_are_independent,
    count,
    games_repeat,
    legal_actions_hold,
    pieces_are_conserved,
    returns_lie_within_bounds,
    states_survive_saving,
)

from boardwright.conformance.information import (  # isort: skip
    determinizations_can_be_played,
    determinizations_fit_their_observation,
    determinizations_keep_counts,
    disguises_hold,
    learning_is_seeing,
    observations_hide_what_is_hidden,
    secrets_are_kept,
    turns_are_public,
)
from boardwright.conformance.knowledge import (  # isort: skip
    estimates_lie_within_bounds,
    everything_has_text,
    features_are_the_seats_own,
    policies_choose_legal_actions,
    random_action_is_one_of_the_list,
    rewinding_holds,
)
from boardwright.conformance.uncompiled import uncompiled_plays_the_same  # isort: skip
from boardwright.conformance.walking import variants, walk, walks

__all__ = [
    "CHECKS",
    "Failure",
    "chance_is_declared",
    "check",
    "copies_are_independent",
    "count",
    "determinizations_can_be_played",
    "determinizations_fit_their_observation",
    "determinizations_keep_counts",
    "disguises_hold",
    "estimates_lie_within_bounds",
    "everything_has_text",
    "features_are_the_seats_own",
    "games_repeat",
    "learning_is_seeing",
    "legal_actions_hold",
    "observations_hide_what_is_hidden",
    "pieces_are_conserved",
    "policies_choose_legal_actions",
    "random_action_is_one_of_the_list",
    "returns_lie_within_bounds",
    "rewinding_holds",
    "secrets_are_kept",
    "states_survive_saving",
    "turns_are_public",
    "uncompiled_plays_the_same",
    "variants",
    "walk",
    "walks",
]
