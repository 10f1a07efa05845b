"""Build what is released, and check it where nothing of ours is: `make release`.

Wheel and sdist are built into dist/, checked by twine, and looked into. The wheel is installed into an empty
environment, which runs `boardwright demo` and, step by step, what the Containerfile runs; its page is asked for. Where
pipx and uv are installed, the wheel is run through them, too.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
LARGEST_WHEEL = 15_000_000
REQUIRED = ("METADATA", "licenses/LICENSE", "licenses/CITATION.cff")

RUNNERS = (("pipx", "run", "--spec", "WHEEL"), ("uvx", "--from", "WHEEL"))
"""Programs that run a package without installing it for good; those that are there are tried."""


def main() -> int:
    dist = ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    python("-m", "build", "--outdir", str(dist), str(ROOT))
    (wheel,), (sdist,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    python("-m", "twine", "check", "--strict", str(wheel), str(sdist))
    check_wheel(wheel)
    check_sdist(sdist)
    subprocess.run([Path(sys.executable).with_name("hadolint"), str(ROOT / "Containerfile")], check=True)
    with tempfile.TemporaryDirectory() as folder:
        check_installed(wheel, Path(folder))
    print(f"{wheel.name} ({wheel.stat().st_size / 1e6:.1f} MB) and {sdist.name} can be released")
    return 0


def python(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True)


def check_wheel(wheel: Path) -> None:
    size = wheel.stat().st_size
    assert size <= LARGEST_WHEEL, f"the wheel has {size / 1e6:.1f} MB"
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
        largest = sorted(files.infolist(), key=lambda info: -info.compress_size)[:10]
    for required in REQUIRED:
        assert any(name.endswith(f".dist-info/{required}") for name in names), f"{required} is not in the wheel"
    foreign = [name for name in names if not re.match(r"boardwright(/|-[^/]*\.dist-info/)", name)]
    assert not foreign, f"the wheel has files of no concern to users: {foreign[:5]}"
    for info in largest:
        print(f"{info.compress_size / 1e6:6.2f} MB  {info.filename}")


def check_sdist(sdist: Path) -> None:
    with tarfile.open(sdist) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    for required in ("LICENSE", "CITATION.cff", "README.md", "CHANGELOG.md", "pyproject.toml"):
        assert required in names, f"{required} is not in the sdist"


def check_installed(wheel: Path, folder: Path) -> None:
    """As a user has it: nothing but the wheel and what it asks for."""
    venv.create(folder / "venv", with_pip=True)
    programs = folder / "venv" / "bin"
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))},
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "BOARDWRIGHT_CACHE": str(folder / "cache"),
    }
    for step in container_steps():
        step = step.replace("/wheels/*.whl", str(wheel)).replace("/wheels", str(ROOT))
        print(f"$ {step}", flush=True)
        subprocess.run(step, shell=True, cwd=folder, env=environment, check=True)
    size = sum(file.stat().st_size for file in (folder / "venv").rglob("*") if file.is_file() and not file.is_symlink())
    print(f"installed: {size / 1e6:.0f} MB")
    version = subprocess.run(["boardwright", "version"], cwd=folder, env=environment, check=True, capture_output=True)
    assert version.stdout.decode().strip() in wheel.name
    subprocess.run(["boardwright", "demo"], cwd=folder, env=environment, check=True)
    check_page(folder, environment)
    for runner in RUNNERS:
        if (program := shutil.which(runner[0])) is not None:
            command = [program, *(part.replace("WHEEL", str(wheel)) for part in runner[1:]), "boardwright", "games"]
            print(f"$ {' '.join(command)}", flush=True)
            subprocess.run(command, cwd=folder, env=environment, check=True)
        else:
            print(f"{runner[0]} is not installed; the wheel was not tried with it")


def container_steps() -> list[str]:
    """What the image that is kept runs while it is made, but for what makes its user."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8").rpartition("\nFROM ")[2]
    return [step for step in re.findall(r"^RUN (.+)$", text, re.MULTILINE) if not step.startswith("useradd")]


def check_page(folder: Path, environment: dict[str, str]) -> None:
    server = subprocess.Popen(
        ["boardwright", "web", "--no-open", "--port", "0"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        address = re.search(r"http://\S+", server.stdout.readline())
        assert address, "the server does not say where it is"
        with urllib.request.urlopen(address[0]) as page:
            assert page.status == 200
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main())
