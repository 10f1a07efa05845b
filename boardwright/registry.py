"""What games and agents there are.

Those that come with the package are listed in catalogue.py, which tells them here. Others register through the entry
points `boardwright.games` (a Game), `boardwright.agents` (an Agent class), `boardwright.scripts` (a program's file, as
"package:bot.js") and `boardwright.experiments`, or are named by the path of their Python file.
"""

from __future__ import annotations

import contextlib
import copyreg
import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from boardwright.blame import sentence
from boardwright.errors import BadGame, BadSpec, BoardwrightError, UnknownName

if TYPE_CHECKING:
    from boardwright.agents import Agent
    from boardwright.kernel import Game
    from boardwright.kernel.contract import PositionForm, SavedGames

SCRIPT = "script"
"""The agent that runs a program of its user: never our own."""


class _Catalogue(NamedTuple):
    """What comes with the package, by name, as "module:object"."""

    games: Mapping[str, str]
    agents: Mapping[str, str]
    agents_of_games: Mapping[str, Mapping[str, str]]
    experiments: Mapping[str, str]
    script_class: str


_ours = _Catalogue({}, {}, {}, {}, "")


def register(**catalogue: Any) -> None:
    """Tell what comes with the package: the fields of _Catalogue."""
    global _ours
    _ours = _Catalogue(**catalogue)


@cache
def _entry_points(kind: str) -> dict[str, EntryPoint]:
    """The games or agents of other packages; of several with one name, the first."""
    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=f"boardwright.{kind}"):
        if entry.name in getattr(_ours, kind, _ours.agents):
            _warn_hidden(kind, entry, "Boardwright")
        elif entry.name not in found:
            found[entry.name] = entry
        elif found[entry.name].value != entry.value:
            _warn_hidden(kind, entry, _package(found[entry.name]))
    return found


def _warn_hidden(kind: str, entry: EntryPoint, owner: str) -> None:
    """A line on stderr, once: not from every process of a match."""
    import multiprocessing

    if multiprocessing.parent_process() is None:
        print(
            f"boardwright: {entry.name!r} among the {kind} of {_package(entry)} cannot be reached: {owner} has one of"
            " that name; it needs another",
            file=sys.stderr,
        )


def is_ours(kind: str, name: str) -> bool:
    """Whether one of the `games` or `agents` comes with Boardwright: not from a file, nor from another package."""
    return not (
        is_file_name(name)
        or name in _entry_points(kind)
        or (kind == "agents" and (name in _entry_points("scripts") or name == SCRIPT))
    )


def homes() -> list[str]:
    """The modules of all games and agents that come with the package, but for people at the terminal."""
    agents = [home for name, home in _ours.agents.items() if name != "human"]
    own = [home for agents in _ours.agents_of_games.values() for home in agents.values()]
    return [home.partition(":")[0] for home in (*_ours.games.values(), *agents, *own)]


def scripts() -> set[str]:
    """The agents that are programs in processes of their own."""
    return {SCRIPT, *_entry_points("scripts")}


def packages(game: str, agents: Iterable[str]) -> dict[str, str]:
    """The packages that a game and agents come from, with their versions."""
    from boardwright import __version__

    found = {"boardwright": __version__}
    named = [("games", game), *((kind, agent) for agent in agents for kind in ("agents", "scripts"))]
    for kind, name in named:
        entry = _entry_points(kind).get(name)
        if entry is not None and entry.dist is not None:
            found[entry.dist.name] = entry.dist.version
    return found


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else str(entry.value)


def games() -> list[str]:
    """The names of all registered games."""
    return sorted({*_ours.games, *_entry_points("games")})


def agents(game: Game | str | None = None) -> list[str]:
    """The names of all registered agents; with a game, those that can play it."""
    names = {*_ours.agents, *_entry_points("agents"), *_entry_points("scripts")}
    if game is None:
        return sorted(names)
    resolved = load_game(game) if isinstance(game, str) else game
    return sorted({name for name in names if _can_play(name, resolved)} | set(agents_of(resolved)))


def _can_play(name: str, game: Game) -> bool:
    try:
        cls = agent_class(name, game)
    except BoardwrightError:  # of another package, and broken: asked for by name it says why
        return False
    return cls.plays(game)


