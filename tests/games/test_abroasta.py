"""Abroasta, clause by clause. Seats count from 1, as in the rulebook."""

from __future__ import annotations

import itertools
import re
from collections import Counter

import pytest

import kartoteka
from kartoteka.cards import NUMBER, RANKS, TEXT, counted, tidy
from kartoteka.core import chance, randbelow
from kartoteka.engine import rulebook
from kartoteka.engine.errors import AmbiguousMove, IllegalMove, MalformedMove, UsageError
from kartoteka.engine.match import Match
from kartoteka.engine.moves import Move
from kartoteka.engine.position import Position
from kartoteka.engine.view import Zone, encode
from tests.cases import changing

CARDS = [TEXT[card] for card in range(52)]
UP = "A23456789TJQKA"
FULL = " ".join(f"{rank}c" for rank in UP[:12])
"""A row from ace to queen."""
NAMES = ("Ann", "Bo", "Cy")


def table(
    rows: dict[int, str], hands: dict[int, str], turn: int = 1, players: int = 3, **options: object
) -> Position:
    """Return a position with these rows (built by the rules) and hands; all other cards lie in rows taken."""
    p = kartoteka.game("abroasta", players, **options).deal(seed="table", dealer=1)
    s = changing(p)
    s.gone += s.hand.sum(axis=0) + s.aside
    s.hand, s.aside, s.held = 0, 0, 0

    def give(seat: int, card: str) -> None:
        s.gone[NUMBER[card]] -= 1
        s.hand[seat - 1, NUMBER[card]] += 1
        s.held[seat - 1] += 1

    for seat, card in ((seat, card) for seat, cards in rows.items() for card in cards.split()):
        give(seat, card)
        s.seat, s.over = seat - 1, 0
        p.push(Move("abroasta", f"{card}@{seat}"))
    for seat, card in ((seat, card) for seat, cards in hands.items() for card in cards.split()):
        give(seat, card)
    assert s.gone.min() >= 0
    s.seat, s.over, s.ply = turn - 1, 0, 0
    return p


def play(p: Position, written: str) -> Position:
    for move in written.split():
        p.play(move)
    return p


def moves(p: Position) -> set[str]:
    return set(map(str, p.moves))


def zone(p: Position, name: str, seat: int = 0) -> Zone:
    return next(z for z in p.view(seat).zones if z.name == name)


def held(p: Position, seat: int) -> list[str]:
    return sorted(zone(p, f"hand:{seat}", seat).cards)


def ending(p: Position) -> tuple[str, str]:
    assert p.outcome is not None
    return p.outcome.clause, p.outcome.reason


def refusal(p: Position, move: str, reason: str = ".") -> str:
    """The clause that refuses a move, which the error's text names too, with something legal."""
    with pytest.raises(IllegalMove, match=reason) as caught:
        p.play(move)
    assert caught.value.clause in str(caught.value)
    assert caught.value.legal or p.over
    assert move not in p.moves
    return caught.value.clause


@pytest.mark.parametrize(("players", "packs"), [(2, 1), (4, 1), (5, 2), (8, 2), (9, 3), (12, 3)])
def test_abr_1_1_a_pack_for_every_four_players_or_part_of_four(players: int, packs: int) -> None:
    assert Counter(kartoteka.game("abroasta", players).deal(seed=1).deck) == dict.fromkeys(CARDS, packs)


def test_abr_1_1_two_to_twelve_players() -> None:
    for players in (1, 13):
        with pytest.raises(UsageError, match="2 to 12"):
            kartoteka.game("abroasta", players)


def test_abr_1_2_one_at_a_time_from_the_dealers_left() -> None:
    p = kartoteka.game("abroasta", 4).deal(deck=CARDS, dealer=3)
    assert [held(p, seat) for seat in (4, 1, 2, 3)] == [sorted(CARDS[k::4]) for k in range(4)]


