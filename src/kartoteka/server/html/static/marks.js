// Marks what may be used now: the places that the server's choices name get a role, a class and words.
//
// A thing (a card, a piece, an empty cell) becomes a button itself. A place that holds other things (a row, a house)
// keeps its structure for those who hear the page, and gets a button inside: `.here`.

import { all, placeOf, standing } from "./dom.js";
import { remember } from "./focus.js";
import { open, takeable, targets } from "./pick.js";

/** @typedef {import("./state.js").State} State */

const ATTRIBUTES = ["role", "tabindex", "aria-pressed", "aria-label", "aria-description", "data-last"];
const CLASSES = ["can-take", "can-put", "is-held", "is-last"];

/** @param {State["marked"]} marked @param {Element} el @param {string[]} classes */
function touch(marked, el, ...classes) {
  if (!marked.has(el))
    marked.set(
      el,
      ATTRIBUTES.map((name) => el.getAttribute(name)),
    );
  el.classList.add(...classes);
}

/** @param {State["marked"]} marked */
function clear(marked) {
  for (const [el, was] of marked) {
    ATTRIBUTES.forEach((name, k) => {
      const value = was[k];
      if (value === null) el.removeAttribute(name);
      else el.setAttribute(name, value);
    });
    el.classList.remove(...CLASSES);
    el.querySelector(":scope > .here")?.remove();
  }
  marked.clear();
}

const isThing = (/** @type {Element} */ el) =>
  !el.querySelector("[data-place], h2, h3, h4, ol, ul, button") && !/^(LI|OL|UL|SECTION)$/.test(el.tagName);

/** What a place is called: as the page calls it, else by its own name. @param {Element} el */
function nameOf(el) {
  const titled = el.querySelector("h3, h4, [aria-label]:not(.here)");
  const name = el.getAttribute("aria-label") || (titled?.ariaLabel ?? titled?.textContent);
  return name?.trim() || placeOf(el).split("/").at(-1) || "";
}

/** @param {Element} el @param {string} words */
function button(el, words) {
  el.setAttribute("role", "button");
  el.setAttribute("tabindex", "0");
  if (!el.hasAttribute("aria-label") && !el.querySelector("[aria-label]") && !el.textContent?.trim())
    el.setAttribute("aria-label", nameOf(el));
  if (words) el.setAttribute("aria-description", words);
}

/** @param {Element} el @param {string} label */
function inside(el, label) {
  const here = document.createElement("button");
  here.type = "button";
  here.className = "here";
  here.setAttribute("aria-label", label);
  el.prepend(here);
}

/** @param {State} state @param {Element} el @param {boolean} open @param {boolean} held */
function markTake({ marked, words }, el, open, held) {
  touch(marked, el, ...(open ? ["can-take"] : []), ...(held ? ["is-held"] : []));
  button(el, open && !held ? words.can_take : "");
  el.setAttribute("aria-pressed", String(held));
}

/** @param {State} state @param {string} place @param {import("./pick.js").Choice[]} found */
function markTarget({ marked, words }, place, found) {
  const label = found.length === 1 ? found[0].label : "";
  standing(place).forEach((el, k) => {
    touch(marked, el, "can-put");
    if (isThing(el)) {
      button(el, label || words.put_here);
      el.removeAttribute("aria-pressed");
    } else if (k === 0) inside(el, label || words.put_there.replace("{place}", nameOf(el)));
  });
}

/** Mark the page anew. @param {State} state */
export function mark(state) {
  const { choices, held, last, many, marked, words } = state;
  const back = remember();
  clear(marked);
  // Every card of the own hand can be walked to: to be laid elsewhere in it, or to hear why it cannot be played.
  for (const el of all(document, "#region-hand [data-card][data-place]")) {
    touch(marked, el);
    el.setAttribute("tabindex", "-1");
  }
  const places = held.map(({ place }) => place);
  const free = open(choices, places, many);
  for (const place of new Set([...takeable(choices), ...places])) {
    standing(place).forEach((el, nth) => {
      const isHeld = held.some((one) => one.place === place && one.nth === nth);
      markTake(state, el, free.has(place), isHeld);
    });
  }
  for (const [place, found] of targets(choices, places)) markTarget(state, place, found);
  // Of a hand the card that was played is gone: what stands at its place is another that equals it.
  for (const place of last.filter((name) => !name.startsWith("hand:"))) {
    for (const el of standing(place)) {
      touch(marked, el, "is-last");
      el.setAttribute("data-last", words.last);
    }
  }
  back();
}
