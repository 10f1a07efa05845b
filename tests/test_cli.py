"""The command line as people use it."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import boardwright as bw
from boardwright.agents.levels import in_full
from boardwright.arena.record import read_records
from boardwright.cli import main
from boardwright.conformance import CHECKS
from boardwright.conformance.source import check_source
from tests.conftest import DICE_RACE, start, wait_until


@pytest.fixture(autouse=True)
def _no_traceback_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--debug` sets it for the process."""
    monkeypatch.setenv("BOARDWRIGHT_DEBUG", "")


def test_ctrl_c_while_the_commands_are_imported_is_quiet(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(ModuleType):
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "boardwright.cli", Interrupted("boardwright.cli"))
    with pytest.raises(SystemExit) as leaving:
        importlib.import_module("boardwright.__main__").main()
    assert leaving.value.code == 130
    assert capsys.readouterr().err == "boardwright: stopped\n"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as leaving:
        main(list(arguments))
    captured = capsys.readouterr()
    return int(leaving.value.code or 0), captured.out, captured.err


def test_match_reports_as_table_json_and_plot(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(
        capsys, "match", "connect_four", "uct:iterations=200", "random", "--games", "20", "--seed", "4",
        "--json", "result.json", "--plot", "result.png",
    )  # fmt: skip
    assert code == 0, err
    assert "uct:iterations=200" in out
    assert "Equal chances? exact binomial test, p" in " ".join(out.split())
    result = json.loads(Path("result.json").read_text())
    assert result["games"] == 20
    best = result["agents"][0]
    assert best["spec"] == "uct:iterations=200"
    assert set(best) >= {"spec", "games", "wins", "win_rate", "interval", "mean_rank", "mean_score"}
    assert best["wins"] >= 18
    assert best["interval"][0] <= best["win_rate"] <= best["interval"][1]
    assert Path("result.png").read_bytes().startswith(b"\x89PNG")
    (file,) = Path("matches").iterdir()
    assert len(read_records(file)) == 20


def test_match_with_processes_gives_the_same_result(capsys: pytest.CaptureFixture[str]) -> None:
    for jobs in ("1", "2"):
        run(capsys, "match", "kuhn_poker", "random", "optimal", "-n", "50", "-j", jobs, "--json", f"{jobs}.json")
    assert Path("1.json").read_text() == Path("2.json").read_text()


def test_a_clock_is_for_all_agents_that_keep_one(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(
        capsys, "match", "connect_four", "uct", "flat:game_seconds=0.2", "-n", "2", "--clock", "0.1", "--json", "r.json"
    )
    assert code == 0, err
    specs = [agent["spec"] for agent in json.loads(Path("r.json").read_text())["agents"]]
    assert sorted(specs) == ["flat:game_seconds=0.2", "uct:game_seconds=0.1"]


def test_a_clock_without_an_agent_that_keeps_it_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "match", "connect_four", "random", "random", "--clock", "1")
    assert code != 0
    assert "--clock: none of these agents" in err


def test_replay_tells_the_game_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "match", "connect_four", "random", "random", "-n", "3", "--record", "games.jsonl")
    code, out, _ = run(capsys, "replay", "games.jsonl", "--game", "2")
    assert code == 0
    assert "1. X: column" in out
    assert "wins" in out or "draw" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("match nochess random random", "unknown game 'nochess'"),
        ("match connect_four random randon", "did you mean 'random'"),
        ("match connect_four random uct:iterations", "should be param=value"),
        ("match connect_four random random --games 0", "--games must be from 1 to 100,000,000"),
        ("match connect_four random random --games -3", "--games must be from 1 to 100,000,000"),
        ("match connect_four random random --games 100000000000000000000", "--games must be from 1 to 100,000,000"),
        ("match connect_four random random --jobs 100000", "--jobs must be from 0 to 256"),
        ("train connect_four --games 1000000000", "--games must be from 1 to 100,000,000"),
        ("ladder connect_four random flat --games 0", "--games must be from 1 to 100,000,000"),
        ("explain connect_four human", "human is you; ask another agent"),
        ("match connect_four random random --games many", "--games"),
        ("match connect_four random random --seed -1", "a seed is"),
        ("match connect_four random random --jobs -1", "--jobs must be from 0 to 256"),
        ("match connect_four random", "needs 2 agents"),
        ("match connect_four random random random", "needs 2 agents"),
        ("match connect_four random random --json no/such/place.json", "there is no folder no/such"),
        ("match connect_four random random --record no/such/place.jsonl", "there is no folder no/such"),
        ("match connect_four random random --json .", "it is a folder"),
        ("match connect_four random random --option size", "should be name=value"),
        ("match connect_four random random --plot picture.xyz", "xyz"),
        ("replay nothing.jsonl", "cannot read nothing.jsonl"),
        ("play connect_four --vs random --vs random", "2 opponents are too many"),
        ("play connect_four --seat 3", "--seat must be from 1 to 2"),
        ("explain connect_four random --moves x", "move 1, 'x', is not one of the choices: 1 column 1; 2"),
        ("explain connect_four random --moves 8", "move 1, '8', is not one of the choices"),
        ("explain kuhn_poker random --random-moves 9", "the game is over before 9 random moves"),
        ("check connect_four --games 0", "--games must be from 1"),
        ("report connect_four", "has no report of its own"),
        ("report nothing.jsonl", "cannot read nothing.jsonl"),
        ("explain wonders random -o slips=swapped+late", "has no 'late'"),
        ("explain wonders random -o boards=gizah-A,gizah-B", "has gizah twice"),
        ("explain wonders random --seats 3 -o boards=gizah,rhodos,olympia,babylon", "has 4 entries for 3 seats"),
        ("playthrough", "either a game or --all"),
        ("frobnicate", "frobnicate"),
        ("match", "GAME"),
    ],
)
def test_mistakes_end_in_one_line_and_a_failing_exit(
    capsys: pytest.CaptureFixture[str], arguments: str, complaint: str
) -> None:
    code, _, err = run(capsys, *arguments.split())
    assert code not in (0, None)
    assert err.count("\n") == 1, err
    assert err.startswith("boardwright: ")
    assert complaint in err


