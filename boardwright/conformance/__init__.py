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

from boardwright.conformance import rules, information, knowledge, uncompiled  # isort: skip  # the order of the checks
from boardwright.conformance.promises import CHECKS, Failure, check
from boardwright.conformance.walking import variants, walk, walks

__all__ = [
    "CHECKS",
    "Failure",
    "check",
    "information",
    "knowledge",
    "rules",
    "uncompiled",
    "variants",
    "walk",
    "walks",
]
