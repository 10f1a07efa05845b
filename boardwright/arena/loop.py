"""The game loop: every game that agents play, anywhere in the project, goes through `OngoingGame`.

`play_game` plays one to its end. A front end that waits for choices from elsewhere, as the web server, makes its moves
one by one.

What happens is reported to listeners: recording, progress, logs and live tables are listeners.
"""

from __future__ import annotations

import signal
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from boardwright.agents import Agent, Decision, ask
from boardwright.blame import sentence
from boardwright.errors import AgentFailed, BadGame, BadSpec, BoardwrightError
from boardwright.kernel import Observation, State

LONGEST_GAME = 1_000_000
"""A game that is not over after so many moves is taken for one that never ends."""


class TakeBack(Exception):
    """Raised by an agent, in `decide`, that wants to choose again from its last decision on."""


class LeaveGame(Exception):
    """Raised by an agent, in `decide`, that ends the game here."""


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

    def ended(self, state: State) -> None:
        """The game is over."""


def play_game(state: State, agents: Sequence[Agent], listeners: Sequence[Listener] = ()) -> State:
    """Play `state` to its end, one agent per seat, and return the final position.

    AgentFailed if an agent raises an error or chooses what is not legal; its `seat` and `moves` say who and when.
    """
    game = OngoingGame(state, agents, listeners, keep_history=any(agent.interactive for agent in agents))
    game.start()
    while not state.is_terminal:
        seat = state.player
        try:
            game.play(game.ask())
        except TakeBack:
            game.take_back(seat)
    game.end()
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
    ) -> None:
        if len(agents) != state.seats:
            raise BadSpec(f"{state.game.name} has {state.seats} seats here; {len(agents)} agents given")
        self.state = state
        self.agents = agents
        self.listeners = listeners
        self.moves = 0
        self.observers = [seat for seat, agent in enumerate(agents) if _overrides(agent, Agent, "observe_action")]
        self.history: list[tuple[State, int | None]] | None = [] if keep_history else None
        """Positions before each move, and the seat that chose (None: nobody had a choice); kept if moves can be taken
        back."""
        self._shown: Observation | None = None  # what the agent was asked about, until its decision is played

    def start(self) -> None:
        for seat, agent in enumerate(self.agents):
            if _overrides(agent, Agent, "start_game"):
                with self._answering_for(seat):
                    agent.start_game(self.state.observation(seat))
        for listener in self.listeners:
            listener.started(self.state, self.agents)

    def end(self) -> None:
        for seat, agent in enumerate(self.agents):
            if _overrides(agent, Agent, "end_game"):
                with self._answering_for(seat):
                    agent.end_game(self.state.observation(seat), self.state.returns, self.state.scores)
        for listener in self.listeners:
            listener.ended(self.state)

    def ask(self) -> Decision:
        """The decision of the agent whose turn it is."""
        seat = self._player()
        agent = self.agents[seat]
        self._shown = self.state.observation(seat)
        with self._answering_for(seat):
            return ask(agent, self._shown)

    def play(self, decision: Decision) -> None:
        """Play a legal decision of the seat to move. An agent hears of its own seat's action only if it is `forced`:
        then nobody asked it."""
        seat = self._player()
        if self.listeners:
            observation = self._shown or self.state.observation(seat)
            for listener in self.listeners:
                listener.decided(self.state, seat, observation, decision)
        self._shown = None
        if self.history is not None:
            self.history.append((self.state.copy(), None if decision.forced else seat))
        self._apply(seat, int(decision.action), decision.forced)

    def take_back(self, seat: int) -> int:
        """Go back to the last decision of that seat; returns how many moves that took."""
        history = self.history or []
        own = [move for move, (_, chooser) in enumerate(history) if chooser == seat]
        moves = len(history) - own[-1] if own else 0
        if moves:
            self.state.memory[:] = history[own[-1]][0].memory
            del history[own[-1] :]
            self.moves -= moves
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
        """Whatever an agent raises is its failure. A person may also leave, take back, or press Ctrl-C."""
        try:
            yield
        except BaseException as error:
            if self.agents[seat].interactive or _is_ctrl_c(error):
                raise
            failure = AgentFailed(said(error), seat=seat, moves=self.moves, traceback=traceback.format_exc())
            for listener in self.listeners:
                listener.failed(self.state, seat, failure)
            raise failure from error

    def _apply(self, seat: int, action: int, forced: bool) -> None:
        entries = self.state.game.entries
        seen = {}
        for observer in self.observers:
            if observer != seat:
                seen[observer] = int(entries.action_observation(self.state.memory, action, observer))
            elif forced:
                seen[observer] = action
        entries.apply(self.state.memory, action)
        self.moves += 1
        for observer, action_observation in seen.items():
            with self._answering_for(observer):
                self.agents[observer].observe_action(seat, action_observation, self.state.observation(observer))
        for listener in self.listeners:
            listener.applied(self.state, seat, action)


def said(error: BaseException) -> str:
    """What an agent's error says, in one line."""
    return str(error) if isinstance(error, BoardwrightError) else sentence(error)


def _is_ctrl_c(error: BaseException) -> bool:
    """The user's, that is; a process that does not heed Ctrl-C can only have it from the agent."""
    return isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) != signal.SIG_IGN


def _overrides(thing: object, base: type, method: str) -> bool:
    """Whether there is somebody to call: observations are not made for nobody."""
    return getattr(type(thing), method) is not getattr(base, method)
