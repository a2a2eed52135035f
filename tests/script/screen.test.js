// Lengths and directions on the screen (screen.js), and at which edges a drag scrolls (drag.js).

import assert from "node:assert/strict";
import test from "node:test";

import { step } from "../../src/kartoteka/server/html/static/drag.js";
import {
  allowed,
  missing,
  nearestWay,
  spread,
  stays,
  toward,
  wheeled,
} from "../../src/kartoteka/server/html/static/screen.js";

const box = (left, top, width = 40, height = 60) => ({ left, top, right: left + width, bottom: top + height });
const WINDOW = box(0, 0, 400, 300);

test("a zoom is neither too small to see nor too large to find one's way", () => {
  assert.deepEqual([0.1, 1.2, 9].map(allowed), [0.3, 1.2, 3]);
});

test("the point under the pointer stays where it is when a field grows", () => {
  // A field from 0 to 100 grows to 200: what was at 50 is at 100, so the window scrolls by 50.
  assert.equal(stays(50, [0, 100], [0, 200]), 50);
  assert.equal(stays(0, [0, 100], [0, 200]), 0);
  assert.equal(stays(50, [-20, 100], [-20, 100]), 0);
});

test("the wheel zooms one way and the other by as much, and a wild turn no more than a brisk one", () => {
  assert.ok(wheeled(-10) > 1 && wheeled(10) < 1);
  assert.ok(Math.abs(wheeled(-10) * wheeled(10) - 1) < 1e-12);
  assert.equal(wheeled(5000), wheeled(50));
});

test("two fingers have a middle and a distance", () => {
  assert.deepEqual(spread({ clientX: 0, clientY: 0 }, { clientX: 6, clientY: 8 }), { x: 3, y: 4, apart: 10 });
});

test("a cell within the window needs no scrolling", () => {
  assert.deepEqual(missing(box(100, 100), WINDOW), { left: 0, top: 0, hidden: false });
});

test("a cell beyond an edge comes in with some room around it", () => {
  assert.deepEqual(missing(box(420, 100), WINDOW), { left: 92, top: 0, hidden: true });
  assert.deepEqual(missing(box(-60, -80), WINDOW), { left: -92, top: -112, hidden: true });
  assert.equal(missing(box(380, 100), WINDOW).hidden, false); // a part of it shows
});

test("the window goes to the nearest cell, and nowhere if one shows", () => {
  const [near, far, shows] = [box(420, 100), box(900, 100), box(10, 10)].map((cell) => missing(cell, WINDOW));
  assert.equal(nearestWay([far, near]), near);
  assert.equal(nearestWay([far, shows]), null);
  assert.equal(nearestWay([]), null);
});

test("an arrow leads to the nearest place ahead, and rather straight on than aside", () => {
  const right = [1, 0];
  assert.equal(toward([0, 0], [[-10, 0], [30, 0], [20, 0]], right), 2); // prettier-ignore
  assert.equal(toward([0, 0], [[20, 20], [50, 0]], right), 1); // prettier-ignore
  assert.equal(toward([0, 0], [[10, 40], [0, 9], [2, 0]], right), -1); // prettier-ignore
  assert.equal(toward([0, 0], [[0, -30]], [0, -1]), 0);
});

test("a drag scrolls near an edge alone, and towards it", () => {
  assert.deepEqual(
    [10, 200, 395].map((at) => Math.sign(step(at, 0, 400))),
    [-1, 0, 1],
  );
});
