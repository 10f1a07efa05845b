"""Game records, field by field: what a line may hold, what it leaves out, and what is read from a file of lines."""

from __future__ import annotations

import json
import os
import secrets
import stat
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pydantic
import pytest

from boardwright.agents import Decision
from boardwright.arena.balance import Balance
from boardwright.arena.loop import Forfeit, Substitution
from boardwright.arena.match import Match
from boardwright.arena.record import (
    GameRecord,
    GameRecorder,
    Note,
    RecordedFailure,
    first_games,
    next_index,
    parse_record,
    read_records,
    recover_records,
    unchecked_games,
)
from boardwright.arena.runner import default_record_file, run_match
from boardwright.arena.seeds import HiddenSeed, choose_seed
from boardwright.errors import AgentFailed, BadRecord, BadSpec
from boardwright.kernel import rng
from boardwright.registry import load_game

PLAIN: dict[str, Any] = {
    "game": "connect_four", "seats": 2, "seed": 5, "agents": ["a", "b"], "actions": [3, 0, 3], "scores": [0.0, 0.0],
    "returns": [1.0, -1.0],
}  # fmt: skip
FAILURE = {"seat": 1, "moves": 3, "reason": "too late"}
LARGEST_SEED = 2**64 - 1


def record(**changes: Any) -> GameRecord:
    return GameRecord(**{**PLAIN, **changes})


def test_what_a_record_does_not_say_is_what_most_games_have() -> None:
    made = record()
    assert (made.format, made.match_seed, made.salt, made.index) == (1, 0, 0, 0)
    assert (made.forfeit, made.substitutions, made.notes, made.best_moves, made.position) == (None, [], [], [], {})
    fields = json.loads(made.line())
    assert next(iter(fields)) == "format"
    assert not set(fields) & {"salt", "forfeit", "substitutions", "best_moves", "position", "notes"}, "left out"
    assert parse_record(made.line()) == made
    assert made.line().startswith('{"format":1,')
    assert len(fields["checksum"]) == 16


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 0},
        {"seed": LARGEST_SEED},
        {"actions": [2**63 - 1]},
        {"forfeit": FAILURE, "salt": 7},
        {"forfeit": {**FAILURE, "seat": 0, "moves": 0}, "actions": []},
        {"substitutions": [{**FAILURE, "moves": 0}, FAILURE]},
        {"notes": [{"move": 3}, {"move": 0, "branch": [0], "comment": "better"}]},
        {"best_moves": ["01", ""]},
        {"order": [1, 0], "index": 4, "match_seed": None},
    ],
)
def test_what_fits_together_is_read_as_it_was_written(changes: dict[str, Any]) -> None:
    made = record(**changes)
    assert parse_record(made.line()) == made
    assert set(changes) <= set(json.loads(made.line()))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"format": 2}, "record format 2 is not known here"),
        ({"seed": -1}, "index and seed cannot be negative"),
        ({"index": -1}, "index and seed cannot be negative"),
        ({"agents": ["a"]}, "agents should have 2 entries"),
        ({"scores": [0.0] * 3}, "scores should have 2 entries"),
        ({"returns": [0.0]}, "returns should have 2 entries"),
        ({"best_moves": ["0"]}, "best_moves should have 2 entries"),
        ({"best_moves": ["0", "2"]}, "field best_moves.1: "),
        ({"order": [0, 0]}, "order should name each entrant once"),
        ({"forfeit": {**FAILURE, "seat": 2}}, "a failure names seat 2"),
        ({"forfeit": {**FAILURE, "seat": -1}}, "a failure names seat -1"),
        ({"substitutions": [FAILURE, {**FAILURE, "seat": 2}]}, "a failure names seat 2"),
        ({"forfeit": {**FAILURE, "moves": 2}}, "a forfeited game ends with the forfeit"),
        ({"forfeit": {**FAILURE, "moves": -1}}, "field forfeit.moves: "),
        ({"notes": [{"move": 4}]}, "a note names a move that the game does not have"),
        ({"notes": [{"move": -1}]}, "field notes.0.move: "),
        ({"more": 1}, "field more: "),
    ],
)
def test_what_does_not_fit_together_is_refused(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadRecord, match=complaint):
        parse_record(json.dumps({"format": 1, **PLAIN, **changes}))


