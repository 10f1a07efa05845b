"""The host's side of a conversation with a script, without a script: what is sent when, by which deadline, and what
becomes of every answer."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import boardwright as bw
from boardwright.errors import BadSpec
from boardwright.kernel import Game, State
from boardwright.scripts import agent as scripts
from boardwright.scripts import rules
from boardwright.scripts.process import ScriptFailed

READY, ZERO = '{"type":"ready","protocol":1}', '{"type":"action","action":0}'
NOW = 1000.0


def second_to_move(game: Game) -> State:
    state = game.new(seed=0)
    state.apply(3)
    return state


class Stub:
    """A process that says what it was made with, and keeps what it is sent. An exception is raised instead."""

    def __init__(self, *says: Any) -> None:
        self.says, self.sent, self.deadlines = list(says), [], []  # type: ignore[var-annotated]
        self.games, self.ends, self.more = 0, [], False  # type: ignore[var-annotated]

    def new_game(self) -> None:
        self.games += 1

    def has_more_output(self) -> bool:
        return self.more

    def send(self, line: bytes, deadline: float) -> None:
        self.sent.append(json.loads(line))
        self.deadlines.append(round(deadline - NOW, 3))

    def receive(self, deadline: float) -> bytes:
        said = self.says.pop(0)
        if isinstance(said, Exception):
            raise said
        return str(said).encode()

    def end(self, how: str = "end") -> str:
        self.ends.append(how)
        return "ended itself with exit code 3" if how == "gone" else ""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which passes when somebody changes it."""
    now = [NOW]
    for module in (scripts, rules):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch, clock: list[float], connect_four: Game) -> Any:
    """An agent with a stub; what is given back goes into `back`."""
    Path("bot.py").touch()
    back: list[Any] = []
    monkeypatch.setattr(scripts, "give_back", back.append)

    def begin(*says: Any, spec: str = "script:./bot.py", then: Stub | None = None) -> tuple[Any, Stub]:
        stub = Stub(*says)
        monkeypatch.setattr(scripts, "take", lambda program: stub)
        monkeypatch.setattr(scripts, "ScriptProcess", lambda program: then)
        made: Any = bw.agent(spec, connect_four, 1, seed=2**64 - 1)
        made.back = back
        return made, stub

    return begin


def test_hello_says_what_the_game_is(talk: Any, connect_four: Game) -> None:
    script, stub = talk(READY)
    script.start_game(second_to_move(connect_four).observation(1))
    (hello,) = stub.sent
    assert hello["type"] == "hello"
    assert (hello["seats"], hello["seat"], hello["num_actions"]) == (2, 1, connect_four.num_actions)
    assert (hello["game"], hello["options"]) == ("connect_four", {})
    assert hello["rules"].startswith("boardwright ")
    assert hello["host"] == f"boardwright {bw.__version__}"
    assert hello["seat_names"] == [connect_four.seat_name(seat) for seat in (0, 1)]
    assert hello["seed"] == 2**53 - 1, "every language holds it"
    assert hello["position"]["board"] == [[0, 0, 0, 1, 0, 0, 0], *[[0] * 7] * 5]
    assert hello["limits"] == {
        "seconds": 10, "game_seconds": 600, "start_seconds": 60, "memory_mb": 1024, "cpu_seconds": 1200,
        "processes": 32,
    }  # fmt: skip
    assert stub.deadlines == [60.0]
    assert (stub.games, script.asked_if_forced) == (1, False)
    assert Path("script-logs").is_dir()


def test_a_decision_has_the_time_that_is_left_and_tells_what_happened(
    talk: Any, connect_four: Game, clock: list[float]
) -> None:
    """Ten seconds each, twelve in all: the third has what the others have left, in milliseconds."""
    script, stub = talk('{"type":"ready","protocol":1,"positions":true,"forced":true}', ZERO, ZERO, ZERO,
                        spec="script:./bot.py,seconds=10,game_seconds=12")  # fmt: skip
    state = connect_four.new(seed=0)
    script.start_game(state.observation(1))
    assert script.asked_if_forced
    state.apply(3)
    script.observe_text(0, "drops into 4")
    script.observe_action(0, 3, state.observation(1))
    script.observe_action(0, 3, state.observation(1))
    receive = stub.receive

    def slowly(deadline: float) -> bytes:
        clock[0] += 5.5004
        return receive(deadline)

    stub.receive = slowly  # type: ignore[method-assign]
    for _ in range(3):
        assert script.decide(state.observation(1)).action == 0
    decisions = [message for message in stub.sent if message["type"] == "decide"]
    assert [(message["move"], message["time"]) for message in decisions] == [
        (2, {"decision": 10.0, "game": 12.0}),
        (3, {"decision": 6.5, "game": 6.5}),
        (4, {"decision": 0.999, "game": 0.999}),
    ]
    assert stub.deadlines[1:] == [10.0, 12.0, 12.0]
    first, second = decisions[0]["events"]
    assert (first["seat"], first["action"], first["text"]) == (0, 3, "drops into 4")
    assert second["text"] is None, "it was of the event before"
    assert first["position"]["board"][0] == [0, 0, 0, 1, 0, 0, 0]
    assert [message["events"] for message in decisions[1:]] == [[], []]
    assert [option["action"] for option in decisions[0]["legal"]] == list(range(7))
    assert decisions[0]["legal"][3]["text"] == connect_four.describe(state.observation(1), 3)
    stub.says.append(ZERO)
    assert script.decide(state.observation(1)).action == 0
    assert stub.sent[-1]["time"] == {"decision": 0.0, "game": 0.0}, "and never less than nothing"


