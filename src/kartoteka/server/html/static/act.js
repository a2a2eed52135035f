// What the reader does with the things on the table: the state changes, the page is marked anew, a move is sent.

import { chain, elementOf, elementsOf, placeOf, spot } from "./dom.js";
import { goTo } from "./keys.js";
import { extensions, takeable, targets, together } from "./pick.js";
import { clearRefusal } from "./refusal.js";
import { uuid } from "./socket.js";
import { able, places } from "./state.js";
import { dropped, tapped } from "./touch.js";

/** @typedef {import("./state.js").State} State */

/** @param {State} state @param {Element} el */
const isHeld = (state, el) => state.held.some((one) => elementOf(one) === el);

/** Whether `el` is a card of the reader's own hand. @param {State} state @param {Element} el */
const isOwn = (state, el) => placeOf(el).startsWith(`hand:${state.main.dataset.seat}/`);

/** Whether `el` is a card, a piece or a cell with a card on it, and not a zone. @param {Element} el */
const isThing = (el) =>
  placeOf(el).includes("/") && (el.matches("[data-card], .piece") || Boolean(el.querySelector("[data-card]")));

/** @param {State} state @param {Element} el @returns {import("./touch.js").Spot} */
const seen = (state, el) => ({
  place: placeOf(el),
  held: isHeld(state, el),
  own: isOwn(state, el),
  thing: isThing(el),
  piece: el.matches(".piece"),
  stock: el.matches(".stock"),
});

/** Make a choice, as written. @param {State} state @param {string} move */
export function play(state, move) {
  const legal = state.choices.some((choice) => choice.move === move);
  if (able(state) && legal) state.send({ type: "move", id: uuid(), number: state.number, move });
}

/** Try to put what is held to `puts`: the server plays it or tells why not.
 * @param {State} state @param {string} puts */
export function attempt(state, puts) {
  if (able(state)) state.send({ type: "try", id: uuid(), number: state.number, takes: places(state), puts });
}

/** Let go of all that is held. @param {State} state */
export function letGo(state) {
  state.held = [];
  state.asked = "";
  state.show();
}

/** Make the choice of a place, or let it be told apart from others of the same place.
 * @param {State} state @param {import("./pick.js").Choice[]} found */
function put(state, found) {
  if (found.length === 1) return play(state, found[0].move);
  state.asked = found[0].puts;
  state.show();
  goTo("moves");
}

/** Take up what stands at `el`, along with what is held if they may go together.
 * @param {State} state @param {HTMLElement} el */
function hold(state, el) {
  const along = together(state.choices, places(state), placeOf(el), state.many);
  state.held = along ? [...state.held, spot(el)] : [spot(el)];
  state.asked = "";
  state.show();
}

/** @param {State} state @param {HTMLElement} el */
function release(state, el) {
  state.held = state.held.filter((one) => elementOf(one) !== el);
  state.asked = "";
  state.show();
}

/** @param {State} state @param {import("./touch.js").Meaning} meaning @param {HTMLElement[]} found */
function carryOut(state, meaning, found) {
  if (meaning.do === "hold") hold(state, found[meaning.at]);
  else if (meaning.do === "release") release(state, found[meaning.at]);
  else if (meaning.do === "put") put(state, meaning.choices);
  else if (meaning.do === "attempt") attempt(state, meaning.place);
  else if (meaning.do === "let go") letGo(state);
}

/** Somebody tapped `target`, or pressed Enter on it. @param {State} state @param {Element} target */
export function tap(state, target) {
  const found = chain(target);
  if (!found.length || !able(state)) return;
  clearRefusal();
  const spots = found.map((el) => seen(state, el));
  carryOut(state, tapped(state.choices, places(state), spots), found);
}

/** The thing at `target` that a pointer may take up. @param {State} state @param {Element | null} target */
export function grab(state, target) {
  const mine = able(state) ? takeable(state.choices) : new Set();
  return chain(target).find((el) => el.contains(target) && (isOwn(state, el) || mine.has(placeOf(el)))) ?? null;
}

/** A pointer takes `el` up: return what moves along with it. @param {State} state @param {HTMLElement} el */
export function lift(state, el) {
  if (!able(state)) return [el];
  clearRefusal();
  if (!isHeld(state, el)) {
    if (!extensions(state.choices, places(state)).has(placeOf(el))) state.held = [];
    hold(state, el);
  }
  return [el, ...elementsOf(state.held).filter((other) => other !== el)];
}

/** The place at `target` that would take what is held. @param {State} state @param {Element | null} target */
export function targetAt(state, target) {
  const open = able(state) && target ? targets(state.choices, places(state)) : new Map();
  return open.size ? (chain(target).find((el) => open.has(placeOf(el))) ?? null) : null;
}

/** A pointer lets what is held go over `target`.
 * @param {State} state @param {HTMLElement} el @param {Element} target */
export function drop(state, el, target) {
  const found = chain(target);
  if (!able(state) || found.includes(el)) return;
  const over = target.closest("#region-hand") ? "hand" : target.closest("#region-board") ? "board" : "";
  const spots = found.map((one) => seen(state, one));
  carryOut(state, dropped(state.choices, places(state), spots, over), found);
}
