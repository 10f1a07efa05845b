"""What a script may use: time, memory, CPU, processes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    seconds: float = 10.0
    """For one decision, measured by the host from question to answer."""
    game_seconds: float = 600.0
    """For all decisions of a game together."""
    start_seconds: float = 60.0
    """From the start of a game, or of the process, until it is ready."""
    memory: int = 1024
    """MB, for each process of the script and for all together."""
    cpu: float = 1200.0
    """CPU seconds of all its processes in one game, also while others think."""
    processes: int = 32
    """How many it may be at once."""

    def as_message(self) -> dict[str, float]:
        """As it is sent to a script."""
        return {
            "seconds": self.seconds,
            "game_seconds": self.game_seconds,
            "start_seconds": self.start_seconds,
            "memory_mb": self.memory,
            "cpu_seconds": self.cpu,
            "processes": self.processes,
        }
