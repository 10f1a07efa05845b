"""Frames on a socket: four bytes of length, the highest first, then so many bytes. Every wait has a timeout."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass

from boardwright.scout.documents.xml_parsing import MAX_BYTES

HEADER = 4
_PIECE = 1 << 16


@dataclass(frozen=True)
class Timeouts:
    """How long to wait for the other side, in seconds."""

    idle: float = 3600.0
    """Between two frames: the other player may be a person."""
    frame: float = 10.0
    """For a frame to arrive or leave, once it has begun."""


class FrameTooLarge(Exception):
    """A frame beyond the limit was announced; it has not been read."""

    def __init__(self, length: int) -> None:
        super().__init__(f"a frame of {length:,} bytes is too large; the limit is {MAX_BYTES:,}")
        self.length = length


def send_frame(connection: socket.socket, text: str, timeouts: Timeouts) -> None:
    data = text.encode()
    connection.settimeout(timeouts.frame)
    connection.sendall(len(data).to_bytes(HEADER, "big") + data)


def receive_frame(connection: socket.socket, timeouts: Timeouts) -> bytes | None:
    """The next frame; None if the other side has closed the connection between two of them.

    TimeoutError if it is idle or slow, ConnectionError if it closes in the middle of a frame.
    """
    connection.settimeout(timeouts.idle)
    first = connection.recv(1)
    if not first:
        return None
    deadline = time.monotonic() + timeouts.frame
    length = int.from_bytes(first + _exactly(connection, HEADER - 1, deadline), "big")
    if length > MAX_BYTES:
        raise FrameTooLarge(length)
    return _exactly(connection, length, deadline)


def skip(connection: socket.socket, length: int, timeouts: Timeouts) -> None:
    """Read the bytes of a frame and drop them."""
    deadline = time.monotonic() + timeouts.frame
    while length:
        length -= len(_piece(connection, length, deadline))


def _exactly(connection: socket.socket, length: int, deadline: float) -> bytes:
    data = bytearray()
    while len(data) < length:
        data += _piece(connection, length - len(data), deadline)
    return bytes(data)


def _piece(connection: socket.socket, most: int, deadline: float) -> bytes:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("the frame takes too long")
    connection.settimeout(left)
    piece = connection.recv(min(most, _PIECE))
    if not piece:
        raise ConnectionError("closed in the middle of a frame")
    return piece
