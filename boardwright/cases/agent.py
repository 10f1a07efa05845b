"""The agent `cases`: it does what was done, and ended well, in the situations most like the one at hand.

No network decides, and there is no search: a network's hidden layer says which remembered situations are near
(memory.py), where a case file wants it together with a look one action ahead (outlook.py), and only they vote
(voting.py).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boardwright.agents import Decision, Reason, RememberedCase, param
from boardwright.cases import outlook
from boardwright.cases.file import find_case_file, read_case_file, shipped_files
from boardwright.cases.memory import COORDINATES, CaseMemory, expectation_codes, network_of, read_memory
from boardwright.cases.voting import Verdict, VotingRule, judge
from boardwright.cbr import points
from boardwright.cbr.points import Codes
from boardwright.errors import BadSpec
from boardwright.kernel import Code, Game, Observation, replay
from boardwright.learn import imitation
from boardwright.learn.agents import NetworkAgent
from boardwright.learn.network import Network

_SHOWN = 3
"""So many of the situations are shown with a decision."""
_SEARCHED = 1_000
"""Among so many situations for every option those of won games are looked for."""


class CaseAgent(NetworkAgent):
    """An agent with a case file, whose games it replays when it knows how many seats there are."""

    case_base: str = param("", "a case file made by `boardwright cases build`; default: the package's for the game")
    weights: str = param("", "left empty: the network is the game's, or that of the case file")

    kind: ClassVar[str] = ""
    """Which of the package's case files are read (file.py)."""

    def prepare(self) -> None:
        if self.weights:
            raise BadSpec(f"agent {self.label()!r}: its network is the game's or its case file's; leave `weights`")
        super().prepare()
        self._memory: CaseMemory | None = None

    def needs(self) -> list[Code]:
        files = [Path(self.case_base)] if self.case_base else shipped_files(self.game, self.kind).values()
        looks = {read_case_file(file, self.game).outlook for file in files if file.is_file()} - {""}
        ahead = [unit for name in sorted(looks) for unit in outlook.needs(self.game, name)]
        return [*super().needs(), imitation.code, points.code, replay.code, *ahead]

    def network(self, seats: int) -> Network:
        if seats not in self.networks:
            self.networks[seats] = self._network(seats)
        return self.networks[seats]

    def _network(self, seats: int) -> Network:
        """Known before any code is compiled, which the cases themselves are not."""
        name = find_case_file(self.game, self.case_base, seats, self.kind, self.label())
        file = read_case_file(name, self.game)
        if file.seats != seats:
            raise BadSpec(f"agent {self.label()!r}: {name} is for {file.seats} seats, not {seats}")
        return network_of(self.game, file)

    def memory(self, seats: int) -> CaseMemory:
        if self._memory is None or self._memory.file.seats != seats:
            self._memory = read_memory(self.game, self.case_base, seats, self.kind)
            self.networks[seats] = self._memory.network
        return self._memory

    def start_game(self, observation: Observation) -> None:
        """Games are replayed now, so that no decision waits for it."""
        self.memory(observation.seats)

    def _points(self, memory: CaseMemory, seats: int, priors: NDArray[np.float64]) -> Codes:
        """(options, coordinates): where the options at hand lie; the network has just seen the situation."""
        hidden = self.table(seats).workspace.hidden[: len(memory.space.projection)]
        here = np.zeros((len(priors), COORDINATES), np.uint8)
        here[:, :2] = expectation_codes(priors)
        here[:, 2 : 2 + len(memory.space.middle)] = memory.space.codes(hidden)
        return here

    def _remembered(self, memory: CaseMemory, case: int, distance: float, here: Observation) -> RememberedCase:
        """A situation as its seat saw it, beside this one."""
        there, move = memory.situation(self.game, case)
        chosen = int(memory.chosen[case])
        low, high = self.game.min_utility, self.game.max_utility
        returned = low + (high - low) * float(memory.result[case])
        return RememberedCase(
            title=f"game {memory.game[case] + 1}, move {move}, returned {returned:+.2f}",
            distance=distance,
            done=self.game.describe(there, chosen),
            means=self.game.describe(here, chosen) if chosen in here.legal_actions() else "not possible",
            picture=there.to_svg(),
            text=str(there),
        )

    @classmethod
    def plays(cls, game: Game) -> bool:
        return bool(shipped_files(game, cls.kind))


