"""How much of the machine others use while something is timed."""

from __future__ import annotations

import os
import time
from pathlib import Path

_COUNTED = Path("/proc/stat")


def machine_seconds() -> float | None:
    """Processor seconds that all programs together have used since the machine started, and that other machines on the
    same processors took from it; None if the system does not tell."""
    try:
        line = _COUNTED.read_text(encoding="ascii").partition("\n")[0]
    except OSError:
        return None
    user, nice, system, _idle, _waiting, *interrupts_and_stolen = map(int, line.split()[1:9])
    return (user + nice + system + sum(interrupts_and_stolen)) / os.sysconf("SC_CLK_TCK")


class Watch:
    """Begins when it is made. (The load average would count what this program did itself a minute ago.)"""

    def __init__(self) -> None:
        self.load = os.getloadavg()[0]
        self.began = time.perf_counter()
        self.own = time.process_time()
        self.all = machine_seconds()

    def others(self) -> float:
        """How many processors others have used since then, on average; where that is not told, the load average of the
        beginning."""
        now = machine_seconds()
        if self.all is None or now is None:
            return self.load
        used = (now - self.all) - (time.process_time() - self.own)
        return max(0.0, used / (time.perf_counter() - self.began))
