"""Every recorded game of the original program replays to the last card."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright.arena.record import parse_record
from boardwright.cli import main
from boardwright.commands import saved_games
from boardwright.games.race.bits import members
from boardwright.games.race.keldon import export, saves, verify
from boardwright.games.race.keldon.narrate import narrate
from boardwright.games.race.state import CONSUME, DISCARD, FOR_VP, PAY, SETTLE_PAID
from boardwright.kernel import State
from tests.race_positions import recorded, trace


def test_all_recorded_games_end_as_recorded() -> None:
    games = recorded()
    assert len(games) == 360
    assert [line for game in games for line in verify.differences(game)] == []


def test_recorded_games_for_three_and_four_end_as_recorded() -> None:
    games = recorded("games_3_4_seats.jsonl")
    assert Counter(game.seats for game in games) == {3: 90, 4: 110}
    assert [line for game in games for line in verify.differences(game)] == []


def test_verify_goes_on_after_a_game_that_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [saves_line(save) for save in recorded()[:3]]
    Path("games.jsonl").write_text("\n".join([lines[0], "{", lines[1], '{"seed": 3}', "[" * 100_000, lines[2], ""]))
    assert code_of("race", "verify", "games.jsonl") == 1
    told = capsys.readouterr().out
    assert "games.jsonl, line 2: not JSON" in told
    assert "games.jsonl, line 4: field logs" in told
    assert "games.jsonl, line 5: not JSON" in told
    assert "3 could not be read" in told
    assert told.endswith("3 of 6 identical\n")


def code_of(*command: str) -> object:
    with pytest.raises(SystemExit) as leaving:
        main(list(command))
    return leaving.value.code


def saves_line(save: saves.Save) -> str:
    return json.dumps({"seed": save.seed, "players": save.seats, "logs": save.logs})


def test_a_game_of_a_match_becomes_a_save() -> None:
    """Matches have seeds of 64 bits; the original generator takes the low 32."""
    result = bw.match("race", "random", "random", games=1, seed=5, generator="keldon")
    (record,) = result.records
    assert record.seed >= 2**32
    Path("games.jsonl").write_text(record.line())
    assert code_of("race", "convert", "games.jsonl", "game.sav") == 0
    assert code_of("race", "verify", "game.sav") == 0
    (save,) = saves.read_saves(Path("game.sav"))
    assert save.seed == record.seed % 2**32
    assert list(verify.play(save)[0].scores) == record.scores


def in_the_middle(state: State) -> bool:
    """Whether the question under way has been answered in part."""
    s = state.record
    if s.question == PAY and s.stage == SETTLE_PAID:
        return True
    return s.question in (DISCARD, PAY, FOR_VP, CONSUME) and s.left != s.picks[s.asked]


def summary(state: State) -> dict[str, Any]:
    s = state.record
    seats = range(s.seats)
    places = [range(s.size[seat]) for seat in seats]
    return {
        "hands": [members(s.hand[seat]) for seat in seats],
        "tableaux": [[s.tableau[seat, i] for i in places[seat]] for seat in seats],
        "goods": [
            sorted([s.tableau[seat, i], s.good[seat, i] - 1] for i in places[seat] if s.good[seat, i]) for seat in seats
        ],
        "chips": [s.chips[seat] for seat in seats],
        "pool": s.pool,
        "deck": s.deck_size,
        "discard": s.discard_size,
        "seed": s.lcg,
    }


def test_ten_games_pass_through_every_recorded_position() -> None:
    steps: dict[str, list[dict[str, Any]]] = {}
    for step in trace():
        steps.setdefault(step["game"], []).append(step)
    games = {name: next(g for g in recorded() if f"({name})" in g.name) for name in steps}
    assert len(games) == 10
    for name, expected in steps.items():
        _, moves = verify.play(games[name])
        state, seen = verify.start(games[name]), []
        for action in moves:
            if not in_the_middle(state):
                seen.append((state.player, summary(state)))
            state.apply(action)
        seen.append((-1, summary(state)))
        assert len(seen) == len(expected), f"{name}: {len(seen)} questions instead of {len(expected)}"
        for number, step in enumerate(expected):
            after = {**step["after"]}
            after["hands"] = [sorted(hand) for hand in after["hands"]]
            after["goods"] = [sorted(goods) for goods in after["goods"]]
            assert seen[number][1] == after, f"{name}, after step {number}"
            if number > 0:
                assert seen[number - 1][0] == step["seat"], f"{name}, step {number}: another seat is asked"


def normal(log: list[int]) -> list[Any]:
    """A log without what carries no meaning: the order in lists, and leftovers behind a chosen consume power."""
    entries, at = [], 0
    while at < len(log):
        n = log[at + 2]
        m = log[at + 3 + n]
        items, specials = log[at + 3 : at + 3 + n], log[at + 4 + n : at + 4 + n + m]
        if log[at] == 13:
            items, specials = items[:1], specials[:1]
        elif log[at] != 15:
            specials = sorted(specials)
        entries.append((log[at], log[at + 1], sorted(items), specials))
        at += 4 + n + m
    return entries


@pytest.mark.parametrize("number", range(0, 360, 24))
def test_a_save_becomes_a_record_and_a_save_again(number: int, tmp_path: Path) -> None:
    save = recorded()[number]
    record = parse_record(saved_games.to_record(save).line())
    *_, (state, last) = record.replay()
    assert last is None
    assert list(verify.compare(state, save.expected)) == []
    again = saved_games.to_save(record)
    assert list(map(normal, again.logs)) == list(map(normal, save.logs))
    plain, exported = tmp_path / "game.sav", tmp_path / "game.xml"
    plain.write_text(saves.plain_text(again))
    exported.write_text(export.xml_text(again))
    for file in (plain, exported):
        (loaded,) = saves.read_saves(file)
        assert loaded.logs == again.logs
        assert verify.differences(loaded) == []


def test_an_export_is_checked_against_what_it_says(tmp_path: Path) -> None:
    text = export.xml_text(recorded()[0])
    file = tmp_path / "game.xml"
    file.write_text(text.replace("<Score>26</Score>", "<Score>27</Score>").replace('count="8"', 'count="9"'))
    (loaded,) = saves.read_saves(file)
    found = "\n".join(verify.differences(loaded))
    assert "player 0: score is 26, should be 27" in found
    assert "player 1: hand_count is 8, should be 9" in found


def test_a_game_is_told_round_by_round(capsys: pytest.CaptureFixture[str]) -> None:
    save = recorded()[0]
    state, moves = verify.play(save)
    printed = list(narrate(verify.start(save), moves))
    for number in range(1, state.record.round + 1):
        assert any(line.startswith(f"Round {number}: ") for line in printed), f"round {number} is missing"
    Path("game.sav").write_text(saves.plain_text(save))
    Path("game.xml").write_text(export.xml_text(save))
    Path("game.jsonl").write_text(json.dumps({"seed": save.seed, "logs": save.logs}))
    for file in ("game.sav", "game.xml", "game.jsonl"):
        with pytest.raises(SystemExit) as leaving:
            main(["replay", file])
        assert leaving.value.code == 0
        assert capsys.readouterr().out.splitlines() == "\n".join(printed).split("\n")
    assert "  Player 0 trades the rare good of Alpha Centauri." in printed
    assert any("Player 0: 26 points" in line and "winner" in line for line in printed)


def test_an_export_lists_the_players_from_the_one_who_began(tmp_path: Path) -> None:
    """Where that is not the first seat, their figures are compared in that order."""
    save = next(save for save in recorded() if verify.play(save)[0].record.first == 1)
    file = tmp_path / "game.xml"
    file.write_text(export.xml_text(save))
    (loaded,) = saves.read_saves(file)
    assert loaded.expected.by_turn
    assert verify.differences(loaded) == []
    swapped = loaded.expected.model_copy(update={"by_turn": False})
    assert list(verify.compare(verify.play(save)[0], swapped)) != []
