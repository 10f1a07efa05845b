"""The parts of scripts, each for itself: the filter of system calls, the sandbox, bounds of messages, lines in pipes,
positions by handle."""

from __future__ import annotations

import errno
import os
import select
import struct
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.kernel import rng
from boardwright.scripts import messages, process, rules, sandbox, seccomp
from boardwright.scripts.limits import Limits
from boardwright.scripts.positions import _members, bit_words, position_as_json, position_from_json
from boardwright.scripts.process import Program, ScriptProcess, _in_a_pipe, _milliseconds, _sentence
from boardwright.scripts.rules import RulesService

# The filter of system calls

ALLOWED, KILLED = 0x7FFF0000, 0x80000000
FAILS = 0x00050000


def verdict(program: bytes, architecture: int, call: int, argument: int = 0) -> int:
    """What Linux does with a call: the filter's program run as the kernel runs it (seccomp(2), classic BPF)."""
    steps = list(struct.iter_unpack("=HBBI", program))
    data = {0: call, 4: architecture, 16: argument}
    at = loaded = 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        if code == 0x20:
            loaded = data[value]
        elif code == 0x06:
            return int(value)
        else:
            holds = {0x15: loaded == value, 0x35: loaded >= value, 0x45: loaded & value}[code]
            at += if_true if holds else if_false


@pytest.mark.parametrize(("machine", "elf", "sockets", "clone"), [("x86_64", 62, 41, 56), ("aarch64", 183, 198, 220)])
def test_the_filter_refuses_what_a_read_only_file_system_does_not_keep_out(
    machine: str, elf: int, sockets: int, clone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The calls by their numbers, sockets but for those of an empty network, processes in namespaces of their own, and
    any other machine's calls."""
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine=machine))
    program, own = seccomp.socket_filter(), 0xC0000000 | elf
    refused = (
        {29, 64, 68, 165, 240, 248, 249, 250, 272, 308}
        if machine == "x86_64"
        else {194, 190, 186, 40, 180, 217, 218, 219, 97, 268}
    )
    refused |= {425, 428, 429, 430, 432, 435, 447}
    for call in (*range(500), 0x3FFFFFFF):
        expected = FAILS | errno.ENOSYS if call in refused else ALLOWED
        if call != sockets:
            assert verdict(program, own, call) == expected, call
    for call in (0x40000000, 0x40000000 + sockets, 0xFFFFFFFF):
        assert verdict(program, own, call) == FAILS | errno.ENOSYS, "the other way to all calls"
    for family in range(50):
        expected = ALLOWED if family in (2, 10, 16) else FAILS | errno.EAFNOSUPPORT
        assert verdict(program, own, sockets, family) == expected, family
    for bit in range(32):  # the low ones are those of threads and processes as every C library starts them
        namespace = bit == 17 or 25 <= bit <= 30
        assert verdict(program, own, clone, 1 << bit) == (FAILS | errno.EPERM if namespace else ALLOWED), bit
    assert verdict(program, own + 1, 0) == KILLED


def test_a_sandbox_is_for_machines_whose_calls_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine="riscv64"))
    with pytest.raises(bw.errors.BadSpec, match="works on x86_64 and aarch64; on riscv64"):
        seccomp.socket_filter()


# The sandbox