def test_a_seed_beyond_64_bits_is_refused() -> None:
    with pytest.raises(pydantic.ValidationError, match="index and seed"):
        record(seed=LARGEST_SEED + 1)


@pytest.mark.parametrize("made", [record(), RecordedFailure(**FAILURE), Note(move=1)])
def test_records_do_not_change(made: pydantic.BaseModel) -> None:
    name = next(iter(type(made).model_fields))
    with pytest.raises(pydantic.ValidationError, match="frozen"):
        setattr(made, name, getattr(made, name))


def test_what_a_recorder_hears_is_in_the_record() -> None:
    """Marks are of decisions with a preference. What is taken back goes, with what was played for an agent there."""
    state = load_game("connect_four").new(seed=5)
    recorder = GameRecorder(game="connect_four", seed=5, agents=("a", "b"), index=3)
    assert not recorder.is_over
    recorder.started(state, [])
    assert not recorder.is_over
    for move, (action, best) in enumerate([(3, True), (0, False), (3, None)]):
        seat, decision = move % 2, Decision(action)
        decision.best = best
        recorder.decided(state, seat, state.observation(seat), decision)
        recorder.applied(state, seat, action)
        recorder.substituted(state, Substitution(seat, move, "too late"))
    assert recorder.actions == (3, 0, 3)
    recorder.taken_back(state, 1)
    assert recorder.actions == (3, 0)
    with pytest.raises(BadRecord, match="not over"):
        recorder.record()
    recorder.forfeited(state, Forfeit(1, 2, "no more"))
    made = recorder.record()
    assert (made.index, made.actions, made.best_moves) == (3, [3, 0], ["1", "0"])
    assert [(given.seat, given.moves) for given in made.substitutions] == [(0, 0), (1, 1)]
    assert made.forfeit == RecordedFailure(seat=1, moves=2, reason="no more")
    assert made.returns == [1.0, -1.0]


def test_each_game_counts_once_and_games_beyond_the_last_do_not(tmp_path: Path) -> None:
    games = [record(index=index, seed=index) for index in (2, 0, 3, 2)]
    assert [game.index for game in first_games(games, 3)] == [0, 2]
    file = tmp_path / "games.jsonl"
    assert next_index(file) == 0
    file.write_text("".join(game.line() for game in games))
    assert next_index(file) == 4


def test_lines_without_a_checksum_are_counted(tmp_path: Path) -> None:
    said: list[str] = []
    file = tmp_path / "games.jsonl"
    bare = json.dumps({"format": 1, **PLAIN}) + "\n"
    file.write_text(bare + record().line() + "\n" + bare)
    assert read_records(file, said.append) == recover_records(file, said.append) == [record()] * 3
    assert said == [f"{file}: {unchecked_games(2)}", unchecked_games(2)]
    assert unchecked_games(1).startswith("1 game has no checksum")
    assert unchecked_games(1200).startswith("1,200 games have no checksum")


def test_a_line_that_was_cut_off_is_named_or_dropped(tmp_path: Path) -> None:
    said: list[str] = []
    file = tmp_path / "games.jsonl"
    file.write_text(record().line() + record().line()[:30])
    with pytest.raises(BadRecord, match="line 2: cut off in the middle of a game"):
        read_records(file)
    assert read_records(file, said.append) == [record()]
    assert said == [f"{file}, line 2: cut off in the middle of a game; 1 before it can be read"]
    assert recover_records(file) == [record()]
    assert file.read_text() == record().line()
    file.write_text(record().line()[:30])
    with pytest.raises(BadRecord, match="line 1: cut off"):
        read_records(file, said.append)


# Names and seeds


