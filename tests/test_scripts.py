"""Scripts: agents in processes of their own, their conversation, their failures, and who pays for them."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pydantic
import pytest

import boardwright as bw
from boardwright.agents import Spec
from boardwright.arena.loop import Listener, play_game
from boardwright.arena.match import Match
from boardwright.arena.record import read_records
from boardwright.arena.runner import run_match
from boardwright.cli import main
from boardwright.errors import AgentFailed, BadRecord, BadSpec
from boardwright.registry import games
from boardwright.scripts import messages, process
from boardwright.scripts.positions import position_as_json, position_from_json
from boardwright.scripts.process import ScriptFailed, end_idle, running
from tests.conftest import start, wait_until
from tests.script_games import EXAMPLES, Left, moody, write_bot
from tests.script_games import left as left  # a fixture

FIRST = f"script:{EXAMPLES / 'first.py'}"
FILE = Path("games.jsonl")


def run_command(*arguments: str, code: int = 0) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(list(arguments))
    assert leaving.value.code == code


@pytest.mark.parametrize("name", games())
def test_a_script_plays_every_game(name: str, left: Left) -> None:
    seats = bw.game(name).seats[0]
    record = Match(name, (FIRST, *["random"] * (seats - 1)), seed=1).play(0)
    end_idle()
    assert record.forfeit is None
    record.final()
    left.nothing()


def test_what_others_do_is_told_in_words_and_secrets_are_not(left: Left) -> None:
    """In pennies both choose in secret: the other's choice is an event without words."""
    spec = write_bot(decide="play(message, summary=json.dumps(message['events']))")
    told: list[str] = []

    class Events(Listener):
        def decided(self, state: bw.State, seat: int, observation: bw.Observation, decision: bw.Decision) -> None:
            if decision.summary.startswith("["):
                told.append(decision.summary)

    for name in ("connect_four", "race"):
        Match(name, (spec, "random"), seed=3).play(1, [Events()])
    end_idle()
    events = [event for line in told for event in json.loads(line)]
    assert any(re.fullmatch(r"column \d", event["text"] or "") for event in events)
    assert any(event["text"] is None for event in events)
    left.nothing()


def test_one_process_serves_many_games_unless_it_wants_a_fresh_one(left: Left) -> None:
    for ready in ("", ", fresh=True"):
        spec = write_bot(hello="print('I am', os.getpid(), file=sys.stderr, flush=True)", ready=ready)
        log = Path(f"log{len(ready)}.txt")
        run_match(Match("connect_four", (f"{spec},log={log}", "random")), 3, file=FILE)
        said = log.read_text().splitlines()
        assert len(said) > 3  # three games, and the questions before the match whether it can play
        assert len(set(said)) == (len(said) if ready else 1)
    left.nothing()


def test_a_script_that_leaves_after_its_game_is_started_again(left: Left) -> None:
    file = Path("once.py")
    file.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'end': break\n"
        "    if message['type'] == 'hello': print('{\"type\":\"ready\",\"protocol\":1}', flush=True)\n"
        "    else: print(json.dumps({'type': 'action', 'action': message['legal'][0]['action']}), flush=True)\n"
    )
    outcome = run_match(Match("connect_four", ("script:./once.py", "random")), 5, file=FILE)
    assert [entrant.forfeits for entrant in outcome.standings.entrants] == [0, 0]
    left.nothing()


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("hang", r"late: no answer within 1 seconds"),
        (
            "crash",
            r"closed its standard output; ended itself with exit code 3; on standard error: failing: crash"
            r" \(more in script-logs/\S+\.log\)",
        ),
        ("kill_itself", r"closed its standard output; was ended by SIGSEGV"),
        ("garbage", r"not JSON: 'column 4, please'"),
        ("binary", r"not JSON"),
        ("huge_line", r"said a line of more than 8,000,000 bytes"),
        ("closed_pipe", r"closed its standard output"),
        ("illegal", r"action 1000000 is not legal now; legal: 0 \(column 1\)"),
        ("twice", r'answered decide with "ready", not "action" or "ask"'),
        ("fork_bomb", r"closed its standard output|late"),
        ("too_many", r"started more processes than it may"),
    ],
)
def test_whoever_fails_loses_that_game_and_the_match_goes_on(way: str, reason: str, left: Left) -> None:
    match = Match("connect_four", (f"{moody(way)},seconds=1", "random"), seed=2)
    outcome = run_match(match, 2, file=FILE)
    assert [entrant.forfeits for entrant in outcome.standings.entrants] == [2, 0]
    assert [entrant.wins for entrant in outcome.standings.entrants] == [0, 2]
    for record in read_records(FILE):
        assert record.forfeit is not None
        assert record.agents[record.forfeit.seat].startswith("script:")
        assert re.search(reason, record.forfeit.reason), record.forfeit.reason
        assert record.returns[record.forfeit.seat] == -1
    left.nothing()


