"""Bad saves are refused with a message that names file, player, entry and reason."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from boardwright.games.race.keldon import saves, verify
from boardwright.games.race.keldon.saves import BadSave, Save
from tests.race_positions import recorded


@pytest.fixture
def plain() -> str:
    return saves.plain_text(recorded()[0])


def complaint(tmp_path: Path, text: str | bytes) -> str:
    file = tmp_path / "some.sav"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(BadSave) as error:
        list(map(verify.play, saves.read_saves(file)))
    assert str(file) in str(error.value), "the message does not name the file"
    return str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("RFTG Save", "RTFG Save", "first line"),
        ("0.9.4", "0.9.5", "version '0.9.5' is not known"),
        ("4098510202", "-1", "not a 32-bit number"),
        ("4098510202", "many", "'many' is not a number"),
        ("4098510202", "99999999999999999999", "is not a number that can be here"),
        ("2 0\n", "2 1\n", "an expansion game"),
        ("2 0\n", "9 0\n", "9 players"),
        ("0 0 0\n", "1 0 0\n", "an advanced game"),
        ("none", "campaign 3", "a campaign game"),
        ("\n375 ", "\n376 ", "player 0: the log should have 376"),
        ("\n375 ", "\n-4 ", "player 0: the log should have -4"),
        ("\n375 2 0 2 13 93", "\n375 2 0 2 13 94", "player 0, entry 1 (setup): card 94"),
        ("\n375 2 0 2 13 93", "\n375 2 0 2 13 13", "player 0, entry 1 (setup): card 13 is listed twice"),
        ("\n375 2 0 2 13 93", "\n375 2 0 2 13 114", "player 0, entry 1 (setup): there is no card 114"),
        ("\n375 2 0 2 13 93", "\n375 2 0 2 13 -7", "player 0, entry 1 (setup): there is no card -7"),
        ("0 0 0 2 7 -1 0 5 -1 1 86 0", "0 0 0 2 4 -1 0 5 -1 1 86 0", "player 0, entry 2 (round 1): an illegal choice"),
        ("5 -1 1 86 0 12", "5 -1 1 85 0 12", "the listed placements differ"),
        ("6 0 4 52 92 112 86 0", "6 0 4 52 92 112 2 0", "card 2 (Alpha Centauri) cannot be chosen"),
        ("12 0 1 2 0", "16 0 1 2 0", "an entry of type 16 where the rules ask for type 12"),
    ],
)
def test_a_damaged_save_is_refused(plain: str, tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert plain.count(old) >= 1
    assert reason in complaint(tmp_path, plain.replace(old, new, 1))


@pytest.mark.parametrize("line", range(7))
def test_a_save_with_a_missing_line_is_refused(plain: str, tmp_path: Path, line: int) -> None:
    lines = plain.splitlines(keepends=True)
    complaint(tmp_path, "".join(lines[:line] + lines[line + 1 :]))


@pytest.mark.parametrize("size", [0, 5, 14, 40, 300, 1000])
def test_a_save_that_is_cut_off_is_refused(plain: str, tmp_path: Path, size: int) -> None:
    complaint(tmp_path, plain[:size])


def test_a_log_that_stops_early_or_goes_on_is_refused() -> None:
    save = recorded()[0]
    short = Save(save.seed, [save.logs[0][:-7], save.logs[1]], "somewhere")
    with pytest.raises(BadSave, match=r"somewhere: player 0, entry \d+ \(round 15\): the log stops early.*discards"):
        verify.play(short)
    with pytest.raises(BadSave, match=r"player 0, entry .*: the log is cut off in the middle of an entry"):
        verify.play(Save(save.seed, [save.logs[0][:-1], save.logs[1]], "somewhere"))
    with pytest.raises(BadSave, match=r"player 1, entry .*: the game is over, but the log goes on"):
        verify.play(Save(save.seed, [save.logs[0], [*save.logs[1], 0, 0, 2, 7, -1, 0]], "somewhere"))


def test_every_single_damage_to_a_log_ends_in_a_message() -> None:
    save = recorded()[0]
    for at in range(0, len(save.logs[0]), 3):
        for number in (-1, 0, 7, 113, 2**31 - 1):
            log = [*save.logs[0]]
            log[at] = number
            verify.differences(Save(save.seed, [log, save.logs[1]], "somewhere"))  # must not raise or hang


BOMB = """<?xml version="1.0"?><!DOCTYPE z [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><RftgExport>&b;</RftgExport>"""
OUTSIDE = """<?xml version="1.0"?><!DOCTYPE z [<!ENTITY a SYSTEM "file:///etc/passwd">]><RftgExport>&a;</RftgExport>"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<RftgExport><Save>", "broken XML"),
        ("<RftgExport></RftgExport>", "no <Save>"),
        ("<Other/>", "not an export"),
        (BOMB, "declarations that a saved game has no use for"),
        (OUTSIDE, "declarations that a saved game has no use for"),
        ("<" * 5000, "broken XML"),
        ("<a>" * 100_000, "broken XML"),
        ("{" * 100_000, "not JSON"),
        ('{"seed": 1}', "field logs"),
        ('{"seed": 1, "logs": [[]]}', "1 logs for 2 players"),
        ('{"seed": -1, "logs": [[], []]}', "field seed"),
        ('{"seed": 1, "expansion": 2, "logs": [[], []]}', "an expansion game"),
        ('{"seed": 1, "version": "0.8", "logs": [[], []]}', "version '0.8'"),
        ('{"seed": 1, "logs": [[], []]}', "player 0, entry 1 (setup): the log stops early"),
        ('{"seed": 1, "logs": [[99999999999999999999], []]}', "99999999999999999999… is too large"),
        (b"\xff\xfe\x00binary", "not text"),
    ],
)
def test_broken_and_hostile_files_are_refused(tmp_path: Path, text: str | bytes, reason: str) -> None:
    assert reason in complaint(tmp_path, text)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "huge.xml"
    with file.open("wb") as stream:
        stream.write(b"<RftgExport>")
        stream.truncate(5 << 30)
    with pytest.raises(BadSave, match="too large"):
        list(saves.read_saves(file))


