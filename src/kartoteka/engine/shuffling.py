"""Honest shuffles: all chance of a deal from a secret fixed beforehand and what each person's browser adds.

``docs/shuffles.md`` publishes the algorithm with examples, to be written anew by anyone. The steps are old ones:
commit and reveal by a hash (M. Blum, "Coin flipping by telephone", 1981); HMAC (RFC 2104) of a counter as a
generator (NIST SP 800-108, counter mode); whole numbers without bias by rejection; the shuffle of R. Durstenfeld
("Algorithm 235", CACM 7, 1964), called Fisher and Yates's.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator

from kartoteka.cards import TEXT
from kartoteka.engine.deck import card_numbers
from kartoteka.engine.errors import UsageError
from kartoteka.text import _

HEAD = "kartoteka shuffle 1"
"""Names this version of the algorithm: the first line of what the key is made of."""

DECK, DEALER = "deck", "dealer"
"""The labels of the pack and of the lot for the first dealer."""

_WORDS = 1 << 32


def reshuffle_label(number: int) -> str:
    """Return the label of the deal's later shuffle `number`, from 1."""
    return f"reshuffle {number}"


def _secret(text: str) -> bytes:
    """Return a secret's 32 bytes; the error does not quote it."""
    if not isinstance(text, str) or not re.fullmatch("[0-9a-f]{64}", text):
        raise UsageError(_("A shuffle's secret is 64 hexadecimal digits, the letters small."))
    return bytes.fromhex(text)


def commitment(secret: str) -> str:
    """Return what is published before anyone adds a nonce: SHA-256 of the secret's 32 bytes, in hex.

    Parameters
    ----------
    secret : str
        64 hexadecimal digits.

    Raises
    ------
    UsageError
        If it is anything else.
    """
    return hashlib.sha256(_secret(secret)).hexdigest()


def key(secret: str, nonces: Iterable[tuple[int, str]]) -> bytes:
    """Return the deal's key: HMAC-SHA256, keyed by the secret's bytes, of `HEAD` and a line for each nonce.

    Parameters
    ----------
    secret : str
        64 hexadecimal digits.
    nonces : iterable of (int, str)
        Seat, from 1, and 32 hexadecimal digits; in any order, they are put in order of seat. A seat that adds
        none is left out.

    Returns
    -------
    bytes
        32 of them.

    Raises
    ------
    UsageError
        If secret, seat or nonce is no such thing, or a seat adds two.
    """
    lines: dict[int, str] = {}
    for seat, nonce in nonces:
        if type(seat) is not int or seat < 1:
            raise UsageError(_("A nonce is of a seat from 1, not of {seat!r}.").format(seat=seat))
        if not isinstance(nonce, str) or not re.fullmatch("[0-9a-f]{32}", nonce):
            raise UsageError(
                _("The nonce of seat {seat} must be 32 hexadecimal digits, the letters small.").format(seat=seat)
            )
        if seat in lines:
            raise UsageError(_("Seat {seat} adds two nonces to one shuffle.").format(seat=seat))
        lines[seat] = f"{seat}:{nonce}\n"
    message = f"{HEAD}\n" + "".join(lines[seat] for seat in sorted(lines))
    return hmac.digest(_secret(secret), message.encode(), "sha256")


def _words(key: bytes, label: str) -> Iterator[int]:
    """Yield the stream of 32-bit words of that label: HMAC-SHA256 of the label and a counter, block after block."""
    for counter in range(_WORDS):
        block = hmac.digest(key, label.encode() + counter.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(block[k : k + 4], "big") for k in range(0, 32, 4))


def _below(n: int, words: Iterator[int]) -> int:
    """Return a number from 0 to n - 1, all equally likely: words past the last whole multiple of n are rejected."""
    end = _WORDS - _WORDS % n
    return next(word for word in words if word < end) % n


def shuffled(key: bytes, label: str, cards: Iterable[str]) -> list[str]:
    """Return cards in the order that key and label give them.

    They are sorted first (clubs, diamonds, hearts, spades, each from the two up; jokers last): how they lay before
    makes no difference, so that a record says all there is to know. Then each place from the last to the second is
    swapped with one not after it, drawn without bias from the label's stream.

    Parameters
    ----------
    key : bytes
        As `key` gives it.
    label : str
        `DECK`, or `reshuffle_label` of a number.
    cards : iterable of str
        As records write them, equal ones as often as they are there.

    Raises
    ------
    UsageError
        If one of them is no card.
    """
    order = [TEXT[c] for c in sorted(card_numbers(cards))]
    words = _words(key, label)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return order


def lot(key: bytes, label: str, n: int) -> int:
    """Return a number from 0 to n - 1 by the lot of that key and label; for `DEALER`, one less than the seat.

    Raises
    ------
    UsageError
        If n is not from 1 to 2 ** 32.
    """
    if not 1 <= n <= _WORDS:
        raise UsageError(_("There is no lot among {n}.").format(n=n))
    return _below(n, _words(key, label))
