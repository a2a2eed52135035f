// What the page knows of the game, and how places on it are found.

import { standing } from "./focus.js";

export const main = document.getElementById("main");
export const words = JSON.parse(document.getElementById("words").textContent);

export const state = {
  /** The number of the event that the page shows. */
  number: 0,
  yours: false,
  /** The legal moves, if it is the reader's turn. @type {import("./pick.js").Choice[]} */
  choices: [],
  /** What is taken up; `nth` tells equal cards of a hand apart. @type {{place: string, nth: number}[]} */
  held: [],
  /** The place tapped whose several choices are to be told apart, "" if none. */
  asked: "",
  /** The places that the last move touched. @type {string[]} */
  last: [],
  /** The regions as they stand in the game, by name. @type {Record<string, string>} */
  regions: {},
  /** A move that was sent: its id, and once it is done the event that a page must show; null if none is on its way.
   * @type {{id: string, due: number} | null} */
  sent: null,
  /** Whether several things may be held together: some choice takes up several, or the board says so (data-many). */
  many: false,
};

/** The places that are held. */
export const places = () => state.held.map(({ place }) => place);

/** The element of something held. */
export const elementOf = ({ place, nth }) => standing(place)[nth];

export const isHeld = (el) => state.held.some((one) => elementOf(one) === el);

/** How what stands at `el` is held. */
export const spot = (el) => ({ place: el.dataset.place, nth: standing(el.dataset.place).indexOf(el) });

/** Whether `el` is a card of the reader's own hand. */
export const isOwn = (el) => el.dataset.place.startsWith(`hand:${main.dataset.seat}/`);

/** Whether `el` is a card, a piece or a cell with a card on it, and not a zone. */
export const isThing = (el) =>
  el.dataset.place.includes("/") && (el.matches("[data-card], .piece") || Boolean(el.querySelector("[data-card]")));

/** The places under a point, the innermost first: those that `target` lies in, and those that these are things of. */
export function chain(target) {
  const found = [];
  for (let el = target?.closest?.("[data-place]"); el; el = el.parentElement.closest("[data-place]"))
    if (el.closest("#region-board, #region-hand")) found.push(el);
  for (const el of [...found]) {
    const [whole] = standing(el.dataset.place.split("/").slice(0, -1).join("/"));
    if (whole && !found.includes(whole)) found.push(whole);
  }
  return found;
}
