"""The filter of system calls for a sandbox: what a file system that can only be read does not keep out.

A socket in the file system can be connected to although the file system is read-only, and so can sockets of families
that a network namespace does not contain. Memory can be had outside of all processes (System V, file systems mounted in
a namespace of one's own), where no limit finds it. So these calls fail, as on a system that does not have them.
Processes can be started, but not in a namespace of their own, in which they would have all rights.
"""

from __future__ import annotations

import errno
import os
import struct

from boardwright.errors import BadSpec

_FAMILIES = (2, 10, 16)
"""Of sockets: IPv4, IPv6 (the network of a sandbox is empty) and netlink. Pairs of UNIX sockets can be made all the
same: both ends are the script's own."""

_CALLS = {
    "x86_64": {
        "socket": 41, "clone": 56, "shmget": 29, "semget": 64, "msgget": 68, "mount": 165, "mq_open": 240,
        "add_key": 248, "request_key": 249, "keyctl": 250, "unshare": 272, "setns": 308,
    },
    "aarch64": {
        "socket": 198, "clone": 220, "shmget": 194, "semget": 190, "msgget": 186, "mount": 40, "mq_open": 180,
        "add_key": 217, "request_key": 218, "keyctl": 219, "unshare": 97, "setns": 268,
    },
}  # fmt: skip
_EVERYWHERE = {
    "io_uring_setup": 425, "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsmount": 432, "clone3": 435,
    "memfd_secret": 447,
}  # fmt: skip
"""Newer calls have one number on all machines. What is asked of io_uring and of clone3 does not pass through a filter;
C libraries use clone where there is no clone3."""
_NAMESPACES = 0x7E020000
"""The flags of clone for namespaces of one's own."""

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_OTHER_ABI = 0x40000000
"""From here on, calls of x86-64 with short pointers: another way to all calls."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000


def socket_filter() -> bytes:
    """The filter for this machine, as bubblewrap and the kernel take it."""
    machine = os.uname().machine
    if machine not in _CALLS:
        raise BadSpec(f"--sandbox works on {' and '.join(_CALLS)}; on {machine} sockets outside could be reached")
    refused = {**_CALLS[machine], **_EVERYWHERE}
    socket, clone = refused.pop("socket"), refused.pop("clone")
    program = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, _ARCHITECTURES[machine], 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
        _step(_AT_LEAST, _OTHER_ABI, 0, 1),
        _step(_RETURN, _FAIL | errno.ENOSYS),
    ]
    for number in refused.values():
        program += [_step(_EQUAL, number, 0, 1), _step(_RETURN, _FAIL | errno.ENOSYS)]
    program += [_step(_EQUAL, clone, 0, 4), _step(_LOAD, _FIRST_ARGUMENT), _step(_ANY_BIT, _NAMESPACES, 0, 1)]
    program += [_step(_RETURN, _FAIL | errno.EPERM), _step(_RETURN, _ALLOW)]
    program += [_step(_EQUAL, socket, 1, 0), _step(_RETURN, _ALLOW), _step(_LOAD, _FIRST_ARGUMENT)]
    for family in _FAMILIES:
        program += [_step(_EQUAL, family, 0, 1), _step(_RETURN, _ALLOW)]
    return b"".join([*program, _step(_RETURN, _FAIL | errno.EAFNOSUPPORT)])


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
