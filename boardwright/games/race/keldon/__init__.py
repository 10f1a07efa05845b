"""Games of the Keldon program, version 0.9.4: reading, writing, verifying and telling them.

    saves.py        files: plain saves, XML exports, files with one game per line
    choice_logs.py  the entries of a choice log, and writing the log of a game
    replay.py       playing a game by its choice log, compiled
    verify.py       does a saved game replay to the end it should have?
    export.py       a game played here as a save or an export
    narrate.py      a game told round by round
    saved_games.py  all that for `boardwright replay`
    style.py        how games were played, beside the program against itself

docs/rules/race.md, sections 5 and 12, describes the files.
"""

__all__: list[str] = []
