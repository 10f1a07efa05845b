"""Arrays and metadata in .npz files: writing them, and reading those that may come from anywhere.

Such a file is data. Nothing in it is unpickled, and nothing is read before its size is known to be right: a file of a
megabyte can claim to hold gigabytes. What is wrong with it is raised as BadRecord.

Numbers of half precision may be stored as byte planes: all upper bytes, then all lower ones. Upper bytes are much
alike, so that a network packs into six sevenths of the space.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from boardwright.errors import BadRecord
from boardwright.files import atomic_output, parse_json
from boardwright.kernel.arrays import Float32s, UInt8s

LARGEST_METADATA = 16 << 20
"""Bytes; a learning curve of a thousand generations has about one megabyte."""
PLANES = (2,)
"""The first axis of byte planes."""
_UNREADABLE = (OSError, ValueError, EOFError, BadZipFile, zlib.error, NotImplementedError, RecursionError, MemoryError)
"""What a file that is no archive of arrays, or a damaged one, can raise."""


def write_archive(
    file: Path,
    metadata: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    *,
    name: str = "metadata",
    compress: bool = True,
) -> None:
    """Write a file whole or not at all. Half precision is plenty for weights that are only read, and half the size."""
    save: Any = np.savez_compressed if compress else np.savez
    with atomic_output(file) as temporary, temporary.open("wb") as out:
        save(out, **{name: np.array(json.dumps(metadata))}, **arrays)


def byte_planes(array: NDArray[np.float16]) -> UInt8s:
    """The upper bytes of all numbers, then the lower ones: one axis more, in front."""
    return np.stack([array.view(np.uint16) >> 8, array.view(np.uint16) & 0xFF]).astype(np.uint8)


def from_byte_planes(planes: UInt8s) -> NDArray[np.float16]:
    high, low = planes.astype(np.uint16)
    return (high << 8 | low).view(np.float16)


class Archive:
    """An .npz file that is open for reading."""

    def __init__(self, opened: ZipFile) -> None:
        self._zip = opened

    def __contains__(self, name: str) -> bool:
        return f"{name}.npy" in self._zip.namelist()

    def metadata(self, name: str) -> dict[str, Any]:
        """A JSON object, stored as an array of one text."""
        with self._member(name) as stream:
            shape, _, kind = _header(stream, name)
            if shape != () or kind.kind != "U" or kind.itemsize > LARGEST_METADATA:
                raise ValueError(f"{name} is not a text, or too long")
            text = str(np.frombuffer(_exactly(stream, kind.itemsize, name), kind)[0])
        found = parse_json(text)
        if not isinstance(found, dict):
            raise ValueError(f"{name} is not a JSON object")
        return found

    def shape(self, name: str) -> tuple[int, ...]:
        with self._member(name) as stream:
            shape, _, kind = _header(stream, name)
        return shape[1:] if kind == np.uint8 and len(shape) > 1 and shape[:1] == PLANES else shape

    def floats(self, name: str, shape: tuple[int, ...]) -> Float32s:
        """An array of that shape, all of whose numbers are finite; it may be stored as byte planes."""
        with self._member(name) as stream:
            in_planes = _header(stream, name)[2] == np.uint8
        with np.errstate(over="ignore"):
            if in_planes:
                found = from_byte_planes(self._array(name, PLANES + shape, "u", "byte planes"))
            else:
                found = self._array(name, shape, "f", "floats")
            array = np.array(found, np.float32, order="C")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} has numbers that are not finite")
        return array

    def integers(self, name: str, shape: tuple[int, ...], below: int) -> NDArray[Any]:
        """An array of that shape, all of whose numbers are from 0 on and below a bound."""
        array = self._array(name, shape, "iu", "integers")
        if array.size and not 0 <= int(array.min()) <= int(array.max()) < below:
            raise ValueError(f"{name} has numbers that are not from 0 to {below - 1}")
        return np.array(array, order="C")

    def _array(self, name: str, shape: tuple[int, ...], kinds: str, called: str) -> NDArray[Any]:
        """It cannot be written to, and compiled code does not take such arrays: make a copy."""
        with self._member(name) as stream:
            found, columns_first, kind = _header(stream, name)
            if found != shape or kind.kind not in kinds or kind.itemsize > 8:
                raise ValueError(f"{name} is not an array of {' x '.join(map(str, shape))} {called}")
            data = _exactly(stream, math.prod(shape) * kind.itemsize, name)
        return np.frombuffer(data, kind).reshape(shape, order="F" if columns_first else "C")

    def _member(self, name: str) -> IO[bytes]:
        if name not in self:
            raise ValueError(f"it has no {name}")
        about = self._zip.getinfo(f"{name}.npy")
        if about.flag_bits & 1 or about.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise ValueError(f"{name} is packed in a way that is not read here")
        return self._zip.open(about)


@contextmanager
def open_archive(file: Path, kind: str) -> Iterator[Archive]:
    """An archive to read from. `kind` is what it should be, as "network"; BadRecord if it is not."""
    try:
        with ZipFile(file) as opened:
            yield Archive(opened)
    except FileNotFoundError:
        raise BadRecord(f"there is no {kind} {file}") from None
    except _UNREADABLE as error:
        raise BadRecord(f"{file} is not a {kind}: {str(error) or type(error).__name__}") from None


def _header(stream: IO[bytes], name: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, whether columns come first, and type. Later versions of the format, for headers of more than 64 KB, are
    refused: they are read whole before their size is looked at."""
    if npy.read_magic(stream) != (1, 0):
        raise ValueError(f"{name} is not an array that is read here")
    try:
        return npy.read_array_header_1_0(stream)
    except Exception as error:  # a header is parsed as Python's literals are, and fails in as many ways
        raise ValueError(f"{name} has no valid header") from error


def _exactly(stream: IO[bytes], size: int, name: str) -> bytes:
    """So many bytes, and the end: there the archive's checksum is compared, too."""
    data = stream.read(size + 1)
    if len(data) != size:
        raise ValueError(f"{name} is {'longer' if len(data) > size else 'shorter'} than it says")
    return data
