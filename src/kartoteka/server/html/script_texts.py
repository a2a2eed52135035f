"""The words that the table's script shows, in the language in force."""

from __future__ import annotations

from kartoteka.text import _


def words() -> dict[str, str]:
    """Return the script's texts by the names it knows them by; ``{n}`` and the like are filled in by the script."""
    return {
        # The line to the table.
        "lost": _("The connection is lost; trying again."),
        "gone": _("This table is no longer there."),
        "title_yours": _("▸ Your turn · {title}"),
        # Said of a card, and of a place.
        "can_take": _("can be played"),
        "put_here": _("place here"),
        "put_there": _("{place}: place here"),
        "last": _("last"),
        # Under the hand.
        "all_moves": _("All moves ({n})"),
        "moves_held": _("All moves with what you hold ({n})"),
        "which": _("Which of these do you mean?"),
        "no_move": _("No legal move takes up just this."),
        "why": _("Why not?"),
        "let_go": _("Let go"),
        "clause": _("Rule {clause}"),
        # An earlier position.
        "position": _("Position after move {ply}."),
        "position_start": _("Position before the first move."),
        "earlier": _("One move back"),
        "later": _("One move on"),
        "back": _("Back to the game"),
        "gone_on": _("The game has gone on."),
        "copied": _("Copied"),
    }
