// Cards and pieces that change place slide there, by a View Transition, which holds up nothing: the rest of the page
// is no part of it, a tap goes through it, and when the table goes on while it runs it is broken off.

import { all, around, byId, placeOf } from "./dom.js";

const MOST = 12; // things sliding at once; a whole deal is simply there

/** @typedef {import("./state.js").State} State */
/** A card or piece, and where it lies. @typedef {{el: HTMLElement, what: string, at: string}} Thing */
/** @typedef {Thing & {from: HTMLElement, seen: boolean}} Move a thing, and what it slides from */

/** Draw at once what still waits for the old page's picture to be taken. @param {State} state */
export function settle({ sliding }) {
  sliding.pending?.();
}

/** A thing that slides is a picture and cannot be touched: whoever is faster than it finds it at its new place.
 * @param {State} state */
export function watchSlides({ sliding }) {
  document.addEventListener("pointerdown", () => sliding.running?.skipTransition(), { capture: true });
}

/** @param {Map<string, DocumentFragment>} [fresh] @returns {ParentNode[]} */
const roots = (fresh) => ["board", "hand"].map((name) => fresh?.get(name) ?? byId(`region-${name}`));

/** Each card and piece under these elements, and where it lies: its cell, its row, its hand.
 * @param {ParentNode[]} among @returns {Thing[]} */
function things(among) {
  return among
    .flatMap((root) => all(root, "[data-card], .piece[data-place]"))
    .map((el) => {
      const place = placeOf(around(el) ?? el);
      const own = el.dataset.place ? place.slice(0, place.lastIndexOf("/")) : place;
      return { el, what: el.dataset.card ?? place.slice(place.lastIndexOf("/") + 1), at: own };
    });
}

/** The things of `some` that lie where none of `others` does.
 * @template {{what: string, at: string}} T
 * @param {T[]} some @param {{what: string, at: string}[]} others @returns {T[]} */
export function only(some, others) {
  /** @type {Map<string, number>} */
  const left = new Map();
  const key = (/** @type {{what: string, at: string}} */ { what, at }) => `${what} ${at}`;
  for (const thing of others) left.set(key(thing), (left.get(key(thing)) ?? 0) + 1);
  return some.filter((thing) => {
    const n = left.get(key(thing)) ?? 0;
    left.set(key(thing), n - 1);
    return n <= 0;
  });
}

const visible = (/** @type {Element} */ el) => {
  const { top, bottom, width } = el.getBoundingClientRect();
  return width > 0 && bottom > 0 && top < innerHeight;
};

/** Where a card came from that was not seen before: whoever played it, or for the reader's own the stock.
 * @param {Thing} thing @param {string[]} last @returns {HTMLElement | null} */
function origin(thing, last) {
  const board = byId("region-board");
  if (thing.at.startsWith("hand:")) return board.querySelector(".stock .card");
  const hand = last.find((place) => place.startsWith("hand:"))?.split("/")[0];
  if (!hand) return null;
  const from = `[data-place="${hand}"], [data-place^="${hand}/"], .is-turn h3, .is-turn b`;
  return all(board, from).find(visible) ?? null;
}

/** A picture of `el` in the middle of `from`, for the instant in which the old page is taken.
 * @param {HTMLElement} el @param {HTMLElement} from */
function ghost(el, from) {
  const copy = /** @type {HTMLElement} */ (el.cloneNode(true));
  const box = from.getBoundingClientRect();
  const wide = Math.min(box.width, 48);
  copy.removeAttribute("data-place");
  copy.classList.add("ghost");
  Object.assign(copy.style, {
    left: `${box.x + (box.width - wide) / 2}px`,
    top: `${box.y + box.height / 2 - 0.7 * wide}px`,
  });
  copy.style.setProperty("--card-w", `${wide}px`);
  document.body.append(copy);
  return copy;
}

/** @param {Map<string, DocumentFragment>} fresh @param {string[]} last */
function plan(fresh, last) {
  const before = things(roots());
  const after = things(roots(fresh));
  const gone = only(before, after);
  /** @type {Move[]} */
  const moves = [];
  for (const thing of only(after, before)) {
    const k = gone.findIndex(({ what }) => what === thing.what);
    const from = k >= 0 ? gone.splice(k, 1)[0].el : origin(thing, last);
    if (from && visible(from)) moves.push({ ...thing, from, seen: k >= 0 });
  }
  return { before, moves };
}

/** @param {[string, string][]} entries */
function fragments(entries) {
  /** @type {Map<string, DocumentFragment>} */
  const found = new Map();
  for (const [name, html] of entries) {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    found.set(name, holder.content);
  }
  return found;
}

/**
 * Draw fresh HTML by `draw`, and let slide what changed place.
 *
 * @param {State} state
 * @param {[string, string][]} entries the regions that change
 * @param {string[]} last the places that the last move touched
 * @param {() => void} draw
 */
export function slide(state, entries, last, draw) {
  const { sliding } = state;
  const still = document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (sliding.running || still || !document.startViewTransition) {
    settle(state);
    sliding.running?.skipTransition();
    return draw();
  }
  const { before, moves } = plan(fragments(entries), last);
  if (!moves.length || moves.length > MOST) return draw();
  /** @type {HTMLElement[]} */
  const ghosts = [];
  moves.forEach((move, k) => {
    if (!move.seen) ghosts.push((move.from = ghost(move.el, move.from)));
    move.from.style.viewTransitionName = `thing-${k}`;
  });
  /** @type {HTMLElement[]} */
  const named = [];
  sliding.pending = () => {
    sliding.pending = null;
    for (const { from } of moves) from.style.viewTransitionName = "";
    for (const el of ghosts) el.remove();
    draw();
    const come = only(things(roots()), before);
    moves.forEach(({ what, at }, k) => {
      const found = come.findIndex((thing) => thing.what === what && thing.at === at);
      if (found < 0) return;
      const [{ el }] = come.splice(found, 1);
      el.style.viewTransitionName = `thing-${k}`;
      named.push(el);
    });
  };
  const running = document.startViewTransition(() => sliding.pending?.());
  sliding.running = running;
  running.ready.catch(() => {}); // broken off, which is as well
  running.finished.finally(() => {
    sliding.running = null;
    for (const el of named) el.style.viewTransitionName = "";
  });
}
