"""Games and results as data frames, and as tables in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import boardwright as bw
from boardwright.cli import app
from boardwright.errors import UnknownName
from boardwright.frames import tables

pandas = pytest.importorskip("pandas")

RESULTS = Path(__file__).parent.parent / "docs" / "results"


@pytest.fixture(scope="module")
def result() -> Any:
    return bw.match("connect_four", "uct:iterations=20", "random", games=6, seed=2)


def export(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["export", *arguments])


def test_a_match_is_a_frame_of_agents_and_of_games(result: Any) -> None:
    agents = result.to_frame()
    assert agents["spec"].tolist() == ["uct:iterations=20", "random"]
    assert agents["wins"].tolist() == [agent.wins for agent in result.agents]
    assert agents["interval_low"].tolist() == [agent.interval[0] for agent in result.agents]
    assert result.standings.to_frame().equals(agents[result.standings.to_frame().columns])

    games = result.to_frame("records")
    assert len(games) == 12
    won = games[(games["rank"] == 1) & (games["entrant"] == 0)]
    assert len(won) == result.agents[0].wins
    assert games["moves"].tolist()[::2] == [len(record.actions) for record in result.records]
    with pytest.raises(UnknownName, match="unknown table 'cards'"):
        result.to_frame("cards")


def test_ladders_and_balance_are_frames(connect_four: bw.Game) -> None:
    ladder = bw.ladder(connect_four, "random", "uct:iterations=5", "uct:iterations=40", games=4)
    frame = ladder.to_frame()
    assert frame["spec"].tolist() == [rating.spec for rating in ladder.ratings]
    assert (frame["low"] < frame["elo"]).all()

    balance = bw.balance(connect_four, "random", games=20)
    assert balance.to_frame()["win_rate"].tolist() == [seat.win_rate for seat in balance.balance.seats]
    assert set(balance.to_frame("choices")["group"]) == {"column"}


def test_an_experiment_is_tables_with_a_column_for_the_arrangement() -> None:
    found = tables(json.loads((RESULTS / "colonizers-1.json").read_text()))
    assert {"summary", "arrangements", "rows", "claims", "tests"} <= set(found)
    assert {row["arrangements"] for row in found["claims"]} <= {row["arrangements"] for row in found["arrangements"]}
    assert found["rows"][0]["label"] == "seat 1"


def test_a_report_is_tables_of_parts_and_of_win_rates() -> None:
    found = tables(
        {"games": 3, "parts": {"a": {"times": 1, "means": {"science": 2.0}}}, "win_rates": {"card": [{"n": 1}]}}
    )
    assert found == {
        "summary": [{"games": 3}],
        "parts": [{"parts": "a", "times": 1, "means": {"science": 2.0}}],
        "win_rates": [{"win_rates": "card", "n": 1}],
    }


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_records_are_exported(result: Any, kind: str) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    Path("games.jsonl").write_text("".join(record.line() for record in result.records))
    told = export("games.jsonl", "--to", kind)
    assert told.exit_code == 0, told.output
    assert "12 rows" in told.output
    read = pandas.read_csv("games.csv") if kind == "csv" else pandas.read_parquet("games.parquet")
    games = result.to_frame("records")
    assert read["seed"].tolist() == games["seed"].tolist()
    assert read["agent"].tolist() == games["agent"].tolist()


def test_a_result_is_exported_table_by_table() -> None:
    Path("result.json").write_text((RESULTS / "madrid-55.json").read_text())
    assert export("result.json").exit_code == 0
    claims = pandas.read_csv("result-claims.csv")
    assert {"arrangements", "claim", "verdict"} <= set(claims.columns)
    assert export("result.json", "--table", "rows", "--out", "rows.csv").exit_code == 0
    assert export("result.json", "--table", "rows", "--out", "rows.parquet").exit_code == 0
    assert Path("rows.parquet").read_bytes().startswith(b"PAR1")
    assert "win_interval_low" in pandas.read_csv("rows.csv").columns


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["result.json", "--to", "xlsx"], "--to xlsx: it is one of csv, parquet"),
        (["result.json", "--table", "cards"], "unknown table 'cards' in result.json"),
        (["result.json", "--out", "x.csv"], "name one with --table"),
        (["result.json", "--table", "rows", "--out", "x.xlsx"], "--out x.xlsx: a table's file ends in one of .csv"),
        (["result.json", "--table", "rows", "--out", "x"], "--out x: a table's file ends in one of .csv, .parquet"),
        (["result.json", "--to", "csv", "--out", "x.parquet"], "--out x.parquet is not a file of --to csv"),
        (["nowhere.json"], "cannot read nowhere.json"),
        (["bad.json"], "bad.json is not JSON"),
        (["result.json", "--table", "rows", "--out", "no/x.csv"], "there is no folder no"),
    ],
)
def test_what_cannot_be_exported_is_said(arguments: list[str], message: str) -> None:
    Path("result.json").write_text((RESULTS / "madrid-55.json").read_text())
    Path("bad.json").write_text("hello")
    told = export(*arguments)
    assert told.exit_code != 0
    assert message in str(told.exception)