def test_the_words_of_a_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """5 MB for each folder in memory; what is hidden looks empty; few variables go along."""
    monkeypatch.setattr(sandbox, "check_sandbox", lambda: "/usr/bin/bwrap")
    monkeypatch.setattr(sandbox, "cache_folder", lambda: Path("/nowhere/cache"))
    folder, file, missing = tmp_path / "folder", tmp_path / "file", tmp_path / "missing"
    folder.mkdir()
    file.touch()
    variables = {"PATH": "/bin", "SECRET": "x", "TZ": "UTC", "PYTHONPATH": ""}
    words = sandbox.sandboxed(["bot", "--deep"], variables, [folder, file, missing], 5)
    line = " ".join(words)
    assert line.startswith("/usr/bin/bwrap --ro-bind / / --dev /dev --proc /proc --remount-ro /dev")
    for part in (
        f"--size {5 * 2**20} --tmpfs /tmp",
        f"--size {5 * 2**20} --tmpfs /dev/shm",
        f"--size 4096 --tmpfs {folder} --remount-ro {folder}",
        f"--ro-bind {os.devnull} {file}",
        "--unshare-all --die-with-parent --new-session --cap-drop ALL --clearenv --seccomp 3",
        "--setenv PATH /bin --setenv TZ UTC --setenv PYTHONPATH ",
        "--setenv BOARDWRIGHT_CACHE /nowhere/cache --setenv HOME /tmp",
    ):
        assert f" {part} " in f"{line} ", part
    assert "SECRET" not in line
    assert str(missing) not in line
    assert words[-5:] == ("--chdir", str(Path.cwd()), "--", "bot", "--deep")
    monkeypatch.setattr(sandbox, "cache_folder", lambda: None)
    assert "BOARDWRIGHT_CACHE" not in sandbox.sandboxed(["bot"], {}, [], 5)
    assert sandbox.BWRAP_PROCESSES == 2, "bubblewrap and the first process inside (bwrap(1), --unshare-pid)"


def test_what_lies_in_tmp_is_bound_into_the_empty_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Folders that are named, those of files that are named, and those that Python searches; nothing else."""
    monkeypatch.setattr(sandbox, "cache_folder", lambda: tmp_path / "cache")
    for name in ("beside", "named", "searched", "cache", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "beside" / "bot").touch()
    (tmp_path / "here").mkdir()
    variables = {"PYTHONPATH": f"{tmp_path / 'searched'}:{tmp_path / 'gone'}"}
    command = [str(tmp_path / "beside" / "bot"), str(tmp_path / "named"), str(tmp_path / "gone"), "word"]
    found = sandbox._needed_from_tmp(tmp_path / "here", command, variables)
    if not tmp_path.is_relative_to("/tmp"):
        pytest.skip("temporary files lie elsewhere")
    ours = [Path(path).name for path in found if Path(path).parent == tmp_path]
    assert ours == ["beside", "cache", "here", "named", "searched"]
    before = list(map(str, Path("/tmp").iterdir()))
    whole = sandbox._needed_from_tmp(Path("/tmp"), [], {})
    assert "/tmp" not in whole
    assert {path for path in before if os.path.exists(path)} <= {*whole}, "what came meanwhile is others'"


# Messages

LARGEST = 2**53 - 1


@pytest.mark.parametrize(
    "message",
    [
        f'{{"type":"action","action":{LARGEST}}}',
        f'{{"type":"action","action":{-LARGEST}}}',
        '{"type":"action","action":0,"reasons":[{"action":0,"visits":0}]}',
        f'{{"type":"action","action":0,"reasons":[{{"action":0,"visits":{LARGEST}}}]}}',
        '{"type":"ask","requests":[{"op":"sample","count":1,"seed":0}]}',
        f'{{"type":"ask","requests":[{{"op":"sample","count":100000,"seed":{2**63 - 1}}}]}}',
        f'{{"type":"ask","requests":[{{"op":"playout","handles":[0,{LARGEST}],"seed":{2**63 - 1}}}]}}',
        '{"type":"ask","requests":[{"op":"playout","handles":[],"seed":0}]}',
    ],
)
def test_what_a_script_may_just_say(message: str) -> None:
    assert messages.parse(message.encode())


@pytest.mark.parametrize(
    "message",
    [
        f'{{"type":"action","action":{LARGEST + 1}}}',
        f'{{"type":"action","action":{-LARGEST - 1}}}',
        '{"type":"action","action":0,"more":1}',
        '{"type":"action","action":0,"reasons":[{"action":0,"visits":-1}]}',
        f'{{"type":"action","action":0,"reasons":[{{"action":0,"visits":{LARGEST + 1}}}]}}',
        '{"type":"ask","requests":[{"op":"sample","count":0}]}',
        '{"type":"ask","requests":[{"op":"sample","count":100001}]}',
        '{"type":"ask","requests":[{"op":"sample","seed":-1}]}',
        f'{{"type":"ask","requests":[{{"op":"sample","seed":{2**63}}}]}}',
        '{"type":"ask","requests":[{"op":"playout","handles":[],"seed":-1}]}',
        f'{{"type":"ask","requests":[{{"op":"playout","handles":[],"seed":{2**63}}}]}}',
        '{"type":"ask","requests":[{"op":"legal","handles":[-1]}]}',
        f'{{"type":"ask","requests":[{{"op":"legal","handles":[{LARGEST + 1}]}}]}}',
        '{"type":"ready","protocol":2}',
    ],
)
def test_what_a_script_may_no_longer_say(message: str) -> None:
    with pytest.raises(ValueError, match=r"Input should be|Extra inputs|valid integer"):
        messages.parse(message.encode())


def test_what_a_script_leaves_out_is_what_most_scripts_mean() -> None:
    ready = messages.parse(b'{"type":"ready","protocol":1}')
    assert ready == messages.Ready(type="ready", protocol=1, name="", fresh=False, positions=False, forced=False)
    sample = messages.Sample(op="sample")
    assert (sample.count, sample.seed) == (1, None)
    with pytest.raises(ValueError, match="frozen"):
        sample.count = 2  # type: ignore[misc]
    assert messages.VERSION == 1
    assert messages.encode({"type": "end", "a": [1, "ä"]}) == '{"type":"end","a":[1,"ä"]}\n'.encode()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"x" * 80, "not JSON: '" + "x" * 80 + "'"),
        (b"x" * 81, "not JSON: '" + "x" * 80 + "' …"),
        (b"[1]", "not a JSON object: '[1]'"),
        (b"{}", """there is no "type" in '{}'; it should be "ready", "action" or "ask\""""),
        (b'{"type":"go"}', "unknown type in "),
        (b'{"type":"ask","requests":[{"op":"go"}]}', "unknown request in "),
        (b'{"type":"action","action":"0"}', "action: Input should be a valid integer, in "),
    ],
)
def test_what_is_wrong_with_a_line_is_said_with_its_beginning(line: bytes, complaint: str) -> None:
    with pytest.raises(ValueError, match=r"^[\s\S]*$") as refused:
        messages.parse(line)
    assert str(refused.value).startswith(complaint)
    if line.startswith(b"x"):
        assert str(refused.value) == complaint


