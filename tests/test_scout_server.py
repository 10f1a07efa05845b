"""The server answers engines, and no engine can harm it or another one."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright.cbr.store import BadCaseBase, Store
from boardwright.cli import main
from boardwright.errors import AgentFailed, BadSpec, BoardwrightError, CannotWrite
from boardwright.kernel import TERMINAL, State
from boardwright.registry import make_agent
from boardwright.scout.commands.serve import agent_factory
from boardwright.scout.documents.reading import read_document
from boardwright.scout.documents.validation import check_choice
from boardwright.scout.documents.writing import document_text
from boardwright.scout.documents.xml_parsing import MAX_BYTES, parse
from boardwright.scout.problems.answering import ProblemAgent, answer
from boardwright.scout.problems.from_observation import problem_of
from boardwright.scout.problems.problem import TYPES, Choice, Problem
from boardwright.scout.problems.steps import next_step
from boardwright.scout.remote.client import Connection, Remote
from boardwright.scout.remote.conformance import check_server
from boardwright.scout.remote.connections import Connections
from boardwright.scout.remote.frames import Timeouts, receive_frame
from boardwright.scout.remote.messages import read_choice
from boardwright.scout.remote.server import Server
from boardwright.scout.remote.session import AgentFactory, Counters, Session
from boardwright.scout.run import Plan, Run
from tests.conftest import start, wait_until
from tests.scout_games import begin_store, sampled_questions

QUICK = Timeouts(idle=0.5, frame=0.3)
PATIENT = Timeouts(idle=120, frame=120)
"""For a machine that has much else to do."""


@contextmanager
def serving(spec: str = "heuristic", timeouts: Timeouts | None = None) -> Iterator[Server]:
    lines: list[str] = []
    with Server(AgentFactory(spec), "127.0.0.1", 0, log=lines.append, timeouts=timeouts) as server:
        server.lines = lines  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            server.close_connections()
            thread.join()


@contextmanager
def wire(server: Server) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as link:
        yield link


class Here(ProblemAgent):
    """The same as a server does, without a socket: the problem, an observation rebuilt from it, the agent's choice."""

    spec = "heuristic"

    def prepare(self) -> None:
        super().prepare()
        self.agent = AgentFactory(self.spec).make(self.seat, str(self.seed))

    def choose(self, problem: Problem) -> Choice:
        return answer(self.agent, problem)


def played(seed: int, player: Any) -> tuple[list[int], State]:
    """A game of this player against the heuristic, as actions."""
    game = bw.game("race")
    state, actions = game.new(seed=seed), []
    seats = [player, make_agent("heuristic", game, 1 - player.seat, seed=seed)]
    seats = seats if player.seat == 0 else seats[::-1]
    while (seat := state.player) != TERMINAL:
        actions.append(seats[seat].decide(state.observation(seat)).action)
        state.apply(actions[-1])
    return actions, state


def twins(server: Server, seed: int, spec: str) -> tuple[Remote, Here]:
    game, seat = bw.game("race"), seed % 2
    here = type("Here", (Here,), {"spec": spec})
    return Remote(game, seat, seed=seed, port=server.port), here(game, seat, seed=seed)


@pytest.mark.parametrize(
    ("spec", "games"),
    [
        ("heuristic", 8),
        ("random", 4),
        ("ismcts:iterations=20", 1),
        ("scout1", 1),
        ("scout2", 1),
        ("scout-hybrid:search=(netsearch:turns=2,determinizations=4)", 1),
    ],
)
def test_games_through_the_socket_are_the_games_played_in_process(spec: str, games: int) -> None:
    with serving(spec) as server:
        for seed in range(games):
            remote, here = twins(server, seed, spec)
            actions, state = played(seed, remote)
            remote.end_game(state.observation(remote.seat), state.returns, state.scores)
            remote.close()
            assert actions == played(seed, here)[0]
        assert server.counters.counts["failures"] == 0
        assert server.counters.counts["games"] == games


def test_scout_alone_plays_the_same_game_through_the_socket_as_at_the_table() -> None:
    """Cases are found by the problem, which a document says whole. (Partners get the true observation at the table, and
    know cards that were seen earlier.)"""
    game, spec = bw.game("race"), "scout2:rest=cases"
    with serving(spec) as server:
        for seed in range(2):
            remote = Remote(game, seed, seed=seed, port=server.port)
            at_the_table = AgentFactory(spec).make(seed, str(seed))
            assert played(seed, remote)[0] == played(seed, at_the_table)[0]
        assert server.counters.counts["failures"] == 0


