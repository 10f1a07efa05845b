"""What `boardwright scout registry` shows: the case registry, in the columns of figure 5.2 of the dissertation.

p5:17_r8-p5-d5_9321:2:5:0.41:0      a case: type, name, retrievals in won games, retrievals, mean similarity, era
x:p5_68:23:132:0.00:0:41            a class: type and solution (an action's code, a card's number), likewise, and then
                                    how many cases it has
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from boardwright.cbr.store import ACTIVE, Registry, Store, StoredCase
from boardwright.scout.cases.features import PASS
from boardwright.scout.cases.files import stored_records
from boardwright.scout.cases.xml_folder import case_name
from boardwright.scout.problems.problem import ID_OF_DESIGN, TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE

BASES = {"phase": TYPE_ACTION, "develop": TYPE_DEVELOP, "settle": TYPE_SETTLE}


def registry_lines(file: Path, name: str, limit: int, *, classes: bool) -> list[str]:
    """Of one case base, or of all."""
    base = BASES.get(name)
    with Store(file) as store:
        registry = store.class_registry()
        cases = [case for case in store.cases(ACTIVE) if base in (None, case.base)]
    sizes = Counter((case.base, case.cls) for case in cases)
    return list(class_lines(registry, sizes, base) if classes else case_lines(_most_used(cases)[:limit], file))


def _most_used(cases: list[StoredCase]) -> list[StoredCase]:
    return sorted(cases, key=lambda case: (-case.retrievals, -case.wins, case.id))


def case_lines(cases: list[StoredCase], file: Path) -> Iterator[str]:
    records = stored_records(cases, str(file))
    for case, record in zip(cases, records, strict=True):
        near = case.similarity / case.retrievals if case.retrievals else 0.0
        name = case_name(record, case.source, case.id)
        yield f"p{case.base}:{name}:{case.wins}:{case.retrievals}:{near:.2f}:{case.era}"


def class_lines(registry: Registry, sizes: Mapping[tuple[int, int], int], base: int | None) -> Iterator[str]:
    """Every class that has cases, or has had them."""
    for kind, cls in sorted({*registry, *(key for key in sizes if key[0] in BASES.values())}):
        if base in (None, kind):
            retrievals, wins = registry.get((kind, cls), (0, 0))
            size = sizes.get((kind, cls), 0)
            yield f"x:p{kind}_{class_number(kind, cls)}:{wins}:{retrievals}:0.00:0:{size}"


def class_number(kind: int, cls: int) -> int | str:
    """A class as the dissertation numbers it: the code of an action, or the number of a card."""
    if kind == TYPE_ACTION:
        return cls
    return "none" if cls == PASS else ID_OF_DESIGN[cls]