class Cases(CaseAgent):
    """Does what was done, and ended well, in the most similar situations of recorded games."""

    k: int = param(32, "how many situations are retrieved for every option", ge=1, le=10_000)
    sharpness: float = param(3.0, "how much the nearest count more than the farthest of them", ge=0)
    result_weight: float = param(0.5, "how much a choice gains by the game having been won; 0: nothing", ge=0)

    def prepare(self) -> None:
        super().prepare()
        self.rule = VotingRule(self.k, self.sharpness, self.result_weight)

    def decide(self, observation: Observation) -> Decision:
        memory = self.memory(observation.seats)
        options, verdicts = self._verdicts(memory, observation, self.rule)
        merits = [verdict.merit for verdict in verdicts]
        best = [i for i, merit in enumerate(merits) if merit == max(merits)]
        place = best[0] if len(best) == 1 else self.random(observation).choice(best)

        def cases() -> tuple[RememberedCase, ...]:
            near = verdicts[place].near
            shown = range(min(_SHOWN, len(near.positions)))
            return tuple(
                self._remembered(memory, int(memory.case[near.positions[i]]), float(near.distances[i]), observation)
                for i in shown
            )

        summary = f"the {self.k} situations most like this one, for every option, of {len(memory):,}"
        return Decision(options[place], lambda: self._reasons(options, verdicts, place), summary, cases)

    def won_cases(self, observation: Observation, count: int) -> tuple[RememberedCase, ...]:
        """The most similar situations of games that were won and asked the same, with what was done there; where a game
        does not say what it asks, those in which something was done that can be done here, too."""
        memory, question = self.memory(observation.seats), self.game.metrics.question
        legal = set(observation.legal_actions())
        asked = None if question is None else question(observation.record)
        found: set[tuple[float, int]] = set()
        for verdict in self._verdicts(memory, observation, replace(self.rule, k=_SEARCHED))[1]:
            near = verdict.near
            won = memory.taken[near.positions] & (memory.result[memory.case[near.positions]] == 1)
            found.update(zip(near.distances[won].tolist(), memory.case[near.positions[won]].tolist(), strict=True))
        cases: list[RememberedCase] = []
        nearest = {case: distance for distance, case in sorted(found, reverse=True)}
        for case, distance in sorted(nearest.items(), key=lambda one: one[1]):
            there, _ = memory.situation(self.game, case)
            if memory.chosen[case] in legal if question is None else question(there.record) == asked:
                cases.append(self._remembered(memory, case, distance, observation))
            if len(cases) == count:
                break
        return tuple(cases)

    def _verdicts(
        self, memory: CaseMemory, observation: Observation, rule: VotingRule
    ) -> tuple[list[int], list[Verdict]]:
        """All options, and what cases say about each."""
        priors = self.policy(observation)
        expected = np.array(list(priors.values()))
        if evaluation := memory.file.outlook:
            expected = outlook.tilted(expected, outlook.outlooks(observation, list(priors), evaluation), evaluation)
        here = self._points(memory, observation.seats, expected)
        return list(priors), [judge(memory, action, at, rule) for action, at in zip(priors, here, strict=True)]

    def _reasons(self, options: list[int], verdicts: list[Verdict], place: int) -> tuple[Reason, ...]:
        """The chosen option first, the others by what cases say for them."""
        low, high = self.game.min_utility, self.game.max_utility
        total = sum(verdict.merit for verdict in verdicts)
        order = sorted(range(len(options)), key=lambda i: (i != place, -verdicts[i].merit, i))

        def reason(i: int) -> Reason:
            verdict, seen = verdicts[i], len(verdicts[i].near.positions)
            value = low + (high - low) * verdict.won if verdict.taken else None
            note = f"taken in {verdict.taken} of the {seen} most similar situations that offered it"
            share = verdict.merit / total if total else 1.0 / len(options)
            return Reason(options[i], value, share, note=note if seen else "no situation offered it")

        return tuple(map(reason, order))