def test_reasons_go_along_and_must_be_of_actions_that_exist(talk: Any, connect_four: Game) -> None:
    given = '[{"action":6,"value":0.5,"weight":0.25,"visits":9,"note":"good"},{"action":0}]'
    script, _ = talk(READY, f'{{"type":"action","action":2,"reasons":{given},"summary":"why"}}')
    observation = second_to_move(connect_four).observation(1)
    script.start_game(observation)
    decision = script.decide(observation)
    assert (decision.action, decision.summary) == (2, "why")
    first, second = decision.reasons
    assert (first.action, first.value, first.weight, first.visits, first.note) == (6, 0.5, 0.25, 9, "good")
    assert (second.action, second.value) == (0, None)
    for action in (-1, connect_four.num_actions):
        script, stub = talk(READY, f'{{"type":"action","action":2,"reasons":[{{"action":{action}}}]}}')
        script.start_game(observation)
        with pytest.raises(ScriptFailed, match=f"gave a reason for action {action}, which does not exist"):
            script.decide(observation)
        assert stub.ends == ["end"]


@pytest.mark.parametrize(
    ("answer", "complaint", "how"),
    [
        (READY, 'answered decide with "ready", not "action" or "ask"', "end"),
        ('{"type":"error","reason":"lost"}', "lost", "end"),
        ('{"type":"action","action":7}', "action 7 is not legal now; legal: 0 (", "end"),
        (TimeoutError(), "late: no answer within 10 seconds", "end"),
        (EOFError("closed its standard output"), "closed its standard output; ended itself with exit code 3", "gone"),
        ("go", "not JSON: 'go'", "end"),
    ],
)
def test_what_fails_ends_the_process_and_says_why(
    talk: Any, connect_four: Game, answer: Any, complaint: str, how: str
) -> None:
    script, stub = talk(READY, answer)
    observation = second_to_move(connect_four).observation(1)
    script.start_game(observation)
    with pytest.raises(ScriptFailed) as failed:
        script.decide(observation)
    assert str(failed.value).startswith(complaint)
    assert stub.ends == [how]
    script.end_game(observation, [0, 0], [0, 0])
    script.close()
    assert len(stub.sent) == 2, "nobody talks to it any more"
    assert script.back == []


def test_who_speaks_without_being_asked_has_failed(talk: Any, connect_four: Game) -> None:
    script, stub = talk(READY)
    observation = second_to_move(connect_four).observation(1)
    script.start_game(observation)
    stub.more = True
    with pytest.raises(ScriptFailed, match="spoke without being asked"):
        script.decide(observation)


