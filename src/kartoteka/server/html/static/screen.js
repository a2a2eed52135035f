// Lengths and directions on the screen. Pure: numbers go in, numbers come out.

const LEAST = 0.3;
const MOST = 3;
const EDGE = 32; // px that a cell in the window is to have around it

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

/** A zoom that is allowed. @param {number} zoom */
export const allowed = (zoom) => Math.min(MOST, Math.max(LEAST, zoom));

/** How far to scroll so that the point `x` of a field stays where it is, now that the field went from `before` to
 * `after`: each its start and its length. @param {number} x @param {[number, number]} before
 * @param {[number, number]} after */
export const stays = (x, [start, length], [newStart, newLength]) => newStart + ((x - start) / length) * newLength - x;

/** How much a turn of the wheel zooms. @param {number} delta */
export const wheeled = (delta) => Math.exp(-Math.max(-50, Math.min(50, delta)) / 150);

/** The middle of two fingers, and how far they are apart.
 * @param {{clientX: number, clientY: number}} a @param {{clientX: number, clientY: number}} b */
export const spread = (a, b) => ({
  x: (a.clientX + b.clientX) / 2,
  y: (a.clientY + b.clientY) / 2,
  apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
});

/** How far a window must scroll so that a cell is wholly in it, and whether nothing of the cell shows.
 * @param {Box} cell @param {Box} win */
export function missing(cell, win) {
  /** @param {number} start @param {number} end @param {number} low @param {number} high */
  const over = (start, end, low, high) =>
    start < low + EDGE ? start - low - EDGE : end > high - EDGE ? end - high + EDGE : 0;
  return {
    left: over(cell.left, cell.right, win.left, win.right),
    top: over(cell.top, cell.bottom, win.top, win.bottom),
    hidden: cell.right < win.left || cell.left > win.right || cell.bottom < win.top || cell.top > win.bottom,
  };
}

/** The way to the nearest of some cells, null if one of them shows.
 * @param {{left: number, top: number, hidden: boolean}[]} ways */
export function nearestWay(ways) {
  if (!ways.length || ways.some((way) => !way.hidden)) return null;
  return ways.reduce((a, b) => (Math.hypot(a.left, a.top) <= Math.hypot(b.left, b.top) ? a : b));
}

/** The number of the point that lies nearest in a direction, -1 if none does: a step aside counts twice.
 * @param {[number, number]} from @param {[number, number][]} points @param {[number, number]} direction */
export function toward([x, y], points, [dx, dy]) {
  let best = { k: -1, far: Infinity };
  for (const [k, [px, py]] of points.entries()) {
    const [a, b] = [px - x, py - y];
    const [along, aside] = [a * dx + b * dy, Math.abs(a * dy) + Math.abs(b * dx)];
    if (along < 4 || aside > 3 * along) continue;
    const far = along + 2 * aside;
    if (far < best.far) best = { k, far };
  }
  return best.k;
}
