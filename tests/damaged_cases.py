"""Damaged and crafted case files and stores, and a program that uses them one after the other.

    python -m tests.damaged_cases FOLDER SEED COUNT

The folder has what `write_originals` puts there. It runs as a process of its own, since what it looks for is the end of
the process. It prints how many files were refused, and how many were used.
"""

from __future__ import annotations

import json
import lzma
import random
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from boardwright.cbr.maintenance import Maintenance
from boardwright.cbr.store import ACTIVE, CANDIDATE, WITHOUT_CHECKSUMS, Store, StoredCase
from boardwright.cbr.store import FORMAT as STORE_FORMAT
from boardwright.errors import BoardwrightError
from boardwright.scout.cases.collection import END, CaseCollection
from boardwright.scout.cases.files import FORMAT, load_cases, write_case_file, write_store
from boardwright.scout.cases.indexing import index_cases
from boardwright.scout.cases.representation import decode
from boardwright.scout.cases.xml_folder import case_name
from boardwright.scout.controller import MAINTAINED, CaseController
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE
from boardwright.scout.reasoners.all_reasoners import Reasoners
from boardwright.scout.reasoners.policy_network import PolicyHead, PolicyNetwork
from boardwright.scout.reasoners.policy_training import train_policy
from boardwright.scout.reasoners.recommendation import IndexedProblem
from boardwright.scout.reasoners.settings import Settings
from tests.scout_games import small_collection

START = b"SCOUT CASES %d\n" % FORMAT
ODD_NUMBERS = (0, 1, 2, 127, 128, 255)
ODD_VALUES: tuple[Any, ...] = (
    None, -1, 0, 255, 256, 2**40, 2**63 - 1, -(2**63), 1e308, float("inf"), "", "text", "\x1b[2J\n", b"", b"\xff" * 300,
)  # fmt: skip
ODD_JSON: tuple[Any, ...] = (
    None, True, -1, 10**30, 1e308, "", "text", [], [[]], [[1, 2]], {}, {"0": [[0]], "3": [[99, 99, 99]]},
)  # fmt: skip
Damage = Callable[[random.Random, bytes, Path], None]


def body_of(packed: bytes) -> bytearray:
    return bytearray(lzma.decompress(packed[len(START) :]))


def packed_again(body: bytes) -> bytes:
    return START + lzma.compress(body, preset=0)


def flip(rng: random.Random, data: bytearray, first: int = 0) -> None:
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(first, len(data))
        data[at] = rng.choice(ODD_NUMBERS) if rng.random() < 0.5 else data[at] ^ 1 << rng.randrange(8)


def file_bytes(rng: random.Random, case_file: bytes, file: Path) -> None:
    """Bytes of the file are others, or missing."""
    data = bytearray(case_file)
    flip(rng, data)
    file.write_bytes(data[: rng.randrange(len(data))] if rng.random() < 0.2 else data)


def file_records(rng: random.Random, case_file: bytes, file: Path) -> None:
    """Records are others, and the checksum is right."""
    body = body_of(case_file)
    header = 4 + int.from_bytes(body[:4], "big")
    flip(rng, body, header)
    file.write_bytes(packed_again(bytes(body)))


def file_header(rng: random.Random, case_file: bytes, file: Path) -> None:
    """The header says something else."""
    body = body_of(case_file)
    end = 4 + int.from_bytes(body[:4], "big")
    header = json.loads(body[4:end])
    how = rng.randrange(4)
    if how == 0:
        header["cases"] = rng.choice((*ODD_JSON, header["cases"] + 1, 2**31, 2**62))
    elif how == 1:
        header["meta"][rng.choice(("confusions", "policy_network", "from"))] = rng.choice(ODD_JSON)
    elif how == 2:
        network = header["meta"]["policy_network"]
        name = rng.choice(sorted(network))
        network[name] = rng.choice((*ODD_JSON, network["bias"], [0] * len(network["width"]), {"0": ["", ""]}))
    else:
        header = rng.choice((*ODD_JSON, {"cases": header["cases"]}, {**header, "meta": rng.choice(ODD_JSON)}))
    text = json.dumps(header).encode()
    file.write_bytes(packed_again(len(text).to_bytes(4, "big") + text + bytes(body[end:])))


def store_bytes(rng: random.Random, store: bytes, file: Path) -> None:
    data = bytearray(store)
    flip(rng, data)
    file.write_bytes(data[: rng.randrange(len(data))] if rng.random() < 0.1 else data)


def store_records(rng: random.Random, store: bytes, file: Path) -> None:
    """A record is another, and its checksum is right."""
    file.write_bytes(store)
    with Store(file) as opened:
        case = rng.choice(opened.cases(ACTIVE, CANDIDATE))
        record = bytearray(case.record)
        flip(rng, record)
        case.record = bytes(record) if rng.random() < 0.9 else bytes(record[: rng.randrange(len(record))])
        values = (case.record + case.checksum, case.id)
        opened.connection.execute("UPDATE cases SET record=? WHERE id=?", values)


