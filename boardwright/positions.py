"""Positions of one's own: plain data that becomes a state, checked before compiled code sees it.

    {"game": "connect_four", "fields": {…}}        every field of the record, as `state.to_dict()` writes it
    {"game": "race", "players": [{"tableau": […], "hand": […]}, …], "moves": ["consume x2", …]}
                                                   the game's own words (`Game.positions`), and moves from there

`deal` makes a state of it. What is wrong is reported by field: names and numbers that do not fit are found here; what
only the rules can tell (a card that is in two places, a position from which nobody can play on) is found by playing
from it with rules that are not compiled, in another process, where a wrong number is an error and not a crash.

With a seed, chance from there on is that seed's, and so is what the data leaves open, such as a hand given as a number
of cards; without one, a state with `fields` is taken as it is.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from boardwright.blame import sentence
from boardwright.errors import BadPosition, BadRecord, BoardwrightError
from boardwright.files import parse_json, read_json
from boardwright.kernel import TERMINAL, Game, State, rng
from boardwright.processes import end_python, start_python
from boardwright.registry import load_game, position_form

FIELDS, MOVES, GAME, OPTIONS = "fields", "moves", "game", "options"
GAMES, MOST_MOVES = 2, 400
"""So many random games, and so many moves of each, are played from a position to check it."""
PATIENCE = 60.0
"""Seconds that this may take."""

YAML = (".yaml", ".yml")

Given = Mapping[str, Any]


def read_position(file: Path) -> dict[str, Any]:
    """The content of a position's file, JSON or YAML by its ending; BadPosition if it is none."""
    is_yaml = file.suffix.lower() in YAML
    try:
        found = read_yaml(file) if is_yaml else read_json(file)
    except OSError as error:
        raise BadPosition(f"cannot read {file}: {error.strerror}") from None
    except ValueError as error:
        raise BadPosition(f"{file} is not {'YAML' if is_yaml else 'JSON'}: {error}") from None
    if not isinstance(found, dict) or not isinstance(found.get(GAME), str):
        raise BadPosition(f'{file} is not a position: it should be an object with a "game" and its "fields"')
    return found


