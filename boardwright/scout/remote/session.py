"""What one engine says and hears: a document in, an answer out, game after game. The wire is for server.py."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from boardwright.agents import Agent
from boardwright.errors import AgentFailed, BadSpec, BoardwrightError
from boardwright.games.race.declaration import game
from boardwright.kernel import rng
from boardwright.registry import make_agent
from boardwright.scout.documents.reading import Document
from boardwright.scout.documents.writing import choice_text, error_text
from boardwright.scout.problems.answering import answer, fallback
from boardwright.scout.problems.from_observation import problem_of
from boardwright.scout.problems.problem import SEATS, BadDocument, Problem
from boardwright.scout.remote.messages import GameOver, read_message

OK = "<Ok/>"
Log = Callable[[str], None]


class Tally:
    """What all sessions of a server have done, counted in threads."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(("games", "won", "questions", "failures"), 0)
        self._lock = threading.Lock()

    def count(self, what: str, number: int = 1) -> None:
        with self._lock:
            self.counts[what] += number

    def __str__(self) -> str:
        return ", ".join(f"{number} {what}" for what, number in self.counts.items())


@dataclass(frozen=True)
class Player:
    """Makes the agents that answer: a fresh one for each game, as everywhere."""

    spec: str
    seed: int = 0

    def check(self) -> None:
        """See that it can be made and answers a question: what is wrong is said, and what must be compiled is compiled,
        before the first engine waits."""
        agent = make_agent(self.spec, game, 0, seed=self.seed)
        if agent.interactive:
            raise BadSpec(f"agent {self.spec!r} is a person; only programs can answer an engine")
        try:
            answer(agent, problem_of(game.new(seed=0).observation(0)))
        except BoardwrightError:
            raise
        except Exception as error:
            raise AgentFailed(f"{self.spec} fails at its first question: {type(error).__name__}: {error}") from error

    def agent(self, seat: int, game_id: str) -> Agent:
        """Its chance comes from the seed and the game's id, so that a game can be played again."""
        return make_agent(self.spec, game, seat, seed=rng.derive(self.seed, zlib.crc32(game_id.encode())))


def seated(problem: Problem, seat: int) -> Problem:
    """The same problem with the player who is asked in another seat; who is first in turn order does not change."""
    if problem.me.seat == seat:
        return problem
    other = SEATS - 1 - seat
    return replace(problem, me=replace(problem.me, seat=seat), opponent=replace(problem.opponent, seat=other))


class Session:
    """One engine's games, one after the other.

    A game is known by its id and ends with <GameOver>, or when a document of another game arrives. An agent keeps the
    seat of its first question: the original program numbers the players anew once it is clear who is first.
    """

    def __init__(self, player: Player, log: Log, tally: Tally) -> None:
        self.player = player
        self.log = log
        self.tally = tally
        self._agent: Agent | None = None
        self._game_id = ""

    def reply(self, data: bytes) -> str:
        """The answer to a frame, whatever is in it."""
        try:
            message = read_message(data)
            return self._over(message) if isinstance(message, GameOver) else self._answer(message)
        except BadDocument as error:
            self.log(f"refused a document: {error}")
            return error_text(str(error))

    def _answer(self, document: Document) -> str:
        problem = document.problem
        self.tally.count("questions")
        try:
            agent = self._agent_for(problem)
            problem = seated(problem, agent.seat)
            choice = answer(agent, problem)
        except BadDocument:
            raise
        except Exception as error:  # whatever it is, the engine waits for an answer
            self._fail("failed, the first legal choice is taken", error)
            choice = fallback(problem)
        return choice_text(problem, choice, document.numbering)

    def _agent_for(self, problem: Problem) -> Agent:
        if self._agent is None or problem.game_id != self._game_id:
            self._agent = self.player.agent(problem.me.seat, problem.game_id)
            self._game_id = problem.game_id
        return self._agent

    def _over(self, result: GameOver) -> str:
        self.tally.count("games")
        self.tally.count("won", int(result.won))
        verdict = "won" if result.won else "lost"
        self.log(f"game {self._game_id}: {verdict}, {result.score} to {result.opponent}")
        learn = getattr(self._agent, "game_over", None)
        if learn is not None:
            try:
                learn(won=result.won, score=result.score, opponent=result.opponent)
            except Exception as error:
                self._fail("failed to learn from the game", error)
        self._agent = None
        return OK

    def _fail(self, how: str, error: Exception) -> None:
        self.tally.count("failures")
        what = str(error) if isinstance(error, BoardwrightError) else f"{type(error).__name__}: {error}"
        self.log(f"{self.player.spec} {how}: {what}")
