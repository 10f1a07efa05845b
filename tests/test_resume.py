"""What `--resume` believes: games that this match could have played today, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright.agents import Spec
from boardwright.arena import session
from boardwright.arena.behaviour import code_version, modules_that_play
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, parse_record, read_records
from boardwright.arena.runner import MatchListener, run_match
from boardwright.arena.standings import Standings
from boardwright.cli import main
from boardwright.errors import BadRecord, FileChanged
from boardwright.kernel import rng
from boardwright.registry import games
from tests.conftest import DICE_RACE

FILE = Path("games.jsonl")
MATCH = Match("connect_four", ("random", "random"), seed=5)
DICE = Match(str(DICE_RACE), ("random", "random", "random"), seed=1, options={"rounds": "2"})

Change = Callable[[dict[str, Any]], dict[str, Any]]


def resumed_with(match: Match, changed: Change) -> None:
    """Play two games, change what is recorded of the second, and go on."""
    file = Path("games.jsonl")
    run_match(match, 2, file=file)
    first, second = file.read_text().splitlines()
    fields = json.loads(second)
    del fields["checksum"]  # whoever changes a record can take that away, too
    file.write_text(first + "\n" + json.dumps({**fields, **changed(fields)}) + "\n")
    before = file.read_bytes()
    try:
        run_match(match, 3, file=file, resume=True)
    finally:
        assert file.read_bytes()[: len(before)] == before


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        (lambda r: {"actions": [0, 0, 0, 0, 0, 0, 0]}, "line 2: move 7 does not fit the rules"),
        (lambda r: {"actions": [-1, *r["actions"]]}, "line 2: field actions.0"),
        (lambda r: {"actions": [2**63, *r["actions"]]}, "line 2: field actions.0"),
        (lambda r: {"actions": [2**70, *r["actions"]]}, "line 2: not JSON: the number .* is too large"),
        (lambda r: {"actions": r["actions"][:-1]}, "line 2: the record stops before the game ends"),
        (lambda r: {"actions": [*r["actions"], 0]}, "line 2: move .* the game is over"),
        (lambda r: {"actions": []}, "line 2: the record stops before the game ends, after 0 moves"),
        (lambda r: {"returns": [float("nan")] * 2}, "line 2: not JSON: NaN is not a number"),
        (lambda r: {"scores": [float("inf"), 0.0]}, "line 2: not JSON: Infinity is not a number"),
        (lambda r: {"scores": [1e9, -1e9]}, "line 2: replays to scores"),
        (lambda r: {"returns": r["returns"][::-1]}, "line 2: replays to returns"),
        (lambda r: {"order": []}, "line 2: not game 2 of this match"),
        (lambda r: {"order": r["order"][::-1]}, "line 2: not game 2 of this match"),
        (lambda r: {"index": 7}, "line 2: not game 8 of this match"),
        (lambda r: {"seed": r["seed"] + 1}, "line 2: not game 2 of this match"),
        (lambda r: {"agents": ["optimal", "random"]}, "line 2: not game 2 of this match"),
        (lambda r: {"match_seed": 6}, "line 2: a game of another match"),
        (lambda r: {"entrants": ["random"]}, "line 2: a game of another match"),
        (lambda r: {"packages": {"elsewhere": "3"}}, "line 2: played with elsewhere 3, not without it"),
    ],
)
def test_what_the_match_cannot_have_played_is_refused(changed: Change, complaint: str) -> None:
    with pytest.raises(BadRecord, match=complaint):
        resumed_with(MATCH, changed)


def test_a_line_that_was_changed_is_found_by_its_checksum() -> None:
    """Also where the rules have nothing to say against it: in agents' names, files, best moves."""
    run_match(MATCH, 2, file=FILE)
    whole = FILE.read_text()
    first, second = whole.splitlines(keepends=True)
    assert re.search(r',"checksum":"[0-9a-f]{16}"}\n$', second)
    for before, after in (
        ('"index":1', '"index":1 '),
        ('"packages":{"boardwright"', '"packages":{"Boardwright"'),
        ('"entrants":["random"', '"entrants":["Random"'),
        (second[-6:], "0" * 3 + second[-3:]),
    ):
        assert before in second
        FILE.write_text(first + second.replace(before, after))
        complaint = r"line 2: its checksum does not fit: the line was changed or damaged .* remove the checksum"
        with pytest.raises(BadRecord, match=complaint):
            run_match(MATCH, 3, file=FILE, resume=True)
        with pytest.raises(BadRecord, match=complaint):
            read_records(FILE)
    FILE.write_text(whole)
    outcome = run_match(MATCH, 3, file=FILE, resume=True)
    assert not any("checksum" in note for note in outcome.notes)


