"""What `boardwright cases label` does: a learner plays, and an expert labels the positions it came to (DAgger).

Games and labels are kept line by line, so that a stopped command goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import track

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord
from boardwright.executors import Executor
from boardwright.files import check_writable
from boardwright.games.race.declaration import game
from boardwright.kernel.ready import make_ready
from boardwright.registry import make_agent
from boardwright.scout.cases import indexing
from boardwright.scout.commands.build import played_games
from boardwright.scout.reasoners.expert_labels import label_game
from boardwright.scout.reasoners.label_file import GameLabels, LabelFile, open_label_file

LEARNER = 0
"""Its number among the entrants."""
_EXPERT_SEED = 1


@dataclass(frozen=True)
class Labelling:
    """Who plays whom, and who labels that."""

    learner: str
    opponent: str
    expert: str
    games: int
    seed: int
    executor: Executor

    @property
    def match(self) -> Match:
        return Match("race", (self.learner, self.opponent), self.seed)


def label_positions(out: Path, labelling: Labelling, console: Console) -> int:
    """Play, and label what the learner had to decide: how many labels there are. Games are kept beside them."""
    check_writable(out)
    progress = Console(stderr=True, quiet=console.quiet)
    expert = make_agent(labelling.expert, game, LEARNER)
    expert.check_seats(2)  # the learner and its opponent
    make_ready([*expert.needs(), indexing.code])
    expert.close()
    with open_label_file(out) as file:
        games = played_games(out, labelling.match, labelling.games, labelling.executor, progress)
        file.check(games, labelling.expert)
        left = [record for record in games if record.index not in file.games]
        shown = track(left, "asking the expert", console=progress, disable=not progress.is_terminal)
        try:
            _label(file, labelling, shown)
        except KeyboardInterrupt:
            stopped = f"stopped after {len(file.games):,} of {labelling.games:,} games; the same command goes on"
            console.out(stopped, highlight=False)
            raise
        labels = sum(len(labelled.options) for labelled in file.games.values())
    console.out(f"{labels:,} labels of {len(file.games):,} games in {out}", highlight=False)
    return labels


def _label(file: LabelFile, labelling: Labelling, records: Iterable[GameRecord]) -> None:
    for labelled in labelling.executor.run(partial(_labelled, labelling.expert), records):
        file.append(labelled)


def _labelled(expert: str, record: GameRecord) -> GameLabels:
    """With an agent of its own for each game, so that labels do not depend on the games before."""
    seat = record.order.index(LEARNER)
    asked = make_agent(expert, game, seat, seed=_EXPERT_SEED)
    try:
        return GameLabels.of(record, expert, label_game(record, seat, asked))
    finally:
        asked.close()