@cache
def load_game(name: str) -> Game:
    """The game of that name, or the one in that Python file."""
    from boardwright.kernel import Game

    copyreg.pickle(Game, _pickled_game)

    others = _entry_points("games")
    if name in _ours.games:
        found = _import(_ours.games[name])
    elif name in others:
        found = _load(others[name], "game")
        if isinstance(found, Game):
            found.source = found.source or (name if name != found.name else "")
    elif is_file_name(name):
        found = _only(_module_from_file(name), lambda value: isinstance(value, Game), name, "Game object")
        found.source = str(Path(name).resolve())
        _games_from_files[found.source] = found
    else:
        raise UnknownName("game", name, games())
    if not isinstance(found, Game):
        raise BadGame(f"game {name!r}: its entry point is a {type(found).__name__}, not a Game")
    return found


_games_from_files: dict[str, Game] = {}


def loaded_from_file(path: str) -> Game | None:
    """The game of a Python file that was loaded before; the file is not run."""
    return _games_from_files.get(str(Path(path).resolve()))


def is_file_name(name: str) -> bool:
    """Whether a game or an agent is named by the path of its Python file."""
    return name.endswith(".py")


def _pickled_game(game: Game) -> Any:
    """A game travels to other processes by name."""
    return load_game, (game.source or game.name,)


def agents_of(game: Game) -> Mapping[str, Any]:
    """The agents for this game alone, as classes or as "module:object"."""
    return {**_ours.agents_of_games.get(game.name, {}), **game.agents}


def experiments() -> list[str]:
    """The names of all experiments."""
    return [*_ours.experiments, *sorted(_entry_points("experiments"))]


def load_experiment(name: str) -> Any:
    """The experiment of that name. An entry point `boardwright.experiments` is a mapping that has it, or the experiment
    itself."""
    if name in _ours.experiments:
        return _import(_ours.experiments[name])[name]
    others = _entry_points("experiments")
    if name not in others:
        raise UnknownName("experiment", name, experiments())
    found = _load(others[name], "experiment")
    return found[name] if isinstance(found, Mapping) else found


def agent_class(name: str, game: Game) -> type[Agent]:
    """The class behind an agent's name; a game's own agents come first."""
    from boardwright.agents import Agent
    from boardwright.agents.characters import cast_of
    from boardwright.agents.levels import LEVELS

    others = _entry_points("agents")
    own = agents_of(game)
    if name in own:
        found = _import(own[name]) if isinstance(own[name], str) else own[name]
    elif name in _ours.agents:
        found = _import(_ours.agents[name])
    elif name in others:
        found = _load(others[name], "agent")
    elif name in _entry_points("scripts"):
        found = _script_class(name)
    elif is_file_name(name):
        module = _module_from_file(name)

        def defined_here(value: Any) -> bool:
            return isinstance(value, type) and issubclass(value, Agent) and value.__module__ == module.__name__

        found = _only(module, defined_here, name, "Agent class")
    else:
        cast = cast_of(game)
        known = {*agents(), *game.agents, *LEVELS, *(cast.names if cast is not None else ())}
        raise UnknownName("agent", name, known, f" for {game.name}")
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise BadSpec(f"agent {name!r}: its entry point is not an Agent class")
    return found


@cache
def _script_class(name: str) -> type[Agent]:
    """A script of another package, as an agent of that name. Nothing of the package is imported."""
    registered_script = _import(_ours.script_class)
    entry = _entry_points("scripts")[name]
    top, *folders = entry.module.split(".")
    try:
        package = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        package = None
    for home in (package.submodule_search_locations or ()) if package is not None else ():
        file = Path(home, *folders, entry.attr)
        if file.is_file():
            return registered_script(name, file)
    raise BadSpec(f"script {name!r} of {_package(entry)}: there is no file {entry.attr} in its package {entry.module}")


def saved_games(file: Path) -> SavedGames | None:
    """Who can tell the games that another program has saved in a file."""
    for name in games():
        with contextlib.suppress(BoardwrightError):  # a game of another package, and broken
            saves = load_game(name).saved_games
            saves = _import(saves) if isinstance(saves, str) else saves
            if saves is not None and saves.knows(file):
                return saves
    return None


