// The hands as they lie on the page: as the server tells them, by suit, by rank, or as the person laid them. Kept for
// this table.

import { all } from "./dom.js";
import { ordered, turned } from "./order.js";

/** @typedef {{key: string, by: import("./order.js").By, own: Record<string, string[]>}} Order
 *   `key`: where it is kept; `own`: the cards of each hand as the person laid them */
/** @typedef {import("./state.js").State} State */

/** The order kept for a table. @param {string} table @returns {Order} */
export function readOrder(table) {
  const key = `hand ${table}`;
  try {
    return { by: "", own: {}, ...JSON.parse(localStorage.getItem(key) ?? "{}"), key };
  } catch {
    return { by: "", own: {}, key };
  }
}

/** @param {Order} order */
function write({ key, by, own }) {
  try {
    localStorage.setItem(key, JSON.stringify({ by, own }));
  } catch {
    /* storage may be forbidden: then the order lasts as long as the page */
  }
}

const lists = () => all(document, "[data-sortable]");
const cardOf = (/** @type {Element} */ item) =>
  /** @type {HTMLElement | null} */ (item.querySelector("[data-card]"))?.dataset.card ?? "";
const cards = (/** @type {Element} */ list) => [...list.children].map(cardOf);
const zone = (/** @type {HTMLElement} */ list) => list.dataset.sortable ?? "";

/** @param {Order} order @param {HTMLElement} list */
function arrange(order, list) {
  const items = [...list.children];
  if (!order.by || !items.every(cardOf)) return;
  const sorted = ordered(cards(list), order.by, order.own[zone(list)] ?? []).map((k) => items[k]);
  if (sorted.some((item, k) => item !== items[k])) list.append(...sorted);
}

/** Lay every hand on the page in its order, and show which that is. @param {State} state */
export function arrangeHands({ order }) {
  for (const list of lists()) arrange(order, list);
  for (const button of all(document, "[data-sort]"))
    button.setAttribute("aria-pressed", String(button.dataset.sort === order.by));
}

/** @param {State} state */
function setOwn(state) {
  state.order.by = "own";
  state.order.own = Object.fromEntries(lists().map((list) => [zone(list), cards(list)]));
  write(state.order);
  arrangeHands(state);
}

/** Sort by `by`; asked for again, or `own`: go back to the order that the person had laid.
 * @param {State} state @param {import("./order.js").By} by */
export function sortHands(state, by) {
  state.order.by = turned(state.order.by, by, Object.keys(state.order.own).length > 0);
  write(state.order);
  arrangeHands(state);
}

/** Lay the hand's card `el` where the pointer let it go.
 * @param {State} state @param {Element} el @param {number} x @param {number} y */
export function layAt(state, el, x, y) {
  const item = el.closest("[data-sortable] > *");
  if (!item?.parentElement) return;
  const others = [...item.parentElement.children].filter((other) => other !== item);
  const boxes = others.map((other) => other.getBoundingClientRect());
  // Of cards that overlap only the left edge is surely seen: a card goes before the first whose middle lies right of
  // it.
  const level = (/** @type {DOMRect} */ box) => Math.max(0, box.top - y, y - box.bottom);
  const nearest = Math.min(...boxes.map(level));
  const row = others.filter((_other, k) => level(boxes[k]) === nearest);
  const before = row.find((other) => other.getBoundingClientRect().x + 12 > x);
  if (before) before.before(item);
  else row.at(-1)?.after(item);
  setOwn(state);
}

/** Move the hand's card `el` by one place. @param {State} state @param {Element} el @param {number} by */
export function shift(state, el, by) {
  const item = el.closest("[data-sortable] > *");
  if (!item) return;
  if (by < 0) item.previousElementSibling?.before(item);
  else item.nextElementSibling?.after(item);
  setOwn(state);
}