# Positions


def test_sets_are_lists_of_their_members_and_back() -> None:
    """Words of 60 bits: member 61 is the second bit of the second word."""
    words = [[1 << 5, 1 << 1], [0, (1 << 59) | 1]]
    listed = [[5, 61], [60, 119]]
    assert _members(words, 60) == listed
    assert bit_words(listed, 60, (2, 2)) == words
    assert bit_words([], 60, (3,)) == [0, 0, 0]


def test_positions_come_back_as_they_were_but_for_the_generator() -> None:
    """Race has sets of cards, and fields within fields."""
    game = bw.game("race")
    state = game.new(seed=3)
    fields = position_as_json(game, state.record)
    assert fields["rng"] == [0] * len(state.record.rng)
    assert all(isinstance(fields[name], list) for name in game.sets)
    again = position_from_json(game, fields).view(game.state)[0]
    for name in game.state.names or ():
        if name != "rng":
            np.testing.assert_array_equal(again[name], state.memory.view(game.state)[0][name], err_msg=name)


# Lines in pipes


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A process that is none: what it says can be written to `says`."""
    made: Any = ScriptProcess.__new__(ScriptProcess)
    made._output, made.says = os.pipe()
    made._readable = select.poll()
    made._readable.register(made._output, select.POLLIN)
    made._buffer = bytearray()
    yield made
    os.close(made._output)
    if made.says >= 0:
        os.close(made.says)


def test_lines_are_received_one_by_one(piped: Any) -> None:
    soon = time.monotonic() + 0.01
    assert not piped.has_more_output()
    os.write(piped.says, b"one\ntwo\nthr")
    assert piped.has_more_output()
    assert [piped.receive(soon), piped.receive(soon)] == [b"one", b"two"]
    assert piped.has_more_output(), "the beginning of the third"
    with pytest.raises(TimeoutError):
        piped.receive(soon)
    os.write(piped.says, b"ee\n\nfour\n")
    assert [piped.receive(soon), piped.receive(soon), piped.receive(soon)] == [b"three", b"", b"four"]
    assert not piped.has_more_output()
    assert not piped.has_ended()
    os.close(piped.says)
    piped.says = -1
    assert piped.has_ended()
    with pytest.raises(EOFError, match="closed its standard output"):
        piped.receive(soon)


def test_a_line_can_be_too_long(piped: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert process.LONGEST_LINE == 8_000_000
    monkeypatch.setattr(process, "LONGEST_LINE", 10)
    soon = time.monotonic() + 1
    os.write(piped.says, b"0123456789\n")
    assert piped.receive(soon) == b"0123456789"
    os.write(piped.says, b"0123456789")
    os.write(piped.says, b"0")
    with pytest.raises(ValueError, match="said a line of more than 10 bytes"):
        piped.receive(soon)


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("exit 3", "ended itself with exit code 3"),
        ("signal 9", "was ended by SIGKILL"),
        ("signal 999", "was ended by 999"),
        ("limit memory", "used more memory than it may"),
        ("limit cpu", "used more CPU seconds than it may in a game"),
        ("limit processes", "started more processes than it may"),
        ("ended", ""),
        ("", "its warden was killed"),
    ],
)
def test_how_a_script_has_ended_is_a_sentence(how: str, sentence: str) -> None:
    assert _sentence(how) == sentence


def test_a_filter_is_read_from_a_pipe() -> None:
    assert _in_a_pipe(b"") == -1
    open_ = len(os.listdir("/proc/self/fd"))
    ours = _in_a_pipe(b"filter")
    assert os.read(ours, 100) == b"filter"
    assert os.read(ours, 100) == b"", "its other end is closed"
    os.close(ours)
    assert len(os.listdir("/proc/self/fd")) == open_


def test_time_that_is_left_is_never_below_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    assert (_milliseconds(100.25), _milliseconds(99.0)) == (250.0, 0.0)


def test_eight_processes_of_a_program_wait_for_another_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ninth is asked to leave."""
    monkeypatch.setattr(process, "_idle", {})
    left: list[tuple[int, str]] = []
    program = Program(("bot",), Limits(), "", ())

    def waiting(number: int) -> Any:
        return SimpleNamespace(program=program, number=number, end=lambda how: left.append((number, how)))

    made = [waiting(number) for number in range(9)]
    for one in made:
        process.give_back(one)
    assert left == [(8, "leave")]
    assert process.take(program) is made[7]
    process.end_idle()
    assert [number for number, _ in left] == [8, 0, 1, 2, 3, 4, 5, 6]
    monkeypatch.setattr(process, "ScriptProcess", lambda wanted: ("new", wanted))
    assert process.take(program) == ("new", program)


