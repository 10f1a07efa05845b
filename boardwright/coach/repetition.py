"""When a puzzle comes again: spaced repetition by FSRS (the Free Spaced Repetition Scheduler), through its package.

A puzzle that was solved comes again after some days, then after more; one that was not comes again soon. What is known
about each is kept in one file of the user's own, which can be read, copied and deleted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from boardwright.errors import BadRecord
from boardwright.files import alone, make_folder, read_json, state_folder, write_json

FORMAT = 1
WRONG, HINTED, RIGHT = "wrong", "hinted", "right"


@dataclass
class Repetition:
    """The state of every puzzle that was tried."""

    file: Path
    cards: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By puzzle: what FSRS remembers of it."""
    tries: dict[str, list[str]] = field(default_factory=dict)
    """How each try went."""

    @classmethod
    def load(cls, file: Path) -> Repetition:
        if not file.exists():
            return cls(file)
        try:
            kept = read_json(file)
            if kept["format"] != FORMAT:
                raise ValueError(f"its format is {kept['format']!r}")
            return cls(file, dict(kept["cards"]), {name: list(tries) for name, tries in kept["tries"].items()})
        except OSError as error:
            raise BadRecord(f"cannot read {file}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadRecord(
                f"{file} is damaged ({error}); delete it with --forget to begin anew, or bring back a copy"
            ) from None

    def save(self) -> None:
        make_folder(self.file.parent, "progress")
        write_json(self.file, self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        return {"format": FORMAT, "cards": self.cards, "tries": self.tries}

    def queue(self, puzzles: Sequence[str], now: datetime | None = None) -> list[str]:
        """What to try now: those that are due, the longest waiting first, then those never tried, in their order."""
        now = now or datetime.now(UTC)
        due = [name for name in puzzles if name in self.cards and self.due(name) <= now]
        return [*sorted(due, key=self.due), *(name for name in puzzles if name not in self.cards)]

    def due(self, puzzle: str) -> datetime:
        return datetime.fromisoformat(self.cards[puzzle]["due"])

    def answered(self, puzzle: str, how: str, now: datetime | None = None) -> datetime:
        """A try of a puzzle, one of RIGHT, HINTED, WRONG; when it comes again."""
        from fsrs import Card, Rating, Scheduler

        ratings = {RIGHT: Rating.Good, HINTED: Rating.Hard, WRONG: Rating.Again}
        kept: Any = self.cards.get(puzzle)
        card = Card.from_dict(kept) if kept is not None else Card()
        card, _ = Scheduler(enable_fuzzing=False).review_card(card, ratings[how], now or datetime.now(UTC))
        self.cards[puzzle] = dict(card.to_dict())
        self.tries.setdefault(puzzle, []).append(how)
        return self.due(puzzle)

    def solved(self, puzzles: Sequence[str]) -> int:
        """How many were right at their last try."""
        return sum(self.tries.get(name, [WRONG])[-1] == RIGHT for name in puzzles)


def progress_file() -> Path:
    return state_folder("coach") / "puzzles.json"


@contextmanager
def exclusive(busy: str) -> Iterator[Path]:
    """The progress file, which no other process changes meanwhile; CannotWrite says `busy` if one does."""
    file = progress_file()
    make_folder(file.parent, "progress")
    with alone(file.with_suffix(".lock"), busy):
        yield file
