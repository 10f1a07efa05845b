"""Tables for the terminal that are never cut off: what is too wide for the screen goes on below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions
from rich.table import Table
from rich.text import Text

_LABEL = 24
"""Labels may be folded to this width."""
_BETWEEN = 3
"""What stands between two columns."""


class FittingTable:
    """A table whose figures stay whole. Where the screen is too narrow for all columns, it is several tables,
    each with the labels. The first column is a label, or all that `labels` names; labels may be folded."""

    def __init__(self, *headings: str, title: str = "", labels: Sequence[str] | None = None):
        self.headings, self.title = headings, title
        self.labels = headings[:1] if labels is None else labels
        self.rows: list[tuple[str, ...]] = []

    def add_row(self, *cells: str) -> None:
        self.rows.append(cells)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        for part, columns in enumerate(self._parts(options.max_width)):
            yield self._table(columns, "" if part else self.title)

    def _parts(self, room: int) -> list[list[int]]:
        """The columns of each table, in their order."""
        places = range(len(self.headings))
        labels = [place for place in places if self._is_label(place)]
        starts, free = [0], room - sum(map(self._width, labels))
        figures = [place for place in places if place not in labels]
        left = free
        for number, place in enumerate(figures):
            if number > starts[-1] and self._width(place) > left:
                starts.append(number)
                left = free
            left -= self._width(place)
        return [sorted(labels + figures[begin:end]) for begin, end in pairwise([*starts, len(figures)])] or [labels]

    def _is_label(self, place: int) -> bool:
        return self.headings[place] in self.labels

    def _width(self, place: int) -> int:
        """What a column takes at least, with what stands beside it."""
        longest = max(Text.from_markup(cells[place]).cell_len for cells in (self.headings, *self.rows))
        return _BETWEEN + (min(longest, _LABEL) if self._is_label(place) else longest)

    def _table(self, columns: Sequence[int], title: str) -> Table:
        table = Table(title=title or None, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
        for place in columns:
            label = self._is_label(place)
            table.add_column(
                self.headings[place], justify="left" if label else "right", overflow="fold", no_wrap=not label
            )
        for row in self.rows:
            table.add_row(*(row[place] for place in columns))
        return table