def test_several_engines_play_at_once() -> None:
    with serving("random") as server:
        pairs = [twins(server, seed, "random") for seed in range(6)]
        found: dict[int, list[int]] = {}

        def play(seed: int) -> None:
            found[seed] = played(seed, pairs[seed][0])[0]

        threads = [threading.Thread(target=play, args=(seed,)) for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for seed, (_, here) in enumerate(pairs):
            assert found[seed] == played(seed, here)[0]


def some_document() -> str:
    return document_text(problem_of(sampled_questions()[40][0][0][0]))


def say(link: socket.socket, text: str | bytes) -> str:
    data = text if isinstance(text, bytes) else text.encode()
    link.sendall(len(data).to_bytes(4, "big") + data)
    reply = receive_frame(link, PATIENT)
    assert reply is not None
    return reply.decode()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "an empty document"),
        (b"\xff\xfe", "not UTF-8"),
        ("hello", "broken XML"),
        ("<RftgStateCase>", "broken XML"),
        ("<Other/>", "where &lt;RftgStateCase&gt; is expected"),
        ("<RftgStateCase/>", "has no &lt;Type&gt;"),
        ("<a>" * 3000 + "</a>" * 3000, "nested more than 8 deep"),
        ('<!DOCTYPE z [<!ENTITY a "aa">]><RftgStateCase>&a;</RftgStateCase>', "no use for"),
        ('<!DOCTYPE z SYSTEM "file:///etc/passwd"><RftgStateCase/>', "no use for"),
        ("<GameOver/>", "should be yes, no or tie"),
        ('<GameOver winner="yes" score="many" opponent="1"/>', "'many' is not a whole number"),
    ],
)
def test_a_malformed_document_is_answered_with_the_reason_and_the_connection_lives_on(text: Any, reason: str) -> None:
    with serving() as server, wire(server) as link:
        reply = say(link, text)
        assert reply.startswith("<Error>")
        assert reason in reply
        assert say(link, some_document()).startswith("<Choice>")


def test_an_oversized_frame_is_refused_before_it_arrives() -> None:
    with serving(timeouts=PATIENT) as server, wire(server) as link:
        link.sendall((MAX_BYTES + 1).to_bytes(4, "big"))
        reply = receive_frame(link, PATIENT)
        assert reply is not None
        assert b"too large" in reply
        link.sendall(b" " * (MAX_BYTES + 1))
        assert say(link, some_document()).startswith("<Choice>"), "the connection lives on"


def test_a_frame_of_gigabytes_is_not_waited_for() -> None:
    with serving(timeouts=QUICK) as server, wire(server) as link:
        link.sendall(b"\xff\xff\xff\xff")
        reply = receive_frame(link, PATIENT)
        assert reply is not None
        assert b"too large" in reply
        assert receive_frame(link, PATIENT) is None, "the server has not closed the connection"


@pytest.mark.parametrize("sent", [b"", b"\x00", b"\x00\x00\x00\x09", b"\x00\x00\x00\x09<GameOv"])
def test_an_idle_or_slow_engine_is_disconnected(sent: bytes) -> None:
    with serving(timeouts=QUICK) as server, wire(server) as link:
        link.sendall(sent)
        assert receive_frame(link, PATIENT) is None, "the server has not closed the connection"
        wait_until(lambda: answers(server))


def answers(server: Server) -> bool:
    """Whether an engine gets an answer. On a busy machine it may be too slow for the server itself: then ask again."""
    try:
        with Connection("127.0.0.1", server.port) as other:
            return other.request(some_document()).startswith(b"<Choice>")
    except (OSError, BoardwrightError):
        return False


def test_an_engine_that_drips_its_frame_is_disconnected() -> None:
    with serving(timeouts=QUICK) as server, wire(server) as link:
        link.sendall((1000).to_bytes(4, "big"))
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            drip(link, 900)  # fewer than were announced, so only the server can end it


def drip(link: socket.socket, number: int) -> None:
    for _ in range(number):
        link.sendall(b" ")
        time.sleep(0.03)


