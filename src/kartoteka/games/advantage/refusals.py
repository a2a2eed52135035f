"""Why a move of Advantage is refused: the clause and a sentence."""

from __future__ import annotations

from kartoteka.cards import name
from kartoteka.core import State
from kartoteka.games.advantage.notation import pair
from kartoteka.games.advantage.rules import DRAW, EXCHANGE, PAIR, PASS, fitting
from kartoteka.games.advantage.unseen import STOCK
from kartoteka.text import _


def refuse(s: State, move: int) -> tuple[str, str]:
    """Return the clause and the reason why `move` is not legal in `s`."""
    if move in (DRAW, PASS):
        return _refuse_idling(s, move)
    wanted = 1 if move < EXCHANGE else 2 if move < PAIR else 3
    if s.phase != wanted:
        return "ADV 2.1", (
            _("this is the first round, in which a card is placed on a pile, as 7h>2"),
            _("this is the second round, in which a card is exchanged for a pile, as 7h<2"),
            _("this is the third round, in which pairs are put aside, as 7d7h"),
        )[s.phase - 1]
    hand = int(s.hand[s.seat])
    for needed in pair(move) if move >= PAIR else (move % 52,):
        if not hand >> needed & 1:
            clause = ("ADV 3.1", "ADV 4.1", "ADV 5.1")[wanted - 1]
            return clause, _("the {card} is not in your hand").format(card=name(needed))
    card, pile = name(move % 52), move % EXCHANGE // 52
    top = name(s.top[pile])
    if move < EXCHANGE:
        return "ADV 3.1", _("the {card} has neither the colour nor the rank of the {top}, and is not a ten").format(
            card=card, top=top
        )
    return "ADV 4.1", _("the {card} has neither the colour nor the rank of the {top}, which is not a ten").format(
        card=card, top=top
    )


def _refuse_idling(s: State, move: int) -> tuple[str, str]:
    if s.phase == 3:
        if move == DRAW:
            return "ADV 5.2", _("in the third round cards are drawn only for a pair put aside, by themselves")
        return "ADV 5.1", _("you hold a pair, so one must be put aside")
    if int(s.hand[s.seat]) & fitting(s):
        if s.phase == 2:
            return "ADV 4.2", _("a card is drawn only when none can be exchanged; exchange one, or pass")
        if s.drew:
            return "ADV 3.4", _("the card you drew can be placed, so it must be")
        return "ADV 3.2", _("a card can be placed, so one must be")
    assert s.drawn == STOCK
    return "ADV 3.4" if s.phase == 1 else "ADV 4.2", _("the stock is empty, so you can only pass")
