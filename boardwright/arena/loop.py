"""The game loop: every game that agents play, anywhere in the project, goes through `OngoingGame`.

`play_game` plays one to its end. A front end that waits for choices from elsewhere, as the web server, makes its moves
one by one.

What happens is reported to listeners: recording, progress, logs and live tables are listeners.
"""

from __future__ import annotations

import operator
import signal
import traceback
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from boardwright.agents import Agent, Decision, ask
from boardwright.agents.base import FORFEIT, ON_FAILURE, STOP, SUBSTITUTE
from boardwright.blame import sentence
from boardwright.errors import AgentFailed, BadGame, BadSpec, BoardwrightError, IllegalAction
from boardwright.kernel import Observation, State, rng

LONGEST_GAME = 1_000_000
"""A game that is not over after so many moves is taken for one that never ends."""


class TakeBack(Exception):
    """Raised by an agent, in `decide`, that wants to choose again from its last decision on."""


class LeaveGame(Exception):
    """Raised by an agent, in `decide`, that ends the game here."""


@dataclass(frozen=True)
class Forfeit:
    """An agent has failed, and loses the game that it played."""

    seat: int
    moves: int
    """Moves played before it."""
    reason: str


@dataclass(frozen=True)
class Substitution:
    """An agent has failed; where it had to choose, a random action was played for it."""

    seat: int
    moves: int
    reason: str


def forfeit_returns(state: State, seat: int) -> tuple[float, ...]:
    """The returns of a game that a seat has forfeited: the lowest for it, the highest for the others."""
    low, high = state.game.min_utility, state.game.max_utility
    return tuple(low if other == seat else high for other in range(state.seats))


def forfeit_scores(state: State, seat: int) -> tuple[float, ...]:
    """Points as they stood; in a game that counts none, the returns."""
    return forfeit_returns(state, seat) if state.game.rules.scores is None else state.scores


def policies(agents: Sequence[Agent], on_failure: str | None = None) -> tuple[str, ...]:
    """What happens when each agent fails: what the match says or, by default, what suits the agent."""
    if on_failure is not None and on_failure not in ON_FAILURE:
        raise BadSpec(f"on failure {on_failure!r}: it can be {', '.join(ON_FAILURE)}")
    return tuple(on_failure or agent.on_failure for agent in agents)


class Listener:
    """Hears what happens in a game. Override what you need; states are the loop's own, to look at and not to change."""

    def started(self, state: State, agents: Sequence[Agent]) -> None:
        """A game is about to begin."""

    def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
        """An agent has chosen, with its reasons; the action is legal and about to be played. `decision.forced` if there
        was no choice."""

    def applied(self, state: State, seat: int, action: int) -> None:
        """An action was played; `state` is the position after it."""

    def taken_back(self, state: State, moves: int) -> None:
        """So many moves were taken back; `state` is the position to go on from."""

    def failed(self, state: State, seat: int, error: AgentFailed) -> None:
        """An agent raised an error or chose what is not legal; the game ends here."""

    def substituted(self, state: State, substitution: Substitution) -> None:
        """An agent failed, and the game goes on."""

    def forfeited(self, state: State, forfeit: Forfeit) -> None:
        """An agent failed and loses; the game is over. `ended` is not called."""

    def ended(self, state: State) -> None:
        """The game is over."""


def play_game(
    state: State,
    agents: Sequence[Agent],
    listeners: Sequence[Listener] = (),
    on_failure: Sequence[str] | None = None,
) -> State:
    """Play `state` to its end, one agent per seat, and return the final position.

    `on_failure` says for each seat what happens if its agent raises an error or chooses what is not legal (`policies`);
    by default the game stops. AgentFailed if it stops; its `seat` and `moves` say who and when.
    """
    keep_history = any(agent.interactive for agent in agents)
    game = OngoingGame(state, agents, listeners, keep_history=keep_history, on_failure=on_failure)
    game.play_to_end(game.start)
    return state


