"""How a hand makes Khvostiki's moves at the table, and what it could have meant."""

from __future__ import annotations

from collections.abc import Sequence

from kartoteka.cards import JOKER, TEXT
from kartoteka.core import State
from kartoteka.engine.view import Way, from_hand, hand_place, number_at
from kartoteka.games.khvostiki.notation import rows_of
from kartoteka.games.khvostiki.state import ADD, CARDS, END, LOW, PACK, ROWS, SWAP, TAIL, TAKE

_JOKER = TEXT[JOKER]


def way(s: State, move: int) -> Way:
    """Return how a hand makes a legal move.

    A new row says all by its cards. A card is added to a row, or given for the joker that lies in it; the tail is
    taken by its first card and laid on at its end.
    """
    if move < ADD:
        return Way(tuple(hand_place(s.seat, TEXT[card]) for card in CARDS[move]))
    if move < LOW:
        return Way((hand_place(s.seat, TEXT[(move - ADD) // ROWS]),), f"row:{(move - ADD) % ROWS + 1}")
    if move < SWAP:
        return Way((hand_place(s.seat, _JOKER),), f"row:{(move - LOW) % ROWS + 1}")
    if move < TAKE:
        card, row = divmod(move - SWAP, ROWS)
        return Way((hand_place(s.seat, TEXT[card]),), f"row:{row + 1}/{_JOKER}")
    if move < TAIL:
        return Way(puts=f"tail/{move - TAKE + 1}")
    return Way((hand_place(s.seat, TEXT[move - TAIL]),), "tail") if move < END else Way()


def meant(s: State, takes: Sequence[str], puts: str) -> list[str]:
    """Return the moves, legal or not, that a hand could have meant which took up `takes` and went to `puts`."""
    cards = from_hand(takes[: PACK + 1], s.seat)
    if cards is None:
        return []
    if not puts:
        return _new_row(cards) if cards else ["end"]
    if len(cards) > 1:
        return []
    return _with_card(s, cards[0], puts) if cards else _take(puts)


def _new_row(cards: list[str]) -> list[str]:
    """Return every way to write cards as a new row; three or more that are none as they came, to be refused.

    Fewer would stand for the row that begins with them.
    """
    return rows_of(cards) or (["row " + " ".join(cards)] if len(cards) > 2 else [])


def _take(puts: str) -> list[str]:
    first = number_at(puts, "tail/")
    return [f"take {first}"] if first else []


def _with_card(s: State, card: str, puts: str) -> list[str]:
    """Return what one card could have meant: also one let fall among those of the tail is laid on it."""
    if puts == "tail" or number_at(puts, "tail/"):
        return [f"tail {card}"]
    swapped = number_at(puts.removesuffix(f"/{_JOKER}"), "row:") if puts.endswith(f"/{_JOKER}") else 0
    if swapped:
        return [f"{card}<>{swapped}"]
    row = number_at(puts, "row:")
    if not row:
        return []
    if card != _JOKER:
        return [f"{card}>{row}"]
    return [f"Jk>{row}+", f"Jk>{row}-"] if row <= s.rows and s.kind[row - 1] < 4 else [f"Jk>{row}"]
