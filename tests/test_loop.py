"""The game loop: who is asked, who hears what, and what happens when an agent fails or takes a move back."""

from __future__ import annotations

import inspect
import signal
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import Mock

import pytest

import boardwright as bw
from boardwright.agents import Agent, Decision
from boardwright.arena.loop import (
    Forfeit,
    LeaveGame,
    Listener,
    OngoingGame,
    Substitution,
    TakeBack,
    error_text,
    forfeit_returns,
    forfeit_scores,
    play_game,
    policies,
)
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecorder
from boardwright.errors import AgentFailed, BadGame, BadRecord, BadSpec
from boardwright.kernel import Observation, State, rng


class First(Agent):
    """Takes the first legal action and keeps what it is told."""

    def prepare(self) -> None:
        self.heard: list[Any] = []

    def start_game(self, observation: Observation) -> None:
        self.heard.append(("start", observation.seat))

    def observe_action(self, seat: int, action: int, observation: Observation) -> None:
        assert observation.seat == self.seat
        self.heard.append(("action", seat, action))

    def decide(self, observation: Observation) -> Decision:
        self.heard.append("decide")
        return Decision(observation.legal_actions()[0])

    def end_game(self, observation: Observation, returns: Sequence[float], scores: Sequence[float]) -> None:
        self.heard.append(("end", tuple(returns), tuple(scores)))


class Log(Listener):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def started(self, state: State, agents: Sequence[Agent]) -> None:
        self.lines.append("started")

    def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
        self.lines.append(f"{seat} {'must' if decision.forced else 'decides'} {decision.action}")

    def applied(self, state: State, seat: int, action: int) -> None:
        self.lines.append(f"applied {action}")

    def taken_back(self, state: State, moves: int) -> None:
        self.lines.append(f"taken back {moves}")

    def failed(self, state: State, seat: int, error: AgentFailed) -> None:
        self.lines.append(f"{seat} failed: {error}")

    def ended(self, state: State) -> None:
        self.lines.append("ended")


def seated(game: bw.Game, *classes: type[Agent]) -> list[Any]:
    return [cls(game, seat) for seat, cls in enumerate(classes)]


def test_an_agent_goes_through_its_life_cycle(connect_four: bw.Game) -> None:
    agents = seated(connect_four, First, First)
    final = play_game(connect_four.new(seed=0), agents)
    assert final.is_terminal
    first, second = (agent.heard for agent in agents)
    assert first[0] == ("start", 0)
    assert first[1:4] == ["decide", ("action", 1, 0), "decide"]
    assert second[1:3] == [("action", 0, 0), "decide"]
    assert first[-1] == second[-1] == ("end", final.returns, final.scores)


def test_hidden_actions_are_observed_as_their_seat_sees_them(pennies: bw.Game) -> None:
    """The seeker of the penny hears that it was hidden, not where."""
    agents = seated(pennies, First, First)
    play_game(pennies.new(seed=0), agents)
    assert ("action", 0, 2) in agents[1].heard


def test_listeners_hear_every_move_in_order(connect_four: bw.Game) -> None:
    log = Log()
    play_game(connect_four.new(seed=0), seated(connect_four, First, First), [log])
    assert log.lines[:5] == ["started", "0 decides 0", "applied 0", "1 decides 0", "applied 0"]
    assert log.lines[-1] == "ended"


def column_filled(game: bw.Game) -> State:
    """Connect Four with one column left that is not full."""
    state = game.new(seed=0)
    for column in "121212212121343434434343565656656565":
        state.apply(int(column) - 1)
    return state


def test_an_agent_is_not_asked_where_there_is_one_action_but_hears_of_it(connect_four: bw.Game) -> None:
    agents, log = seated(connect_four, First, First), Log()
    play_game(column_filled(connect_four), agents, [log])
    assert "decide" not in agents[0].heard
    assert ("action", 0, 6) in agents[0].heard
    assert log.lines[1] == "0 must 6"