def test_failures_at_random_are_counted_right_and_leave_nothing_behind(left: Left) -> None:
    games_ = 100
    spec = f"{moody('any', 0.12)},seconds=2,log=log.txt"
    outcome = run_match(Match("connect_four", (spec, "random"), seed=11), games_, file=FILE)
    failures = re.findall("failing: (.*)", Path("log.txt").read_text())
    assert len(set(failures)) > 5
    assert outcome.standings.games == games_
    assert [entrant.forfeits for entrant in outcome.standings.entrants] == [len(failures), 0]
    left.nothing()


@pytest.mark.slow
def test_ten_thousand_games_with_a_failing_script(left: Left) -> None:
    spec = f"{moody('any', 0.1)},seconds=2,log=log.txt"
    games = int(os.environ.get("FAILING_GAMES", 10_000))
    outcome = run_match(Match("connect_four", (spec, "random"), seed=12), games, file=FILE)
    failures = re.findall("failing: (.*)", Path("log.txt").read_text())
    assert outcome.standings.games == games
    assert [entrant.forfeits for entrant in outcome.standings.entrants] == [len(failures), 0]
    left.nothing()


def test_the_game_clock_runs_over_all_decisions(left: Left) -> None:
    spec = write_bot(decide="time.sleep(0.2); play(message)")
    record = Match("connect_four", (f"{spec},game_seconds=0.5", "random"), seed=1).play(0)
    assert record.forfeit is not None
    assert record.forfeit.moves <= 4, "no more than two decisions fit, one on a busy machine"
    assert "late" in record.forfeit.reason
    end_idle()
    left.nothing()


def test_forfeits_are_replayed_and_resumed(left: Left, capsys: pytest.CaptureFixture[str]) -> None:
    match = Match("connect_four", (f"{moody('crash', 0.5)}", "random"), seed=4)
    first = run_match(match, 8, file=FILE).standings
    assert 0 < first.entrants[0].forfeits < 8
    again = run_match(match, 12, file=FILE, resume=True).standings
    records = read_records(FILE)
    assert again.entrants[0].forfeits == sum(record.forfeit is not None for record in records)
    number = next(record.index + 1 for record in records if record.forfeit is not None)
    run_command("replay", str(FILE), "--game", str(number), "--all")
    shown = " ".join(capsys.readouterr().out.split())  # where lines break depends on where the project lies
    assert "forfeits: closed its standard output; ended itself with exit code 3" in shown
    left.nothing()