@pytest.mark.parametrize(("players", "each", "left"), [(3, 17, 1), (5, 20, 4), (8, 13, 0), (11, 14, 2)])
def test_abr_1_3_what_cannot_be_dealt_equally_is_set_aside_face_up(players: int, each: int, left: int) -> None:
    p = kartoteka.game("abroasta", players).deal(seed=players)
    assert p.deck is not None
    assert [len(held(p, seat)) for seat in range(1, players + 1)] == [each] * players
    dealt = Counter(card for seat in range(1, players + 1) for card in held(p, seat))
    assert dealt == Counter(p.deck[: each * players])
    assert len(p.deck) - each * players == left
    for seat in range(players + 1):
        aside = [c for z in p.view(seat).zones if z.name == "aside" for c in z.cards]
        assert sorted(aside) == sorted(p.deck[each * players :])


def test_abr_1_4_the_first_dealer_is_chosen_by_lot() -> None:
    game = kartoteka.game("abroasta", 3)
    dealers = Counter(Match(game, seed).position.dealer for seed in range(150))
    assert [n > 30 for _seat, n in sorted(dealers.items())] == [True] * 3


def test_abr_1_4_then_the_deal_passes_clockwise() -> None:
    match = Match(kartoteka.game("abroasta", 3), "clockwise")
    dealers = [match.position.dealer]
    for _deal in range(4):
        with pytest.raises(UsageError):
            match.next_deal()
        changing(match.position).over = 1
        dealers.append(match.next_deal().dealer)
    assert all(b == a % 3 + 1 for a, b in itertools.pairwise(dealers))


def test_abr_2_1_any_card_opens_ones_own_row() -> None:
    p = kartoteka.game("abroasta", 3).deal(seed=1, dealer=1)
    assert moves(p) == {f"{card}@2" for card in held(p, 2)}
    p.play(f"{held(p, 2)[3]}@2")
    assert zone(p, "row:2").cards == (p.history[0].move[:2],)


def test_abr_2_1_only_the_owner_opens_a_row_and_only_one() -> None:
    p = table({1: "5h"}, {1: "6c 9c", 2: "9d"})
    assert moves(p) == {"6c@1"}
    assert refusal(p, "9c@2", "only its owner opens one") == refusal(p, "9c@4", "no row of seat 4") == "ABR 2.1"
    assert refusal(p, "9c@1", "on the five of that row goes only the next rank, the six") == "ABR 2.2"
    assert moves(play(p, "6c@1")) == {"9d@2"}


@pytest.mark.parametrize("top", UP[1:12])
def test_abr_2_2_one_rank_higher_whatever_its_suit(top: str) -> None:
    hand = [card for card in CARDS if card not in ("Ks", "As", f"{top}h")]
    p = table({1: "Ks As", 2: f"{top}h"}, {1: " ".join(hand)})
    following = UP[UP.index(top) + 1]
    assert moves(p) == {f"{card}@2" for card in hand if card[0] == following}
    for rank in set(RANKS) - {following}:
        assert refusal(p, f"{rank}c@2") == "ABR 2.2"


def test_abr_2_2_on_anyones_row() -> None:
    assert moves(table({1: "7h", 2: "7d", 3: "Jh"}, {1: "8c Qs 7c"})) == {"8c@1", "8c@2", "Qs@3"}


def test_abr_2_3_an_ace_that_begins_a_row_is_low() -> None:
    p = table({1: "Ah"}, {1: " ".join(CARDS[:12]) + " 2d"})
    assert moves(p) == {"2c@1", "2d@1"}
    assert refusal(p, "Kc@1") == "ABR 2.3"
    assert zone(play(p, "2d@1"), "row:1").notes == ("next: three",)


def test_abr_2_3_a_king_may_take_an_ace() -> None:
    for row in ("Qh Kh", "Kh"):
        p = table({2: row}, {1: " ".join(c for c in CARDS if c not in "Qh Kh")})
        assert {m for m in moves(p) if m.endswith("@2")} == {"Ac@2", "Ad@2", "Ah@2", "As@2"}
        assert refusal(p, "2c@2") == "ABR 2.3"


def test_abr_2_3_nothing_on_an_ace_after_a_king() -> None:
    for row in ("2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah", "Kh Ah"):
        hand = [c for c in CARDS if c not in row]
        p = table({1: row}, {1: " ".join(hand)})
        assert moves(p) == {"pass"}  # its place is not free either
        assert {refusal(p, f"{card}@1", "nothing is laid on an ace") for card in hand} == {"ABR 2.3"}
        assert zone(p, "row:1").notes == ("dead: nothing is laid on that ace",)