# The rules as a service


def asked(service: RulesService, op: str, **request: Any) -> dict[str, Any]:
    ask = messages.Ask.model_validate({"type": "ask", "requests": [{"op": op, **request}]})
    answers = service.answer(ask)
    assert answers["type"] == "answers"
    (answer,) = answers["answers"]
    return dict(answer)


@pytest.fixture
def service(kuhn: bw.Game) -> RulesService:
    made = RulesService(kuhn, 2, 7)
    made.begin(kuhn.new(seed=1).observation(0))
    return made


def test_samples_derive_from_the_seed_that_is_given_or_from_the_scripts_own(kuhn: bw.Game) -> None:
    """Its own gives others each time."""
    observation = kuhn.new(seed=1).observation(1)
    service = RulesService(kuhn, 2, 7)
    service.begin(observation)
    asked(service, "sample", count=3, seed=5)
    asked(service, "sample", count=2)
    asked(service, "sample", count=2)
    kind = rng.Stream.SCRIPT_SAMPLES
    seeds = [(rng.derive(5, kind), 3), (rng.derive(7, kind, 1), 2), (rng.derive(7, kind, 2), 2)]
    row = 0
    for seed, count in seeds:
        for number in range(count):
            expected = observation.memory.copy()
            kuhn.entries.determinize(expected, 1, np.uint64(rng.derive(seed, number)))
            np.testing.assert_array_equal(service._states[row], expected)
            row += 1


