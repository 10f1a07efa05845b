"""Seeds of matches: 0 unless somebody says otherwise, and unguessable where agents take part that are not our own.

An agent knows its own seed, and everything in a match derives from the match's. Who can guess that one, and try it,
knows all deals. So it is drawn at random then, and hidden until the match is over: records are written without it, and
a file that only the user can read keeps it for `--resume`. When all games are played it is put into the records.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from boardwright.arena.match import Match, has_foreign_agents
from boardwright.arena.record import GameRecord, recover_records
from boardwright.errors import BadRecord, CannotWrite
from boardwright.files import atomic_output, atomic_write, seeds_folder

_BITS = 63


def choose_seed(given: int | None, specs: Sequence[str]) -> tuple[int, bool]:
    """The seed of a match between these agents, and whether it is hidden while they play."""
    if given is not None:
        return given, False
    return (secrets.randbits(_BITS), True) if has_foreign_agents(specs) else (0, False)


class HiddenSeed:
    """The hidden seed of the match that is recorded in a file."""

    def __init__(self, records: Path) -> None:
        self.records = records
        self.file = seeds_folder() / hashlib.sha256(str(records.absolute()).encode()).hexdigest()[:32]

    def resumed(self, match: Match) -> Match:
        """The match with the seed that its records were played with, if there are any."""
        if not self.records.exists() or not self.records.stat().st_size:
            return match
        known = {record.match_seed for record in recover_records(self.records) if record.match_seed is not None}
        if known:  # it was over, and its seed is not hidden any more
            return replace(match, seed=known.pop(), hidden_seed=False)
        try:
            return replace(match, seed=int(self.file.read_text()))
        except (OSError, ValueError):
            raise BadRecord(
                f"the hidden seed of the match in {self.records} is lost ({self.file} cannot be read); its games can be"
                " replayed but not continued: move the records away to begin anew"
            ) from None

    def keep(self, seed: int) -> None:
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with atomic_write(self.file, private=True, flush=True) as temporary:
                temporary.write_text(str(seed))
        except OSError as error:
            raise CannotWrite(
                f"cannot keep the hidden seed of the match in {self.file}: {error.strerror}; give it a --seed yourself,"
                " or set XDG_STATE_HOME to a folder that can be written"
            ) from None

    def reveal(self, seed: int) -> None:
        """The match is over: its seed goes into the records."""
        games = [_with_seed(record, seed) for record in recover_records(self.records)]
        with atomic_output(self.records) as temporary:
            temporary.write_text("".join(record.line() for record in games))
        self.file.unlink(missing_ok=True)


def _with_seed(record: GameRecord, seed: int) -> GameRecord:
    return record.model_copy(update={"match_seed": seed}) if record.match_seed is None else record
