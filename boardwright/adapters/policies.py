"""Policies that were trained elsewhere, as agents: models of Stable-Baselines3, torch modules, any function of arrays.

    from boardwright.adapters.policies import TrainedPolicy

    model = MaskablePPO("MlpPolicy", SeatEnv("connect_four")).learn(50_000)
    bw.match("connect_four", TrainedPolicy(model), "uct:iterations=100")

A policy sees what it was trained on: the array that the environments give for a seat, and the mask of legal actions.
"""

from __future__ import annotations

import inspect
import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.adapters.observing import ArrayObserver
from boardwright.agents import Agent, Decision, Reason
from boardwright.errors import BadSpec
from boardwright.kernel import Observation


class TrainedPolicy(Agent):
    """Plays the action that a trained policy finds best among the legal ones."""

    def __init__(self, policy: Any, *, observe: str | None = None) -> None:
        """`policy` has `predict(array, action_masks=…)` as in sb3-contrib, is a torch module or a function that gives a
        number for every action (logits, or a tuple that begins with them), or a model of Stable-Baselines3 without
        masks, of which the best legal action is taken. `observe`: as in the environments."""
        super().__init__()
        self.policy = policy
        self.observe = observe

    def prepare(self) -> None:
        self.observer = ArrayObserver(self.game, self.observe)

    def decide(self, observation: Observation) -> Decision:
        legal = observation.legal_actions()
        array = self.observer.of(observation, self.seat)
        predict = getattr(self.policy, "predict", None)
        if predict is not None and "action_masks" in inspect.signature(predict).parameters:
            mask = np.zeros(self.game.num_actions, bool)
            mask[legal] = True
            action, _ = predict(array, action_masks=mask, deterministic=True)
            return Decision(operator.index(np.asarray(action).item()))
        logits = self._logits(array)
        best = max(legal, key=lambda action: logits[action])
        exponentials = np.exp(logits[list(legal)] - logits[best])
        shares = exponentials / exponentials.sum()
        reasons = [Reason(action, weight=float(share)) for action, share in zip(legal, shares, strict=True)]
        return Decision(best, tuple(sorted(reasons, key=lambda reason: -(reason.weight or 0.0))))

    def _logits(self, array: NDArray[Any]) -> NDArray[np.float64]:
        """A number for every action: the higher, the better."""
        module: Any = getattr(self.policy, "policy", None)
        if hasattr(module, "get_distribution"):  # Stable-Baselines3
            tensor, _ = module.obs_to_tensor(array)
            answer = module.get_distribution(tensor).distribution.logits
        elif hasattr(self.policy, "parameters"):  # torch
            import torch

            with torch.no_grad():
                answer = self.policy(torch.as_tensor(array[None]))
        else:
            answer = self.policy(array)
        answer = answer[0] if isinstance(answer, tuple) else answer
        answer = answer.detach().cpu().numpy() if hasattr(answer, "detach") else answer
        logits = np.asarray(answer, np.float64).reshape(-1)
        if logits.size != self.game.num_actions:
            raise BadSpec(
                f"the policy gives {logits.size} numbers; {self.game.name} has {self.game.num_actions} actions"
            )
        return logits
