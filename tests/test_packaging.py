"""What a user gets from the wheel, and that the project's own files agree with one another."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

import boardwright as bw

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "boardwright"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    (file,) = folder.glob("*.whl")
    return zipfile.ZipFile(file)


def metadata(wheel: zipfile.ZipFile) -> Message:
    (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    return Parser().parsestr(wheel.read(name).decode())


def test_the_wheel_has_the_version_of_the_package(wheel: zipfile.ZipFile) -> None:
    assert metadata(wheel)["Version"] == bw.__version__


def test_the_version_is_written_in_one_place_and_in_the_citation() -> None:
    assert not re.search(r"(?m)^version\s*=", (ROOT / "pyproject.toml").read_text())
    (cited,) = re.findall(r"(?m)^version: (\S+)$", (ROOT / "CITATION.cff").read_text())
    assert cited == bw.__version__


def test_the_wheel_has_every_file_of_the_package(wheel: zipfile.ZipFile) -> None:
    """Rules without their card data import well and fail at the first game."""
    files = {
        file.relative_to(ROOT).as_posix()
        for file in PACKAGE.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    files |= {f"boardwright/rules/{file.name}" for file in (ROOT / "docs" / "rules").glob("*.md")}
    shipped = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert "boardwright/py.typed" in shipped, "type checkers would ignore the annotations"
    assert shipped == files


def test_a_source_tree_that_was_not_installed_works(tmp_path: Path) -> None:
    """Games, agents and experiments are found without the package's metadata: no entry point names our own."""
    others = tmp_path / "others"
    others.mkdir()
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if "boardwright" not in entry.name and entry.suffix != ".pth":
            (others / entry.name).symlink_to(entry)
    program = "import boardwright as bw; from boardwright.experiments import experiments; " + (
        "print(bw.games() == sorted(bw.catalogue.GAMES), 'scout1' in bw.agents('race'), 'toolbox' in experiments());"
        "print(bw.match('connect_four', 'random', 'random', games=2).games)"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(others)])}
    command = [sys.executable, "-S", "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "True", "True", "2"], done.stderr


def test_no_file_has_marks_of_a_merge() -> None:
    """In docstrings and pages nothing else would find them."""
    folders = ("boardwright", "docs", "tests", "benchmarks", "examples")
    files = [file for folder in folders for kind in ("py", "md") for file in (ROOT / folder).rglob(f"*.{kind}")]
    marked = [file for file in (*files, *ROOT.glob("*.md")) if re.search(r"(?m)^(<{7}|>{7}) ", file.read_text("utf-8"))]
    assert not marked


def test_commits_are_checked_by_the_linters_of_make_lint() -> None:
    (recipe,) = re.findall(r"(?m)^lint:.*\n((?:\t.+\n)+)", (ROOT / "Makefile").read_text())
    linters = re.findall(r"\$\(BIN\)/(.+)", recipe)
    hooks = re.findall(r"(?m)^ +entry: \.venv/bin/(.+)$", (ROOT / ".pre-commit-config.yaml").read_text())
    assert linters == hooks