def unchecked(line: str) -> dict[str, Any]:
    """A record without its checksum: whoever changes it takes that away, too."""
    fields: dict[str, Any] = json.loads(line)
    del fields["checksum"]
    return fields


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"forfeit": None}, "the record stops before the game ends"),
        ({"returns": [1.0, -1.0]}, "replays to returns"),
        ({"forfeit": {"seat": 5, "moves": 1, "reason": "no"}}, "names seat 5, which does not exist"),
        ({"forfeit": {"seat": 0, "moves": 77, "reason": "no"}}, "a forfeited game ends with the forfeit"),
    ],
)
def test_a_forfeit_that_was_edited_is_not_believed(change: dict[str, object], complaint: str) -> None:
    match = Match("connect_four", (moody("crash"), "random"), seed=4)
    run_match(match, 1, file=FILE)
    FILE.write_text(json.dumps({**unchecked(FILE.read_text()), **change}) + "\n")
    with pytest.raises(BadRecord, match=complaint):
        run_match(match, 2, file=FILE, resume=True)


def test_a_finished_game_cannot_be_recorded_as_forfeited() -> None:
    match = Match("connect_four", ("random", "random"), seed=4)
    run_match(match, 1, file=FILE)
    fields = unchecked(FILE.read_text())
    fields["forfeit"] = {"seat": 0, "moves": len(fields["actions"]), "reason": "no"}
    FILE.write_text(json.dumps(fields) + "\n")
    with pytest.raises(BadRecord, match="a forfeit is recorded, but the game had ended"):
        run_match(match, 2, file=FILE, resume=True)


def test_on_failure_can_stop_the_match(left: Left) -> None:
    match = Match("connect_four", (moody("crash"), "random"), on_failure="stop")
    with pytest.raises(AgentFailed, match="exit code 3"):
        run_match(match, 2, file=FILE)
    left.nothing()


def test_on_failure_can_play_a_random_action(left: Left) -> None:
    match = Match("connect_four", (moody("crash"), "random"), seed=4, on_failure="substitute")
    outcome = run_match(match, 3, file=FILE)
    mine = outcome.standings.entrants[0]
    assert mine.forfeits == 0
    assert mine.substitutions >= 3
    for record in read_records(FILE):
        record.final()
        assert record.substitutions
    run_match(match, 4, file=FILE, resume=True)
    left.nothing()


def test_agents_in_this_process_can_forfeit_too() -> None:
    Path("broken.py").write_text(
        "from boardwright import Agent\nclass Broken(Agent):\n    def decide(self, observation): return 1 / 0\n"
    )
    outcome = run_match(Match("connect_four", ("broken.py", "random"), on_failure="forfeit"), 2, file=FILE)
    assert outcome.standings.entrants[0].forfeits == 2
    with pytest.raises(BadSpec, match="it can be stop, forfeit, substitute"):
        Match("connect_four", ("random", "random"), on_failure="perhaps").check()


def test_a_failure_after_the_end_changes_nothing(left: Left) -> None:
    spec = write_bot(decide="play(message)").replace("script:", "script:")
    with Path("bot.py").open("a") as file:
        file.write("    else:\n        sys.exit(7)\n")
    outcome = run_match(Match("connect_four", (spec, "random"), seed=1), 3, file=FILE)
    assert [entrant.forfeits for entrant in outcome.standings.entrants] == [0, 0]
    left.nothing()


def test_what_cannot_start_is_refused_before_the_first_game(left: Left) -> None:
    for spec, complaint in (
        ("script:./nothing.py", "there is no such program"),
        ("script", "needs a command"),
        ("script:sh -c 'echo no >&2; exit 5'", "is not ready: closed its standard output; .*exit code 5; .*: no"),
    ):
        with pytest.raises(BadSpec, match=complaint):
            Match("connect_four", (spec, "random")).check()
    Path("text.js").write_text("")
    Path("text.sh").write_text("echo not executable\n")
    with pytest.raises(BadSpec, match=r'cannot be executed; .*script:"sh \./text\.sh"'):
        bw.match("connect_four", "script:./text.sh", "random", games=2)
    with pytest.raises(BadSpec, match=r'cannot be executed; .*script:"node \./text\.js"'):
        Match("connect_four", ("script:./text.js", "random")).check()
    end_idle()
    left.nothing()


