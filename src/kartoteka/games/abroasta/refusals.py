"""Why a move of Abroasta is refused: the clause and a sentence."""

from __future__ import annotations

from kartoteka.cards import ACE, KING, name, rank_name
from kartoteka.core import State
from kartoteka.games.abroasta.rules import DEAD, EMPTY, PASS
from kartoteka.text import _


def refuse(s: State, move: int) -> tuple[str, str]:
    """Return the clause and the reason why `move` is not legal in `s`."""
    if move == PASS:
        return "ABR 3.2", _("a card can be laid, so one must be")
    owner, card = divmod(move, 52)
    if owner >= s.players:
        return "ABR 2.1", _("there is no row of seat {seat} with {n} players").format(seat=owner + 1, n=s.players)
    if s.hand[s.seat, card] == 0:
        return "ABR 3.1", _("a turn is one card from your own hand, and the {card} is not in it").format(
            card=name(card)
        )
    if s.need[owner] == EMPTY:
        return "ABR 2.1", _("seat {seat} has no open row, and only its owner opens one").format(seat=owner + 1)
    if s.need[owner] == DEAD:
        return "ABR 2.3", _("nothing is laid on an ace that does not begin its row")
    on = s.row[owner, s.length[owner] - 1] % 13
    after = "ABR 2.3" if on in (KING, ACE) else "ABR 2.2"
    return after, _("on the {rank} of that row goes only the next rank, the {next}").format(
        rank=rank_name(on), next=rank_name(s.need[owner])
    )
