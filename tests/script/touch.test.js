// What a touch means (pick.js, touch.js, moves.js).

import assert from "node:assert/strict";
import test from "node:test";

import { complete, offer, open, targets, together, within } from "../../src/kartoteka/server/html/static/pick.js";
import { dropped, tapped } from "../../src/kartoteka/server/html/static/touch.js";

const choice = (move, takes, puts = "") => ({ move, label: `play ${move}`, takes, puts });
const spot = (place, how = {}) => ({
  place,
  held: false,
  own: place.startsWith("hand:1/"),
  thing: place.includes("/"),
  piece: false,
  stock: false,
  ...how,
});
const inHand = (card) => spot(`hand:1/${card}`);

// A seven goes to either row, an eight to the second; two nines go away together, to no place.
const CHOICES = [
  choice("7a", ["hand:1/7h"], "row:1"),
  choice("7b", ["hand:1/7h"], "row:2"),
  choice("8b", ["hand:1/8c"], "row:2"),
  choice("99", ["hand:1/9d", "hand:1/9s"]),
  choice("p", [], "stock"),
];

test("what the server leaves out of a choice is empty", () => {
  assert.deepEqual(complete([{ move: "p", label: "pass" }]), [{ move: "p", label: "pass", takes: [], puts: "" }]);
  assert.deepEqual(complete(undefined), []);
});

test("two equal cards are not one card held twice", () => {
  assert.ok(within(["a", "a"], ["a", "b", "a"]));
  assert.ok(!within(["a", "a"], ["a", "b"]));
});

test("a card of the hand is taken up, whether it can be played or not", () => {
  assert.deepEqual(tapped(CHOICES, [], [inHand("7h"), spot("hand:1")]), { do: "hold", at: 0 });
  assert.deepEqual(tapped(CHOICES, [], [inHand("2c"), spot("hand:1")]), { do: "hold", at: 0 });
});

test("what is held is put back by a second tap, even where it could be put", () => {
  const spots = [{ ...inHand("7h"), held: true }, spot("row:1")];
  assert.deepEqual(tapped(CHOICES, ["hand:1/7h"], spots), { do: "release", at: 0 });
});

test("a place that takes what is held gets it, with all the choices that mean it", () => {
  assert.deepEqual(tapped(CHOICES, ["hand:1/7h"], [spot("row:2/2c"), spot("row:2")]), {
    do: "put",
    choices: [CHOICES[1]],
  });
  const twice = [choice("7a high", ["hand:1/7h"], "row:1"), ...CHOICES];
  assert.equal(tapped(twice, ["hand:1/7h"], [spot("row:1")]).choices.length, 2);
});

test("a place that takes something without a hand is played at once", () => {
  assert.deepEqual(tapped(CHOICES, [], [spot("stock", { stock: true })]), { do: "put", choices: [CHOICES[4]] });
});

test("a place that cannot take what is held is tried, so that the server tells why not", () => {
  assert.deepEqual(tapped(CHOICES, ["hand:1/8c"], [spot("row:1")]), { do: "attempt", place: "row:1" });
});

test("what is held is tried at the place that is one, not at a card upon it", () => {
  const spots = [spot("row:1/5c"), spot("row:1"), spot("table")];
  assert.deepEqual(tapped(CHOICES, ["hand:1/8c"], spots), { do: "attempt", place: "row:1" });
});

test("what is held is not tried upon a piece", () => {
  const spots = [spot("track/a1/B", { piece: true }), spot("track/a1")];
  assert.deepEqual(tapped(CHOICES, ["hand:1/8c"], spots), { do: "attempt", place: "track/a1" });
});

test("with nothing held, a thing that its like could be taken from is held, another one is asked about", () => {
  const piece = choice("Ba1", ["track/a1/B"], "track/a2");
  const other = spot("track/h8/R", { piece: true });
  assert.deepEqual(tapped([piece], [], [other]), { do: "hold", at: 0 });
  assert.deepEqual(tapped(CHOICES, [], [spot("row:1/5c")]), { do: "attempt", place: "row:1/5c" });
  assert.deepEqual(tapped(CHOICES.slice(0, 4), [], [spot("stock", { stock: true })]), {
    do: "attempt",
    place: "stock",
  });
});