def test_children_of_a_script_end_with_it_whatever_they_do(left: Left) -> None:
    """Two forks and a session of its own: what daemons do to be left alone."""
    daemon = "import os, time; os.fork() and os._exit(0); os.setsid(); os.fork() and os._exit(0); time.sleep(600)"
    spec = write_bot(hello=f"import subprocess; subprocess.run([sys.executable, '-c', {daemon!r}])")
    match = Match("connect_four", (spec, "random"))
    match.play(0)
    wait_until(lambda: len(left.processes()) >= 3)  # the warden, the script, the daemon, which may still be forking
    end_idle()
    left.nothing()


def test_scripts_end_when_the_host_is_killed(left: Left) -> None:
    spec = write_bot(hello="open('began', 'w').close()", decide="time.sleep(600)")
    host = start([sys.executable, "-m", "boardwright", "match", "connect_four", spec, "random", "-n", "1"])
    wait_until(lambda: Path("began").exists())
    host.send_signal(signal.SIGKILL)
    host.communicate()
    wait_until(lambda: not left.processes(), 20)


def test_a_script_has_no_descriptors_but_its_own(left: Left) -> None:
    spec = write_bot(decide="play(message, summary=' '.join(sorted(os.listdir('/proc/self/fd'))))")
    game = bw.game("connect_four")
    agent = bw.agent(spec, game, 0)
    with open("something", "w"):
        decision = agent.decide(game.new(seed=1).observation(0))
    agent.close()
    end_idle()
    assert decision.summary == "0 1 2 3"  # the last is the folder that is listed
    left.nothing()


@pytest.mark.parametrize(
    ("limit", "decide", "reason"),
    [
        ("memory=100", "kept = bytearray(300 << 20); play(message)", "MemoryError"),
        (
            "memory=100",
            "[os.fork() or (b'x' * (60 << 20), time.sleep(600)) for _ in range(3)]; time.sleep(600)",
            "used more memory than it may",
        ),
        ("cpu=0.3", "exec('while True: pass')", "used more CPU seconds than it may in a game"),
        ("processes=4", "[os.fork() or time.sleep(600) for _ in range(6)]; time.sleep(600)", "more processes"),
    ],
)
def test_limits_are_kept(limit: str, decide: str, reason: str, left: Left) -> None:
    record = Match("connect_four", (f"{write_bot(decide=decide)},{limit}", "random")).play(0)
    assert record.forfeit is not None
    assert reason in record.forfeit.reason
    end_idle()
    left.nothing()


def test_cpu_seconds_are_counted_per_game(left: Left) -> None:
    """A process that serves many games is not punished for it."""
    burn = "began = time.process_time()\n        while time.process_time() < began + 0.2: pass"
    spec = write_bot(hello=burn)
    outcome = run_match(Match("kuhn_poker", (f"{spec},cpu=0.6", "random")), 6, file=FILE)
    assert outcome.standings.entrants[0].forfeits == 0
    left.nothing()


def test_a_script_that_waits_for_its_process_to_be_read_is_late(left: Left) -> None:
    """It says more than the pipe holds, and reads nothing: nobody waits for ever."""
    asked = "ask = json.dumps(dict(type='ask', requests=[dict(op='sample', count=100000)] * 3))"
    spec = write_bot(decide=f"{asked}\n        while True: print(ask)")
    record = Match("connect_four", (f"{spec},seconds=1", "random")).play(0)
    assert record.forfeit is not None
    end_idle()
    left.nothing()


def test_the_host_works_no_longer_for_a_script_than_its_clock_allows(left: Left) -> None:
    asks = "say(type='ask', requests=[dict(op='sample', count=100000)] * 50)"
    record = Match("connect_four", (f"{write_bot(decide=asks)},seconds=1", "random")).play(0)
    assert record.forfeit is not None
    assert record.forfeit.reason.startswith("late: what it asked for takes more than 1 seconds")
    end_idle()
    left.nothing()