def position_form(game: Game) -> PositionForm | None:
    """How people write positions of a game, if it says so."""
    return _import(game.positions) if isinstance(game.positions, str) else game.positions


def make_agent(
    spec: str,
    game: Game | str,
    seat: int,
    *,
    seed: int = 0,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> Agent:
    """The agent a spec describes, for a seat of a game. `seats` and `options` are those of the table, on which depends
    what a level such as "easy" stands for."""
    from boardwright.agents import Spec
    from boardwright.agents.levels import in_full

    if isinstance(game, str):
        game = load_game(game)
    parsed = Spec.parse(in_full(spec, game, seats, options))
    cls = agent_class(parsed.name, game)
    try:
        return cls(game, seat, seed=seed, **parsed.params)
    except (BoardwrightError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise BadSpec(f"agent {spec!r} cannot be made: {sentence(error)}") from error


def spec_after(spec: str, game: Game, seat: int, returns: Sequence[float]) -> str:
    """The spec with which an agent plays the next game of a series, after one with these returns."""
    from boardwright.agents.spec import Spec

    parsed = Spec.parse(spec)
    params = agent_class(parsed.name, game).after_game(parsed.params, seat, returns)
    return spec if params == parsed.params else str(Spec(parsed.name, dict(params)))


def _import(target: str) -> Any:
    module, _, attribute = target.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _load(entry: EntryPoint, kind: str) -> Any:
    try:
        return entry.load()
    except Exception as error:
        raise BoardwrightError(f"{kind} {entry.name!r} of another package cannot be loaded: {error}") from error


class _AsWritten(SourceFileLoader):
    """Runs the source of a file. Bytecode kept beside it would be that of an earlier version, if both were written in
    the same second and are equally long."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


@cache
def _module_from_file(path: str) -> ModuleType:
    file = Path(path).resolve()
    if not file.is_file():
        raise BadSpec(f"there is no file {path}")
    name = f"boardwright_file_{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, file, loader=_AsWritten(name, str(file)))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _neighbours(file):
            spec.loader.exec_module(module)
    except (BoardwrightError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise BadSpec(f"{path} cannot be loaded: {sentence(error)}") from error
    return module


_folders: set[str] = set()
"""Of Python files that were loaded."""


@contextlib.contextmanager
def _neighbours(file: Path) -> Iterator[None]:
    """The file may import what lies beside it, now or later. Two files with neighbours of one name cannot be told apart
    by Python: the second is refused rather than given the first one's."""
    folder = str(file.parent)
    if folder not in sys.path:
        sys.path.append(folder)
    others = {}
    for name in {neighbour.stem for neighbour in file.parent.iterdir()}:
        loaded = getattr(sys.modules.get(name), "__file__", None)
        if loaded is not None and _folder_of(loaded) in _folders - {folder}:
            others[name] = sys.modules.pop(name)
    _folders.add(folder)
    sys.path.insert(0, folder)
    try:
        yield
        for name, other in others.items():
            if name in sys.modules:
                raise BadSpec(
                    f"{file.name} imports {name} from {folder}, but {other.__file__} is loaded under that name already;"
                    f" give one of them another name, or a process of its own: isolated:({file})"
                )
    finally:
        sys.path.remove(folder)
        sys.modules.update(others)


def _folder_of(module: str) -> str:
    """Where a module lies, or the package that it is."""
    file = Path(module)
    return str(file.parent.parent if file.name == "__init__.py" else file.parent)


def _only(module: ModuleType, wanted: Any, path: str, kind: str) -> Any:
    found = {id(value): value for value in vars(module).values() if wanted(value)}
    if len(found) != 1:
        raise BadSpec(f"{path} should define exactly one {kind}; it defines {len(found)}")
    return next(iter(found.values()))


def make_callable(module: str, function: Any) -> None:
    """Let `boardwright.games()` work although `boardwright.games` is also the folder of the games."""

    class Callable(ModuleType):
        def __call__(self, *arguments: Any) -> Any:
            return function(*arguments)

    sys.modules[module].__class__ = Callable
