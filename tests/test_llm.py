"""Language models as players, against a small server on loopback that answers well, badly, slowly and not at all."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import boardwright as bw
from boardwright.errors import BadSpec, BoardwrightError
from boardwright.llm.prompt import FREE, NUMBERED, NoAnswer, choice
from boardwright.schemas import schema

Answer = Callable[[list[dict[str, str]]], Any]


@contextmanager
def endpoint(answer: Answer) -> Iterator[tuple[str, list[Any]]]:
    """A server; gives its address and what it was asked."""
    asked: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append({"body": body, "path": self.path, "key": self.headers.get("Authorization")})
            found = answer(body["messages"])
            content = found if isinstance(found, bytes) else json.dumps(_chat(found)).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", asked
    finally:
        server.shutdown()
        server.server_close()


def _chat(content: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": content}}], "usage": {"total_tokens": 12}}


def decided(url: str, game: str = "connect_four", **settings: Any) -> Any:
    played = bw.game(game)
    state = played.new(seed=3)
    given = ",".join(f"{name}={value}" for name, value in settings.items())
    agent = bw.agent(f"llm:model=tiny,url={url}" + (f",{given}" if given else ""), played, state.player)
    try:
        return agent.decide(state.observation(state.player))
    finally:
        agent.close()


def test_a_model_chooses_by_number_and_its_words_are_the_reason() -> None:
    with endpoint(lambda messages: "The middle \x1b[31mis best.\nACTION: 4") as (url, asked):
        decision = decided(url)
    assert decision.action == 3
    assert "The middle [31mis best." in decision.reasons[0].note
    assert "\x1b" not in decision.reasons[0].note
    assert asked[0]["path"] == "/v1/chat/completions"
    assert asked[0]["body"]["temperature"] == 0
    assert "1. " in asked[0]["body"]["messages"][1]["content"]


def test_a_model_finds_its_action_without_a_list() -> None:
    def answer(messages: list[dict[str, str]]) -> str:
        assert "Your choices" not in messages[1]["content"]
        return "ACTION: " + bw.game("kuhn_poker").describe(bw.game("kuhn_poker").new(seed=3).observation(0), 1)

    with endpoint(answer) as (url, _):
        assert decided(url, "kuhn_poker", mode="free").action == 1


def test_position_and_answer_can_be_data_that_the_schemas_describe() -> None:
    game = bw.game("race")

    def answer(messages: list[dict[str, str]]) -> str:
        chosen = -1 if len(messages) == 2 else legal[1]
        return f'Well: {{"thoughts": "x", "action": {chosen}}}'

    legal = game.new(seed=3).legal_actions()
    with endpoint(answer) as (url, asked):
        assert decided(url, "race", mode="json").action == legal[1]
    told = asked[0]["body"]["messages"][1]["content"]
    position = json.loads(re.search(r"describes it:\n(.+)$", told, re.MULTILINE)[1])  # type: ignore[index]
    known = schema(game)
    jsonschema.Draft202012Validator({**known["$defs"]["position"], "$defs": known["$defs"]}).validate(position)
    held_to = asked[0]["body"]["response_format"]["json_schema"]["schema"]
    answers = jsonschema.Draft202012Validator(held_to)
    assert not list(answers.iter_errors({"thoughts": "", "action": legal[0]}))
    assert list(answers.iter_errors({"thoughts": "", "action": game.num_actions}))
    assert "it must be one of" in asked[1]["body"]["messages"][-1]["content"]


def test_the_rules_of_the_game_are_told_unless_others_are_given(tmp_path: Path) -> None:
    with endpoint(lambda messages: "ACTION: 1") as (url, asked):
        decided(url)
        (tmp_path / "rules.txt").write_text("Play well.")
        decided(url, rules=tmp_path / "rules.txt")
    first, second = (call["body"]["messages"][1]["content"] for call in asked)
    assert "Be the first to have four discs in a line" in first
    assert "Play well." in second


def test_an_illegal_answer_is_sent_back_and_costs_an_attempt() -> None:
    def answer(messages: list[dict[str, str]]) -> str:
        return "ACTION: 99" if len(messages) == 2 else "ACTION: 2"

    with endpoint(answer) as (url, asked):
        decision = decided(url)
    assert decision.action == 1
    assert "attempt 2" in decision.summary
    assert "from 1 to 7" in asked[1]["body"]["messages"][-1]["content"]


def test_a_model_that_never_answers_legally_fails() -> None:
    with endpoint(lambda messages: "I resign.\x1b[2J") as (url, asked), pytest.raises(BoardwrightError) as raised:
        decided(url, retries=1)
    assert len(asked) == 2
    assert "no legal answer in 2 attempts" in str(raised.value)
    assert "\x1b" not in str(raised.value)


@pytest.mark.parametrize(
    "content", [b"<html>", b"{}", b'{"choices": []}', b"[" * 10_000, json.dumps(_chat(7)).encode()]
)
def test_what_is_no_chat_is_refused_in_words(content: bytes) -> None:
    with endpoint(lambda messages: content) as (url, _), pytest.raises(BoardwrightError, match="chat form"):
        decided(url)


def test_a_slow_model_and_a_missing_server_are_named() -> None:
    stop = threading.Event()

    def answer(messages: list[dict[str, str]]) -> str:
        stop.wait(20)
        return "ACTION: 1"

    with endpoint(answer) as (url, _):
        with pytest.raises(BoardwrightError, match="no answer within"):
            decided(url, seconds=0.2)
        stop.set()
    with pytest.raises(BoardwrightError, match="cannot be asked"):
        decided("http://127.0.0.1:9/v1")


def test_tokens_of_a_game_are_limited() -> None:
    with endpoint(lambda messages: "ACTION: 1") as (url, _):
        game = bw.game("connect_four")
        agent = bw.agent(f"llm:model=tiny,url={url},tokens=20", game, 0)
        observation = game.new(seed=1).observation(0)
        agent.decide(observation)
        agent.decide(observation)
        with pytest.raises(BoardwrightError, match="used up"):
            agent.decide(observation)
        agent.close()


def test_a_whole_match_with_history_as_the_seat_saw_it() -> None:
    with endpoint(lambda messages: "ACTION: 1") as (url, asked):
        result = bw.match("kuhn_poker", f"llm:model=tiny,url={url}", "random", games=4)
    assert result.games == 4
    later = [call["body"]["messages"][1]["content"] for call in asked]
    assert any(re.search("What happened so far", text) for text in later)


def test_the_key_is_sent_and_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDWRIGHT_LLM_KEY", "secret")
    with endpoint(lambda messages: "ACTION: 1") as (url, asked):
        assert "secret" not in str(decided(url))
    assert asked[0]["key"] == "Bearer secret"


def test_bad_specs_are_refused(connect_four: bw.Game) -> None:
    with pytest.raises(BadSpec, match="which model"):
        bw.agent("llm", connect_four, 0)
    with pytest.raises(BadSpec, match="no address"):
        bw.agent("llm:model=x,url=localhost", connect_four, 0)
    with pytest.raises(BadSpec, match="system=missing"):
        bw.agent("llm:model=x,system=missing.txt", connect_four, 0)


@pytest.mark.parametrize(
    ("answer", "mode", "place"),
    [
        ("ACTION: 2", NUMBERED, 1),
        ("ACTION: 1\nno, wait\naction: **2**", NUMBERED, 1),
        ("ACTION: raise two", FREE, 1),
        ("ACTION: I fold.", FREE, 0),
        ("ACTION: two", FREE, 1),
    ],
)
def test_answers(answer: str, mode: str, place: int) -> None:
    assert choice(answer, ["fold", "raise two", "raise three"], mode) == place


@pytest.mark.parametrize(
    ("answer", "mode"),
    [("2", NUMBERED), ("ACTION: 0", NUMBERED), ("ACTION: 9" * 999, NUMBERED), ("ACTION: raise", FREE)],
)
def test_answers_that_name_nothing(answer: str, mode: str) -> None:
    with pytest.raises(NoAnswer):
        choice(answer, ["fold", "raise two", "raise three"], mode)
