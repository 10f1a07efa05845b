"""Ctrl-C ends a command within a second, whatever it is doing.

Python handles Ctrl-C between two of its own instructions. Compiled code (a rule that never comes to an end, LLVM) may
keep it from that for as long as it likes. So a thread listens too: if Python has not handled it after a short while,
the thread ends the process. Files are written so that this is safe: whole, or line by line.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE = 0.7
"""Seconds that Python has to handle Ctrl-C by itself."""
STOPPED = 130
"""The exit code of a command that was stopped."""
_OVER = b"\0"


@contextmanager
def heeded_soon() -> Iterator[None]:
    """Within the block Ctrl-C ends the process if Python does not handle it. Nothing changes outside the main thread,
    or where somebody else handles Ctrl-C."""
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield
        return
    handled = threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:
        handled.set()
        signal.default_int_handler(number, frame)

    ear, mouth = os.pipe()
    if hasattr(os, "set_blocking"):  # Windows has it since Python 3.12, and does not need it
        os.set_blocking(mouth, False)
    before = signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, handle)
    listener = threading.Thread(target=_listen, args=(ear, handled), daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(before)
        os.write(mouth, _OVER)
        listener.join()
        os.close(ear)
        os.close(mouth)


def _listen(ear: int, handled: threading.Event) -> None:
    while (signal_byte := os.read(ear, 1)) != _OVER:
        if signal_byte[0] == signal.SIGINT and not handled.wait(PATIENCE):
            sys.stderr.write("boardwright: stopped\n")
            sys.stderr.flush()
            os._exit(STOPPED)
        handled.clear()
