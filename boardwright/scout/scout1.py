"""SCOUT1: the tableaux that winners ended with are its cases. It places cards; everything else is a partner's."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Literal

import numpy as np

from boardwright.agents import param
from boardwright.cbr.store import BadLibrary
from boardwright.cbr.tableaux import Found, Tableaux
from boardwright.games.race.cards import DESIGN_COUNT
from boardwright.scout.cases.features import PASS
from boardwright.scout.cases.files import DEFAULT, END, Library, load_library
from boardwright.scout.cases.representation import Records
from boardwright.scout.problems.problem import DESIGN_OF_ID
from boardwright.scout.reasoners.dispatch import chance_for
from boardwright.scout.reasoners.placement import choice_of, solutions_of
from boardwright.scout.reasoners.recommendation import Asked, Retrieved, Thought, pick, shares
from boardwright.scout.scout_agent import OWN, PARTNER, ScoutAgent


def tableaux_of(records: Records) -> Tableaux:
    """The tableaux of end cases, with the position of every card."""
    positions = np.zeros((len(records), DESIGN_COUNT), np.uint8)
    sides = records["me"]
    for place in range(sides["tableau"].shape[1]):
        there = np.flatnonzero(sides["size"] > place)
        positions[there, sides["tableau"][there, place]] = place + 1
    return Tableaux(positions)


@lru_cache(maxsize=8)
def _tableaux(library_id: int, name: str) -> tuple[Library, Tableaux]:
    library = load_library(name)
    ends = library.part(library.of_type(END))
    if not len(ends):
        raise BadLibrary(f"the case library {name} has no tableaux of finished games, which scout1 needs")
    return ends, tableaux_of(ends.records)


class Scout1(ScoutAgent):
    """SCOUT1: places what makes its tableau more like those of winners; a partner plays the rest."""

    library: str = param(DEFAULT, "the case library: a file, or `default`")
    partner_agent: str = param(PARTNER, "who decides everything but placements: an agent's spec")
    retrieval: Literal["set", "position"] = param("position", "compare sets of cards (6.1), or positions too (6.3)")
    k: int = param(10, "cases to retrieve", ge=1, le=1000)
    w1: float = param(1.0, "weight of the sets' difference in (6.3)", ge=0)
    w2: float = param(1.0, "weight of the position in (6.3)", ge=0)

    def prepare(self) -> None:
        super().prepare()
        self.cases, self.tableaux = _tableaux(id(load_library(self.library)), self.library)
        self._met: dict[int, int] = {}

    def spec_for(self, module: str) -> str:
        return OWN if module == "placement" else self.partner_agent

    def think(self, asked: Asked) -> Thought:
        have = [DESIGN_OF_ID[card] for card in asked.problem.me.tableau]
        options = [solution for solution in solutions_of(asked.problem) if solution != PASS]
        if self.retrieval == "set":
            found = self.tableaux.by_set(have, options, self.k)
        else:
            found = self.tableaux.by_position(have, options, self.k, self.w1, self.w2)
        if not found:
            return Thought((), note="no winner's tableau has any of these cards")
        votes = Counter(entry.element for entry in found)
        chosen = pick(votes, "proportional", chance_for(self.seed, asked, self._met))
        return Thought(
            choice_of(chosen),
            tuple((choice_of(solution), share) for solution, share in shares(votes)),
            lambda: tuple(self._retrieved(asked, entry) for entry in found),
            chosen,
            f"cards of {len(found)} winners' tableaux",
        )

    def _retrieved(self, asked: Asked, entry: Found) -> Retrieved:
        return Retrieved(
            asked.problem.type,
            entry.case,
            int(self.cases.ids[entry.case]),
            int(self.cases.groups[entry.case]),
            int(self.cases.records["round"][entry.case]),
            entry.distance,
            entry.element,
            entry.element,
        )
