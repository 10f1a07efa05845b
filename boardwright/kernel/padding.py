"""Arrays for one thread alone.

Processors fetch memory by lines. When two threads write to the same line, each waits for the other at every write,
though they write to different places. Small arrays that are made one after the other often lie on one line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LINE = 64
"""Bytes of memory that processors fetch at once."""


def zeros_apart(length: int, kind: Any) -> Any:
    """Zeros that share no line of memory with any other array."""
    margin = LINE // np.dtype(kind).itemsize
    return np.zeros(margin + length + margin, kind)[margin : margin + length]
