"""SCOUT2: reasons from cases of won games."""

from __future__ import annotations

from typing import Literal

from boardwright.agents import param
from boardwright.errors import BadSpec
from boardwright.scout.cases.files import DEFAULT
from boardwright.scout.reasoners.all_reasoners import Reasoning, Settings, SimilarityName, reasoning_for
from boardwright.scout.reasoners.dispatch import REST, Head
from boardwright.scout.reasoners.recommendation import Asked, Picking, Retrieved, Thought
from boardwright.scout.scout_agent import OWN, PARTNER, ScoutAgent


class Scout2(ScoutAgent):
    """SCOUT2: reasons from cases of won games; any of its modules can be given to another agent."""

    library: str = param(DEFAULT, "the case library: a file, or `default`")
    placement: str = param(OWN, "who places cards: `cases`, or another agent's spec")
    phase: str = param(OWN, "who chooses actions")
    payment: str = param(OWN, "who chooses cards to pay with")
    discard: str = param(OWN, "who chooses discards")
    rest: str = param(PARTNER, "who trades, consumes, gambles and produces on windfall worlds: an agent's spec")
    weights: str = param("learned", "feature weights: a profile of the package, or a .json file")
    k: int = param(0, "cases to retrieve; 0: as the profile says", ge=0, le=200)
    stages: int = param(2, "1: only cases whose card is at hand; 2: the most similar card at hand instead", ge=1, le=2)
    similarity: SimilarityName = param("combined", "what makes cards similar: facts, confusions, or both combined")
    choice: Literal["proportional", "best"] = param("best", "how one of the k solutions is picked")
    hypothetical: bool = param(False, "ask what would be placed, to tell Develop from Settle")
    generalise: bool = param(True, "compare groups of cards, not single cards, when choosing actions")
    auxiliary: bool = param(True, "use derived features when choosing actions")
    windows: bool = param(True, "compare only cases of the same stage of the game when choosing actions")
    offered: bool = param(True, "judge every option by how often it was taken where it was offered")
    impressions: bool = param(True, "use the weights that were fitted to the choices of the library")
    negative: str = param("", "a library of lost games (`cases build --losers`): what losers chose counts against")
    against: float = param(0.5, "how much it does", ge=0, le=4)
    rules: str = param("placeable+goods+producers", "expert rules beside the cases: names joined by +, or none")

    def prepare(self) -> None:
        super().prepare()
        picking: Picking = self.choice
        settings = Settings(
            weights=self.weights,
            k=self.k,
            stages=self.stages,
            similarity=self.similarity,
            picking=picking,
            hypothetical=self.hypothetical,
            generalise=self.generalise,
            auxiliary=self.auxiliary,
            windows=self.windows,
            rules=self.rules,
            offered=self.offered,
            impressions=self.impressions,
            negative=self.negative,
            against=self.against,
        )
        self.head = Head(self.reasoners(settings), self.seed)
        if self.rest == OWN:
            raise BadSpec(f"agent {type(self).label()!r}: rest={OWN}: there is no reasoner for the rest; name an agent")

    def reasoners(self, settings: Settings) -> Reasoning:
        return reasoning_for(self.library, settings)

    def spec_for(self, module: str) -> str:
        return self.rest if module == REST else str(getattr(self, module))

    def think(self, asked: Asked) -> Thought:
        return self.head.think(asked)

    def source_of(self, case: Retrieved) -> str:
        return self.head.reasoning.library.source(case.group)
