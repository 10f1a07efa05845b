"""The examples of scripts: the same small bot in four languages, and a search bot that thinks through the host."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright.arena.match import Match
from boardwright.arena.runner import run_match
from boardwright.scripts import messages, rules
from boardwright.scripts.process import end_idle
from boardwright.scripts.rules import RulesService
from tests.script_games import EXAMPLES, Left
from tests.script_games import left as left  # a fixture

FILE = Path("games.jsonl")
LONGEST = 60
"""Lines that an example may have: a page."""


def example(language: str) -> str:
    """The spec of the bot in that language. What is missing is said loudly."""
    if language == "C":
        if (compiler := shutil.which("cc") or shutil.which("gcc")) is None:
            pytest.fail("NO C COMPILER: the example in C was not tested; install gcc")
        subprocess.run([compiler, "-O2", "-Wall", "-Werror", "-o", "first", EXAMPLES / "first.c"], check=True)
        return "script:./first"
    if language == "JavaScript":
        if shutil.which("node") is None:
            pytest.skip("NO NODE: the example in JavaScript was not tested; install Node.js to test it")
        return f"script:node {EXAMPLES / 'first.js'}"
    return f"script:{EXAMPLES / {'Python': 'first.py', 'shell': 'first.sh'}[language]}"


@pytest.mark.parametrize("language", ["Python", "JavaScript", "C", "shell"])
def test_the_same_small_bot_in_every_language(language: str, left: Left) -> None:
    spec = example(language)
    for name, games in (("connect_four", 4), ("kuhn_poker", 4), ("race", 1)):
        outcome = run_match(Match(name, (spec, "random"), seed=2), games, file=Path(f"{name}.jsonl"))
        assert outcome.standings.games == games
        assert outcome.standings.entrants[0].forfeits == 0
    left.nothing()


def test_examples_are_at_most_a_page() -> None:
    for file in EXAMPLES.iterdir():
        assert len(file.read_text().splitlines()) <= LONGEST, file.name


def test_examples_import_nothing_of_ours() -> None:
    for file in EXAMPLES.glob("*.py"):
        assert "import boardwright" not in file.read_text()
        assert "from boardwright" not in file.read_text()


def test_a_search_bot_thinks_through_the_host(left: Left) -> None:
    """30 games against random: one that plays at random as well would win 25 of them once in 4,000 runs."""
    spec = f"script:{EXAMPLES / 'search.py'}"
    outcome = run_match(Match("connect_four", (spec, "random"), seed=5), 30, file=FILE)
    assert outcome.standings.entrants[0].forfeits == 0
    assert outcome.standings.entrants[0].wins >= 25
    outcome = run_match(Match("kuhn_poker", (spec, "random"), seed=5), 4, file=Path("poker.jsonl"))
    assert outcome.standings.entrants[0].forfeits == 0
    left.nothing()


class Host:
    """A script's view of the host: requests in, answers out."""

    def __init__(self, game: bw.Game, seed: int = 1, seats: int | None = None) -> None:
        self.state = game.new(seed=seed, seats=seats)
        self.service = RulesService(game, self.state.seats, seed=7)
        self.service.begin(self.state.observation(self.state.player))

    def ask(self, op: str, **request: Any) -> dict[str, Any]:
        ask = messages.Ask.model_validate({"type": "ask", "requests": [{"op": op, **request}]})
        answer = self.service.answer(ask)
        messages.from_host.validate_python(answer)
        return answer["answers"][0]


@pytest.mark.parametrize("name", ["connect_four", "kuhn_poker", "race", "colonizers"])
def test_positions_by_handle_play_as_states_do(name: str) -> None:
    """Whole games, many at once, side by side with states of our own."""
    game = bw.game(name)
    host = Host(game)
    handles = host.ask("sample", count=6)["handles"]
    states = [game.load(host.service._states[handle].tobytes()) for handle in handles]
    for step in range(2000):
        told = host.ask("legal", handles=handles)
        assert told["players"] == [state.player for state in states]
        assert told["legal"] == [state.legal_actions() for state in states]
        under_way = [i for i, state in enumerate(states) if not state.is_terminal]
        if not under_way:
            break
        actions = [told["legal"][i][step % len(told["legal"][i])] for i in under_way]
        played = host.ask("apply", handles=[handles[i] for i in under_way], actions=actions)
        for i, action in zip(under_way, actions, strict=True):
            states[i].apply(action)
        assert played["players"] == [states[i].player for i in under_way]
    assert host.ask("returns", handles=handles)["returns"] == [list(state.returns) for state in states]


def test_a_handle_can_be_named_several_times(connect_four: bw.Game) -> None:
    host = Host(connect_four)
    (one,) = host.ask("sample")["handles"]
    played = host.ask("apply", handles=[one] * 7, actions=[0, 1, 0, 1, 0, 1, 0])
    assert played["players"] == [1, 0, 1, 0, 1, 0, -1]
    assert host.ask("returns", handles=[one])["returns"] == [[1, -1]]


def test_copies_are_their_own_and_handles_end_with_the_decision(connect_four: bw.Game) -> None:
    host = Host(connect_four)
    (one,) = host.ask("sample")["handles"]
    (copy,) = host.ask("copy", handles=[one])["handles"]
    host.ask("apply", handles=[one], actions=[3])
    assert host.ask("legal", handles=[one, copy])["players"] == [1, 0]
    assert host.ask("returns", handles=[one])["returns"] == [None]  # not over
    host.ask("free", handles=[one])
    assert "there is no handle" in host.ask("legal", handles=[one])["error"]
    assert host.ask("sample")["handles"] == [one]  # its place is used again
    host.service.begin(host.state.observation(0))
    assert "handles end with the decision" in host.ask("legal", handles=[copy])["error"]


@pytest.mark.parametrize(
    ("op", "request_", "complaint"),
    [
        ("legal", {"handles": [99]}, "there is no handle 99"),
        ("apply", {"handles": [0, 0], "actions": [1]}, "2 handles, but 1 actions"),
        ("apply", {"handles": [0, 0], "actions": [1, 77]}, r"action 77 is not legal in handle 0 \(number 1 of"),
        ("apply", {"handles": [0], "actions": [-1]}, "action -1 is not legal"),
    ],
)
def test_wrong_requests_are_answered_with_what_is_wrong(
    connect_four: bw.Game, op: str, request_: dict[str, Any], complaint: str
) -> None:
    host = Host(connect_four)
    host.ask("sample", count=2)
    with pytest.raises(AssertionError, match=complaint):
        raise AssertionError(host.ask(op, **request_)["error"])


def test_there_is_a_most_of_positions(connect_four: bw.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MOST_BYTES", 100 * connect_four.state.itemsize)
    host = Host(connect_four)
    held = host.ask("sample", count=90)["handles"]
    assert host.ask("sample", count=11)["error"] == "at most 100 positions can be held at once; free some"
    host.ask("free", handles=held[:1])
    assert len(host.ask("sample", count=11)["handles"]) == 11


def test_samples_and_playouts_follow_their_seeds(kuhn: bw.Game) -> None:
    host = Host(kuhn)
    first, again, other = (host.ask("sample", count=8, seed=seed)["handles"] for seed in (3, 3, 4))
    positions = [host.ask("positions", handles=handles)["positions"] for handles in (first, again, other)]
    assert positions[0] == positions[1] != positions[2]
    returns = [host.ask("playout", handles=handles, seed=5)["returns"] for handles in (first, again)]
    assert returns[0] == returns[1]
    end_idle()