@pytest.mark.parametrize("command", ["match race", "race style", ""])
def test_an_unknown_option_is_named(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, _, err = run(capsys, *command.split(), "--worlds", "1")
    assert code == 2
    assert "No such option: --worlds" in err


def test_replay_tells_the_whole_games_of_a_file_that_was_cut_off(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "match", "connect_four", "random", "random", "-n", "2", "--record", "games.jsonl")
    whole = Path("games.jsonl").read_bytes()
    Path("games.jsonl").write_bytes(b"\n" + whole[:-10])
    code, out, err = run(capsys, "replay", "games.jsonl")
    assert code == 0
    assert "1. X: column" in out
    assert err == "boardwright: games.jsonl, line 3: cut off in the middle of a game; 1 before it can be read\n"
    code, _, err = run(capsys, "replay", "games.jsonl", "--game", "2")
    assert code == 1
    assert "there is no game 2 in that file" in err
    Path("games.jsonl").write_bytes(whole[:50])
    code, _, err = run(capsys, "replay", "games.jsonl")
    assert (code, err) == (1, "boardwright: games.jsonl, line 1: cut off in the middle of a game\n")


@pytest.mark.parametrize(
    "arguments", ["games", "games race", "agents", "agents kuhn_poker", "agents netsearch", "version", "--version"]
)
def test_listings_print(capsys: pytest.CaptureFixture[str], arguments: str) -> None:
    code, out, err = run(capsys, *arguments.split())
    assert (code, err) == (0, "")
    assert out.strip()


def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    commands = ["games", "agents", "match", "replay", "play", "explain", "check", "playthrough", "compile", "demo"]
    for command in commands:
        code, out, _ = run(capsys, command, "--help")
        assert code == 0
        assert f"boardwright {command}" in out.replace("│", ""), f"{command} shows no example"


def test_explain_shows_position_and_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "explain", "connect_four", "uct", "--moves", "4 4 3")
    assert code == 0
    assert ". . X X . . ." in out
    assert "column" in out
    assert "1,000 iterations" in out


