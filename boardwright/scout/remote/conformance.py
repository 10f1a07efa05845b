"""Does a server keep the protocol of docs/scout-interface.md? A client that asks it everything, and checks the answers.

The questions come from games of our own engine, whole games from the first to the last, so that every type is asked as
often as the rules ask it. Then comes what an engine should never send, which a server should refuse and live on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from boardwright.arena.match import Match
from boardwright.errors import BoardwrightError
from boardwright.scout.documents.validation import check_choice
from boardwright.scout.documents.writing import document_text, game_over_text
from boardwright.scout.documents.xml_parsing import MAX_BYTES
from boardwright.scout.problems.from_observation import problem_of
from boardwright.scout.problems.problem import TYPES, BadDocument, Problem
from boardwright.scout.problems.steps import is_first_step
from boardwright.scout.remote.client import Connection
from boardwright.scout.remote.frames import HEADER, receive_frame
from boardwright.scout.remote.messages import read_choice

PLAYER = "heuristic"
"""Who plays the games that questions come from."""
_REPEATED = 5
"""So many of the first questions are asked again in another game."""


class Check(NamedTuple):
    """One promise of the protocol."""

    name: str
    passed: bool
    detail: str = ""
    asked: bool = True
    """False: nothing came up that could have broken it, so that it says nothing about the server."""


def check_server(host: str, port: int, games: int, seed: int) -> Iterator[Check]:
    """All checks, one after the other; BoardwrightError if nobody answers at all."""
    recorded = [_questions(index, seed) for index in range(games)]
    asked, wrong = Counter[int](), list[str]()
    acknowledged = True
    with Connection(host, port) as server:
        for number, problems in enumerate(recorded):
            for problem in problems:
                asked[problem.type] += 1
                if (fault := _fault(server, replace(problem, game_id=f"check-{number}"))) and len(wrong) < 3:
                    wrong.append(fault)
            acknowledged &= _is(server.request(game_over_text(True, 30, 20)), "Ok")
    total = sum(asked.values())
    yield Check(f"{total:,} questions of {games} games are answered by legal choices", not wrong, "; ".join(wrong))
    missing = [str(kind) for kind in TYPES if not asked[kind]]
    yield Check(
        f"{len(asked)} of {len(TYPES)} types of question were asked in {games} games",
        True,
        f"not type {', '.join(missing)}; give more --games" if missing else "",
        asked=not missing,
    )
    yield Check("<GameOver> is acknowledged with <Ok/>", acknowledged)
    first = recorded[0][:_REPEATED]
    yield _repeated(host, port, first)
    yield _two_at_once(host, port, first)
    for what, text in _damaged(first[0]):
        yield _refused(host, port, what, text, first[0])
    yield _too_large(host, port, first[0])


def _questions(index: int, seed: int) -> list[Problem]:
    """What one player of a game is asked, in order."""
    record = Match("race", (PLAYER, PLAYER), seed).play(index)
    seen = (state.observation(0) for state, action in record.replay() if action is not None and state.player == 0)
    return [problem_of(observation) for observation in seen if is_first_step(observation)]


def _fault(server: Connection, problem: Problem) -> str:
    """What is wrong with the answer; nothing if it is one of those that the document allows."""
    try:
        check_choice(problem, server.ask(problem))
    except BadDocument as error:
        return f"type {problem.type}: {error}"
    return ""


def _repeated(host: str, port: int, problems: list[Problem]) -> Check:
    """A game that is played again, with the same id and the same questions, is answered in the same way."""
    answers = []
    for _ in range(2):
        with Connection(host, port) as server:
            answers.append([server.ask(replace(problem, game_id="check-again")) for problem in problems])
            server.game_over(None, 20, 20)
    return Check("the same game is answered in the same way", answers[0] == answers[1])


def _two_at_once(host: str, port: int, problems: list[Problem]) -> Check:
    """Two engines at the same time do not disturb each other."""
    with Connection(host, port) as one, Connection(host, port) as other:
        faults = [
            _fault(server, replace(problem, game_id=game))
            for problem in problems
            for server, game in ((one, "check-one"), (other, "check-other"))
        ]
    return Check("two connections are answered in turn", not any(faults), "; ".join(filter(None, faults)))


def _damaged(problem: Problem) -> Iterator[tuple[str, str]]:
    """Documents that must be refused."""
    good = document_text(problem)
    yield "text that is no XML", "who is first?"
    yield "an unknown element", "<Question/>"
    yield "a document without <Type>", re.sub(r"<Type>\d+</Type>", "", good)
    yield "a type that does not exist", re.sub(r"<Type>\d+</Type>", "<Type>99</Type>", good)
    yield "an option that nobody has", re.sub(r"<Choices>[^<]*</Choices>", "<Choices>999</Choices>", good)
    yield "an entity", f'<!DOCTYPE x [<!ENTITY e "e">]>{good}'
    yield "<GameOver> without a winner", '<GameOver score="1" opponent="2"/>'


def _refused(host: str, port: int, what: str, text: str, problem: Problem) -> Check:
    """It is answered by <Error> with a reason, and the connection lives on."""
    with Connection(host, port) as server:
        reply = server.request(text)
        refused = _is(reply, "Error") and len(reply) > len(b"<Error></Error>")
        fault = _fault(server, replace(problem, game_id="check-after"))
    return Check(f"{what} is refused with a reason, and the connection lives on", refused and not fault, fault)


def _too_large(host: str, port: int, problem: Problem) -> Check:
    with Connection(host, port) as server:
        length = MAX_BYTES + 1
        try:
            server.socket.sendall(length.to_bytes(HEADER, "big") + b" " * length)
            reply = receive_frame(server.socket, server.timeouts) or b""
            fault = _fault(server, replace(problem, game_id="check-large"))
        except OSError as error:
            return Check("a frame beyond the limit is refused", False, str(error))
        except BoardwrightError as error:
            return Check("a frame beyond the limit is refused", False, str(error))
    return Check("a frame beyond the limit is refused, and the connection lives on", _is(reply, "Error") and not fault)


def _is(reply: bytes, tag: str) -> bool:
    if tag == "Error":
        try:
            read_choice(reply)
        except BadDocument:
            return reply.lstrip().startswith(b"<Error")
        return False
    return reply.lstrip().startswith(f"<{tag}".encode())
