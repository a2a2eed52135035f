"""Cards: small numbers in the compiled core, two letters in records, words for people.

A card's number is ``13 * suit + rank``: suits ``c d h s`` are 0 to 3, ranks ``2 3 4 5 6 7 8 9 T J Q K A``
are 0 to 12. A joker is 52, a card not seen 53.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kartoteka.text import N_, _

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = 52
UNSEEN = 53

TEXT: tuple[str, ...] = (*(r + s for s in SUITS for r in RANKS), "Jk", "??")
NUMBER: dict[str, int] = {text: n for n, text in enumerate(TEXT)}

TWO, SIX, TEN, JACK, QUEEN, KING, ACE = 0, 4, 8, 9, 10, 11, 12
"""Rank numbers that rules speak of."""

_RANK_NAMES = (
    N_("two"), N_("three"), N_("four"), N_("five"), N_("six"), N_("seven"), N_("eight"), N_("nine"), N_("ten"),
    N_("jack"), N_("queen"), N_("king"), N_("ace"),
)  # fmt: skip
_SUIT_NAMES = (N_("clubs"), N_("diamonds"), N_("hearts"), N_("spades"))
_GLYPHS = "♣♦♥♠"


class Card(str):
    """One card as records write it: ``Card('Th')`` is the ten of hearts, ``Card('Jk')`` a joker.

    A card is its text, so it compares with and serves as a plain string.

    >>> Card('Th'), Card('Th').name, Card('Th').glyph, Card('Th').red
    (Card('Th'), 'ten of hearts', '10♥', True)
    >>> Card('1h')
    Traceback (most recent call last):
    ValueError: '1h' is not a card: a rank (2 3 4 5 6 7 8 9 T J Q K A), then a suit (c d h s), or Jk
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Card:
        if text not in NUMBER:
            raise ValueError(
                _("{text!r} is not a card: a rank ({ranks}), then a suit ({suits}), or Jk").format(
                    text=text, ranks=" ".join(RANKS), suits=" ".join(SUITS)
                )
            )
        return super().__new__(cls, text)

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    @property
    def number(self) -> int:
        """The card's number in the compiled core."""
        return NUMBER[self]

    @property
    def red(self) -> bool:
        """Whether it is a diamond or a heart."""
        return self[1] in "dh"

    @property
    def name(self) -> str:
        """The card in words, in the language in force: ``ten of hearts``."""
        return name(NUMBER[self])

    @property
    def glyph(self) -> str:
        """The card as people write it: ``10♥``."""
        return glyph(NUMBER[self])


def name(card: int) -> str:
    """Return the card number `card` in words: ``ten of hearts``, ``joker``, ``unseen card``."""
    if card == JOKER:
        return _("joker")
    if card == UNSEEN:
        return _("unseen card")
    return _("{rank} of {suit}").format(rank=_(_RANK_NAMES[card % 13]), suit=_(_SUIT_NAMES[card // 13]))


def rank_name(rank: int) -> str:
    """Return the rank number `rank` (0 to 12) in words: ``ten``."""
    return _(_RANK_NAMES[rank])


def glyph(card: int) -> str:
    """Return the card number `card` in signs: ``10♥``, ``Jk``, ``??``."""
    if card >= JOKER:
        return TEXT[card]
    rank = RANKS[card % 13]
    return ("10" if rank == "T" else rank) + _GLYPHS[card // 13]


def texts(cards: Iterable[int]) -> tuple[str, ...]:
    """Return the texts of card numbers."""
    return tuple(TEXT[c] for c in cards)


def counted(counts: Sequence[int]) -> list[int]:
    """Return card numbers from how many there are of each: ``counts[card]`` copies of `card`."""
    return [card for card, n in enumerate(counts) if n for _copy in range(n)]


_LOOSE = re.compile(r"(10|[2-9tjqka])([cdhs♣♦♥♠])", re.IGNORECASE)
_ONLY_CARDS = re.compile(rf"(?<![^\W_])(?:{_LOOSE.pattern})+(?![^\W_])", re.IGNORECASE)


def tidy(text: str) -> str:
    """Spell the cards in a typed text as records do: ``10♥`` and ``th`` become ``Th``, ``jk`` becomes ``Jk``."""

    def spell(match: re.Match[str]) -> str:
        rank, suit = match[1].upper(), match[2].lower()
        return ("T" if rank == "10" else rank) + (SUITS[_GLYPHS.index(suit)] if suit in _GLYPHS else suit)

    text = _ONLY_CARDS.sub(lambda cards: _LOOSE.sub(spell, cards[0]), text)
    return re.sub(r"\bjk\b|\bjoker\b", "Jk", text, flags=re.IGNORECASE)


def pack(packs: int = 1, jokers: int = 0, lowest: int = TWO) -> list[int]:
    """Return `packs` packs of card numbers from rank `lowest` up, with `jokers` jokers each, in order."""
    one = [13 * suit + rank for suit in range(4) for rank in range(lowest, 13)] + [JOKER] * jokers
    return sorted(one * packs)
