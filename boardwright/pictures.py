"""Pictures as files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from boardwright.errors import CannotWrite
from boardwright.files import atomic_output


@contextmanager
def picture(file: Path, size: tuple[float, float], rows: int = 1, columns: int = 1, **settings: Any) -> Iterator[Any]:
    """A figure and its axes, as `plt.subplots` gives them, to draw on; written when the block is over."""
    import matplotlib

    matplotlib.use("Agg")  # no screen is needed
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(rows, columns, figsize=size, layout="constrained", **settings)
    try:
        yield figure, axes
        for axis in figure.axes:
            axis.spines[["top", "right"]].set_visible(False)
        _write(figure, file)
    finally:
        plt.close(figure)


def _write(figure: Any, file: Path) -> None:
    try:
        with atomic_output(file) as temporary:
            figure.savefig(temporary, dpi=150, format=file.suffix.lstrip(".") or "png")
    except ValueError as error:
        raise CannotWrite(f"cannot write {file}: {error}") from None
