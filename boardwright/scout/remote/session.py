"""A session with one engine: a document in, an answer out, game after game. server.py has the sockets."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from boardwright.agents import Agent
from boardwright.errors import AgentFailed, BadSpec, BoardwrightError
from boardwright.games.race.declaration import game
from boardwright.kernel import Observation, rng
from boardwright.kernel.entries import RULES
from boardwright.kernel.ready import make_ready
from boardwright.registry import make_agent
from boardwright.scout.documents.reading import Document
from boardwright.scout.documents.writing import choice_text, error_text
from boardwright.scout.problems.answering import answer, decide_steps, fallback, question_or_answer
from boardwright.scout.problems.from_observation import problem_of
from boardwright.scout.problems.problem import BadDocument, Choice, Problem
from boardwright.scout.remote.messages import GameOver, read_message

OK = "<Ok/>"
Log = Callable[[str], None]


class Counters:
    """What all sessions of a server have done; safe to use from several threads."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(("games", "won", "questions", "failures"), 0)
        self._lock = threading.Lock()

    def count(self, what: str, number: int = 1) -> None:
        with self._lock:
            self.counts[what] += number

    def __str__(self) -> str:
        return ", ".join(f"{number} {what}" for what, number in self.counts.items())


@dataclass(frozen=True)
class AgentFactory:
    """Makes the agents that answer, a new one for each game."""

    spec: str
    seed: int = 0
    create: Callable[[int, int], Agent] | None = None
    """From seat and seed to an agent; default: as the spec says."""

    def make(self, seat: int, game_id: str) -> Agent:
        """Its random numbers come from the seed and the game's id, so that a game can be played again."""
        return self._create(seat, rng.derive(self.seed, zlib.crc32(game_id.encode())))

    def _create(self, seat: int, seed: int) -> Agent:
        return self.create(seat, seed) if self.create else make_agent(self.spec, game, seat, seed=seed)

    def check(self) -> None:
        """Make an agent, have all code it needs compiled, and ask it one question, so that errors show before the first
        engine connects, and nothing is compiled afterwards."""
        agent = self._create(0, self.seed)
        if agent.interactive:
            raise BadSpec(f"agent {self.spec!r} is a person; only programs can answer an engine")
        try:
            make_ready([*game.entries.code(RULES), *agent.needs()])
            answer(agent, problem_of(game.new(seed=0).observation(0)))
        except BoardwrightError:
            raise
        except Exception as error:
            raise AgentFailed(f"{self.spec} fails at its first question: {type(error).__name__}: {error}") from error
        finally:
            agent.close()


def reseated(problem: Problem, seat: int) -> Problem:
    """The same problem with the player who is asked in another seat; the order of play does not change."""
    moved, seats = seat - problem.me.seat, len(problem.sides)
    me, opponent, *others = (replace(side, seat=(side.seat + moved) % seats) for side in problem.sides)
    return replace(problem, me=me, opponent=opponent, others=tuple(others))


class Session:
    """One engine's games, one after the other.

    A game is known by its id and ends with <GameOver>, or when a document of another game arrives. An agent keeps the
    seat of its first question: the original program numbers the players anew once it is clear who is first.
    """

    def __init__(self, factory: AgentFactory, log: Log, counters: Counters) -> None:
        self.factory = factory
        self.log = log
        self.counters = counters
        self._agent: Agent | None = None
        self._game_id = ""
        self._observation: Observation | None = None
        """What the agent was asked last, in this game."""

    def reply(self, data: bytes) -> str:
        """The answer to a frame, whatever is in it."""
        try:
            message = read_message(data)
            return self._end_game(message) if isinstance(message, GameOver) else self._answer(message)
        except BadDocument as error:
            self.log(f"refused a document: {error}")
            return error_text(str(error))

    def close(self) -> None:
        """The engine is gone, and with it a game under way."""
        if self._agent is not None:
            self._agent.close()
        self._agent = self._observation = None

    def _answer(self, document: Document) -> str:
        problem = document.problem
        self.counters.count("questions")
        try:
            agent = self._agent_for(problem)
            problem = reseated(problem, agent.seat)
            choice = self._ask(agent, problem)
        except BadDocument:
            raise
        except Exception as error:  # whatever it is, the engine waits for an answer
            self._fail("failed, the first legal choice is taken", error)
            choice = fallback(problem)
        return choice_text(problem, choice, document.numbering)

    def _agent_for(self, problem: Problem) -> Agent:
        if self._agent is None or problem.game_id != self._game_id:
            self.close()
            self._agent = self.factory.make(problem.me.seat, problem.game_id)
            self._game_id = problem.game_id
        return self._agent

    def _ask(self, agent: Agent, problem: Problem) -> Choice:
        question = question_or_answer(problem)
        if not isinstance(question, Observation):
            return question
        if self._observation is None:
            agent.start_game(question)
        self._observation = question
        return decide_steps(agent, problem, question)

    def _end_game(self, result: GameOver) -> str:
        self.counters.count("games")
        self.counters.count("won", int(bool(result.won)))
        verdict = "tied" if result.won is None else "won" if result.won else "lost"
        self.log(f"game {self._game_id}: {verdict}, {result.score} to {result.opponent}")
        try:
            if self._agent is not None and self._observation is not None:
                self._agent.end_game(self._observation, *result.by_seat(self._agent.seat, self._observation.seats))
        except Exception as error:
            self._fail("failed at the end of the game", error)
        self.close()
        return OK

    def _fail(self, how: str, error: Exception) -> None:
        self.counters.count("failures")
        what = str(error) if isinstance(error, BoardwrightError) else f"{type(error).__name__}: {error}"
        self.log(f"{self.factory.spec} {how}: {what}")
