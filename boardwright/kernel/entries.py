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
from boardwright.kernel.compile import UNCOMPILED, address, compiled, rule
from boardwright.kernel.contract import ALWAYS_OVER, OVER, Contract, Rule
from boardwright.kernel.pointers import record_opener
from boardwright.kernel.records import plain_record

Entry = Callable[..., Any]
RulesTable = NDArray[np.int64] | tuple[Entry, ...]


@rule
def random_policy(s: Any, actions: NDArray[np.int64], n: int, words: rng.Words) -> int:
    """Each legal action as likely as the others."""
    return actions[rng.below(words, n)]


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
        self._tables: dict[tuple[str, str, bool], RulesTable] = {}
        self._by_name: dict[tuple[str, str], Entry] = {}

    def _compiled(self, function: Entry, signature: Any, name: str) -> Entry:
        return compiled(function, signature, f"{self._game.name}.{name}")

    @cached_property
    def setup(self) -> Entry:
        open_, setup = self._open, self._game.setup

        def entry(state: Any, seed: Any, seats: int, options: Any) -> None:
            setup(open_(state), seed, seats, options)

        return self._compiled(entry, contract.SETUP, "setup")

    @cached_property
    def player(self) -> Entry:
        open_, player = self._open, self._game.player

        def entry(state: Any) -> int:
            return player(open_(state))

        return self._compiled(entry, contract.PLAYER, "player")

    @cached_property
    def legal(self) -> Entry:
        open_, legal = self._open, self._game.legal

        def entry(state: Any, out: Any) -> int:
            return legal(open_(state), out)

        return self._compiled(entry, contract.LEGAL, "legal")

    @cached_property
    def apply(self) -> Entry:
        open_, apply = self._open, self._game.apply

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
        return self._values(self._game.returns, "returns")

    @cached_property
    def scores(self) -> Entry:
        return self._values(self._game.scores or self._game.returns, "scores")

    @cached_property
    def observe(self) -> Entry:
        open_, observe = self._open, self._game.observe
        if observe is not None:

            def entry(state: Any, seat: int) -> None:
                observe(open_(state), seat)
        elif self._game.hidden:

            def entry(state: Any, seat: int) -> None:
                open_(state).rng[:] = 0
        else:

            def entry(state: Any, seat: int) -> None:
                pass

        return self._compiled(entry, contract.OBSERVE, "observe")

    @cached_property
    def determinize(self) -> Entry:
        open_, determinize, seed_generator = self._open, self._game.determinize, rng.seed
        if determinize is not None:

            def entry(state: Any, seat: int, seed: Any) -> None:
                determinize(open_(state), seat, seed)
        elif self._game.hidden:

            def entry(state: Any, seat: int, seed: Any) -> None:
                seed_generator(open_(state).rng, seed)
        else:

            def entry(state: Any, seat: int, seed: Any) -> None:
                pass

        return self._compiled(entry, contract.DETERMINIZE, "determinize")

    @cached_property
    def seen_as(self) -> Entry:
        open_, seen_as = self._open, self._game.seen_as
        if seen_as is not None:

            def entry(state: Any, action: int, seat: int) -> int:
                return seen_as(open_(state), action, seat)
        else:

            def entry(state: Any, action: int, seat: int) -> int:
                return action

        return self._compiled(entry, contract.SEEN_AS, "seen_as")

    @cached_property
    def census(self) -> Entry:
        open_, census = self._open, self._game.census
        if census is None:
            raise BoardwrightError(f"game {self._game.name!r} declares no census")

        def entry(state: Any, out: Any) -> None:
            census(open_(state), out)

        return self._compiled(entry, contract.CENSUS, "census")

    @cached_property
    def features(self) -> Entry:
        open_, features = self._open, self._game.features
        if features is None:
            raise BoardwrightError(f"game {self._game.name!r} declares no features, so nothing can be learned about it")

        def entry(state: Any, seat: int, told: Any) -> None:
            told.count[0] = 0
            features(open_(state), seat, told)

        return self._compiled(entry, contract.FEATURES, "features")

    @cached_property
    def turn(self) -> Entry:
        """Which turn it is; without a rule for it, ALWAYS_OVER: every action ends one."""
        open_, turn = self._open, self._game.turn
        if turn is not None:

            def entry(state: Any) -> int:
                return turn(open_(state))
        else:

            def entry(state: Any) -> int:
                return ALWAYS_OVER

        return self._compiled(entry, contract.TURN, "turn")

    @cached_property
    def rewind(self) -> Entry:
        open_, rewind = self._open, self._game.rewind
        if rewind is not None:

            def entry(state: Any) -> None:
                rewind(open_(state))
        else:

            def entry(state: Any) -> None:
                pass

        return self._compiled(entry, contract.REWIND, "rewind")

    def _policy(self, name: str) -> Rule:
        policies = {"random": random_policy, **self._game.policies}
        if name not in policies:
            raise UnknownName("playout policy", name, policies, f" for {self._game.name}")
        return policies[name]

    def choose(self, policy: str) -> Entry:
        """One choice by a policy: (state, scratch, words) -> action."""
        key = ("choose", policy)
        if key not in self._by_name:
            open_, legal, choose = self._open, self._game.legal, self._policy(policy)

            def entry(state: Any, scratch: Any, words: Any) -> int:
                s = open_(state)
                return choose(s, scratch, legal(s, scratch), words)

            self._by_name[key] = self._compiled(entry, contract.CHOOSE, f"choose_{policy}")
        return self._by_name[key]

    def playout(self, policy: str = "random") -> Entry:
        """Play to the end by a policy: (state, scratch, words). The rules are compiled into this loop, which
        is what makes search fast: through the table of addresses it would take twice as long."""
        key = ("playout", policy)
        if key not in self._by_name:
            game, open_, choose = self._game, self._open, self._policy(policy)
            player, legal, apply = game.player, game.legal, game.apply

            def entry(state: Any, scratch: Any, words: Any) -> None:
                s = open_(state)
                while player(s) != OVER:
                    apply(s, choose(s, scratch, legal(s, scratch), words))

            self._by_name[key] = self._compiled(entry, contract.PLAYOUT, f"playout_{policy}")
        return self._by_name[key]

    def play_on(self, policy: str) -> Entry:
        """Play a number of moves by a policy, and on until the position is settled: (state, scratch, words, plies)."""
        key = ("play_on", policy)
        if key not in self._by_name:
            game, open_, choose = self._game, self._open, self._policy(policy)
            player, legal, apply, settled = game.player, game.legal, game.apply, game.settled or _always

            def entry(state: Any, scratch: Any, words: Any, plies: int) -> None:
                s = open_(state)
                while player(s) != OVER and (plies > 0 or not settled(s)):
                    apply(s, choose(s, scratch, legal(s, scratch), words))
                    plies -= 1

            self._by_name[key] = self._compiled(entry, contract.PLAY_ON, f"play_on_{policy}")
        return self._by_name[key]

    def self_play(self, policy: str) -> Entry:
        """Play to the end, each seat choosing by a policy from what it may know: (state, view, scratch, words) -> the
        number of decisions. `view` is room for one."""
        key = ("self_play", policy)
        if key not in self._by_name:
            game, open_, choose, observe = self._game, self._open, self._policy(policy), self.observe
            player, legal, apply = game.player, game.legal, game.apply

            def entry(state: Any, view: Any, scratch: Any, words: Any) -> int:
                s, v = open_(state), open_(view)
                decisions = 0
                while player(s) != OVER:
                    view[:] = state
                    observe(view, player(s))
                    apply(s, choose(v, scratch, legal(v, scratch), words))
                    decisions += 1
                return decisions

            self._by_name[key] = self._compiled(entry, contract.SELF_PLAY, f"self_play_{policy}")
        return self._by_name[key]

    def evaluation(self, name: str) -> Entry:
        """A game's own estimate of the returns, by name: (state, out); "returns" are those themselves."""
        if name == "returns":
            return self.returns
        if name not in self._game.evaluations:
            raise UnknownName("evaluation", name, self._game.evaluations, f" for {self._game.name}")
        key = ("evaluate", name)
        if key not in self._by_name:
            self._by_name[key] = self._values(self._game.evaluations[name], f"evaluate_{name}")
        return self._by_name[key]

    def everything(self) -> None:
        """Compile all there is, or load it from disk."""
        names = ["setup", "player", "legal", "apply", "returns", "scores", "observe", "determinize", "seen_as"]
        names += ["census"] if self._game.census is not None else []
        names += ["features", "turn", "rewind"] if self._game.features is not None else []
        for name in names:
            getattr(self, name)
        for policy in ("random", *self._game.policies):
            self.choose(policy)
            self.playout(policy)
            self.self_play(policy)
            self.play_on(policy)
        for name in self._game.evaluations:
            self.evaluation(name)

    def table(self, playout: str = "random", evaluation: str = "returns", *, breaks_off: bool = False) -> RulesTable:
        """The game as search kernels get it; see table.py. `breaks_off`: playouts may stop before the end."""
        key = (playout, evaluation, breaks_off)
        if key not in self._tables:
            entries: tuple[Entry, ...] = (
                self.player,
                self.legal,
                self.apply,
                self.returns,
                self.determinize,
                self.seen_as,
                self.playout(playout),
                self.evaluation(evaluation),
            )
            if breaks_off:
                entries = (*entries, self.play_on(playout))
            self._tables[key] = _addresses(entries)
        return self._tables[key]

    @cached_property
    def learner_table(self) -> RulesTable:
        """The game as learners get it: the same slots, and in place of playout and evaluation what they need."""
        return _addresses(
            (
                self.player,
                self.legal,
                self.apply,
                self.returns,
                self.determinize,
                self.observe,
                self.features,
                self.turn,
                self.rewind,
            )
        )


def _addresses(entries: tuple[Entry, ...]) -> RulesTable:
    return entries if UNCOMPILED else np.array([address(entry) for entry in entries], np.int64)
