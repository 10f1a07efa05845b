"""BLAKE2b (RFC 7693) of a few 64-bit words, for compiled code: `rng.derive` without Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.kernel import rule

_U = np.uint64
_START = np.array(
    [
        0x6A09E667F3BCC908,
        0xBB67AE8584CAA73B,
        0x3C6EF372FE94F82B,
        0xA54FF53A5F1D36F1,
        0x510E527FADE682D1,
        0x9B05688C2B3E6C1F,
        0x1F83D9ABFB41BD6B,
        0x5BE0CD19137E2179,
    ],
    np.uint64,
)
_SIGMA = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ],
    np.int64,
)
_DIGEST_BYTES, _ROUNDS, _WORD_BYTES = 8, 12, 8


@rule
def _rotated(x: Any, bits: int) -> Any:
    return (x >> _U(bits)) | (x << _U(64 - bits))


@rule
def _mix(v: Any, a: int, b: int, c: int, d: int, x: Any, y: Any) -> None:
    v[a] = v[a] + v[b] + x
    v[d] = _rotated(v[d] ^ v[a], 32)
    v[c] = v[c] + v[d]
    v[b] = _rotated(v[b] ^ v[c], 24)
    v[a] = v[a] + v[b] + y
    v[d] = _rotated(v[d] ^ v[a], 16)
    v[c] = v[c] + v[d]
    v[b] = _rotated(v[b] ^ v[c], 63)


@rule
def digest_of_words(words: Any, n: int, v: Any) -> Any:
    """The first word of the digest of up to 16 words; the others of `words` are zero. `v` is room for 16 words."""
    for i in range(8):
        v[i] = _START[i]
        v[i + 8] = _START[i]
    v[0] ^= _U(0x01010000 ^ _DIGEST_BYTES)
    first = v[0]
    v[12] ^= _U(n * _WORD_BYTES)
    v[14] = ~v[14]
    for number in range(_ROUNDS):
        order = number % 10
        for i in range(4):
            x, y = words[_SIGMA[order, 2 * i]], words[_SIGMA[order, 2 * i + 1]]
            _mix(v, i, i + 4, i + 8, i + 12, x, y)
        for i in range(4):
            x, y = words[_SIGMA[order, 2 * i + 8]], words[_SIGMA[order, 2 * i + 9]]
            _mix(v, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12, x, y)
    return first ^ v[0] ^ v[8]


@rule
def derive(seed: Any, part: int, subpart: int, words: Any, v: Any) -> Any:
    """As `rng.derive(seed, part, subpart)`; `words` and `v` are room for 16 words each."""
    for i in range(16):
        words[i] = _U(0)
    words[0], words[1], words[2] = _U(seed), _U(part), _U(subpart)
    return digest_of_words(words, 3, v)
