// The elements of the page that stand for places, and how they are found.

/** The element with this id, which every table's page has. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const el = document.getElementById(id);
  if (!el) throw new Error(`The page has no #${id}.`);
  return el;
}

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} */
export const all = (root, selector) => [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector))];

/** The part of the page that an event concerns. @param {Event} event */
export const targetOf = (event) => (event.target instanceof Element ? event.target : document.documentElement);

/** The place that an element stands for. @param {Element} el @returns {string} */
export const placeOf = (el) => (el instanceof HTMLElement && el.dataset.place) || "";

/** The elements of the board and the hand that stand for a place; equal cards of a hand share one. */
export const standing = (/** @type {string} */ place) =>
  all(document, `:is(#region-board, #region-hand) [data-place="${CSS.escape(place)}"]`);

/** The innermost element around `el` that stands for a place. @param {Element | null | undefined} el */
export const around = (el) => /** @type {HTMLElement | null} */ (el?.closest("[data-place]") ?? null);

/** The element of a place that `el` is, or is the button of. @param {Element | null | undefined} el */
export const placed = (el) => around(el?.classList.contains("here") ? el.parentElement : el);

/** The element of something held. @param {import("./state.js").Held} held @returns {HTMLElement | undefined} */
export const elementOf = ({ place, nth }) => standing(place)[nth];

/** The elements of all that is held. @param {import("./state.js").Held[]} held */
export const elementsOf = (held) => held.map(elementOf).filter((el) => el !== undefined);

/** How what stands at `el` is held. @param {HTMLElement} el @returns {import("./state.js").Held} */
export const spot = (el) => ({ place: placeOf(el), nth: standing(placeOf(el)).indexOf(el) });

/** The places under a point, the innermost first: those that `target` lies in, and those that these are things of.
 * @param {Element | null} target */
export function chain(target) {
  /** @type {HTMLElement[]} */
  const found = [];
  for (let el = around(target); el; el = around(el.parentElement))
    if (el.closest("#region-board, #region-hand")) found.push(el);
  for (const el of [...found]) {
    const [whole] = standing(placeOf(el).split("/").slice(0, -1).join("/"));
    if (whole && !found.includes(whole)) found.push(whole);
  }
  return found;
}
