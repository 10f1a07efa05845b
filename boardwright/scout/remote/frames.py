"""Frames on a socket: four bytes of length, the highest first, then so many bytes. Nobody is waited for without end."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass

from boardwright.scout.documents.xml_parsing import MOST_BYTES

HEADER = 4
_PIECE = 1 << 16


@dataclass(frozen=True)
class Patience:
    """How long to wait for the other side, in seconds."""

    silence: float = 3600.0
    """Between two frames: the other player may be a person."""
    frame: float = 10.0
    """For a frame to arrive or leave, once it has begun."""


class TooLarge(Exception):
    """A frame beyond the limit was announced; it has not been read."""

    def __init__(self, length: int) -> None:
        super().__init__(f"a frame of {length:,} bytes is too large; the limit is {MOST_BYTES:,}")
        self.length = length


def send_frame(link: socket.socket, text: str, patience: Patience) -> None:
    data = text.encode()
    link.settimeout(patience.frame)
    link.sendall(len(data).to_bytes(HEADER, "big") + data)


def receive_frame(link: socket.socket, patience: Patience) -> bytes | None:
    """The next frame; None if the other side has hung up between two of them.

    TimeoutError if it is silent or slow, ConnectionError if it leaves in the middle of a frame.
    """
    link.settimeout(patience.silence)
    first = link.recv(1)
    if not first:
        return None
    deadline = time.monotonic() + patience.frame
    length = int.from_bytes(first + _exactly(link, HEADER - 1, deadline), "big")
    if length > MOST_BYTES:
        raise TooLarge(length)
    return _exactly(link, length, deadline)


def skip(link: socket.socket, length: int, patience: Patience) -> None:
    """Let the bytes of a frame pass by, a piece at a time."""
    deadline = time.monotonic() + patience.frame
    while length:
        length -= len(_piece(link, length, deadline))


def _exactly(link: socket.socket, length: int, deadline: float) -> bytes:
    data = bytearray()
    while len(data) < length:
        data += _piece(link, length - len(data), deadline)
    return bytes(data)


def _piece(link: socket.socket, most: int, deadline: float) -> bytes:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("the frame takes too long")
    link.settimeout(left)
    piece = link.recv(min(most, _PIECE))
    if not piece:
        raise ConnectionError("hung up in the middle of a frame")
    return piece
