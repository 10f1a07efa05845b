"""A game's rules as entry points: compiled functions over the state's bytes, with fixed signatures.

Each is loaded from the disk cache, or compiled, when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from boardwright.errors import BoardwrightError, UnknownName
from boardwright.kernel import contract, rng
from boardwright.kernel.batch_entries import batch_functions
from boardwright.kernel.calls import SLOTS, LearningRules, PlainRules, SearchRules
from boardwright.kernel.compile import Code, Unit, address
from boardwright.kernel.contract import LONGEST_PLAYOUT, NO_TURNS, TERMINAL, Contract, Rule
from boardwright.kernel.declare import UNCOMPILED, rule
from boardwright.kernel.pointers import copy_into, record_opener
from boardwright.kernel.records import plain_record
from boardwright.kernel.traces import best_known, remember

Entry = Callable[..., Any]


@rule
def random_policy(s: Any, actions: NDArray[np.int64], n: int, rng_state: rng.RngState) -> int:
    """Each legal action as likely as the others."""
    return actions[rng.below(rng_state, n)]


@rule
def _always(s: Any) -> bool:
    return True


@rule
def _action_itself(s: Any, action: int, seat: int) -> int:
    return action


@rule
def _no_turns(s: Any) -> int:
    return NO_TURNS


@rule
def _nothing(s: Any) -> None:
    pass


Functions = dict[str, tuple[Entry, Any]]
"""What a unit is made of: functions by name, with their signatures."""


_PLAYED = ("player", "legal", "apply")
"""What every kernel calls."""
OF_THE_RULES = ("returns", "scores")
"""Evaluations that every game has."""
RULES, FEATURES, PIECE_COUNTS, LEARNED = "rules", "features", "piece_counts", "learned"
"""Units of every game, and of those that declare them. The others are named after a policy or an evaluation."""


class SearchParts(NamedTuple):
    """What a search needs of a game."""

    playout: str | None = None
    """The policy of playouts, if there are any."""
    evaluation: str = "returns"
    truncated: bool = False
    """Playouts stop before the end."""
    traced: bool = False
    """Playouts leave a trace."""
    learned: bool = False
    """What seats learn by actions is needed, too."""
    judges: tuple[str, ...] = ()
    """The evaluations that rank actions."""

    @property
    def playout_kind(self) -> str:
        """Playouts that leave a trace are of one kind, also if they are truncated."""
        return "traced_playout" if self.traced else "truncated_playout" if self.truncated else "playout"


def _of_the_rules(name: str) -> cached_property[Entry]:
    return cached_property(lambda entries: entries._entry(RULES, name))


class Entries:
    """The entry points of one game, in units that are compiled together. `s` below is the record, `state` its bytes.

    The unit "rules" has all that a game is played with. Playouts are units of their own: they are where search spends
    its time, and have the rules compiled into them.
    """

    def __init__(self, game: Contract) -> None:
        self._game = game
        dtype = game.state
        if UNCOMPILED:
            self._open: Rule = lambda state: plain_record(state, dtype)
        else:
            self._open = record_opener(dtype)
        self._units: dict[str, Unit] = {}
        self._search_rules: dict[SearchParts, SearchRules] = {}

    def unit(self, name: str) -> Unit:
        """The unit of that name, not compiled yet: RULES, FEATURES, PIECE_COUNTS, "playout random" and so on."""
        if name not in self._units:
            label = f"{self._game.name}.{name.replace(' ', '_')}"
            self._units[name] = Unit(self._game.name, self.functions_of(name), label=label)
        return self._units[name]

    def functions_of(self, name: str) -> Functions:
        """What the unit of that name is made of."""
        kind, *of = name.split(" ", 1)
        return self._makers[kind](*of)

    def code(self, *names: str) -> list[Code]:
        """Units to be made ready (ready.py); UnknownName if there is no such policy or evaluation."""
        for name in names:
            self.unit(name)
        return [partial(unit_of, self._game, name) for name in names]

    def _entry(self, unit: str, name: str = "") -> Entry:
        return cast(Entry, self.unit(unit).entry_points[name or unit.replace(" ", "_")])

    @property
    def _makers(self) -> dict[str, Callable[..., Functions]]:
        """By the first word of a unit's name; the rest, if there is any, names a policy or an evaluation."""
        return {
            RULES: self._rules,
            FEATURES: self._features,
            PIECE_COUNTS: self._piece_counts,
            LEARNED: self._learned,
            "choose": self._choose,
            "playout": self._playout,
            "truncated_playout": self._truncated_playout,
            "traced_playout": self._traced_playout,
            "self_play": self._self_play,
            "evaluate": self._evaluate,
            "batch": self._batch,
        }

    setup = _of_the_rules("setup")
    player = _of_the_rules("player")
    legal = _of_the_rules("legal")
    apply = _of_the_rules("apply")
    returns = _of_the_rules("returns")
    scores = _of_the_rules("scores")
    observe = _of_the_rules("observe")
    determinize = _of_the_rules("determinize")
    action_observation = _of_the_rules("action_observation")
    turn = _of_the_rules("turn")
    """Which turn it is; without a rule for it NO_TURNS: every action ends one."""
    rewind = _of_the_rules("rewind")

    @cached_property
    def piece_counts(self) -> Entry:
        return self._entry(PIECE_COUNTS)

    @cached_property
    def features(self) -> Entry:
        return self._entry(FEATURES)

    @cached_property
    def learned(self) -> Entry:
        """What a seat has learned: (state before, state, seat) -> a number, 0 for nothing."""
        return self._entry(LEARNED)

    def choose(self, policy: str) -> Entry:
        """One choice by a policy: (state, scratch, rng_state) -> action."""
        return self._entry(f"choose {policy}")

    def playout(self, policy: str = "random") -> Entry:
        """Play to the end by a policy: (state, scratch, rng_state) -> whether it came, within LONGEST_PLAYOUT moves."""
        return self._entry(f"playout {policy}")

    def truncated_playout(self, policy: str) -> Entry:
        """Play a number of moves by a policy, and on until the position is quiescent: (state, scratch, rng_state,
        plies)."""
        return self._entry(f"truncated_playout {policy}")

    def self_play(self, policy: str) -> Entry:
        """Play to the end, each seat choosing by a policy from what it may know: (state, observation, scratch,
        rng_state) -> the number of decisions. `observation` is room for one."""
        return self._entry(f"self_play {policy}")

    def batch(self, policy: str = "random") -> dict[str, Entry]:
        """The loops over many positions, by name (batch_entries.py)."""
        return self.unit(f"batch {policy}").entry_points

    def evaluation(self, name: str) -> Entry:
        """A game's own evaluation, by name: (state, out); "returns" and "scores" are those of the rules."""
        return self._entry(RULES, name) if name in OF_THE_RULES else self._entry(f"evaluate {name}")

    def _rules(self) -> Functions:
        open_, rules, learning = self._open, self._game.rules, self._game.learning
        setup_rule, player_rule, legal_rule, apply_rule = rules.setup, rules.player, rules.legal, rules.apply
        action_observation_rule = self._game.information.action_observation or _action_itself
        turn_rule, rewind_rule = learning.turn or _no_turns, learning.rewind or _nothing

        def setup(state: Any, seed: Any, seats: int, options: Any) -> None:
            setup_rule(open_(state), seed, seats, options)

        def player(state: Any) -> int:
            return player_rule(open_(state))

        def legal(state: Any, out: Any) -> int:
            return legal_rule(open_(state), out)

        def apply(state: Any, action: int) -> None:
            apply_rule(open_(state), action)

        def action_observation(state: Any, action: int, seat: int) -> int:
            return action_observation_rule(open_(state), action, seat)

        def turn(state: Any) -> int:
            return turn_rule(open_(state))

        def rewind(state: Any) -> None:
            rewind_rule(open_(state))

        return {
            "setup": (setup, contract.SETUP),
            "player": (player, contract.PLAYER),
            "legal": (legal, contract.LEGAL),
            "apply": (apply, contract.APPLY),
            "returns": (self._values(rules.returns), contract.VALUES),
            "scores": (self._values(rules.scores or rules.returns), contract.VALUES),
            "observe": (self._observe(), contract.OBSERVE),
            "determinize": (self._determinize(), contract.DETERMINIZE),
            "action_observation": (action_observation, contract.ACTION_OBSERVATION),
            "turn": (turn, contract.TURN),
            "rewind": (rewind, contract.REWIND),
        }

    def _values(self, values: Rule) -> Entry:
        open_ = self._open

        def entry(state: Any, out: Any) -> None:
            values(open_(state), out)

        return entry

    def _observe(self) -> Entry:
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

        return entry

    def _determinize(self) -> Entry:
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

        return entry

    def _piece_counts(self) -> Functions:
        open_, piece_counts = self._open, self._game.rules.piece_counts
        if piece_counts is None:
            raise BoardwrightError(f"game {self._game.name!r} declares no piece_counts")

        def entry(state: Any, out: Any) -> None:
            piece_counts(open_(state), out)

        return {PIECE_COUNTS: (entry, contract.PIECE_COUNTS)}

    def _learned(self) -> Functions:
        open_, learned = self._open, self._game.information.learned
        if learned is None:
            raise BoardwrightError(f"game {self._game.name!r} does not declare what seats learn (information.learned)")

        def entry(before: Any, state: Any, seat: int) -> int:
            return learned(open_(before), open_(state), seat)

        return {LEARNED: (entry, contract.LEARNED)}

    def _features(self) -> Functions:
        open_, features = self._open, self._game.learning.features
        if features is None:
            raise BoardwrightError(f"game {self._game.name!r} declares no features, so nothing can be learned about it")

        def entry(state: Any, seat: int, sparse: Any) -> None:
            sparse.count[0] = 0
            features(open_(state), seat, sparse)

        return {FEATURES: (entry, contract.FEATURES)}

    def _policy(self, name: str) -> Rule:
        policies = {"random": random_policy, **self._game.search.policies}
        if name not in policies:
            raise UnknownName("playout policy", name, policies, f" for {self._game.name}")
        return policies[name]

    def _chooser(self, policy: str) -> Rule:
        """A policy as `choose(s, scratch, rng_state)`, which lists the legal actions first unless it need not."""
        choose, legal = self._policy(policy), self._game.rules.legal
        if choose is random_policy and self._game.search.random_action is not None:
            return self._game.search.random_action

        @rule
        def choose_from_list(s: Any, scratch: Any, rng_state: Any) -> int:
            return choose(s, scratch, legal(s, scratch), rng_state)

        return choose_from_list

    def _choose(self, policy: str) -> Functions:
        open_, choose = self._open, self._chooser(policy)

        def entry(state: Any, scratch: Any, rng_state: Any) -> int:
            return choose(open_(state), scratch, rng_state)

        return {f"choose_{policy}": (entry, contract.CHOOSE)}

    def _playout(self, policy: str) -> Functions:
        """The rules are compiled into this loop, which is what makes search fast: through the table of addresses it
        would take twice as long."""
        open_, choose, rules = self._open, self._chooser(policy), self._game.rules
        player, apply = rules.player, rules.apply

        def entry(state: Any, scratch: Any, rng_state: Any) -> bool:
            s = open_(state)
            for _ in range(LONGEST_PLAYOUT):
                if player(s) == TERMINAL:
                    return True
                apply(s, choose(s, scratch, rng_state))
            return False

        return {f"playout_{policy}": (entry, contract.PLAYOUT)}

    def _truncated_playout(self, policy: str) -> Functions:
        open_, choose, rules = self._open, self._chooser(policy), self._game.rules
        player, apply = rules.player, rules.apply
        quiescent = self._game.search.quiescent or _always

        def entry(state: Any, scratch: Any, rng_state: Any, plies: int) -> None:
            s = open_(state)
            while player(s) != TERMINAL and (plies > 0 or (plies > -LONGEST_PLAYOUT and not quiescent(s))):
                apply(s, choose(s, scratch, rng_state))
                plies -= 1

        return {f"truncated_playout_{policy}": (entry, contract.TRUNCATED_PLAYOUT)}

    def _traced_playout(self, policy: str) -> Functions:
        open_, choose, rules, num_actions = self._open, self._policy(policy), self._game.rules, self._game.num_actions
        player, legal, apply = rules.player, rules.legal, rules.apply
        quiescent = self._game.search.quiescent or _always

        def entry(state: Any, scratch: Any, rng_state: Any, plies: int, trace: Any, values: Any) -> None:
            """As a truncated playout, or to the end with fewer than 0 plies (traces.py)."""
            s = open_(state)
            to_the_end = plies < 0
            previous = -1
            for _ in range(LONGEST_PLAYOUT):
                mover = player(s)
                if mover == TERMINAL or not (to_the_end or plies > 0 or not quiescent(s)):
                    return
                n = legal(s, scratch)
                if values.settings[0] >= 1.0 or rng.uniform(rng_state) < values.settings[0]:
                    action = choose(s, scratch, n, rng_state)
                else:
                    action = best_known(values, num_actions, mover, previous, scratch, n, rng_state)
                remember(trace, mover, action)
                apply(s, action)
                previous = action
                plies -= 1

        return {f"traced_playout_{policy}": (entry, contract.TRACED_PLAYOUT)}

    def _self_play(self, policy: str) -> Functions:
        open_, choose, rules = self._open, self._chooser(policy), self._game.rules
        observe, player, apply = rule(self._observe()), rules.player, rules.apply

        def entry(state: Any, observation: Any, scratch: Any, rng_state: Any) -> int:
            s, v = open_(state), open_(observation)
            decisions = 0
            while player(s) != TERMINAL:
                copy_into(observation, state, state.size)
                observe(observation, player(s))
                apply(s, choose(v, scratch, rng_state))
                decisions += 1
            return decisions

        return {f"self_play_{policy}": (entry, contract.SELF_PLAY)}

    def _batch(self, policy: str) -> Functions:
        chosen = self._policy(policy)
        return batch_functions(self._game, self._open, rule(self._observe()), chosen, chosen is not random_policy)

    def _evaluate(self, name: str) -> Functions:
        if name not in self._game.search.evaluations:
            raise UnknownName("evaluation", name, self._game.search.evaluations, f" for {self._game.name}")
        return {f"evaluate_{name}": (self._values(self._game.search.evaluations[name]), contract.VALUES)}

    def everything(self, playouts: bool = True) -> list[Code]:
        """All that agents may use, to be made ready; without playouts, rules and policies."""
        names = [RULES]
        names += [PIECE_COUNTS] if self._game.rules.piece_counts is not None else []
        names += [FEATURES] if self._game.learning.features is not None else []
        names += [LEARNED] if self._game.information.learned is not None else []
        kinds = ("choose", "playout", "truncated_playout", "traced_playout") if playouts else ("choose",)
        names += [f"{kind} {policy}" for policy in ("random", *self._game.search.policies) for kind in kinds]
        names += ["self_play random"] if playouts else []  # it foretells how many decisions are left
        names += [f"evaluate {name}" for name in self._game.search.evaluations]
        return self.code(*names)

    def search_code(self, parts: SearchParts) -> list[Code]:
        """What `search_rules` needs compiled."""
        names = [RULES, LEARNED] if parts.learned else [RULES]
        names += [f"{parts.playout_kind} {parts.playout}"] if parts.playout else []
        names += [f"evaluate {name}" for name in (parts.evaluation, *parts.judges) if name not in OF_THE_RULES]
        return self.code(*dict.fromkeys(names))

    def search_rules(self, parts: SearchParts) -> SearchRules:
        """The game as search kernels get it (calls.py)."""
        if parts not in self._search_rules:
            entries = self._named(*_PLAYED, "returns", "determinize", "action_observation")
            entries["evaluate"] = self.evaluation(parts.evaluation)
            if parts.playout is not None:
                entries[parts.playout_kind] = self._entry(f"{parts.playout_kind} {parts.playout}")
            if parts.learned:
                entries["learned"] = self.learned
            judges = [self.evaluation(name) for name in parts.judges]
            self._search_rules[parts] = SearchRules(_addresses(entries, judges))
        return self._search_rules[parts]

    @property
    def learning_code(self) -> list[Code]:
        """What `learning_rules` need compiled."""
        return self.code(RULES, *([FEATURES] if self._game.learning.features is not None else []))

    @cached_property
    def plain_rules(self) -> PlainRules:
        """The game as kernels get it that only play actions (calls.py)."""
        return PlainRules(_addresses(self._named(*_PLAYED)))

    @cached_property
    def learning_rules(self) -> LearningRules:
        """The game with its own features as kernels with a network get it (calls.py)."""
        return LearningRules(self._learning_addresses({"features": self.features}), np.zeros((0, 1), np.int64))

    def automatic_learning_rules(self, plan: NDArray[np.int64]) -> LearningRules:
        """The game with automatic features by a plan."""
        return LearningRules(self._learning_addresses({}), plan)

    def _learning_addresses(self, features: dict[str, Entry]) -> Any:
        rules = self._named(*_PLAYED, "returns", "determinize", "observe", "turn", "rewind")
        return _addresses({**features, **rules})

    def _named(self, *names: str) -> dict[str, Entry]:
        """Entry points of the rules, by their names."""
        return {name: self._entry(RULES, name) for name in names}


def unit_of(game: Any, name: str) -> Unit:
    """A unit of a game; a partial of this can be sent to another process, as the game is by its name."""
    return cast(Unit, game.entries.unit(name))


def _addresses(entries: dict[str, Entry], judges: Sequence[Entry] = ()) -> Any:
    """The table; a slot that is not filled holds 0 (None if uncompiled)."""
    if UNCOMPILED:
        return (*(entries.get(name) for name in SLOTS), *judges)
    slots = [address(entries[name]) if name in entries else 0 for name in SLOTS]
    return np.array([*slots, *map(address, judges)], np.int64)
