"""What people may do at a table, and what they are told when they may not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kartoteka.engine import record as records
from kartoteka.engine import registry
from kartoteka.engine.declare import Game
from kartoteka.server.html import drawing
from kartoteka.server.table import events as ev
from kartoteka.server.table import messages as msg
from kartoteka.server.table.decide import Refusal
from kartoteka.server.table.state import HUMAN, Table
from tests.server.house import folded
from tests.server.sitting import GAMES, HIDDEN, OPEN, POINTS, Clock, Sitting, run, settled, sitting

Scene = Callable[[Sitting], Any]


@pytest.fixture
def at(tmp_path: Path) -> Callable[..., Callable[[Scene], None]]:
    """A table at which a scene is played: ``@at(GAME, "human", "greedy")`` before it."""

    def table(game: str, *kinds: str, **more: Any) -> Callable[[Scene], None]:
        def play(scene: Scene) -> None:
            async def played() -> None:
                async with sitting(tmp_path, game, *kinds, **more) as there:
                    await scene(there)

            run(played)

        return play

    return table


At = Callable[..., Callable[[Scene], None]]


# --- moves ---------------------------------------------------------------------------------------------------


def test_a_move_answers_the_present_table(at: At) -> None:
    @at(OPEN)
    async def scene(there: Sitting) -> None:
        first, seen = there.next_move(), there.table.number
        await there.does(there.mover, first)
        await there.moves()
        late = msg.Play("late", seen, there.next_move().move)
        assert "changed" in (await there.refuses(there.mover, late)).reason
        early = msg.Play("early", there.table.number + 1, late.move)
        await there.refuses(there.mover, early)
        await there.does(there.mover, msg.Play("now", there.table.number, late.move))


def test_talk_does_not_make_a_move_stale(at: At) -> None:
    @at(OPEN)
    async def scene(there: Sitting) -> None:
        move = there.next_move()
        await there.does("p1", msg.Say("s", "hm"))
        await there.does(there.mover, move)


def test_a_resend_is_harmless(at: At) -> None:
    @at(OPEN)
    async def scene(there: Sitting) -> None:
        who, move = there.mover, there.next_move()
        done = await there.does(who, move)
        assert await there.does(who, move) == done
        await there.moves(2)
        number = there.table.number
        assert await there.does(who, move) == done
        assert there.table.number == number
        said = await there.does("p1", msg.Say("s", "once"))
        assert await there.does("p1", msg.Say("s", "once")) == said
        assert [remark.text for remark in there.sheet("p1").chat] == ["once"]


def test_only_the_person_to_move_moves(at: At) -> None:
    @at(HIDDEN)
    async def scene(there: Sitting) -> None:
        move, mover, other = there.next_move(), there.mover, f"p{3 - there.table.turn}"
        assert there.sheet(mover).choices
        assert not there.sheet(other).choices
        assert not there.sheet("w").choices
        assert "not your turn" in (await there.refuses(other, move)).reason
        assert "watch" in (await there.refuses("w", move)).reason
        for message in (msg.AskBack(), msg.NewDeal(), msg.Leave(), msg.End(), msg.Return(), msg.Mute(1, True)):
            await there.refuses("w", message)
        refused = await there.refuses(mover, msg.Play("no", there.table.number, "nonsense"))
        assert refused.clause
        assert refused.advice


def test_a_seat_that_the_computer_plays_is_not_moved_by_its_owner(at: At) -> None:
    @at(OPEN)
    async def scene(there: Sitting) -> None:
        there.room._pace = 1e6
        mover = there.mover
        await there.does(mover, msg.Substitute(there.table.turn))
        assert "computer" in (await there.refuses(mover, there.next_move())).reason
        assert not there.sheet(mover).choices
        await there.does(mover, msg.Return())
        assert there.sheet(mover).choices
        await there.moves()


def test_what_hands_mean_is_made_or_refused_with_its_clause(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    @at(OPEN)
    async def scene(there: Sitting) -> None:
        table = registry.find(OPEN).table
        await there.moves()
        here = there.sheet(there.mover)
        legal = next(choice for choice in here.choices if choice.takes and choice.puts)
        elsewhere = [z.name + "/" + c.name for z in here.view.zones for c in z.cells if c.card] if here.view else []
        refused = await there.refuses(there.mover, msg.Try("t", here.number, legal.takes, elsewhere[0]))
        assert refused.clause.startswith(registry.find(OPEN).code)
        await there.refuses(there.mover, msg.Try("t", here.number, ("nowhere",), "nothing"))
        monkeypatch.setattr(table, "meant", lambda *_hand: [str(c.move) for c in here.choices[:2]])
        assert "several" in (await there.refuses(there.mover, msg.Try("t", here.number))).reason
        monkeypatch.undo()
        done = await there.does(there.mover, msg.Try("t", here.number, legal.takes, legal.puts))
        assert there.table.number == done.number
        assert str(there.table.position.history[-1].move) == legal.move  # type: ignore[union-attr]


# --- takebacks -----------------------------------------------------------------------------------------------


def test_a_move_is_taken_back_by_consent(at: At) -> None:
    @at(OPEN)
    async def scene(there: Sitting) -> None:
        assert there.table.position
        before, mover, other = there.table.position.to_bytes(), there.mover, f"p{3 - there.table.turn}"
        await there.refuses(mover, msg.AskBack())
        await there.moves()
        seen = there.table.number
        await there.refuses(other, msg.AnswerBack(True))
        await there.does(mover, msg.AskBack())
        assert there.sheet(other).asking
        await there.refuses(mover, msg.AskBack())
        await there.does(other, msg.AnswerBack(False))
        assert not there.sheet(other).asking
        await there.does(mover, msg.AskBack())
        await there.does(other, msg.AnswerBack(True))
        assert there.table.position.to_bytes() == before
        assert there.mover == mover
        await there.refuses(mover, msg.Play("x", seen, there.next_move().move))
        await there.moves()
        await there.does(mover, msg.AskBack())
        await there.moves()
        assert not there.sheet(mover).asking
        await there.refuses(other, msg.AnswerBack(True))


def test_nothing_is_taken_back_once_something_hidden_came_to_light(at: At) -> None:
    @at(HIDDEN)
    async def scene(there: Sitting) -> None:
        mover = there.mover
        assert there.table.position
        hidden = [there.table.position.hidden(seat) for seat in (0, 1, 2)]
        await there.moves()
        assert [there.table.position.hidden(seat) for seat in (0, 1, 2)] != hidden
        assert there.sheet(mover).takeback == -1
        assert "hidden" in (await there.refuses(mover, msg.AskBack())).reason


def test_the_computer_consents(at: At) -> None:
    @at(OPEN, HUMAN, "greedy")
    async def scene(there: Sitting) -> None:
        ply = there.table.position.ply if there.table.position else -1
        await there.moves()
        await there.does("p1", msg.AskBack())
        assert there.table.position
        assert there.table.position.ply == ply
        assert there.mover == "p1"


# --- absence and time ----------------------------------------------------------------------------------------


def test_whoever_is_away_is_shown_so_and_may_be_replaced(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    @at(OPEN, patience=60)
    async def scene(there: Sitting) -> None:
        await there.refuses("p1", msg.Substitute(2))
        await there.refuses("p1", msg.End())
        there.here.close()
        with there.room.listening("p1"):
            await clock.move(19, there.room)
            assert not there.sheet("p1").chairs[1].away
            await clock.move(1, there.room)
            assert there.sheet("p1").chairs[1].away >= 20
            assert not there.sheet("p1").gone
            await there.refuses("p1", msg.Substitute(2))
            await there.refuses("w", msg.Substitute(2))
            await clock.move(41, there.room)
            assert there.sheet("p1").gone == 2
            assert not there.sheet("w").gone
            there.room._pace = 1e6
            await there.does("p1", msg.Substitute(2))
            assert there.sheet("p1").chairs[1].owner == "Name 2"
            await there.refuses("p1", msg.Substitute(2))
            with there.room.listening("p2"):
                await there.does("p2", msg.Return())
                assert there.sheet("p1").chairs[1].kind == HUMAN
                assert not there.sheet("p1").chairs[1].away
                await there.refuses("p1", msg.End())
            await clock.move(61, there.room)
            await there.does("p1", msg.End())
            assert there.table.phase == "over"
            assert there.sheet("p1").record
            assert there.sheet("p1").winners == ()


def test_a_move_that_takes_too_long_is_made_by_the_computer(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    @at(OPEN, per_move=30)
    async def scene(there: Sitting) -> None:
        mover, number = there.table.turn, there.table.number
        assert 29_000 < there.sheet("p1").deadline <= 30_000
        await clock.move(29, there.room)
        assert there.table.number == number
        await clock.move(2, there.room)
        assert there.table.turn != mover
        made = (await there.hall.store.events(there.table.code))[-1][1]
        assert isinstance(made, ev.Moved)
        assert made.late
        assert "time" in there.sheet("w").log[-1].text


# --- matches -------------------------------------------------------------------------------------------------


def test_in_a_rematch_the_deal_passes_as_the_rules_say(at: At) -> None:
    @at(HIDDEN)
    async def scene(there: Sitting) -> None:
        await there.refuses("p1", msg.NewDeal())
        await there.plays_out()
        first, match = there.sheet("p1"), there.table.match
        assert match
        due = match.next_dealer
        assert first.phase == "over"
        await there.begins()
        assert there.table.position
        assert due in (None, there.table.position.dealer)
        assert there.sheet("p1").deal == 1
        assert not there.sheet("p1").record
        await there.plays_out()
        for id in (first.record, there.sheet("p2").record):
            kept = await there.hall.store.record(id)
            assert kept
            records.check(records.read(kept.body))
        assert first.record != there.sheet("p2").record


def test_the_best_of_three_games_has_two_won(at: At) -> None:
    @at(OPEN, best_of=3)
    async def scene(there: Sitting) -> None:
        while not there.table.record_id:
            await there.plays_out()
            if there.table.phase == "between":
                assert max(chair.wins for chair in there.sheet("w").chairs) < 2
                await there.begins()
        sheet = there.sheet("w")
        assert max(chair.wins for chair in sheet.chairs) == 2 or sheet.deal == 3
        kept = await there.hall.store.record(sheet.record)
        assert kept
        assert len(records.read(kept.body).deals) == sheet.deal >= 2


def test_a_match_for_points_goes_over_deals(at: At) -> None:
    @at(POINTS, HUMAN, "greedy", "greedy", options={"target": 60})
    async def scene(there: Sitting) -> None:
        await there.does("p1", msg.Substitute(1))
        while not there.table.record_id:
            assert there.table.phase == "between"
            assert not there.sheet("w").winners
            dealer, match = there.table.position.dealer if there.table.position else 0, there.table.match
            assert match
            due = match.next_dealer
            await there.does("p1", msg.NewDeal())
            assert there.table.position
            assert there.table.position.dealer == due != dealer
        sheet = there.sheet("w")
        assert sheet.deal > 1
        assert sheet.winners
        kept = await there.hall.store.record(sheet.record)
        assert kept
        records.check(records.read(kept.body))


# --- talk ----------------------------------------------------------------------------------------------------


def test_talk_is_escaped_tidied_and_muted(at: At) -> None:
    @at(OPEN, begun=False)
    async def scene(there: Sitting) -> None:
        await there.does("p2", msg.Say("a", "<script>x</script> \x1b[2J\n&"))
        assert there.sheet("p1").chat[0].text == "<script>x</script> [2J &"
        drawn = drawing.regions(there.sheet("p1"))["chat"]
        assert "<script" not in drawn
        assert "&lt;script&gt;x&lt;/script&gt;" in drawn
        await there.refuses("p2", msg.Say("b", "   "))
        assert "Only those who sit" in (await there.refuses("w", msg.Say("c", "psst"))).reason
        await there.does("p1", msg.Mute(2, True))
        assert not there.sheet("p1").chat
        assert there.sheet("p2").chat
        assert there.sheet("w").chat
        await there.does("p1", msg.Mute(2, False))
        assert there.sheet("p1").chat
        await there.refuses("p1", msg.Mute(1, True))
        await there.refuses("p1", msg.Mute(9, True))


def test_spectators_talk_where_the_host_allows_it(at: At) -> None:
    @at(OPEN, spectators_chat=True)
    async def scene(there: Sitting) -> None:
        await there.does("w", msg.Say("a", "psst"))
        assert there.sheet("p1").chat[0].seat == 0
        await there.does("another", msg.Say("a", "oh"))
        assert len(there.sheet("p1").chat) == 2
        await there.does("p1", msg.Mute(0, True))
        assert not there.sheet("p1").chat


# --- seats ---------------------------------------------------------------------------------------------------


def test_a_personal_link_takes_a_seat_to_another_device(at: At) -> None:
    @at(OPEN)
    async def scene(there: Sitting) -> None:
        mover = there.table.turn
        assert await there.room.share("phone", f"link {mover}") == mover
        assert there.sheet("phone").choices == there.sheet(f"p{mover}").choices != ()
        await there.does("phone", there.next_move())
        for who, link in (("x", "link 9"), ("x", ""), ("p1", "link 2"), ("phone", f"link {3 - mover}")):
            with pytest.raises(Refusal):
                await there.room.share(who, link)
        assert not there.sheet("x").seat


def test_a_new_link_leaves_the_seat_to_whoever_asked_for_it(at: At) -> None:
    @at(OPEN)
    async def scene(there: Sitting) -> None:
        seat = there.table.turn
        await there.room.share("phone", f"link {seat}")
        await there.room.share("thief", f"link {seat}")
        await there.does("thief", msg.Say("1", "ha"))
        with there.room.listening("thief") as listener:
            listener.wake.clear()
            await there.does("phone", msg.NewLink())
            assert listener.wake.is_set()
        for who in (f"p{seat}", "thief"):
            assert not there.sheet(who).seat
            assert not there.sheet(who).choices
            await there.refuses(who, there.next_move())
            with pytest.raises(Refusal):
                await there.room.share(who, f"link {seat}")
        assert there.sheet("phone").choices
        assert there.room.gone(seat) >= 0
        await there.refuses("thief", msg.Say("1", "ha"))
        await there.does("phone", there.next_move())
        assert await there.room.share(f"p{seat}", there.table.seats[seat - 1].link) == seat
        await there.refuses("w", msg.NewLink())


def test_who_is_forgotten_counts_as_gone(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    @at(OPEN)
    async def scene(there: Sitting) -> None:
        await there.room.share("phone", "link 1")
        await there.does("phone", msg.NewLink())
        await clock.move(5, there.room)
        assert there.room.gone(1) == 5
        with there.room.listening("phone"):
            assert there.room.gone(1) == 0


def test_message_ids_are_a_persons_and_not_a_seats(at: At) -> None:
    @at(POINTS, HUMAN, HUMAN, "empty", begun=False, spectators_chat=True)
    async def scene(there: Sitting) -> None:
        said = await there.does("p2", msg.Say("1", "mine"))
        await there.room.share("phone", "link 2")
        assert await there.does("phone", msg.Say("1", "mine")) == said
        watched = await there.does("x", msg.Say("1", "may I?"))
        await there.does("p2", msg.Leave())
        assert await there.room.sit("x", "X", 2) == 2
        assert await there.does("x", msg.Say("1", "may I?")) == watched
        theirs = await there.does("x", msg.Say("2", "thanks"))
        assert await there.room.sit("p2", "Vera", 3) == 3
        assert await there.does("p2", msg.Say("1", "mine")) == said
        assert await there.does("p2", msg.Say("2", "hello")) != theirs
        assert [remark.text for remark in there.sheet("w").chat] == ["mine", "may I?", "thanks", "hello"]
        log = await there.hall.store.events(there.table.code)
        again = folded(there.table.code, log)
        for who, id in (("p2", "1"), ("p2", "2"), ("phone", "1"), ("x", "1"), ("x", "2"), ("w", "1"), ("p1", "1")):
            assert again.done(who, ev.Spoke, id) == there.table.done(who, ev.Spoke, id)


def test_a_successors_words_are_not_taken_for_those_of_who_sat_there_before(at: At) -> None:
    @at(POINTS, HUMAN, HUMAN, "empty", begun=False)
    async def scene(there: Sitting) -> None:
        await there.does("p2", msg.Say("1", "bye"))
        await there.does("p2", msg.Leave())
        await there.room.sit("x", "X", 2)
        await there.does("x", msg.Say("1", "hello"))
        assert [remark.text for remark in there.sheet("p1").chat] == ["bye", "hello"]


def test_seats_are_taken_once_and_names_are_told_apart(at: At) -> None:
    @at(POINTS, HUMAN, "empty", "empty", begun=False)
    async def scene(there: Sitting) -> None:
        await there.refuses("p1", msg.NewDeal())
        for who, seat in (("x", 1), ("x", 7), ("p1", 2)):
            with pytest.raises(Refusal):
                await there.room.sit(who, "X", seat)
        assert await there.room.sit("p2", "Name 1\x00", 0) == 2
        assert there.sheet("w").chairs[1].name not in ("", "Name 1")
        await there.does("p2", msg.Leave())
        assert await there.room.sit("x", "Name 1", 2) == 2
        assert there.sheet("x").chairs[1].name == "Name 1 2"
        assert await there.room.sit("y", "Y") == 3
        with pytest.raises(Refusal):
            await there.room.sit("z", "Z")


def test_a_computers_seat_can_be_taken_and_an_empty_one_be_given_to_it(at: At) -> None:
    @at(HIDDEN, HUMAN, "empty", begun=False)
    async def scene(there: Sitting) -> None:
        await there.refuses("w", msg.Substitute(2))
        await there.refuses("p1", msg.Substitute(2, "nobody"))
        await there.refuses("p1", msg.Substitute(3))
        await there.does("p1", msg.Substitute(2))
        await there.begins()
        await there.refuses("p1", msg.Leave())
        assert await there.room.sit("p2", "Vera") == 2
        with there.room.listening("p2"):
            await settled(there.room)
            await there.plays_out()
        assert there.sheet("p2").record


def test_a_computers_hand_is_not_to_be_seen_by_taking_its_seat_in_mid_deal(at: At) -> None:
    @at(POINTS, HUMAN, HUMAN, "greedy", options={"target": 60})
    async def scene(there: Sitting) -> None:
        with pytest.raises(Refusal):
            await there.room.sit("x", "X", 3)
        await there.plays_out()
        assert there.table.phase == "between"
        assert await there.room.sit("x", "X", 3) == 3


def test_a_takeback_is_offered_only_where_it_tells_nothing() -> None:
    refused = 0
    for game in GAMES:
        for seed in range(4):
            table, hidden = dealt(game), False
            rng = Random(seed)
            while table.turn and table.number < 90:
                assert table.position
                passing = str(table.position.move(int(table.position.moves.numbers.max())))
                move = passing if rng.randrange(3) else str(rng.choice(list(table.position.moves)))
                table.apply(ev.Moved(table.turn, move), 1.0)
                hidden = any("??" in z.cards for z in table.position.view(0).zones if z.kind == "hand")
                for seat in range(1, game.usual + 1):
                    mine = [event.ply for event in table.position.history if event.seat == seat]
                    if not mine or not table.turn:
                        continue
                    before = table.position.at(mine[-1])
                    others = mine[-1] + 1 < table.position.ply
                    quiet = not before.reveals(table.position)
                    refused += quiet and others and hidden
                    assert table.takeback_of(seat) == (mine[-1] if quiet and not (others and hidden) else -1)
    assert refused


def dealt(game: Game) -> Table:
    """Return a table of people at which a deal begins."""
    events: list[ev.TableEvent] = [ev.Opened(game.name, game.usual, {}, 1, "p1")]
    events += [ev.Sat(k, f"p{k}", f"Name {k}", f"link {k}") for k in range(1, game.usual + 1)]
    table = folded("", [(1.0, event) for event in (*events, ev.Sealed("ab" * 32, fresh=True))])
    table.apply(ev.Dealt(table.dealer_due or 1), 1.0)
    return table


def test_nobody_comes_to_see_a_computers_hand_while_others_hold_seats(at: At) -> None:
    """Giving one's own seat to the computer for a moment opens no other seat to a second browser."""

    @at(POINTS, HUMAN, HUMAN, "greedy")
    async def scene(there: Sitting) -> None:
        with pytest.raises(Refusal):
            await there.room.sit("x", "X", 3)
        await there.does("p2", msg.Substitute(2))
        with pytest.raises(Refusal):
            await there.room.sit("x", "X", 3)
        await there.does("p2", msg.Return())


def test_a_host_does_not_count_as_alone_while_another_is_briefly_away(at: At) -> None:
    @at(OPEN, HUMAN, HUMAN)
    async def scene(there: Sitting) -> None:
        assert there.room.others_here("p1")
        there.here.close()
        assert there.room.others_here("p1")
