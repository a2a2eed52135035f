"""A game in the terminal: one loop that asks people, lets computers move, and tells what happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape

from kartoteka.cards import tidy
from kartoteka.engine import rulebook
from kartoteka.engine.errors import AmbiguousMove, MalformedMove, MoveError, UsageError
from kartoteka.engine.match import Match
from kartoteka.engine.moves import Move
from kartoteka.engine.position import Position
from kartoteka.engine.record import Seat
from kartoteka.players import move_of
from kartoteka.terminal import draw
from kartoteka.text import _, listed

HUMAN = "human"


class Leave(Exception):
    """The person leaves; the game is kept."""


class Session:
    """A match being played at this terminal.

    `keep` is called after every move, so that whatever ends the process loses nothing.
    """

    def __init__(self, console: Console, match: Match, seats: Sequence[Seat], keep: Callable[[], None]) -> None:
        self.console, self.match, self.seats, self.keep = console, match, list(seats), keep
        self.names = [seat.name for seat in seats]
        self.humans = [k for k, seat in enumerate(seats, 1) if seat.kind == HUMAN]
        self.looking = self.humans[0] if len(self.humans) == 1 else 0
        """The seat whose view may be on the screen; 0 when it must be shown to somebody first."""

    @property
    def position(self) -> Position:
        """The deal in play."""
        return self.match.position

    def run(self) -> None:
        """Play to the end of the match; raise `Leave` when the person leaves before."""
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
        self._say(self._told(before, move, self.position, self.looking))

    def _told(self, before: Position, move: Move, after: Position, viewer: int) -> list[str]:
        tell = before.game.module("notation").tell
        lines: list[str] = tell(before.state, move.number, after.state, self.names, viewer - 1)
        return lines

    def _ask(self) -> None:
        seat = self.position.turn
        self._hand_over(seat)
        self._show(seat)
        while True:
            try:
                typed = self.console.input(f"[bold]{escape(self.names[seat - 1])}[/] › ").strip()
            except (EOFError, KeyboardInterrupt):
                raise Leave from None
            if self._command(typed):
                if self.position.turn != seat:
                    return
                continue
            try:
                move = self._understand(typed)
            except MoveError as error:
                self._refuse(error)
                continue
            self._play(move)
            return

    def _hand_over(self, seat: int) -> None:
        """Clear the screen between two people at one terminal where a hand is hidden from the next."""
        if self.looking == seat:
            return
        secret = any("??" in z.cards for z in self.position.view(seat).zones if z.kind == "hand")
        if secret and len(self.humans) > 1:
            self.console.clear()
            prompt = _("{name}, press Enter when only you look at the screen. ").format(name=self.names[seat - 1])
            try:
                self.console.input(escape(prompt))
            except (EOFError, KeyboardInterrupt):
                raise Leave from None
            self.looking = seat
            if self.position.history:
                self._say(self._log(seat)[-len(self.seats) :])
        self.looking = seat

    def _understand(self, typed: str) -> Move:
        """Return the move meant by a number of the list, by notation, or by a few words of its description."""
        moves = list(self.position.moves)
        if typed.isdecimal() and 1 <= int(typed) <= len(moves):
            return moves[int(typed) - 1]
        try:
            return self.position.verify(tidy(typed))
        except MalformedMove:
            words = typed.casefold().split()
            fit = [m for m in moves if words and all(w in self._label(m).casefold() for w in words)]
            if len(fit) == 1:
                return fit[0]
            if not fit:
                raise
            reason = _("these words fit several moves")
            clause = f"{self.position.game.code} notation"
            raise AmbiguousMove(typed, self.position.where, clause, reason, fit) from None

    def _label(self, move: Move) -> str:
        label: str = self.position.game.module("notation").label(self.position.state, move.number)
        return label

    # --- commands --------------------------------------------------------------------------------------

    def _command(self, typed: str) -> bool:
        """Carry out a word that is no move; return whether it was one."""
        word, _space, rest = typed.partition(" ")
        match word.casefold():
            case "":
                self._show(self.position.turn)
            case "?" | "help":
                self._explain(rest)
            case "log":
                self._say(self._log(self.position.turn) or [_("Nothing has been played yet.")])
            case "undo":
                self._undo()
            case "quit" | "exit":
                raise Leave
            case _:
                return False
        return True

    def _explain(self, clause: str) -> None:
        if clause:
            try:
                self.console.print(Markdown(rulebook.look_up(self.position.game, clause)))
            except UsageError as error:
                self._line(str(error))
            return
        game = self.position.game
        for line in (
            _("Choose a move by its number, by its notation ({example}), or by a few words of its description."),
            _("? {clause} shows a clause or a section of the rulebook, ? a turn and ? notation too."),
            _("log tells the game so far, undo takes back your last move if nothing hidden came to light."),
            _("Enter shows the table again, quit leaves; the game is kept and you can go on later."),
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

    def _log(self, viewer: int) -> list[str]:
        """Tell the deal so far to `viewer`, a line a move."""
        lines = []
        replayed = self.position.at(0)
        orders = iter(self.position.shuffles)
        replayed._seed = None
        for event in self.position.history:
            before = replayed.copy()
            replayed.push(event.move)
            if replayed.waiting:
                replayed.reshuffle(next(orders))
            lines.append(f"{event.ply + 1}. " + " ".join(self._told(before, event.move, replayed, viewer)))
        return lines

    # --- saying ----------------------------------------------------------------------------------------

    def _line(self, text: str) -> None:
        self.console.print(escape(text))

    def _say(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._line(line)

    def _refuse(self, error: MoveError) -> None:
        self.console.print(f"[bold red]✗[/] {escape(error.reason)} ({escape(error.clause)}).")
        self._line(error.advice)
        self._line(_("? {clause} shows the clause.").format(clause=error.clause))

    def _show(self, seat: int) -> None:
        position = self.position
        title = f"{position.game.title} · " + _("move {n}").format(n=position.ply + 1)
        self.console.print(draw.table_of(position.view(seat), self.names, title))
        moves = list(position.moves)
        self.console.print(draw.choices(self.console, moves, [self._label(m) for m in moves]))

    def _say_result(self) -> None:
        outcome = self.position.outcome
        if outcome is None:
            return
        self.console.print(draw.table_of(self.position.view(self.looking), self.names, self.position.game.title))
        self._line(f"{outcome.reason} ({outcome.clause})")
        pairs = zip(self.names, outcome.scores, self.match.totals, strict=True)
        for name, score, total in pairs:
            self._line(_("{name}: {score}, in all {total}").format(name=name, score=score, total=total))

    def _say_winners(self) -> None:
        winners = [self.names[seat - 1] for seat in self.match.winners or ()]
        if winners:
            self._line(_("Won by {names}.").format(names=listed(winners, _("and"))))
        else:
            self._line(_("A draw."))
