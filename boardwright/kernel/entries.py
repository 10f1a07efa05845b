"""A game's rules as entry points: compiled functions over the state's bytes, with fixed signatures.

Each is compiled, or loaded from the disk cache, when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.errors import BoardwrightError, UnknownName
from boardwright.kernel import contract, rng
from boardwright.kernel.calls import SLOTS, LearningRules, PlainRules, SearchRules
from boardwright.kernel.compile import UNCOMPILED, address, compiled, rule
from boardwright.kernel.contract import NO_TURNS, TERMINAL, Contract, Rule
from boardwright.kernel.pointers import record_opener
from boardwright.kernel.records import plain_record

Entry = Callable[..., Any]


@rule
def random_policy(s: Any, actions: NDArray[np.int64], n: int, rng_state: rng.RngState) -> int:
    """Each legal action as likely as the others."""
    return actions[rng.below(rng_state, n)]


@rule
def _always(s: Any) -> bool:
    return True


class Entries:
    """The entry points of one game. `s` below is the record, `state` its bytes."""

    def __init__(self, game: Contract) -> None:
        self._game = game
        dtype = game.state
        if UNCOMPILED:
            self._open: Rule = lambda state: plain_record(state, dtype)
        else:
            self._open = record_opener(dtype)
        self._search_rules: dict[tuple[str, str, bool], SearchRules] = {}
        self._by_name: dict[tuple[str, str], Entry] = {}

    def _compiled(self, function: Entry, signature: Any, name: str) -> Entry:
        return compiled(function, signature, f"{self._game.name}.{name}")

    @cached_property
    def setup(self) -> Entry:
        open_, setup = self._open, self._game.rules.setup

        def entry(state: Any, seed: Any, seats: int, options: Any) -> None:
            setup(open_(state), seed, seats, options)

        return self._compiled(entry, contract.SETUP, "setup")

    @cached_property
    def player(self) -> Entry:
        open_, player = self._open, self._game.rules.player

        def entry(state: Any) -> int:
            return player(open_(state))

        return self._compiled(entry, contract.PLAYER, "player")

    @cached_property
    def legal(self) -> Entry:
        open_, legal = self._open, self._game.rules.legal

        def entry(state: Any, out: Any) -> int:
            return legal(open_(state), out)

        return self._compiled(entry, contract.LEGAL, "legal")

    @cached_property
    def apply(self) -> Entry:
        open_, apply = self._open, self._game.rules.apply

        def entry(state: Any, action: int) -> None:
            apply(open_(state), action)

        return self._compiled(entry, contract.APPLY, "apply")

    def _values(self, values: Rule, name: str) -> Entry:
        open_ = self._open

        def entry(state: Any, out: Any) -> None:
            values(open_(state), out)

        return self._compiled(entry, contract.VALUES, name)

    @cached_property
    def returns(self) -> Entry:
        return self._values(self._game.rules.returns, "returns")

    @cached_property
    def scores(self) -> Entry:
        return self._values(self._game.rules.scores or self._game.rules.returns, "scores")

    @cached_property
    def observe(self) -> Entry:
        open_, observe = self._open, self._game.information.observe
        if observe is not None:

            def entry(state: Any, seat: int) -> None:
                observe(open_(state), seat)
        elif self._game.has_hidden_information:

            def entry(state: Any, seat: int) -> None:
                open_(state).rng[:] = 0
        else:

            def entry(state: Any, seat: int) -> None:
                pass

        return self._compiled(entry, contract.OBSERVE, "observe")

    @cached_property
    def determinize(self) -> Entry:
        open_, determinize, seed_generator = self._open, self._game.information.determinize, rng.seed
        if determinize is not None:

            def entry(state: Any, seat: int, seed: Any) -> None:
                determinize(open_(state), seat, seed)
        elif self._game.has_hidden_information:

            def entry(state: Any, seat: int, seed: Any) -> None:
                seed_generator(open_(state).rng, seed)
        else:

            def entry(state: Any, seat: int, seed: Any) -> None:
                pass

        return self._compiled(entry, contract.DETERMINIZE, "determinize")

    @cached_property
    def action_observation(self) -> Entry:
        open_, action_observation = self._open, self._game.information.action_observation
        if action_observation is not None:

            def entry(state: Any, action: int, seat: int) -> int:
                return action_observation(open_(state), action, seat)
        else:

            def entry(state: Any, action: int, seat: int) -> int:
                return action

        return self._compiled(entry, contract.ACTION_OBSERVATION, "action_observation")

    @cached_property
    def piece_counts(self) -> Entry:
        open_, piece_counts = self._open, self._game.rules.piece_counts
        if piece_counts is None:
            raise BoardwrightError(f"game {self._game.name!r} declares no piece_counts")

        def entry(state: Any, out: Any) -> None:
            piece_counts(open_(state), out)

        return self._compiled(entry, contract.PIECE_COUNTS, "piece_counts")

    @cached_property
    def features(self) -> Entry:
        open_, features = self._open, self._game.learning.features
        if features is None:
            raise BoardwrightError(f"game {self._game.name!r} declares no features, so nothing can be learned about it")

        def entry(state: Any, seat: int, sparse: Any) -> None:
            sparse.count[0] = 0
            features(open_(state), seat, sparse)

        return self._compiled(entry, contract.FEATURES, "features")

    @cached_property
    def turn(self) -> Entry:
        """Which turn it is; without a rule for it, ALWAYS_OVER: every action ends one."""
        open_, turn = self._open, self._game.learning.turn
        if turn is not None:

            def entry(state: Any) -> int:
                return turn(open_(state))
        else:

            def entry(state: Any) -> int:
                return NO_TURNS

        return self._compiled(entry, contract.TURN, "turn")

    @cached_property
    def rewind(self) -> Entry:
        open_, rewind = self._open, self._game.learning.rewind
        if rewind is not None:

            def entry(state: Any) -> None:
                rewind(open_(state))
        else:

            def entry(state: Any) -> None:
                pass

        return self._compiled(entry, contract.REWIND, "rewind")

    def _policy(self, name: str) -> Rule:
        policies = {"random": random_policy, **self._game.search.policies}
        if name not in policies:
            raise UnknownName("playout policy", name, policies, f" for {self._game.name}")
        return policies[name]

    def choose(self, policy: str) -> Entry:
        """One choice by a policy: (state, scratch, rng_state) -> action."""
        key = ("choose", policy)
        if key not in self._by_name:
            open_, legal, choose = self._open, self._game.rules.legal, self._policy(policy)

            def entry(state: Any, scratch: Any, rng_state: Any) -> int:
                s = open_(state)
                return choose(s, scratch, legal(s, scratch), rng_state)

            self._by_name[key] = self._compiled(entry, contract.CHOOSE, f"choose_{policy}")
        return self._by_name[key]

    def playout(self, policy: str = "random") -> Entry:
        """Play to the end by a policy: (state, scratch, rng_state). The rules are compiled into this loop, which
        is what makes search fast: through the table of addresses it would take twice as long."""
        key = ("playout", policy)
        if key not in self._by_name:
            game, open_, choose = self._game, self._open, self._policy(policy)
            player, legal, apply = game.rules.player, game.rules.legal, game.rules.apply

            def entry(state: Any, scratch: Any, rng_state: Any) -> None:
                s = open_(state)
                while player(s) != TERMINAL:
                    apply(s, choose(s, scratch, legal(s, scratch), rng_state))

            self._by_name[key] = self._compiled(entry, contract.PLAYOUT, f"playout_{policy}")
        return self._by_name[key]

    def truncated_playout(self, policy: str) -> Entry:
        """Play a number of moves by a policy, and on until the position is quiescent: (state, scratch, rng_state,
        plies)."""
        key = ("truncated_playout", policy)
        if key not in self._by_name:
            game, open_, choose = self._game, self._open, self._policy(policy)
            player, legal, apply, quiescent = (
                game.rules.player,
                game.rules.legal,
                game.rules.apply,
                game.search.quiescent or _always,
            )

            def entry(state: Any, scratch: Any, rng_state: Any, plies: int) -> None:
                s = open_(state)
                while player(s) != TERMINAL and (plies > 0 or not quiescent(s)):
                    apply(s, choose(s, scratch, legal(s, scratch), rng_state))
                    plies -= 1

            self._by_name[key] = self._compiled(entry, contract.TRUNCATED_PLAYOUT, f"truncated_playout_{policy}")
        return self._by_name[key]

    def self_play(self, policy: str) -> Entry:
        """Play to the end, each seat choosing by a policy from what it may know: (state, observation, scratch,
        rng_state) -> the number of decisions. `observation` is room for one."""
        key = ("self_play", policy)
        if key not in self._by_name:
            game, open_, choose, observe = self._game, self._open, self._policy(policy), self.observe
            player, legal, apply = game.rules.player, game.rules.legal, game.rules.apply

            def entry(state: Any, observation: Any, scratch: Any, rng_state: Any) -> int:
                s, v = open_(state), open_(observation)
                decisions = 0
                while player(s) != TERMINAL:
                    observation[:] = state
                    observe(observation, player(s))
                    apply(s, choose(v, scratch, legal(v, scratch), rng_state))
                    decisions += 1
                return decisions

            self._by_name[key] = self._compiled(entry, contract.SELF_PLAY, f"self_play_{policy}")
        return self._by_name[key]

    def evaluation(self, name: str) -> Entry:
        """A game's own estimate of the returns, by name: (state, out); "returns" are those themselves."""
        if name == "returns":
            return self.returns
        if name not in self._game.search.evaluations:
            raise UnknownName("evaluation", name, self._game.search.evaluations, f" for {self._game.name}")
        key = ("evaluate", name)
        if key not in self._by_name:
            self._by_name[key] = self._values(self._game.search.evaluations[name], f"evaluate_{name}")
        return self._by_name[key]

    def everything(self) -> None:
        """Compile all there is, or load it from disk."""
        names = ["setup", "player", "legal", "apply", "returns", "scores", "observe", "determinize"]
        names += ["action_observation"]
        names += ["piece_counts"] if self._game.rules.piece_counts is not None else []
        names += ["features", "turn", "rewind"] if self._game.learning.features is not None else []
        for name in names:
            getattr(self, name)
        for policy in ("random", *self._game.search.policies):
            self.choose(policy)
            self.playout(policy)
            self.self_play(policy)
            self.truncated_playout(policy)
        for name in self._game.search.evaluations:
            self.evaluation(name)

    def search_rules(
        self, playout: str = "random", evaluation: str = "returns", *, truncated: bool = False
    ) -> SearchRules:
        """The game as search kernels get it (calls.py). `truncated`: playouts may stop before the end."""
        key = (playout, evaluation, truncated)
        if key not in self._search_rules:
            entries = {
                "player": self.player,
                "legal": self.legal,
                "apply": self.apply,
                "returns": self.returns,
                "determinize": self.determinize,
                "action_observation": self.action_observation,
                "playout": self.playout(playout),
                "evaluate": self.evaluation(evaluation),
            }
            if truncated:
                entries["truncated_playout"] = self.truncated_playout(playout)
            self._search_rules[key] = SearchRules(_addresses(entries))
        return self._search_rules[key]

    @cached_property
    def plain_rules(self) -> PlainRules:
        """The game as kernels get it that only play actions (calls.py)."""
        return PlainRules(_addresses({"player": self.player, "legal": self.legal, "apply": self.apply}))

    @cached_property
    def learning_rules(self) -> LearningRules:
        """The game as kernels with a network get it (calls.py)."""
        entries = {
            "player": self.player,
            "legal": self.legal,
            "apply": self.apply,
            "returns": self.returns,
            "determinize": self.determinize,
            "observe": self.observe,
            "features": self.features,
            "turn": self.turn,
            "rewind": self.rewind,
        }
        return LearningRules(_addresses(entries))


def _addresses(entries: dict[str, Entry]) -> Any:
    """The table; a slot that is not filled holds 0 (None if uncompiled)."""
    if UNCOMPILED:
        return tuple(entries.get(name) for name in SLOTS)
    return np.array([address(entries[name]) if name in entries else 0 for name in SLOTS], np.int64)
