"""Mistakes that authors of games make: each gets one message that names the cause, and the line where there is one.

Every variant is the same small dice game with one thing wrong.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwright.cli import main

GOOD = """\
from boardwright.kernel import RNG, TERMINAL, Game, Rules, SearchKnowledge, Text, record, rng, rule

STATE = record(turn="i2", points=("i2", 2), rng=RNG)
SEEN = [0, 0]
PRICES = {1: 2}


class Pair:
    pass


@rule
def setup(s, seed, seats, options):
    rng.seed(s.rng, seed)


@rule
def player(s):
    return TERMINAL if s.turn == 8 else s.turn % 2


@rule
def legal(s, out):
    out[0], out[1] = 0, 1
    return 2


@rule
def apply(s, action):
    seat = s.turn % 2
    s.turn += 1
    if action == 1:
        s.points[seat] += 1 + rng.below(s.rng, 6)


@rule
def returns(s, out):
    out[0] = 1.0 if s.points[0] > s.points[1] else 0.0
    out[1] = 1.0 - out[0]


def describe_action(s, action):
    return ("stay", "roll")[action]


def show_state(s, seat):
    return f"{s.points[0]} to {s.points[1]}"


game = Game(
    name="dice",
    title="Dice",
    state=STATE,
    seats=(2,),
    num_actions=2,
    chance="play",
    min_utility=0.0,
    rules=Rules(setup=setup, player=player, legal=legal, apply=apply, returns=returns),
    text=Text(describe_action=describe_action, show_state=show_state),
)
"""

ADD = "s.points[seat] += 1 + rng.below(s.rng, 6)"
STAND = "def apply(s, action):\n    seat = s.turn % 2\n    s.turn += 1\n"

MISTAKES: dict[str, tuple[str, str, str]] = {
    "an index out of range": (
        ADD,
        "s.points[seat + 1] += 1",
        "line 33, in apply: IndexError: index 2 is out of bounds",
    ),
    "an index out of range, late in the game": (
        "s.points[seat] += 1",
        "s.points[seat + s.turn // 8] += 1",
        "line 33, in apply: IndexError",
    ),
    "an f-string in a rule": (
        ADD,
        's.points[seat] = len(f"{action}")',
        "line 33, in apply: a rule cannot use an f-string",
    ),
    "a class in a rule": (ADD, "Pair()", "line 33, in apply: a rule cannot use Pair, a class"),
    "a dict in a rule": (ADD, "prices = {1: 2}", "line 33, in apply: a rule cannot use a dict"),
    "a global dict in a rule": (
        ADD,
        "s.points[seat] = PRICES[1]",
        "line 33, in apply: a rule cannot use PRICES, a dict",
    ),
    "a list in a rule": (ADD, "faces = [1, 2]", "line 33, in apply: a rule cannot use a list"),
    "a global list in a rule": (ADD, "SEEN[seat] = 1", "line 33, in apply: a rule cannot use SEEN, a list"),
    "a global that a rule changes": (
        "def apply(s, action):",
        "def apply(s, action):\n    global TURNS\n    TURNS = 1",
        "line 30, in apply: a rule cannot use a global that changes",
    ),
    "a string in a state": (ADD, 's.points[seat] = "six"', "line 33, in apply: ValueError: "),
    "player without a return": (
        "return TERMINAL if s.turn == 8 else s.turn % 2",
        "s.turn % 2",
        "line 17: rules.player returns nothing; it must return the seat that must choose, or TERMINAL",
    ),
    "player that returns nothing in the end": (
        "return TERMINAL if s.turn == 8 else s.turn % 2",
        "if s.turn < 8:\n        return s.turn % 2",
        "player() returns None, not a seat or TERMINAL",
    ),
    "player that names a seat that is not there": (
        "else s.turn % 2",
        "else s.turn % 3",
        "player() returns 2; seats are 0 to 1",
    ),
    "legal without a return": (
        "    return 2\n",
        "",
        "line 22: rules.legal returns nothing; it must return how many actions",
    ),
    "apply that takes no action": (
        "def apply(s, action):",
        "def apply(s):\n    action = 1",
        "apply(s) should take (s, action)",
    ),
    "show_state that takes no seat": (
        "def show_state(s, seat):",
        "def show_state(s):",
        "show_state(s) should take (s, seat)",
    ),
    "an endless game": ("TERMINAL if s.turn == 8 else s.turn % 2", "s.turn % 2", "not over after 100,000 moves"),
    "an endless loop": (
        "        " + ADD,
        "        while seat >= 0:\n            s.points[0] = 0",
        "in apply: apply() does not come back within 5 s",
    ),
    "no legal actions": (
        "    return 2\n",
        "    return 0\n",
        "legal() finds no legal action although the game is not over",
    ),
    "a legal action twice": ("out[0], out[1] = 0, 1", "out[0], out[1] = 1, 1", "legal() gives an action twice: [1, 1]"),
    "a legal action that is none": (
        "out[0], out[1] = 0, 1",
        "out[0], out[1] = 0, 2",
        "legal() gives action 2; actions are 0 to 1",
    ),
    "more legal actions than there is room for": (
        "    return 2\n",
        "    out[2] = 0\n    return 3\n",
        "line 25, in legal: IndexError",
    ),
    "an action that changes nothing": (
        "    s.turn += 1\n",
        "    s.turn += action\n",
        "apply() changes nothing for action 0",
    ),
    "a field that is misspelt": (
        ADD,
        "s.pionts[seat] += 1",
        "line 33, in apply: AttributeError: the state has no field 'pionts'",
    ),
    "a name that is not defined": (
        ADD,
        "s.points[seat] += face",
        "line 33, in apply: NameError: name 'face' is not defined",
    ),
    "a number too large for its field": (
        ADD,
        "s.points[seat] += 40_000",
        "OverflowError: Python integer 40000 out of bounds for int16; the field is too small",
    ),
    "a division by zero": (ADD, "s.points[seat] = 6 // s.points[seat]", "line 33, in apply: ZeroDivisionError"),
    "a helper without @rule": (
        "@rule\ndef apply",
        "def face(s):\n    return 1 + rng.below(s.rng, 6)\n\n\n@rule\ndef apply",
        "face lacks @rule",
    ),
    "a rule without @rule": ("@rule\ndef apply", "def apply", "`rules.apply` lacks @rule"),
    "a generator without a seed": (
        "rng.seed(s.rng, seed)",
        "pass",
        "setup does not seed the generator; call rng.seed(s.rng, seed)",
    ),
    "chance that does not come from the state": (
        ADD,
        "s.points[seat] = np.random.randint(100)",
        "apply() does something else each time for action 1: chance must come from the state",
    ),
    "returns out of bounds": ("out[0] = 1.0 if", "out[0] = 7.0 if", "returns() gives [7.0, -6.0], not from 0.0 to 1.0"),
    "an error in describe_action": (
        '("stay", "roll")[action]',
        '("stay",)[action]',
        "line 43, in describe_action: IndexError: tuple index out of range",
    ),
    "describe_action without a return": (
        'return ("stay", "roll")[action]',
        "str(action)",
        "describe_action() returns None for action 0",
    ),
    "two actions with the same text": (
        '("stay", "roll")[action]',
        '"roll"',
        "describe_action() has one text for several actions: ['roll', 'roll']",
    ),
    "an error in show_state": ("{s.points[0]}", "{s.dice[0]}", "line 47, in show_state: AttributeError"),
    "a file that is not Python": ("def player(s):", "def player(s)", "line 18: expected ':'"),
    "a rule that is not declared": (", returns=returns)", ")", "in <module>: TypeError: Rules(…) needs `returns`"),
    "an argument that there is none of": (
        "num_actions=2",
        "num_action=2",
        "TypeError: Game(…) has no `num_action`; did you mean 'num_actions'?",
    ),
    "an argument of another group": (
        "Text(",
        "Text(rule='', ",
        "TypeError: Text(…) has no `rule`; did you mean 'rules'?",
    ),
}


def with_mistake(mistake: str) -> str:
    old, new, _ = MISTAKES[mistake]
    assert GOOD.count(old) == 1, mistake
    source = GOOD.replace(old, new)
    if mistake == "a helper without @rule":
        source = source.replace(ADD, "s.points[seat] += face(s)")
    return source.replace("from boardwright", "import numpy as np\nfrom boardwright", 1) if "np." in new else source


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gets_one_clear_message(mistake: str, capfd: pytest.CaptureFixture[str]) -> None:
    Path("dice.py").write_text(with_mistake(mistake))
    with pytest.raises(SystemExit) as leaving:
        main(["check", "dice.py", "--games", "5"])
    captured = capfd.readouterr()
    said = [line for line in captured.err.splitlines() if "compiling" not in line]
    assert leaving.value.code == 1, captured.out
    assert len(said) == 1, captured.err
    assert said[0].startswith("boardwright: ")
    assert MISTAKES[mistake][2] in said[0]
    assert captured.out.count("FAILED") <= 1


@pytest.mark.slow
def test_the_game_without_a_mistake_passes(capfd: pytest.CaptureFixture[str]) -> None:
    Path("dice.py").write_text(GOOD)
    with pytest.raises(SystemExit) as leaving:
        main(["check", "dice.py", "--games", "5"])
    assert not leaving.value.code, capfd.readouterr().err