@pytest.mark.parametrize("reading", ["full", "any"])
def test_abr_2_4_whoever_lays_the_king_of_a_full_row_takes_it(reading: str) -> None:
    p = table({1: FULL, 2: "2h", 3: "8d"}, {1: "Qd Td", 2: "Ks 5h", 3: "3s 3h"}, 2, king_takes=reading)
    assert play(p, "Ks@1").scores == (0, 13, 0)
    assert zone(p, "taken:1").cards == (*FULL.split(), "Ks")
    assert zone(p, "taken:1").owner == 2
    assert (zone(p, "row:1").cards, zone(p, "row:1").notes) == ((), ("no row open",))
    assert refusal(p, "3s@1") == "ABR 2.1"  # the place is its owner's
    assert moves(play(p, "3s@2")) == {"Qd@1", "Td@1"}
    assert zone(play(p, "Qd@1"), "row:1").cards == ("Qd",)


def test_abr_2_5_a_row_not_from_ace_stays_to_the_end() -> None:
    p = table({1: "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh", 2: "4d", 3: "Qd"}, {1: "Kc Kd 9c"})
    assert play(p, "Kc@1").scores == (0, 0, 0)
    assert zone(p, "row:1").count == 12
    assert moves(play(p, "pass pass")) == {"Kd@3"}


@pytest.mark.parametrize("row", ["Qh", "9h Th Jh Qh"])
def test_abr_2_5_any_king_on_another_card_takes(row: str) -> None:
    p = play(table({1: "4d", 2: row}, {1: "Kc 7c", 2: "7d", 3: "7h"}, king_takes="any"), "Kc@2")
    assert p.scores == (13, 0, 0)
    assert zone(p, "row:2").cards == ()
    assert zone(p, "taken:1").cards == (*row.split(), "Kc")
    assert moves(p) == {"7d@2"}


def test_abr_2_5_any_a_lone_king_takes_nothing() -> None:
    p = play(table({2: "5h"}, {1: "Kc", 2: "Ad 2d"}, king_takes="any"), "Kc@1")
    assert (p.scores, zone(p, "row:1").cards) == ((0, 0, 0), ("Kc",))
    assert zone(play(p, "Ad@1"), "row:1").cards == ("Kc", "Ad")


def test_abr_3_1_the_dealers_left_begins_clockwise_one_card_a_turn() -> None:
    p = kartoteka.game("abroasta", 3).deal(seed=1, dealer=2)
    for seat in (3, 1, 2, 3, 1):
        assert p.turn == seat
        p.play(p.moves[0])
        assert p.ply > 3 or zone(p, f"hand:{seat}").count == 16
    assert kartoteka.game("abroasta", 3).deal(seed=1, dealer=3).turn == 1


def test_abr_3_1_a_turn_is_a_card_from_ones_own_hand() -> None:
    p = table({1: "5h"}, {1: "6c", 2: "6d"})
    assert refusal(p, "6d@1", "six of diamonds is not in it") == refusal(p, "6s@1") == "ABR 3.1"


@pytest.mark.parametrize("opening", ["forced", "free"])
def test_abr_3_2_a_player_passes_without_a_card_to_lay_and_only_then(opening: str) -> None:
    stuck = table({1: "5h", 2: "9h"}, {1: "7c 8c", 2: "2d"}, opening=opening)
    assert moves(stuck) == {"pass"}
    assert moves(table({2: "9h"}, {2: "7c"}, opening=opening)) == {"pass"}  # no cards left
    for rows, legal in (({1: "5h", 2: "9h"}, {"Tc@2"}), ({2: "9h"}, {"7c@1", "Tc@1", "Tc@2"})):
        p = table(rows, {1: "7c Tc"}, opening=opening)
        assert moves(p) == legal
        assert refusal(p, "pass") == "ABR 3.2"


