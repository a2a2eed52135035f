"""Honest shuffles: as published, without bias, and every change to what they are made of is found."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kartoteka.cards import TEXT
from kartoteka.engine import record as records
from kartoteka.engine import shuffling
from kartoteka.engine.errors import UsageError
from kartoteka.engine.match import Match
from kartoteka.engine.position import Position
from kartoteka.engine.variant import Variant
from kartoteka.engine.verifying import Verdict, verify_shuffles
from kartoteka.players import move_of
from tests.cases import DEFAULTS, name_of, to_points
from tests.waits import HANGS

PAGE = (Path(__file__).parents[1] / "docs" / "shuffles.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"```(json|python)\n(.*?)```", PAGE[: PAGE.index("## In a record")], re.DOTALL))
VECTORS: list[dict[str, Any]] = json.loads(BLOCKS["json"])
PUBLISHED: dict[str, Any] = {}
exec(BLOCKS["python"], PUBLISHED)

SECRET = hashlib.sha256(b"secret").hexdigest()
NONCES = [(1, "0123456789abcdef" * 2), (2, "f" * 32)]

hexes = {n: st.binary(min_size=n, max_size=n).map(bytes.hex) for n in (16, 32)}
nonces = st.dictionaries(st.integers(1, 12), hexes[16], max_size=12).map(lambda added: list(added.items()))
packs = st.lists(st.sampled_from(TEXT[:53]), max_size=120)


# --- the algorithm -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", VECTORS)
def test_the_published_examples_hold(vector: dict[str, Any]) -> None:
    key = shuffling.key(vector["secret"], map(tuple, vector["nonces"]))
    assert shuffling.commitment(vector["secret"]) == vector["commitment"]
    assert key.hex() == vector["key"]
    for label in (shuffling.DECK, shuffling.reshuffle_label(1)):
        order = vector[label].split()
        assert shuffling.shuffled(key, label, order) == order
    assert {n: shuffling.lot(key, shuffling.DEALER, int(n)) for n in vector["lots"]} == vector["lots"]


def test_the_examples_reject_words_as_well() -> None:
    rejected = 0
    for vector in VECTORS:
        for n in map(int, vector["lots"]):
            block = PUBLISHED["hmac"].digest(bytes.fromhex(vector["key"]), b"dealer\0\0\0\0", "sha256")
            rejected += int.from_bytes(block[:4], "big") >= 2**32 - 2**32 % n
    assert rejected


@settings(max_examples=150, deadline=None)
@given(secret=hexes[32], added=nonces, cards=packs, n=st.integers(1, 2**32), number=st.integers(1, 40))
def test_what_is_published_and_what_is_run_are_the_same(
    secret: str, added: list[tuple[int, str]], cards: list[str], n: int, number: int
) -> None:
    key = shuffling.key(secret, added)
    assert PUBLISHED["key"](secret, added) == key
    for label in (shuffling.DECK, shuffling.reshuffle_label(number)):
        assert PUBLISHED["shuffled"](key, label, cards) == shuffling.shuffled(key, label, cards)
    assert next(PUBLISHED["numbers"](key, shuffling.DEALER, [n])) == shuffling.lot(key, shuffling.DEALER, n) < n


@settings(deadline=None)
@given(secret=hexes[32], added=nonces, cards=packs, data=st.data())
def test_a_shuffle_is_a_permutation_and_how_cards_or_nonces_lay_before_makes_no_difference(
    secret: str, added: list[tuple[int, str]], cards: list[str], data: st.DataObject
) -> None:
    key = shuffling.key(secret, added)
    order = shuffling.shuffled(key, shuffling.DECK, cards)
    assert Counter(order) == Counter(cards)
    assert shuffling.shuffled(key, shuffling.DECK, data.draw(st.permutations(cards))) == order
    assert shuffling.key(secret, data.draw(st.permutations(added))) == key


def test_labels_and_keys_have_nothing_in_common() -> None:
    cards = TEXT[:52]
    keys = [shuffling.key(SECRET, added) for added in ([], NONCES[:1], NONCES[1:], NONCES, [(2, NONCES[0][1])])]
    labels = [shuffling.DECK, shuffling.DEALER, *map(shuffling.reshuffle_label, range(1, 30))]
    orders = {tuple(shuffling.shuffled(key, label, cards)) for key in keys for label in labels}
    assert len(orders) == len(keys) * len(labels)


def test_every_order_is_equally_likely() -> None:
    """24,000 shuffles of four cards: each order 1,000 times, give or take five standard deviations."""
    keys = (hashlib.sha256(str(k).encode()).digest() for k in range(24_000))
    found = Counter(tuple(shuffling.shuffled(key, shuffling.DECK, TEXT[:4])) for key in keys)
    assert len(found) == 24
    assert max(abs(n - 1000) for n in found.values()) < 5 * 31


def test_every_lot_is_equally_likely() -> None:
    """Among three quarters of all words, where remainders alone would draw the lower third half of the time."""
    n, among = 3 << 30, 3000
    keys = [hashlib.sha256(str(k).encode()).digest() for k in range(among)]
    low = sum(shuffling.lot(key, shuffling.DEALER, n) < n // 3 for key in keys)
    assert abs(low - among // 3) < 5 * 26
    few = Counter(shuffling.lot(key, shuffling.DEALER, 3) for key in keys)
    assert all(abs(few[k] - among // 3) < 5 * 26 for k in range(3))


@pytest.mark.parametrize(
    "call",
    [
        lambda: shuffling.commitment("00" * 31),
        lambda: shuffling.commitment("00" * 33),
        lambda: shuffling.commitment("AB" * 32),
        lambda: shuffling.commitment("zz" * 32),
        lambda: shuffling.commitment("00" * 32 + "\n"),
        lambda: shuffling.commitment(bytes(32)),  # type: ignore[arg-type]
        lambda: shuffling.key("00", []),
        lambda: shuffling.key(SECRET, [(1, "0" * 31)]),
        lambda: shuffling.key(SECRET, [(1, "0" * 33)]),
        lambda: shuffling.key(SECRET, [(1, "A" * 32)]),
        lambda: shuffling.key(SECRET, [(0, "0" * 32)]),
        lambda: shuffling.key(SECRET, [(True, "0" * 32)]),
        lambda: shuffling.key(SECRET, [(1, "0" * 32), (1, "1" * 32)]),
        lambda: shuffling.shuffled(bytes(32), shuffling.DECK, ["2c", "1c"]),
        lambda: shuffling.shuffled(bytes(32), shuffling.DECK, ["2c", "??"]),
        lambda: shuffling.lot(bytes(32), shuffling.DEALER, 0),
        lambda: shuffling.lot(bytes(32), shuffling.DEALER, 2**32 + 1),
    ],
)
def test_what_is_no_secret_nonce_seat_card_or_lot_is_refused(call: Callable[[], object]) -> None:
    with pytest.raises(UsageError):
        call()


def test_a_refusal_does_not_quote_the_secret() -> None:
    with pytest.raises(UsageError) as refused:
        shuffling.commitment(SECRET[:-1])
    assert SECRET[:8] not in str(refused.value)


# --- seals in records ----------------------------------------------------------------------------------------


def _played(variant: Variant, secret: str) -> tuple[Match, list[records.Seal]]:
    """Play a match of honestly shuffled deals, as a server would."""
    match, made = Match.of(variant, secret, 1 if variant.game.finished else 2), []
    while not match.over:
        number = len(match.positions)
        opened = hashlib.sha256(f"{secret}/{number}".encode()).hexdigest()
        added = [(seat, f"{number:02}{seat:02}" * 8) for seat in (1, 2)]
        key, named = shuffling.key(opened, added), match.next_dealer
        dealer = named or 1 + shuffling.lot(key, shuffling.DEALER, variant.players)
        pack = [TEXT[c] for c in variant.pack()]
        match.add(variant.deal(deck=shuffling.shuffled(key, shuffling.DECK, pack), dealer=dealer))
        made.append(records.Seal(shuffling.commitment(opened), added, not named, opened))
        _play_on(match, key)
    return match, made


def _play_on(match: Match, key: bytes) -> None:
    position = match.position
    while not position.over:
        if position.waiting:
            label = shuffling.reshuffle_label(len(position.shuffles) + 1)
            position.reshuffle(shuffling.shuffled(key, label, position.waiting))
        position.push(move_of(match, "greedy"))


def _document(variant: Variant, secret: str = SECRET) -> dict[str, Any]:
    match, made = _played(to_points(variant, 20), secret)
    seats = [records.Seat(f"Ann {k}", "human") for k in range(variant.players)]
    written = records.record_of(match, seats, made)
    assert records.read(written.to_json()) == written
    loaded: dict[str, Any] = json.loads(written.to_json())
    return loaded


DOCUMENTS = {name_of(variant): _document(variant) for variant in DEFAULTS}
every_document = pytest.mark.parametrize("name", DOCUMENTS)


def _copy(name: str) -> Any:
    return msgspec.json.decode(msgspec.json.encode(DOCUMENTS[name]))


def _verify(document: object) -> list[Verdict]:
    return verify_shuffles(records.read(json.dumps(document)))


def _wrong(document: object) -> list[str]:
    """The places of what is wrong with the first deal, the only one with faults."""
    first, *others = _verify(document)
    assert first.finding == "wrong"
    assert first.told == tuple(map(str, first.faults))
    assert all(verdict.finding == "good" for verdict in others)
    return [fault.place for fault in first.faults]


@every_document
def test_an_honest_record_is_found_good_and_says_what_was_verified(name: str) -> None:
    record = records.read(json.dumps(DOCUMENTS[name]))
    assert records.check(record)
    verdicts = verify_shuffles(record)
    assert verify_shuffles(records.trace(record)) == verdicts
    assert [(v.deal, v.finding, v.faults) for v in verdicts] == [
        (k, "good", ()) for k in range(1, len(record.deals) + 1)
    ]
    for verdict, deal in zip(verdicts, record.deals, strict=True):
        told = " ".join(verdict.told)
        assert isinstance(deal.seal, records.Seal)
        assert "Seats 1 and 2 added" in told
        assert deal.seal.commitment in told
        assert ("cards lie as" in told) == bool(deal.deck)
        assert ("later shuffle" in told) == bool(deal.shuffles)
        assert ("Their lot drew seat" in told) == deal.seal.lot


@pytest.fixture(scope="module")
def with_a_reshuffle() -> dict[str, Any]:
    """A record in which a stock ran out and was shuffled anew."""
    secrets = (hashlib.sha256(str(k).encode()).hexdigest() for k in range(100))
    short = [v for v in DEFAULTS if v.game.finished is None and v.game.pack(v.players)]
    documents = (_document(variant, secret) for secret in secrets for variant in short)
    return next(d for d in documents if d["deals"][0]["shuffles"])


def _flipped(digits: str, bit: int) -> str:
    return f"{int(digits, 16) ^ 1 << bit:0{len(digits)}x}"


@every_document
def test_every_flipped_bit_of_secret_and_commitment_is_found(name: str) -> None:
    for which in ("secret", "commitment"):
        for bit in range(256):
            document = _copy(name)
            seal = document["deals"][0]["seal"]
            seal[which] = _flipped(seal[which], bit)
            assert "deals[0].seal.secret" in _wrong(document)


@pytest.mark.parametrize("name", [n for n, d in DOCUMENTS.items() if d["deals"][0]["deck"]])
def test_every_flipped_bit_of_a_nonce_is_found(name: str) -> None:
    for bit in range(128):
        document = _copy(name)
        nonce = document["deals"][0]["seal"]["nonces"][1]
        nonce[1] = _flipped(nonce[1], bit)
        assert any(place.startswith("deals[0].deck[") for place in _wrong(document))


@pytest.mark.parametrize("name", [n for n, d in DOCUMENTS.items() if d["deals"][0]["deck"]])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_two_cards_that_change_places_are_found(name: str, data: st.DataObject) -> None:
    document = _copy(name)
    deck = document["deals"][0]["deck"]
    i = data.draw(st.integers(0, len(deck) - 2))
    j = data.draw(st.integers(i + 1, len(deck) - 1))
    same = deck[i] == deck[j]
    deck[i], deck[j] = deck[j], deck[i]
    if same:
        assert _verify(document)[0].finding == "good"
    else:
        assert _wrong(document) == [f"deals[0].deck[{i}]"]


def test_every_two_cards_that_change_places_in_a_reshuffle_are_found(with_a_reshuffle: dict[str, Any]) -> None:
    record = records.read(json.dumps(with_a_reshuffle))
    assert records.check(record)
    assert {verdict.finding for verdict in verify_shuffles(record)} == {"good"}
    assert "later shuffle" in " ".join(verify_shuffles(record)[0].told)
    whole = record.deals[0].shuffles[0]
    for i in range(len(whole) - 1):
        order = [*whole[:i], whole[i + 1], whole[i], *whole[i + 2 :]]
        record.deals[0].shuffles[0] = order
        faults = verify_shuffles(record)[0].faults
        assert [f.place for f in faults] == ([] if order == whole else [f"deals[0].shuffles[0][{i}]"])


def _nonces(change: Callable[[list[Any]], list[Any]]) -> Callable[[dict[str, Any]], None]:
    def changed(deal: dict[str, Any]) -> None:
        deal["seal"]["nonces"] = change(deal["seal"]["nonces"])

    return changed


MALFORMED: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "a nonce too short": (_nonces(lambda n: [[1, "00"], n[1]]), "deals[0].seal"),
    "a nonce in capitals": (_nonces(lambda n: [[1, "A" * 32], n[1]]), "deals[0].seal"),
    "a seat with two": (_nonces(lambda n: [n[0], n[0]]), "deals[0].seal"),
    "seat 0": (_nonces(lambda n: [[0, n[0][1]], n[1]]), "deals[0].seal"),
    "no such seat": (_nonces(lambda n: [*n, [99, "0" * 32]]), "deals[0].seal.nonces[2]"),
    "no secret": (lambda deal: deal["seal"].update(secret="secret"), "deals[0].seal"),
    "no commitment": (lambda deal: deal["seal"].update(commitment=""), "deals[0].seal.secret"),
    "no cards in a shuffle": (lambda deal: deal["shuffles"].append(["xx"]), "deals[0].shuffles"),
}


@every_document
@pytest.mark.parametrize("fault", MALFORMED)
def test_what_is_malformed_is_found(name: str, fault: str) -> None:
    document = _copy(name)
    change, place = MALFORMED[fault]
    change(document["deals"][0])
    assert any(found.startswith(place) for found in _wrong(document))


@pytest.mark.parametrize("name", [n for n, d in DOCUMENTS.items() if d["deals"][0]["seal"]["lot"]])
def test_another_dealer_is_found_where_the_lot_drew_one(name: str) -> None:
    document = _copy(name)
    deal = document["deals"][0]
    deal["dealer"] = deal["dealer"] % len(document["seats"]) + 1
    assert _wrong(document) == ["deals[0].dealer"]
    deal["seal"]["lot"] = False
    verdict = _verify(document)[0]
    assert verdict.finding == "good"
    assert "not drawn by lot" in " ".join(verdict.told)


@pytest.mark.parametrize("name", [n for n, d in DOCUMENTS.items() if d["deals"][0]["deck"]])
def test_a_card_too_few_or_another_pack_is_found(name: str) -> None:
    document = _copy(name)
    document["deals"][0]["deck"].pop()
    assert _wrong(document) == ["deals[0].deck"]
    document = _copy(name)
    document["deals"][0]["deck"][-1] = "Zz"
    assert _wrong(document) == [f"deals[0].deck[{len(document['deals'][0]['deck']) - 1}]"]


@every_document
def test_a_deal_whose_secret_is_not_told_or_that_has_no_seal_is_said_to_be_so(name: str) -> None:
    document = _copy(name)
    del document["deals"][0]["seal"]["secret"]
    assert _verify(document)[0].finding == "closed"
    del document["deals"][0]["seal"]
    assert _verify(document)[0].finding == "none"
    assert records.check(records.read(json.dumps(document)))


@pytest.mark.parametrize("variant", DEFAULTS, ids=name_of)
def test_a_match_is_built_of_deals_made_elsewhere(variant: Variant) -> None:
    match = Match.of(variant)
    assert (match.over, match.winners, match.next_dealer) == (False, None, variant.game.fixed_dealer)
    assert match.totals == match.wins == (0,) * variant.players
    with pytest.raises(UsageError):
        match.position  # noqa: B018
    first = variant.deal(seed=1)
    match.add(first)
    assert match.position is first
    for refused in (variant.deal(seed=2), _elsewhere(variant)):
        with pytest.raises(UsageError):
            match.add(refused)
    with pytest.raises(UsageError):
        match.next_dealer  # noqa: B018


def _elsewhere(variant: Variant) -> Position:
    other = next(v for v in DEFAULTS if v != variant)
    return other.deal(seed=1)


@pytest.mark.parametrize("variant", DEFAULTS, ids=name_of)
def test_a_deal_of_another_game_or_another_dealer_is_not_added(variant: Variant) -> None:
    with pytest.raises(UsageError):
        Match.of(variant, positions=[_elsewhere(variant)])
    match, _made = _played(Variant(variant.game, variant.players, variant.options), SECRET)
    first = match.positions[0]
    again = Match.of(variant, best_of=1 if variant.game.finished else 9, positions=[first])
    due = again.next_dealer
    if due:
        other = variant.deal(seed=3, dealer=due % variant.players + 1)
        with pytest.raises(UsageError):
            again.add(other)
    if not again.over:
        again.add(variant.deal(seed=3, dealer=due))
        assert len(again.positions) == 2


def test_a_match_that_is_over_takes_no_more_and_names_the_dealer_of_a_rematch() -> None:
    for variant in DEFAULTS:
        match, _made = _played(variant, SECRET)
        assert match.over
        assert match.next_dealer in (None, *range(1, variant.players + 1))
        with pytest.raises(UsageError):
            match.add(variant.deal(seed=1, dealer=match.next_dealer))


# --- the command ---------------------------------------------------------------------------------------------


def _run(*words: object, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kartoteka.terminal.main", "verify", *map(str, words)]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False, timeout=HANGS)


def test_verify_says_of_each_deal_what_was_verified(tmp_path: Path) -> None:
    lines = [json.dumps(document) for document in DOCUMENTS.values()]
    (tmp_path / "all.jsonl").write_text("\n".join(lines))
    (tmp_path / "one.json").write_text(json.dumps(_copy(next(iter(DOCUMENTS))), indent=1))
    done = _run(tmp_path / "all.jsonl", tmp_path / "one.json")
    assert done.returncode == 0, done.stderr
    deals = sum(len(d["deals"]) for d in DOCUMENTS.values()) + len(DOCUMENTS[next(iter(DOCUMENTS))]["deals"])
    assert done.stdout.count("was shuffled honestly") == deals
    assert f"{deals} of {deals} deals are verified" in done.stdout
    assert f"all.jsonl, line {len(lines)}: " in done.stdout
    assert _run("-", typed=lines[0]).returncode == 0
    found = json.loads(_run(tmp_path / "all.jsonl", "--json").stdout)
    assert [one["line"] for one in found] == list(range(1, len(lines) + 1))
    assert {deal["finding"] for one in found for deal in one["deals"]} == {"good"}


def test_verify_goes_on_after_a_fault_and_ends_with_status_1(tmp_path: Path) -> None:
    name = next(n for n, d in DOCUMENTS.items() if d["deals"][0]["deck"])
    unsealed, torn, forged, stacked = (_copy(name) for _document in range(4))
    for deal in unsealed["deals"]:
        del deal["seal"]
    torn["deals"][0]["moves"][0] = "\a"
    forged["deals"][0]["seal"]["secret"] = "0" * 64
    stacked["deals"][0]["deck"][0] = "\a"
    for document, words in (
        (unsealed, "has no seal"), (torn, "deals[0].moves[0]"), (forged, "deals[0].seal.secret"),
        (stacked, "deals[0].deck[0]"), ({"\a": 1}, "unknown field"),
    ):  # fmt: skip
        file = tmp_path / "faulty.jsonl"
        file.write_text(f"{json.dumps(document)}\n{json.dumps(DOCUMENTS[name])}\n")
        done = _run(file)
        assert done.returncode == 1
        assert words in done.stdout + done.stderr
        assert "was shuffled honestly" in done.stdout
        assert "Traceback" not in done.stderr
        assert "\a" not in done.stdout + done.stderr
    (tmp_path / "empty").write_text("")
    assert _run(tmp_path / "empty").returncode == 1
    assert _run(tmp_path / "nowhere").returncode == 2
    assert _run().returncode == 2
