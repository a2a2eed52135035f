"""Konstruktsiya: two players build a track of cards and race a piece ten cards up it and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kartoteka.cards import pack
from kartoteka.engine.declare import Game, Option, clause_list
from kartoteka.text import N_

GAME = Game(
    name="konstruktsiya",
    title="Konstruktsiya",
    native="Конструкция",
    lang="ru",
    code="KON",
    players=(2,),
    usual=2,
    minutes=40,
    sample=21,
    sentence=N_("Build a track of upright and sideways cards, and race your piece to the top row and home."),
    clauses=clause_list("KON", (1, 4), (2, 4), (3, 3), (4, 7), (5, 2), (6, 1)),
    options=(
        Option(
            "columns", "KON 1.3", 6,
            {
                6: N_("six columns, the jokers at c0 and d0"),
                4: N_("four columns, the jokers at b0 and c0"),
                8: N_("eight columns, the jokers at d0 and e0"),
            },
        ),
        Option(
            "height", "KON 1.3", 10,
            {
                10: N_("the top row is row 10"),
                5: N_("the top row is row 5"),
                7: N_("the top row is row 7"),
            },
        ),
        Option(
            "reshuffles", "KON 2.3", 12, numbers=(0, 200),
            number_reading=N_("after so many reshuffles the game is drawn when the stock is used up once more"),
        ),
        Option(
            "gaps", "KON 3.2", False,
            {
                False: N_("the upright cards of a column touch one another"),
                True: N_("a column may have holes"),
            },
        ),
        Option(
            "small_moves", "KON 4.3", "any",
            {
                "any": N_("a small piece moves in any direction"),
                "up": N_("every step of a small piece goes to a higher level, except in a king's move"),
            },
        ),
        Option(
            "king_moves", "KON 5.1", "placed",
            {
                "placed": N_("after a king the piece just placed may move"),
                "any": N_("after a king any one small piece may move"),
            },
        ),
    ),
    pack=lambda players: pack(packs=3),
    max_plies=lambda players, options: 156 * (int(options["reshuffles"]) + 1),  # one move for each card turned
    fixed_dealer=1,
    package=__name__,
)  # fmt: skip

if TYPE_CHECKING:
    from kartoteka.engine.contract import Offers, Reshuffling
    from kartoteka.games.konstruktsiya import notation, policy, refusals, rules, table

    RULES: Reshuffling = rules
    OFFERS = Offers(rules, notation, refusals, table, policy)