def test_check_reports_each_promise(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", str(DICE_RACE), "--games", "2")
    assert code == 0
    assert {line.split()[0] for line in out.splitlines()} == {"ok"}
    assert [line.partition(" ")[2].strip() for line in out.splitlines()][-len(CHECKS) :] == list(CHECKS)


def test_files_in_the_current_folder_are_not_taken_for_modules(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("numpy", "random", "selectors"):
        Path(f"{name}.py").write_text("raise SystemExit('not the module that was meant')\n")
    code, out, err = run(capsys, "check", str(DICE_RACE), "--games", "1")
    assert code == 0, err
    assert "compiled and uncompiled rules play the same games" in out
    code, _, err = run(capsys, "match", "kuhn_poker", "isolated:random", "random", "--games", "2")
    assert code == 0, err


def test_names_that_python_would_confuse_are_refused_for_new_files(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("random", "numpy", "class", "none"):
        for kind in ("game", "agent"):
            code, _, err = run(capsys, "new", kind, name)
            assert code == 1
            assert err.startswith(f"boardwright: {name!r} means something to Python already"), err
            assert not Path(f"{name}.py").exists()
    for name in ("decision", "reason"):
        code, _, err = run(capsys, "new", "agent", name)
        assert code == 1
        assert err == f"boardwright: {name!r} is what every agent imports; choose another name, as my_{name}\n"
    code, _, err = run(capsys, "new", "game", "kuhn_poker")
    assert (code, err) == (1, "boardwright: there is a game 'kuhn_poker' already; choose another name\n")


def test_folders_that_cannot_be_made_are_named_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Here because a file stands in their place; on a medium that is read only it is the same."""
    Path("matches").write_text("")
    for arguments in (
        ("style", "kuhn_poker", "random", "optimal", "--games", "4"),
        ("web", "--port", "0", "--no-open"),
        ("engine", "kuhn_poker", "--out", "matches/engine"),
    ):
        code, _, err = run(capsys, *arguments)
        assert code == 1, arguments
        assert err.startswith("boardwright: cannot "), err
        assert err.count("\n") == 1, err


def test_output_that_is_closed_from_the_beginning_is_dropped() -> None:
    for closed in (">&-", ">&- 2>&-"):
        done = subprocess.run(
            f"'{sys.executable}' -m boardwright --version {closed}",
            shell=True,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), closed


def test_new_games_and_agents_run_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "new", "game", "my_game")
    assert code == 0
    assert "boardwright check my_game.py" in out
    assert run(capsys, "new", "agent", "my_agent")[0] == 0
    code, out, err = run(capsys, "match", "my_game.py", "my_agent.py:playouts=3", "random", "--games", "2")
    assert code == 0, err
    assert "my_agent.py:playouts=3" in out
    game = bw.game("my_game.py")
    check_source(game)
    over = game.new(seed=1)
    while not over.is_terminal:
        over.apply(over.legal_actions()[0])
    assert str(over).startswith("turn 5 of 5")
    code, _, err = run(capsys, "new", "game", "my_game")
    assert (code, err) == (1, "boardwright: my_game.py is there already; choose another name\n")
    code, _, err = run(capsys, "new", "agent", "my-agent")
    assert code == 1
    assert "should be a word" in err


def test_an_agent_that_fails_is_named_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("broken.py").write_text(
        "from boardwright import Agent\n\n\n"
        "class Broken(Agent):\n    def decide(self, observation):\n        return 1 / 0\n"
    )
    for arguments in (["match", "connect_four", "broken.py", "random"], ["explain", "connect_four", "broken.py"]):
        code, _, err = run(capsys, *arguments)
        assert code == 1
        assert "broken.py, line 6, in decide: ZeroDivisionError: division by zero" in err
        assert err.count("\n") == 1
    code, _, err = run(capsys, "match", "connect_four", "broken.py", "random", "--jobs", "2", "--debug")
    assert code == 1
    assert "Traceback (most recent call last)" in err
    assert "return 1 / 0" in err


def test_interrupt_keeps_what_was_played_and_resume_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "boardwright", "match", "connect_four", "uct:iterations=3000", "random"]
    command += ["--games", "100000", "--record", "games.jsonl", "--json", "result.json", "--jobs", "2"]
    process = start(command)
    file = Path("games.jsonl")
    wait_until(lambda: file.exists() and file.read_bytes().count(b"\n") >= 5)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "--resume goes on" in out
    records = read_records(file)
    kept = len(records)
    assert 5 <= kept < 100_000
    wanted = max(record.index for record in records) + 4  # two processes do not finish games in order
    assert json.loads(Path("result.json").read_text())["interrupted"] is True
    finished = subprocess.run(
        [*command[:-6], "--games", str(wanted), "--record", "games.jsonl", "--resume"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"{kept} games kept" in finished.stdout
    assert len(read_records(file)) == wanted


def test_play_in_the_terminal_to_the_end() -> None:
    """The first column that is free, again and again, with one move taken back."""
    answers = "1\nu\n" + "1\n" * 60
    finished = subprocess.run(
        [sys.executable, "-m", "boardwright", "play", "connect_four", "--vs", "random", "--seed", "3", "--explain"],
        input=answers,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert "wins" in finished.stdout or "A draw" in finished.stdout


SLOW_AGENT = """
from pathlib import Path
from boardwright.search.{name} import {cls}

class Slow({cls}):
    def decide(self, observation):
        if Path("ready").exists():
            Path("thinking").touch()
            return super().decide(observation)
        quick = {cls}(self.game, self.seat, {quick})
        Path("ready").touch()
        return quick.decide(observation)
"""


@pytest.mark.parametrize(
    ("name", "cls", "quick", "slow"),
    [("uct", "UCT", "iterations=1", "iterations=1000000000,threads=2"), ("maxn", "MaxN", "depth=1", "depth=40")],
)
def test_interrupt_ends_a_long_thought(name: str, cls: str, quick: str, slow: str) -> None:
    """The first decision loads the search, the second is the one that is interrupted."""
    Path("slow.py").write_text(SLOW_AGENT.format(name=name, cls=cls, quick=quick))
    command = [sys.executable, "-m", "boardwright", "match", "connect_four", f"slow.py:{slow}", "random"]
    process = start([*command, "--record", "g.jsonl"])
    try:
        wait_until(Path("thinking").exists)
        os.kill(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130


def test_person_in_a_match_can_leave_it() -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "boardwright", "match", "connect_four", "human", "random", "--games", "2"],
        input="u\nq\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 130
    assert "Traceback" not in finished.stderr


def test_only_ordinary_files_are_written_to(capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe")
    code, _, err = run(capsys, "match", "connect_four", "random", "random", "--record", "pipe")
    assert code == 1
    assert "not an ordinary file" in err
    assert Path("pipe").is_fifo()


def test_leaving_a_game_at_the_terminal() -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "boardwright", "play", "kuhn_poker", "--vs", "optimal"],
        input="q\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert "Go on with: boardwright play kuhn_poker --resume" in finished.stdout


def test_secrets_of_others_stay_secret_at_the_terminal() -> None:
    """The last seat watches three secret picks; explained or not, it must not learn them."""
    finished = subprocess.run(
        [sys.executable, "-m", "boardwright", "play", "colonizers", "--vs", "heuristic", "--seat", "4", "--explain"],
        input="q\n",
        capture_output=True,
        text=True,
        check=False,
    )
    before_the_menu = finished.stdout.partition("you are seat 4")[0]
    assert before_the_menu.count("makes a choice you cannot see") == 3
    assert "pick the" not in before_the_menu


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("play", "connect_four", "--seat", "0"), "--seat must be from 1 to 2, not 0"),
        (("play", "connect_four", "--resume", "--seat", "0"), "leave out those given here"),
        (("web", "--port", "-1"), "--port must be from 0 (any that is free) to 65535, not -1"),
        (("web", "--port", "65536"), "--port must be from 0"),
        (("match", "race", "easy:iterations=5", "strong"), "'easy' is a level and takes no parameters"),
        (("match", "race", "eas", "strong"), "did you mean 'easy'?"),
    ],
)
def test_wrong_values_are_named(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 1
    assert message in err


def test_a_ladder_that_begins_resumes_nothing_and_says_nothing_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    for said in ("table 1 of 1", "4 games kept"):
        code, out, _ = run(capsys, "ladder", "kuhn_poker", "random", "optimal", "-n", "4")
        assert code == 0
        assert said in out
        assert "nothing to resume" not in out


def test_a_level_is_a_spec_wherever_a_spec_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    easy, strongest = "ismcts:iterations=60", "optimal"
    code, out, err = run(capsys, "match", "kuhn_poker", "easy", "isolated:easy", "-n", "2", "--json", "match.json")
    assert code == 0, err
    assert easy in out
    specs = {agent["spec"] for agent in json.loads(Path("match.json").read_text())["agents"]}
    assert specs == {easy, f"isolated:({easy})"}
    code, out, err = run(capsys, "match", "kuhn_poker", "easy", "random", "-n", "2", "--clock", "5")
    assert code == 0, err
    assert f"ismcts:game_seconds=5,{easy.partition(':')[2]}"[:20] in out
    code, out, err = run(capsys, "ladder", "kuhn_poker", "easy", "strongest", "-n", "2")
    assert code == 0, err
    assert all(spec in out for spec in (easy, strongest))
    for named in ((), ("the strongest",), ("strongest",)):
        code, out, err = run(capsys, "explain", "kuhn_poker", *named)
        assert code == 0, err
        assert "optimal thinks" in out
    code, out, err = run(capsys, "balance", "kuhn_poker", "--agent", "strong", "-n", "2")
    assert code == 0, err
    assert bw.match("kuhn_poker", "easy", "the strongest", games=2).match.entrants == (easy, strongest)
    agent = bw.agent("strongest", bw.game("kuhn_poker"), 0)
    assert agent.label() == strongest


def test_levels_stand_for_what_suits_the_table() -> None:
    """The number of seats and the game's options decide."""
    race, lords = bw.game("race"), bw.game("lords")
    large = in_full("the strongest", race, 2)
    assert "weights=large" in large
    assert "weights=large" not in in_full("the strongest", race, 4)
    assert in_full("strongest", lords, 2, {"information": "open"}).startswith("uct")
    assert "weights" not in repr(bw.agent("strongest", race, 0, seats=4))
    for spec in ("heuristic", "companion", "netsearch:noise=0.2"):
        assert in_full(spec, race, 2) == spec
