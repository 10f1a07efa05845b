"""What the server allows: how much, how large, how often. Everything here can be set by whoever starts it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    tables: int = 1000
    """Tables under way at once."""
    connections: int = 1000
    """Open pages at once."""
    message_bytes: int = 64 * 1024
    """The largest message or request, uploads apart."""
    upload_bytes: int = 16 * 1024 * 1024
    messages_per_second: float = 20.0
    """Messages of one connection, on average."""
    message_burst: int = 60
    """Messages of one connection at once."""
    request_seconds: float = 30.0
    """Within which the head of a request must be there, and within which its body must follow."""
    tables_per_minute: int = 120
    """New tables, of all people together."""

    iterations: int = 200_000
    """Of an agent's search per decision."""
    seconds: float = 15.0
    """Of an agent per decision."""
    threads: int = 2
    """Of an agent's search."""
    nodes: int = 4_000_000
    """Of an agent's tree."""
    determinizations: int = 1000
    depth: int = 20
    """Plies that an agent looks ahead."""
    turns: int = 8
    """Whole turns that an agent looks ahead."""
    width: int = 1000
    """How many actions an agent looks at each time."""
    rollouts: int = 1000
    """Of an agent per action."""
    game_seconds: float = 900.0
    """Of an agent for its whole game."""
    patience: float = 60.0
    """Seconds after which an agent that has not decided is stopped."""
    memory_mb: int = 8192
    """Address space of a process in which agents think; compiled code reserves more than it uses."""

    longest_game: int = 20_000
    """Moves of a game that is studied."""
    match_games: int = 2000
    """Games of a match that is run from the page."""
    matches: int = 1
    """Matches that are run from the page at once."""
