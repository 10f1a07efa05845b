"""Cases as a folder of XML documents: one file per case, named as the dissertation names them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from boardwright.errors import BadRecord, CannotWrite
from boardwright.files import atomic_output
from boardwright.scout.cases.collection import END, CaseCollection, GameCases, collection_of
from boardwright.scout.cases.representation import Records, decode, encode
from boardwright.scout.cases.tableau_xml import is_tableau, read_tableau, tableau_text
from boardwright.scout.documents.reading import read_document
from boardwright.scout.documents.writing import document_text
from boardwright.scout.documents.xml_parsing import MAX_BYTES
from boardwright.scout.problems.problem import BadDocument


def case_name(record: Any, group: int, number: int) -> str:
    """`game_round-phase-type_number`: unique, and readable."""
    if record["type"] == END:
        return f"{group}_end_{number}"
    return f"{group}_r{record['round']}-p{record['phase']}-d{record['type']}_{number}"


def export_cases(cases: CaseCollection, folder: Path) -> int:
    """Write every case; how many there are."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"cannot write to {folder}: {error.strerror}") from None
    for record, group, number in zip(cases.records, cases.groups.tolist(), cases.ids.tolist(), strict=True):
        if record["type"] == END:
            text = tableau_text(record)
        else:
            problem, choice = decode(record, game_id=str(group))
            text = document_text(problem, choice)
        with atomic_output(folder / f"{case_name(record, group, number)}.xml") as temporary:
            temporary.write_text(text, encoding="utf-8")
    return len(cases)


def import_cases(folder: Path) -> CaseCollection:
    """The cases of a folder, those of one game together."""
    files = sorted(folder.glob("*.xml")) if folder.is_dir() else []
    if not files:
        raise BadRecord(f"there are no .xml files in {folder}")
    games: dict[str, list[Records]] = {}
    for file in files:
        for game, record in _read(file):
            games.setdefault(game, []).append(record)
    parts = [GameCases(f"game {game}", np.concatenate(records)) for game, records in games.items()]
    return collection_of(parts, {"from": f"documents in {folder.name}"})


def _read(file: Path) -> Iterator[tuple[str, Records]]:
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
        if is_tableau(data):
            yield file.stem.partition("_")[0], read_tableau(data)
            return
        document = read_document(data)
    except OSError as error:
        raise BadRecord(f"cannot read {file}: {error.strerror}") from None
    except BadDocument as error:
        raise BadDocument(f"{file.name}: {error}") from None
    if document.choice is None:
        raise BadDocument(f"{file.name}: no <Choice>, so it is no case")
    yield document.problem.game_id or file.stem.partition("_")[0], encode(document.problem, document.choice)
