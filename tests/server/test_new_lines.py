"""Of the log a client is told what is new, and what it puts together is all of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from kartoteka.engine.position import KEPT, Position
from kartoteka.server.html import drawing
from kartoteka.server.rooms.room import Listener
from kartoteka.server.table import messages as msg
from kartoteka.server.table.sheet import Sheet
from kartoteka.server.table.state import HUMAN
from kartoteka.server.web import sockets
from kartoteka.server.web.sockets import Conversation
from tests.server.house import whole, whole_page
from tests.server.sitting import OPEN, POINTS, Sitting, run, sitting


def always() -> bool:
    return True


@dataclass
class Client:
    """A page or a program at a table, without the wire, and what it has put together."""

    there: Sitting
    who: str
    page: bool
    sheet: Sheet | None = None
    regions: dict[str, str] = field(default_factory=dict)
    got: list[msg.Tell] = field(default_factory=list)
    talk: Conversation = field(init=False)

    def __post_init__(self) -> None:
        self.comes(0)

    def comes(self, number: int) -> None:
        """Connect, having everything up to event `number`."""
        tell = sockets.as_page if self.page else sockets.as_sheet
        past = sockets.past_page if self.page else sockets.past_sheet
        self.talk = Conversation(self.there.room, self.who, Listener(self.who), tell, past, always, always)
        self.talk._greet(number)

    @property
    def number(self) -> int:
        """The last event it has heard of."""
        return max(self.talk.have, 0)

    def hears(self) -> list[msg.Tell]:
        """Take what there is to be told."""
        self.got = self.talk.due()
        for message in self.got:
            if isinstance(message, msg.Told):
                self.sheet = whole(message.sheet, self.sheet)
            elif isinstance(message, msg.Page):
                self.regions = whole_page(message, self.regions)
        return self.got

    def has_all(self) -> None:
        """Assert that it has put together just what there is."""
        self.hears()
        sheet = self.there.sheet(self.who)
        if self.page:
            assert self.regions == drawing.regions(sheet) | {"log": drawing.log(sheet)}
        else:
            assert self.sheet == sheet


def clients(there: Sitting) -> list[Client]:
    return [Client(there, who, page) for who in ("p1", "p2", "p3", "w") for page in (False, True)]


async def something(there: Sitting, rng: Random) -> None:
    """Let anything happen at the table."""
    who, seat = rng.choice(["p1", "p2"]), rng.choice([1, 2])
    match rng.randrange(12):
        case 0:
            await there.ask(there.mover, msg.AskBack())
            await there.ask(f"p{3 - there.table.turn}", msg.AskBack())
        case 1 | 2:
            await there.ask("p1", msg.AnswerBack(True))
            await there.ask("p2", msg.AnswerBack(rng.random() < 0.8))
        case 3:
            there.ids += 1
            await there.ask(who, msg.Say(f"s{there.ids}", f"remark {there.ids}"))
        case 4:
            await there.ask(who, msg.Mute(seat, rng.random() < 0.5))
        case 5:
            await there.ask(who, msg.Substitute(int(who[1]), "greedy"))
            await there.ask(who, msg.Return())
        case _:
            await there.moves()


def once_more(there: Sitting) -> bool:
    """Whether the game goes on, or another deal of the match may be had."""
    return there.table.phase != "over" and len(there.table.match.positions) < 4  # type: ignore[union-attr]


@pytest.mark.parametrize("game", [OPEN, POINTS])
@pytest.mark.parametrize("seed", ["first", "second"])
def test_what_a_client_puts_together_is_the_whole_log(tmp_path: Path, game: str, seed: str) -> None:
    async def scene() -> None:
        rng = Random(f"{game} {seed}")
        async with sitting(tmp_path, game, HUMAN, HUMAN, *(["greedy"] if game == POINTS else [])) as there:
            readers = clients(there)
            while once_more(there):
                await something(there, rng)
                for client in readers:
                    if rng.random() < 0.5:  # the others are told of it with what comes next
                        client.has_all()
                    elif rng.random() < 0.1:
                        client.comes(client.number)
                if there.table.phase == "between":
                    if there.table.seats[-1].kind == "greedy":  # somebody else has a name
                        await there.room.sit("p3", "Somebody else")
                        there.here.enter_context(there.room.listening("p3"))
                    await there.begins()
            for client in readers:
                client.has_all()

    run(scene)


def test_a_move_brings_no_earlier_lines(tmp_path: Path) -> None:
    async def scene() -> None:
        async with sitting(tmp_path, OPEN) as there:
            await there.moves(5)
            readers = clients(there)
            for client in readers:
                assert client.hears()
            for _k in range(8):
                had = there.table.number
                await there.moves()
                for client in readers:
                    [message] = client.hears()
                    if isinstance(message, msg.Told):
                        assert [line.number for line in message.sheet.log] == [had + 1]
                        assert message.sheet.after == had
                    else:
                        assert isinstance(message, msg.Page)
                        assert "log" not in message.regions
                        assert message.lines.count("<li>") == 1
            await there.does("p1", msg.Say("s", "hello"))
            for client in readers:
                [message] = client.hears()
                if isinstance(message, msg.Told):
                    assert (len(message.sheet.log), len(message.sheet.chat)) == (0, 1)

    run(scene)


def test_all_of_it_comes_where_lines_have_changed_or_another_seat_reads_them(tmp_path: Path) -> None:
    async def scene() -> None:
        async with sitting(tmp_path, OPEN) as there:
            program, page = Client(there, "p1", page=False), Client(there, "p1", page=True)
            changes: list[Callable[[], object]] = [
                lambda: there.does(f"p{3 - there.table.turn}", msg.AskBack()),
                lambda: there.does(there.mover, msg.AnswerBack(True)),
                lambda: there.does("p1", msg.Mute(2, True)),
            ]
            await there.moves(6)
            for change, all_of_it in zip(changes, (False, True, True), strict=True):
                program.has_all()
                page.has_all()
                await change()  # type: ignore[misc]
                [told], [drawn] = program.hears(), page.hears()
                assert isinstance(told, msg.Told)
                assert isinstance(drawn, msg.Page)
                assert (told.sheet.after == 0) == ("log" in drawn.regions) == all_of_it
            program.who = program.talk.who = "p2"
            [told] = program.hears()
            assert isinstance(told, msg.Told)
            assert told.sheet.after == 0

    run(scene)


def test_looking_back_plays_no_deal_again_from_the_first_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with sitting(tmp_path, OPEN) as there:
            await there.moves(60)
            table, readers = there.table, clients(there)
            assert table.position
            last = table.position.ply
            for client in readers:
                client.hears()
            pushed, push = [], Position.push

            def counted(position: Position, move: object) -> object:
                pushed.append(move)
                return push(position, move)  # type: ignore[arg-type]

            monkeypatch.setattr(Position, "push", counted)
            for ply in (0, last // 2, last - 1, last):
                for client in readers:
                    pushed.clear()
                    client.talk._look(ply)
                    [message] = client.hears()
                    assert isinstance(message, msg.Past)
                    assert message.ply == ply
                    assert len(pushed) < KEPT
            drawn, cards = [], drawing.cards

            def counted_cards(sheet: Sheet) -> dict[str, str]:
                drawn.append(sheet)
                return cards(sheet)

            monkeypatch.setattr(drawing, "cards", counted_cards)
            for client in readers:
                client.talk._look(1)
                client.hears()
            assert len(drawn) == 3  # p1, p2, and those who watch, who see the same

    run(scene)
