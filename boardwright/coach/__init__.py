"""The coach: where did I lose it? Reviews of games, puzzles made of them, a rating for a person.

analysis.py    one decision: what each option is worth, judged from what the seat knew, with standard errors
evaluators.py  who judges: the strongest agent of the game, in determinizations that all options share
review.py      a whole game: losses, the better options, accuracy
luck.py        what chance gave and took: an account that adds up to the result
narration.py   sentences about a decision, made from numbers that support them
report.py      all that as tables and plain data
live.py        the coach at the table: what a decision cost, shown after it
puzzles.py     positions with one clearly best option; mining.py finds them, drill.py asks them at the terminal
repetition.py  when a puzzle comes again
rating.py      a person's rating against agents whose ratings are known; person.py: as tables
"""

__all__: list[str] = []