def test_an_agent_that_wants_to_be_asked_always_is(connect_four: bw.Game) -> None:
    class Thorough(First):
        asked_if_forced: ClassVar[bool] = True

    agents = seated(connect_four, Thorough, First)
    play_game(column_filled(connect_four), agents)
    assert agents[0].heard.count("decide") == 3


def test_a_failing_agent_is_named_with_its_seat_and_move(connect_four: bw.Game) -> None:
    class Broken(Agent):
        def decide(self, observation: Observation) -> Decision:
            raise ZeroDivisionError("oops")

    log = Log()
    with pytest.raises(AgentFailed, match="ZeroDivisionError: oops") as failure:
        play_game(connect_four.new(seed=0), seated(connect_four, First, Broken), [log])
    assert (failure.value.seat, failure.value.moves) == (1, 1)
    line = inspect.getsourcelines(Broken)[1] + 2
    assert log.lines[-1] == f"1 failed: test_loop.py, line {line}, in decide: ZeroDivisionError: oops"


@pytest.mark.parametrize(
    ("answer", "complaint"), [(Decision(99), "99 is not legal now"), (7, "must return a Decision")]
)
def test_nonsense_is_not_played(connect_four: bw.Game, answer: Any, complaint: str) -> None:
    class Confused(Agent):
        def decide(self, observation: Observation) -> Decision:
            return answer

    state = connect_four.new(seed=0)
    with pytest.raises(AgentFailed, match=complaint):
        play_game(state, seated(connect_four, Confused, First))
    assert state == connect_four.new(seed=0)


class Hesitant(Agent):
    """A person who takes the first move back once, then plays on, and leaves after three decisions."""

    interactive: ClassVar[bool] = True

    def prepare(self) -> None:
        self.asked = 0

    def decide(self, observation: Observation) -> Decision:
        self.asked += 1
        if self.asked == 2:
            raise TakeBack
        if self.asked == 5:
            raise LeaveGame
        return Decision(3 if self.asked == 1 else 4)


def test_taking_back_goes_to_the_persons_last_decision(connect_four: bw.Game) -> None:
    state, log = connect_four.new(seed=0), Log()
    recorder = GameRecorder(game="connect_four", seed=0, agents=["human", "first"])
    with pytest.raises(LeaveGame):
        play_game(state, seated(connect_four, Hesitant, First), [log, recorder])
    assert "taken back 2" in log.lines
    assert recorder.actions == (4, 0, 4, 0)
    assert state.record.board[0].tolist() == [1 + 1, 0, 0, 0, 1, 0, 0]
    with pytest.raises(BadRecord, match="not over"):
        recorder.record()


def test_a_recorded_game_replays(kuhn: bw.Game) -> None:
    recorder = GameRecorder(game="kuhn_poker", seed=3, agents=["random", "random"])
    agents = [bw.agent("random", kuhn, seat, seed=seat) for seat in range(2)]
    final = play_game(kuhn.new(seed=3), agents, [recorder])
    assert recorder.record().final() == final


def test_as_many_agents_as_seats(connect_four: bw.Game) -> None:
    with pytest.raises(BadSpec, match="2 seats here; 1 agents"):
        play_game(connect_four.new(seed=0), seated(connect_four, First))


def test_a_game_goes_on_move_by_move_with_choices_from_elsewhere(connect_four: bw.Game) -> None:
    """A front end plays what people send it; agents that watch hear of it, and nobody is asked."""
    state, log = connect_four.new(seed=0), Log()
    agents = seated(connect_four, First, First)
    game = OngoingGame(state, agents, [log], keep_history=True)
    game.start()
    for column in (3, 3, 4):
        game.play(Decision(column))
    moves = ["0 decides 3", "applied 3", "1 decides 3", "applied 3", "0 decides 4", "applied 4"]
    assert log.lines == ["started", *moves]
    assert agents[1].heard == [("start", 1), ("action", 0, 3), ("action", 0, 4)]
    assert game.take_back(1) == 2
    assert (state.record.discs, game.moves) == (1, 1)


