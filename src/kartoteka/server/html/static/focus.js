// The focus survives fresh HTML: it goes back to the same place, button or field.

const NAMED = ["move", "act", "say", "look", "sort", "copy", "clause"].map((name) => `data-${name}`).concat("name");

/** The elements of the board and the hand that stand for a place; equal cards of a hand share one. */
export const standing = (place) => [
  ...document.querySelectorAll(`:is(#region-board, #region-hand) [data-place="${CSS.escape(place)}"]`),
];

/** What can be focused for an element that stands for a place: itself, or the button put into it. */
export const handle = (el) => el.querySelector(":scope > .here") ?? (el.hasAttribute("tabindex") ? el : null);

/** The element of a place that `el` is, or is the button of. */
export const placed = (el) => (el?.classList.contains("here") ? el.parentElement : el)?.closest?.("[data-place]");

function finder(el) {
  const holder = placed(el);
  if (holder === el || el.classList.contains("here")) {
    const { place } = holder.dataset;
    const nth = standing(place).indexOf(holder);
    return () => {
      const now = standing(place);
      const same = now[nth] ?? now.at(-1);
      return same && handle(same);
    };
  }
  if (el.id) return () => document.getElementById(el.id);
  for (const name of NAMED) {
    if (!el.hasAttribute(name)) continue;
    const same = `${el.localName}[${name}="${CSS.escape(el.getAttribute(name))}"]`;
    const nth = [...document.querySelectorAll(same)].indexOf(el);
    return () => document.querySelectorAll(same)[nth];
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
