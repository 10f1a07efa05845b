"""Colonizers for people: actions and positions as text, and what reports group actions under."""

from __future__ import annotations

from collections.abc import Iterable

from boardwright.games.colonizers import state
from boardwright.games.colonizers.cards import COLONISTS, COLOURLESS, COLOURS, KINDS, MODULES
from boardwright.games.colonizers.information import candidates, cards_in_deck, count_kinds, is_revealed
from boardwright.games.colonizers.rules import OMNIUM_TAKEN, hidden_colonist, on_offer, points
from boardwright.kernel import SPECTATOR, Record, SeatMetrics, Trait
from boardwright.wording import counted

COLONISTS_BY_NAME = {colonist.name: colonist for colonist in COLONISTS}
PHASES = ("Colonist pick", "Draw", "Discard", "Power", "Build", "The end", "The end: the deck ran out, nobody wins")


def describe_action(s: Record, action: int) -> str:
    if action == state.TAKE_OMNIUM:
        return f"take {OMNIUM_TAKEN} Omnium"
    if action == state.DRAW_MODULES:
        return "draw two modules"
    if action == state.DO_NOTHING:
        return "do nothing"
    if action == state.BUILD_NOTHING:
        return "build nothing"
    if action >= state.BUILD_MODULE:
        module = MODULES[action - state.BUILD_MODULE]
        return f"build {module.name} (cost {module.cost}, worth {module.value})"
    if action >= state.TARGET:
        power = COLONISTS[s.colonist[s.turn]].power
        return f"{power} the {COLONISTS[action - state.TARGET].name}"
    if action >= state.KEEP:
        return f"keep {MODULES[action - state.KEEP].name}"
    return f"pick the {COLONISTS[action - state.PICK].name}"


def revealed(before: Record, after: Record, seat: int) -> list[str]:
    """A colonist lies open once its seat has made its Draw choice; and what everybody has more and less of by it:
    Omnium, cards. The own cards are named."""
    lines = [
        f"seat {other + 1} is the {COLONISTS[after.colonist[other]].name}"
        for other in range(state.SEATS)
        if before.colonist[other] == state.UNKNOWN and after.colonist[other] >= 0
    ]
    for other in range(state.SEATS):
        lines += _gains(before, after, other, seat)
    return lines


def _gains(before: Record, after: Record, other: int, seat: int) -> list[str]:
    who, ending = ("you", "") if other == seat else (f"seat {other + 1}", "s")
    lines = []
    omnium = int(after.omnium[other]) - int(before.omnium[other])
    acted = other == before.turn and before.phase != state.POWER
    if omnium and not (
        acted and (before.phase == state.BUILD or (omnium == OMNIUM_TAKEN and after.phase != state.DISCARD))
    ):
        lines.append(f"{who} {'get' if omnium > 0 else 'lose'}{ending} {abs(omnium)} Omnium")
    if other == seat:
        fresh = [max(0, int(now) - int(old)) for old, now in zip(before.hand[seat], after.hand[seat], strict=True)]
        return [*lines, f"you now hold {cards_text(fresh)}"] if any(fresh) and before.phase != state.DISCARD else lines
    cards = int(after.hand_size[other]) - int(before.hand_size[other])
    if cards and not (acted and before.phase == state.BUILD):
        lines.append(f"{who} now holds {after.hand_size[other]} card{'s' if after.hand_size[other] != 1 else ''}")
    return lines


def action_group(s: Record, action: int) -> tuple[str, str] | None:
    if state.PICK <= action < state.PICK + len(COLONISTS):
        return "colonist", COLONISTS[action - state.PICK].name
    if state.BUILD_MODULE <= action < state.BUILD_MODULE + KINDS:
        return "module", MODULES[action - state.BUILD_MODULE].name
    return None


