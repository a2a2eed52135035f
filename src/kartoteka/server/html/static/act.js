// What a tap or a drop on a place means: take up, put back, put there, or ask why not. What may be done stands in the
// server's choices alone.

import { goTo } from "./keys.js";
import { looking } from "./past.js";
import { exact, extensions, takeable, targets, zoneOf } from "./pick.js";
import { clearRefusal } from "./refusal.js";
import { uuid } from "./socket.js";
import { chain, elementOf, isHeld, isOwn, isThing, places, spot, state } from "./state.js";

let send; // (message) => void
let show; // () => void

/** @param {{send: (message: object) => void, show: () => void}} on */
export function watchActs(on) {
  ({ send, show } = on);
}

/** Whether the reader can do anything now. */
export const able = () => state.choices.length > 0 && !state.sent && !looking();

/** Make a choice, as written. */
export function play(move) {
  const legal = state.choices.some((choice) => choice.move === move);
  if (able() && legal) send({ type: "move", id: uuid(), number: state.number, move });
}

/** Try to put what is held to `puts`: the server plays it or tells why not. */
export function attempt(puts) {
  if (able()) send({ type: "try", id: uuid(), number: state.number, takes: places(), puts });
}

/** Let go of all that is held. */
export function letGo() {
  state.held = [];
  state.asked = "";
  show();
}

/** Make the choice of a place, or let it be told apart from others of the same place. */
function put(found) {
  if (found.length === 1) return play(found[0].move);
  state.asked = found[0].puts;
  show();
  goTo("moves");
}

/** Take up what stands at `el`, along with what is held if they may go together. */
function hold(el) {
  const place = el.dataset.place;
  const together = extensions(state.choices, places()).has(place);
  const alike = state.many && state.held.every((one) => zoneOf(one.place) === zoneOf(place));
  state.held = together || alike ? [...state.held, spot(el)] : [spot(el)];
  state.asked = "";
  show();
}

function release(el) {
  state.held = state.held.filter((one) => elementOf(one) !== el);
  state.asked = "";
  show();
}

/** Where a hand wanted to put something that cannot go there: rather at a place that is one, and not upon a piece. */
function aim(found) {
  const known = new Set(state.choices.map(({ puts }) => puts));
  return found.find((el) => known.has(el.dataset.place)) ?? found.find((el) => !el.matches(".piece"));
}

/** With nothing held: a thing that cannot be taken is held if its like sometimes are, else asked about. */
function wonder(found) {
  const el = found.find((one) => isThing(one) || one.matches(".stock"));
  if (!el || el.dataset.place.startsWith("hand:")) return;
  const zones = new Set([...takeable(state.choices)].map(zoneOf));
  if (isThing(el) && zones.has(zoneOf(el.dataset.place))) hold(el);
  else attempt(el.dataset.place);
}

/** Somebody tapped `target`, or pressed Enter on it. */
export function tap(target) {
  const found = chain(target);
  if (!found.length || !able()) return;
  clearRefusal();
  const open = targets(state.choices, places());
  const more = extensions(state.choices, places());
  for (const el of found) {
    if (isHeld(el)) return release(el);
    if (open.has(el.dataset.place)) return put(open.get(el.dataset.place));
    if (more.has(el.dataset.place)) return hold(el);
  }
  const mine = takeable(state.choices);
  const taken = found.find((el) => mine.has(el.dataset.place) || isOwn(el));
  if (taken) return hold(taken);
  if (!state.held.length) return wonder(found);
  const there = aim(found);
  if (there) attempt(there.dataset.place);
}

/** The thing at `target` that a pointer may take up. */
export function grab(target) {
  const mine = able() ? takeable(state.choices) : new Set();
  return chain(target).find((el) => el.contains(target) && (isOwn(el) || mine.has(el.dataset.place))) ?? null;
}

/** A pointer takes `el` up: return what moves along with it. */
export function lift(el) {
  if (!able()) return [el];
  clearRefusal();
  if (!isHeld(el)) {
    if (!extensions(state.choices, places()).has(el.dataset.place)) state.held = [];
    hold(el);
  }
  return [el, ...state.held.map(elementOf).filter((other) => other !== el)];
}

/** The place at `target` that would take what is held. */
export function targetAt(target) {
  const open = able() && target ? targets(state.choices, places()) : new Map();
  return open.size ? (chain(target).find((el) => open.has(el.dataset.place)) ?? null) : null;
}

/** A pointer lets what is held go over `target`. */
export function drop(el, target) {
  const found = chain(target);
  if (!able() || found.includes(el)) return;
  if (target.closest("#region-hand")) return letGo();
  const fitting = exact(state.choices, places());
  const there = targetAt(target);
  if (there) return put(fitting.filter(({ puts }) => puts === there.dataset.place));
  const whole = fitting.filter(({ puts }) => !puts); // what is taken up says all: anywhere on the table will do
  if (whole.length && target.closest("#region-board")) return put(whole);
  const aimed = aim(found);
  if (aimed) attempt(aimed.dataset.place);
  else letGo();
}
