// Marks what may be used now: the places that the server's choices name get a role, a class and words.
//
// A thing (a card, a piece, an empty cell) becomes a button itself. A place that holds other things (a row, a house)
// keeps its structure for those who hear the page, and gets a button inside: `.here`.

import { remember, standing } from "./focus.js";
import { extensions, takeable, targets } from "./pick.js";

const ATTRIBUTES = ["role", "tabindex", "aria-pressed", "aria-label", "aria-description", "data-last"];
const CLASSES = ["can-take", "can-put", "is-held", "is-last"];

/** What was changed, and how it stood before. @type {Map<Element, (string | null)[]>} */
const changed = new Map();

function touch(el, ...classes) {
  if (!changed.has(el))
    changed.set(
      el,
      ATTRIBUTES.map((name) => el.getAttribute(name)),
    );
  el.classList.add(...classes);
}

function clear() {
  for (const [el, was] of changed) {
    ATTRIBUTES.forEach((name, k) => (was[k] === null ? el.removeAttribute(name) : el.setAttribute(name, was[k])));
    el.classList.remove(...CLASSES);
    el.querySelector(":scope > .here")?.remove();
  }
  changed.clear();
}

const isThing = (el) =>
  !el.querySelector("[data-place], h2, h3, h4, ol, ul, button") && !/^(LI|OL|UL|SECTION)$/.test(el.tagName);

/** What a place is called: as the page calls it, else by its own name. */
export function nameOf(el) {
  const titled = el.getAttribute("aria-label") || el.querySelector("h3, h4, [aria-label]:not(.here)");
  return (titled?.ariaLabel ?? titled?.textContent ?? titled)?.trim() || el.dataset.place.split("/").at(-1);
}

function button(el, words) {
  el.setAttribute("role", "button");
  el.setAttribute("tabindex", "0");
  if (!el.hasAttribute("aria-label") && !el.querySelector("[aria-label]") && !el.textContent.trim())
    el.setAttribute("aria-label", nameOf(el));
  if (words) el.setAttribute("aria-description", words);
}

function inside(el, label) {
  const here = document.createElement("button");
  here.type = "button";
  here.className = "here";
  here.setAttribute("aria-label", label);
  el.prepend(here);
}

function markTake(el, { open, held, words }) {
  touch(el, ...(open ? ["can-take"] : []), ...(held ? ["is-held"] : []));
  button(el, open && !held ? words.can_take : "");
  el.setAttribute("aria-pressed", String(held));
}

function markTarget(place, found, words) {
  const label = found.length === 1 ? found[0].label : "";
  standing(place).forEach((el, k) => {
    touch(el, "can-put");
    if (isThing(el)) {
      button(el, label || words.put_here);
      el.removeAttribute("aria-pressed");
    } else if (k === 0) inside(el, label || words.put_there.replace("{place}", nameOf(el)));
  });
}

/**
 * Mark the page anew.
 *
 * @param {{choices: import("./pick.js").Choice[], held: {place: string, nth: number}[], last: string[],
 *   many: boolean}} state `many`: several things may be held together
 * @param {Record<string, string>} words
 */
export function mark({ choices, held, last, many }, words) {
  const back = remember();
  clear();
  // Every card of the own hand can be walked to: to be laid elsewhere in it, or to hear why it cannot be played.
  for (const el of document.querySelectorAll("#region-hand [data-card][data-place]")) {
    touch(el);
    el.setAttribute("tabindex", "-1");
  }
  const places = held.map(({ place }) => place);
  const more = extensions(choices, places);
  const free = !held.length || !many || !more.size;
  for (const place of new Set([...takeable(choices), ...places])) {
    standing(place).forEach((el, nth) => {
      const isHeld = held.some((one) => one.place === place && one.nth === nth);
      markTake(el, { open: free ? takeable(choices).has(place) : more.has(place), held: isHeld, words });
    });
  }
  for (const [place, found] of targets(choices, places)) markTarget(place, found, words);
  // Of a hand the card that was played is gone: what stands at its place is another that equals it.
  for (const place of last.filter((name) => !name.startsWith("hand:"))) {
    for (const el of standing(place)) {
      touch(el, "is-last");
      el.setAttribute("data-last", words.last);
    }
  }
  back();
}
