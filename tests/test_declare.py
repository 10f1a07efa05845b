"""Declaring a game needs no compiler, and the compiler's two ways give the same games."""

from __future__ import annotations

import os
import subprocess
import sys
from types import ModuleType

import pytest

import boardwright as bw
from boardwright.errors import BadGame
from boardwright.kernel import Text
from boardwright.kernel.declare import types

DECLARED = """
import sys
import boardwright as bw
for name in bw.games():
    bw.game(name)
assert "numba" not in sys.modules, "a game was declared"
"""

PLAYED = """
import sys
import boardwright as bw
for name in bw.games():
    game = bw.game(name)
    state = game.new(seed=3)
    agents = [bw.agent("random", game, seat, seed=1) for seat in range(state.seats)]
    for _ in range(12):
        if state.is_terminal:
            break
        observation = state.observation(state.player)
        assert str(observation)
        assert observation.to_svg()
        decision = agents[state.player].decide(observation)
        game.describe(observation, decision.action)
        state.apply(decision.action)
assert "numba" not in sys.modules, "a game was played uncompiled"
"""

MATCH = """
import boardwright as bw
from boardwright.kernel import machine_code
result = bw.match("kuhn_poker", "ismcts:iterations=30", "uct:iterations=20", games=6, seed=5)
print([(record.actions, record.returns) for record in result.records], machine_code.is_plain())
"""


def run(code: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_games_are_declared_without_a_compiler() -> None:
    run(DECLARED)


def test_games_are_described_drawn_and_played_uncompiled_without_a_compiler() -> None:
    run(PLAYED, NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
def test_plain_njit_and_linked_code_play_the_same_games() -> None:
    """Plain `njit` is the fallback where Numba differs inside, and the oracle for what is linked here."""
    plain, linked = run(MATCH, BOARDWRIGHT_COMPILE="plain"), run(MATCH)
    assert plain.endswith(" True\n")
    assert linked.endswith(" False\n")
    assert plain.removesuffix(" True\n") == linked.removesuffix(" False\n")


def test_where_numba_differs_inside_functions_are_compiled_plainly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if bw.kernel.UNCOMPILED:
        pytest.skip("about compiled code")
    from boardwright.kernel import Unit, machine_code
    from boardwright.kernel.declare import types

    def broken(*_: object, **__: object) -> None:
        raise machine_code.PrivatePartsDiffer("the test says so")

    monkeypatch.setattr(machine_code, "link", broken)
    monkeypatch.setattr(machine_code, "_differences", [])
    monkeypatch.setenv("BOARDWRIGHT_COMPILE", "")
    unit = Unit("tests", {"triple": (lambda x: 3 * x, types.int64(types.int64))})
    assert unit.entry_points["triple"](14) == 42
    assert "the test says so" in capsys.readouterr().err
    assert machine_code.is_plain()


def test_the_arguments_of_a_signature_can_be_listed() -> None:
    signature = types.void(types.int64, types.float64)
    assert [str(argument) for argument in signature.args] == ["int64", "float64"]


def test_a_group_takes_the_functions_of_modules_by_their_names() -> None:
    one, other = ModuleType("one"), ModuleType("other")
    vars(one).update(
        describe_action=lambda action: f"action {action}", GUIDE="how it is played", cards=ModuleType("cards")
    )
    vars(other).update(show_state=str, unrelated=1)
    text = Text.of(one, other, seat_names=("white", "black"))
    assert (text.describe_action(3), text.guide, text.show_state) == ("action 3", "how it is played", str)
    assert (text.seat_names, text.cards) == (("white", "black"), None), "a module of that name is not meant"
    vars(other)["describe_action"] = str
    with pytest.raises(BadGame, match="describe_action is defined by several of one, other"):
        Text.of(one, other)