@pytest.mark.parametrize("sent", [b"", b"\x00\x00", b"\x00\x00\x10\x00<RftgState"])
def test_an_engine_that_drops_out_is_forgotten(sent: bytes) -> None:
    with serving() as server:
        with wire(server) as link:
            link.sendall(sent)
        wait_until(lambda: server.engines == 0 and len(server.lines) >= 2)  # type: ignore[attr-defined]


def test_there_is_a_limit_to_the_engines_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwright.scout.remote.connections.MAX_ENGINES", 1)
    with serving() as server, wire(server) as first:
        assert say(first, some_document()).startswith("<Choice>")
        with wire(server) as second:
            reply = receive_frame(second, PATIENT)
            assert reply == b"<Error>too many engines are connected</Error>"
            assert receive_frame(second, PATIENT) is None


def is_connected(link: socket.socket) -> bool:
    """Whether the server has not closed the connection by now."""
    link.setblocking(False)
    try:
        return link.recv(1) != b""
    except BlockingIOError:
        return True
    finally:
        link.setblocking(True)


def test_silent_engines_make_room_for_others_the_idlest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwright.scout.remote.connections.MAX_ENGINES", 3)
    monkeypatch.setattr("boardwright.scout.remote.connections.SAFE_SECONDS_AT_FIRST", 0.1)
    with serving() as server, wire(server) as playing:
        assert say(playing, some_document()).startswith("<Choice>")
        with wire(server) as first:
            wait_until(lambda: server.engines == 2)
            with wire(server) as second:
                wait_until(lambda: server.engines == 3)
                time.sleep(0.15)
                with wire(server) as third:
                    assert say(third, some_document()).startswith("<Choice>")
                    wait_until(lambda: not is_connected(first))
                    assert [is_connected(link) for link in (second, playing)] == [True, True]
                    assert say(playing, some_document()).startswith("<Choice>"), "who plays is not disturbed"
        wait_until(lambda: any("others need the room" in line for line in server.lines))  # type: ignore[attr-defined]


def test_an_engine_that_has_asked_makes_room_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwright.scout.remote.connections.MAX_ENGINES", 2)
    monkeypatch.setattr("boardwright.scout.remote.connections.SAFE_SECONDS", 0.0)
    with serving() as server, wire(server) as first, wire(server) as second:
        for link in (first, second, first):
            assert say(link, some_document()).startswith("<Choice>")
        wait_until(lambda: not any(link.is_answered for link in server.connections._links))
        with wire(server) as third:
            assert say(third, some_document()).startswith("<Choice>")
            assert is_connected(first)
            assert not is_connected(second), "it was silent for longer"


def test_the_idlest_is_whose_question_came_in_first_however_long_its_answer_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("boardwright.scout.remote.connections.MAX_ENGINES", 2)
    monkeypatch.setattr("boardwright.scout.remote.connections.SAFE_SECONDS", 0.0)
    with ExitStack() as sockets:
        one, two, three = (sockets.enter_context(socket.socket()) for _ in range(3))
        connections = Connections()
        early, late = connections.add(one, "here"), connections.add(two, "here")
        assert early is not None
        assert late is not None
        with early.answering(), late.answering():
            pass
        assert early.silent_since > late.silent_since
        assert connections.add(three, "here") is not None
        assert (early.dropped, late.dropped) == (True, False)


def test_one_address_cannot_take_all_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwright.scout.remote.connections.MAX_PER_ADDRESS", 1)
    with serving() as server, wire(server) as first:
        assert say(first, some_document()).startswith("<Choice>")
        with wire(server) as second:
            assert receive_frame(second, PATIENT) == b"<Error>too many engines are connected</Error>"
        elsewhere = socket.create_connection(("127.0.0.1", server.port), timeout=5, source_address=("127.0.0.2", 0))
        with elsewhere:
            assert say(elsewhere, some_document()).startswith("<Choice>")


def test_many_engines_may_connect_at_the_same_moment() -> None:
    """Before any of them is accepted."""
    with Server(AgentFactory("heuristic"), "127.0.0.1", 0) as server, ExitStack() as links:
        for _ in range(60):
            links.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=2))


def test_a_document_with_a_false_deck_is_refused_for_play() -> None:
    text = some_document()
    wrong = text.replace("<Deck>", "<Deck>99")
    session = Session(AgentFactory("heuristic"), print, Counters())
    assert "true size is needed" in session.reply(wrong.encode())
    assert session.reply(text.encode()).startswith("<Choice>")