def test_abr_3_2_forced_to_open_a_row_or_free_to_pass() -> None:
    forced, free = (table({2: "9h"}, {1: "7c 8c", 2: "2d"}, opening=o) for o in ("forced", "free"))
    assert moves(forced) == {"7c@1", "8c@1"}
    assert refusal(forced, "pass") == "ABR 3.2"
    assert moves(free) == {"7c@1", "8c@1", "pass"}
    assert (play(free, "pass").turn, zone(free, "hand:1").count) == (2, 2)


def test_abr_3_3_the_deal_ends_when_all_cards_are_played() -> None:
    p = table({2: "9h"}, {1: "Tc", 2: "", 3: "Jd"})
    changing(p).aside[0] += 1  # cards set aside do not keep a deal going
    assert play(p, "Tc@2 pass").outcome is None
    assert ending(play(p, "Jd@2")) == ("ABR 3.3", "All cards are played.")
    assert (p.turn, p.view().turn, list(p.moves)) == (0, 0, [])
    assert refusal(p, "pass") == "ABR 3.3"


def test_abr_3_3_the_deal_ends_when_all_in_turn_have_passed() -> None:
    p = table({1: "5h", 2: "9h", 3: "9d"}, {1: "2c", 2: "2d Td", 3: "2h"})
    assert play(p, "pass Td@2 pass pass").outcome is None  # only two in turn: a card was laid between
    assert ending(play(p, "pass")) == ("ABR 3.3", "All players in turn have passed.")
    chosen = table({3: "9d"}, {1: "2c", 2: "2d", 3: "2h"}, opening="free")
    assert play(chosen, "pass pass").outcome is None
    assert ending(play(chosen, "pass")) == ("ABR 3.3", "All players in turn have passed.")


def test_abr_4_1_thirteen_points_for_each_row_taken() -> None:
    p = play(table({1: FULL, 2: FULL.replace("c", "h")}, {1: "Kc Kh", 2: "2d", 3: "4d"}), "Kc@1 pass 4d@3 Kh@2")
    assert (p.scores, p.view().facts[1].values) == ((26, 0, 0), (26, 0, 0))


FINISHED = [
    (100, (99, 91, 0), None), (100, (13, 104, 91), (2,)), (100, (100, 0, 0), (1,)),
    (100, (104, 117, 104), (2,)),  # several reach it: the highest total wins
    (100, (104, 13, 104), None),  # shared: another deal
    (26, (13, 13, 26), (3,)), (26, (25, 13, 13), None), (130, (117, 104, 0), None),
]  # fmt: skip


@pytest.mark.parametrize(("target", "totals", "winners"), FINISHED)
def test_abr_4_2_who_has_won(target: int, totals: tuple[int, ...], winners: tuple[int, ...] | None) -> None:
    variant = kartoteka.game("abroasta", 3, target=target)
    assert variant.game.finished is not None
    assert variant.game.finished(totals, variant.options) == winners


def test_abr_4_2_a_match_goes_on_until_one_has_the_highest_total() -> None:
    match = Match(kartoteka.game("abroasta", 3, target=26), "match")

    def end(*rows: int) -> None:
        changing(match.position).took[:3] = rows
        changing(match.position).over = 2

    end(1, 0, 1)
    assert (match.over, match.totals) == (False, (13, 0, 13))
    match.next_deal()
    end(1, 0, 1)
    assert (match.winners, match.totals) == (None, (26, 0, 26))
    match.next_deal()
    end(2, 5, 1)
    assert (match.winners, match.totals) == ((2,), (52, 65, 39))
    with pytest.raises(UsageError):
        match.next_deal()


def test_abr_4_2_the_target_is_a_number_of_points() -> None:
    assert kartoteka.game("abroasta").options["target"] == 100
    for target in (0, "many", True):
        with pytest.raises(UsageError, match=r"ABR 4\.2"):
            kartoteka.game("abroasta", target=target)


MALFORMED = ["", " pass", "Pass", "passes", "7h", "7h@", "7h@0", "7h@01", "7h@13", "7h@1²", "7h@1٢", "7H@1",
             "10h@1", "Jk@1", "??@1", "7h@1 ", "7h@1@1", "@1", "seven"]  # fmt: skip