def test_reasons_of_a_script_show_like_any_others(capsys: pytest.CaptureFixture[str], left: Left) -> None:
    run_command("explain", "connect_four", FIRST)
    assert "by chance" in capsys.readouterr().out
    end_idle()
    left.nothing()


def test_scripts_play_with_jobs(left: Left) -> None:
    spec = moody("crash", 0.7)  # the seed is drawn anew each time: in one of two million runs no game fails
    run_command("match", "connect_four", spec, "random", "-n", "12", "--jobs", "2", "--record", str(FILE))
    alone = run_match(Match("connect_four", (spec, "random"), read_records(FILE)[0].match_seed), 12)
    forfeits = sum(record.forfeit is not None for record in read_records(FILE))
    assert forfeits == alone.standings.entrants[0].forfeits > 0
    wait_until(lambda: not left.processes(), 20)


def test_nothing_runs_when_nothing_is_played() -> None:
    assert not running()


@pytest.mark.parametrize(
    ("text", "params"),
    [
        ("script:./bot.py", {"command": "./bot.py"}),
        ("script:node bot.js", {"command": "node bot.js"}),
        ('script:"node bot.js"', {"command": "node bot.js"}),
        ('script:"node bot.js, x",seconds=2', {"command": "node bot.js, x", "seconds": "2"}),
        ("script:./bot --depth=3,seconds=2", {"command": "./bot --depth=3", "seconds": "2"}),
        ("script:(./bot a,b),seconds=2", {"command": "./bot a,b", "seconds": "2"}),
        ("isolated:uct:iterations=5,threads=2", {"agent": "uct:iterations=5,threads=2"}),
        ("isolated:(uct:iterations=5),seconds=2", {"agent": "uct:iterations=5", "seconds": "2"}),
        ("isolated:bots/mine.py,seconds=1", {"agent": "bots/mine.py", "seconds": "1"}),
        ("isolated:(random),sandbox=true", {"agent": "random", "sandbox": "true"}),
    ],
)
def test_specs_of_scripts(text: str, params: dict[str, str]) -> None:
    spec = Spec.parse(text)
    assert spec.params == params
    assert Spec.parse(str(spec)) == spec


def test_the_files_of_a_script_are_part_of_the_match(left: Left) -> None:
    spec = write_bot()
    match = Match("connect_four", (spec, "random"), seed=1)
    run_match(match, 1, file=FILE)
    assert set(read_records(FILE)[0].files) == {"./bot.py"}
    with Path("bot.py").open("a") as file:
        file.write("# another\n")
    with pytest.raises(BadRecord, match=r"played with another \./bot\.py"):
        run_match(match, 2, file=FILE, resume=True)
    left.nothing()


@pytest.mark.parametrize("name", games())
def test_numbers_in_positions_are_exact_in_every_language(name: str) -> None:
    """JavaScript holds integers up to 2^53. Nothing larger is in a position, nor in a sample of one; and what is told
    is the whole position."""

    def numbers(value: Any) -> Iterator[float]:
        if isinstance(value, dict | list):
            for part in value.values() if isinstance(value, dict) else value:
                yield from numbers(part)
        else:
            yield value

    game = bw.game(name)
    for seats in {game.seats[0], game.seats[-1]}:
        state, chance = game.new(seed=seats, seats=seats), random.Random(seats)
        while not state.is_terminal:
            seat = state.player
            seen = state.observation(seat)
            for position in (seen, seen.determinize(seed=3)):
                told = json.loads(json.dumps(position_as_json(game, position.record)))
                assert max(map(abs, numbers(told))) < 2**53
            known = position_from_json(game, position_as_json(game, seen.record))
            assert bytes(known) == bytes(seen)
            state.apply(chance.choice(state.legal_actions()))


def test_a_hand_of_cards_travels_as_their_numbers() -> None:
    game = bw.game("race")
    state = game.new(seed=1)
    told = position_as_json(game, state.observation(0).record)
    assert len(told["hand"]) == 4
    assert len(told["hand"][0]) == 6  # of which two are given away
    assert all(0 <= card < 114 for card in told["hand"][0])
    assert told["hand"][1] == []


