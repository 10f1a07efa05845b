"""Agents that cheat: what a Python class in this process cannot do, what it could, and that a wall stops it."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import types
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.agents import Agent, Decision
from boardwright.agents.random import Random
from boardwright.arena.ladder import Ladder
from boardwright.arena.loop import Listener, play_game
from boardwright.arena.match import Match
from boardwright.arena.record import read_records
from boardwright.arena.runner import KNOWN, MatchListener, default_record_file, run_match
from boardwright.arena.seeds import HiddenSeed, choose_seed
from boardwright.cli import main
from boardwright.errors import AgentFailed, BadRecord
from boardwright.kernel import Game, Observation, State
from boardwright.registry import games
from boardwright.scripts import messages
from boardwright.scripts.process import end_idle
from boardwright.scripts.rules import RulesService
from tests.script_games import Left, write_bot
from tests.script_games import left as left  # a fixture

FILE = Path("games.jsonl")


def reachable(start: Any) -> list[Any]:
    """All that can be reached from an object through what it holds; code and modules are the same for everybody."""
    shared = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type, Game)
    found: dict[int, Any] = {}
    waiting = [start]
    while waiting:
        thing = waiting.pop()
        if id(thing) in found or isinstance(thing, shared):
            continue
        found[id(thing)] = thing
        waiting += gc.get_referents(thing)
    return list(found.values())


class Collector(Random):
    """Keeps everything that it is handed."""

    def prepare(self) -> None:
        self.handed: list[Observation] = []

    def start_game(self, observation: Observation) -> None:
        self.handed.append(observation)

    def observe_action(self, seat: int, action: int, observation: Observation) -> None:
        self.handed.append(observation)

    def decide(self, observation: Observation) -> Decision:
        self.handed.append(observation)
        return super().decide(observation)


@pytest.mark.parametrize("name", games())
def test_what_an_agent_is_handed_leads_to_no_state_and_no_generator(name: str) -> None:
    game = bw.game(name)
    state = game.new(seed=5)
    agents = [Collector(game, seat, seed=seat) for seat in range(state.seats)]
    play_game(state, agents)
    for agent in agents:
        for thing in reachable(agent):
            assert not isinstance(thing, State)
            if isinstance(thing, np.ndarray):
                assert not np.shares_memory(thing, state.memory)
        for observation in agent.handed:
            assert observation.memory.base is None
            if game.has_hidden_information and "rng" in (game.state.names or ()):
                assert not np.any(observation.record.rng), "the generator's state tells what comes next"


def guesser() -> str:
    Path("guesser.py").write_text(
        "from boardwright.agents.random import Random\n"
        "from boardwright.kernel import rng\n"
        "from pathlib import Path\n"
        "class Guesser(Random):\n"
        "    def decide(self, observation):\n"
        "        for seed in range(200):\n"
        "            for entrant in range(2):\n"
        "                if rng.derive(seed, 0, (1 << 32) + entrant) == self.seed:\n"
        "                    Path('guessed').write_text(str(seed))\n"
        "        return super().decide(observation)\n"
    )
    return "guesser.py"


def test_a_seed_that_can_be_guessed_is_only_used_if_somebody_gives_it() -> None:
    entrants = (guesser(), "random")
    run_match(Match("kuhn_poker", entrants, 7), 1, file=FILE)
    assert Path("guessed").read_text() == "7"  # the attack works
    Path("guessed").unlink()
    result = bw.match("kuhn_poker", *entrants, games=1)
    assert not Path("guessed").exists()
    assert result.outcome.seed == result.records[0].match_seed
    assert (result.outcome.seed or 0) > 2**32
    again = bw.match("kuhn_poker", *entrants, games=1, seed=result.outcome.seed, salt=0)
    assert again.records == result.records


def test_a_seed_that_is_given_cannot_be_told_from_an_agents_own() -> None:
    """The agents' seeds are salted; the salt is told when the match is over, and plays it again."""
    entrants = (guesser(), "random")
    result = bw.match("kuhn_poker", *entrants, games=4, seed=7)
    assert not Path("guessed").exists()
    assert {record.match_seed for record in result.records} == {7}
    (salt,) = {record.salt for record in result.records}
    assert salt > 2**20
    assert result.outcome.salt == result.report.data["salt"] == salt
    other = bw.match("kuhn_poker", *entrants, games=4, seed=7)
    assert [record.seed for record in other.records] == [record.seed for record in result.records]  # the deals
    assert other.outcome.salt != salt
    assert bw.match("kuhn_poker", *entrants, games=4, seed=7, salt=salt).records == result.records
    assert not Path("guessed").exists()


