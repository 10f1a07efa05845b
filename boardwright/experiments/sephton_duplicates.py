"""Section 5.4.3 of Sephton's thesis (2016): how many actions two heuristics choose alike.

An agent with two heuristics keeps the best 15 of each, and what both have chosen counts once. The thesis says that of
the 15 "the value was in the range 6-10" for most pairs with h4, and below 5 for h4h2 and h4h3. Here the positions are
those of games that plain UCT plays against itself, where more actions are legal than one heuristic keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.experiments.model import (
    Conditions,
    Experiment,
    Part,
    Verdict,
    as_stored,
    decided,
    show_table,
    show_verdicts,
)
from boardwright.experiments.sephton import GAME, SEED, sephton_experiment
from boardwright.experiments.sephton_pruning import LIMIT, OPEN, PAIRS, plain
from boardwright.experiments.tables import Stored, TableOf, claims, duplicates
from boardwright.files import write_json
from boardwright.kernel import MAX_SEATS, State

ITERATIONS = 500
GAMES = 10
FEW, MOST, LOW = 6.0, 10.0, 5.0
"""What the thesis names: the range of most pairs, and what h4h2 and h4h3 are below."""


def shared_choices(state: State, random: np.random.Generator) -> dict[str, int]:
    """How many of the best 15 by h4 are among the best 15 by each other heuristic; equals are in random order."""
    legal = state.legal_actions()
    names = ("h4", *PAIRS)
    scores = np.array([_scores(state, action, names) for action in legal])
    order = random.permutation(len(legal))
    best = {name: set(order[np.argsort(-scores[order, i], kind="stable")][:LIMIT]) for i, name in enumerate(names)}
    return {name: len(best["h4"] & best[name]) for name in PAIRS}


def _scores(state: State, action: int, names: Iterable[str]) -> list[float]:
    after, out = state.copy(), np.zeros(MAX_SEATS)
    after.game.entries.apply(after.memory, action)
    found = []
    for name in names:
        after.game.entries.evaluation(name)(after.memory, out)
        found.append(float(out[state.player]))
    return found


def positions(records: Iterable[GameRecord]) -> Iterator[State]:
    """Where pruning to 15 would leave something out."""
    for record in records:
        for state, action in record.replay():
            if action is not None and len(state.legal_actions()) > LIMIT:
                yield state


class Duplicates:
    """How the experiment is conducted."""

    tables: ClassVar[Mapping[str, TableOf]] = {"": duplicates, "claims": claims}

    def parts(self) -> list[Part]:
        return [Part("whole", f"{plain(ITERATIONS)} against itself")]

    def claim_texts(self) -> list[str]:
        return [one["claim"] for one in judge({f"h4{name}": 0.0 for name in PAIRS})]

    def run(self, experiment: Experiment, conditions: Conditions) -> bool:
        file, spec = conditions.folder / "games.jsonl", plain(ITERATIONS)
        if conditions.play(Match(GAME, (spec, spec), SEED, dict(OPEN)), file).interrupted:
            return False
        random = np.random.default_rng(SEED)
        records = first_games(read_records(file), conditions.games)
        found = [shared_choices(state, random) for state in positions(records)]
        means = {f"h4{name}": float(np.mean([one[name] for one in found])) for name in PAIRS}
        result: dict[str, Any] = {
            "experiment": experiment.name,
            "seed": SEED,
            "games": len(records),
            "positions": len(found),
            "spec": spec,
            "duplicates": means,
            "claims": judge(means),
        }
        show_table(duplicates(Stored([result])), f"of {LIMIT} by each, chosen by both", conditions.console)
        show_verdicts(result["claims"], conditions.console)
        write_json(conditions.folder / "result.json", result)
        return True


def judge(means: Mapping[str, float]) -> list[dict[str, str]]:
    low = {name: means[name] for name in ("h4h2", "h4h3")}
    others = {name: mean for name, mean in means.items() if name not in low}
    within = sum(FEW <= mean <= MOST for mean in others.values())
    judged: list[tuple[str, Verdict, Mapping[str, float]]] = [
        (
            f"most other pairs share {FEW:g} to {MOST:g}",
            decided(within > len(others) / 2, within <= len(others) / 2),
            others,
        ),
        (f"h4h2 and h4h3 share fewer than {LOW:g}", decided(max(low.values()) < LOW, max(low.values()) >= LOW), low),
    ]
    return as_stored(
        (text, verdict, ", ".join(f"{name} {mean:.1f}" for name, mean in figures.items()))
        for text, verdict, figures in judged
    )


EXPERIMENTS: dict[str, Any] = {
    "sephton-duplicates": sephton_experiment(
        "sephton-duplicates",
        "what two heuristics choose alike",
        "How many of the actions that one heuristic keeps does another keep too?",
        "section 5.4.3, means of an unknown number of decisions",
        Duplicates().run,
        games=GAMES,
        published_games=0,
        notes=(f"Positions of games of plain UCT with {ITERATIONS} iterations, with more than {LIMIT} legal actions.",),
    )
}