ESCAPES = "first\n\x1b]0;owned\x07\x1b[31mred\x9b2J\u202e"


@pytest.mark.parametrize("where", ["summary", "note", "name", "error", "type", "garbage", "standard error"])
def test_control_characters_of_a_script_never_reach_a_terminal(
    where: str, left: Left, capsys: pytest.CaptureFixture[str]
) -> None:
    """Colours of our own do; so what is searched for are escapes that only the script can have said."""
    said = {
        "summary": f"play(message, summary={ESCAPES!r})",
        "note": f"play(message, reasons=[dict(action=message['legal'][0]['action'], note={ESCAPES!r})])",
        "name": "play(message)",
        "error": f"say(type='error', reason={ESCAPES!r})",
        "type": f"say(type={ESCAPES!r})",
        "garbage": f"print({ESCAPES.splitlines()[1]!r}, flush=True)",
        "standard error": f"sys.stderr.write({ESCAPES!r}); sys.exit(1)",
    }[where]
    spec = write_bot(decide=said, ready=f", name={ESCAPES!r}" if where == "name" else "")
    failing = int(where not in ("summary", "note", "name"))
    run_command("explain", "connect_four", spec, code=failing)
    run_command("script", "check", spec, "connect_four", "--full", code=failing)
    run_command("match", "connect_four", spec, "random", "-n", "1", "--record", str(FILE))
    run_command("replay", str(FILE), "--all")
    out, err = capsys.readouterr()
    for shown in (out, err):
        for escape in ("\x1b]", "\x07", "\x1b[31m", "\x9b", "\u202e"):
            assert escape not in shown
    if where != "name":
        assert "owned" in out + err or "owned" in FILE.read_text()
    left.nothing()


