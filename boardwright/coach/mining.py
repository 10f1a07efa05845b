"""Mining puzzles: games are played or read, and every decision in them is looked at.

    python -m boardwright.coach.mining race --puzzles 100 --out race.jsonl

goes on where an earlier run stopped. Connect Four is solved exactly by whoever has a solver: `benchmarks/` has the
script for it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from boardwright.agents import ask
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord
from boardwright.coach.puzzles import CLEAR, Checkers, Puzzle, line_of, read_puzzles, write_puzzles
from boardwright.coach.review import reviewed_seats
from boardwright.errors import BadRecord
from boardwright.files import make_folder, state_folder
from boardwright.kernel import Game, Observation
from boardwright.kernel.entries import RULES
from boardwright.kernel.ready import make_ready
from boardwright.registry import agents_of, load_game, make_agent

PLAYERS = {
    "race": ("heuristic", "netsearch:noise=0.1"),
    "wonders": ("heuristic", "ismcts:iterations=200", "heuristic"),
    "lords": ("heuristic", "ismcts:iterations=100"),
    "colonizers": ("heuristic", "netsearch:noise=0.1", "heuristic", "netsearch:noise=0.1"),
}
"""Who plays the games that puzzles are mined from: agents that people meet, and that err."""
PER_GAME = 2
"""A game gives so many puzzles at most, so that a set has variety."""
LATE = {"lords": 20}
"""Puzzles are looked for only in so many last moves of a game: earlier in Lords of War a game to the end takes long,
and few of the options that a search likes best win more such games."""
EASY_SHARE = {"lords": 1.0}
"""At most so many of a set are found by the game's rules of thumb, half where it does not say. Those of Lords of War
look ahead themselves, and find nearly all."""
MINING_SEED = 35


def mine_record(
    record: GameRecord, checkers: Checkers, seats: Sequence[int] | None = None, *, easy_too: bool = True
) -> Iterator[Puzzle]:
    """The puzzles in a game: hard ones first, and those with the largest gap."""
    game = record.load_game()
    candidates, first = [], max(0, len(record.actions) - LATE.get(game.name, len(record.actions)))
    for number, (state, action) in enumerate(record.replay()):
        if (
            number < first
            or action is None
            or (seats is not None and state.player not in seats)
            or len(state.legal_actions()) < 2
        ):
            continue
        observation = state.observation(state.player)
        found = checkers.first_check(observation)
        if found is not None and found.is_clear:
            candidates.append((number, observation, found, _is_easy(game, observation, found.answer)))
    for number, observation, found, easy in sorted(candidates, key=lambda one: (one[3], -one[2].gap)):
        if easy and not easy_too:
            continue
        second = checkers.second_gap(observation, found)
        if second < CLEAR:
            continue
        yield Puzzle(
            game=game.name,
            seats=record.seats,
            seed=record.seed,
            options={name: value for name, value in record.options.items() if value != game.options[name].default},
            position=record.position,
            actions=record.actions[:number],
            seat=observation.seat,
            answer=found.answer,
            values=found.values,
            gap=round(found.gap, 4),
            standard_error=round(found.standard_error, 4),
            second_gap=round(second, 4),
            judged_by=checkers.names,
            easy=easy,
        )


def _is_easy(game: Game, observation: Observation, answer: int) -> bool:
    if "heuristic" not in agents_of(game):
        return False
    agent = make_agent("heuristic", game, observation.seat)
    try:
        return ask(agent, observation).action == answer
    finally:
        agent.close()


def mine(game: str, wanted: int, out: Path, first: int = 0) -> None:
    """Mine until the file has so many puzzles."""
    players = PLAYERS[game]
    loaded, match = load_game(game), Match(game, players, seed=MINING_SEED)
    checkers = Checkers(loaded, len(players))
    heuristic = make_agent("heuristic", loaded, 0)
    make_ready([*loaded.entries.code(RULES), *checkers.needs, *match.needs(), *heuristic.needs()])
    have = read_puzzles(out) if out.exists() else []
    deals, index = {puzzle.seed for puzzle in have}, first
    while len(have) < wanted:
        if match.game_seed(index) in deals:
            index += 1
            continue
        record = match.play(index)
        index += 1
        room = sum(puzzle.easy for puzzle in have) < EASY_SHARE.get(game, 0.5) * wanted
        for puzzle in islice(mine_record(record, checkers, easy_too=room), PER_GAME):
            have.append(puzzle)
            with out.open("a") as stream:
                stream.write(line_of(puzzle))
        print(f"{game}: game {index}, {len(have)} puzzles", flush=True)


def own_file(game: str) -> Path:
    """Where the puzzles from a person's own games are kept."""
    return state_folder("coach") / f"own-{game}.jsonl"


def mine_own(game: Game, records: Sequence[GameRecord]) -> int:
    """Look for puzzles in a person's games and keep those that are new; how many."""
    file = own_file(game.name)
    have = read_puzzles(file) if file.exists() else []
    known = {puzzle.id for puzzle in have}
    for record in records:
        if record.game != game.name:
            raise BadRecord(f"a game of {record.game}, not of {game.name}")
        checkers = Checkers(game, record.seats)
        make_ready([*game.entries.code(RULES), *checkers.needs])
        found = mine_record(record, checkers, reviewed_seats(record, None))
        have += [puzzle for puzzle in found if puzzle.id not in known]
        checkers.close()
    if len(have) > len(known):
        make_folder(file.parent, "puzzles")
        write_puzzles(file, have)
    return len(have) - len(known)


def main() -> None:
    parser = argparse.ArgumentParser(description="Mine puzzles from games of agents.")
    parser.add_argument("game", choices=sorted(PLAYERS))
    parser.add_argument("--puzzles", type=int, default=100)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0, help="the first game to look at")
    arguments = parser.parse_args()
    mine(arguments.game, arguments.puzzles, arguments.out, arguments.first)


if __name__ == "__main__":
    main()
