"""A game played here as a save or an export of the original program."""

from __future__ import annotations

from boardwright.games.race.bits import members
from boardwright.games.race.cards import COST, ID, IS_WORLD
from boardwright.games.race.declaration import game
from boardwright.games.race.keldon import saves
from boardwright.games.race.keldon.choice_logs import logs_of
from boardwright.games.race.keldon.saves import ExportCard, ExportPlayer, Save
from boardwright.games.race.keldon.verify import ORIGINAL_GENERATOR, play
from boardwright.games.race.text import name


def export_order(card: int) -> tuple[bool, int, int]:
    """Hands are printed worlds first, then by cost, then by design."""
    return not IS_WORLD[card], int(COST[card]), int(ID[card])


def save_of(seed: int, seats: int, moves: list[int], where: str = "") -> Save:
    """A game that was played here with the original generator, as a saved game."""
    state = game.new(seed=seed, seats=seats, **ORIGINAL_GENERATOR)
    return Save(seed, logs_of(state, moves), where)


def xml_text(save: Save, exporting: int = 0) -> str:
    """The game as an export by one of the players."""
    state, _ = play(save)
    s, scores, returns = state.record, state.scores, state.returns
    players = []
    for turn in range(s.seats):
        seat = (s.first + turn) % s.seats
        tableau = [
            ExportCard(int(ID[s.tableau[seat, i]]), name(s.tableau[seat, i]), bool(s.good[seat, i]))
            for i in range(s.size[seat])
        ]
        hand = [ExportCard(int(ID[c]), name(c)) for c in sorted(members(s.hand[seat]), key=export_order)]
        players.append(
            ExportPlayer(
                name=f"Player {seat}",
                chips=s.chips[seat],
                score=int(scores[seat]),
                winner=returns[seat] > 0,
                tableau=tableau,
                hand=hand,
                exporting=seat == exporting,
            )
        )
    status = {"round": s.round, "deck": s.deck_size, "discard": s.discard_size, "pool": s.pool}
    return saves.xml_text(save, status, players)
