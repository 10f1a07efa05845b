"""Game sessions: agents are seated, told what they missed, and closed."""

from __future__ import annotations

from typing import Any

import pytest

import boardwright as bw
from boardwright.agents import Agent, Decision
from boardwright.arena.session import GameSession, positions
from boardwright.errors import AgentFailed, BadRecord
from boardwright.kernel import Game, Observation, rng


class Noting(Agent):
    """Takes the first legal action and notes all that it is told."""

    def prepare(self) -> None:
        self.told: list[Any] = []
        self.closed = 0

    def start_game(self, observation: Observation) -> None:
        self.told.append("start")

    def observe_action(self, seat: int, action: int, observation: Observation) -> None:
        self.told.append((seat, action))

    def decide(self, observation: Observation) -> Decision:
        self.told.append("decide")
        return Decision(observation.legal_actions()[0])

    def close(self) -> None:
        self.closed += 1


class Leaky(Noting):
    """Cannot be closed."""

    def close(self) -> None:
        super().close()
        raise OSError("stuck")


def noting(game: Game, seat: int, seed: int) -> Noting:
    return Noting(game, seat, seed=seed)


def test_agents_are_brought_up_to_date_without_being_asked(connect_four: bw.Game) -> None:
    with GameSession(connect_four, [noting, None], seed=1) as session:
        agent: Any = session.agents[0]
        session.restart_at([3, 2])
        assert agent.told == ["start", (0, 3), (1, 2)]
        assert session.ask().action == 0
        session.restart_at([3, 2, 0, 1])
        assert agent.told[3:] == ["decide", (1, 1)], "its own decision is no news"
        assert session.ask().action == 0
        session.restart_at([3, 2, 0, 1, 6, 5])
        assert agent.told[5:] == ["decide", (0, 6), (1, 5)], "but what somebody else chose for it is"


def test_another_line_of_play_begins_anew_with_new_agents(connect_four: bw.Game) -> None:
    with GameSession(connect_four, [noting, None]) as session:
        session.restart_at([3, 2])
        before: Any = session.agents[0]
        session.restart_at([4])
        after: Any = session.agents[0]
    assert (before.closed, after.closed) == (1, 1)
    assert after.told == ["start", (0, 4)]
    assert list(session.actions) == [4]


def test_a_session_plays_on_from_where_it_was_restarted(connect_four: bw.Game) -> None:
    with GameSession(connect_four, ["uct:iterations=20"] * 2, seed=3, agent_seeds=[5, 6]) as session:
        whole = session.play()
        actions = list(session.actions)
    with GameSession(connect_four, ["uct:iterations=20"] * 2, seed=3, agent_seeds=[5, 6]) as session:
        assert session.play(after=actions[:4]) == whole


def test_an_action_that_is_not_legal_is_refused(connect_four: bw.Game) -> None:
    with GameSession(connect_four, [None, None]) as session, pytest.raises(BadRecord, match="move 7 "):
        session.restart_at([0] * 7)
    with pytest.raises(BadRecord, match="move 2 does not fit the rules"):
        list(positions(connect_four.new(seed=0), [0, 9]))


def test_all_agents_are_closed_whoever_fails(connect_four: bw.Game) -> None:
    session = GameSession(connect_four, [lambda game, seat, seed: Leaky(game, seat, seed=seed), noting])
    agents: Any = list(session.agents)
    with pytest.raises(AgentFailed, match=r"close.. raised .*stuck"), session:
        pass
    assert [agent.closed for agent in agents] == [1, 1]
    made: list[Any] = []

    def kept(game: Game, seat: int, seed: int) -> Agent:
        made.append(noting(game, seat, seed))
        return made[-1]

    with pytest.raises(bw.errors.UnknownName):
        GameSession(connect_four, [kept, "nobody"])
    assert made[0].closed == 1


def test_no_two_uses_of_random_numbers_share_a_stream() -> None:
    assert len(rng.Stream.__members__) == len(rng.Stream)
