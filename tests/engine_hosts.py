"""Exported engines used from Python: native libraries through ctypes, WebAssembly through wasmtime."""

from __future__ import annotations

import ctypes
import zlib
from collections import Counter
from pathlib import Path
from typing import Any, Protocol

from boardwright.errors import BoardwrightError
from boardwright.files import read_json

_STATE_HEADER = 16


class Host(Protocol):
    """The functions of the header, over addresses."""

    def call(self, name: str, *arguments: int) -> int: ...

    def allocate(self, size: int) -> int: ...

    def read(self, address: int, size: int) -> bytes: ...


_RETURNS = {"bw_digest": ctypes.c_char_p, "bw_error_text": ctypes.c_char_p, "bw_open": ctypes.c_void_p}
_SIGNATURES: dict[str, list[Any]] = {
    "bw_open": [ctypes.c_void_p, ctypes.c_size_t],
    "bw_new_game": [
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_uint64,
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_int32,
    ],
    "bw_determinize": [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_uint64],
    "bw_decide": [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int32],
    "bw_observe": [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p],
    "bw_legal_actions": [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32],
    "bw_apply": [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32],
}


class NativeHost:
    """A shared library."""

    def __init__(self, library: Path) -> None:
        self._library = ctypes.CDLL(str(library))
        self._blocks: list[Any] = []

    def call(self, name: str, *arguments: int) -> int:
        function = self._library[name]
        function.argtypes = _SIGNATURES.get(name) or [ctypes.c_void_p] * len(arguments)
        function.restype = _RETURNS.get(name, ctypes.c_size_t if name.endswith("_size") else ctypes.c_int32)
        found = function(*arguments)
        return found if isinstance(found, int) else 0

    def text(self, name: str) -> str:
        function = self._library[name]
        function.restype = ctypes.c_char_p
        return str(function().decode())

    def allocate(self, size: int) -> int:
        block = ctypes.create_string_buffer(size + 64)
        self._blocks.append(block)
        return (ctypes.addressof(block) + 63) // 64 * 64

    def read(self, address: int, size: int) -> bytes:
        return ctypes.string_at(address, size)


class WasmHost:
    """A WebAssembly file, run by wasmtime."""

    def __init__(self, library: Path) -> None:
        import wasmtime

        engine = wasmtime.Engine()
        self._store = wasmtime.Store(engine)
        module = wasmtime.Module.from_file(engine, str(library))
        self._exports: Any = wasmtime.Instance(self._store, module, []).exports(self._store)
        self.call("_initialize")

    def call(self, name: str, *arguments: int) -> int:
        signed = [value - 2**64 if value >= 2**63 else value for value in arguments]
        return int(self._exports[name](self._store, *signed) or 0)

    def text(self, name: str) -> str:
        return self.read(self.call(name), 200).split(b"\0")[0].decode()

    def allocate(self, size: int) -> int:
        return self.call("bw_allocate", size)

    def read(self, address: int, size: int) -> bytes:
        return bytes(self._exports["memory"].read(self._store, address, address + size))


class EngineHost:
    """An opened engine, checked against its manifest."""

    def __init__(self, library: Path) -> None:
        self.manifest = read_json(library.with_name(f"{library.name}.json"))
        self.host: Any = WasmHost(library) if library.suffix == ".wasm" else NativeHost(library)
        if self.host.text("bw_digest") != self.manifest["digest"]:
            raise BoardwrightError(f"{library} does not belong to its manifest: their digests differ")
        size = self.host.call("bw_memory_size")
        self.handle = self.host.call("bw_open", self.host.allocate(size), size)
        self.state_size = self.host.call("bw_state_size")
        self.max_legal = self.manifest["max_legal"]
        self._actions = self.host.allocate(4 * self.max_legal)

    def call(self, name: str, *arguments: int) -> int:
        return int(self.host.call(name, self.handle, *arguments))

    def legal_actions(self, state: int) -> list[int]:
        n = self.call("bw_legal_actions", state, self._actions, self.max_legal)
        data = self.host.read(self._actions, 4 * max(n, 0))
        return [int.from_bytes(data[i : i + 4], "little", signed=True) for i in range(0, len(data), 4)]

    def checksum(self, state: int) -> int:
        return zlib.crc32(self.host.read(state, self.state_size)[_STATE_HEADER:])

    def differences(self, written: dict[str, Any]) -> Counter[str]:
        """Replay a transcript; how often each thing was compared, and how often it differed ("≠ …")."""
        found: Counter[str] = Counter()
        state, other = self.host.allocate(self.state_size), self.host.allocate(self.state_size)

        def compare(what: str, mine: object, theirs: object) -> None:
            found[what] += 1
            found[f"≠ {what}"] += mine != theirs

        for game in written["games"]:
            self.call("bw_new_game", state, int(game["seed"]), game["seats"], 0, 0)
            for step in game["steps"]:
                seat, seed = step["player"], int(step["seed"])
                compare("player", self.call("bw_player", state), seat)
                compare("legal actions", self.legal_actions(state), step["legal"])
                compare("state", self.checksum(state), step["state"])
                self.call("bw_observe", state, seat, other)
                compare("observation", self.checksum(other), step["observation"])
                if "decision" in step:
                    decided = self.call("bw_decide", state, seed, written["iterations"])
                    compare("decision", decided, step["decision"]["action"])
                    compare(
                        "decision on observation", self.call("bw_decide", other, seed, written["iterations"]), decided
                    )
                self.call("bw_determinize", other, seat, seed)
                compare("determinization", self.checksum(other), step["determinization"])
                self.call("bw_apply", state, step["action"])
            compare("end", self.checksum(state), game["end"]["state"])
        return +found
