"""Rebuilding a position from a problem, first part: tableaux, goods, hands, piles; then rebuild_question.py."""

from __future__ import annotations

from boardwright.games.race.cards import CARDS, DESIGNS, KIND, MILITARY, NO_KIND, STANDING
from boardwright.games.race.state import DEVELOP_PLACE, HIDDEN, SETTLE_PLACE, TABLEAU_END
from boardwright.games.race.tableau import ALPHA_CENTAURI
from boardwright.kernel import Record
from boardwright.scout.problems import problem as problems
from boardwright.scout.problems.translation import CardSupply, card_set


def rebuild_table(s: Record, problem: problems.Problem) -> None:
    """Fill an empty record, but for the piles: a case may not know how large they are."""
    supply = CardSupply()
    s.seats = len(problem.sides)
    s.round = problem.round
    s.pool = problem.pool
    if problem.type != problems.TYPE_ACTION:
        s.phases = sum(1 << problems.PHASES.index(phase) for phase in {*problem.phases, problem.phase} - {0})
    for side in problem.sides:
        _rebuild_side(s, side, [supply.take(card_id) for card_id in side.tableau])
    s.hand[problem.me.seat][:] = card_set(problem.me.hand, supply)
    s.first = min((side.seat for side in problem.sides), key=lambda seat: s.tableau[seat, 0])
    _uncount_placed(s, problem)
    # Until the first consume phase nobody can have used the good that Alpha Centauri got in the setup.
    early = problem.round == 1 and problem.type in (
        problems.TYPE_ACTION,
        problems.TYPE_DEVELOP,
        problems.TYPE_SETTLE,
        problems.TYPE_PAYMENT,
    )
    s.first_good = int(
        (problem.round == 0 or early)
        and any(s.tableau[seat, 0] == ALPHA_CENTAURI and s.good[seat, 0] for seat in range(s.seats))
    )


def order(s: Record, seat: int) -> int:
    """How many seats come before this one."""
    return (seat - s.first) % s.seats


def before(s: Record, seat: int) -> list[int]:
    """The seats that come before this one in turn."""
    return [other for other in range(s.seats) if order(s, other) < order(s, seat)]


def _rebuild_side(s: Record, side: problems.Side, tableau: list[int]) -> None:
    if not tableau:
        raise problems.BadDocument(f"the tableau of player {side.seat} has no start world")
    seat = side.seat
    s.tableau[seat][: len(tableau)] = tableau
    s.size[seat] = len(tableau)
    s.standing[seat][:] = STANDING[tableau].sum(axis=0)
    s.chips[seat] = side.chips
    s.chosen[seat] = side.action
    s.hand_size[seat] = side.hand_size
    for place, (card, card_id) in enumerate(zip(tableau, side.tableau, strict=True)):
        if card_id in side.goods:
            if KIND[card] == NO_KIND:
                raise problems.BadDocument(f"{DESIGNS[problems.DESIGN_OF_ID[card_id]].name} cannot carry a good")
            s.good[seat, place] = HIDDEN
            s.goods[seat, NO_KIND] += 1
            s.goods[seat, int(KIND[card])] += 1


def _uncount_placed(s: Record, problem: problems.Problem) -> None:
    """While cards are being paid for, the powers of those placed in this phase do not count yet."""
    if problem.type != problems.TYPE_PAYMENT:
        return
    seat = problem.me.seat
    _mark_placed(s, seat, s.tableau[seat][: s.size[seat]].tolist()[_place_of(problem)])
    for side in problem.opponents:
        newest = s.tableau[side.seat, s.size[side.seat] - 1]
        military = s.standing[side.seat, MILITARY]
        if side.military == military - STANDING[newest, MILITARY] != military:
            _mark_placed(s, side.seat, newest)


def _mark_placed(s: Record, seat: int, card: int) -> None:
    s.placing[seat] = 1 + card
    s.standing[seat][:] -= STANDING[card].astype(s.standing.dtype)


def _place_of(problem: problems.Problem) -> int:
    """Where the card being paid for lies: the newest one, if the problem does not say."""
    tableau = problem.me.tableau
    if problem.subject not in tableau:
        return len(tableau) - 1
    return len(tableau) - 1 - tableau[::-1].index(problem.subject)


def fill_piles(s: Record, problem: problems.Problem) -> None:
    """Deck and discards. All cards must be somewhere, or what is hidden could not be imagined."""
    lying = sum(len(side.tableau) + len(side.goods) + side.hand_size for side in problem.sides)
    found = problem.deck + problem.discard + lying
    if found != CARDS:
        raise problems.BadDocument(
            f"deck {problem.deck}, discards {problem.discard} and {lying} cards in hands, tableaux and goods make"
            f" {found}, not {CARDS}; to play, the deck's true size is needed"
        )
    s.deck_size, s.discard_size = problem.deck, problem.discard


def check_room(s: Record, problem: problems.Problem) -> None:
    """A round begins with fewer cards than end the game, and adds a development and a world at most."""
    most = TABLEAU_END - 1 + (s.stage > DEVELOP_PLACE) + (s.stage > SETTLE_PLACE)
    for side in problem.sides:
        if len(side.tableau) > most:
            raise problems.BadDocument(
                f"<Tableau>: player {side.seat} has {len(side.tableau)} cards; at this time there can be {most}"
            )
