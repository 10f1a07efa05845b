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
from boardwright.games.race.keldon.style import Style


def on_the_command_line(*path: str) -> dict[str, Any]:
    found: Any = typer.main.get_command(app)
    context = typer.Context(found)
    for name in path:
        found = found.get_command(context, name)
    return {option.name: option for option in found.params if option.name != "help"}


@pytest.mark.parametrize(
    ("function", "path"),
    [
        (bw.train, ("train",)),
        (bw.experiment, ("experiment", "run")),
        (bw.scout_run, ("scout", "run")),
        (bw.style, ("race", "style")),
    ],
)
def test_python_has_the_options_of_the_command_line(function: Any, path: tuple[str, ...]) -> None:
    options, parameters = on_the_command_line(*path), inspect.signature(function).parameters
    assert set(options) == set(parameters)
    for name, parameter in parameters.items():
        required = parameter.default is inspect.Parameter.empty
        assert options[name].required == required, name
        if not required:
            assert options[name].default == parameter.default, name
        by_place = parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        assert (options[name].param_type_name == "argument") == by_place, name


def test_python_gets_results_and_the_same_complaints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    network = bw.train("connect_four", games=8, generation_size=8, reference_games=0, out=str(tmp_path / "mine.npz"))
    assert network.seats == 2
    assert (tmp_path / "mine.npz").is_file()
    capsys.readouterr()
    with pytest.raises(BadSpec, match="breadth must be from 1 to 16, not 17"):
        bw.train("connect_four", breadth=17)
    with pytest.raises(BadSpec, match="reference_games must be at least 0, not -1"):
        bw.train("connect_four", reference_games=-1)
    with pytest.raises(TypeError, match="breath"):
        bw.train("connect_four", breath=1)
    file = tmp_path / "games.jsonl"
    append_record(file, Match("race", ("heuristic", "random")).play(0))
    counts = bw.style([file])
    assert isinstance(counts, Style)
    assert counts.games == 1
    figures = bw.experiment("colonizers-1", games=2, out=tmp_path)
    assert figures == json.loads((tmp_path / "colonizers-1" / "result.json").read_text())
    assert capsys.readouterr().out == ""