def test_a_file_is_named_after_its_match_and_long_names_are_cut() -> None:
    """At 150 letters; what was cut off is told apart by a digest."""
    plain = default_record_file(Match("dice.py", ("a", "b:c=1"), 7, options={"z": 2, "rounds": 1}))
    assert plain == Path("matches/dice-a-b_c=1-seed7-rounds=1-z=2.jsonl")
    fits = "x" * (150 - len("go--b-seed7"))
    assert default_record_file(Match("go", (fits, "b"), 7)) == Path(f"matches/go-{fits}-b-seed7.jsonl")
    cut = default_record_file(Match("go", (fits + "x", "b"), 7)).stem
    assert cut.startswith(f"go-{fits}x-b-seed7"[:150] + "-")
    assert len(cut) == 150 + 1 + 12
    assert default_record_file(Match("go", ("a", "b"), 7, hidden_seed=True)).stem == "go-a-b-hidden_seed"
    assert default_record_file(Match("go", ("a", "mine.py"), 7)).stem == "go-a-mine.py-hidden_seed"


def test_seeds_of_games_and_agents_derive_from_the_match() -> None:
    """Signed readers can take the seed of a game. A salt changes the agents' seeds and no deal."""
    match, salted = Match("go", ("a", "b"), 7), Match("go", ("a", "b"), 7, salt=9)
    assert match.game_seed(3) == salted.game_seed(3) == rng.derive(7, 3) >> 1
    assert match.agent_seed(3, 1) == rng.derive(7, 3, rng.Stream.ENTRANTS + 1)
    assert salted.agent_seed(3, 1) == rng.derive(7, 3, rng.Stream.ENTRANTS + 1, 9)


def test_orders_go_round_all_permutations_or_turn_a_random_one() -> None:
    """All 24 for four. For five, a random order of each block of five games is turned, one seat a game."""
    four = Match("go", tuple("abcd"), 7)
    assert [four.order(index) for index in (0, 1, 23, 24)] == [(0, 1, 2, 3), (0, 1, 3, 2), (3, 2, 1, 0), (0, 1, 2, 3)]
    five = Match("go", tuple("abcde"), 7)
    state, order = rng.generator(rng.derive(7, rng.Stream.ENTRANTS, 2)), list(range(5))
    for place in (4, 3, 2, 1):
        other = rng.draw(state) % (place + 1)
        order[place], order[other] = order[other], order[place]
    assert [five.order(index) for index in (10, 12)] == [tuple(order), tuple(order[2:] + order[:2])]


@pytest.mark.parametrize("drawn", ["lowest", "highest"])
def test_drawn_seeds_have_63_bits_and_a_salt_is_never_0(monkeypatch: pytest.MonkeyPatch, drawn: str) -> None:
    monkeypatch.setattr(secrets, "randbits", lambda bits: 0 if drawn == "lowest" else 2**bits - 1)
    largest = 0 if drawn == "lowest" else 2**63 - 1
    assert choose_seed(None, ["mine.py"]) == {"seed": largest, "salt": 0, "hidden_seed": True}
    assert choose_seed(0, ["mine.py"]) == {"seed": 0, "salt": largest + 1, "hidden_seed": True}
    assert choose_seed(None, ["mine.py"], salt=0) == {"seed": 0, "salt": 0, "hidden_seed": False}


