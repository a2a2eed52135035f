"""Abroasta: rows from ace to king, built by everyone, taken by whoever lays the king."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kartoteka.cards import pack
from kartoteka.engine.declare import Game, Option, Value, clause_list
from kartoteka.text import N_


def _packs(players: int) -> int:
    """ABR 1.1: one pack for every four players or part of four."""
    return -(-players // 4)


def _finished(totals: Sequence[float], options: Mapping[str, Value]) -> tuple[int, ...] | None:
    """ABR 4.2: the target reached and one total the highest; a shared highest total wants another deal."""
    best = max(totals)
    won = tuple(seat for seat, total in enumerate(totals, 1) if total == best)
    return won if best >= int(options["target"]) and len(won) == 1 else None


GAME = Game(
    name="abroasta",
    title="Abroasta",
    native="Abroasta",
    code="ABR",
    players=tuple(range(2, 13)),
    usual=4,
    minutes=10,
    sample=8,
    sentence=N_("Everyone builds on everyone's rows; whoever lays the king of a full row takes it."),
    clauses=clause_list("ABR", (1, 4), (2, 5), (3, 3), (4, 2)),
    options=(
        Option(
            "king_takes", "ABR 2.5", "full",
            {
                "full": N_("a king takes only a row that runs from ace to king"),
                "any": N_("a king laid on any row of at least one other card takes it"),
            },
        ),
        Option(
            "opening", "ABR 3.2", "forced",
            {
                "forced": N_("a player who can lay a card must, even if that opens a row"),
                "free": N_("a player who could only open a row may pass instead"),
            },
        ),
        Option(
            "target", "ABR 4.2", 100, numbers=(1, 1_000_000),
            number_reading=N_("so many points win the match"),
        ),
    ),
    pack=lambda players: pack(_packs(players)),
    # Between two laid cards at most every other player passes (ABR 3.3).
    max_plies=lambda players, options: (52 * _packs(players) + 1) * players,
    next_dealer=lambda dealer, scores, options: dealer % len(scores) + 1,  # ABR 1.4: clockwise
    finished=_finished,
    package=__name__,
)  # fmt: skip

if TYPE_CHECKING:
    from kartoteka.engine.contract import Offers
    from kartoteka.games.abroasta import notation, policy, refusals, rules, table

    OFFERS = Offers(rules, notation, refusals, table, policy)
