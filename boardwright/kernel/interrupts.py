"""Ctrl-C at a time when Python could not handle it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Ctrl-C is heeded when the block is over. For work that calls Python back from C, where an exception is lost."""
    heed = signal.getsignal(signal.SIGINT)
    if not callable(heed) or threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[tuple[int, Any]] = []
    signal.signal(signal.SIGINT, lambda number, frame: waiting.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heed)
        if waiting:
            heed(*waiting[0])
