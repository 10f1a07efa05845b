"""How strong a network is: a match of `netsearch` (or `nettree`) with it against a reference, which `boardwright match`
can repeat."""

from __future__ import annotations

import tempfile
from pathlib import Path

from boardwright.arena.match import Match
from boardwright.arena.standings import Standings
from boardwright.learn.config import Strength
from boardwright.learn.network import Network
from boardwright.scripts.process import end_idle


def entrants(weights: str, opponent: str, seats: int, player: str = "netsearch") -> tuple[str, ...]:
    """Who plays: the network in a file, and the reference in all other seats."""
    return (f"{player}:weights={weights}", *[opponent] * (seats - 1))


def player_of(network: Network) -> str:
    """The agent that searches as the network's training did."""
    return "nettree" if network.history.get("config", {}).get("search") == "tree" else "netsearch"


def strength(network: Network, game: str, opponent: str, games: int) -> Strength:
    """The share of games that a network wins, in the games that a match with seed 0 plays."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "network.npz"
        network.save(file)
        match = Match(game, entrants(str(file), opponent, network.seats, player_of(network)), seed=0)
        try:
            standings = Standings.of(match.entrants, map(match.play, range(games)))
        finally:
            end_idle()  # a reference that is a script
    return Strength(standings.entrants[0].win_rate, standings.entrants[0].interval)
