"""Sentences about a decision, made from numbers that support them.

The played and the better option are both played on to the end, by a quick agent in all seats, in determinizations that
they share. Then it can be said by how much their points differ, in which part of the score, what the others answer more
often, and what is expected next. A difference is stated only if its interval (99 %) excludes zero. Where there is a
case base, the most similar cases of won games are named with what was done there.

The sentences are templates in sentences.json: those under "" for every game, and a game's own instead of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from boardwright.agents import Spec
from boardwright.cases.agent import Cases
from boardwright.cases.file import shipped_files
from boardwright.coach.analysis import Z99, DeterminizationSeeds, error_of
from boardwright.coach.evaluators import Evaluator, play_out, reseeded
from boardwright.coach.review import Decision
from boardwright.files import read_json
from boardwright.kernel import Observation
from boardwright.kernel.ready import make_ready
from boardwright.registry import agents_of, make_agent

DETERMINIZATIONS = 48
"""In so many determinizations both options are played on."""
STREAM = 77
"""Keeps these determinizations apart from those in which the loss was measured."""
CASES = 2
"""So many similar cases are named, where a case file comes with the game."""
PARTS = 3
LINE = 2
"""So many choices of the expected continuation are shown."""
USUAL = 0.5
"""Choices are shown that come in at least this share of the determinizations."""


@cache
def templates(game: str) -> dict[str, str]:
    found = read_json(Path(__file__).with_name("sentences.json"))
    return {**found[""], **found.get(game, {})}


@dataclass(frozen=True)
class Continuation:
    """One option, played on to the end in one determinization."""

    points: float
    parts: dict[str, float]
    answer: str
    """The next choice of another seat."""
    own: str
    """The next choice of the same seat."""


class Narration:
    """Tells decisions in words."""

    def __init__(self, evaluator: Evaluator, seed: int = 0) -> None:
        self.game, self.seats, self.seed = evaluator.game, evaluator.seats, seed
        self.templates = templates(self.game.name)
        self.agents = [make_agent(quick_agent(evaluator), self.game, seat) for seat in range(self.seats)]
        make_ready([code for agent in self.agents for code in agent.needs()])
        self._reminded: Cases | None = None

    def sentences(self, decision: Decision, observation: Observation) -> tuple[str, ...]:
        """What can be said of a mistake, the most important first."""
        analysis = decision.analysis
        if analysis.better is None:
            return ()
        names = {"played": decision.text, "better": decision.better}
        sentences = [
            self._say(
                "cost",
                **names,
                loss=f"{100 * analysis.loss:.0f}",
                error=f"{100 * analysis.standard_error:.1f}",
                better_value=f"{100 * (analysis.value + analysis.loss):.0f}",
                played_value=f"{100 * analysis.value:.0f}",
            )
        ]
        seeds = DeterminizationSeeds(observation, self.seed + STREAM).take(DETERMINIZATIONS)
        played, better = (
            [self._continue(observation, action, seed) for seed in seeds]
            for action in (analysis.played, analysis.better)
        )
        sentences += self._points(played, better, names)
        sentences += self._answers(played, better, names)
        sentences += self._line(better)
        sentences += self._cases(observation)
        return tuple(sentence[:1].upper() + sentence[1:] for sentence in sentences)

    def close(self) -> None:
        for agent in (*self.agents, *([self._reminded] if self._reminded else [])):
            agent.close()

    def _say(self, name: str, **values: str) -> str:
        return self.templates[name].format(**values)

    def _continue(self, observation: Observation, action: int, seed: int) -> Continuation:
        seat, state = observation.seat, observation.determinize(seed=seed)
        agents = [reseeded(agent, seed) for agent in self.agents]
        self.game.entries.rewind(state.memory)
        while state.player != seat:  # those whose answer is hidden answer again
            other = state.player
            state.apply(agents[other].decide(state.observation(other)).action)
        state.apply(action)
        chosen = play_out(state, agents)
        answer = next((f"{self.game.seat_name(who)}: {text}" for who, _, text in chosen if who != seat), "")
        own = next((text for who, _, text in chosen if who == seat), "")
        metrics = self.game.metrics.seat_metrics
        parts = dict(metrics(state.record, seat).score_parts) if metrics is not None else {}
        return Continuation(float(state.scores[seat]), parts, answer, own)

    def _points(
        self, played: Sequence[Continuation], better: Sequence[Continuation], names: dict[str, str]
    ) -> list[str]:
        """Points, and the parts of the score that differ."""
        if self.game.rules.scores is None:
            return []
        sentences = []
        mean, error = _difference([b.points - p.points for p, b in zip(played, better, strict=True)])
        if mean > Z99 * error:
            sentences.append(
                self._say("points", **names, difference=f"{mean:.1f}", error=f"{error:.1f}", times=str(len(played)))
            )
        parts = []
        for part in better[0].parts:
            mean, error = _difference(
                [b.parts.get(part, 0) - p.parts.get(part, 0) for p, b in zip(played, better, strict=True)]
            )
            if abs(mean) > Z99 * error and abs(mean) >= 0.5:
                parts.append((abs(mean), self._say("part", part=part, difference=f"{mean:+.1f}", error=f"{error:.1f}")))
        if parts:
            largest = [text for _, text in sorted(parts, reverse=True)[:PARTS]]
            sentences.append(self._say("parts", **names, parts=", ".join(largest)))
        return sentences

    def _answers(
        self, played: Sequence[Continuation], better: Sequence[Continuation], names: dict[str, str]
    ) -> list[str]:
        """The answer of another seat that comes more often after the played option."""
        after, otherwise = (Counter(one.answer for one in found if one.answer) for found in (played, better))
        best: tuple[float, str] | None = None
        for answer, count in after.items():
            share, other = count / len(played), otherwise[answer] / len(better)
            pooled = (share + other) / 2
            error = (2 * pooled * (1 - pooled) / len(played)) ** 0.5
            if share - other > Z99 * error and (best is None or share - other > best[0]):
                best = share - other, answer
        if best is None:
            return []
        who, _, what = best[1].partition(": ")
        return [
            self._say(
                "answer",
                **names,
                who=who,
                answer=what,
                share=str(after[best[1]]),
                times=str(len(played)),
                other_share=str(otherwise[best[1]]),
            )
        ]

    def _line(self, better: Sequence[Continuation]) -> list[str]:
        """What usually follows the better option."""
        found = []
        for what in (Counter(one.answer for one in better), Counter(f"you: {one.own}" for one in better if one.own)):
            for text, count in what.most_common(1):
                if text and count >= USUAL * len(better):
                    found.append(f"{text} ({count} of {len(better)})")
        return [self._say("line", line="; ".join(found[:LINE]))] if found else []

    def _cases(self, observation: Observation) -> list[str]:
        """What winners did in the most similar situations."""
        if self.seats not in shipped_files(self.game):
            return []
        if self._reminded is None:
            self._reminded = Cases(self.game, observation.seat, seed=self.seed)
            make_ready(self._reminded.needs())
        self._reminded.seat = observation.seat
        found = self._reminded.won_cases(observation, CASES)
        return [self._say("case", title=case.title, done=case.done) for case in found]


def quick_agent(evaluator: Evaluator) -> str:
    """Who plays on: what the network expects, the game's own rules of thumb, or chance."""
    spec, game = Spec.parse(evaluator.spec), evaluator.game
    if spec.name.startswith("net") and evaluator.seats in game.learning.networks:
        weights = spec.params.get("weights")
        return str(Spec("netpolicy", {"weights": weights} if weights else {}))
    return "heuristic" if "heuristic" in agents_of(game) else "random"


def _difference(values: Sequence[float]) -> tuple[float, float]:
    return float(np.mean(values)), error_of(np.array(values))
