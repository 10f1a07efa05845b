"""Games as OpenSpiel games, so that its algorithms run on them:

    from boardwright.adapters.openspiel import spiel_game

    kuhn = spiel_game("kuhn_poker", deals="each")
    solver = cfr.CFRSolver(kuhn)

All registered games are also known to pyspiel by name once this module is imported, as
`pyspiel.load_game("boardwright_race")`.

Chance comes first: a game with chance begins with one chance node, whose outcome is the seed that everything random
follows from. With `deals=1000`, the default, these are seeds 0 to 999, each as likely. `deals="each"` lists every deal
once: for small games in which chance deals and does nothing more, and for algorithms that walk the whole tree.

An information state is all that a seat has observed so far, as a digest. Observations are arrays of the features, or
the bytes of the observation's record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy.stats import chisquare

from boardwright.adapters.observing import ArrayObserver
from boardwright.agents import Spec
from boardwright.arena.loop import LONGEST_GAME
from boardwright.errors import BadSpec, MissingExtra
from boardwright.kernel import Game, State, rng
from boardwright.registry import games, load_game

try:
    import pyspiel
except ImportError:
    raise MissingExtra("OpenSpiel", "openspiel") from None

EACH, EACH_DEAL = "each", 0
"""Every deal once; pyspiel writes it as a number."""
DEALS = 1000
MOST_DEALS = 100_000
_SEEDS = 10_000  # tried to find each deal
_NO_CHANCE = 1e-6  # deals that are so much unlike equally likely ones are refused


def spiel_game(
    game: str | Game, *, seats: int | None = None, deals: str | int = DEALS, observe: str | None = None, **options: Any
) -> SpielGame:
    """A game of Boardwright, for OpenSpiel's algorithms."""
    loaded = load_game(game) if isinstance(game, str) else game
    register(loaded)
    number = EACH_DEAL if deals == EACH else int(deals) if str(deals).isdecimal() else -1
    params = {"deals": number, "observe": observe or "", "options": _written(options)}
    return SpielGame({**params, "seats": loaded.check_seats(seats)}, loaded)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Boardwright as OpenSpiel knows games."""

    def __init__(self, params: Mapping[str, Any] | None, game: Game) -> None:
        given = dict(params or {})
        self.game = game
        self.seats = game.check_seats(int(given.get("seats", 0)) or None)
        written = given.get("options")
        self.options: dict[str, Any] = dict(Spec.parse(f"options:{_read(written)}").params) if written else {}
        self.observer = ArrayObserver(game, given.get("observe") or None)
        first = game.new(seed=0, seats=self.seats, **self.options)
        self.has_chance = game.chance != "none"
        self.seeds = self._seeds(int(given.get("deals", DEALS))) if self.has_chance else [0]
        super().__init__(
            _game_type(game, first.has_hidden_information),
            pyspiel.GameInfo(
                num_distinct_actions=game.num_actions,
                max_chance_outcomes=len(self.seeds) if self.has_chance else 0,
                num_players=self.seats,
                min_utility=float(game.min_utility),
                max_utility=float(game.max_utility),
                utility_sum=self._utility_sum(),
                max_game_length=game.longest_game(self.seats, self.options) or LONGEST_GAME,
            ),
            given,
        )

    def _seeds(self, deals: int) -> list[int]:
        if deals == EACH_DEAL:
            return _each_deal(self.game, self.seats, self.options)
        if not 1 <= deals <= MOST_DEALS:
            raise BadSpec(f'deals are a number from 1 to {MOST_DEALS:,}, or "{EACH}"')
        return list(range(deals))

    def _utility_sum(self) -> float | None:
        """What all seats win together, where that is always the same: then any game tells."""
        if not self.game.constant_sum or self.game.max_utility_sum == 0:
            return 0.0 if self.game.constant_sum else None
        last = self.game.new(seed=0, seats=self.seats, **self.options)
        playout = self.game.entries.playout("random")
        playout(last.memory, np.zeros(self.game.max_legal, np.int64), rng.generator(0))
        return float(sum(last.returns))

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        return SpielObserver(self, iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position of ours, and what each seat has observed on the way to it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position: State | None = None
        self.observed: list[bytes] = [b""] * game.seats
        self._spiel_game = _Reference(game)
        if not game.has_chance:
            self._deal(0)

    def _deal(self, outcome: int) -> None:
        game = self._spiel_game.game
        self.begin(game.game.new(seed=game.seeds[outcome], seats=game.seats, **game.options))

    def begin(self, position: State) -> None:
        """Go on from a position, whatever led to it."""
        self.position = position
        self._observe()

    def _observe(self) -> None:
        assert self.position is not None
        for seat, before in enumerate(self.observed):
            seen = bytes(self.position.observation(seat))
            self.observed[seat] = hashlib.blake2b(before + seen, digest_size=16).digest()

    def current_player(self) -> Any:
        if self.position is None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.position.is_terminal else self.position.player

    def _legal_actions(self, player: int) -> list[int]:
        if self.position is None or self.position.player != player:
            return []
        return sorted(self.position.legal_actions())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        n = len(self._spiel_game.game.seeds)
        return [(outcome, 1 / n) for outcome in range(n)]

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            self._deal(action)
        else:
            for seat in range(len(self.observed)):
                seen = self._spiel_game.game.game.entries.action_observation(self.position.memory, action, seat)
                own = action if seat == self.position.player else seen
                self.observed[seat] += int(own).to_bytes(4, "little")
            self.position.apply(action)
            self._observe()

    def _action_to_string(self, player: int, action: int) -> str:
        if self.position is None or player < 0:
            return f"deal {action}"
        if player != self.position.player:
            return f"action {action}"
        return self.position.game.describe(self.position, action)

    def is_terminal(self) -> bool:
        return self.position is not None and self.position.is_terminal

    def returns(self) -> list[float]:
        if self.position is None or not self.position.is_terminal:
            return [0.0] * len(self.observed)
        return [float(value) for value in self.position.returns]

    def resample_from_infostate(self, player_id: int, rng: Callable[[], float]) -> SpielState:
        """Another state that the player cannot tell from this one: a determinization of what it observes. What the
        others have observed begins there."""
        if self.position is None:
            return self.clone()
        state = SpielState(self._spiel_game.game)
        state.observed = [b""] * len(self.observed)
        state.begin(self.position.observation(player_id).determinize(seed=int(rng() * 2**53)))
        state.observed[player_id] = self.observed[player_id]
        return state

    def information_state_string(self, player: int | None = None) -> str:
        seat = self.current_player() if player is None else player
        return f"seat {seat}: {self.observed[seat].hex()}"

    def __str__(self) -> str:
        return "before the deal" if self.position is None else str(self.position)


class _Reference:
    """Holds a game where states are copied with all that they hold: the game itself is not."""

    def __init__(self, game: SpielGame) -> None:
        self.game = game

    def __deepcopy__(self, memo: Any) -> _Reference:
        return self


class SpielObserver:
    """What OpenSpiel asks about observations."""

    def __init__(self, game: SpielGame, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise BadSpec(f"observations take no parameters, {params} given")
        self._observer = game.observer
        self._recalls = bool(iig_obs_type is not None and iig_obs_type.perfect_recall)
        self.tensor = np.zeros(int(np.prod(self._observer.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(self._observer.shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = 0 if state.position is None else self._observer.of(state.position, player).ravel()

    def string_from(self, state: SpielState, player: int) -> str:
        if self._recalls:
            return state.information_state_string(player)
        return "before the deal" if state.position is None else str(state.position.observation(player))


def _game_type(game: Game, hidden: bool) -> Any:
    kind = pyspiel.GameType
    constant = kind.Utility.ZERO_SUM if game.max_utility_sum == 0 else kind.Utility.CONSTANT_SUM
    return kind(
        short_name=f"boardwright_{game.name}",
        long_name=game.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC if game.chance == "none" else kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION if hidden else kind.Information.PERFECT_INFORMATION,
        utility=constant if game.constant_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=min(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seats": game.seats[0], "deals": DEALS, "observe": "", "options": ""},
        default_loadable=True,
    )


def _written(options: Mapping[str, Any]) -> str:
    """Options as one parameter, without the signs that part parameters in pyspiel's names of games."""
    spec = str(Spec("options", {name: str(value) for name, value in options.items()})).partition(":")[2]
    return spec.replace("=", ":").replace(",", ";")


