"""A game in the terminal: one loop that asks people, lets computers move, and tells what happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape

from kartoteka.engine import rulebook
from kartoteka.engine.errors import AmbiguousMove, MoveError, UsageError
from kartoteka.engine.match import Match
from kartoteka.engine.moves import Move
from kartoteka.engine.position import Position
from kartoteka.engine.record import Seat
from kartoteka.engine.telling import label, tell
from kartoteka.players import move_of
from kartoteka.terminal import drawing, wording
from kartoteka.terminal.common import HUMAN
from kartoteka.text import _, listed, printable

LONG = 14
"""Lists of more lines than this push the table off a small screen and are shown when asked for."""


class Quit(Exception):
    """The person leaves; the game is kept."""


class Session:
    """A match being played at this terminal.

    `keep` is called after every move, so that whatever ends the process loses nothing.
    """

    def __init__(self, console: Console, match: Match, seats: Sequence[Seat], keep: Callable[[], None]) -> None:
        self.console, self.match, self.seats, self.keep = console, match, list(seats), keep
        self.names = [printable(seat.name) for seat in seats]
        self.humans = [k for k, seat in enumerate(seats, 1) if seat.kind == HUMAN]
        self.looking = self.humans[0] if len(self.humans) == 1 else 0
        """The seat whose view may be on the screen; 0 when it must be shown to somebody first."""

    @property
    def position(self) -> Position:
        """The deal in play."""
        return self.match.position

    def run(self) -> None:
        """Play to the end of the match; raise `Quit` when the person leaves before."""
        self.keep()
        while not self.match.over:
            if self.position.over:
                self._say_result()
                self.match.next_deal()
                self.keep()
            elif self.position.turn in self.humans:
                self._ask()
            else:
                self._play(move_of(self.match, self.seats[self.position.turn - 1].kind))
        self._say_result()
        self._say_winners()

    # --- moves -----------------------------------------------------------------------------------------

    def _play(self, move: Move) -> None:
        before = self.position.copy()
        self.position.push(move)
        self.keep()
        self._line(tell(before, move, self.position, self.names, self.looking))

    def _input(self, prompt: str) -> str:
        """Ask for a line; a person who closes the terminal or interrupts leaves the table."""
        try:
            return self.console.input(prompt).strip()[:200]
        except (EOFError, KeyboardInterrupt):
            raise Quit from None

    def _ask(self) -> None:
        seat = self.position.turn
        self._hand_over(seat)
        self._show(seat)
        while True:
            typed = self._input(f"[bold]{escape(self.names[seat - 1])}[/] › ")
            if not typed and len(self.position.moves) == 1:
                typed = "1"
            if self._command(typed):
                if self.position.turn != seat:
                    return
                continue
            try:
                move = wording.understand(self.position, typed)
            except MoveError as error:
                self._refuse(error)
                continue
            self._play(move)
            return

    def _hand_over(self, seat: int) -> None:
        """Clear the screen between two people at one terminal where a hand is hidden from the next."""
        if self.looking == seat:
            return
        secret = any("??" in z.cards for z in self.position.view().zones if z.kind == "hand")
        if secret and len(self.humans) > 1:
            self.console.clear()
            if self.console.is_terminal and not self.console.is_dumb_terminal:
                self.console.file.write("\x1b[3J")  # what was scrolled away too
            else:
                self.console.print("\n" * 100)
            prompt = _("{name}, press Enter when only you look at the screen. ").format(name=self.names[seat - 1])
            if self._input(escape(prompt)).casefold() in ("quit", "exit"):
                raise Quit
            mine = [event.ply for event in self.position.history if event.seat == seat]
            self._say(wording.log(self.position, self.names, seat)[max(mine, default=-1) + 1 :])
        self.looking = seat

    # --- commands --------------------------------------------------------------------------------------

    def _command(self, typed: str) -> bool:
        """Carry out a word that is no move; return whether it was one."""
        word, _space, rest = typed.partition(" ")
        match word.casefold():
            case "":
                self._show(self.position.turn)
            case "?" | "help":
                self._explain(rest)
            case _ if word.startswith("?"):
                self._explain(typed[1:])
            case "moves":
                moves = wording.fitting(self.position, rest) if rest else list(self.position.moves)
                self._list(moves)
            case "log":
                told = wording.log(self.position, self.names, self.position.turn)
                self._say(told or [_("Nothing has been played yet.")])
            case "undo":
                self._undo()
            case "quit" | "exit":
                raise Quit
            case _:
                return False
        return True

    def _explain(self, clause: str) -> None:
        game, view = self.position.game, self.position.view(self.position.turn)
        if clause.strip():
            try:
                self.console.print(Markdown(rulebook.look_up(game, clause)))
            except UsageError as error:
                self._line(str(error))
            return
        for line in (
            _("Choose a move by its number, by its notation ({example}), or by words of its description."),
            _("moves lists the moves; moves and a word, such as a card, only those."),
            _("? {clause} shows a clause; ? notation, ? turn or the name of another section shows that."),
            _("log tells the game so far; undo takes back your last move, where nothing hidden came to light by it."),
            _("Enter shows the table again; quit leaves, the game is kept, and you can go on later."),
            "",
            *drawing.legend(view),
        ):
            self._line(line.format(example=self.position.moves[0], clause=game.clauses[0]))

    def _undo(self) -> None:
        history = self.position.history
        mine = [e.ply for e in history if e.seat in self.humans]
        if not mine:
            self._line(_("There is no move of yours to take back in this deal."))
            return
        earlier = self.position.at(mine[-1])
        if earlier.reveals(self.position):
            self._line(_("That cannot be taken back: something hidden has come to light since."))
            return
        self.match.undo(mine[-1])
        self.keep()
        self._line(_("Taken back to move {ply}.").format(ply=mine[-1] + 1))
        if self.position.turn in self.humans and len(self.humans) == 1:
            self._show(self.position.turn)

    # --- saying ----------------------------------------------------------------------------------------

    def _line(self, text: str) -> None:
        self.console.print(escape(text))

    def _say(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._line(line)

    def _refuse(self, error: MoveError) -> None:
        self.console.print(f"[bold red]✗[/] {escape(error.reason)} ({escape(error.clause)}).")
        if isinstance(error, AmbiguousMove):
            self._list([m for m in self.position.moves if m in error.legal])
        else:
            self._line(error.advice)
            self._line(_("? {clause} shows it.").format(clause=error.clause))

    def _show(self, seat: int) -> None:
        position = self.position
        title = f"{position.game.title} · {self._standing()}" + _("move {n}").format(n=position.ply + 1)
        self.console.print(drawing.table_of(position.view(seat), self.names, title))
        moves = list(position.moves)
        if len(moves) == 1:
            self._line(
                _("Your only move is {move} ({label}): press Enter.").format(
                    move=moves[0], label=label(position, moves[0])
                )
            )
        elif not self._list(moves, most=LONG):
            self._line(
                _("{n} moves: type moves to list them, or moves and a word of them, such as a card.").format(
                    n=len(moves)
                )
            )

    def _list(self, moves: Sequence[Move], most: int = 1000) -> bool:
        """Print moves with their numbers; nothing, and return False, if that takes more than `most` lines."""
        everything = list(self.position.moves)
        rows = [(everything.index(m) + 1, m, label(self.position, m)) for m in moves]
        if not rows:
            self._line(_("No move is described so."))
            return True
        listed_, height = drawing.choices(self.console, rows)
        if height > most:
            return False
        self.console.print(listed_)
        return True

    def _standing(self) -> str:
        """Say how the match stands, where it has more than one deal."""
        match = self.match
        if match.variant.game.finished is None and match.best_of == 1:
            return ""
        counts = match.totals if match.variant.game.finished else match.wins
        if len(match.positions) == 1 and not any(counts):
            return ""
        standing = " : ".join(map(str, counts))
        return _("deal {deal}, {standing} · ").format(deal=len(match.positions), standing=standing)

    def _say_result(self) -> None:
        outcome, match = self.position.outcome, self.match
        if outcome is None:
            return
        view = self.position.view(self.looking if len(self.humans) == 1 else 0)
        self.console.print(drawing.table_of(view, self.names, self.position.game.title))
        self._line(f"{outcome.reason} ({outcome.clause})")
        several = len(match.positions) > 1 or not match.over
        counts = match.totals if match.variant.game.finished else match.wins
        for name, score, total in zip(self.names, outcome.scores, counts, strict=True):
            told = (
                _("{name}: {score}, in all {total}")
                if match.variant.game.finished
                else _("{name}: {score}, games won {total}")
            )
            told = told if several else _("{name}: {score}")
            self._line(told.format(name=name, score=score, total=total))
        if not match.over and self.humans:
            self._input(escape(_("Press Enter for the next deal. ")))

    def _say_winners(self) -> None:
        winners = [self.names[seat - 1] for seat in self.match.winners or ()]
        if winners:
            self._line(_("Won by {names}.").format(names=listed(winners, "and")))
        else:
            self._line(_("A draw."))
