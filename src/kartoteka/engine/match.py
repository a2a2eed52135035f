"""Matches: several deals, the deal passing as the game says, to a target or as the best of so many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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


def dealer_due(variant: Variant, dealer: int | None = None, scores: Sequence[float] = ()) -> int | None:
    """Return the seat that a rule names to deal after `dealer`, whose deal ended with `scores`; None: it is by lot.

    Without `dealer` it is a match's first deal.
    """
    game = variant.game
    if game.fixed_dealer or not game.next_dealer or dealer is None:
        return game.fixed_dealer
    return game.next_dealer(dealer, scores, variant.options)


class Match:
    """A match in play. It changes as its `position` is played and `next_deal` is called.

    `Match(variant, seed)` takes all its chance from the seed and has its first deal; `Match.of` begins with the deals
    that it is given, or none, and others are added to it as they are dealt elsewhere.

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
        self._set(variant, seed, best_of)
        self.positions.append(self._deal(None))

    @classmethod
    def of(cls, variant: Variant, seed: object = None, best_of: int = 1, positions: Iterable[Position] = ()) -> Match:
        """Return a match of deals made elsewhere, in order; there may be none yet.

        Raises
        ------
        UsageError
            As `add` does, or if such a match is not to be had in this game.
        """
        match = cls.__new__(cls)
        match._set(variant, seed, best_of)
        for position in positions:
            match.add(position)
        return match

    def _set(self, variant: Variant, seed: object, best_of: int) -> None:
        if best_of < 1:
            raise UsageError(_("A match is the best of 1 game or more, not of {n}.").format(n=best_of))
        if best_of > 1 and variant.game.finished:
            raise UsageError(
                _("{game} is played for points; set its option target rather than a number of games.").format(
                    game=variant.game.title
                )
            )
        self.variant, self.seed, self.best_of = variant, seed, best_of
        self.positions: list[Position] = []

    def _deal(self, dealer: int | None) -> Position:
        return self.variant.deal(seed=f"{self.seed}/{len(self.positions) + 1}", dealer=dealer)

    @property
    def position(self) -> Position:
        """The deal in play; raise `UsageError` before the first."""
        if not self.positions:
            raise UsageError(_("Nothing has been dealt yet."))
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
        if not self.positions or not self.position.over:
            return None
        return standing(self.variant, [p.scores for p in self.positions], self.best_of)

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        return self.winners is not None

    @property
    def next_dealer(self) -> int | None:
        """The seat that a rule names to deal next, None where it is by lot; once the match is over, in a rematch.

        Raises
        ------
        UsageError
            While a deal is in play.
        """
        if not self.positions:
            return dealer_due(self.variant)
        last = self.position
        if not last.over:
            raise UsageError(_("There is no next deal now."))
        return dealer_due(self.variant, last.dealer, last.scores)

    def add(self, position: Position) -> None:
        """Add the next deal.

        Raises
        ------
        UsageError
            If the deal in play has not ended, the match is over, or the new deal is of another game, number of
            players or options, or dealt by another seat than a rule names.
        """
        due = self.next_dealer
        if self.over:
            raise UsageError(_("There is no next deal now."))
        if position.variant != self.variant:
            raise UsageError(_("This deal is of another game, number of players or options than its match."))
        if due not in (None, position.dealer):
            raise UsageError(_("Seat {due} is to deal, not seat {seat}.").format(due=due, seat=position.dealer))
        self.positions.append(position)

    def next_deal(self) -> Position:
        """Deal again when a deal has ended and the match goes on; return the new position."""
        self.add(self._deal(self.next_dealer))
        return self.position

    def undo(self, ply: int) -> None:
        """Take the deal in play back to the position after `ply` moves."""
        self.positions[-1] = self.position.at(ply)
