// The order of a hand (order.js).

import assert from "node:assert/strict";
import test from "node:test";

import { ordered, ownPlaces, suits, turned } from "../../src/kartoteka/server/html/static/order.js";

const sorted = (cards, by, own = []) => ordered(cards, by, own).map((k) => cards[k]);

test("suits stand black and red in turn where that can be", () => {
  assert.equal(suits(["2c", "2d", "2h", "2s"]), "cdsh");
  assert.equal(suits(["2d", "2h", "2s"]), "dsh");
  assert.equal(suits(["2c", "2s"]), "cs");
});

test("a hand is sorted by suit, then by rank, with the joker last", () => {
  assert.deepEqual(sorted(["Jk", "Ah", "2h", "Tc", "3d"], "suit"), ["3d", "Tc", "2h", "Ah", "Jk"]);
});

test("a hand is sorted by rank, then by suit, and ten comes after nine", () => {
  assert.deepEqual(sorted(["Th", "9c", "Jc", "9d", "Jk", "Tc"], "rank"), ["9d", "9c", "Tc", "Th", "Jc", "Jk"]);
});

test("equal cards keep their order", () => {
  assert.deepEqual(ordered(["7h", "2c", "7h"], "rank", []), [1, 0, 2]);
});

test("as the server tells it, nothing moves", () => {
  assert.deepEqual(sorted(["7h", "2c"], ""), ["7h", "2c"]);
});

test("a hand stands as it was laid, with new cards at its end", () => {
  assert.deepEqual(sorted(["2c", "7h", "Ks", "7h"], "own", ["7h", "2c", "7h"]), ["7h", "2c", "7h", "Ks"]);
  assert.deepEqual(ownPlaces(["Ks", "2c"], ["2c"]), [1, 0]);
});

test("asked for the same order again, a hand goes back to how it was laid, else to how it was told", () => {
  assert.equal(turned("suit", "suit", true), "own");
  assert.equal(turned("suit", "suit", false), "");
  assert.equal(turned("suit", "rank", true), "rank");
  assert.equal(turned("suit", "own", false), "");
});
