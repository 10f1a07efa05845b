"""Study over the API: positions that people write, notes in files, tables that begin with a position."""

from __future__ import annotations

import asyncio
import json
import random
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

import boardwright as bw
from boardwright.arena.record import parse_record, read_records
from boardwright.coach.puzzles import shipped
from boardwright.registry import load_game
from boardwright.web import editor, messages, own_files, routes, study_files
from boardwright.web.limits import Limits
from boardwright.web.study_files import StudyFile
from boardwright.web.teaching import Teaching
from tests.conftest import DICE_RACE
from tests.web_server import Server, run_async

FOUR = {"game": "connect_four", "board": [*["......."] * 4, "O......", "OXX...."]}
START: dict[str, Any] = {"game": "connect_four", "seats": 2, "seed": 1, "options": {}}
WON = [0, 1, 0, 1, 0, 1, 0]


def dealt(server: Server, position: Any) -> dict[str, Any]:
    answer = server.post("/api/deal", {"text": json.dumps(position)})
    assert answer.status_code == 200, answer.text
    (game,) = answer.json()["games"]
    return game


def test_a_written_position_is_studied_and_played_on(server: Server) -> None:
    game = dealt(server, FOUR)
    start = {**START, "seed": int(game["seed"]), "position": game["position"]}
    assert server.post("/api/position", {"start": start, "actions": [3]}).json()["player"] == 1
    decision = server.post("/api/think", {"start": start, "actions": [3], "agent": "uct:iterations=2000"}).json()
    assert decision["action"] == 4, "three in a row: the open end must be closed"
    table, _ = server.table("connect_four", "random", "random", position=game["position"], actions=[3], seed=3)
    server.finished(table)
    record = server.get(f"/api/tables/{table}/record").json()
    assert record["position"] == FOUR
    assert len(record["actions"]) > 1
    assert server.get(f"/api/tables/{table}/game").json()["position"] == json.dumps(FOUR)