test("with nothing held, the stock is asked about even where its like can be taken", () => {
  const top = choice("s", ["stock/top"]);
  assert.deepEqual(tapped([top], [], [spot("stock", { stock: true })]), { do: "attempt", place: "stock" });
});

test("with nothing held, an empty zone and somebody else's hand mean nothing", () => {
  assert.deepEqual(tapped(CHOICES, [], [spot("row:1")]), { do: "nothing" });
  assert.deepEqual(tapped(CHOICES, [], [spot("hand:2/??")]), { do: "nothing" });
});

test("a card dropped on its place is put there, over the hand it is let go", () => {
  assert.deepEqual(dropped(CHOICES, ["hand:1/8c"], [spot("row:2")], "board"), { do: "put", choices: [CHOICES[2]] });
  assert.deepEqual(dropped(CHOICES, ["hand:1/8c"], [inHand("7h")], "hand"), { do: "let go" });
});

test("cards whose move names no place may be dropped anywhere on the board, and only there", () => {
  const nines = ["hand:1/9d", "hand:1/9s"];
  assert.deepEqual(dropped(CHOICES, nines, [spot("row:1")], "board"), { do: "put", choices: [CHOICES[3]] });
  assert.deepEqual(dropped(CHOICES, nines, [], ""), { do: "let go" });
});

test("a card dropped on a wrong place is tried there, on no place it is let go", () => {
  assert.deepEqual(dropped(CHOICES, ["hand:1/8c"], [spot("row:1")], "board"), { do: "attempt", place: "row:1" });
  assert.deepEqual(dropped(CHOICES, ["hand:1/8c"], [], "board"), { do: "let go" });
});

test("equal choices of a place stand together", () => {
  assert.deepEqual([...targets(CHOICES, ["hand:1/7h"]).keys()], ["row:1", "row:2"]);
  assert.deepEqual([...targets(CHOICES, []).keys()], ["stock"]);
});

test("where several may be held, only what goes along is open; else another may be taken instead", () => {
  assert.deepEqual([...open(CHOICES, ["hand:1/9d"], true)], ["hand:1/9s"]);
  assert.ok(open(CHOICES, ["hand:1/9d"], false).has("hand:1/7h"));
  assert.ok(open(CHOICES, ["hand:1/7h"], true).has("hand:1/8c")); // nothing goes along with a seven
});

test("a card joins what is held if a move takes both, or if both are of one zone where many may be held", () => {
  assert.ok(together(CHOICES, ["hand:1/9d"], "hand:1/9s", false));
  assert.ok(!together(CHOICES, ["hand:1/7h"], "hand:1/8c", false));
  assert.ok(together(CHOICES, ["hand:1/7h"], "hand:1/8c", true));
  assert.ok(!together(CHOICES, ["hand:1/7h"], "row:1/5c", true));
});

test("with nothing held there are buttons for what needs no place, and a fold of all moves", () => {
  const found = offer([...CHOICES, choice("pass", [])], []);
  assert.deepEqual(
    found.direct.map(({ move }) => move),
    ["p", "pass"],
  );
  assert.equal(found.folded.length, 6);
});

test("with nothing held, places have no buttons if they are many", () => {
  const cells = Array.from({ length: 7 }, (_none, k) => choice(`c${k}`, [], `cell/${k}`));
  const found = offer([...cells, choice("pass", [])], []);
  assert.deepEqual(
    found.direct.map(({ move }) => move),
    ["pass"],
  );
  assert.equal(offer(cells.slice(0, 6), []).direct.length, 6);
  assert.deepEqual(offer(cells.slice(0, 6), []).folded, []);
});

test("with something held there are buttons for it, and a fold for what takes up more", () => {
  assert.equal(offer(CHOICES, ["hand:1/7h"]).direct.length, 2);
  const ways = Array.from({ length: 8 }, (_none, k) => choice(`c${k}`, ["hand:1/7h"], `cell/${k}`));
  assert.deepEqual([offer(ways, ["hand:1/7h"]).direct.length, offer(ways, ["hand:1/7h"]).folded.length], [6, 8]);
  assert.deepEqual(offer(CHOICES, ["hand:1/9d"]).folded, [CHOICES[3]]);
  assert.ok(offer(CHOICES, ["hand:1/2c"]).lost);
  assert.ok(!offer(CHOICES, ["hand:1/9d"]).lost);
});