BROKEN_AGENT = '''
from boardwright import Agent


class Broken(Agent):
    """Fails."""

    def decide(self, observation):
        raise RuntimeError("no idea")
'''


def test_an_agent_that_fails_still_gives_a_legal_answer(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(BROKEN_AGENT)
    lines: list[str] = []
    session = Session(AgentFactory(str(file)), lines.append, Counters())
    for steps, _ in sampled_questions()[::7]:
        observation = steps[0][0]
        problem = problem_of(observation)
        choice = read_choice(session.reply(document_text(problem).encode()).encode())
        check_choice(problem, choice)
        assert next_step(observation, choice) in observation.legal_actions()
    assert session.counters.counts["failures"] == len(lines) > 0
    assert "no idea" in lines[0]


def test_an_agent_that_fails_is_not_served_at_all(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(BROKEN_AGENT)
    with pytest.raises(AgentFailed, match="fails at its first question: RuntimeError: no idea"):
        AgentFactory(str(file)).check()


def test_an_agent_that_cannot_be_made_is_no_reason_to_keep_an_engine_waiting() -> None:
    lines: list[str] = []
    session = Session(AgentFactory("nobody"), lines.append, Counters())
    assert session.reply(some_document().encode()).startswith("<Choice>")
    assert "unknown agent 'nobody'" in lines[0]


LEARNER = '''
from boardwright import Agent, Decision

TOLD = []


class Learner(Agent):
    """Remembers how games ended."""

    def decide(self, observation):
        return Decision(observation.legal_actions()[0])

    def start_game(self, observation):
        TOLD.append(("started", observation.seat))

    def end_game(self, observation, returns, scores):
        TOLD.append((observation.seat, self.seat, returns, scores))

    def close(self):
        TOLD.append("closed")
'''


def test_an_agent_hears_how_its_game_began_and_ended(tmp_path: Path) -> None:
    file = tmp_path / "learner.py"
    file.write_text(LEARNER)
    session = Session(AgentFactory(str(file)), print, Counters())
    ending = b'<GameOver winner="yes" score="31" opponent="28"/>'
    assert session.reply(ending) == "<Ok/>", "nobody to tell"
    session.reply(some_document().encode())
    assert session.reply(ending) == "<Ok/>"
    agent = AgentFactory(str(file)).make(0, "")
    seat = problem_of(sampled_questions()[40][0][0][0]).me.seat
    returns, scores = ((1.0, 0.0), (31.0, 28.0)) if seat == 0 else ((0.0, 1.0), (28.0, 31.0))
    told = sys.modules[type(agent).__module__].TOLD
    assert told == [("started", seat), (seat, seat, returns, scores), "closed"]


def test_a_learning_scout3_learns_from_the_games_that_it_is_served(tmp_path: Path) -> None:
    """All its agents share one case base, which nobody else can maintain meanwhile."""
    file = tmp_path / "served.db"
    begin_store(file, "default", 5)
    spec = f"scout3:learn=true,case_base={file}"
    with agent_factory(spec, 0) as factory:
        factory.check()
        sessions = [Session(factory, print, Counters()) for _ in range(2)]
        for session in sessions:
            for steps, _ in sampled_questions()[:60:3]:
                assert session.reply(document_text(problem_of(steps[0][0])).encode()).startswith("<Choice>")
            assert session.reply(b'<GameOver winner="yes" score="31" opponent="28"/>') == "<Ok/>"
            assert session.counters.counts["failures"] == 0
        with pytest.raises(CannotWrite, match="another process"), agent_factory(spec, 0):
            pass
    with Store(file) as store:
        assert store.game_count() == 2
        assert {"served game 1", "served game 2"} <= set(store.sources().values())
    with pytest.raises(BadSpec, match="learn=true needs case_base=FILE"), agent_factory("scout3:learn=true", 0):
        pass


def one_game(ask: Callable[[bytes], object], result: bytes) -> None:
    for steps, _ in sampled_questions()[:60:6]:
        ask(document_text(problem_of(steps[0][0])).encode())
    ask(result)


LOST = b'<GameOver winner="no" score="20" opponent="28"/>'


def test_eras_end_over_the_socket_too(tmp_path: Path) -> None:
    file = tmp_path / "served.db"
    begin_store(file, "default", 5)
    spec = f"scout3:learn=true,case_base={file}"
    with agent_factory(spec, 0, era=2) as factory:
        session = Session(factory, print, Counters())
        for _ in range(3):
            one_game(session.reply, LOST)
        assert session.counters.counts["failures"] == 0
    with Store(file) as store:
        assert store.last_era() == 1
        assert store.era_results() == [(0, 2)]
        assert store.game_count() == 3
    with pytest.raises(BadCaseBase, match="belongs to a run"), agent_factory(spec, 0, era=3):
        pass
    with pytest.raises(BadCaseBase, match="belongs to a run"):
        Run(file, Plan("", "heuristic", 1, 2))


def test_kill_9_takes_no_finished_game_from_a_learning_server(tmp_path: Path) -> None:
    """A full era whose end was not reached is ended by the next server."""
    file = tmp_path / "served.db"
    begin_store(file, "default", 5)
    command = [sys.executable, "-m", "boardwright", "scout", "serve", "--port", "0", "--era", "2", "--agent"]
    with start([*command, f"scout3:learn=true,case_base={file}"]) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().rpartition("port ")[2].partition(";")[0])
        with Connection("127.0.0.1", port) as connection:
            for _ in range(2):
                one_game(lambda data: connection.request(data.decode()), LOST)
            connection.request(some_document())
            process.kill()
    with Store(file) as store:
        assert store.era_results() == [(0, 2)]
        with store.transaction():  # as if it had been killed before the era was ended
            store.connection.execute("DELETE FROM eras WHERE era=1")
    with agent_factory(f"scout3:learn=true,case_base={file}", 0, era=2):
        pass
    with Store(file) as store:
        assert (store.game_count(), store.era_results()) == (2, [(0, 2)])


NOTHING_COMPILED = """
from numba.core import event
from boardwright.scout.documents.writing import document_text
from boardwright.scout.problems.from_observation import problem_of
from boardwright.scout.remote.session import AgentFactory, Counters, Session
from tests.scout_games import sampled_questions

asked = {problem_of(steps[0][0]).type: [] for steps, _ in sampled_questions()}
for steps, _ in sampled_questions():
    asked[problem_of(steps[0][0]).type].append(document_text(problem_of(steps[0][0])))
factory = AgentFactory("SPEC")
factory.check()
compiled = event.RecordingListener()
event.register("numba:compile", compiled)
session = Session(factory, print, Counters())
for documents in asked.values():
    for document in documents[:40]:
        assert session.reply(document.encode()).startswith("<Choice>")
print(len(asked), "types,", len(compiled.buffer), "compiled:", [found.data for _, found in compiled.buffer])
"""


def test_nothing_is_compiled_once_a_server_is_ready() -> None:
    """A compiler in the middle of a game would stall it for seconds. A process of its own: others may have compiled
    what is asked for."""
    program = NOTHING_COMPILED.replace("SPEC", "scout2")
    root = Path(__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root)}
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    assert found.stdout == "11 types, 0 compiled: []\n"


