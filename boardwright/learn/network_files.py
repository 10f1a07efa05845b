"""Which network an agent plays with: one that comes with the game, or a file."""

from __future__ import annotations

from pathlib import Path

from boardwright.errors import BadRecord, BadSpec
from boardwright.kernel import Game
from boardwright.learn.network import Network, load

WEIGHTS_HELP = "a network: a file made by `boardwright train`, or one of the game's by name; default: the game's own"


def may_have_network(game: Game) -> bool:
    """Whether agents with a network are offered for a game. Others play with one from a file all the same."""
    return game.learning.features is not None or bool(game.learning.networks)


def find_network(agent: str, game: Game, weights: str, seats: int) -> Network:
    """The network of that name, or in that file, for so many seats; without a name the game's own."""
    named = game.learning.named_networks.get(weights, {}) if weights else game.learning.networks
    if seats in named:
        return cached_network(named[seats], game)
    mine = ""
    if weights and weights not in game.learning.named_networks:
        network = network_in_file(game, weights)
        if seats in network.seat_counts:
            return network
        mine = f" ({weights} is for {', '.join(map(str, network.seat_counts))})"
    elif weights:
        mine = f" ({weights} is for {', '.join(map(str, named))})"
    raise BadSpec(
        f"{agent} has no network for {game.name} with {seats} seats{mine}; train one: boardwright train {game.name}"
        f" --seats {seats} --out X.npz, then {agent}:weights=X.npz"
    )


def network_in_file(game: Game, weights: str) -> Network:
    """The network in that file. A name that no network of the game has is refused as such."""
    file, names = Path(weights), ", ".join(game.learning.named_networks)
    if names and not file.suffix and not file.exists():
        raise BadRecord(f"there is no network {weights}; {game.name} has {names}, others are files (.npz)")
    return cached_network(file, game)


def shipped_network(game: Game, seats: int) -> Network:
    """The network that comes with a game."""
    return cached_network(game.learning.networks[seats], game)


_cached: dict[tuple[str, str], tuple[int, Network]] = {}


def cached_network(file: Path, game: Game) -> Network:
    """The network in a file, read again only when the file has changed: every game of a match makes its agents anew."""
    changed = file.stat().st_mtime_ns if file.exists() else 0
    key = game.name, str(file)
    if key not in _cached or _cached[key][0] != changed:
        _cached[key] = changed, load(file, game)
    return _cached[key][1]
