"""Tables of README and docs, made from files of results: `make docs`. With --check: say which are not as they would be
made.

Results come from benchmarks/results.json, which the benchmarks write, from docs/matches/*.json, results of matches and
evaluations as `--json` writes them, and from docs/results/*.json, those of experiments, which declare their own tables
(boardwright/experiments/tables.py). What is not of an experiment is in
docs/figure_tables/. A table stands between two comments:

    <!-- table: race-speed -->
    …
    <!-- /table -->
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from figure_tables import characters, decks, matches, readme, scale, scout, speed, targets
from figure_tables.results import EXPERIMENTS, ROOT, Figures, TableOf

from boardwright.experiments import experiments, load_experiment
from boardwright.experiments.model import Experiment
from boardwright.experiments.tables import Stored, Table

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
IMAGES = ROOT / "docs" / "images"
_BLOCK = re.compile(r"(<!-- table: ([\w.-]+) -->\n)(.*?)(<!-- /table -->)", re.DOTALL)


@cache
def declared() -> list[Experiment]:
    """The experiments that declare tables, but those against another opponent that have not been run yet."""
    names = (name for name in experiments() if not name.endswith("-clone") or (EXPERIMENTS / f"{name}.json").exists())
    return [load_experiment(name) for name in names]


def tables_of(experiment: Experiment) -> Iterator[tuple[str, TableOf]]:
    """The tables that an experiment declares, by the names that they have in the pages."""
    for part, table in experiment.docs_tables.items():
        name = f"{experiment.name}-{part}" if part else experiment.name
        yield name, lambda figures, table=table: table(Stored.of(experiment.name, figures.experiments))


def picture_of(experiment: Experiment) -> Callable[[Figures, Path], None]:
    """The figure of the publication, published and ours in one plot."""
    return lambda figures, file: experiment.drawn(Stored.of(experiment.name, figures.experiments).results, file)


SUBJECTS = (readme, scout, matches, targets, speed, scale, decks, characters)
OWN_TABLES: dict[str, TableOf] = {name: table for subject in SUBJECTS for name, table in subject.TABLES.items()}
DECLARED_TABLES = {name: table for experiment in declared() for name, table in tables_of(experiment)}
TABLES = OWN_TABLES | DECLARED_TABLES
PICTURES: dict[str, Callable[[Figures, Path], None]] = {
    "decks-reliability.png": decks.draw_decks_reliability,
    "characters.png": characters.draw_characters,
    **{f"{experiment.name}.png": picture_of(experiment) for experiment in declared() if experiment.drawn is not None},
}
"""Drawn from the same files. They are not compared with --check: other versions of the drawing library differ."""


def markdown(table: Table) -> str:
    head, *rows = table
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *(f"| {' | '.join(row)} |" for row in rows)]
    return "".join(" ".join(line.split()) + "\n" for line in lines)


def made(text: str, figures: Figures) -> str:
    """A page with its tables made again."""

    def table(block: re.Match[str]) -> str:
        return f"{block[1]}{markdown(TABLES[block[2]](figures))}{block[4]}"

    return _BLOCK.sub(table, text)


def main() -> None:
    figures, stale = Figures(), []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if (new := made(text, figures)) != text:
            stale.append(page)
            if "--check" not in sys.argv:
                page.write_text(new, encoding="utf-8")
                print(page)
    if "--check" not in sys.argv:
        pages = "".join(page.read_text(encoding="utf-8") for page in PAGES)
        for name, draw in PICTURES.items():
            if f"images/{name}" not in pages:
                continue
            draw(figures, IMAGES / name)
            print(IMAGES / name)
    if stale and "--check" in sys.argv:
        sys.exit(f"not as the results say: {', '.join(str(page.relative_to(ROOT)) for page in stale)}; run `make docs`")


if __name__ == "__main__":
    main()