def test_after_a_failure_a_new_process_is_told_all_that_happened(
    talk: Any, connect_four: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, _ = talk(READY, '{"type":"error","reason":"lost"}')
    state = connect_four.new(seed=0)
    script.start_game(state.observation(1))
    state.apply(3)
    script.observe_action(0, 3, state.observation(1))
    with pytest.raises(ScriptFailed, match="lost"):
        script.decide(state.observation(1))
    script.observe_action(1, 0, state.observation(1))
    again = Stub(READY, ZERO)
    monkeypatch.setattr(scripts, "take", lambda program: again)
    script.decide(state.observation(1))
    assert [event["action"] for event in again.sent[-1]["events"]] == [3, 0]


@pytest.mark.parametrize(("played", "tries"), [(0, 1), (1, 2)])
def test_who_leaves_after_a_game_is_started_again_once(talk: Any, connect_four: Game, played: int, tries: int) -> None:
    """A process that ends at its first hello has failed; one that has played before may have ended for that."""
    second = Stub(READY)
    script, first = talk(EOFError("closed its standard output"), then=second)
    first.games = played
    observation = second_to_move(connect_four).observation(1)
    if tries == 1:
        with pytest.raises(BadSpec, match=r"script \./bot\.py is not ready: closed its standard output; ended itself"):
            script.check_seats(2)
        assert first.ends == ["gone"]
        return
    script.start_game(observation)
    assert (first.ends, second.games, script._process) == (["end"], 1, second)
    script, first = talk(EOFError("closed"), then=Stub(EOFError("closed too")))
    first.games = played
    with pytest.raises(ScriptFailed, match="closed too"):
        script.start_game(observation)


def test_hello_is_answered_with_ready(talk: Any) -> None:
    script, _ = talk(ZERO)
    with pytest.raises(BadSpec, match='answered hello with "action", not "ready"'):
        script.check_seats(2)
    script, stub = talk(READY)
    script.check_seats(2)
    assert stub.sent[0]["position"] is None


@pytest.mark.parametrize(("fresh", "ends", "back"), [("false", [], 1), ("true", ["leave"], 0)])
def test_a_process_goes_back_unless_it_wants_a_new_one_for_each_game(
    talk: Any, connect_four: Game, fresh: str, ends: list[str], back: int
) -> None:
    script, stub = talk(f'{{"type":"ready","protocol":1,"fresh":{fresh}}}', ZERO)
    state = second_to_move(connect_four)
    script.start_game(state.observation(1))
    script.decide(state.observation(1))
    script.end_game(state.observation(1), [1.0, -1.0], [0.0, 0.0])
    end = stub.sent[-1]
    assert (end["type"], end["how"], end["returns"], end["scores"]) == ("end", "forfeit", [1.0, -1.0], [0.0, 0.0])
    assert end["position"]["board"][0] == [0, 0, 0, 1, 0, 0, 0]
    assert stub.deadlines[-1] == 10.0
    script.close()
    script.close()
    assert [message["type"] for message in stub.sent] == ["hello", "decide", "end"]
    assert (stub.ends, len(script.back)) == (ends, back)


def test_a_game_that_is_not_played_on_is_stopped(talk: Any, connect_four: Game) -> None:
    script, stub = talk(READY)
    script.start_game(connect_four.new(seed=0).observation(1))
    script.close()
    assert (stub.sent[-1]["type"], stub.sent[-1]["how"], stub.sent[-1]["position"]) == ("end", "stopped", None)
    assert script.back == [stub]


def test_who_does_not_listen_at_the_end_is_ended(talk: Any, connect_four: Game) -> None:
    script, stub = talk(READY)
    script.start_game(connect_four.new(seed=0).observation(1))

    def full(line: bytes, deadline: float) -> None:
        raise TimeoutError

    stub.send = full  # type: ignore[method-assign]
    script.close()
    assert (stub.ends, script.back, script._process) == (["end"], [], None)


def test_questions_are_answered_until_the_clock_says_no(talk: Any, connect_four: Game, clock: list[float]) -> None:
    ask = '{"type":"ask","requests":[{"op":"sample"},{"op":"legal","handles":[0]}]}'
    script, stub = talk(READY, ask, ask, ZERO, ask)
    observation = second_to_move(connect_four).observation(1)
    script.start_game(observation)
    assert script.decide(observation).action == 0
    answers = [message for message in stub.sent if message["type"] == "answers"]
    assert [[answer.get("handles") for answer in message["answers"]] for message in answers] == [
        [[0], None],
        [[1], None],
    ]
    assert stub.deadlines == [60.0, 10.0, 10.0, 10.0]
    service = script._rules

    def late(question: Any, deadline: float) -> None:
        raise TimeoutError

    service.answer = late
    with pytest.raises(ScriptFailed, match="late: what it asked for takes more than 10 seconds"):
        script.decide(observation)


def test_names_of_logs_are_cut_at_a_hundred_letters(talk: Any, connect_four: Game) -> None:
    for letters, cut in ((93, False), (94, True)):
        made: Any = bw.agent(f"script:./bot.py {'x' * letters}", connect_four, 0)
        name = Path(made._program.log).name
        assert name.startswith("bot.py_" + "x" * 90)
        assert (len(name) == 100 + len(".log")) != cut
        assert not cut or len(name) == 100 + 1 + 8 + len(".log")
    assert made.on_failure == "forfeit"
    assert made.observes_text


@pytest.mark.parametrize(
    "setting", ["seconds=0", "game_seconds=0", "start_seconds=0", "memory=0", "cpu=0", "processes=0"]
)
def test_limits_of_nothing_are_refused(setting: str, connect_four: Game) -> None:
    with pytest.raises(BadSpec, match=setting.partition("=")[0]):
        bw.agent(f"script:./bot.py,{setting}", connect_four, 0)


def test_limits_can_be_as_low_as_one(talk: Any, connect_four: Game) -> None:
    made: Any = bw.agent("script:./bot.py,seconds=0.5,memory=1,cpu=0.5,processes=1", connect_four, 0)
    assert (made._program.limits.memory, made._program.limits.processes, made._program.filter) == (1, 1, b"")