class OngoingGame:
    """A game under way, move by move: for `play_game`, and for front ends in which choices arrive from elsewhere.

    Call `start`, then `play` with a decision of the seat to move until the state is terminal, then `end`.
    """

    def __init__(
        self,
        state: State,
        agents: Sequence[Agent],
        listeners: Sequence[Listener] = (),
        *,
        keep_history: bool = False,
        on_failure: Sequence[str] | None = None,
    ) -> None:
        if len(agents) != state.seats:
            raise BadSpec(f"{state.game.name} has {state.seats} seats here; {len(agents)} agents given")
        self.state = state
        self.agents = agents
        self.listeners = listeners
        self.actions: list[int] = []
        """What was played so far."""
        self.observers = [seat for seat, agent in enumerate(agents) if _overrides(agent, Agent, "observe_action")]
        self.history: list[tuple[State, int | None]] | None = [] if keep_history else None
        """Positions before each move, and the seat that chose (None: nobody had a choice); kept if moves can be taken
        back."""
        self.on_failure = on_failure or (STOP,) * len(agents)
        self._started = self._over = False
        self._shown: Observation | None = None  # what the agent was asked about, until its decision is played

    @property
    def moves(self) -> int:
        return len(self.actions)

    def play_to_end(self, begin: Callable[[], None]) -> None:
        """Begin, by `start` or otherwise, and ask whoever is to move until the game is over or forfeited."""
        try:
            begin()
            while not self.state.is_terminal:
                seat = self.state.player
                try:
                    self.play(self.ask())
                except TakeBack:
                    self.take_back(seat)
        except _Forfeited as forfeited:
            self.end_forfeited(forfeited.forfeit)
        else:
            self.end()

    def start(self) -> None:
        """Tell everybody that the game begins, once."""
        if self._started:
            return
        self._started = True
        for seat, agent in enumerate(self.agents):
            if _overrides(agent, Agent, "start_game"):
                with self._answering_for(seat):
                    agent.start_game(self.state.observation(seat))
        for listener in self.listeners:
            listener.started(self.state, self.agents)

    def end(self) -> None:
        self._end_agents(self.state.returns, self.state.scores)
        for listener in self.listeners:
            listener.ended(self.state)

    def end_forfeited(self, forfeit: Forfeit) -> None:
        """The game ends here, and a seat has lost it."""
        state, seat = self.state, forfeit.seat
        self._end_agents(forfeit_returns(state, seat), forfeit_scores(state, seat))
        for listener in self.listeners:
            listener.forfeited(state, forfeit)

    def _end_agents(self, returns: tuple[float, ...], scores: tuple[float, ...]) -> None:
        """What an agent does now changes nothing any more."""
        self._over = True
        for seat, agent in enumerate(self.agents):
            if _overrides(agent, Agent, "end_game"):
                with self._answering_for(seat):
                    agent.end_game(self.state.observation(seat), returns, scores)

    def ask(self) -> Decision:
        """The decision of the agent whose turn it is."""
        seat = self._player()
        agent = self.agents[seat]
        self._shown = self.state.observation(seat)
        with self._answering_for(seat):
            return ask(agent, self._shown)
        return self._substitute(seat)

    def _substitute(self, seat: int) -> Decision:
        """A random action, in place of an agent that has failed."""
        self._shown = self.state.observation(seat)
        legal = self._shown.legal_actions()
        chance = rng.generator(rng.derive(zlib.crc32(bytes(self._shown)), self.moves))
        return Decision(legal[rng.draw(chance) % len(legal)], summary="a random action: the agent failed")

    def _action_of(self, decision: Decision) -> int | None:
        """The action that is played, if it is legal. An object can say one thing here and another there, so it is asked
        once, and what it says is a plain number from then on."""
        try:
            action = operator.index(decision.action)
        except Exception:
            return None
        return action if action in self.state.legal_actions() else None

    def play(self, decision: Decision, *, inform_mover: bool = False) -> None:
        """Play a legal decision of the seat to move. An agent is notified of its own seat's action only if it is
        `forced`, or with `tell_mover`: then it was not asked."""
        seat, action = self._player(), self._action_of(decision)
        if action is None:
            with self._answering_for(seat):
                raise IllegalAction(f"{self.state.game.name}: action {decision.action!r} is not legal now")
            decision = self._substitute(seat)
            action = decision.action
        if self.listeners:
            observation = self._shown or self.state.observation(seat)
            for listener in self.listeners:
                listener.decided(self.state, seat, observation, decision)
        self._shown = None
        if self.history is not None:
            self.history.append((self.state.copy(), None if decision.forced else seat))
        self._apply(seat, action, inform_mover or decision.forced)

    def take_back(self, seat: int) -> int:
        """Go back to the last decision of that seat; returns how many moves that took."""
        history = self.history or []
        own = [move for move, (_, chooser) in enumerate(history) if chooser == seat]
        moves = len(history) - own[-1] if own else 0
        if moves:
            self.state.memory[:] = history[own[-1]][0].memory
            del history[own[-1] :]
            del self.actions[-moves:]
        for listener in self.listeners:
            listener.taken_back(self.state, moves)
        return moves

    def _player(self) -> int:
        game, seat = self.state.game, self.state.player
        if not 0 <= seat < len(self.agents):
            raise BadGame(f"{game.name}: player() says {seat}")
        if self.moves == LONGEST_GAME:
            raise BadGame(f"{game.name}: not over after {LONGEST_GAME:,} moves")
        return seat

    @contextmanager
    def _answering_for(self, seat: int) -> Iterator[None]:
        """Whatever an agent raises is its failure, and so is a state that it has written to. A person may also leave,
        take back, or press Ctrl-C. Where the game goes on, errors end here."""
        before = self.state.memory.tobytes()
        try:
            yield
            if self.state.memory.tobytes() != before:
                raise IllegalAction("it has changed the state of the game, which agents may not")
        except BaseException as error:
            self.state.memory[:] = np.frombuffer(before, np.uint8)
            if self.agents[seat].interactive or _is_ctrl_c(error):
                raise
            policy = self.on_failure[seat]
            failure = AgentFailed(error_text(error), seat=seat, moves=self.moves, traceback=traceback.format_exc())
            if policy == STOP:
                for listener in self.listeners:
                    listener.failed(self.state, seat, failure)
                raise failure from error
            if policy == FORFEIT and not self._over:
                raise _Forfeited(Forfeit(seat, self.moves, str(failure))) from error
            if policy == SUBSTITUTE and not self._over:
                for listener in self.listeners:
                    listener.substituted(self.state, Substitution(seat, self.moves, str(failure)))

    def _apply(self, seat: int, action: int, inform_mover: bool) -> None:
        entries = self.state.game.entries
        seen = {}
        for observer in self.observers:
            if observer != seat:
                seen[observer] = int(entries.action_observation(self.state.memory, action, observer))
            elif inform_mover:
                seen[observer] = action
            if self.agents[observer].observes_text and seen.get(observer) == action:
                text = self.state.game.describe(self.state.observation(observer), action)
                with self._answering_for(observer):
                    self.agents[observer].observe_text(seat, text)
        entries.apply(self.state.memory, action)
        self.actions.append(action)
        for observer, action_observation in seen.items():
            with self._answering_for(observer):
                self.agents[observer].observe_action(seat, action_observation, self.state.observation(observer))
        for listener in self.listeners:
            listener.applied(self.state, seat, action)


class _Forfeited(Exception):
    def __init__(self, forfeit: Forfeit) -> None:
        super().__init__(forfeit.reason)
        self.forfeit = forfeit


def error_text(error: BaseException) -> str:
    """What an agent's error says, in one line."""
    return str(error) if isinstance(error, BoardwrightError) else sentence(error)


def _is_ctrl_c(error: BaseException) -> bool:
    """The user's, that is; a process that does not heed Ctrl-C can only have it from the agent."""
    return isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) != signal.SIG_IGN


def _overrides(thing: object, base: type, method: str) -> bool:
    """Whether there is somebody to call: observations are not made for nobody."""
    return getattr(type(thing), method) is not getattr(base, method)