def test_a_hidden_seed_is_kept_where_only_the_user_can_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = tmp_path / "games.jsonl"
    hidden = HiddenSeed(records)
    assert not hidden.is_seed(5)
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", flushed.append)
    hidden.keep(5, 8)
    assert len(flushed) == 2, "the file, then its name"
    assert stat.S_IMODE(hidden.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(hidden.file.parent.stat().st_mode) == 0o700
    assert len(hidden.file.name) == 32
    assert (hidden.read(), hidden.is_seed(5), hidden.is_seed(8)) == ((5, 8), True, False)
    hidden.file.write_text("6")
    assert hidden.read() == (6, 0), "kept before there were salts"
    hidden.forget()
    hidden.forget()
    with pytest.raises(BadRecord, match=r"the hidden seed of the match in .*games\.jsonl is lost"):
        hidden.read()


def test_a_match_goes_on_with_the_seed_of_its_records(tmp_path: Path) -> None:
    """With none of its own there are no games yet. Where the records tell a seed, the match was over."""
    records = tmp_path / "games.jsonl"
    hidden, drawn = HiddenSeed(records), Match("go", ("a", "b"), 77, hidden_seed=True)
    assert hidden.resumed(drawn) == drawn
    records.touch()
    assert hidden.resumed(drawn) == drawn
    hidden.keep(5, 8)
    records.write_text(record(match_seed=None).line())
    resumed = hidden.resumed(drawn)
    assert (resumed.seed, resumed.salt, resumed.hidden_seed) == (5, 8, True)
    with pytest.raises(BadRecord, match="games of a match with another seed"):
        hidden.resumed(Match("go", ("a", "b"), 6, hidden_seed=True, salt=3))
    records.write_text(record(match_seed=None).line() + record(match_seed=4, salt=2).line())
    resumed = hidden.resumed(drawn)
    assert (resumed.seed, resumed.salt, resumed.hidden_seed) == (4, 2, False)
    hidden.reveal(5, 8)
    told = [(game.match_seed, game.salt) for game in read_records(records)]
    assert told == [(5, 8), (4, 2)], "what is known already stays"
    assert not hidden.file.exists()


# Running a match


def test_a_match_says_what_it_did_with_the_games_of_earlier_runs(tmp_path: Path) -> None:
    """There is nothing to go on with; then two games are kept; then they are put aside, under the first free name."""
    file, match = tmp_path / "games.jsonl", Match("connect_four", ("random", "random"), 3)
    outcome = run_match(match, 2, file=file, resume=True)
    assert outcome.notes == [f"nothing to resume in {file}; starting from the first game"]
    assert (outcome.seed, outcome.salt, outcome.wanted, outcome.interrupted) == (3, 0, 2, False)
    assert (outcome.file, outcome.standings.games) == (file, 2)
    seen = Balance()
    outcome = run_match(match, 3, file=file, resume=True, listeners=[seen])
    assert outcome.notes == [f"2 games kept from {file}"]
    assert (outcome.standings.games, seen.games) == (3, 3), "accumulators hear of the games that were kept, too"
    assert run_match(match, 1).file == Path("matches/connect_four-random-random-seed3.jsonl")
    assert len(read_records(Path("matches/connect_four-random-random-seed3.jsonl"))) == 1
    before = file.read_text()
    for number in (1, 2):
        aside = tmp_path / f"games.{number}.jsonl"
        HiddenSeed(file).keep(number, 8)
        assert run_match(match, 3, file=file).notes == [f"the games of an earlier run are now in {aside}"]
        assert aside.read_text() == file.read_text() == before
        assert HiddenSeed(aside).read() == (number, 8), "a seed that was hidden goes with its games"
        assert not HiddenSeed(file).file.exists()


def test_the_agent_that_is_not_ready_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for seat, name in ((1, "second"), (0, "first"), (None, "first")):
        failure = AgentFailed("not today", seat=seat)
        monkeypatch.setattr(Match, "_session", Mock(side_effect=failure))
        with pytest.raises(BadSpec, match=f"agent '{name}': not today"):
            Match("connect_four", ("first", "second")).check()


@pytest.mark.parametrize(
    ("entrants", "complaint"),
    [((), "a match needs agents"), (("random",), "connect_four needs 2 agents, one per seat; 1 given")],
)
def test_a_match_needs_an_agent_for_each_seat(entrants: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(BadSpec, match=complaint):
        Match("connect_four", entrants).check()


def test_a_match_belongs_to_its_seed_its_salt_its_options_and_its_agents() -> None:
    """While the seed is hidden, its records do not have it."""
    match = Match("connect_four", ("a", "b"), 5, salt=2)
    own = record(entrants=["a", "b"], match_seed=5, salt=2)
    assert match.owns(own)
    changes: list[dict[str, Any]] = [
        {"match_seed": 6}, {"salt": 3}, {"match_seed": None}, {"entrants": ["b", "a"]}, {"options": {"x": 1}},
        {"position": {"x": 1}}, {"game": "kuhn_poker"},
    ]  # fmt: skip
    assert not any(match.owns(own.model_copy(update=change)) for change in changes)
    hidden = Match("connect_four", ("a", "b"), 5, salt=2, hidden_seed=True)
    assert hidden.owns(own.model_copy(update={"match_seed": None, "salt": 0}))
    assert hidden.owns(own)
    assert not hidden.owns(own.model_copy(update={"match_seed": 6}))