def test_no_damage_to_a_document_leaves_an_engine_without_an_answer() -> None:
    rng = random.Random(1)
    session = Session(AgentFactory("heuristic"), lambda _: None, Counters())
    choices = 0
    for steps, _ in sampled_questions()[::3]:
        data = bytearray(document_text(problem_of(steps[0][0])).encode())
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(data))
            if rng.random() < 0.5:
                data[at : at + rng.randrange(30)] = b""
            else:
                data[at] = rng.choice(b'0123456789<>.:"& \xff')
        root = parse(session.reply(bytes(data)).encode())
        assert root.tag in ("Choice", "Error")
        choices += root.tag == "Choice"
    assert choices > 20
    assert session.counters.counts["failures"] == 0


def complaints(errors: str) -> list[str]:
    """What was said on stderr, but for the notice of a compiler that is run for the first time."""
    return [line for line in errors.splitlines() if "compiling" not in line]


def test_the_command_prints_its_port_and_ends_cleanly_with_ctrl_c() -> None:
    command = [sys.executable, "-m", "boardwright", "scout", "serve", "--port", "0"]
    with start(command) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        port = int(line.rpartition("port ")[2].partition(";")[0])
        with Connection("127.0.0.1", port) as connection:
            assert connection.request(some_document()).startswith(b"<Choice>")
            process.send_signal(signal.SIGINT)
            rest, errors = process.communicate(timeout=20)
    assert process.returncode == 0, errors
    assert rest.splitlines()[-1] == "stopped: 0 games, 0 won, 1 questions, 0 failures"
    assert complaints(errors) == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--agent", "nobody"], "unknown agent 'nobody'"),
        (["--agent", "human"], "is a person"),
        (["--agent", "heuristic", "--case-base", "some.db"], "has no case base"),
        (["--host", "203.0.113.1"], "cannot listen on 203.0.113.1"),
        (["--port", "70000"], "'--port'"),
        (["--seed", "-1"], "a seed is a whole number"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["scout", "serve", "--port", "0", *arguments])
    assert exit_.value.code != 0
    (said,) = complaints(capsys.readouterr().err)
    assert reason in said