def test_a_failure_is_told_with_game_seat_and_move() -> None:
    """Numbers begin at 1: the first seat fails at its second decision, which is the third move."""
    Path("late.py").write_text(
        "from boardwright import Agent, Decision\n"
        "class Late(Agent):\n"
        "    asked = 0\n"
        "    def decide(self, observation):\n"
        "        self.asked += 1\n"
        "        if self.asked == 2: raise RuntimeError('no more')\n"
        "        return Decision(observation.legal_actions()[0])\n"
    )
    match = Match("connect_four", ("late.py", "random"), seed=1)
    with pytest.raises(AgentFailed, match=r"late\.py failed as X in game 1, move 3: .*no more") as failed:
        match.play(0)
    assert (failed.value.seat, failed.value.moves) == (0, 2)
    with pytest.raises(AgentFailed, match=r"late\.py failed as O in game 2, move 4: .*no more") as failed:
        match.play(1)
    assert (failed.value.seat, failed.value.moves) == (1, 3)


def test_who_forfeits_gets_the_least_and_the_others_the_most(connect_four: bw.Game) -> None:
    state = connect_four.new(seed=0)
    low, high = connect_four.min_utility, connect_four.max_utility
    assert [forfeit_returns(state, seat) for seat in (0, 1)] == [(low, high), (high, low)]


def test_a_forfeited_game_is_scored_as_it_stood_or_by_its_returns() -> None:
    """Connect Four counts no points."""
    state = bw.game("colonizers").new(seed=1)
    assert forfeit_scores(state, 2) == state.scores
    assert forfeit_scores(bw.game("connect_four").new(seed=1), 0) == (-1.0, 1.0)


class Failing(First):
    """Fails at its second decision, and where it is told that the game is over."""

    def decide(self, observation: Observation) -> Decision:
        if "decide" in self.heard:
            raise ZeroDivisionError("oops")
        return super().decide(observation)

    def end_game(self, observation: Observation, returns: Sequence[float], scores: Sequence[float]) -> None:
        super().end_game(observation, returns, scores)
        raise ZeroDivisionError("oops")


class FullLog(Log):
    def substituted(self, state: State, substitution: Substitution) -> None:
        self.lines.append(f"{substitution.seat} substituted after {substitution.moves}")
        assert "ZeroDivisionError: oops" in substitution.reason

    def forfeited(self, state: State, forfeit: Forfeit) -> None:
        self.lines.append(f"{forfeit.seat} forfeits after {forfeit.moves}")
        assert "ZeroDivisionError: oops" in forfeit.reason


def test_who_forfeits_ends_the_game_and_everybody_hears_of_it(connect_four: bw.Game) -> None:
    """What fails after the end changes nothing any more."""
    agents, log = seated(connect_four, First, Failing), FullLog()
    final = play_game(connect_four.new(seed=0), agents, [log], on_failure=("stop", "forfeit"))
    assert not final.is_terminal
    assert log.lines[-2:] == ["applied 0", "1 forfeits after 3"]
    assert agents[0].heard[-1] == agents[1].heard[-1] == ("end", (1.0, -1.0), (1.0, -1.0))


def test_for_who_is_substituted_random_actions_are_played_the_same_ones_every_time(connect_four: bw.Game) -> None:
    games = []
    for _ in range(2):
        agents, log = seated(connect_four, First, Failing), FullLog()
        assert play_game(connect_four.new(seed=0), agents, [log], on_failure=("stop", "substitute")).is_terminal
        assert log.lines[-1] == "ended"
        games.append([line for line in log.lines if line.startswith("1 ")])
    assert games[0] == games[1]
    assert games[0][:2] == ["1 decides 0", "1 substituted after 3"]
    assert games[0].count("1 substituted after 3") == 1
    assert agents[0].heard[-1][0] == agents[1].heard[-1][0] == "end"


def test_what_is_played_for_an_agent_is_drawn_from_what_it_saw(connect_four: bw.Game) -> None:
    """From the position and the number of the move, so that it can be found again."""
    state = connect_four.new(seed=0)
    game = OngoingGame(state, seated(connect_four, Failing, Failing), on_failure=("substitute",) * 2)
    for move, agent in enumerate(game.agents):
        agent.heard.append("decide")
        drawn = rng.draw(rng.generator(rng.derive(zlib.crc32(bytes(state.observation(move))), move)))
        decision = game.ask()
        assert decision.action == drawn % 7
        game.play(decision)


