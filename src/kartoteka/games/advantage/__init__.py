"""Advantage: cards go to and from three piles; pairs are put aside, and most pairs win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kartoteka.cards import pack
from kartoteka.engine.declare import Game, Option, Value, clause_list
from kartoteka.text import N_


def _next_dealer(dealer: int, scores: Sequence[float], options: Mapping[str, Value]) -> int:
    """ADV 1.2: the loser of the last game deals, after a draw the same player again."""
    if options["next_deal"] == "alternate":
        return 3 - dealer
    return dealer if scores[0] == scores[1] else (1 if scores[0] < scores[1] else 2)


GAME = Game(
    name="advantage",
    title="Advantage",
    native="Преимущество",
    lang="ru",
    code="ADV",
    players=(2,),
    usual=2,
    minutes=20,
    sample=19,
    sentence=N_("Place on three piles, swap a card for a whole pile, put pairs aside: most pairs win."),
    clauses=clause_list("ADV", (1, 2), (2, 2), (3, 4), (4, 2), (5, 4), (6, 3)),
    options=(
        Option(
            "next_deal", "ADV 1.2", "loser",
            {
                "loser": N_("the loser of a game deals the next"),
                "alternate": N_("the deal alternates"),
            },
        ),
        Option(
            "pairing", "ADV 5.3", "chain",
            {
                "chain": N_("a player goes on putting pairs aside while holding one"),
                "once": N_("a player puts one pair aside a round"),
            },
        ),
        Option(
            "switch_hands", "ADV 6.3", False,
            {
                False: N_("the players keep their hands"),
                True: N_("the players swap hands every time a first round has ended"),
            },
        ),
    ),
    pack=lambda players: pack(),
    # In any two cycles of three rounds a card leaves the stock or a pair is put aside, or the game ends; a
    # cycle has at most eight moves besides its pairs.
    max_plies=lambda players, options: 8 * (2 * (43 + 26) + 2) + 26,
    next_dealer=_next_dealer,
    package=__name__,
)  # fmt: skip

if TYPE_CHECKING:
    from kartoteka.engine.contract import Offers
    from kartoteka.games.advantage import notation, policy, refusals, rules, table

    OFFERS = Offers(rules, notation, refusals, table, policy)