def test_numbers_of_a_position_that_browsers_cannot_hold_survive(server: Server) -> None:
    """Sets of cards in Race for the Galaxy are words of 57 bits; a position of its fields travels as text."""
    state = bw.game("race").new(seed=4)
    start = {"game": "race", "seats": 2, "seed": 4}
    file = server.post("/api/position.json", {"start": start, "actions": []}).json()
    assert json.loads(file["text"]) == state.to_dict()
    (game,) = server.post("/api/deal", {"text": file["text"]}).json()["games"]
    assert json.loads(game["position"]) == state.to_dict()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("no json", "not JSON"),
        ('{"board": []}', 'an object with a "game"'),
        ('{"game": "chess", "fields": {}}', "there is no game 'chess'"),
        (json.dumps({**FOUR, "board": ["..."]}), "board"),
        (json.dumps({**FOUR, "colour": 1}), "colour: a position has no such field"),
        (json.dumps({"study": 1, "game": "connect_four"}), "not a study: seats"),
        (json.dumps({**START, "study": 1, "seed": -1, "agents": ["a", "b"], "actions": []}), "not a study: seed"),
        (json.dumps({**START, "study": 1, "agents": ["a", "b"], "actions": [], "notes": [{"move": 0, "branch": [9]}]}),
         "does not fit the rules"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_written_position_is_said(server: Server, text: str, complaint: str) -> None:
    answer = server.post("/api/deal", {"text": text})
    assert answer.status_code in (400, 409)
    assert complaint in answer.json()["error"]


def test_a_position_that_does_not_fit_its_start_is_refused(server: Server) -> None:
    for position, complaint in (("{", "not JSON"), ("[]", "is an object"), ('{"game": "race"}', "not of connect_four")):
        for path, request in (
            ("/api/position", {"start": {**START, "position": position}, "actions": []}),
            ("/api/fields", {"game": "connect_four", "position": position}),
        ):
            answer = server.post(path, request)
            assert answer.status_code == 400
            assert complaint in answer.json()["error"]


def test_a_long_text_is_read_as_a_file_is(server: Server) -> None:
    """A study with many comments is longer than the messages of a table may be."""
    (game,) = server.post("/api/deal", {"text": json.dumps(FOUR) + " " * 100_000}).json()["games"]
    assert json.loads(game["position"]) == FOUR


def test_a_study_of_a_game_in_a_file_is_of_that_file() -> None:
    own_files.offer_files([DICE_RACE], [])
    try:
        line = StudyFile(game="dice_race", seats=2, seed=1, agents=["a", "b"], actions=[]).line()
        assert load_game(line.game) is own_files.registered_game("dice_race")
    finally:
        own_files.offer_files([], [])


def test_records_of_games_in_files_are_opened_again() -> None:
    """A page's own record, and one that a match of the same file has written elsewhere; no other file's."""
    own_files.offer_files([DICE_RACE], [])
    try:
        game = own_files.registered_game("dice_race")
        state, actions = game.new(seed=1), []
        while not state.is_terminal:
            actions.append(state.legal_actions()[0])
            state.apply(actions[-1])
        start = messages.Start(game="dice_race", seats=2, seed=1)
        name, text = study_files.study_file(
            messages.StudyKept(start=start, actions=actions, agents=["a", "b"]), Limits()
        ).values()
        assert name.endswith(".jsonl")
        record = parse_record(text)
        assert record.game == DICE_RACE.name, "the file, and not where it lies"
        for named in (record.game, str(DICE_RACE), f"/elsewhere/{DICE_RACE.name}", "dice_race"):
            opened = study_files.uploaded(record.model_copy(update={"game": named}).line().encode())
            assert opened["games"][0]["game"] == "dice_race"
            assert opened["games"][0]["actions"] == actions
        with pytest.raises(messages.Refused, match=r"there is no game 'other\.py'"):
            study_files.uploaded(record.model_copy(update={"game": "other.py"}).line().encode())
    finally:
        own_files.offer_files([], [])


def test_the_positions_of_all_requests_are_checked_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each check is a process of its own."""
    checked: list[Any] = []
    now: list[Any] = []

    def check(game: bw.Game, given: Any) -> None:
        now.append(given)
        assert now == [given]
        time.sleep(0.01)
        checked.append(now.pop())

    monkeypatch.setattr(routes, "check_position", check)
    start = {**START, "position": json.dumps(FOUR)}
    requests: list[tuple[type[messages.Message], dict[str, Any]]] = [
        (messages.PositionWanted, {"start": start, "actions": []}),
        (messages.ReviewWanted, {"start": start, "actions": [], "moves": []}),
        (messages.NewTable, {"game": "connect_four", "seats": [{"agent": "random"}] * 2, "position": json.dumps(FOUR)}),
        (messages.FieldsWanted, {"game": "connect_four", "position": json.dumps(FOUR)}),
        (messages.FieldsWanted, {"game": "connect_four"}),
    ]

    async def read() -> None:
        api = routes.Api(None, None, Limits(), False, "", True, Teaching(None))  # type: ignore[arg-type]
        await asyncio.gather(*(api._read(request(content), kind) for kind, content in requests))

    run_async(read())
    assert checked == [FOUR] * 4


def request(content: Any) -> Request:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": json.dumps(content).encode()}

    return Request({"type": "http", "headers": [(b"content-type", b"application/json")]}, receive)


NOTES = [
    {"move": 2, "branch": [], "comment": "<b>here</b>", "arrows": [["0 0 1", "@0.500,0.250"]]},
    {"move": 3, "branch": [4, 4], "comment": "better", "arrows": []},
]


def test_comments_arrows_and_branches_are_exported_with_the_record_and_read_again(
    server: Server, tmp_path: Path
) -> None:
    kept = {"start": START, "actions": WON, "agents": ["Ada", "Bob"], "notes": NOTES}
    written = server.post("/api/study", kept).json()
    file = tmp_path / written["name"]
    file.write_text(written["text"])
    (record,) = read_records(file)
    assert record.final().is_terminal
    assert [note.model_dump(mode="json") for note in record.notes] == NOTES
    (again,) = server.post("/api/deal", {"text": written["text"]}).json()["games"]
    assert again["notes"] == NOTES


def test_an_unfinished_game_is_exported_as_a_study(server: Server) -> None:
    start = {**START, "position": json.dumps(FOUR)}
    notes = [{"move": 1, "branch": [6], "comment": "", "arrows": []}]
    kept = {"start": start, "actions": [5], "agents": ["X", "O"], "notes": notes}
    written = server.post("/api/study", kept).json()
    assert written["name"].endswith("study.json")
    (again,) = server.post("/api/deal", {"text": written["text"]}).json()["games"]
    assert (again["notes"], json.loads(again["position"]), again["actions"]) == (notes, FOUR, [5])


def test_a_resigned_game_is_exported_as_a_forfeit_and_reviewed(server: Server) -> None:
    kept = {"start": START, "actions": WON[:4], "agents": ["a", "b"], "forfeited_by": 1, "forfeit": "b resigned"}
    record = json.loads(server.post("/api/study", kept).json()["text"])
    assert record["forfeit"] == {"seat": 1, "moves": 4, "reason": "b resigned"}
    wanted = {"start": START, "actions": WON[:4], "moves": [4]}
    assert server.post("/api/review", wanted).status_code == 409
    assert server.post("/api/review", {**wanted, "forfeited": True}).json()["decisions"][0]["move"] == 4


def test_notes_that_cannot_be_are_refused(server: Server) -> None:
    for note, complaint in (({"move": 99}, "move 99"), ({"move": 1, "branch": [77]}, "does not fit the rules")):
        kept = {"start": START, "actions": WON, "agents": ["a", "b"], "notes": [note]}
        answer = server.post("/api/study", kept)
        assert answer.status_code == 400
        assert complaint in answer.json()["error"]


def test_pages_that_come_together_wait_for_one_list_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first takes seconds, and threads are few: a table must be found meanwhile."""
    at_once, most = 0, 0

    def slow(limits: Limits) -> dict[str, Any]:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        time.sleep(0.02)
        at_once -= 1
        return {}

    monkeypatch.setattr(routes.catalogue, "catalogue", slow)

    async def ask() -> None:
        api = routes.Api(None, None, Limits(), False, "", True, Teaching(None))  # type: ignore[arg-type]
        await asyncio.gather(*(api.games(None) for _ in range(5)))  # type: ignore[arg-type]

    run_async(ask())
    assert most == 1


def test_a_game_that_people_still_play_cannot_be_studied_or_reviewed(server: Server) -> None:
    table, _ = server.table("connect_four", None, "random", seed=1)
    answer = server.get(f"/api/tables/{table}/game")
    assert answer.status_code == 409
    assert "still being played" in answer.json()["error"]


def fields_of(server: Server, game: str) -> dict[str, str]:
    answer = server.post("/api/fields", {"game": game, "seed": 4})
    assert answer.status_code == 200, answer.text
    return {field["name"]: field["text"] for field in answer.json()["fields"]}


def test_the_fields_of_a_position_are_edited_and_checked_by_field(server: Server) -> None:
    fields = fields_of(server, "race")
    assert "rng" not in fields, "a seed makes the generator"
    wanted = {"game": "race", "fields": fields, "seed": 9}
    made = server.post("/api/edit", wanted).json()
    expected = bw.game("race").new(seed=4).to_dict()["fields"]
    found = json.loads(made["position"])["fields"]
    assert {name for name in expected if found[name] != expected[name]} == {"rng"}
    hand = json.loads(fields["hand"])
    for name, text, complaint in (
        ("round", "x", "round is not JSON"),
        ("chips", "[1, 2]", "chips"),
        ("hand", "[[500], [], [], []]", "hand[0] has members"),
        ("hand", json.dumps([hand[0], hand[0], [], []]), "hand"),
    ):
        answer = server.post("/api/edit", {**wanted, "fields": {**fields, name: text}})
        assert answer.status_code == 400
        assert complaint in answer.json()["error"]


@pytest.mark.parametrize(
    ("game", "field", "moves"),
    [("race", "hand", 40), ("wonders", "hand", 40), ("lords", "hand", 40), ("colonizers", "colony", 90)],
)
def test_cards_have_their_names_in_the_editor_and_names_are_understood(game: str, field: str, moves: int) -> None:
    played, chance = bw.game(game), random.Random(4)
    state = played.new(seed=4)
    for _ in range(moves):
        state.apply(chance.choice(state.legal_actions()))
    shown = editor.fields(messages.FieldsWanted(game=game, seed=4, position=json.dumps(state.to_dict())))
    texts = {one["name"]: one["text"] for one in shown["fields"]}
    names = {name.partition(" (")[0] for owned in json.loads(texts[field]) for name in owned if name != -1}
    assert names
    assert played.text.cards is not None
    assert names <= played.text.cards().keys()
    made = editor.edited(messages.PositionEdited(game=game, fields=texts, seed=4))
    expected, found = state.to_dict()["fields"], json.loads(made["position"])["fields"]
    assert {name for name in expected if found[name] != expected[name]} <= {"rng"}


def test_a_name_that_no_card_has_is_said_by_field(server: Server) -> None:
    fields = fields_of(server, "race")
    hand = json.loads(fields["hand"])
    own, hand[0][0] = hand[0][0], "Old Erth"
    answer = server.post("/api/edit", {"game": "race", "fields": {**fields, "hand": json.dumps(hand)}})
    assert answer.status_code == 400
    assert answer.json()["error"] == "hand[0][0]: unknown name 'Old Erth'; did you mean 'Old Earth'?"
    hand[0][0] = own.upper()
    assert server.post("/api/edit", {"game": "race", "fields": {**fields, "hand": json.dumps(hand)}}).status_code == 200


def test_what_a_seat_cannot_know_of_an_edited_position_is_drawn_anew(server: Server) -> None:
    wanted = {"game": "race", "fields": fields_of(server, "race"), "seed": 9, "seat": 0}
    game = bw.game("race")
    before, found = game.new(seed=4), game.from_dict(json.loads(server.post("/api/edit", wanted).json()["position"]))
    assert str(found.observation(0)) == str(before.observation(0))
    assert str(found.observation(1)) != str(before.observation(1))


def test_a_puzzle_is_asked_without_its_answer_and_comes_again_by_the_progress_of_the_terminal(server: Server) -> None:
    assert server.post("/api/puzzles/forget", {}).status_code == 200
    asked = server.post("/api/puzzles/next", {"game": "connect_four"}).json()["puzzle"]
    puzzle = next(one for one in shipped("connect_four") if one.id == asked["id"])
    assert not {"answer", "values", "seed", "actions"} & asked.keys()
    given = {"game": "connect_four", "id": puzzle.id, "action": puzzle.answer}
    found = server.post("/api/puzzles/answer", given).json()
    assert found["right"]
    assert found["again"]
    kept = json.loads((server.folder / "boardwright/coach/puzzles.json").read_text())
    assert kept["tries"] == {puzzle.id: ["right"]}
    (counts,) = [one for one in server.get("/api/puzzles").json()["games"] if one["game"] == "connect_four"]
    assert (counts["new"], counts["due"], counts["solved"]) == (counts["puzzles"] - 1, 0, 1)
    assert server.post("/api/puzzles/next", {"game": "connect_four"}).json()["puzzle"]["id"] != puzzle.id
    assert server.post("/api/puzzles/answer", {**given, "action": 99}).status_code == 400
    assert server.post("/api/puzzles/answer", {**given, "id": "none"}).status_code == 409
    assert server.post("/api/puzzles/forget", {}).status_code == 200
    assert not (server.folder / "boardwright/coach/puzzles.json").exists()


def test_why_is_said_after_an_answer_and_a_hint_counts_whatever_the_page_says(server: Server) -> None:
    assert server.post("/api/puzzles/forget", {}).status_code == 200
    puzzle = shipped("connect_four")[-1]  # one that other tests do not come to
    named = {"game": "connect_four", "id": puzzle.id}
    given = {**named, "action": puzzle.answer}
    assert server.post("/api/puzzles/answer", {**named, "action": 99}).status_code == 400, "that is no answer"
    refused = server.post("/api/puzzles/why", given)
    assert refused.status_code == 409
    assert "answer" in refused.json()["error"]
    assert server.post("/api/puzzles/hint", named).status_code == 200
    assert server.post("/api/puzzles/answer", given).json()["right"]
    kept = json.loads((server.folder / "boardwright/coach/puzzles.json").read_text())
    assert kept["tries"] == {puzzle.id: ["hinted"]}
    assert server.post("/api/puzzles/why", given).json()["sentences"]
    assert server.post("/api/puzzles/forget", {}).status_code == 200


def test_a_puzzle_shows_what_its_seat_may_know(server: Server) -> None:
    puzzle = shipped("race")[0]
    asked = server.post("/api/puzzles/next", {"game": "race", "id": puzzle.id}).json()["puzzle"]
    assert asked["text"] == str(puzzle.observation())
