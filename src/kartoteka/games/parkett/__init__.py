"""Parkett: two players floor a rectangle of five rows by seven cards; nothing is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kartoteka.engine.declare import Game, Option, clause_list
from kartoteka.text import N_

GAME = Game(
    name="parkett",
    title="Parkett",
    native="Паркет",
    lang="ru",
    code="PAR",
    players=(2,),
    usual=2,
    minutes=30,
    sample=24,
    sentence=N_("Lay a cross, then corners in sequence; whoever lays the last of their cards wins."),
    clauses=clause_list("PAR", (1, 2), (2, 4), (3, 5), (4, 4)),
    options=(
        Option(
            "cross", "PAR 2.1", "one_each",
            {
                "one_each": N_("each player lays one card on each arm of the cross"),
                "free": N_("any arm of the cross may be laid on at any time"),
            },
        ),
        Option(
            "order", "PAR 3.2", "line",
            {
                "line": N_("the three cards of an L are in order along it, the bend in the middle"),
                "any": N_("the three cards of an L are consecutive in whatever order"),
            },
        ),
        Option(
            "stuck", "PAR 4.3", "loses",
            {
                "loses": N_("a player who can neither lay nor move a card loses"),
                "passes": N_("such a player passes; when both pass in turn the one with fewer cards wins"),
            },
        ),
    ),
    pack=lambda players: [],  # PAR 1.1: the packs are split by colour, nothing is shuffled
    max_plies=lambda players, options: 36 * 20 + 20,  # PAR 4.4: a card is laid at least every twenty turns
    package=__name__,
)  # fmt: skip

if TYPE_CHECKING:
    from kartoteka.engine.contract import Offers
    from kartoteka.games.parkett import notation, policy, refusals, rules, table

    OFFERS = Offers(rules, notation, refusals, table, policy)
