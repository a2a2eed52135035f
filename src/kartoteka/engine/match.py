"""Matches: several deals, the deal passing as the game says, to a target or as the best of so many."""

from __future__ import annotations

from collections.abc import Sequence

from kartoteka.engine.errors import UsageError
from kartoteka.engine.moves import leaders
from kartoteka.engine.position import Position
from kartoteka.engine.variant import Variant
from kartoteka.text import _


def standing(
    variant: Variant, scores: Sequence[Sequence[float]], best_of: int | None = None
) -> tuple[int, ...] | None:
    """Return who has won after deals with these `scores`; an empty tuple for a draw, None if it goes on.

    A game for points says itself when its match is decided. Any other is won by more games than the other, over
    `best_of` games; without `best_of`, over just the games given.
    """
    if not scores:
        return None
    if variant.game.finished:
        totals = [sum(column) for column in zip(*scores, strict=True)]
        return variant.game.finished(totals, variant.options)
    wins = [0] * variant.players
    for deal in scores:
        for seat in leaders(deal):
            wins[seat - 1] += 1
    if best_of and len(scores) < best_of and 2 * max(wins) <= best_of:
        return None
    return leaders(wins)


class Match:
    """A match in play. It changes as its `position` is played and `next_deal` is called.

    Attributes
    ----------
    variant : Variant
    seed : object
        Names all chance of the match: equal seeds and moves, equal matches.
    best_of : int
        How many games at most, in a game that is not played for points.
    positions : list of Position
        The deals, the last one in play.
    """

    def __init__(self, variant: Variant, seed: object, best_of: int = 1) -> None:
        if best_of < 1:
            raise UsageError(_("A match is the best of 1 game or more, not of {n}.").format(n=best_of))
        if best_of > 1 and variant.game.finished:
            raise UsageError(
                _("{game} is played for points; set its option target rather than a number of games.").format(
                    game=variant.game.title
                )
            )
        self.variant, self.seed, self.best_of = variant, seed, best_of
        self.positions = [self._deal(None)]

    def _deal(self, dealer: int | None) -> Position:
        number = len(getattr(self, "positions", ())) + 1
        return self.variant.deal(seed=f"{self.seed}/{number}", dealer=dealer)

    @property
    def position(self) -> Position:
        """The deal in play."""
        return self.positions[-1]

    @property
    def totals(self) -> tuple[float, ...]:
        """The total of each seat over the finished deals."""
        done = [p.scores for p in self.positions if p.over]
        return tuple(sum(column) for column in zip(*done, strict=True)) or (0,) * self.variant.players

    @property
    def wins(self) -> tuple[int, ...]:
        """How many finished deals each seat has won alone."""
        leading = [leaders(p.scores) for p in self.positions if p.over]
        return tuple(leading.count((seat,)) for seat in range(1, self.variant.players + 1))

    @property
    def winners(self) -> tuple[int, ...] | None:
        """Who has won: None while the match goes on, empty for a draw."""
        if not self.position.over:
            return None
        return standing(self.variant, [p.scores for p in self.positions], self.best_of)

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        return self.winners is not None

    def next_deal(self) -> Position:
        """Deal again when a deal has ended and the match goes on; return the new position."""
        if not self.position.over or self.over:
            raise UsageError(_("There is no next deal now."))
        choose = self.variant.game.next_dealer
        last = self.position
        dealer = choose(last.dealer, last.scores, self.variant.options) if choose else None
        self.positions.append(self._deal(dealer))
        return self.position

    def undo(self, ply: int) -> None:
        """Take the deal in play back to the position after `ply` moves."""
        self.positions[-1] = self.position.at(ply)