def read_yaml(file: Path) -> Any:
    """The content of a YAML file as far as JSON could say the same; OSError or ValueError. References to other parts of
    the file, which can make it as large as one likes, and tags, which can name types, are refused."""
    try:
        import yaml  # type: ignore[import-untyped]
    except ModuleNotFoundError:
        raise BadPosition("YAML needs PyYAML: pip install 'boardwright[yaml]', or write the position as JSON") from None
    text = file.read_text(encoding="utf-8-sig")
    try:
        for token in yaml.scan(text):
            if isinstance(token, yaml.AliasToken | yaml.AnchorToken | yaml.TagToken):
                mark = token.start_mark
                raise ValueError(f"line {mark.line + 1}: a position has no anchors, references and tags")
        found = yaml.load(text, yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    try:
        return parse_json(json.dumps(found, allow_nan=False))
    except TypeError:
        raise ValueError("it has something else than texts, numbers, lists and objects, perhaps a date") from None


def position_in(text: str) -> dict[str, Any]:
    """A position that came as JSON text; BadPosition if it is none."""
    try:
        given = parse_json(text)
    except ValueError as error:
        raise BadPosition(f"the position is not JSON: {error}") from None
    if not isinstance(given, dict):
        raise BadPosition("a position is an object with a game and its fields")
    return given


def check_position(game: Game, given: Given) -> None:
    """The part of `deal` that takes long, if it has not been done before: BadPosition unless the rules can play on."""
    if given.get(GAME) not in (game.name, game.source):
        raise BadPosition(f"game: the position is one of {given.get(GAME)!r}, not of {game.name}")
    if FIELDS in given:
        _check_keys(given, (GAME, OPTIONS, FIELDS, MOVES))
        _check_fields(game.source or game.name, json.dumps(given[FIELDS], sort_keys=True))


def deal(game: Game, given: Given, seed: int | None = None) -> State:
    """The state that the data says; BadPosition, by field, if there is none."""
    check_position(game, given)
    if FIELDS in given:
        state = _from_fields(game, given[FIELDS])
        if seed is not None and game.chance == "play":
            state.record.rng = rng.generator(seed)
    else:
        form = position_form(game)
        if form is None or form.build is None:
            raise BadPosition(f"{FIELDS}: it is missing; {game.name} has no other way to write a position")
        _check_keys(given, (GAME, OPTIONS, MOVES, *form.keys))
        state = form.build(game, given, 0 if seed is None else seed)
    play_moves(state, given.get(MOVES, []))
    return state


def play_moves(state: State, moves: Sequence[Any]) -> None:
    """Moves as numbers of actions, or in words: those of the action, or a part of them that only one action has."""
    if not isinstance(moves, list):
        raise BadPosition(f"{MOVES}: it should be a list, not {moves!r}")
    for number, move in enumerate(moves):
        legal = state.legal_actions()
        found = [move] if move in legal and type(move) is int else _actions_called(state, legal, str(move))
        if len(found) != 1:
            which = "; ".join(state.game.describe(state, action) for action in found or legal) or "the game is over"
            problem = "may mean" if found else "is not one of the choices:"
            raise BadPosition(f"{MOVES}[{number}]: {move!r} {problem} {which}")
        state.apply(found[0])


def _actions_called(state: State, legal: Sequence[int], text: str) -> list[int]:
    described = {action: _plain(state.game.describe(state, action)) for action in legal}
    exact = [action for action, description in described.items() if description == _plain(text)]
    return exact or [action for action, description in described.items() if _plain(text) in description]


def _plain(text: str) -> str:
    """As it can be typed."""
    return text.casefold().replace("×", "x")


def _check_keys(given: Given, known: Sequence[str]) -> None:
    for key in given:
        if key not in known:
            raise BadPosition(f"{key}: a position has no such field; it has {', '.join(known)}")


def _from_fields(game: Game, fields: Any) -> State:
    try:
        return game.from_dict({GAME: game.name, FIELDS: fields})
    except BadRecord as error:
        raise BadPosition(str(error)) from None


@lru_cache(maxsize=256)
def _check_fields(name: str, fields: str) -> None:
    """BadPosition unless the rules, uncompiled and in another process, can play from there. Asked once per position."""
    game = load_game(name)
    _from_fields(game, parse_json(fields))
    process = start_python(
        *("-W", "ignore", "-m", "boardwright.positions", name),
        env={"NUMBA_DISABLE_JIT": "1"},
        stdin=subprocess.PIPE,
        text=True,
    )
    try:
        output, _ = process.communicate(fields, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise BadPosition("the rules do not come to an end from that position") from None
    finally:
        end_python(process)
    if process.returncode:
        raise BadPosition("the rules fail in that position; it cannot be checked")
    fault = parse_json(output.splitlines()[-1])
    if fault:
        raise BadPosition(f"not a position of {game.name} that can exist: {fault}")


def fault_in(game: Game, state: State) -> str:
    """What is wrong with a state, by field where the game can tell; for uncompiled rules. Empty: nothing was found."""
    try:
        return next(_faults(game, state), "")
    except BoardwrightError as error:
        return str(error)
    except Exception as error:
        return f"the rules cannot play on from it: {sentence(error)}"


def _faults(game: Game, state: State) -> Iterator[str]:
    if state.seats not in game.seats:
        yield f"seats: {state.seats}; {game.name} is played with {' or '.join(map(str, game.seats))}"
    form = position_form(game)
    faults: Callable[[Any], Iterable[str]] = (form and form.faults) or (lambda s: ())
    yield from faults(state.record)
    yield from _lost_pieces(game, state)
    for number in range(GAMES):
        played, chance = state.copy(), rng.generator(number + 1)
        for _ in range(MOST_MOVES):
            player = played.player
            if player == TERMINAL:
                break
            if not 0 <= player < state.seats:
                yield f"seat {player} would have to move, which does not exist"
            legal = played.legal_actions()
            if not legal:
                yield "nobody can move, although the game is not over"
            if not all(0 <= action < game.num_actions for action in legal):
                yield "the rules offer actions that do not exist"
            played.apply(legal[rng.draw(chance) % len(legal)])
        yield from faults(played.record)
    for seat in range(state.seats):
        again = state.observation(seat).determinize(seed=1)
        yield from _lost_pieces(game, again)


def _lost_pieces(game: Game, state: State) -> Iterator[str]:
    """Conservation: as many pieces of each kind as a fresh game has."""
    if game.rules.piece_counts is None:
        return
    counts = []
    for position in (state, game.new(seed=0, seats=state.seats)):
        found = np.zeros(game.rules.num_piece_kinds, np.int64)
        game.entries.piece_counts(position.memory, found)
        counts.append(found)
    for kind in np.flatnonzero(counts[0] != counts[1]).tolist()[:1]:
        yield f"there are {counts[0][kind]} pieces of kind {kind}, and {counts[1][kind]} in a game"


def main() -> None:
    """The check itself: a game's name as the argument, the fields as JSON on stdin, what is wrong as JSON on stdout."""
    game = load_game(sys.argv[1])
    print(json.dumps(fault_in(game, _from_fields(game, parse_json(sys.stdin.read())))))


if __name__ == "__main__":
    main()
