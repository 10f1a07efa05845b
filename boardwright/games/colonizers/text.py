"""Colonizers in words: actions and positions for people, and the proof that views hide what they should."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from boardwright.games.colonizers.cards import CARDS, COLONISTS, COLOURLESS, COLOURS, KINDS, MODULES
from boardwright.games.colonizers.information import candidates, hidden_colonist, is_revealed, on_offer
from boardwright.games.colonizers.rules import points
from boardwright.games.colonizers.state import (
    ALL_COLONISTS,
    BUILD_MODULE,
    BUILD_NOTHING,
    CARDS_DRAWN,
    COLONIST_PICK,
    COLONY_TARGET,
    DISCARD,
    DO_NOTHING,
    DRAW,
    DRAW_MODULES,
    FINISHED,
    HAND_CAPACITY,
    KEEP,
    NONE,
    PICK,
    SEATS,
    TAKE_OMNIUM,
    TARGET,
    UNKNOWN,
)
from boardwright.kernel import Record

COLONISTS_BY_NAME = {colonist.name: colonist for colonist in COLONISTS}
PHASES = ("Colonist pick", "Draw", "Discard", "Power", "Build", "The end", "The end: the deck ran out, nobody wins")


def describe(s: Record, action: int) -> str:
    if action == TAKE_OMNIUM:
        return "take 2 Omnium"
    if action == DRAW_MODULES:
        return "draw two modules"
    if action == DO_NOTHING:
        return "do nothing"
    if action == BUILD_NOTHING:
        return "build nothing"
    if action >= BUILD_MODULE:
        module = MODULES[action - BUILD_MODULE]
        return f"build {module.name} (cost {module.cost}, worth {module.value})"
    if action >= TARGET:
        power = COLONISTS[s.colonist[s.turn]].power
        return f"{power} the {COLONISTS[action - TARGET].name}"
    if action >= KEEP:
        return f"keep {MODULES[action - KEEP].name}"
    return f"pick the {COLONISTS[action - PICK].name}"


def action_group(s: Record, action: int) -> tuple[str, str] | None:
    if PICK <= action < PICK + len(COLONISTS):
        return "colonist", COLONISTS[action - PICK].name
    if BUILD_MODULE <= action < BUILD_MODULE + KINDS:
        return "module", MODULES[action - BUILD_MODULE].name
    return None


def show(s: Record, seat: int | None) -> str:
    turn = "" if s.phase >= FINISHED else f", {_name(s.turn, seat)} to choose"
    lines = [f"Round {s.round}: {PHASES[s.phase]}{turn}; {s.deck_size} modules in the deck"]
    for holder in range(SEATS):
        lines += _show_seat(s, holder, seat)
    if s.phase == COLONIST_PICK and seat in (None, s.turn):
        lines.append("On offer:")
        lines += [f"    {name}: {COLONISTS_BY_NAME[name].ability}" for name in _colonists(on_offer(s))]
    if s.phase == DISCARD and seat in (None, s.turn):
        lines.append(f"Drawn: {_cards(_count(s.drawn), with_value=True)}")
    if any(s.removed):
        lines.append(f"Out of the game: {_cards(s.removed)}")
    if seat is None:
        lines.append(f"Out of the round: {', '.join(_colonists(hidden_colonist(s)))}")
        lines.append(
            f"Next in the deck: {', '.join(MODULES[kind].name for kind in _deck(s)[:CARDS_DRAWN]) or 'nothing'}"
        )
    return "\n".join(lines)


def _show_seat(s: Record, holder: int, seat: int | None) -> list[str]:
    mark = ">" if holder == s.turn and s.phase < FINISHED else " "
    about = (
        f"{s.omnium[holder]} Omnium, {s.hand_size[holder]}/{HAND_CAPACITY} cards, {points(s, holder)} points,"
        f" {_colonist(s, holder, seat)}"
    )
    lines = [
        f"{mark} {_name(holder, seat)}: {about}",
        f"    colony {s.colony_size[holder]}/{COLONY_TARGET}: {_cards(s.colony[holder])}",
    ]
    if seat in (None, holder):
        lines.append(f"    hand: {_cards(s.hand[holder], with_value=True)}")
    return lines


def _name(holder: int, seat: int | None) -> str:
    return f"seat {holder + 1} (you)" if holder == seat else f"seat {holder + 1}"


def _colonist(s: Record, holder: int, seat: int | None) -> str:
    if s.colonist[holder] == NONE:
        return "no colonist yet"
    if s.colonist[holder] != UNKNOWN:
        secret = "" if is_revealed(s, holder) else " (secret)"
        return COLONISTS[s.colonist[holder]].name + secret
    assert seat is not None
    return " or ".join(_colonists(candidates(s, seat, holder))) + "?"


def _colonists(mask: int) -> list[str]:
    return [colonist.name for place, colonist in enumerate(COLONISTS) if mask >> place & 1]


def _cards(counts: Iterable[int], with_value: bool = False) -> str:
    """Cards by name and colour, with cost and value where somebody may want to build them."""
    said = []
    for module, count in zip(MODULES, counts, strict=True):
        if count:
            facts = [] if module.colour == COLOURLESS else [COLOURS[module.colour]]
            facts += [f"cost {module.cost}", f"worth {module.value}"] if with_value else []
            said.append(module.name + (f" ×{count}" if count > 1 else "") + (f" ({', '.join(facts)})" if facts else ""))
    return ", ".join(said) or "empty"


def _count(kinds: Iterable[int]) -> list[int]:
    counts = [0] * KINDS
    for kind in kinds:
        counts[kind] += 1
    return counts


def _deck(s: Record) -> list[int]:
    return [s.deck[(s.top + place) % CARDS] for place in range(s.deck_size)]


def scramble(s: Record, seat: int, random: np.random.Generator) -> None:
    """Let all that the seat cannot see change places, without help from the rules that hide it."""
    _scramble_modules(s, seat, random)
    _scramble_colonists(s, seat, random)
    s.rng[:] = random.integers(0, 2**63, 4)


def _scramble_modules(s: Record, seat: int, random: np.random.Generator) -> None:
    others = [other for other in range(SEATS) if other != seat]
    secret_draw = s.phase == DISCARD and s.turn != seat
    heap = _deck(s) + [kind for other in others for kind in range(KINDS) for _ in range(s.hand[other, kind])]
    heap += list(s.drawn) if secret_draw else []
    heap = [int(kind) for kind in random.permutation(heap)]
    for other in others:
        s.hand[other] = _count(heap.pop() for _ in range(s.hand_size[other]))
    if secret_draw:
        s.drawn[:] = heap.pop(), heap.pop()
    s.deck[:] = NONE
    s.top = int(random.integers(CARDS))
    for place, kind in enumerate(heap):
        s.deck[(s.top + place) % CARDS] = kind


def _scramble_colonists(s: Record, seat: int, random: np.random.Generator) -> None:
    """Lay the six in a row: the one out of the round, the picks in order, those on offer. What was put down before
    the seat was asked can change places among itself, and so can what was put down after."""
    picks = [int(colonist) for colonist in s.colonist if colonist != NONE]
    row = [(ALL_COLONISTS & ~s.offered[0]).bit_length() - 1, *picks]
    row += [colonist for colonist in range(len(COLONISTS)) if colonist not in row]
    revealed = {COLONIST_PICK: 0, DRAW: s.turn}.get(s.phase, s.turn + 1)
    if s.leak and s.phase == COLONIST_PICK and s.turn == seat:
        revealed = seat
    own = {1 + seat} if len(picks) > seat else set()
    secret = [place for place in range(len(row)) if place not in own and not 1 <= place <= revealed]
    asked_at = seat if len(picks) >= seat else len(row)
    before = [place for place in secret if place <= asked_at]
    after = [place for place in secret if place > asked_at]
    for group in (before, after):
        for place, colonist in zip(group, random.permutation([row[place] for place in group]), strict=True):
            row[place] = int(colonist)
    for picker in range(len(picks)):
        s.colonist[picker] = row[1 + picker]
    for picker in range(min(len(picks) + 1, SEATS)):
        s.offered[picker] = sum(1 << colonist for colonist in row[1 + picker :])
