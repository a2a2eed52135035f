"""Khvostiki: a rummy whose rows belong to all, and whose discards form a tail that can be taken from any card on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kartoteka.cards import pack
from kartoteka.engine.declare import Game, Option, Value, clause_list
from kartoteka.text import N_


def _finished(totals: Sequence[float], options: Mapping[str, Value]) -> tuple[int, ...] | None:
    """KHV 5.4: after one deal, or once someone has the target; equal totals share the win."""
    best = max(totals)
    if options["target"] != "none" and best < int(options["target"]):
        return None
    return tuple(seat for seat, total in enumerate(totals, 1) if total == best)


GAME = Game(
    name="khvostiki",
    title="Khvostiki",
    native="Хвостики",
    lang="ru",
    code="KHV",
    players=(2, 3, 4, 5, 6),
    usual=3,
    minutes=30,
    sample=1,
    sentence=N_("Lay runs and sets, add to anyone's rows, and take from the tail of discards what you can use."),
    clauses=clause_list("KHV", (1, 3), (2, 5), (3, 5), (4, 4), (5, 4)),
    options=(
        Option(
            "swap_scores", "KHV 3.4", "player",
            {
                "player": N_("the card given for a joker lies in the house of the player who gave it"),
                "house": N_("the card given for a joker lies where the joker lay and scores for that house"),
            },
        ),
        Option(
            "target", "KHV 5.4", "none", {"none": N_("one deal decides")}, numbers=(1, 1_000_000),
            number_reading=N_("totals add up until someone has so many points"),
        ),
    ),
    pack=lambda players: pack(packs=2, jokers=2),  # KHV 1.1
    # At most 104 natural cards and 108 times a joker are laid, at most 104 takings come before them. A card goes
    # to the tail from hand, and to hand from the stock (108) or the tail, which after k takings has lost k cards
    # for good: 104 + 103 + ... + 1.
    max_plies=lambda players, options: 104 + 108 + 104 + 108 + 104 * 105 // 2,
    next_dealer=lambda dealer, scores, options: dealer % len(scores) + 1,
    finished=_finished,
    package=__name__,
)  # fmt: skip

if TYPE_CHECKING:
    from kartoteka.engine.contract import Offers
    from kartoteka.games.khvostiki import notation, policy, refusals, rules, table

    OFFERS = Offers(rules, notation, refusals, table, policy)