def test_an_edited_record_cannot_write_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    record = Match("kuhn_poker", ("random", "random"), seed=1).play(0)
    spoiled = record.model_copy(update={"agents": [f"random{ESCAPES}", "random"], "substitutions": []})
    FILE.write_text(spoiled.line())
    for command in (["replay", str(FILE), "--all"], ["review", str(FILE)]):
        run_command(*command)
        out = capsys.readouterr().out
        assert "owned" in out
        assert not any(escape in out for escape in ("\x1b]", "\x1b[31m", "\x9b", "\u202e"))


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ('{"type":"action","action":"0"}', "action: Input should be a valid integer"),
        ('{"type":"action","action":0.0}', "action: Input should be a valid integer"),
        ('{"type":"action","action":false}', "action: Input should be a valid integer"),
        ('{"type":"action","action":NaN}', "action: Input should be a valid integer"),
        ('{"type":"action","action":1e400}', "action: Input should be a valid integer"),
        (
            '{"type":"action","action":9007199254740992}',
            "action: Input should be less than or equal to 9007199254740991",
        ),
        ('{"type":"action","action":0,"reasons":[{"action":0,"value":NaN}]}', "value: Input should be a finite number"),
        (
            '{"type":"action","action":0,"reasons":[{"action":0,"weight":-1}]}',
            "weight: Input should be greater than or equal to 0",
        ),
        ('{"type":"action","action":0,"reasons":[{"action":0,"value":-Infinity}]}', "Input should be a finite number"),
        ('{"type":"action","action":0,"reasons":[{"action":0,"value":1e999}]}', "Input should be a finite number"),
        ('{"type":"action","action":0,"reasons":[{"action":0,"value":"1"}]}', "value: Input should be a valid number"),
        ('{"type":"action","action":0,"reasons":[{"action":0,"visits":-1}]}', "visits: Input should be greater than"),
        ('{"type":"action","action":0,"reasons":[{"action":0,"visits":1' + "0" * 30 + "}]}", "visits: Input should be"),
        ('{"type":"action","action":0,"summary":7}', "summary: Input should be a valid string"),
        ('{"type":"ready","protocol":"1"}', "protocol: Input should be 1"),
        ('{"type":"ready","protocol":true}', "protocol: Input should be 1"),
        ('{"type":"ready","protocol":1,"fresh":1}', "fresh: Input should be a valid boolean"),
        ('{"type":"ask","requests":[{"op":"sample","count":"2"}]}', "count: Input should be a valid integer"),
        ('{"type":"ask","requests":[{"op":"apply","handles":[0],"actions":[1.0]}]}', "Input should be a valid integer"),
    ],
)
def test_the_host_takes_what_the_schema_allows_and_nothing_else(answer: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        messages.parse(answer.encode())


def test_logs_are_named_after_the_command(left: Left) -> None:
    """Not after what runs it: two bots in JavaScript have two logs."""
    game = bw.game("connect_four")
    for spec, log in (
        ("script:node bots/first.js --depth=3", "node_first.js_--depth_3.log"),
        ("script:./first.py", "first.py.log"),
        (f"script:{sys.executable} {EXAMPLES / 'first.py'}", f"{Path(sys.executable).name}_first.py.log"),
        ("isolated:uct:iterations=5", "uct.log"),
        ("script:./first.py,log=mine.txt", "mine.txt"),
    ):
        Path("first.py").touch()
        agent: Any = bw.agent(spec, game, 0)
        assert Path(agent._program.log).name == log
        agent.close()
    long = [bw.agent(f"script:sh -c {'x' * 200}{end}", game, 0) for end in "ab"]
    logs = {Path(agent._program.log).name for agent in long}  # type: ignore[attr-defined]
    assert len(logs) == 2
    assert all(len(name) < 200 for name in logs)
    left.nothing()


def test_the_schema_is_what_the_models_say() -> None:
    assert json.loads(messages.SCHEMA.read_text()) == json.loads(json.dumps(messages.schema()))


def test_the_check_shows_an_author_what_is_wrong(capsys: pytest.CaptureFixture[str], left: Left) -> None:
    run_command("script", "check", str(EXAMPLES / "first.py"), "kuhn_poker")
    said = capsys.readouterr().out
    assert '   2 < {"type": "ready", "protocol": 1' in said
    assert "2 games, " in said
    for body, complaint, hint in (
        ("print('hm', flush=True)", "after line 4 of the conversation: not JSON: 'hm'", "for answers only"),
        ("time.sleep(600)", "late: no answer within 0.5 seconds", "flushed"),
        ("say(type='action', action='x')", "action: Input should be a valid integer", ""),
        ("say(type='action', act=1)", "action: Field required", ""),
        ("say(action=1)", 'there is no "type"', ""),
        ("say(type='move', action=1)", "unknown type", ""),
        ("play(message, mood='good')", "mood: Extra inputs are not permitted", ""),
        ("play(message, reasons=[dict(action=99)])", "gave a reason for action 99, which does not exist", ""),
    ):
        spec = write_bot(decide=body)
        run_command("script", "check", f"{spec},seconds=0.5", "connect_four", code=1)
        said, err = capsys.readouterr()
        assert complaint in err
        assert hint in said
    left.nothing()


def test_a_script_from_an_entry_point(tmp_path: Path, left: Left) -> None:
    """A package names its file; nothing of the package is imported."""
    package, info = tmp_path / "bots", tmp_path / "bots-2.5.dist-info"
    package.mkdir()
    info.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('imported')")
    (package / "first.py").write_text((EXAMPLES / "first.py").read_text())
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bots\nVersion: 2.5\n")
    (info / "entry_points.txt").write_text("[boardwright.scripts]\nfirst_bot = bots:first.py\n")
    code = (
        "import boardwright as bw\n"
        "result = bw.match('connect_four', 'first_bot:seconds=30', 'random', games=2, seed=1)\n"
        "assert result.records[0].packages['bots'] == '2.5', result.records[0].packages\n"
        "from boardwright.web.specs import agents_for_pages\n"
        "names = agents_for_pages(bw.game('connect_four'))\n"
        "assert 'first_bot' in names and 'script' not in names and 'isolated' not in names\n"
    )
    environment = {"PYTHONPATH": f"{tmp_path}:{Path(bw.__file__).parents[1]}"}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    left.nothing()


def test_the_recorded_conversation_plays_again(left: Left) -> None:
    """A parrot says the script's lines of docs/scripts.md; the host must say its own."""
    page = (Path(__file__).parents[1] / "docs" / "scripts.md").read_text()
    block = re.search(r"<!-- conversation: kuhn_poker, seed 3, seat 0 -->\n```\n(.*?)\n```", page, re.DOTALL)
    assert block is not None
    recorded = [(line[0], json.loads(line[2:])) for line in block[1].splitlines()]
    Path("recorded.json").write_text(json.dumps(recorded))
    Path("parrot.py").write_text(
        "import json, sys\n"
        "for who, message in json.load(open('recorded.json')):\n"
        "    if who == '<':\n"
        "        print(json.dumps(message), flush=True)\n"
        "    else:\n"
        "        print(sys.stdin.readline(), file=sys.stderr, end='', flush=True)\n"
        "sys.stdin.read()\n"
    )
    game = bw.game("kuhn_poker")
    script = bw.agent("script:./parrot.py,log=said.txt", game, 0, seed=2**63 + 7 * 2**20)
    play_game(game.new(seed=3), [script, bw.agent("random", game, 1, seed=3)])
    script.close()
    wait_until(lambda: Path("said.txt").read_text().count("\n") == 5)
    end_idle()

    def timeless(message: dict[str, object]) -> dict[str, object]:
        return {key: value for key, value in message.items() if key not in ("time", "host", "rules")}

    said = [json.loads(line) for line in Path("said.txt").read_text().splitlines()]
    expected = [message for who, message in recorded if who == ">"]
    for message in (*said, *expected):
        messages.from_host.validate_python(message)
    assert list(map(timeless, said)) == list(map(timeless, expected))
    assert [list(message) for message in said] == [list(message) for message in expected]  # in the same order
    for who, message in recorded:
        if who == "<":
            messages.parse(json.dumps(message).encode())
    left.nothing()


def test_a_script_that_ends_at_its_first_hello_is_not_started_again(left: Left) -> None:
    """Only one that has played before may have ended because it wants a new process."""
    spec = write_bot(hello="print('here', file=sys.stderr, flush=True); sys.exit(4)")
    with pytest.raises(BadSpec, match="exit code 4"):
        Match("connect_four", (f"{spec},log=log.txt", "random")).check()
    assert Path("log.txt").read_text().splitlines() == ["here"]
    left.nothing()


def test_time_that_is_left_is_counted_in_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "time", SimpleNamespace(monotonic=lambda: 10.0))
    assert [process._milliseconds(deadline) for deadline in (12.5, 10.0, 9.0)] == [2500.0, 0.0, 0.0]


def test_a_request_asks_for_a_hundred_thousand_samples_at_most() -> None:
    assert messages.Sample(op="sample", count=100_000).count == 100_000
    with pytest.raises(pydantic.ValidationError):
        messages.Sample(op="sample", count=100_001)


def test_an_agent_that_has_failed_waits_for_no_answer(left: Left) -> None:
    """Or it would end the next process, which has done nothing wrong, instead of saying goodbye."""
    game = bw.game("connect_four")
    agent: Any = bw.agent(write_bot(decide="os._exit(3)"), game, 0)
    observation = game.new(seed=1).observation(0)
    agent.start_game(observation)
    with pytest.raises(ScriptFailed, match="ended itself with exit code 3"):
        agent.decide(observation)
    assert (agent._process, agent._busy) == (None, False)
    agent.close()
    left.nothing()
