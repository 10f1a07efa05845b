"""Tree searches as functions for a portable module: ISMCTS, UCT, and PUCT, which walks the tree of UCT."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np

from boardwright.agents import Agent
from boardwright.engine.blake2 import derive
from boardwright.engine.families import family
from boardwright.errors import BadSpec
from boardwright.kernel import MAX_SEATS, Game, copy_into, rng, rule
from boardwright.kernel.calls import LearningRules, SearchRules
from boardwright.kernel.portable import address_at, array_at, placed, size_of
from boardwright.learn import puct
from boardwright.search import ismcts, ismcts_tree, uct
from boardwright.search.ismcts import ISMCTS, Root
from boardwright.search.leaf import TO_THE_END
from boardwright.search.uct import UCT
from boardwright.search.uct_tree import LEAF, ROOT, Tree
from boardwright.search.workspace import Workspace

_U = np.uint64
_DETERMINIZATIONS = 2  # as in kernel/position.py


def _search_units(agent: Any, *, learned: bool = False) -> list[str]:
    truncated = agent.playout_plies != TO_THE_END
    units = ["rules", f"{'truncated_playout' if truncated else 'playout'} {agent.playout}"]
    units += [f"evaluate {agent.estimate}"] if agent.estimate not in ("returns", "scores") else []
    return units + (["learned"] if learned else [])


def _refused_search(agent: Any) -> dict[str, bool]:
    return {
        "tools of the toolbox": getattr(agent, "uses_tools", False),
        f"select={agent.select}": agent.select != "robust",
        "threads": agent.threads > 1,
        "seconds (give iterations: the clock is the host's)": agent.seconds is not None,
        "game_seconds": agent.game_seconds is not None,
        "stream": agent.stream is not None,
    }


class _IsmctsMemory(NamedTuple):
    seat: Any
    observation: Any
    rng_state: Any
    workspace: Any
    tree: Any


class IsmctsFamily(family.Family):
    agent_class = ISMCTS

    def check(self) -> None:
        self.refuse(_refused_search(self.agent))

    @property
    def iterations(self) -> int:
        return int(self.agent.iterations)

    def functions(self) -> family.Functions:
        agent, game, seats, outcome = self.agent, self.game, self.seats, self.outcome
        nodes = max(1 + game.max_legal, min(agent.nodes, agent.iterations * agent.nodes_per_iteration(seats) + 1))
        own = self.add(
            _IsmctsMemory(
                np.zeros(1, np.int64),
                np.zeros(game.state.itemsize, np.uint8),
                family.rng_room(),
                Workspace.for_game(game),
                ismcts_tree.Tree.with_room_for(nodes),
            )
        )
        table = family.table_for(game, SearchRules, _search_units(agent, learned=agent.closed))
        settings = placed(agent.kernel_settings())[0]
        observation_at = array_at(np.uint8, game.state.itemsize)
        low, high = float(game.min_utility), float(game.max_utility)
        plain, iterate, none = ismcts.PLAIN, ismcts.iterate, ismcts_tree.NONE

        def begin(memory: Any, observation: Any, seat: int, seats: int, seed: Any) -> None:
            mine = own(memory)
            rng.seed(mine.rng_state, seed)
            rng.seed(mine.rng_state, rng.next64(mine.rng_state))
            copy_into(mine.observation, observation_at(observation), mine.observation.size)
            for root in range(MAX_SEATS):
                mine.tree.child[root] = none
            mine.tree.used[0] = MAX_SEATS
            mine.seat[0] = seat

        def advance(memory: Any, iterations: int) -> None:
            mine = own(memory)
            root = Root(mine.observation, mine.seat[0], seats)
            for _ in range(iterations):
                iterate(plain, table(), root, settings(memory), mine.tree, mine.workspace, mine.rng_state)

        def finish(memory: Any, seat: int) -> int:
            tree, found = own(memory).tree, outcome(memory)
            family.clear_outcome(found)
            node = tree.child[seat]
            while node != none:
                family.add_to_outcome(found, tree.edge[node], tree.visits[node], tree.total[node])
                node = tree.sibling[node]
            return family.rank_outcome(found, low, high)

        return {"begin": (begin, family.BEGIN), "advance": (advance, family.ADVANCE), "finish": (finish, family.FINISH)}


class _UctSearch(NamedTuple):
    root: Any
    rng_state: Any
    tree: Any


class _UctMemory(NamedTuple):
    """What the searches of several determinizations share."""

    searches: Any
    rng_state: Any
    workspace: Any
    words: Any
    mixed: Any


class UctFamily(family.Family):
    agent_class: ClassVar[type[Agent]] = UCT

    rules_kind: ClassVar[type] = SearchRules

    def check(self) -> None:
        self.refuse({**_refused_search(self.agent), "reuse": getattr(self.agent, "reuse", False)})

    @property
    def iterations(self) -> int:
        return int(self.agent.iterations)

    def units(self) -> list[str]:
        return _search_units(self.agent)

    def workspace(self) -> Any:
        return Workspace.for_game(self.game)

    def tree(self, nodes: int) -> Any:
        return Tree.with_room_for(nodes)

    parts: ClassVar[Any] = uct.PLAIN

    def settings(self) -> Any:
        """A rule `settings(memory)`."""
        return placed(self.agent.kernel_settings())[0]

    def functions(self) -> family.Functions:
        agent, game, outcome = self.agent, self.game, self.outcome
        hidden = game.has_hidden_information
        most = agent.determinizations if hidden else 1
        share = -(-agent.iterations // most)
        nodes = max(1 + game.max_legal, min(agent.nodes, share * game.max_legal + 1))
        shared = self.add(
            _UctMemory(np.zeros(1, np.int64), family.rng_room(), self.workspace(), np.zeros(16, _U), np.zeros(16, _U))
        )
        settings = self.settings()
        one = _UctSearch(np.zeros(game.state.itemsize, np.uint8), family.rng_room(), self.tree(nodes))
        start = self.size
        search_at, segments = placed(one)
        step = size_of(segments)
        self.size += most * step
        table = family.table_for(game, self.rules_kind, self.units())
        ((determinize, _),) = [e for name, e in game.entries.functions_of("rules").items() if name == "determinize"]
        determinize = rule(determinize)
        opened = rule(_opened(game))
        observation_at = array_at(np.uint8, game.state.itemsize)
        low, high = float(game.min_utility), float(game.max_utility)
        parts, iterate, no_jobs = self.parts, uct.iterate, uct.NO_JOBS

        def begin(memory: Any, observation: Any, seat: int, seats: int, seed: Any) -> None:
            mine, known = shared(memory), observation_at(observation)
            rng.seed(mine.rng_state, seed)
            searches = 1 if opened(known) else most
            mine.searches[0] = searches
            for i in range(searches):
                one = search_at(address_at(memory, start + i * step))
                rng.seed(one.rng_state, rng.next64(mine.rng_state))
                copy_into(one.root, known, known.size)
                drawn = rng.next64(one.rng_state)
                determinize(one.root, seat, derive(drawn, _DETERMINIZATIONS, seat, mine.words, mine.mixed))
                tree = one.tree
                tree.first[ROOT], tree.visits[ROOT], tree.total[ROOT] = LEAF, 0, 0.0
                tree.used[0], tree.start[0] = 1, ROOT

        def advance(memory: Any, iterations: int) -> None:
            mine = shared(memory)
            searches = mine.searches[0]
            for i in range(searches):
                one = search_at(address_at(memory, start + i * step))
                turns = iterations // searches + (1 if i < iterations % searches else 0)
                for _ in range(turns):
                    iterate(
                        parts,
                        table(),
                        one.root,
                        settings(memory),
                        one.tree,
                        mine.workspace,
                        one.rng_state,
                        no_jobs,
                    )

        def finish(memory: Any, seat: int) -> int:
            found = outcome(memory)
            family.clear_outcome(found)
            for i in range(shared(memory).searches[0]):
                tree = search_at(address_at(memory, start + i * step)).tree
                first = tree.first[ROOT]
                if first >= 0:
                    for child in range(first, first + tree.children[ROOT]):
                        family.add_to_outcome(found, tree.action[child], tree.visits[child], tree.total[child])
            return family.rank_outcome(found, low, high)

        return {"begin": (begin, family.BEGIN), "advance": (advance, family.ADVANCE), "finish": (finish, family.FINISH)}


def _opened(game: Game) -> Any:
    """A function `opened(state)`: whether nothing is hidden in a game with these options."""
    is_open, open_ = game.information.is_open, game.entries._open
    if not game.has_hidden_information:
        return lambda state: True
    if is_open is None:
        return lambda state: False
    is_open = rule(family.plain_function(is_open))

    def opened(state: Any) -> bool:
        return is_open(open_(state))

    return opened


class PuctFamily(UctFamily):
    agent_class = puct.PUCT
    rules_kind = LearningRules
    parts = puct.PARTS

    def check(self) -> None:
        super().check()
        if self.agent.network(self.seats).features(self.game).is_automatic:
            raise BadSpec("agent 'puct' with automatic features cannot be exported yet; nettree can")

    def units(self) -> list[str]:
        return ["rules", "features"]

    def workspace(self) -> Any:
        features = len(self.game.learning.feature_names)
        return puct.PuctWorkspace(*Workspace.for_game(self.game), *puct.Buffers.sized(features, self.game.max_legal))

    def tree(self, nodes: int) -> Any:
        return puct.PuctTree(*Tree.with_room_for(nodes), np.empty(nodes))

    def settings(self) -> Any:
        return self.add(self.agent.kernel_settings(self.seats))
