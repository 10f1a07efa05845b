"""A game session: one game from its deal to its end, with everything that it needs.

    with GameSession(game, ["ismcts:iterations=200", "random"], seed=7) as session:
        session.make_ready()
        final = session.play()

A session holds the seeds of the deal and of the agents, the game's options, the compiled code, the agents in their
seats, and the listeners. Whoever seats agents does it with a session: matches, the terminal, the page's workers,
SCOUT's runs, trials in training, the dry run of scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from types import TracebackType
from typing import Any

from boardwright.agents import Agent, Decision, Spec
from boardwright.agents.levels import in_full
from boardwright.arena.loop import Listener, OngoingGame, error_text, policies
from boardwright.errors import AgentFailed, BadRecord, IllegalAction
from boardwright.kernel import Code, Game, State, ready
from boardwright.kernel.entries import RULES
from boardwright.positions import Given, deal
from boardwright.processes import lasting_threads
from boardwright.registry import is_ours, make_agent, scripts

Player = str | Agent | Callable[[Game, int, int], Agent] | None
"""Who sits in a seat: an agent's spec; an agent that does not sit anywhere yet; a function that makes one for a game, a
seat and a seed; or nobody, if the seat's actions come from elsewhere."""

_PATIENCE = 1.0  # seconds for a thread that is about to end