def _read(written: str) -> str:
    return written.replace(":", "=").replace(";", ",")


def _each_deal(game: Game, seats: int, options: Mapping[str, Any]) -> list[int]:
    """A seed for every deal there is."""
    if game.chance != "deal":
        raise BadSpec(f"chance plays a part in {game.name} after the deal; give a number of deals instead")
    found: dict[bytes, int] = {}
    counts: dict[bytes, int] = {}
    for seed in range(_SEEDS):
        state = game.new(seed=seed, seats=seats, **options)
        if "rng" in (game.state.names or ()):  # the same deal leaves the generator in different states
            state.record.rng[:] = 0
        key = bytes(state)
        found.setdefault(key, seed)
        counts[key] = counts.get(key, 0) + 1
    if len(found) > _SEEDS // 10:
        raise BadSpec(f"{game.name} has too many deals to list; give a number of deals instead")
    if chisquare(list(counts.values())).pvalue < _NO_CHANCE:
        raise BadSpec(f"the deals of {game.name} are not equally likely; give a number of deals instead")
    return list(found.values())


_registered: dict[str, Game] = {}


def register(game: Game) -> None:
    """Make a game known to pyspiel by its name: that is how it is found again when it was saved. The last one of a name
    counts."""
    known = game.name in _registered
    _registered[game.name] = game
    if known:
        return

    class Registered(SpielGame):
        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(params, _registered[game.name])

        def __reduce__(self) -> Any:
            """Pickle would look for this class by its name."""
            return pyspiel.load_game, (str(self),)

    pyspiel.register_game(_game_type(game, game.has_hidden_information), Registered)


for _name in games():
    register(load_game(_name))
