"""Chance: a generator that words name, a number drawn from it, a shuffle."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from kartoteka.core.marks import rule

_MASK32 = 0xFFFFFFFF


def chance(*words: object) -> npt.NDArray[np.int64]:
    """Return a generator for what `words` name, e.g. ``chance(seed, 'deck', 3)``: equal words, equal draws.

    Its state is two 32-bit words (xoroshiro64**, Blackman and Vigna 2018), seeded from their SHA-256.
    """
    digest = hashlib.sha256("/".join(map(str, words)).encode("utf-8", "surrogatepass")).digest()
    return np.array([int.from_bytes(digest[:4], "little") | 1, int.from_bytes(digest[4:8], "little")], np.int64)


@rule
def randbelow(rng: Any, n: int) -> int:
    """Draw a whole number from 0 to n - 1, each equally likely (Lemire 2019)."""
    while True:
        s0, s1 = int(rng[0]), int(rng[1])
        x = (s0 * 0x9E3779BB) & _MASK32
        x = ((((x << 5) | (x >> 27)) & _MASK32) * 5) & _MASK32
        s1 ^= s0
        rng[0] = (((s0 << 26) | (s0 >> 6)) & _MASK32) ^ s1 ^ ((s1 << 9) & _MASK32)
        rng[1] = ((s1 << 13) | (s1 >> 19)) & _MASK32
        product = x * n
        low = product & _MASK32
        if low >= n or low >= (0x100000000 - n) % n:
            return product >> 32


@rule
def shuffle(rng: Any, cards: Any, n: int) -> None:
    """Shuffle the first `n` entries of `cards` in place (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = randbelow(rng, i + 1)
        held = cards[i]
        cards[i] = cards[j]
        cards[j] = held