def test_verify_prints_differences_and_the_verdict(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.sav", tmp_path / "bad.sav"
    good.write_text(saves.plain_text(recorded()[3]))
    bad.write_text("RFTG Save\n0.1\n")
    line = {"seed": 1, "logs": [[], []], "name": "empty"}
    (tmp_path / "some.jsonl").write_text(json.dumps(line) + "\n")
    command = [sys.executable, "-m", "boardwright", "race", "verify"]
    fine = subprocess.run([*command, good], capture_output=True, text=True, check=False)
    assert (fine.returncode, fine.stdout.splitlines()[-1]) == (0, "1 of 1 identical")
    mixed = subprocess.run(
        [*command, good, bad, tmp_path / "some.jsonl", tmp_path / "none"], capture_output=True, text=True, check=False
    )
    assert (mixed.returncode, mixed.stdout.splitlines()[-1]) == (1, "1 of 4 identical")
    assert "Traceback" not in mixed.stderr
    assert "version '0.1'" not in mixed.stdout
    assert "the line with the seed is missing" in mixed.stdout


@pytest.mark.parametrize("seed", [-1, 0, 2**32 - 1, 2**32])
def test_seeds_have_32_bits(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "game.sav"
    kind, version, _, *rest = saves.plain_text(recorded()[0]).split("\n")
    file.write_text("\n".join([kind, version, str(seed), *rest]))
    if 0 <= seed < 1 << 32:
        (loaded,) = saves.read_saves(file)
        assert loaded.seed == seed
    else:
        with pytest.raises(BadSave, match=rf"seed {seed} is not a 32-bit number"):
            list(saves.read_saves(file))
