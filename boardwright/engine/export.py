"""Exporting a game and an agent as a library: the module, its configuration for the C side, and linking by zig."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from boardwright import __version__
from boardwright.agents.levels import STRONGEST, levels
from boardwright.engine.families import Family, Functions, family_of
from boardwright.engine.page import JAVASCRIPT, write_page
from boardwright.errors import BadSpec, BoardwrightError, UnknownName
from boardwright.files import atomic_output, make_folder
from boardwright.kernel import Game, Option, PerSeat, Several, rule, types
from boardwright.kernel.portable import ADDRESS, Segment, array_at, optimised_object, portable_module, this_processor
from boardwright.learn.tree_agent import NetTree
from boardwright.registry import make_agent

ABI = 1
SOURCE = Path(__file__).parent / "source"
MAX_VALUES = 8  # seats that returns and scores have room for
DEFAULT_ITERATIONS = 2000


@dataclass(frozen=True)
class Target:
    """A machine to export for: LLVM's name of it, zig's, and what the library is called there."""

    triple: str
    zig: str
    suffix: str
    features: str = ""
    flags: tuple[str, ...] = ()
    without_library: str = ""
    """What zig calls the machine without a C library. It is tried first, because zig takes half a minute to compile the
    library of WebAssembly when it is needed for the first time."""


BARE_WASM_FLAGS = ("-Wl,--no-entry", "-Wl,--strip-all", "-Wl,-z,stack-size=1048576")
WASM_FLAGS = ("-mexec-model=reactor", *BARE_WASM_FLAGS[1:])
SHARED = ("-shared", "-s")
TARGETS = {
    "wasm": Target(
        "wasm32-unknown-wasi",
        "wasm32-wasi",
        ".wasm",
        "+simd128,+bulk-memory,+sign-ext",
        WASM_FLAGS,
        "wasm32-freestanding",
    ),
    "x86_64-linux": Target("x86_64-unknown-linux-gnu", "x86_64-linux-gnu", ".so", flags=SHARED),
    "aarch64-linux": Target("aarch64-unknown-linux-gnu", "aarch64-linux-gnu", ".so", flags=SHARED),
    "aarch64-android": Target("aarch64-linux-android", "aarch64-linux-android", ".so", flags=("-nostdlib", *SHARED)),
    "x86_64-windows": Target("x86_64-pc-windows-gnu", "x86_64-windows-gnu", ".dll", flags=SHARED),
    "aarch64-macos": Target("arm64-apple-macosx", "aarch64-macos", ".dylib", flags=SHARED),
    "aarch64-ios": Target("arm64-apple-ios", "aarch64-ios", ".a"),
}


def target_named(name: str) -> Target:
    if name == "native":
        name = f"{_machine()}-{'linux' if sys.platform.startswith('linux') else sys.platform}"
    if name not in TARGETS:
        raise UnknownName("target", name, ["native", *TARGETS])
    return TARGETS[name]


def _machine() -> str:
    return {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())


def rule_functions(game: Game) -> Functions:
    """The rules over addresses instead of arrays."""
    own = {name: rule(function) for name, (function, _) in game.entries.functions_of("rules").items()}
    state_at = array_at(np.uint8, game.state.itemsize)
    actions_at, values_at = array_at(np.int64, game.max_legal), array_at(np.float64, MAX_VALUES)
    options_at = array_at(np.int64, max(len(game.options), 1))
    setup_, player_, legal_, apply_ = own["setup"], own["player"], own["legal"], own["apply"]
    returns_, scores_, observe_, determinize_ = own["returns"], own["scores"], own["observe"], own["determinize"]
    action_observation_ = own["action_observation"]
    open_, fixed_seats = game.entries._open, game.seats[0]

    def setup(state: Any, seed: Any, seats: int, options: Any) -> None:
        setup_(state_at(state), seed, seats, options_at(options))

    def player(state: Any) -> int:
        return player_(state_at(state))

    def legal(state: Any, out: Any) -> int:
        return legal_(state_at(state), actions_at(out))

    def apply(state: Any, action: int) -> None:
        apply_(state_at(state), action)

    def returns(state: Any, out: Any) -> None:
        returns_(state_at(state), values_at(out))

    def scores(state: Any, out: Any) -> None:
        scores_(state_at(state), values_at(out))

    def observe(state: Any, seat: int) -> None:
        observe_(state_at(state), seat)

    def determinize(state: Any, seat: int, seed: Any) -> None:
        determinize_(state_at(state), seat, seed)

    def action_observation(state: Any, action: int, seat: int) -> int:
        return action_observation_(state_at(state), action, seat)

    if len(game.seats) > 1:

        def seats(state: Any) -> int:
            return open_(state_at(state)).seats
    else:

        def seats(state: Any) -> int:
            return fixed_seats

    whole, values = types.int64, types.void(ADDRESS, ADDRESS)
    return {
        "setup": (setup, types.void(ADDRESS, types.uint64, whole, ADDRESS)),
        "player": (player, whole(ADDRESS)),
        "legal": (legal, whole(ADDRESS, ADDRESS)),
        "apply": (apply, types.void(ADDRESS, whole)),
        "returns": (returns, values),
        "scores": (scores, values),
        "observe": (observe, types.void(ADDRESS, whole)),
        "determinize": (determinize, types.void(ADDRESS, whole, types.uint64)),
        "action_observation": (action_observation, whole(ADDRESS, whole, whole)),
        "seats": (seats, whole(ADDRESS)),
    }


def manifest(game: Game, family: Family, spec: str) -> dict[str, Any]:
    """What a host needs to know, as plain data."""
    has_network = hasattr(family.agent, "network")
    return {
        "abi": ABI,
        "boardwright": __version__,
        "license": "Apache-2.0",
        "game": game.name,
        "title": game.title,
        "agent": spec,
        "iterations": family.iterations,
        "agent_seats": [family.seats] if has_network else list(game.seats),
        "seats": list(game.seats),
        "seat_names": [game.seat_name(seat) for seat in range(max(game.seats))],
        "num_actions": game.num_actions,
        "max_legal": game.max_legal,
        "min_utility": float(game.min_utility),
        "max_utility": float(game.max_utility),
        "record_size": game.state.itemsize,
        "state_header": 16,
        "fields": _fields(game.state),
        "options": {name: _option(option) for name, option in game.options.items()},
    }


def _fields(dtype: np.dtype[Any]) -> list[dict[str, Any]]:
    found = []
    for name in dtype.names or ():
        kind, offset = dtype.fields[name][:2]  # type: ignore[index]
        base, shape = (kind.subdtype or (kind, ()))[:2]
        entry: dict[str, Any] = {"name": name, "offset": offset, "shape": list(shape)}
        entry |= {"fields": _fields(base), "size": base.itemsize} if base.names else {"type": base.str.lstrip("|<")}
        found.append(entry)
    return found


def _option(option: Option) -> dict[str, Any]:
    low, high = _allowed(option)
    return {
        "meaning": option.meaning,
        "default": option.encode(option.default),
        "low": low,
        "high": high,
        "choices": list(option.choices),
        "kind": type(option).__name__.lower(),
    }


def _allowed(option: Option) -> tuple[int, int]:
    if isinstance(option, Several):
        return 0, (1 << len(option.choices)) - 1
    if isinstance(option, PerSeat):
        return 0, len(option.choices) ** MAX_VALUES - 1
    if option.choices:
        return 0, len(option.choices) - 1
    return (0, 1) if isinstance(option.default, bool) else (option.low, option.high)


def _configuration(game: Game, family: Family, described: dict[str, Any], digest: str) -> tuple[str, bytes]:
    """The header that the C side is compiled with, and what its memory holds at first."""
    stored, rows = bytearray(), []
    for segment in family.segments:
        if not np.any(segment.content):
            continue
        content, is_half = _as_stored(segment)
        rows.append(f"{{{segment.offset}, {len(stored)}, {len(content)}, {is_half:d}}}")
        stored += content
    options = [_allowed(option) for option in game.options.values()]
    defaults = [option.encode(option.default) for option in game.options.values()]
    numbers = {
        "ABI": ABI,
        "DIGEST": f'"{digest}"',
        "RECORD_SIZE": game.state.itemsize,
        "MAX_LEGAL": game.max_legal,
        "NUM_ACTIONS": game.num_actions,
        "NUM_OPTIONS": len(options),
        "AGENT_SIZE": family.size,
        "ITERATIONS": family.iterations,
        "SEATS": sum(1 << seats for seats in game.seats),
        "AGENT_SEATS": sum(1 << seats for seats in described["agent_seats"]),
        "SEGMENTS": ", ".join(rows) or "{0, 0, 0, 0}",
        "OPTIONS": ", ".join(f"{{{low}LL, {high}LL}}" for low, high in options) or "{0, 0}",
        "DEFAULTS": ", ".join(f"{code}LL" for code in [*defaults, 0]),
        **{f"OUTCOME_{name.upper()}": offset for name, offset in family.outcome_offsets.items()},
    }
    return "".join(f"#define BW_CONFIG_{name} {value}\n" for name, value in numbers.items()), bytes(stored) or b"\0"


def _as_stored(segment: Segment) -> tuple[bytes, bool]:
    """Weights that half precision holds exactly are stored so: all their low bytes, then all their high bytes, which
    compresses best."""
    content = segment.content
    if content.dtype == np.float32 and content.size > 64 and np.array_equal(content.astype(np.float16), content):
        halves = np.ascontiguousarray(content, "<f2").view(np.uint8).reshape(-1, 2)
        return halves.T.tobytes(), True
    return content.tobytes(), False


@dataclass(frozen=True)
class Exported:
    """What an export has written."""

    library: Path
    files: tuple[Path, ...]
    manifest: dict[str, Any]


def export_engine(
    game: Game,
    agent: str | None = None,
    *,
    target: str = "wasm",
    folder: Path = Path("engine"),
    seats: int | None = None,
    page: bool = False,
) -> Exported:
    """Write the library, its header and its manifest into a folder, for WebAssembly also the JavaScript package; with
    `page`, a page to play on. The agent is a spec, by default that of the strongest that can be exported. Libraries for
    several machines may lie in one folder: each has a manifest of its own."""
    machine, count = target_named(target), game.check_seats(seats)
    if page and target != "wasm":
        raise BadSpec(f"a page needs --target wasm, not {target}")
    if find_spec("ziglang") is None:
        raise BoardwrightError("exporting engines needs zig, which links them: pip install 'boardwright[engine]'")
    spec = agent or strongest_for_export(game, count)
    family = family_of(make_agent(spec, game, 0, seed=0), count)
    text = portable_module({**rule_functions(game), **family.functions()})
    described = manifest(game, family, spec)
    digest = hashlib.sha256(json.dumps(described, sort_keys=True).encode() + text.encode()).hexdigest()
    configuration, initial = _configuration(game, family, described, digest)
    cpu, features = this_processor() if target == "native" else ("", machine.features)
    object_code = optimised_object(text, machine.triple, cpu=cpu, features=features)
    make_folder(folder, "the engine")
    library = folder / f"{game.name}{machine.suffix}"
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        (work / "engine_config.h").write_text(configuration, encoding="utf-8")
        (work / "initial.bin").write_bytes(initial)
        (work / "module.o").write_bytes(object_code)
        _link(machine, work, work / library.name)
        files = _written(folder, {library.name: (work / library.name).read_bytes()})
    described |= {"digest": digest, "library": library.name, "target": machine.triple}
    beside = {
        "boardwright_engine.h": (SOURCE / "boardwright_engine.h").read_bytes(),
        f"{library.name}.json": (json.dumps(described, indent=1) + "\n").encode(),
    }
    if target == "wasm":
        beside |= {name: (JAVASCRIPT / name).read_bytes() for name in ("engine.js", "engine.d.ts")}
        beside["package.json"] = _package(game).encode()
    files += _written(folder, beside)
    if page:
        files += write_page(game, library, described, folder)
    return Exported(library, tuple(files), described)


def strongest_for_export(game: Game, seats: int) -> str:
    """The strongest level, with a number of iterations where it has a time, for the clock is the host's; plain tree
    search where that level cannot be exported."""
    spec = levels(game, seats)[STRONGEST]
    budget = "simulations" if spec.startswith(NetTree.label()) else "iterations"
    spec = re.sub(r"seconds=[\d.]+", f"{budget}={DEFAULT_ITERATIONS}", spec)
    try:
        family_of(make_agent(spec, game, 0, seed=0), seats)
    except (BadSpec, UnknownName):
        return f"{'ismcts' if game.has_hidden_information else 'uct'}:iterations={DEFAULT_ITERATIONS}"
    return spec


def _package(game: Game) -> str:
    package = {
        "name": f"boardwright-{game.name.replace('_', '-')}",
        "version": __version__,
        "description": f"{game.title}: rules and an opponent",
        "type": "module",
        "main": "engine.js",
        "types": "engine.d.ts",
        "license": "Apache-2.0",
    }
    return json.dumps(package, indent=1) + "\n"


def _written(folder: Path, files: dict[str, bytes]) -> list[Path]:
    for name, content in files.items():
        with atomic_output(folder / name) as temporary:
            temporary.write_bytes(content)
    return [folder / name for name in files]


def _link(target: Target, work: Path, made: Path) -> None:
    """Compile the C side and put it together with the module: as a shared library, or, where apps hold everything, as
    a static one. Android's own C library is found when an app loads it."""
    module, interface = work / "module.o", work / "interface.o"
    flags = ["-O2", "-std=c23", "-Wall", "-fno-sanitize=all", "-I", str(SOURCE), "-I", str(work), f"--embed-dir={work}"]
    compiler = ["cc", "-target", target.zig, *flags, str(SOURCE / "boardwright_engine.c")]
    if target.without_library:
        bare = [argument if argument != target.zig else target.without_library for argument in compiler]
        with suppress(BoardwrightError):  # the module needs more of the library, as the tangent of a number
            _zig(target, *bare, "-DBW_WITHOUT_LIBRARY", str(module), *BARE_WASM_FLAGS, "-o", str(made))
            return
    if target.suffix == ".a":
        _zig(target, *compiler, "-c", "-o", str(interface))
        _zig(target, "ar", "rcs", str(made), str(interface), str(module))
    else:
        _zig(target, *compiler, str(module), *target.flags, "-o", str(made))


def _zig(target: Target, *arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", "ziglang", *arguments], capture_output=True, text=True)
    if done.returncode:
        message = re.sub(r"\s+", " ", done.stderr.strip())[-600:]
        raise BoardwrightError(f"zig could not link the engine for {target.triple}: {message}")
