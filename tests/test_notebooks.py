"""The notebooks of the documentation run from top to bottom."""

from __future__ import annotations

from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")
pytest.importorskip("pandas")

NOTEBOOKS = sorted((Path(__file__).parent.parent / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = str(Path(__file__).parent.parent)
    monkeypatch.setenv("PYTHONPATH", root)
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(notebook, timeout=250, kernel_name="python3").execute()
    shown = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/svg+xml" in data for data in shown), "a position is drawn"
    assert any("text/html" in data for data in shown), "tables are shown"


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebooks_are_kept_without_results(file: Path) -> None:
    """So that a diff shows what was changed, and nothing is stale."""
    for cell in nbformat.read(file, as_version=4).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
