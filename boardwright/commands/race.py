"""Race for the Galaxy: saved games of the original program, and how games were played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from boardwright.commands.common import records_in
from boardwright.commands.declared import group
from boardwright.commands.options import RecordedGameOption
from boardwright.settings import Checked, argument

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.commands.saved_games import Verified
    from boardwright.games.race.keldon.style import Style


class VerifySaves(Checked):
    """Replay saved games and compare every placement option and the final state.

    Prints a line for each difference and, last, how many games are identical; the exit code is 0 only if all are.

    Example: boardwright race verify games.jsonl export.xml
    """

    files: list[Path] = argument("Plain saves, XML exports, or .jsonl files of games.", "FILE...")

    def run(self, console: Console) -> Verified:
        from boardwright.commands.saved_games import verify_files

        return verify_files(self.files, console)

    def exit_code(self, result: Verified) -> int:
        return 0 if 0 < result.games == result.identical else 1


class ConvertSaves(RecordedGameOption):
    """Turn saved games into our records and back.

    Example: boardwright race convert export.xml game.jsonl
    """

    source: Path = argument("A save, an export, or records of games played here.")
    target: Path = argument("Where to write: .jsonl our records, .xml an export, else a save.")

    def run(self, console: Console) -> Path:
        """The file that was written."""
        from boardwright.commands.saved_games import convert

        convert(self.source, self.target, self.game)
        return self.target


class ShowStyle(Checked):
    """How games were played: scores, rounds and chosen actions, beside the original program against itself.

    Example: boardwright race style matches/race-netsearch-netsearch-seed0.jsonl
    """

    files: list[Path] = argument("Records of games for two, as `boardwright match` writes them.")

    def run(self, console: Console) -> Style:
        """The counts; agents are numbered in the order in which the records name them."""
        from boardwright.errors import BadRecord
        from boardwright.games.race.keldon.style import Style

        total, entrants = Style(), []
        for file in self.files:
            for record in records_in(file):
                if record.game != "race" or record.seats != 2:
                    raise BadRecord(f"{file}: a game of {record.game} with {record.seats} seats, not of race with 2")
                if record.forfeit is not None:
                    continue
                entrants += [spec for spec in record.agents if spec not in entrants]
                total.add(record.replay(), [entrants.index(spec) for spec in record.agents])
        if not total.games:
            raise BadRecord(f"there are no games in {', '.join(map(str, self.files))}")
        _show_style(total, entrants, console)
        return total


app = group({"verify": VerifySaves, "convert": ConvertSaves, "style": ShowStyle})


def _show_style(total: Style, entrants: list[str], console: Console) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from boardwright.games.race.keldon.style import ORIGINAL, ORIGINAL_ACTIONS
    from boardwright.games.race.state import ROUND_ACTIONS
    from boardwright.games.race.text import ACTION_NAMES

    ours = total.metrics()
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title="Games", title_justify="left")
    for column in ("", "here", "the original"):
        table.add_column(column, justify="left" if not column else "right")
    for name, value in ORIGINAL.items():
        form = ",.0f" if name == "games" else ".1f"
        unit = " %" if name.startswith("ended") else ""
        table.add_row(name, f"{ours[name]:{form}}{unit}", f"{value:{form}}{unit}")
    console.print(table)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title="Actions, in percent", title_justify="left")
    for column in ("", *entrants, "the original"):
        table.add_column(column, justify="left" if not column else "right", overflow="fold")
    for action in ROUND_ACTIONS:
        shares = [f"{total.action_shares(i)[action]:.1f}" for i in range(len(entrants))]
        table.add_row(ACTION_NAMES[action], *shares, f"{ORIGINAL_ACTIONS[action]:.1f}")
    console.print(table)
