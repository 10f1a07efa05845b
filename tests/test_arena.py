"""Matches: fair seats, exact records, and nothing lost when something goes wrong."""

from __future__ import annotations

import collections
import fcntl
import json
from pathlib import Path
from typing import Any

import pytest

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, parse_record, read_records, recover_records
from boardwright.arena.runner import default_record_file, run_match
from boardwright.errors import AgentFailed, BadRecord, BadSpec, BoardwrightError
from boardwright.executors import InProcess, Processes, local_executor
from tests.conftest import DICE_RACE

RANDOMS = Match("connect_four", ("random", "random"), seed=5)

FRAGILE = """
from boardwright import Agent, Decision

class Fragile(Agent):
    def decide(self, observation):
        legal = observation.legal_actions()
        if self.seed % 8 == 3 and len(legal) < 7:
            {failure}
        return Decision(legal[0])
"""

BOOKISH = """
from boardwright import Agent, Decision, param

class Bookish(Agent):
    book: str = param("", "a file with the number of a choice")
    partner: str = param("", "another agent")

    def decide(self, observation):
        legal = observation.legal_actions()
        return Decision(legal[int(open(self.book).read()) % len(legal)] if self.book else legal[0])
"""


@pytest.mark.parametrize(("entrants", "games"), [(2, 10), (3, 12), (4, 48), (5, 20), (7, 21)])
def test_every_entrant_sits_in_every_seat_equally_often(entrants: int, games: int) -> None:
    match = Match("g", tuple("abcdefg"[:entrants]), seed=9)
    seats = collections.Counter((entrant, seat) for i in range(games) for seat, entrant in enumerate(match.order(i)))
    assert set(seats.values()) == {games // entrants}
    assert all(sorted(match.order(i)) == list(range(entrants)) for i in range(games))


def test_games_of_a_match_do_not_depend_on_where_they_are_played() -> None:
    match = Match("kuhn_poker", ("ismcts:iterations=50", "random"), seed=2)
    alone = [match.play(index) for index in range(30)]
    together = sorted(Processes(2).run(match.play, range(30)), key=lambda record: record.index)
    assert alone == together


def test_matches_of_other_seeds_are_other_matches() -> None:
    first, second = (Match("connect_four", ("random", "random"), seed=seed).play(0) for seed in (1, 2))
    assert first.actions != second.actions


def test_copies_of_an_agent_do_not_share_their_luck() -> None:
    """Entrants get seeds of their own: in Colonizers' first experiment they did not, and that decided it."""
    record = RANDOMS.play(0)
    assert record.actions[0::2] != record.actions[1::2]


@pytest.mark.parametrize("game", ["connect_four", "kuhn_poker", str(DICE_RACE)])
def test_recorded_games_replay_exactly(game: str) -> None:
    match = Match(game, ("random", "random"), seed=1)
    for index in range(5):
        record = parse_record(match.play(index).line())
        final, last = list(record.replay())[-1]
        assert last is None
        assert final.is_terminal
        assert list(final.scores) == record.scores


def test_options_are_part_of_the_record() -> None:
    record = Match(str(DICE_RACE), ("random",) * 3, seed=1, options={"rounds": "2", "bust": "no"}).play(0)
    assert record.options == {"rounds": 2, "bust": False}
    assert len(record.actions) == 6
    assert list(record.replay())


def test_interrupted_match_resumes_to_the_same_result(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    whole = run_match(RANDOMS, 12, file=tmp_path / "whole.jsonl")
    file = tmp_path / "part.jsonl"
    played = 0
    original = Match.play

    def interrupted(self: Match, index: int) -> GameRecord:
        nonlocal played
        played += 1
        if played == 6:
            raise KeyboardInterrupt
        return original(self, index)

    monkeypatch.setattr(Match, "play", interrupted)
    part = run_match(RANDOMS, 12, file=file)
    assert part.interrupted
    assert part.standings.games == len(read_records(file)) == 5
    monkeypatch.setattr(Match, "play", original)
    resumed = run_match(RANDOMS, 12, file=file, resume=True)
    assert not resumed.interrupted
    assert resumed.standings == whole.standings
    assert sorted(file.read_text().splitlines()) == sorted((tmp_path / "whole.jsonl").read_text().splitlines())


def test_line_cut_off_by_a_crash_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    run_match(RANDOMS, 4, file=file)
    complete = file.read_bytes()
    file.write_bytes(complete[:-40])
    with pytest.raises(BadRecord, match="line 4: cut off"):
        read_records(file)
    assert run_match(RANDOMS, 4, file=file, resume=True).standings.games == 4
    assert file.read_bytes() == complete


def test_records_of_an_earlier_run_are_put_aside_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    run_match(RANDOMS, 3, file=file)
    run_match(RANDOMS, 2, file=file)
    assert len(read_records(file)) == 2
    assert len(read_records(tmp_path / "games.1.jsonl")) == 3


def test_two_matches_do_not_write_to_one_file(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    run_match(RANDOMS, 2, file=file)
    with file.open("a") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(BoardwrightError, match="another process is recording"):
            run_match(RANDOMS, 4, file=file, resume=True)
    assert len(read_records(file)) == 2


def test_game_recorded_twice_counts_once(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    run_match(RANDOMS, 3, file=file)
    file.write_text(file.read_text() * 2)
    assert run_match(RANDOMS, 4, file=file, resume=True).standings.games == 4


def test_games_of_another_match_are_not_continued(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    run_match(RANDOMS, 2, file=file)
    before = file.read_bytes()
    with pytest.raises(BadRecord, match="a game of another match"):
        run_match(Match("connect_four", ("random", "random"), seed=6), 4, file=file, resume=True)
    assert file.read_bytes() == before


@pytest.mark.parametrize("spec", ["{agent}:book={book}", "{agent}:partner=({agent}:partner=x,book={book})"])
def test_games_with_a_file_replaced_since_are_not_continued(tmp_path: Path, spec: str) -> None:
    agent, book, file = tmp_path / "bookish.py", tmp_path / "book.txt", tmp_path / "games.jsonl"
    agent.write_text(BOOKISH)
    book.write_text("0")
    match = Match("connect_four", (spec.format(agent=agent, book=book), "random"), seed=1)
    run_match(match, 2, file=file)
    assert run_match(match, 3, file=file, resume=True).standings.games == 3
    book.write_text("1")
    before = file.read_bytes()
    with pytest.raises(BadRecord, match=r"line 1: played with another .*book.txt, which has been replaced since"):
        run_match(match, 4, file=file, resume=True)
    assert file.read_bytes() == before
    book.write_text("0")
    assert run_match(match, 4, file=file, resume=True).standings.games == 4


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("failure", "complaint"),
    [
        ("raise RuntimeError('out of ideas')", "RuntimeError: out of ideas"),
        ("return Decision(99)", "action 99 is not legal now"),
        ("return None", r"decide\(\) must return a Decision, not None"),
        ("raise SystemExit(3)", "SystemExit: 3"),
    ],
)
def test_failing_agent_loses_no_finished_game(tmp_path: Path, jobs: int, failure: str, complaint: str) -> None:
    agent = tmp_path / "fragile.py"
    agent.write_text(FRAGILE.format(failure=failure))
    file = tmp_path / "games.jsonl"
    match = Match("connect_four", (str(agent), "random"), seed=1)
    with pytest.raises(AgentFailed, match=complaint) as error:
        run_match(match, 200, file=file, executor=local_executor(jobs))
    kept = len(read_records(file))
    assert kept > 0
    assert f"{kept} finished games are kept" in str(error.value)


@pytest.mark.parametrize(
    ("match", "complaint"),
    [
        (Match("connect_four", ("random",)), "needs 2 agents, one per seat; 1 given"),
        (Match("connect_four", ("random",) * 3), "needs 2 agents"),
        (Match("connect_four", ("random", "randm")), "did you mean 'random'"),
        (Match("conect_four", ("random", "random")), "did you mean 'connect_four'"),
        (Match("connect_four", ("random", "random"), seed=-1), "a seed is"),
        (Match("connect_four", ("random", "random"), options={"size": 3}), "unknown option"),
    ],
)
def test_mistakes_show_before_the_first_game(match: Match, complaint: str) -> None:
    with pytest.raises(BoardwrightError, match=complaint):
        run_match(match, 3)
    assert not Path("matches").exists()


GOOD = RANDOMS.play(0).model_dump()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 2: not JSON"),
        ("[1]", "line 2: not a game record"),
        ("[" * 100_000, "line 2: not JSON"),
        (json.dumps({**GOOD, "format": 99}), "record format 99 is not known"),
        (json.dumps({**GOOD, "actions": ["x"]}), "field actions.0"),
        (json.dumps({**GOOD, "colour": 1}), "field colour"),
        (json.dumps({**GOOD, "order": [5, 6]}), "order should name each entrant once"),
        (json.dumps({**GOOD, "scores": [1.0]}), "scores should have 2 entries"),
        (json.dumps({**GOOD, "agents": []}), "agents should have 2 entries"),
        (json.dumps({**GOOD, "index": -3}), "cannot be negative"),
        (json.dumps({k: v for k, v in GOOD.items() if k != "seed"}), "field seed"),
    ],
)
def test_corrupt_records_are_named_by_line(tmp_path: Path, line: str, complaint: str) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(RANDOMS.play(0).line() + line + "\n")
    for read in (read_records, recover_records):
        with pytest.raises(BadRecord, match=complaint):
            read(file)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"actions": GOOD["actions"][:-1]}, "stops before the game ends"),
        ({"actions": [0] * 8}, "move 7 does not fit the rules"),
        ({"scores": [9.0, 9.0]}, "the rules may have changed"),
        ({"game": "chess"}, "unknown game"),
        (
            {"seats": 3, "agents": ["random"] * 3, "scores": [0.0] * 3, "returns": [0.0] * 3, "order": [0, 1, 2]},
            "played with 2 seats",
        ),
    ],
)
def test_records_that_do_not_replay_say_why(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises((BadRecord, BadSpec, BoardwrightError), match=complaint):
        list(GameRecord.model_validate({**GOOD, **changes}).replay())


def test_game_that_revisits_positions_is_played_to_its_end(tmp_path: Path) -> None:
    """A token walks left and right until it falls off; an agent that chose alike in like positions would never stop."""
    file = tmp_path / "tug.py"
    file.write_text(TUG)
    records = list(InProcess().run(Match(str(file), ("random", "random"), seed=1).play, range(20)))
    assert len(records) == 20
    assert max(len(record.actions) for record in records) > 10


TUG = """
from boardwright.kernel import TERMINAL, Game, Rules, record, rule

@rule
def setup(s, seed, seats, options):
    s.token = 3

@rule
def player(s):
    return TERMINAL if s.token == 0 or s.token == 6 else s.turn

@rule
def legal(s, out):
    out[0], out[1] = 0, 1
    return 2

@rule
def apply(s, action):
    s.token += 1 if action else -1
    s.turn = 1 - s.turn

@rule
def returns(s, out):
    out[0] = 1.0 if s.token == 6 else -1.0
    out[1] = -out[0]

game = Game(name="tug", title="Tug", state=record(token="i1", turn="i1"), seats=(2,), num_actions=2,
            rules=Rules(setup=setup, player=player, legal=legal, apply=apply, returns=returns))
"""


def test_record_file_is_named_after_the_match() -> None:
    match = Match("connect_four", ("uct:iterations=5,threads=2", "random"), seed=3)
    assert default_record_file(match) == Path("matches/connect_four-uct_iterations=5_threads=2-random-seed3.jsonl")
