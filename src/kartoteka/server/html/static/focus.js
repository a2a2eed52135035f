// The focus survives fresh HTML: it goes back to the same place, button or field.

import { all, placed, placeOf, standing } from "./dom.js";

const NAMED = ["move", "act", "say", "look", "sort", "copy", "clause"].map((name) => `data-${name}`).concat("name");

/** What can be focused for an element that stands for a place: itself, or the button put into it.
 * @param {HTMLElement} el @returns {HTMLElement | null} */
const handle = (el) => el.querySelector(":scope > .here") ?? (el.hasAttribute("tabindex") ? el : null);

/** @param {Element} el @returns {() => HTMLElement | null | undefined} */
function finder(el) {
  const holder = placed(el);
  if (holder && (holder === el || el.classList.contains("here"))) {
    const place = placeOf(holder);
    const nth = standing(place).indexOf(holder);
    return () => {
      const now = standing(place);
      const same = now[nth] ?? now.at(-1);
      return same && handle(same);
    };
  }
  if (el.id) return () => document.getElementById(el.id);
  for (const name of NAMED) {
    const value = el.getAttribute(name);
    if (value === null) continue;
    const same = `${el.localName}[${name}="${CSS.escape(value)}"]`;
    const nth = [...document.querySelectorAll(same)].indexOf(el);
    return () => all(document, same)[nth];
  }
  return () => null;
}

/** Remember the focus; what is returned brings it back and tells whether it is where it was.
 * @returns {() => boolean} */
export function remember() {
  const el = document.activeElement;
  if (!el || el === document.body) return () => true;
  const find = finder(el);
  return () => {
    if (document.activeElement !== el) find()?.focus({ preventScroll: true });
    return document.activeElement !== document.body;
  };
}