def store_rows(rng: random.Random, store: bytes, file: Path) -> None:
    """A column holds something odd; checksums are left out, so that nothing else gives it away."""
    file.write_bytes(store)
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA ignore_check_constraints=ON")
    connection.execute("UPDATE cases SET record=substr(record, 1, length(record) - 4)")
    connection.execute("UPDATE meta SET value=? WHERE key='format'", (str(WITHOUT_CHECKSUMS),))
    tables = ("cases", "classes", "sources", "games", "eras", "log", "meta")
    table = rng.choice(tables)
    columns = [column[1] for column in connection.execute(f"PRAGMA table_info({table})")]
    value = json.dumps(rng.choice(ODD_JSON)) if table == "meta" else rng.choice(ODD_VALUES)
    where = f"rowid IN (SELECT rowid FROM {table} ORDER BY random() LIMIT 1)"
    try:
        connection.execute(f"UPDATE {table} SET {rng.choice(columns)}=? WHERE {where}", (value,))
    except sqlite3.IntegrityError:  # SQLite itself does not let this happen
        connection.execute(f"DELETE FROM {table} WHERE {where}")
    connection.close()


def store_tables(rng: random.Random, store: bytes, file: Path) -> None:
    """There are other tables, or none."""
    file.write_bytes(store)
    connection = sqlite3.connect(file, isolation_level=None)
    table = rng.choice(("cases", "classes", "sources", "games", "eras", "log", "meta"))
    connection.execute(
        rng.choice(
            (
                f"DROP TABLE {table}",
                f"ALTER TABLE {table} ADD COLUMN more TEXT",
                f"ALTER TABLE {table} RENAME TO others",
                f"CREATE TRIGGER greedy AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END",
                f"CREATE VIEW more AS SELECT * FROM {table}",
            )
        )
    )
    connection.close()


CASE_FILE_DAMAGES: tuple[Damage, ...] = (file_bytes, file_records, file_records, file_header)
STORE_DAMAGES: tuple[Damage, ...] = (store_bytes, store_records, store_records, store_rows, store_rows, store_tables)


def use(file: Path) -> None:
    """Everything that can be done with a case base."""
    cases = load_cases(str(file))
    settings = Settings(option_rates=True)
    reasoners = Reasoners(cases, settings)
    ask(reasoners, cases)
    for record, group, number in zip(cases.records[:50], cases.groups.tolist(), cases.ids.tolist(), strict=False):
        case_name(record, group, number)
        if record["type"] != END:
            decode(record)
    index_cases(cases.records)
    if file.suffix == ".db":
        controller = CaseController(file, settings)
        try:
            ask(controller.reasoners, cases)
            controller.store.log()
            controller.end_era()
            controller.maintenance.rollback(0)
        finally:
            controller.close()


def ask(reasoners: Reasoners, cases: CaseCollection) -> None:
    for kind in (TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE):
        for record in cases.records[cases.positions_of(kind)[:2]]:
            reasoners.reason(IndexedProblem(decode(record)[0]), random.Random(0))


def small_network(cases: CaseCollection) -> dict[str, Any]:
    """The first four hidden units of a policy network, to have small files."""
    trained = PolicyNetwork.from_data(train_policy(cases.records))
    heads = {kind: PolicyHead(head.weights[:4], head.bias) for kind, head in trained.heads.items()}
    return replace(trained, hidden=trained.hidden[:, :4], bias=trained.bias[:4], heads=heads).as_data()


def write_originals(folder: Path) -> None:
    """A case file and a store, both with a policy network; the store with a game played."""
    cases = small_collection()
    cases.meta["policy_network"] = small_network(cases)
    cases.meta["confusions"] = {"3": [[1, 2, 3]], "5": [[3, 4, 1]]}
    write_case_file(cases, folder / "original.cases")
    file = folder / "original.db"
    write_store(cases, file)
    with Store(file) as store:
        assert store.format == STORE_FORMAT
        maintenance = Maintenance(store, MAINTAINED)
        like = next(case for case in store.cases(ACTIVE) if case.base == TYPE_ACTION)
        new = StoredCase(store.next_id(), TYPE_ACTION, like.cls, 1, like.record, CANDIDATE, 0.5)
        maintenance.end_era()
        with store.transaction():
            store.add([new])
            store.set_classes({(0, 1): (3, 2)})
            store.add_game(1, 2, True, 30, 20)
            store.set_meta("era_policy_network", (1, cases.meta["policy_network"]))


def main(originals: Path, seed: int, count: int) -> None:
    rng, counts = random.Random(seed), Counter[str]()
    case_file, store = ((originals / f"original.{suffix}").read_bytes() for suffix in ("cases", "db"))
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            of_store = number % 2
            damage = rng.choice(STORE_DAMAGES if of_store else CASE_FILE_DAMAGES)
            file = Path(folder) / f"{number}.{'db' if of_store else 'cases'}"
            damage(rng, store if of_store else case_file, file)
            try:
                use(file)
                counts["used"] += 1
            except BoardwrightError as error:
                counts["refused"] += 1
                if len(str(error).splitlines()) != 1 or not str(error).isprintable():
                    raise AssertionError(f"{damage.__name__}, file {number}: {error!r}") from error
            except Exception as error:
                raise AssertionError(f"{damage.__name__}, file {number}") from error
    print(json.dumps(counts))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