class GameSession(AbstractContextManager["GameSession"]):
    """One game, and the agents that play it. Close it, or use it in a `with` statement: agents may own processes."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        *,
        seed: int = 0,
        agent_seeds: Sequence[int] | None = None,
        options: Mapping[str, Any] | None = None,
        listeners: Sequence[Listener] = (),
        on_failure: str | None = None,
        position: Given | None = None,
    ) -> None:
        self.game = game
        self.players = players
        self.seed = seed
        self.agent_seeds = agent_seeds or [0] * len(players)
        self.options = game.all_options(options or {}, len(players))
        """Every option of the game with the value it has here."""
        self.position = position
        """The position that it begins with, if it is not a fresh deal (boardwright/positions.py)."""
        self.listeners = list(listeners)
        self.on_failure = on_failure
        self.remaining = 0
        """While the game is brought to a position: how many actions are still to come."""
        self.agents: list[Agent] = []
        self._ongoing: OngoingGame | None = None
        self._decision: Decision | None = None  # of the agent that was asked last, until it is played
        self._threads = lasting_threads()
        self._seat_agents()

    def _seat_agents(self) -> None:
        try:
            for seat, player in enumerate(self.players):
                if player is None:
                    agent = Agent(self.game, seat)
                elif isinstance(player, str):
                    spec = in_full(player, self.game, len(self.players), self.options)
                    agent = make_agent(spec, self.game, seat, seed=self.agent_seeds[seat])
                elif isinstance(player, Agent):
                    agent = player.seated(self.game, seat, self.agent_seeds[seat])
                else:
                    agent = player(self.game, seat, self.agent_seeds[seat])
                agent.game_options = self.options
                self.agents.append(agent)
        except BaseException:
            with suppress(AgentFailed):
                self._close_agents()
            raise

    def check(self) -> None:
        """BadSpec if an agent cannot play at this table."""
        for seat, agent in enumerate(self.agents):
            try:
                agent.check_seats(len(self.agents))
            except AgentFailed as error:
                raise AgentFailed(str(error), seat=seat, traceback=error.traceback) from error

    def needs(self) -> list[Code]:
        """The compiled code that the game uses: the rules, and what each agent needs."""
        return [*self.game.entries.code(RULES), *(code for agent in self.agents for code in agent.needs())]

    def make_ready(self) -> None:
        """Compile what is not in the cache, before the game begins: then no decision waits for a compiler."""
        self.check()
        ready.make_ready(self.needs())

    @property
    def ongoing(self) -> OngoingGame:
        """The game under way; the first to ask for it deals."""
        if self._ongoing is None:
            state = self._first_state()
            self._ongoing = OngoingGame(
                state,
                self.agents,
                self.listeners,
                keep_history=any(agent.interactive for agent in self.agents),
                on_failure=policies(self.agents, self.on_failure),
            )
        return self._ongoing

    def _first_state(self) -> State:
        if self.position is None:
            return self.game.new(seed=self.seed, seats=len(self.players), **self.options)
        return deal(self.game, self.position, self.seed)

    @property
    def state(self) -> State:
        return self.ongoing.state

    @property
    def actions(self) -> Sequence[int]:
        """What was played so far."""
        return self.ongoing.actions

    def play(self, after: Sequence[int] = ()) -> State:
        """Play to the end, from the position after the given actions, and return the final position."""
        self.ongoing.play_to_end(lambda: self.restart_at(after))
        return self.state

    def restart_at(self, actions: Sequence[int]) -> None:
        """Bring the game to the position after these actions, and the agents up to date: each is told what its seat
        sees of the actions that it has not chosen itself, and nobody is asked. Where the actions do not go on from what
        was played here, the game begins anew with new agents. BadRecord if one is not legal."""
        if not self.leads_to(actions):
            self.close()
            self._ongoing = None
            self._seat_agents()
        self.ongoing.start()
        new = actions[len(self.actions) :]
        for number, action in enumerate(new):
            self.remaining = len(new) - number - 1
            legal = self.state.legal_actions()
            if action not in legal:
                raise BadRecord(f"move {len(self.actions) + 1} of the game does not fit the rules; it cannot go on")
            own = self._decision is not None and self._decision.action == action
            decision = Decision.only(action) if len(legal) == 1 else Decision(action)
            self._decision = None
            self.ongoing.play(decision, inform_mover=not own)

    def leads_to(self, actions: Sequence[int]) -> bool:
        """Whether the actions go on from what was played here."""
        return list(actions[: len(self.actions)]) == list(self.actions)

    def ask(self) -> Decision:
        """The decision of the agent whose turn it is; it is not played."""
        decision = self.ongoing.ask()
        self._decision = None if decision.forced else decision
        return decision

    def end(self) -> None:
        """Tell the agents the result, if the game is over."""
        if self.state.is_terminal:
            self.ongoing.end()

    def close(self) -> None:
        """Close the agents, whatever happens. Those that are not ours may have started threads; AgentFailed if one is
        left that would keep the process from ending."""
        self._close_agents()
        specs = [(seat, player) for seat, player in enumerate(self.players) if isinstance(player, str)]
        foreign = [seat for seat, spec in specs if not may_be_here(Spec.parse(spec).name)]
        for thread in lasting_threads() - self._threads if foreign else ():
            thread.join(_PATIENCE)
            if thread.is_alive():
                raise AgentFailed(
                    f"a thread was left running ({thread.name}); end it in close(), or make it a daemon",
                    seat=foreign[0],
                )

    def _close_agents(self) -> None:
        failure: AgentFailed | None = None
        for agent in self.agents:
            try:
                agent.close()
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                failure = failure or AgentFailed(f"close() raised {error_text(error)}", seat=agent.seat)
        self.agents = []
        if failure is not None:
            raise failure

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self.close()
        except AgentFailed:
            if error is None:  # otherwise the first failure is told
                raise


def may_be_here(name: str) -> bool:
    """Whether an agent's code can run in this process: it is ours, or the code is in another one anyway."""
    return is_ours("agents", name) or name in scripts()


def positions(state: State, actions: Sequence[int]) -> Iterator[tuple[State, int | None]]:
    """Every position with the action played in it; the last one with None. It is the same state throughout, changed in
    place. BadRecord if an action is not legal."""
    for number, action in enumerate(actions, 1):
        try:
            state.check_legal(action)
        except IllegalAction as error:
            raise BadRecord(f"move {number} does not fit the rules: {error}") from None
        yield state, action
        state.game.entries.apply(state.memory, action)
    yield state, None
