"""Commands that are declared once: the command line and Python have the same options, defaults and bounds."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest
import typer

import boardwright as bw
from boardwright.arena.match import Match
from boardwright.arena.record_file import append_record
from boardwright.cli import app
from boardwright.errors import BadSpec


def on_the_command_line(*path: str) -> dict[str, Any]:
    found: Any = typer.main.get_command(app)
    context = typer.Context(found)
    for name in path:
        found = found.get_command(context, name)
    return {option.name: option for option in found.params if option.name != "help"}


def command_paths(found: Any = None, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """All commands, those of groups with their group's name first."""
    found = found or typer.main.get_command(app)
    if not hasattr(found, "list_commands"):
        return [path]
    context = typer.Context(found)
    return [
        one
        for name in found.list_commands(context)
        for one in command_paths(found.get_command(context, name), (*path, name))
    ]


OTHER_NAMES = {
    ("bench",): "rate",
    ("compile",): "compile_games",
    ("engine",): "export_engine",
    ("experiment", "run"): "experiment",
    ("learn",): "learn_values",
    ("style", "compare"): "style",
}
RESULTS = {("match",), ("ladder",), ("balance",), ("review",)}
"""Python has results as objects there; the test below compares their options."""
NOT_IN_PYTHON = {
    ("agents",): "bw.agents() lists them",
    ("demo",): "it is for the terminal",
    ("games",): "bw.games() lists them",
    ("scout", "serve"): "a server, which runs until Ctrl-C",
    ("version",): "bw.__version__",
    ("web",): "a server, which runs until Ctrl-C",
}


@pytest.mark.parametrize(
    "path", [path for path in command_paths() if path not in {*RESULTS, *NOT_IN_PYTHON}], ids=" ".join
)
def test_python_has_the_options_of_the_command_line(path: tuple[str, ...]) -> None:
    function = getattr(bw, OTHER_NAMES.get(path, "_".join(path)))
    options, parameters = on_the_command_line(*path), inspect.signature(function).parameters
    assert set(options) == set(parameters)
    for name, parameter in parameters.items():
        required = parameter.default is inspect.Parameter.empty
        assert options[name].required == required, name
        if not required:
            assert options[name].default == parameter.default, name
        by_place = parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        assert (options[name].param_type_name == "argument") == by_place, name


@pytest.mark.parametrize(
    ("function", "path", "other_ways"),
    [
        (bw.match, "match", {"specs", "options"}),
        (bw.ladder, "ladder", {"agents", "out"}),
        (bw.balance, "balance", {"options", "across"}),
        (bw.review, "review", {"file", "jobs"}),
    ],
)
def test_results_have_the_options_of_the_command_line(function: Any, path: str, other_ways: set[str]) -> None:
    """Agents and options of the game are given as Python does it; what is written into files the result can do."""
    options, parameters = on_the_command_line(path), inspect.signature(function).parameters
    shared = set(options) - other_ways - {"json", "plot"}
    assert shared <= set(parameters)
    for name in shared - {"game"}:
        assert options[name].default == parameters[name].default, name


def test_python_gets_results_and_the_same_complaints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    network = bw.train("connect_four", games=8, generation_size=8, reference_games=0, out=str(tmp_path / "mine.npz"))
    assert network.seats == 2
    assert (tmp_path / "mine.npz").is_file()
    capsys.readouterr()
    with pytest.raises(BadSpec, match="breadth must be from 1 to 16, not 17"):
        bw.train("connect_four", breadth=17)
    with pytest.raises(BadSpec, match="reference_games must be at least 0, not -1"):
        bw.train("connect_four", reference_games=-1)
    with pytest.raises(BadSpec, match="--jobs must be from 0 to 256, not -1"):
        bw.match("kuhn_poker", "random", "random", jobs=-1)
    with pytest.raises(TypeError, match="breath"):
        bw.train("connect_four", breath=1)
    file = tmp_path / "games.jsonl"
    for number in range(2):
        append_record(file, Match("race", ("heuristic", "random")).play(number))
    assert "heuristic" in str(bw.style("race", records=[str(file)]).data)
    assert bw.export(file, to="csv") == [tmp_path / "games.csv"]
    aims = bw.companion("connect_four", against=["random"], companion="agent=(uct:iterations=10)", games=2).data["held"]
    assert [(held["opponent"], held["aim"], held["games"]) for held in aims] == [("random", 0.5, 2)]
    assert bw.rate("connect_four").data["references"], "without an agent, the references are the result"
    assert bw.decks_complete(identity="Noise", cards="3 Cache").size >= 45
    figures = bw.experiment("colonizers-1", games=2, out=tmp_path)
    assert figures == json.loads((tmp_path / "colonizers-1" / "result.json").read_text())
    assert capsys.readouterr().out == ""


def test_a_person_can_play_from_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Playing at the terminal is the one command that prints; the finished game is returned."""
    monkeypatch.chdir(tmp_path)
    answers = iter(["1"] * 100)
    monkeypatch.setattr("builtins.input", lambda *_: next(answers))
    record = bw.play("kuhn_poker", vs=["random"], seed=1)
    assert record.agents == ["human", "random"]
    assert "Seed 1" in capsys.readouterr().out
