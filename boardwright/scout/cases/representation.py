"""Case representation: a case as one fixed-size record, with a whole problem and the choice made in it.

Everything a problem says is kept, so that a case can be shown, exported and indexed again. Hands, options and choices
are sets of cards (problems/translation.py); options that are powers have bits of their own, and codes (actions,
guesses) count as bits of the first word.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.games.race.bits import WIDTH, WORDS
from boardwright.games.race.cards import CONSUME_POWERS, DESIGN, DESIGN_COUNT
from boardwright.games.race.state import TABLEAU_ROOM
from boardwright.scout.problems import problem as problems
from boardwright.scout.problems.translation import card_set, ids_in

Records = NDArray[np.void]

NO_DESIGN = 255
PAIRS: tuple[tuple[int, int], ...] = (
    *((problems.ID_OF_DESIGN[power.design], power.position) for power in CONSUME_POWERS),
    *problems.SPECIAL_POWERS.values(),
)
"""Every power that can be an option, as card and power."""
assert len(PAIRS) < 63
_PAIR = {pair: number for number, pair in enumerate(PAIRS)}
_CODES = (problems.TYPE_ACTION, problems.TYPE_GAMBLE)
_MOST_CODES = 16

SIDE = np.dtype(
    [
        ("tableau", "u1", TABLEAU_ROOM),
        ("seat", "u1"),
        ("action", "u1"),
        ("chips", "u1"),
        ("score", "i2"),
        ("military", "i1"),
        ("hand_size", "u1"),
        ("size", "u1"),
        ("goods", "u2"),
    ]
)
"""One player: designs in order of placement, and which of the places carry a good."""
CASE = np.dtype(
    [
        ("hand", "<i8", WORDS),
        ("options", "<i8", WORDS + 1),
        ("choice", "<i8", WORDS + 1),
        ("me", SIDE),
        ("opponent", SIDE),
        ("type", "u1"),
        ("minimum", "u1"),
        ("maximum", "u1"),
        ("subject", "u1"),
        ("round", "u1"),
        ("phases", "u1"),
        ("phase", "u1"),
        ("deck", "u1"),
        ("discard", "u1"),
        ("pool", "i1"),
    ]
)


def encode(problem: problems.Problem, choice: problems.Choice = ()) -> Records:
    """A problem and the choice made in it as one record."""
    record = np.zeros(1, CASE)
    row: Any = record[0]
    row["hand"] = card_set(problem.me.hand)
    row["options"] = _options(problem.type, problem.options)
    row["choice"] = _options(problem.type, choice)
    _encode_side(row["me"], problem.me)
    _encode_side(row["opponent"], problem.opponent)
    row["type"] = problem.type
    row["minimum"], row["maximum"] = problem.minimum, problem.maximum
    row["subject"] = NO_DESIGN if problem.subject == problems.NO_SUBJECT else problems.DESIGN_OF_ID[problem.subject]
    row["round"], row["phase"] = problem.round, problem.phase
    row["phases"] = sum(1 << problems.PHASES.index(phase) for phase in problem.phases)
    row["deck"], row["discard"] = min(problem.deck, 255), min(problem.discard, 255)
    row["pool"] = max(-128, min(problem.pool, 127))
    return record


def option_column(kind: int, option: problems.Option) -> int:
    """The column of an option in `option_columns`: an action's code or guess, a power's number, a card's design."""
    if isinstance(option, tuple):
        return _PAIR[option]
    return option if kind in _CODES else problems.DESIGN_OF_ID[option]


def option_columns(kind: int, words: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(cases, options): which options the sets of a type hold, of `options` or `choice`. Questions of powers have
    powers for options, all others cards or codes."""
    if kind in _CODES:
        return (words[:, :1] >> np.arange(_MOST_CODES) & 1).astype(bool)
    if kind == problems.TYPE_POWER:
        return (words[:, WORDS:] >> np.arange(len(PAIRS)) & 1).astype(bool)
    cards = np.concatenate([(words[:, w, None] >> np.arange(WIDTH) & 1).astype(bool) for w in range(WORDS)], axis=1)
    designs = np.zeros((len(words), DESIGN_COUNT), np.bool_)
    for card, design in enumerate(DESIGN.tolist()):
        designs[:, design] |= cards[:, card]
    return designs


def with_choice(record: Records, choice: problems.Choice) -> Records:
    """The record of a problem as a case in which this was chosen."""
    case = record.copy()
    case["choice"] = _options(int(record["type"][0]), choice)
    return case


def _encode_side(row: Any, side: problems.Side) -> None:
    designs = [problems.DESIGN_OF_ID[card] for card in side.tableau]
    row["tableau"][: len(designs)] = designs
    row["tableau"][len(designs) :] = NO_DESIGN
    row["size"] = len(designs)
    row["goods"] = sum(1 << side.tableau.index(card) for card in side.goods)
    row["seat"], row["action"], row["chips"] = side.seat, side.action, min(side.chips, 255)
    row["score"], row["military"] = side.score, max(-128, min(side.military, 127))
    row["hand_size"] = min(side.hand_size, 255)


def _options(kind: int, options: Iterable[problems.Option]) -> list[int]:
    if kind in _CODES:
        return [sum(1 << option for option in options if isinstance(option, int)), 0, 0]
    cards = [option for option in options if isinstance(option, int)]
    pairs = [option for option in options if not isinstance(option, int)]
    return [*card_set(cards), sum(1 << _PAIR[pair] for pair in pairs)]


def decode(record: Any, game_id: str = "") -> tuple[problems.Problem, problems.Choice]:
    """The problem and the choice of a record."""
    kind = int(record["type"])
    subject = int(record["subject"])
    problem = problems.Problem(
        type=kind,
        options=_decode_options(kind, record["options"]),
        minimum=int(record["minimum"]),
        maximum=int(record["maximum"]),
        subject=problems.NO_SUBJECT if subject == NO_DESIGN else problems.ID_OF_DESIGN[subject],
        round=int(record["round"]),
        phases=tuple(phase for i, phase in enumerate(problems.PHASES) if int(record["phases"]) >> i & 1),
        phase=int(record["phase"]),
        deck=int(record["deck"]),
        discard=int(record["discard"]),
        pool=int(record["pool"]),
        me=_decode_side(record["me"], ids_in(record["hand"])),
        opponent=_decode_side(record["opponent"], ()),
        game_id=game_id,
    )
    return problem, _decode_options(kind, record["choice"])


def _decode_side(row: Any, hand: tuple[int, ...]) -> problems.Side:
    tableau = tuple(problems.ID_OF_DESIGN[design] for design in row["tableau"][: int(row["size"])].tolist())
    return problems.Side(
        seat=int(row["seat"]),
        action=int(row["action"]),
        chips=int(row["chips"]),
        score=int(row["score"]),
        military=int(row["military"]),
        tableau=tableau,
        goods=tuple(card for place, card in enumerate(tableau) if int(row["goods"]) >> place & 1),
        hand=hand,
        hand_size=int(row["hand_size"]),
    )


def _decode_options(kind: int, words: Any) -> problems.Choice:
    if kind in _CODES:
        return tuple(code for code in range(_MOST_CODES) if int(words[0]) >> code & 1)
    pairs = tuple(pair for number, pair in enumerate(PAIRS) if int(words[WORDS]) >> number & 1)
    return (*ids_in(words), *pairs)
