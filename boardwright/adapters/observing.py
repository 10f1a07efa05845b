"""What other libraries see of a position: an array for a seat, and a mask of the legal actions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.errors import BadSpec
from boardwright.kernel import Game, Observation, SparseFeatures, State


class ArrayObserver:
    """Observations as arrays: "features" where the game has them, otherwise "record", the observation's bytes."""

    def __init__(self, game: Game, observe: str | None = None) -> None:
        has_features = game.learning.features is not None
        self.observe = observe or ("features" if has_features else "record")
        if self.observe not in ("features", "record"):
            raise BadSpec(f"observations are features or record, not {observe!r}")
        if self.observe == "features" and not has_features:
            raise BadSpec(f'{game.name} declares no features; observe="record" gives the bytes of observations')
        self.game = game
        names = len(game.learning.feature_names)
        self._sparse = SparseFeatures.with_capacity(names)
        self.shape = (game.learning.feature_shape or (names,)) if self.observe == "features" else (game.state.itemsize,)
        self.dtype: Any = np.float32 if self.observe == "features" else np.uint8

    @property
    def bounds(self) -> tuple[float, float]:
        return (-np.inf, np.inf) if self.observe == "features" else (0, 255)

    def of(self, position: State | Observation, seat: int) -> NDArray[Any]:
        """What the seat knows of a position."""
        if self.observe == "record":
            return (position if isinstance(position, Observation) else position.observation(seat)).memory
        self.game.entries.features(position.memory, seat, self._sparse)
        dense: NDArray[Any] = self._sparse.dense(len(self.game.learning.feature_names))
        return dense.reshape(self.shape)

    def mask(self, state: State, seat: int) -> NDArray[np.int8]:
        """Which actions the seat may play now; none if it is not its turn."""
        mask = np.zeros(self.game.num_actions, np.int8)
        if state.player == seat:
            mask[state.legal_actions()] = 1
        return mask