def test_every_table_of_a_ladder_has_a_salt_of_its_own() -> None:
    """One table's is told while the others are still played."""
    agents = (guesser(), "random", "optimal")
    ladder = Ladder(bw.game("kuhn_poker"), agents, 2, **choose_seed(7, agents))
    salts = {ladder.match(table).salt for table in ladder.tables()}
    assert len(salts) == 3
    assert 0 not in salts
    assert ladder.salt not in salts
    own = ("random", "optimal", "heuristic")
    assert Ladder(bw.game("kuhn_poker"), own, 2, **choose_seed(7, own)).match((0, 1)).salt == 0


def test_salted_matches_are_resumed_with_their_salt(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stops(MatchListener):
        def finished_game(self, record: Any, standings: Any) -> None:
            raise KeyboardInterrupt

    entrants = (guesser(), "random")
    first = Match("kuhn_poker", entrants, **choose_seed(7, entrants))
    assert run_match(first, 3, file=FILE, listeners=[Stops()]).interrupted
    assert {record.match_seed for record in read_records(FILE)} == {None}
    with pytest.raises(BadRecord, match="games of a match with another seed; leave --seed out"):
        run_match(Match("kuhn_poker", entrants, **choose_seed(8, entrants)), 3, file=FILE, resume=True)
    outcome = run_match(Match("kuhn_poker", entrants, **choose_seed(7, entrants)), 3, file=FILE, resume=True)
    assert (outcome.seed, outcome.salt) == (7, first.salt)
    plain = Match("kuhn_poker", entrants, 7, salt=first.salt)
    assert read_records(FILE) == [plain.play(index) for index in range(3)]


def test_a_hidden_seed_goes_with_the_records_that_are_put_aside() -> None:
    """A stopped match survives a start without --resume."""

    class Stops(MatchListener):
        def finished_game(self, record: Any, standings: Any) -> None:
            raise KeyboardInterrupt

    first = Match("kuhn_poker", ("random", "random"), 2**62 + 1, hidden_seed=True, salt=5)
    second = Match("kuhn_poker", ("random", "random"), 2**62 + 2, hidden_seed=True)
    assert run_match(first, 3, file=FILE, listeners=[Stops()]).interrupted
    assert run_match(second, 3, file=FILE, listeners=[Stops()]).interrupted
    for file, seeds in ((Path("games.1.jsonl"), (first.seed, 5)), (FILE, (second.seed, 0))):
        unknown = Match("kuhn_poker", ("random", "random"), 2**62 + 3, hidden_seed=True)
        outcome = run_match(unknown, 3, file=file, resume=True)
        assert (outcome.seed, outcome.salt) == seeds
    assert not list(HiddenSeed(FILE).file.parent.iterdir())
    run_match(first, 3, file=FILE, listeners=[Stops()])
    run_match(Match("kuhn_poker", ("random", "random")), 3, file=FILE)  # one that hides nothing
    assert HiddenSeed(Path("games.3.jsonl")).read() == (first.seed, 5)


def test_our_own_agents_play_seed_0_unless_told_otherwise() -> None:
    own = ["random", "isolated:uct", "ismcts:iterations=5"]
    assert choose_seed(None, own) == {"seed": 0, "salt": 0, "hidden_seed": False}
    assert choose_seed(3, own) == {"seed": 3, "salt": 0, "hidden_seed": False}
    for foreign in ("script:./bot", "mine.py", "isolated:mine.py", "flat:playout=(mine.py)"):
        drawn, given = choose_seed(None, ["random", foreign]), choose_seed(3, ["random", foreign])
        assert drawn["hidden_seed"]
        assert given["hidden_seed"]
        assert given["seed"] == 3
        assert min(drawn["seed"], given["salt"]) > 2**20  # fails once in 2^42 runs


def test_a_match_that_is_played_again_hides_nothing() -> None:
    assert choose_seed(3, ["random", "mine.py"], salt=5) == {"seed": 3, "salt": 5, "hidden_seed": False}


def test_the_seed_is_in_no_file_of_the_match_until_it_is_over(left: Left) -> None:
    """The script reads the records, as far as they are written, and their names."""
    show = "[print(p.name, p.read_text(), file=sys.stderr, flush=True) for p in Path('matches').glob('*')]"
    spec = write_bot(hello="from pathlib import Path", decide=f"{show}; play(message)")
    for given in (None, 987654321):
        seeds = choose_seed(given, [spec])
        match = Match("kuhn_poker", (f"{spec},log=log{given is None}.txt", "random"), **seeds)
        outcome = run_match(match, 3)
        seen = Path(f"log{given is None}.txt").read_text()
        assert '"match_seed":null' in seen
        for secret in (seeds["seed"], seeds["salt"] or "no salt"):
            assert str(secret) not in seen
            assert str(secret) not in str(default_record_file(match))
        assert {(record.match_seed, record.salt) for record in read_records(outcome.file)} == {
            (seeds["seed"], seeds["salt"])
        }
        assert any(f"--seed {seeds['seed']} --salt {seeds['salt']}" in note for note in outcome.notes)
        assert not list((Path("state")).rglob("seeds/*"))
    again = replace(match, hidden_seed=False)  # a match that is played again has no secrets but the file's name
    assert str(again.seed) not in str(default_record_file(again))
    left.nothing()


def test_a_seed_given_with_agents_of_others_warns(capsys: pytest.CaptureFixture[str]) -> None:
    warning = "boardwright: --seed: agents that are not our own take part, and whoever guesses this number knows all"
    for command in (
        ["match", "kuhn_poker", guesser(), "random", "-n", "1"],
        ["ladder", "kuhn_poker", guesser(), "random", "-n", "1"],
        ["balance", "kuhn_poker", "--agent", guesser(), "-n", "1"],
    ):
        for seed, warns in (("7", True), (None, False)):
            with pytest.raises(SystemExit) as leaving:
                main([*command, *(["--seed", seed] if seed else [])])
            assert leaving.value.code in (0, None)
            assert (warning in capsys.readouterr().err) == warns
    with pytest.raises(SystemExit):
        main(["match", "kuhn_poker", "random", "random", "-n", "1", "--seed", "7"])
    assert not capsys.readouterr().err


def test_a_script_at_the_terminal_finds_no_seed_in_the_game_that_is_kept(left: Left) -> None:
    """It reads all files in games/ and their names; the game is left, found again and played on."""
    look = "found = ' '.join(f'{p} {p.read_text()}' for p in Path('games').rglob('*'))"
    spec = write_bot(
        hello="from pathlib import Path",
        decide=f"{look}; print(found, file=sys.stderr, flush=True); play(message)",
    )
    seed = 777123777
    play = [sys.executable, "-m", "boardwright", "play", "connect_four"]
    for command, answers, is_left in (
        ([*play, "--vs", f"{spec},log=log.txt", "--seed", str(seed)], "4\n4\nq\n", True),
        ([*play, "--resume", "--seed", str(seed), "--trust"], "4\nq\n", True),
        ([*play, "--resume", "--trust"], "4\n" * 3 + "1\n2\n" * 40, False),
    ):
        done = subprocess.run(command, input=answers, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0, done.stderr
        assert ("--seed: agents that are not our own" in done.stderr) == ("--vs" in command)
        seen = Path("log.txt").read_text()
        assert str(seed) not in seen
        kept = list(Path("games").glob("*.unfinished.json"))
        assert len(kept) == is_left
        for file in kept:
            assert str(seed) not in f"{file} {file.read_text()}"
            assert HiddenSeed(file).is_seed(seed)
    assert "unfinished" in seen
    (record,) = read_records(Path("games/connect_four.jsonl"))
    assert (record.seed, record.match_seed) == (seed, seed)
    assert record.salt > 2**20
    assert not list(HiddenSeed(FILE).file.parent.iterdir())
    left.nothing()


def test_a_match_with_a_hidden_seed_is_resumed() -> None:
    """Interrupted, then continued by a command that does not know the seed."""

    class Stops(MatchListener):
        def finished_game(self, record: Any, standings: Any) -> None:
            if standings.games == 2:
                raise KeyboardInterrupt

    first = Match("kuhn_poker", ("random", "random"), 2**62 + 1, hidden_seed=True)
    assert run_match(first, 5, file=FILE, listeners=[Stops()]).interrupted
    kept = HiddenSeed(FILE).file
    assert kept.stat().st_mode & 0o077 == 0
    assert {record.match_seed for record in read_records(FILE)} == {None}
    second = Match("kuhn_poker", ("random", "random"), 2**62 + 2, hidden_seed=True)
    outcome = run_match(second, 5, file=FILE, resume=True)
    assert outcome.seed == first.seed
    plain = run_match(Match("kuhn_poker", ("random", "random"), first.seed), 5, file=Path("plain.jsonl"))
    assert read_records(FILE) == read_records(plain.file)
    assert not kept.exists()
    assert KNOWN not in outcome.notes
    further = run_match(second, 6, file=FILE, resume=True)
    assert further.standings.games == 6
    assert KNOWN in further.notes


def test_a_hidden_seed_that_is_lost_is_said() -> None:
    match = Match("kuhn_poker", ("random", "random"), 2**62 + 1, hidden_seed=True)
    run_match(match, 2, file=FILE)
    records = [record.model_copy(update={"match_seed": None}) for record in read_records(FILE)]
    FILE.write_text("".join(record.line() for record in records))
    with pytest.raises(BadRecord, match=r"the hidden seed of the match in .* is lost"):
        run_match(match, 3, file=FILE, resume=True)


WRITER = """
import sys
from boardwright import Agent, Decision
class Writer(Agent):
    def {where}(self, *arguments):
        frame = sys._getframe()
        while frame is not None:
            found = frame.f_locals.get("self")
            state = getattr(found, "state", None)
            if hasattr(state, "memory"):
                state.memory[0] ^= 1
                break
            frame = frame.f_back
        return Decision(arguments[0].legal_actions()[0]) if "{where}" == "decide" else None
"""


@pytest.mark.parametrize("where", ["start_game", "decide", "observe_action"])
def test_writing_into_the_state_is_found_and_undone(where: str) -> None:
    text = WRITER.format(where=where)
    if where != "decide":
        text += "    def decide(self, observation): return Decision(observation.legal_actions()[0])\n"
    Path("writer.py").write_text(text)
    with pytest.raises(AgentFailed, match="it has changed the state of the game, which agents may not"):
        Match("kuhn_poker", ("writer.py", "random")).play(0)
    record = Match("kuhn_poker", ("writer.py", "random"), on_failure="forfeit").play(0)
    record.final()
    assert record.forfeit is not None
    assert record.agents[record.forfeit.seat] == "writer.py"


class Liar(int):
    """Legal when it is compared, another number when it is played."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


class TwoFaced(Decision):
    asked = 0

    @property
    def action(self) -> int:  # type: ignore[override]
        self.asked += 1
        return 0 if self.asked < 3 else 6

    @action.setter
    def action(self, value: int) -> None:
        pass


@pytest.mark.parametrize("decision", [Decision(Liar(6)), TwoFaced(0), Decision("0"), Decision(0.0)])  # type: ignore[arg-type]
def test_an_action_is_one_number_for_everybody(decision: Decision, connect_four: bw.Game) -> None:
    class Says(Agent):
        def decide(self, observation: Observation) -> Decision:
            return decision if 6 not in observation.legal_actions() else Decision(6)

    state = connect_four.new(seed=1)
    for _ in range(6):
        state.apply(6)
    with pytest.raises(AgentFailed, match="is not legal now"):
        play_game(state, [Says(connect_four, 0), Says(connect_four, 1)])


SPY = """
import gc
from boardwright.agents.random import Random
from boardwright.kernel import State
class Spy(Random):
    def decide(self, observation):
        states = [thing for thing in gc.get_objects() if issubclass(type(thing), State) and not thing.is_terminal]
        decision = super().decide(observation)
        decision.summary = f"sees {len(states)} states"
        return decision
"""


def test_the_garbage_collector_shows_the_state_to_a_class_but_not_behind_the_wall(left: Left) -> None:
    """What docs/security.md says: in this process nothing stops a Python class that wants to look."""
    Path("spy.py").write_text(SPY)
    seen: dict[str, list[str]] = {}

    class Summaries(Listener):
        def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
            seen.setdefault(spec, []).append(decision.summary)

    for spec in ("spy.py", "isolated:spy.py"):
        Match("kuhn_poker", (spec, "random"), seed=1).play(0, [Summaries()])
    end_idle()
    assert "sees 0 states" not in seen["spy.py"]
    assert "sees 0 states" in seen["isolated:spy.py"]
    assert not any(said.startswith("sees ") and said != "sees 0 states" for said in seen["isolated:spy.py"])
    left.nothing()


@pytest.mark.parametrize("name", ["kuhn_poker", "race"])
def test_samples_do_not_depend_on_what_is_hidden(name: str) -> None:
    """The same observation of two different states gives the same samples."""
    game = bw.game(name)
    state = game.new(seed=4)
    seat = state.player
    other = state.observation(seat).determinize(seed=99)
    assert other.observation(seat) == state.observation(seat)
    assert bytes(other) != bytes(state)
    ask = messages.Ask.model_validate(
        {
            "type": "ask",
            "requests": [{"op": "sample", "count": 40}, {"op": "positions", "handles": list(range(40))}],
        }
    )
    answers = []
    for true_state in (state, other):
        service = RulesService(game, state.seats, seed=8)
        service.begin(true_state.observation(seat))
        answers.append(service.answer(ask))
    assert answers[0] == answers[1]
    positions = answers[0]["answers"][1]["positions"]
    assert len({json.dumps(position) for position in positions}) > 1