def show_state(s: Record, seat: int | None) -> str:
    turn = "" if s.phase >= state.FINISHED else f", {name_of(s.turn, seat)} to choose"
    lines = [f"Round {s.round}: {PHASES[s.phase]}{turn}; {s.deck_size} modules in the deck"]
    for holder in range(state.SEATS):
        lines += _show_seat(s, holder, seat)
    if s.phase == state.COLONIST_PICK and seat in (None, s.turn):
        lines.append("On offer:")
        lines += [f"    {name}: {COLONISTS_BY_NAME[name].ability}" for name in _colonists(on_offer(s))]
    if s.phase == state.DISCARD and seat in (None, s.turn):
        lines.append(f"Drawn: {cards_text(count_kinds(s.drawn), with_value=True)}")
    if any(s.removed):
        lines.append(f"Out of the game: {cards_text(s.removed)}")
    if seat is None:
        lines.append(f"Out of the round: {', '.join(_colonists(hidden_colonist(s)))}")
        following = [MODULES[kind].name for kind in cards_in_deck(s)[: state.CARDS_DRAWN]]
        lines.append(f"Next in the deck: {', '.join(following) or 'nothing'}")
    return "\n".join(lines)


def _show_seat(s: Record, holder: int, seat: int | None) -> list[str]:
    mark = ">" if holder == s.turn and s.phase < state.FINISHED else " "
    about = (
        f"{s.omnium[holder]} Omnium, {s.hand_size[holder]}/{state.HAND_CAPACITY} cards,"
        f" {counted(points(s, holder), 'point')}, {colonist_text(s, holder, seat)}"
    )
    lines = [
        f"{mark} {name_of(holder, seat)}: {about}",
        f"    colony {s.colony_size[holder]}/{state.COLONY_TARGET}: {cards_text(s.colony[holder])}",
    ]
    if seat in (None, holder):
        lines.append(f"    hand: {cards_text(s.hand[holder], with_value=True)}")
    return lines


def name_of(holder: int, seat: int | None) -> str:
    return f"seat {holder + 1} (you)" if holder == seat else f"seat {holder + 1}"


def colonist_text(s: Record, holder: int, seat: int | None) -> str:
    if s.colonist[holder] == state.NONE:
        return "no colonist yet"
    if s.colonist[holder] != state.UNKNOWN:
        secret = "" if is_revealed(s, holder) else " (secret)"
        return COLONISTS[s.colonist[holder]].name + secret
    assert seat is not None
    if seat == SPECTATOR:
        return "a secret colonist"
    return " or ".join(_colonists(candidates(s, seat, holder))) + "?"


def _colonists(mask: int) -> list[str]:
    return [colonist.name for place, colonist in enumerate(COLONISTS) if mask >> place & 1]


def cards_text(counts: Iterable[int], with_value: bool = False) -> str:
    """Cards by name and colour, with cost and value where somebody may want to build them."""
    parts = []
    for module, number in zip(MODULES, counts, strict=True):
        if number:
            facts = [] if module.colour == COLOURLESS else [COLOURS[module.colour]]
            facts += [f"cost {module.cost}", f"worth {module.value}"] if with_value else []
            parts.append(
                module.name + (f" ×{number}" if number > 1 else "") + (f" ({', '.join(facts)})" if facts else "")
            )
    return ", ".join(parts) or "empty"


def seat_metrics(s: Record, seat: int) -> SeatMetrics:
    """For reports and the score sheet: the values of the modules by colour, the bonus, and what was built."""
    values = dict.fromkeys(COLOURS, 0)
    for kind, module in enumerate(MODULES):
        values[COLOURS[module.colour]] += int(s.colony[seat, kind]) * module.value
    total = int(points(s, seat))
    parts = {**values, "bonus": total - sum(values.values())} if total else {**dict.fromkeys(values, 0), "bonus": 0}
    built = (Trait("module", MODULES[kind].name) for kind in range(KINDS) for _ in range(s.colony[seat, kind]))
    return SeatMetrics(parts, tuple(built))
