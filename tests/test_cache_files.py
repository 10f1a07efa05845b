"""Files of the compile cache are code: only the user's own are read, and only under their own name."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from boardwright.kernel import cache_files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that has one file."""
    monkeypatch.setenv("BOARDWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache_files, "_warned", set())
    assert cache_files.write("a.code", b"machine code") == tmp_path / "cache" / "a.code"
    assert cache_files.read("a.code") == b"machine code"
    return tmp_path / "cache"


def test_it_is_closed_to_others(folder: Path) -> None:
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "a.code").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o702])
def test_folder_that_others_can_write_to_is_not_used(
    folder: Path, mode: int, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.chmod(mode)
    assert cache_files.read("a.code") == b""
    assert cache_files.write("b.code", b"more") is None
    assert [file.name for file in folder.iterdir()] == ["a.code"]
    assert capsys.readouterr().err.count("others can write to it") == 1


def test_what_is_kept_is_found_again_in_a_folder_of_ones_own_alone(folder: Path) -> None:
    assert cache_files.can_write()
    folder.chmod(0o777)
    assert not cache_files.can_write()


@pytest.mark.parametrize("mode", [0o666, 0o620])
def test_file_that_others_can_write_to_is_not_read(folder: Path, mode: int) -> None:
    (folder / "a.code").chmod(mode)
    assert cache_files.read("a.code") == b""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize("whose", ["", "a.code"])
def test_what_belongs_to_somebody_else_is_not_read(folder: Path, whose: str) -> None:
    os.chown(folder / whose, 12345, 12345)
    assert cache_files.read("a.code") == b""


def test_links_are_not_followed(folder: Path) -> None:
    (folder / "a.code").rename(folder.parent / "a.code")
    (folder / "a.code").symlink_to(folder.parent / "a.code")
    assert cache_files.read("a.code") == b""


def test_what_is_no_file_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "b.code")
    assert cache_files.read("b.code") == b""


def test_file_under_the_name_of_another_is_not_read(folder: Path) -> None:
    (folder / "b.code").write_bytes((folder / "a.code").read_bytes())
    (folder / "b.code").chmod(0o600)
    assert cache_files.read("b.code") == b""


def test_damage_is_noticed_wherever_it_is(folder: Path) -> None:
    whole = (folder / "a.code").read_bytes()
    for place in range(len(whole)):
        (folder / "a.code").write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert cache_files.read("a.code") == b""
        (folder / "a.code").write_bytes(whole[:place])
        assert cache_files.read("a.code") == b""


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"BOARDWRIGHT_CACHE": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"}, "/a"),
        ({"XDG_CACHE_HOME": "/b", "HOME": "/c"}, "/b/boardwright"),
        ({"XDG_CACHE_HOME": "b", "HOME": "/c"}, "/c/.cache/boardwright"),
        ({"HOME": "/c"}, "/c/.cache/boardwright"),
        ({"HOME": "c"}, None),
    ],
)
def test_where_it_is(monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], place: str | None) -> None:
    for name in ("BOARDWRIGHT_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert cache_files.cache_folder() == (Path(place) if place else None)


def test_user_without_a_home_gets_no_folder_named_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python leaves "~" as it is for a user without HOME whom the system does not know either."""
    for name in ("BOARDWRIGHT_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", lambda uid: {}[uid])
    monkeypatch.setattr(cache_files, "_warned", set())
    assert cache_files.write("a.code", b"machine code") is None
    assert cache_files.read("a.code") == b""
    assert capsys.readouterr().err.count("no home folder; set BOARDWRIGHT_CACHE") == 1
    assert list(Path().iterdir()) == []


def test_a_file_begins_with_the_digest_of_its_name_and_its_content(folder: Path) -> None:
    content = b"machine code"
    assert (folder / "a.code").read_bytes() == hashlib.sha256(b"a.code\0" + content).digest() + content


def test_what_is_not_there_is_empty(folder: Path) -> None:
    assert cache_files.read("b.code") == b""


@pytest.mark.parametrize("made_by", ["write", "can_write"])
def test_folders_on_the_way_are_made_and_the_last_one_is_closed_to_others(
    made_by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "one" / "two" / "cache"
    monkeypatch.setenv("BOARDWRIGHT_CACHE", str(folder))
    for _ in range(2):
        if made_by == "write":
            assert cache_files.write("a.code", b"machine code") == folder / "a.code"
        else:
            assert cache_files.can_write() is True
        assert folder.stat().st_mode & 0o777 == 0o700


def test_whether_it_can_be_written_to_is_asked_of_the_system(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a folder that another program has closed: to write there one has to enter it, too."""
    asked = []
    monkeypatch.setattr(cache_files.os, "access", lambda path, mode: bool(asked.append((path, mode))))
    assert cache_files.can_write() is False
    assert asked == [(folder, os.W_OK | os.X_OK)]


@pytest.mark.parametrize("within", ["", "deeper"])
def test_a_file_in_its_place_is_said_once(
    within: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cache_files, "_warned", set())
    (tmp_path / "cache").write_text("a file")
    (tmp_path / "cache").chmod(0o666)
    folder = tmp_path / "cache" / within
    monkeypatch.setenv("BOARDWRIGHT_CACHE", str(folder))
    for _ in range(2):
        assert cache_files.write("a.code", b"machine code") is None
        assert cache_files.read("a.code") == b""
        assert cache_files.can_write() is False
    said = capsys.readouterr().err
    assert said.startswith(f"boardwright: compiled code cannot be kept in {folder} (")
    assert said.count("boardwright:") == said.count("\n") == 1


def test_nothing_is_kept_for_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_files, "cache_folder", lambda: None)
    assert cache_files.safe_folder() is None
    assert cache_files.can_write() is False