def test_what_happens_to_who_fails_is_what_the_match_says_or_what_suits_the_agent(connect_four: bw.Game) -> None:
    agents = seated(connect_four, First, First)
    agents[1].on_failure = "forfeit"
    assert policies(agents) == ("stop", "forfeit")
    assert policies(agents, "substitute") == ("substitute", "substitute")
    with pytest.raises(BadSpec, match="on failure 'nothing': it can be stop, forfeit, substitute"):
        policies(agents, "nothing")


def test_a_game_that_never_ends_is_stopped_after_a_million_moves(connect_four: bw.Game) -> None:
    game = OngoingGame(connect_four.new(seed=0), seated(connect_four, First, First))
    game.actions = [0] * 999_999
    game.play(game.ask())
    with pytest.raises(BadGame, match="connect_four: not over after 1,000,000 moves"):
        game.ask()


@pytest.mark.parametrize("player", [-1, 2])
def test_a_game_whose_player_sits_nowhere_is_wrong(connect_four: bw.Game, player: int) -> None:
    game = OngoingGame(connect_four.new(seed=0), seated(connect_four, First, First))
    game.state = Mock(game=connect_four, player=player)
    with pytest.raises(BadGame, match=rf"connect_four: player\(\) says {player}"):
        game.ask()


def test_a_game_begins_once(connect_four: bw.Game) -> None:
    agents, log = seated(connect_four, First, First), Log()
    game = OngoingGame(connect_four.new(seed=0), agents, [log])
    game.start()
    game.start()
    assert log.lines == ["started"]
    assert [agent.heard for agent in agents] == [[("start", 0)], [("start", 1)]]


def test_who_was_not_asked_can_be_notified_of_what_was_played_for_it(connect_four: bw.Game) -> None:
    agents = seated(connect_four, First, First)
    game = OngoingGame(connect_four.new(seed=0), agents)
    game.play(Decision(3), inform_mover=True)
    game.play(Decision(4))
    assert [agent.heard for agent in agents] == [[("action", 0, 3), ("action", 1, 4)], [("action", 0, 3)]]


def test_nothing_is_taken_back_where_nobody_has_chosen(connect_four: bw.Game) -> None:
    log = Log()
    game = OngoingGame(column_filled(connect_four), seated(connect_four, First, First), [log], keep_history=True)
    game.play(game.ask())
    assert game.take_back(0) == 0
    assert log.lines[-1] == "taken back 0"
    assert game.actions == [6]
    assert game.history is not None
    assert game.history[0][1] is None


def test_an_agent_that_writes_to_the_state_has_failed_and_the_state_is_as_it_was(connect_four: bw.Game) -> None:
    class Forger(First):
        def decide(self, observation: Observation) -> Decision:
            state.memory[:] = 1
            return super().decide(observation)

    state = connect_four.new(seed=0)
    with pytest.raises(AgentFailed, match="it has changed the state of the game, which agents may not"):
        play_game(state, seated(connect_four, Forger, First))
    assert state == connect_four.new(seed=0)


def test_our_own_errors_are_told_as_they_are() -> None:
    assert error_text(BadSpec("no such thing")) == "no such thing"
    assert error_text(ValueError("no such thing")) == "ValueError: no such thing"


@pytest.mark.parametrize(
    ("handler", "error"), [(signal.default_int_handler, KeyboardInterrupt), (signal.SIG_IGN, AgentFailed)]
)
def test_ctrl_c_is_the_user_s_unless_this_process_does_not_heed_it(
    connect_four: bw.Game, handler: Any, error: type[BaseException]
) -> None:
    """Then only the agent itself can have raised it."""

    class Interrupted(First):
        def decide(self, observation: Observation) -> Decision:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(error):
            play_game(connect_four.new(seed=0), seated(connect_four, Interrupted, First))
    finally:
        signal.signal(signal.SIGINT, before)
