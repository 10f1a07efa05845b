"""`llm`: a language model decides, asked in words and answering in words."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, ClassVar, Literal

from boardwright.agents import Agent, Decision, Reason, param
from boardwright.errors import BadSpec, BoardwrightError
from boardwright.kernel import Observation
from boardwright.llm.prompt import JSON, NUMBERED, SYSTEM, SYSTEM_JSON, NoAnswer, choice, question
from boardwright.schemas import decision

KEY_VARIABLE = "BOARDWRIGHT_LLM_KEY"
"""The environment variable that holds the key, if the endpoint wants one; it is never written anywhere."""
_LONGEST_ANSWER = 1_000_000  # bytes that are read of one
_LONGEST_NOTE = 2000


class LanguageModel(Agent):
    """A language model behind an endpoint that speaks the chat form of OpenAI's interface."""

    model: str = param("", "the model's name, as the endpoint knows it")
    url: str = param("http://127.0.0.1:11434/v1", "the endpoint, up to /chat/completions")
    mode: Literal["numbered", "free", "json"] = param(
        NUMBERED,
        "whether the choices are listed, must be found in the rules, or position and answer are data (`schema GAME`)",
    )
    temperature: float = param(0.0, "of sampling", ge=0, le=2)
    retries: int = param(2, "how often an illegal answer is sent back before the agent fails", ge=0, le=20)
    seconds: float = param(60.0, "time for one answer", gt=0)
    max_tokens: int = param(1000, "the longest answer", ge=1)
    tokens: int = param(0, "the most tokens that a game may take; 0: no limit", ge=0)
    history: int = param(40, "how many of the last events are in the prompt", ge=0)
    system: str = param("", "a file with the system prompt; default: one that asks for a line ACTION:")
    rules: str = param("", "a file with the rules in words; default: the game's own, in short")

    observes_text: ClassVar[bool] = True

    def prepare(self) -> None:
        if not self.model:
            raise BadSpec("llm: which model? As in llm:model=NAME,url=http://127.0.0.1:11434/v1")
        if not self.url.startswith(("http://", "https://")):
            raise BadSpec(f"llm: url={self.url!r} is no address; it begins with http:// or https://")
        self._system = _text_of("system", self.system) or (SYSTEM_JSON if self.mode == JSON else SYSTEM)
        self._rules = _text_of("rules", self.rules) or self.game.text.rules_in_short()
        self._events: list[str] = []
        self._client: Any = None
        self.used_tokens = 0
        """Of this game, as the endpoint counts them."""
        self.illegal_answers = 0

    def start_game(self, observation: Observation) -> None:
        self._events, self.used_tokens, self.illegal_answers = [], 0, 0

    def observe_text(self, seat: int, text: str) -> None:
        self._events.append(f"{self.game.seat_name(seat)}: {text}")

    def decide(self, observation: Observation) -> Decision:
        actions = observation.legal_actions()
        texts = [self.game.describe(observation, action) for action in actions]
        events = self._events[-self.history :] if self.history else []
        asked = question(self.game, observation, actions, events, self.mode, self._rules)
        messages = [{"role": "system", "content": self._system}, {"role": "user", "content": asked}]
        began = time.perf_counter()
        for attempt in range(self.retries + 1):
            answer = self._ask(messages, actions)
            try:
                place = choice(answer, texts, self.mode, actions)
            except NoAnswer as problem:
                self.illegal_answers += 1
                messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": str(problem)}]
                continue
            self._events.append(f"You: {texts[place]}")
            seconds = time.perf_counter() - began
            summary = f"{self.model}, {seconds:.1f} s, {self.used_tokens} tokens"
            summary += f", attempt {attempt + 1}" if attempt else ""
            reason = Reason(actions[place], note=_printable(answer)[:_LONGEST_NOTE])
            return Decision(actions[place], (reason,), summary)
        end = _printable(answer)[-200:]
        raise BoardwrightError(f"llm {self.model}: no legal answer in {self.retries + 1} attempts; the last: {end!r}")

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def _ask(self, messages: list[dict[str, str]], actions: list[int]) -> str:
        if self.tokens and self.used_tokens >= self.tokens:
            raise BoardwrightError(f"llm {self.model}: the game's {self.tokens} tokens are used up")
        import httpx

        body: dict[str, Any] = {
            "model": self.model,
            "messages": messages,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        if self.mode == JSON:
            held_to = {"name": "decision", "strict": True, "schema": decision(actions)}
            body["response_format"] = {"type": "json_schema", "json_schema": held_to}
        try:
            response = self._connected().post(f"{self.url.rstrip('/')}/chat/completions", json=body)
        except httpx.TimeoutException:
            raise BoardwrightError(f"llm {self.model}: no answer within {self.seconds:g} s from {self.url}") from None
        except httpx.HTTPError as error:
            raise BoardwrightError(f"llm {self.model}: {self.url} cannot be asked: {error}") from None
        if response.status_code != httpx.codes.OK:
            end = _printable(response.text)[:200]
            raise BoardwrightError(f"llm {self.model}: {self.url} answered {response.status_code}: {end}")
        return self._content(response)

    def _content(self, response: Any) -> str:
        try:
            if len(response.content) > _LONGEST_ANSWER:
                raise ValueError("the answer is too long")
            data = response.json()
            content = data["choices"][0]["message"]["content"]
            self.used_tokens += int((data.get("usage") or {}).get("total_tokens") or 0)
            if not isinstance(content, str):
                raise TypeError("its content is no text")
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
            raise BoardwrightError(f"llm {self.model}: {self.url} does not speak the chat form: {error!r}") from None
        return content

    def _connected(self) -> Any:
        if self._client is None:
            try:
                import httpx
            except ModuleNotFoundError:
                raise BoardwrightError("llm needs httpx: pip install 'boardwright[llm]'") from None
            key = os.environ.get(KEY_VARIABLE)
            headers = {"Authorization": f"Bearer {key}"} if key else {}
            self._client = httpx.Client(timeout=self.seconds, headers=headers)
        return self._client

    @classmethod
    def label(cls) -> str:
        return "llm"


def _printable(text: str) -> str:
    """A model's answer, fit to be shown on a terminal."""
    return "".join(letter for letter in text if letter.isprintable() or letter == "\n")


def _text_of(name: str, file: str) -> str:
    if not file:
        return ""
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSpec(f"llm: {name}={file}: {error}") from None