@pytest.mark.parametrize("text", MALFORMED)
def test_what_is_no_move_is_malformed(text: str) -> None:
    p = table({1: "5h", 2: "9h"}, {1: "6c Tc"})
    with pytest.raises(MalformedMove, match="a move is a card, @ and the seat") as caught:
        p.play(text)
    assert caught.value.legal == ("6c@1", "Tc@2")
    assert (text in p.moves, p.can(text)) == (False, False)


def test_a_card_alone_will_do_where_it_fits_one_row_only() -> None:
    p = table({1: "5h", 2: "9h", 3: "9d"}, {1: "6c Tc"})
    assert p.verify("6c") == "6c@1"
    assert not p.can("6c")
    with pytest.raises(AmbiguousMove) as caught:
        p.play("Tc")
    assert caught.value.legal == ("Tc@2", "Tc@3")
    assert table({12: "9h"}, {2: "Tc"}, 2, players=12).verify("Tc@12") == "Tc@12"


def test_every_move_number_has_a_text_of_its_own() -> None:
    p = kartoteka.game("abroasta").deal(seed=1)
    texts = [str(p.move(number)) for number in range(p.variant.core.moves)]
    assert len(set(texts)) == len(texts) == 12 * 52 + 1
    assert [Move("abroasta", text).number for text in texts] == list(range(len(texts)))


def in_words(p: Position, move: str) -> tuple[str, list[str]]:
    notation, before, number = p.game.notation, p.copy(), p.verify(move).number
    label = notation.label(p.state, number)
    p.play(move)
    told = [notation.tell(before.state, number, p.state, NAMES, viewer) for viewer in (-1, 0, 1, 2)]
    assert told == [told[0]] * 4  # nothing of a move is hidden from anyone
    return label, told[0]


def test_moves_in_words() -> None:
    p = table({2: FULL, 3: "Qd"}, {1: "Td Kc", 2: "2d"})
    king = "Ann lays the king of clubs on {}'s row."
    takes = "The king takes the row: 13 points for Ann."
    opens = "Ann opens a row with the ten of diamonds."
    assert in_words(p.copy(), "Td@1") == ("open your row with 10♦", [opens])
    assert in_words(p.copy(), "Kc@2") == ("take the row of seat 2 with K♣", [king.format("Bo"), takes])
    assert in_words(p.copy(), "Kc@3") == ("K♣ on Q♦, row of seat 3", [king.format("Cy")])
    own = "Ann lays the ten of diamonds on their own row."
    assert in_words(table({1: "9d"}, {1: "Td 2c"}), "Td@1") == ("10♦ on 9♦, your own row", [own])
    assert in_words(table({1: "9d"}, {2: "2c"}), "pass") == ("pass", ["Ann passes."])


def test_a_seat_sees_its_own_hand_and_all_see_the_rest() -> None:
    p = kartoteka.game("abroasta", 5).deal(seed=2, dealer=5)
    dealt = [sorted((p.deck or ())[k:100:5]) for k in range(5)]
    assert [held(p, owner) for owner in range(1, 6)] == dealt
    p.play(p.moves[0])
    for seat in range(6):
        view = p.view(seat)
        assert (view.seat, view.dealer, view.turn, view.ply) == (seat, 5, 2, 1)
        assert zone(p, "row:1", seat).cards == (p.history[0].move[:2],)
        assert [zone(p, f"hand:{owner}", seat).count for owner in range(1, 6)] == [19, 20, 20, 20, 20]
        for owner in set(range(1, 6)) - {seat}:
            assert set(zone(p, f"hand:{owner}", seat).cards) == {"??"}
        others = (owner for owner in range(1, 6) if owner != seat)
        assert Counter(p.hidden(seat)) == Counter(card for owner in others for card in held(p, owner))


