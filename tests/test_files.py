"""Files of the user's: whole, readable by others, and by one process at a time."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from boardwright.errors import CannotWrite
from boardwright.files import alone, write_json


def refuse(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def test_json_has_null_for_what_is_not_a_number() -> None:
    found = {"mean": math.nan, "bounds": (-math.inf, 0.5), "rows": [{"x": np.float64("inf"), "n": 3, "ok": True}]}
    write_json(Path("found.json"), found)
    read = json.loads(Path("found.json").read_text(), parse_constant=refuse)
    assert read == {"mean": None, "bounds": [None, 0.5], "rows": [{"x": None, "n": 3, "ok": True}]}


def test_one_at_a_time_and_no_trace_afterwards() -> None:
    sign = Path("work.lock")
    with (
        alone(sign, "somebody is at it"),
        pytest.raises(CannotWrite, match="somebody is at it"),
        alone(sign, "somebody is at it"),
    ):
        pass
    with pytest.raises(RuntimeError), alone(sign, "busy"):
        raise RuntimeError
    assert not sign.exists()
    sign.write_text("")  # left by a process that was killed
    with alone(sign, "busy"):
        assert sign.exists()
    assert not sign.exists()
