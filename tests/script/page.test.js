// What the page tells and keeps: the clock and the title (signals.js), an earlier position (past.js), its state
// (state.js), its chance in a shuffle (nonce.js) and what slides (slide.js).

import assert from "node:assert/strict";
import test from "node:test";

import { nonceFor } from "../../src/kartoteka/server/html/static/nonce.js";
import { behind, said } from "../../src/kartoteka/server/html/static/past.js";
import { time, titled } from "../../src/kartoteka/server/html/static/signals.js";
import { only } from "../../src/kartoteka/server/html/static/slide.js";
import { able, begin, looking, made } from "../../src/kartoteka/server/html/static/state.js";

const fresh = () => begin({}, {}, { key: "", by: "", own: {} });

/** A browser's storage, or one that is forbidden. */
function store(t, forbidden = false) {
  const kept = new Map();
  const refuse = () => {
    throw new Error("forbidden");
  };
  const open = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };
  const storage = forbidden ? { getItem: refuse, setItem: refuse } : open;
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  t.after(() => delete globalThis.localStorage);
  return kept;
}

test("a clock shows minutes and seconds, hours if there are any, and a begun second as a whole one", () => {
  assert.deepEqual([0, 1, 59_001, 600_000, 3_661_000, -5].map(time), [
    "0:00",
    "0:01",
    "1:00",
    "10:00",
    "1:01:01",
    "0:00",
  ]);
});

test("the title says once that it is one's turn", () => {
  const mark = "▸ Your turn · {title}";
  assert.equal(titled("Parlour", true, mark), "▸ Your turn · Parlour");
  assert.equal(titled("▸ Your turn · Parlour", true, mark), "▸ Your turn · Parlour");
  assert.equal(titled("Parlour", false, mark), "Parlour");
});

test("the bar over an earlier position says which it is, and that the game has gone on", () => {
  const words = { position: "After {ply}.", position_start: "Before all.", gone_on: "It went on." };
  assert.equal(said(words, 0, false), "Before all.");
  assert.equal(said(words, 3, true), "After 3. It went on.");
});

test("behind an earlier position the game goes on if its board or its hand changes, and neither is drawn", () => {
  const kept = { board: "a", hand: "b", log: "c" };
  assert.deepEqual(behind(kept, { board: "a", log: "d" }), { drawn: { log: "d" }, moved: false });
  assert.deepEqual(behind(kept, { board: "x", turn: "y" }), { drawn: { turn: "y" }, moved: true });
  assert.deepEqual(behind(kept, { hand: "x" }), { drawn: {}, moved: true });
});

test("nothing can be done while a move is on its way, nor in the past, nor when it is not one's turn", () => {
  const state = fresh();
  assert.ok(!able(state));
  state.choices = [{ move: "p", label: "pass", takes: [], puts: "" }];
  assert.ok(able(state));
  state.sent = { id: "1", due: Infinity };
  assert.ok(!able(state));
  state.sent = null;
  state.past.ply = 0; // the position before the first move is an earlier one too
  assert.ok(looking(state) && !able(state));
});

test("what was sent is let go of when the page shows it done, and not before", () => {
  const state = fresh();
  state.held = [{ place: "hand:1/7h", nth: 0 }];
  state.sent = { id: "1", due: Infinity };
  made(state, 8); // not answered yet
  state.sent.due = 9;
  made(state, 8);
  assert.ok(state.sent && state.held.length);
  made(state, 9);
  assert.ok(!state.sent && !state.held.length);
});

test("two pages share nothing", () => {
  const [one, other] = [fresh(), fresh()];
  one.past.kept.board = "a";
  one.drawn.shown.set("board", "a");
  assert.deepEqual([other.past.kept, other.drawn.shown.size], [{}, 0]);
});

test("a nonce is 16 bytes, the same whenever its shuffle is met again, and another for another shuffle", (t) => {
  const kept = store(t);
  const nonce = nonceFor(new Map(), "first");
  assert.match(nonce, /^[0-9a-f]{32}$/);
  assert.equal(nonceFor(new Map(), "first"), nonce); // on another page of this browser
  assert.notEqual(nonceFor(new Map(), "second"), nonce);
  assert.equal(JSON.parse(kept.get("nonces")).first, nonce);
});

test("a nonce lasts as long as the page if nothing can be stored", (t) => {
  store(t, true);
  const told = new Map();
  assert.equal(nonceFor(told, "first"), nonceFor(told, "first"));
});

test("what is no list of nonces is none", (t) => {
  store(t).set("nonces", "null");
  assert.match(nonceFor(new Map(), "first"), /^[0-9a-f]{32}$/);
});

test("the newest two hundred nonces are kept", (t) => {
  const kept = store(t);
  for (let k = 0; k < 205; k++) nonceFor(new Map(), `shuffle ${k}`);
  const names = Object.keys(JSON.parse(kept.get("nonces")));
  assert.deepEqual([names.length, names[0], names.at(-1)], [200, "shuffle 5", "shuffle 204"]);
});

test("of equal cards only those slide that are more than before", () => {
  const at = (what, where, el) => ({ what, at: where, el });
  const after = [at("7h", "row:1", 1), at("7h", "row:1", 2), at("8c", "row:1", 3)];
  const before = [at("7h", "row:1", 4), at("8c", "hand:1", 5)];
  assert.deepEqual(
    only(after, before).map(({ el }) => el),
    [2, 3],
  );
});
