"""Specs, parameters, and the person at the terminal."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import boardwright as bw
from boardwright import registry
from boardwright.agents import Spec
from boardwright.agents.base import is_advanced
from boardwright.agents.levels import LEVELS, WITH_TURNS, adviser, hides, in_full, levels
from boardwright.arena.loop import LeaveGame, TakeBack
from boardwright.errors import BadSpec, UnknownName
from boardwright.registry import agent_class, agents
from boardwright.terminal.agent_list import show_agent
from boardwright.terminal.answers import pick
from boardwright.terminal.human import Human


@pytest.mark.parametrize(
    ("text", "name", "params"),
    [
        ("random", "random", {}),
        ("uct:iterations=5", "uct", {"iterations": "5"}),
        (" uct : iterations = 5 , threads=2", "uct", {"iterations": "5", "threads": "2"}),
        ("a:partner=(uct:iterations=5,threads=2),x=1", "a", {"partner": "uct:iterations=5,threads=2", "x": "1"}),
        ("./mine.py:depth=3", "./mine.py", {"depth": "3"}),
    ],
)
def test_specs_are_read(text: str, name: str, params: dict[str, str]) -> None:
    spec = Spec.parse(text)
    assert (spec.name, spec.params) == (name, params)
    assert Spec.parse(str(spec)) == spec


def test_no_agent_shows_more_than_twenty_parameters() -> None:
    """Advanced ones are shown by `boardwright agents NAME --all`."""
    for game in map(bw.game, bw.games()):
        for name in agents(game):
            shown = [one for one, field in agent_class(name, game).parameters().items() if not is_advanced(field)]
            assert len(shown) <= 20, f"{name}: {shown}"


def test_advanced_parameters_are_listed_on_demand() -> None:
    pages = []
    for everything in (False, True):
        console = Console(width=100, record=True, quiet=False, file=io.StringIO())
        show_agent("uct", [bw.game("connect_four")], console, everything)
        pages.append(console.export_text())
    assert "shown by --all: stream" in pages[0]
    assert "transpositions = False" not in pages[0]
    assert "transpositions = False" in pages[1]


@pytest.mark.parametrize(
    "text", ["", ":", "uct:", "uct:iterations", "uct:=5", "uct:a=1,a=2", "uct:a=(1", "uct:a=1),b=2"]
)
def test_malformed_specs_are_named(text: str) -> None:
    with pytest.raises(BadSpec, match="agent spec"):
        Spec.parse(text)


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("utc", "did you mean 'uct'"),
        ("UCT", "did you mean 'uct'"),
        ("uct:iteration=5", "did you mean 'iterations'"),
        ("uct:iterations=0", "iterations='0': should be greater than or equal to 1"),
        ("uct:iterations=many", "iterations='many': should be a valid integer"),
        ("uct:iterations=99999999999999999999", "should be less than or equal to 1000000000"),
        ("uct:determinizations=10001", "should be less than or equal to 10000"),
        ("uct:seconds=inf", "should be less than or equal to 1000000"),
        ("uct:seconds=-1", "seconds='-1': should be greater than 0"),
        ("uct:playout=clever", "unknown playout policy 'clever'"),
        ("random:luck=7", "unknown parameter 'luck' of agent 'random'; known: none"),
    ],
)
def test_bad_specs_say_what_is_wrong(connect_four: bw.Game, spec: str, complaint: str) -> None:
    with pytest.raises((BadSpec, UnknownName), match=complaint):
        bw.agent(spec, connect_four, 0)


def test_agent_is_one_small_class_in_a_file(tmp_path: Path, connect_four: bw.Game) -> None:
    file = tmp_path / "centre.py"
    file.write_text(
        "from boardwright import Agent, Decision, param\n\n\n"
        "class Centre(Agent):\n"
        "    offset: int = param(0, 'columns to the right of the middle', ge=-3, le=3)\n\n"
        "    def decide(self, observation):\n"
        "        return Decision(min(observation.legal_actions(), key=lambda c: abs(c - 3 - self.offset)))\n"
    )
    observation = connect_four.new(seed=1).observation(0)
    assert bw.agent(str(file), connect_four, 0).decide(observation).action == 3
    assert bw.agent(f"{file}:offset=2", connect_four, 0).decide(observation).action == 5
    with pytest.raises(BadSpec, match="less than or equal to 3"):
        bw.agent(f"{file}:offset=4", connect_four, 0)


def test_agent_of_one_game_refuses_another(connect_four: bw.Game) -> None:
    class Gambler(bw.Agent):
        games = ("kuhn_poker",)

    with pytest.raises(BadSpec, match="plays kuhn_poker, not connect_four"):
        Gambler(connect_four, 0)


@pytest.mark.parametrize(
    ("answer", "choice"), [("2", 1), ("bet", 0), ("P", 1), ("pass", 1), ("9", None), ("x", None), ("be", 0)]
)
def test_answers_are_understood(answer: str, choice: int | None) -> None:
    assert pick(answer, ["bet", "pass"]) == choice


def answering(monkeypatch: pytest.MonkeyPatch, human: Human, *answers: str) -> None:
    waiting = iter(answers)

    def answer(*_: Any, **__: Any) -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(human.console, "input", answer)


def test_person_is_asked_again_until_the_answer_fits(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], connect_four: bw.Game
) -> None:
    human = Human(connect_four, 0, hints="random")
    answering(monkeypatch, human, "column 99", "h", "?", "column 4")
    assert human.decide(connect_four.new(seed=1).observation(0)).action == 3
    shown = capsys.readouterr().out
    assert "is not one of the choices" in shown
    assert "take back" in shown
    assert "random would choose" in shown


@pytest.mark.parametrize(("answer", "leaves"), [("q", LeaveGame), ("u", TakeBack)])
def test_person_can_leave_and_take_back(
    monkeypatch: pytest.MonkeyPatch, connect_four: bw.Game, answer: str, leaves: type[Exception]
) -> None:
    human = Human(connect_four, 0)
    answering(monkeypatch, human, answer)
    with pytest.raises(leaves):
        human.decide(connect_four.new(seed=1).observation(0))


def test_levels_follow_what_the_options_hide() -> None:
    """Lords of War can be played with open cards."""
    game = bw.game("lords")
    assert hides(game, 2, {})
    assert not hides(game, 2, {"information": "open"})
    assert levels(game, 2)["the strongest"].startswith("ismcts")
    opened = levels(game, 2, hidden=False)
    assert "ismcts" not in {spec.partition(":")[0] for spec in opened.values()}
    assert opened["the strongest"].startswith("uct")
    assert not hides(bw.game("connect_four"), 2, {})
    assert hides(bw.game("race"), 2, {})


@pytest.mark.parametrize("name", ["connect_four", "race", "lords", "colonizers", "wonders"])
def test_no_level_adds_errors_to_what_it_thinks(name: str) -> None:
    """Weaker levels think less or see less; values with noise would be blunders at random."""
    game = bw.game(name)
    for seats in game.seats:
        assert not [spec for spec in levels(game, seats).values() if "noise" in spec or spec == "random"]


def test_a_game_names_levels_by_seats_and_an_unknown_one_is_a_sentence() -> None:
    race = bw.game("race")
    assert levels(race, 2)["beginner"] != levels(race, 3)["beginner"]
    assert ["beginner" in levels(race, seats) for seats in (3, 4)] == [True, False]
    assert levels(race, 3)["the strongest"] == WITH_TURNS[1], "where none is named, what suits any game"
    assert list(levels(race, 2)) == [level for level in LEVELS if level != "grandmaster"], "the weakest first"
    with pytest.raises(BadSpec, match="race has no level 'master' at 3 seats; its levels are beginner, easy, strong"):
        in_full("master", race, 3)


@pytest.mark.parametrize("name", bw.games())
def test_at_all_seat_counts_somebody_easy_can_take_over(name: str) -> None:
    """From people who resign, or are away: the page asks for that level."""
    game = bw.game(name)
    for seats in game.seats:
        assert {"easy", "strong", "the strongest"} <= levels(game, seats).keys()


def test_an_adviser_is_the_strongest_with_little_time() -> None:
    assert adviser(bw.game("race"), 2) == "netsearch:weights=large"
    assert adviser(bw.game("connect_four"), 2) == "nettree:simulations=16"
    assert adviser(bw.game("lords"), 2) == "ismcts:evaluation=learned,plies=0,iterations=2000"
    assert adviser(bw.game("kuhn_poker"), 2) == "optimal"


def test_a_game_without_a_network_or_a_heuristic_has_levels_by_iterations(pennies: bw.Game) -> None:
    steps = [int(spec.rpartition("=")[2]) for spec in levels(pennies, 2).values() if "iterations" in spec]
    assert steps == sorted(steps)
    assert len(steps) == 4


def test_the_strongest_level_has_the_larger_network_where_there_is_one() -> None:
    race = bw.game("race")
    assert levels(race, 2)["the strongest"] == "netsearch:turns=2,determinizations=64,weights=large"
    assert levels(race, 3)["the strongest"] == "netsearch:turns=2,determinizations=64"
    assert levels(bw.game("colonizers"), 4)["the strongest"] == "netsearch:turns=2,determinizations=64,weights=large"
    assert all("weights=large" in levels(bw.game("wonders"), seats)["the strongest"] for seats in range(3, 8))
    assert levels(bw.game("connect_four"), 2)["the strongest"] == "nettree:seconds=1", "every action is a turn"


def test_hints_at_an_open_table_come_from_a_search_for_open_games() -> None:
    person = bw.agent("human", bw.game("lords"), 0)
    assert isinstance(person, Human)
    person.game_options = {"information": "open"}
    assert person._adviser_spec(2).startswith("uct")


def test_a_file_that_is_saved_again_within_a_second_is_loaded_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's bytecode of the first version would do for the second: both are equally long and of the same time."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file, names = tmp_path / "mine.py", []
    for name in ("One", "Two"):
        file.write_text(f"from boardwright.agents.random import Random\nclass {name}(Random): pass\n")
        os.utime(file, (1_000_000_000, 1_000_000_000))
        registry._module_from_file.cache_clear()
        names.append(agent_class(str(file), bw.game("kuhn_poker")).__name__)
    assert names == ["One", "Two"]
