"""Seeds of matches: 0 unless somebody says otherwise, and unguessable where agents take part that are not our own.

An agent knows its own seed, and everything in a match derives from the match's. Who can guess that one, and try it,
knows all deals. So it is drawn at random then, and hidden until the match is over: records are written without it, and
a file that only the user can read keeps it for `--resume`. When all games are played it is put into the records.

A seed that somebody gives may be guessed. It is hidden in the same way, and the agents' seeds are salted with a number
drawn at random, which is shown with it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

from boardwright.arena.match import Match, has_foreign_agents
from boardwright.arena.record import GameRecord, recover_records
from boardwright.errors import BadRecord, CannotWrite
from boardwright.files import atomic_output, atomic_write, seeds_folder

_BITS = 63


class Seeds(TypedDict):
    """What a match derives its random numbers from; fields of Match."""

    seed: int
    salt: int
    hidden_seed: bool


def choose_seed(given: int | None, specs: Sequence[str], salt: int | None = None) -> Seeds:
    """The seeds of a match between these agents. A `salt` is given to play a match again that has shown its own."""
    if salt is not None:
        return Seeds(seed=given or 0, salt=salt, hidden_seed=False)
    if not has_foreign_agents(specs):
        return Seeds(seed=given or 0, salt=0, hidden_seed=False)
    if given is None:
        return Seeds(seed=secrets.randbits(_BITS), salt=0, hidden_seed=True)
    return Seeds(seed=given, salt=1 + secrets.randbits(_BITS), hidden_seed=True)


class HiddenSeed:
    """The hidden seed of the match that is recorded in a file, with its salt."""

    def __init__(self, records: Path) -> None:
        self.records = records
        self.file = seeds_folder() / hashlib.sha256(str(records.absolute()).encode()).hexdigest()[:32]

    def resumed(self, match: Match) -> Match:
        """The match with the seed that its records were played with, if there are any."""
        if not self.records.exists() or not self.records.stat().st_size:
            return match
        records = recover_records(self.records)
        known = {(record.match_seed, record.salt) for record in records if record.match_seed is not None}
        if known:  # it was over, and its seed is not hidden any more
            seed, salt = known.pop()
            hidden = False
        else:
            (seed, salt), hidden = self.read(), True
        if match.salt and seed != match.seed:  # which was given, then
            raise BadRecord(
                f"{self.records} has games of a match with another seed; leave --seed out to go on with it, or give"
                " another --record file"
            )
        return replace(match, seed=seed or 0, salt=salt, hidden_seed=hidden)

    def read(self) -> tuple[int, int]:
        """The seed and the salt that were kept."""
        try:
            seed, salt = (*map(int, self.file.read_text().split()), 0)[:2]
        except (OSError, ValueError):
            raise BadRecord(
                f"the hidden seed of the match in {self.records} is lost ({self.file} cannot be read); its games can be"
                " replayed but not continued: move the records away to begin anew"
            ) from None
        return seed, salt

    def is_seed(self, seed: int) -> bool:
        """Whether this one is kept."""
        return self.file.exists() and self.read()[0] == seed

    def keep(self, seed: int, salt: int) -> None:
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with atomic_write(self.file, private=True, flush=True) as temporary:
                temporary.write_text(f"{seed} {salt}", encoding="utf-8")
        except OSError as error:
            raise CannotWrite(
                f"cannot keep the hidden seed of the match in {self.file}: {error.strerror}; give it a --seed yourself,"
                " or set XDG_STATE_HOME to a folder that can be written"
            ) from None

    def goes_with(self, records: Path) -> None:
        """The records are about to get another name; the seed is found under that, too."""
        if self.file.exists():
            HiddenSeed(records).keep(*self.read())

    def forget(self) -> None:
        self.file.unlink(missing_ok=True)

    def reveal(self, seed: int, salt: int) -> None:
        """The match is over: its seed and its salt go into the records."""
        games = [_with_seed(record, seed, salt) for record in recover_records(self.records)]
        with atomic_output(self.records) as temporary:
            temporary.write_text("".join(record.line() for record in games), encoding="utf-8", newline="\n")
        self.forget()


def _with_seed(record: GameRecord, seed: int, salt: int) -> GameRecord:
    return record.model_copy(update={"match_seed": seed, "salt": salt}) if record.match_seed is None else record