def test_positions_stay_where_they_are_when_room_is_made(service: RulesService) -> None:
    """There is room for 64 at first."""
    first = asked(service, "sample", count=60, seed=1)["handles"]
    assert first == list(range(60))
    before = service._states[:60].copy()
    more = asked(service, "sample", count=100, seed=2)["handles"]
    assert more == list(range(60, 160))
    np.testing.assert_array_equal(service._states[:60], before)
    assert len(asked(service, "legal", handles=[*first, *more])["legal"]) == 160
    assert service._most == 2**28 // service.game.state.itemsize


def test_freed_places_are_taken_first_and_stay_free_if_there_are_too_few(
    service: RulesService, monkeypatch: pytest.MonkeyPatch
) -> None:
    service._most = 10
    asked(service, "sample", count=10)
    assert asked(service, "free", handles=[3, 3, 5]) == {"handles": []}
    for handle in (3, 5):
        assert asked(service, "legal", handles=[handle])["error"].startswith(f"there is no handle {handle};")
    assert asked(service, "sample", count=3)["error"] == "at most 10 positions can be held at once; free some"
    assert asked(service, "sample", count=2)["handles"] == [3, 5]
    assert asked(service, "legal", handles=[10])["error"].startswith("there is no handle 10;")
    service.begin(service._known)  # type: ignore[arg-type]
    assert asked(service, "legal", handles=[0])["error"].startswith("there is no handle 0;")
    assert asked(service, "sample", count=10)["handles"] == list(range(10))


def test_returns_are_given_of_games_that_are_over(service: RulesService) -> None:
    """In Kuhn poker two passes end the game."""
    assert asked(service, "sample", count=2)["handles"] == [0, 1]
    assert asked(service, "apply", handles=[0, 1, 0], actions=[0, 0, 0])["players"] == [1, 1, -1]
    over, under_way = asked(service, "returns", handles=[0, 1])["returns"]
    assert (len(over), under_way) == (2, None)
    assert sorted(over) == [-1.0, 1.0]
    found = asked(service, "legal", handles=[1, 0, 1])
    assert (found["players"], found["legal"]) == ([1, -1, 1], [[0, 1], [], [0, 1]])
    assert all(map(len, asked(service, "playout", handles=[0, 1], seed=1)["returns"]))
    assert asked(service, "apply", handles=[0], actions=[2**53 - 1])["error"].startswith(
        "action 9007199254740991 is not"
    )


def test_answers_have_bounds_in_time_and_number(service: RulesService, monkeypatch: pytest.MonkeyPatch) -> None:
    asked(service, "sample")
    ask = messages.Ask.model_validate({"type": "ask", "requests": [{"op": "legal", "handles": [0]}]})
    with pytest.raises(TimeoutError):
        service.answer(ask, time.monotonic() - 1)
    assert service.answer(ask, time.monotonic() + 60)["answers"]
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    assert service.answer(ask, now)["answers"], "just in time"
    assert rules.MOST_POSITIONS == 10_000
    monkeypatch.setattr(rules, "MOST_POSITIONS", 3)
    assert len(asked(service, "positions", handles=[0] * 3)["positions"]) == 3
    assert asked(service, "positions", handles=[0] * 4)["error"].startswith(
        "one request can ask for at most 3 positions"
    )