def test_a_record_without_a_checksum_is_read_and_said_to_be_unchecked(capsys: pytest.CaptureFixture[str]) -> None:
    run_match(MATCH, 3, file=FILE)
    records = read_records(FILE)
    lines = FILE.read_text().splitlines(keepends=True)
    bare = [re.sub(r',"checksum":"[0-9a-f]{16}"', "", line) for line in lines]
    FILE.write_text(bare[0] + lines[1] + bare[2])
    warnings: list[str] = []
    assert read_records(FILE, warn=warnings.append) == records
    assert warnings == [f"{FILE}: 2 games have no checksum, so nobody can tell whether the record was changed"]
    outcome = run_match(MATCH, 4, file=FILE, resume=True)
    assert "2 games have no checksum, so nobody can tell whether the record was changed" in outcome.notes
    for command in (["replay", str(FILE), "--all"], ["export", str(FILE)]):
        with pytest.raises(SystemExit) as leaving:
            main(command)
        assert leaving.value.code in (0, None)
        assert "games.jsonl: 2 games have no checksum" in capsys.readouterr().err
    FILE.write_text("".join(lines[:2]))
    with pytest.raises(SystemExit):
        main(["replay", str(FILE), "--all"])
    assert not capsys.readouterr().err
    FILE.write_text(lines[0].replace('"index":0', '"index":5'))
    for command in (["replay", str(FILE)], ["export", str(FILE)], ["report", str(FILE)]):
        with pytest.raises(SystemExit) as leaving:
            main(command)
        assert leaving.value.code == 1
        assert "line 1: its checksum does not fit" in capsys.readouterr().err


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("action", ["num_actions", "max", "not now"])
def test_replay_checks_an_action_before_it_describes_it(
    name: str, action: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A crafted record: an action that no text knows, or one that is not legal now."""
    game = bw.game(name)
    record = Match(name, ("random",) * game.seats[0], seed=3).play(0)
    start = record.start()
    wrong = {
        "num_actions": game.num_actions,
        "max": 2**63 - 1,
        "not now": next((a for a in range(game.num_actions) if a not in start.legal_actions()), game.num_actions),
    }[action]
    FILE.write_text(record.model_copy(update={"actions": [wrong, *record.actions]}).line())
    with pytest.raises(SystemExit) as leaving:
        main(["replay", str(FILE), "--all"])
    assert leaving.value.code == 1
    err = capsys.readouterr().err
    assert err.startswith("boardwright: move 1 does not fit the rules")
    assert "Traceback" not in err


def test_records_from_before_files_and_packages_were_kept_are_continued() -> None:
    resumed_with(MATCH, lambda record: {"files": {}, "packages": {}})
    assert len(read_records(Path("games.jsonl"))) == 3


def test_games_of_another_version_are_continued_if_it_plays_the_same() -> None:
    """A new version, or a change of code that changes no decision, costs no stored game."""
    resumed_with(MATCH, lambda record: {"packages": {"boardwright": "0.0.1"}})
    assert [record.packages["boardwright"] for record in read_records(FILE)] == [
        code_version(), "0.0.1", code_version(),
    ]  # fmt: skip


def test_what_plays_is_told_from_what_shows() -> None:
    """A change of a report or a page leaves stored games as they are; one of rules or of a search does not."""
    package = Path(bw.__file__).parent
    play = {file.relative_to(package).as_posix() for file in modules_that_play(package)}
    assert {"games/race/consume.py", "search/uct_plain.py", "scout/scout2.py", "kernel/rng.py", "arena/loop.py"} <= play
    assert {"games/colonizers/agents.py", "games/kuhn_poker/agents.py"} <= play, "which declarations name in strings"
    shows = {"web", "reports", "terminal", "commands", "experiments", "coach", "bench", "engine", "conformance"}
    assert not {file for file in play if file.split("/")[0] in shows}


def test_games_of_agents_that_decide_otherwise_are_not_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are legal games of this match, but the agents of today would not play them."""
    with monkeypatch.context() as earlier:
        earlier.setattr(Match, "agent_seed", lambda self, index, entrant: 1000 * index + entrant)
        other = MATCH.play(1)
    assert other.actions != MATCH.play(1).actions
    complaint = r"played with boardwright 0\.0\.2, not .*, and game 2 does not come out as it did"
    with pytest.raises(BadRecord, match=complaint):
        resumed_with(MATCH, lambda record: {**other.model_dump(), "packages": {"boardwright": "0.0.2"}})


def test_code_that_plays_is_told_from_other_code() -> None:
    assert re.fullmatch(re.escape(bw.__version__) + r"\+[0-9a-f]{12}", MATCH.packages["boardwright"])


def test_games_with_other_options_are_not_continued() -> None:
    with pytest.raises(BadRecord, match="line 2: a game of another match"):
        resumed_with(DICE, lambda record: {"options": {**record["options"], "rounds": 3}})


@pytest.mark.parametrize("which", ["agent", "game"])
def test_games_with_code_replaced_since_are_not_continued(tmp_path: Path, which: str) -> None:
    code = {"agent": tmp_path / "mine.py", "game": tmp_path / "dice.py"}
    code["agent"].write_text("from boardwright.agents.random import Random\nclass Mine(Random): pass\n")
    code["game"].write_text(DICE_RACE.read_text())
    match, file = Match(str(code["game"]), (str(code["agent"]), "random"), seed=3), tmp_path / "games.jsonl"
    run_match(match, 1, file=file)
    assert set(read_records(file)[0].files) == {str(code["agent"]), str(code["game"].resolve())}
    assert run_match(match, 2, file=file, resume=True).standings.games == 2
    with code[which].open("a") as source:
        source.write("# other code\n")
    with pytest.raises(BadRecord, match=rf"line 1: played with another .*{code[which].name}, .* replaced since"):
        run_match(match, 3, file=file, resume=True)


def test_a_match_stops_when_a_file_is_replaced_under_it(tmp_path: Path) -> None:
    agent, file = tmp_path / "mine.py", tmp_path / "games.jsonl"
    agent.write_text("from boardwright.agents.random import Random\nclass Mine(Random): pass\n")
    match = Match("connect_four", (str(agent), "random"), seed=3)

    class Replacing(MatchListener):
        def finished_game(self, record: GameRecord, standings: Standings) -> None:
            if standings.games == 2:
                agent.write_text(agent.read_text() + "# other code\n")

    with pytest.raises(FileChanged, match=r"mine.py has been replaced .* 2 finished games are kept"):
        run_match(match, 5, file=file, listeners=[Replacing()])
    assert len(read_records(file)) == 2
    assert run_match(match, 3, file=tmp_path / "anew.jsonl").standings.games == 3


def test_files_of_agents_within_agents_count(tmp_path: Path) -> None:
    inner = tmp_path / "inner.py"
    inner.write_text("")
    spec = Spec.parse(f"outer:partner=({inner}:depth=2,rival=(uct:iterations=5)),book=none")
    assert spec.files() == [str(inner)]
    assert {"outer", str(inner), "uct"} <= set(spec.agents())


def test_a_match_is_as_long_as_asked_for() -> None:
    """Game number 3 is the fourth: numbers begin at 0."""
    run_match(MATCH, 5, file=Path("games.jsonl"))
    records = read_records(Path("games.jsonl"))
    assert [record.index for record in first_games(reversed(records), 3)] == [0, 1, 2]
    assert run_match(MATCH, 3, file=Path("games.jsonl"), resume=True).standings.games == 3


def test_an_entrant_keeps_its_random_numbers_wherever_it_sits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds go by entrant: whoever has the same seat in two orders must not inherit the other's luck."""
    seeds: dict[tuple[int, str], int] = {}
    make_agent = session.make_agent

    def noted(spec: str, game: Any, seat: int, *, seed: int = 0) -> Any:
        seeds[seat, spec] = seed
        return make_agent(spec, game, seat, seed=seed)

    monkeypatch.setattr(session, "make_agent", noted)
    match = Match("connect_four", ("random", "flat:iterations=1"), seed=5)
    orders = match.order(0), match.order(1)
    assert orders == ((0, 1), (1, 0))
    for index, order in enumerate(orders):
        match.play(index)
        for seat, entrant in enumerate(order):
            expected = rng.derive(5, index, (1 << 32) + entrant)
            assert seeds[seat, match.entrants[entrant]] == expected


def test_replaying_fast_and_step_by_step_say_the_same() -> None:
    for match in (MATCH, DICE):
        for index in range(5):
            record = match.play(index)
            *_, (last, _) = record.replay()
            assert record.final() == last


def test_a_record_tells_what_played() -> None:
    record = parse_record(MATCH.play(0).line())
    assert set(record.packages) == {"boardwright"}
    assert record.files == {}
