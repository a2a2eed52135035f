// Fresh HTML for the regions of the page; what a person had done there (text, caret, scrolling, folds) stays.

import { all, byId, targetOf } from "./dom.js";

/** @typedef {import("./state.js").State} State */

const region = (/** @type {string} */ name) => document.getElementById(`region-${name}`);
const wordsOn = (/** @type {Element} */ fold) => fold.querySelector("summary")?.textContent?.trim() ?? "";

/** Notice when an input method is at work, and which folds the person opens and closes. @param {State} state */
export function watchRegions(state) {
  const { drawn } = state;
  addEventListener("compositionstart", () => (drawn.composing = true));
  addEventListener("compositionend", () => {
    drawn.composing = false;
    const regions = [...drawn.waiting];
    drawn.waiting.clear();
    for (const [name, html] of regions) fill(state, name, html);
  });
  document.addEventListener("click", (event) => {
    const fold = targetOf(event).closest("summary")?.parentElement;
    if (fold instanceof HTMLDetailsElement && fold.closest("[id^=region-]"))
      drawn.folded.set(wordsOn(fold), !fold.open);
  });
}

/** The regions whose HTML is new, as [name, html].
 * @param {State} state @param {Record<string, string>} regions @returns {[string, string][]} */
export const changes = ({ drawn }, regions) =>
  Object.entries(regions).filter(([name, html]) => region(name) && drawn.shown.get(name) !== html);

/** Forget what a region shows, since something else was drawn there. @param {State} state @param {string} name */
export const forget = ({ drawn }, name) => drawn.shown.delete(name);

/** A selector of an element among its like, and which of those it is. @typedef {[string, number]} Mark */

const same = (/** @type {Element} */ el) =>
  el.localName + [...el.classList].map((name) => `.${CSS.escape(name)}`).join("");
/** @param {Element} root @param {Element} el @returns {Mark} */
const mark = (root, el) => [same(el), [...root.querySelectorAll(same(el))].indexOf(el)];
/** @param {Element} root @param {Mark} mark @returns {Element | undefined} */
const found = (root, [selector, k]) => (k < 0 ? root : root.querySelectorAll(selector)[k]);
const atEnd = (/** @type {Element} */ el) => el.scrollTop + el.clientHeight >= el.scrollHeight - 40;
const scrolls = (/** @type {Element} */ el) =>
  el.scrollHeight > el.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(el).overflowY);

/** @param {ParentNode} root @param {string} selector */
const fieldsOf = (root, selector) => [
  .../** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */ (root.querySelectorAll(selector)),
];

/** @param {Element} root @param {Map<string, boolean>} folded */
function keep(root, folded) {
  const scrolled = [root, ...all(root, "*")].filter((el) => el.scrollTop || el.scrollLeft);
  const places = scrolled.map((el) => ({
    at: mark(root, el),
    top: el.scrollTop,
    left: el.scrollLeft,
    end: atEnd(el),
  }));
  const fields = fieldsOf(root, "input[name], textarea[name]").map((el) => ({
    name: el.name,
    value: el.value,
    start: el.selectionStart,
    end: el.selectionEnd,
  }));
  return () => {
    for (const { name, value, start, end } of fields) {
      const [field] = fieldsOf(root, `[name="${CSS.escape(name)}"]`);
      if (!field || !value || field.type === "hidden") continue;
      field.value = value;
      if (start !== null) field.setSelectionRange(start, end);
    }
    for (const fold of root.querySelectorAll("details")) fold.open = folded.get(wordsOn(fold)) ?? fold.open;
    for (const { at, top, left, end } of places)
      found(root, at)?.scrollTo({ top: end ? 1e9 : top, left, behavior: "instant" });
  };
}

/** Add lines to the list of a region. One that was read at its end is again shown at its end.
 * @param {State} state @param {string} name @param {string} html */
export function append({ drawn }, name, html) {
  const root = byId(`region-${name}`);
  const end = atEnd(root);
  root.querySelector("ol")?.insertAdjacentHTML("beforeend", html);
  drawn.shown.delete(name);
  if (end) root.scrollTo({ top: 1e9, behavior: "instant" });
}

/** Fill a region. A log or a chat that was read at its end is again shown at its end.
 * @param {State} state @param {string} name @param {string} html */
export function fill({ drawn }, name, html) {
  const root = region(name);
  if (!root) return;
  if (drawn.composing && root.contains(document.activeElement)) return void drawn.waiting.set(name, html);
  const first = !drawn.shown.has(name);
  const again = keep(root, drawn.folded);
  root.innerHTML = html;
  drawn.shown.set(name, html);
  again();
  if (first && /^(log|chat)$/.test(name))
    for (const el of [root, ...root.querySelectorAll("*")]) if (scrolls(el)) el.scrollTop = el.scrollHeight;
}
