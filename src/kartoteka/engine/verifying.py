"""Verifying the seals of a record: whether each deal was shuffled as its secret and nonces say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from msgspec import UNSET

from kartoteka.cards import TEXT
from kartoteka.engine import shuffling
from kartoteka.engine.errors import RecordError, UsageError
from kartoteka.engine.record import Deal, Record, Seal, variant_of
from kartoteka.engine.variant import Variant
from kartoteka.text import _, listed, ngettext


@dataclass(frozen=True)
class Verdict:
    """What became of one deal's seal.

    Attributes
    ----------
    deal : int
        The deal's number, from 1.
    finding : str
        ``good``; ``wrong``; ``closed``, if the secret is not told yet; ``none``, if the deal has no seal.
    told : tuple of str
        The finding in sentences: of a good seal what was verified, of a wrong one what is wrong.
    faults : tuple of RecordError
        The same with its place, for a wrong seal.
    """

    deal: int
    finding: Literal["good", "wrong", "closed", "none"]
    told: tuple[str, ...]
    faults: tuple[RecordError, ...] = field(default=())


def verify_shuffles(record: Record) -> list[Verdict]:
    """Return a verdict on each deal of a record.

    It says whether secret, nonces, pack, reshuffles and lot belong together; whether the rest of the record is as
    the rules have it, and its reshuffles just the cards that there were, is for `kartoteka.engine.record.check`.

    Raises
    ------
    RecordError
        If the record is of a game that cannot be.
    """
    variant = variant_of(record)
    return [_verdict(variant, k, deal) for k, deal in enumerate(record.deals)]


def _verdict(variant: Variant, k: int, deal: Deal) -> Verdict:
    if deal.seal is UNSET:
        return Verdict(k + 1, "none", (_("This deal has no seal: nothing tells how it was shuffled."),))
    if deal.seal.secret is UNSET:
        return Verdict(k + 1, "closed", (_("The secret of this shuffle has not been told yet."),))
    faults = tuple(_faults(variant, deal, deal.seal, deal.seal.secret, f"deals[{k}]"))
    if faults:
        return Verdict(k + 1, "wrong", tuple(map(str, faults)), faults)
    return Verdict(k + 1, "good", tuple(_verified(deal, deal.seal)))


def _faults(variant: Variant, deal: Deal, seal: Seal, secret: str, place: str) -> Iterator[RecordError]:
    try:
        published, key = shuffling.commitment(secret), shuffling.key(secret, seal.nonces)
    except UsageError as error:
        yield RecordError(f"{place}.seal", str(error))
        return
    if published != seal.commitment:
        reason = _("the secret's SHA-256 is {found}, but {published} was published")
        yield RecordError(f"{place}.seal.secret", reason.format(found=published, published=seal.commitment))
    for k, (seat, _nonce) in enumerate(seal.nonces):
        if seat > variant.players:
            reason = _("there is no seat {seat} that could add a nonce")
            yield RecordError(f"{place}.seal.nonces[{k}]", reason.format(seat=seat))
    pack = [TEXT[c] for c in variant.game.pack(variant.players)]
    yield from _differing(shuffling.shuffled(key, shuffling.DECK, pack), deal.deck, f"{place}.deck")
    drawn = 1 + shuffling.lot(key, shuffling.DEALER, variant.players)
    if seal.lot and deal.dealer != drawn:
        reason = _("the lot names seat {drawn} as dealer, not {dealer}")
        yield RecordError(f"{place}.dealer", reason.format(drawn=drawn, dealer=deal.dealer))
    for k, order in enumerate(deal.shuffles):
        at = f"{place}.shuffles[{k}]"
        try:
            yield from _differing(shuffling.shuffled(key, shuffling.reshuffle_label(k + 1), order), order, at)
        except UsageError as error:
            yield RecordError(at, str(error))


def _differing(due: Sequence[str], given: Sequence[str], place: str) -> Iterator[RecordError]:
    """Yield one error if the orders differ: at the first place where they do."""
    for k, (card, other) in enumerate(zip(due, given, strict=False)):
        if card != other:
            reason = _("the shuffle puts {due} here, not {given}").format(due=card, given=other)
            yield RecordError(f"{place}[{k}]", reason)
            return
    if len(due) != len(given):
        reason = _("the shuffle is of {due} cards, not of {given}").format(due=len(due), given=len(given))
        yield RecordError(place, reason)


def _verified(deal: Deal, seal: Seal) -> Iterator[str]:
    """Yield in sentences what of a deal was found to be good."""
    text = _("The secret is the one that was committed to: its SHA-256 is {commitment}.")
    yield text.format(commitment=seal.commitment)
    seats = [str(seat) for seat, _nonce in sorted(seal.nonces)]
    if seats:
        text = ngettext("Seat {seats} added to the shuffle.", "Seats {seats} added to the shuffle.", len(seats))
        yield text.format(seats=listed(seats, "and"))
    else:
        yield _("Nobody added to the shuffle: the secret alone decided it.")
    if deal.deck:
        text = ngettext(
            "The {n} card lies as secret and nonces put it.", "All {n} cards lie as secret and nonces put them.",
            len(deal.deck),
        )  # fmt: skip
        yield text.format(n=len(deal.deck))
    if seal.lot:
        yield _("Their lot drew seat {seat} as dealer.").format(seat=deal.dealer)
    else:
        yield _("The dealer was not drawn by lot.")
    if deal.shuffles:
        text = ngettext(
            "The later shuffle is theirs, too.", "The {n} later shuffles are theirs, too.", len(deal.shuffles)
        )
        yield text.format(n=len(deal.shuffles))