def test_all_see_rows_taken_and_cards_aside() -> None:
    p = kartoteka.game("abroasta", 3).deal(seed=5)
    while not p.over:
        p.push(p.best(chance(p.ply)))
    for seat in range(4):
        assert [f.values for f in p.view(seat).facts] == [tuple(x // 13 for x in map(int, p.scores)), p.scores]
        taken = [z for z in p.view(seat).zones if z.name.startswith("taken:")]
        assert [z.count for z in taken] == [13] * (sum(map(int, p.scores)) // 13)
        assert [13 * [z.owner for z in taken].count(k) for k in (1, 2, 3)] == list(p.scores)
        assert all([c[0] for c in z.cards] == list(UP[:13]) for z in taken)
        shown = [c for z in p.view(seat).zones for c in z.cards if c != "??"]
        assert Counter([*shown, *p.hidden(seat)]) == Counter(CARDS)


def test_redeals_are_just_the_hands_that_passes_allow() -> None:
    p = table({1: "5h", 2: "9h", 3: "Qs"}, {1: "6c", 2: "2d Jd", 3: "Td 7s Jc"}, turn=2)
    p.play("pass")  # seat 2 has no six, ten or king
    seen = set()
    for seed in range(400):
        other = p.redeal(1, seed)
        assert encode(other.view(1)) == encode(p.view(1))
        seen.add(tuple(held(other, 2)))
        assert sorted(held(other, 2) + held(other, 3)) == ["2d", "7s", "Jc", "Jd", "Td"]
    assert seen == {tuple(pair) for pair in itertools.combinations(["2d", "7s", "Jc", "Jd"], 2)}


@pytest.mark.parametrize("opening", ["forced", "free"])
def test_no_redeal_gives_a_seat_what_it_showed_it_lacks(opening: str) -> None:
    for players, deal in itertools.product((2, 3, 5), range(4)):
        p = kartoteka.game("abroasta", players, opening=opening).deal(seed=deal)
        rng = chance(deal)
        lacks: list[set[str]] = [set() for _seat in range(players)]
        while not p.over:
            move = p.moves[int(randbelow(rng, len(p.moves)))]
            if move == "pass":
                rows = [zone(p, f"row:{owner}").cards for owner in range(1, players + 1)]
                wanted = {UP[UP.index(r[-1][0]) + 1] for r in rows if r and (len(r) == 1 or r[-1][0] != "A")}
                lacks[p.turn - 1] |= wanted
            p.push(move)
            for seat in range(players + 1) if p.ply % 5 == 0 else ():
                other = p.redeal(seed=p.ply, seat=seat)
                for owner in range(1, players + 1):
                    assert not {card[0] for card in held(other, owner)} & lacks[owner - 1]


def test_the_rulebooks_example_of_play() -> None:
    text = rulebook.sections(kartoteka.game("abroasta").game)["An example of play"]
    block = tidy(text.split("```")[1])
    rows, hands = (re.findall(r"([A-Z][a-z]{2,})((?:\s+[2-9TJQKA][cdhs])+)", part) for part in block.split("hands"))
    seats = {"Vera": 1, "Timur": 2, "Mei": 3}
    p = table({seats[who]: cards for who, cards in rows}, {seats[who]: cards for who, cards in hands}, turn=3)
    s = changing(p)
    s.gone[NUMBER["6d"]], s.aside[NUMBER["6d"]] = 0, 1  # "6♦ was set aside"
    s.took[:3] = (1, 0, 1)  # "Vera and Mei have taken one row each"
    assert Counter(TEXT[card][0] for card in counted(s.gone.tolist())) == dict.fromkeys(RANKS, 2)
    played = re.findall(r"(Vera|Timur|Mei): `([^`]+)`", text)
    assert [who for who, _move in played] == ["Mei", "Vera", "Timur"] * 2 + ["Mei", "Vera"]
    for who, move in played:
        assert (p.turn, list(p.moves)) == (seats[who], [move])
        p.play(move)
    assert ending(p) == ("ABR 3.3", "All players in turn have passed.")
    assert (p.scores, held(p, 2)) == ((13, 13, 13), ["2d"])


def test_the_policy_takes_rows_opens_with_aces_and_feeds_no_kings() -> None:
    rng = chance("policy")
    assert table({2: FULL, 3: "Kh"}, {1: "Kc As 3d", 2: "4h"}).best(rng) == "Kc@2"
    assert table({2: "5h"}, {1: "6c As 3d", 2: "4h"}).best(rng) == "As@1"
    assert table({1: "9h", 2: FULL.removesuffix(" Qc")}, {1: "Qd Th", 2: "Kc"}).best(rng) == "Th@1"
    assert table({1: "4h", 2: "Kh"}, {1: "As 5d"}, king_takes="any").best(rng) == "5d@1"
