"""Results as pandas data frames, and as tables in files.

What Boardwright writes as JSON is nested: rows of agents, claims of each arrangement. `tables` finds the rows in it,
`to_frame` makes a data frame of them. pandas is needed only here: `pip install 'boardwright[data]'`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardwright.errors import MissingExtra, UnknownName
from boardwright.files import atomic_output

if TYPE_CHECKING:
    import pandas

SUMMARY = "summary"
"""The table of single values."""
FILE_KINDS = ("csv", "parquet")

Row = dict[str, Any]


def to_frame(rows: Iterable[Mapping[str, Any]]) -> pandas.DataFrame:
    """A data frame of rows; an interval becomes two columns, as `interval_low` and `interval_high`."""
    try:
        import pandas
    except ImportError:
        raise MissingExtra("pandas", "data") from None
    return pandas.DataFrame([_flat(row) for row in rows])


def tables(data: Mapping[str, Any]) -> dict[str, list[Row]]:
    """The rows that nested data holds, by the name they stand under. Rows of several things of a kind, as claims of
    several arrangements, are in one table, with a column that says of which."""
    found: dict[str, list[Row]] = {}
    _collect(data, {}, SUMMARY, found)
    return found


def table_named(data: Mapping[str, Any], name: str) -> pandas.DataFrame:
    found = tables(data)
    if name not in found:
        raise UnknownName("table", name, found)
    return to_frame(found[name])


def write_frame(frame: pandas.DataFrame, file: Path, kind: str) -> None:
    """Into a file, whole or not at all."""
    with atomic_output(file) as temporary:
        if kind == "csv":
            frame.to_csv(temporary, index=False)
            return
        try:
            frame.to_parquet(temporary, index=False)
        except ImportError:
            raise MissingExtra("pyarrow", "data") from None


def _collect(data: Mapping[str, Any], labels: Row, name: str, tables: dict[str, list[Row]]) -> None:
    """Put what a mapping says itself into one row, and go on with the rows within it."""
    own: Row = {}
    for key, value in data.items():
        if _are_rows(value):
            tables.setdefault(key, []).extend({**labels, **row} for row in value)
        elif isinstance(value, Mapping) and value and all(map(_is_nested, value.values())):
            for label, inner in value.items():
                if _are_rows(inner):
                    tables.setdefault(key, []).extend({**labels, key: label, **row} for row in inner)
                else:
                    _collect(inner, {**labels, key: label}, key, tables)
        else:
            own[key] = value
    if own:
        tables.setdefault(name, []).append({**labels, **own})


def _are_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, Mapping) for row in value)


def _is_nested(value: Any) -> bool:
    return isinstance(value, Mapping) or _are_rows(value)


def _flat(row: Mapping[str, Any]) -> Row:
    """Cells that a table can hold: numbers and text."""
    cells: Row = {}
    for key, value in row.items():
        if isinstance(value, (list, tuple)) and len(value) == 2 and key.endswith(("interval", "range")):
            cells[f"{key}_low"], cells[f"{key}_high"] = value
        elif isinstance(value, Mapping):
            cells |= {f"{key}_{inner}": cell for inner, cell in _flat(value).items()}
        elif isinstance(value, (list, tuple)):
            cells[key] = json.dumps(value)
        else:
            cells[key] = value
    return cells