def test_a_client_says_when_there_is_no_server() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        with pytest.raises(BoardwrightError, match=r"nobody answers at 127\.0\.0\.1"):
            Connection("127.0.0.1", port)


def test_the_example_of_the_documentation_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parent.parent / "docs" / "scout-interface.md").read_text()
    (example,) = re.findall(r"```xml\n(.*?)```", text, re.DOTALL)
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    problem = read_document(example.encode()).problem
    assert document_text(problem) == example
    with serving() as server:
        exec(program.replace("4711", str(server.port)), {"document": example})
        assert server.counters.counts["games"] == 1
    answered = capsys.readouterr().out.strip()
    assert answered in [f"<Choice>{option}</Choice>" for option in ("34", "36", "61", "64", "14:0")]
    check_choice(problem, read_choice(answered.encode()))


def test_the_recorded_conversation_of_the_documentation_goes_as_it_went() -> None:
    text = (Path(__file__).parent.parent / "docs" / "scout-conversation.txt").read_text()
    exchanges = re.findall(r"engine, \d+ bytes:\n(.*?)\n\nserver:\n(.*?)\n", text, re.DOTALL)
    assert len(exchanges) == text.count("engine, ") == 7
    session = Session(AgentFactory("heuristic"), lambda line: None, Counters())
    for document, reply in exchanges:
        assert session.reply(document.encode()) == reply


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_a_client_in_another_language_gets_the_answers_of_the_recorded_conversation() -> None:
    root = Path(__file__).parent.parent
    conversation = root / "docs" / "scout-conversation.txt"
    client = root / "examples" / "engines" / "scout_client.mjs"
    with serving() as server:
        command = ["node", str(client), f"127.0.0.1:{server.port}", str(conversation)]
        printed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert printed.splitlines() == re.findall(r"\n\nserver:\n(.*?)\n", conversation.read_text())


def test_our_server_keeps_what_the_documentation_promises() -> None:
    with serving(timeouts=PATIENT) as server:
        checks = list(check_server("127.0.0.1", server.port, games=3, seed=0))
    assert [check.name for check in checks if not check.passed] == []
    assert len(checks) == 13


def test_a_server_that_answers_anything_is_found_out(capsys: pytest.CaptureFixture[str]) -> None:
    """It takes one option too many, acknowledges nothing and refuses nothing."""
    with serving(timeouts=PATIENT) as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Session, "reply", lambda self, data: "<Choice>1.1.1.1.1.1.1.1.1.1.1.1</Choice>")
        with pytest.raises(SystemExit, match="1"):
            main(["scout", "check", f"127.0.0.1:{server.port}", "--games", "3"])
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if line.startswith("ok")] == [
        "ok     11 of 11 types of question were asked in 3 games",
        "ok     the same game is answered in the same way",
    ]


def test_a_type_of_question_that_did_not_come_up_is_not_held_against_the_server(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardwright.scout.remote.conformance.TYPES", (*TYPES, 98))
    with serving(timeouts=PATIENT) as server, pytest.raises(SystemExit, match="0"):
        main(["scout", "check", f"127.0.0.1:{server.port}", "--games", "3"])
    said = capsys.readouterr().out
    assert "not asked 11 of 12 types of question were asked in 3 games: not type 98; give more --games" in said
    assert "BROKEN" not in said
    assert "all promises that were asked for are kept" in said
