"""Decks as people and records write them, checked against the game's pack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from kartoteka.cards import NUMBER, TEXT, UNSEEN, Card
from kartoteka.engine.errors import UsageError
from kartoteka.text import _


def card_numbers(cards: str | Iterable[str]) -> list[int]:
    """Return the numbers of cards given as texts, or as one text with spaces; raise `UsageError` for none."""
    numbers = []
    if not isinstance(cards, Iterable):
        raise UsageError(_("A deck is a text with spaces or a list of cards, not {value!r}.").format(value=cards))
    for k, text in enumerate(cards.split() if isinstance(cards, str) else cards, 1):
        if not isinstance(text, str) or text not in NUMBER or NUMBER[text] == UNSEEN:
            try:
                Card(str(text))
            except ValueError as error:
                raise UsageError(_("Card {k}: {error}.").format(k=k, error=error)) from None
            raise UsageError(_("Card {k} is unseen; a deck is written out.").format(k=k))
        numbers.append(NUMBER[text])
    return numbers


def check_deck(cards: str | Iterable[str], pack: Sequence[int]) -> npt.NDArray[np.int32]:
    """Return the numbers of `cards`, which must be just the cards of `pack`; raise `UsageError` if not."""
    numbers = card_numbers(cards)
    given, wanted = Counter(numbers), Counter(pack)
    for k, number in enumerate(numbers, 1):
        if given[number] > wanted[number]:
            raise UsageError(
                _("Card {k}: {card} stands {n} times; this pack has {m}.").format(
                    k=k, card=TEXT[number], n=given[number], m=wanted[number]
                )
            )
    missing = wanted - given
    if missing:
        raise UsageError(
            _("{n} cards of {m}; missing: {cards}.").format(
                n=len(numbers), m=len(pack), cards=" ".join(TEXT[c] for c in sorted(missing.elements())[:8])
            )
        )
    return np.array(numbers, np.int32)
