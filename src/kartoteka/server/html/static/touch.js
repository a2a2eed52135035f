// What a touch means: take up, put back, put there, or ask why not. Pure: places go in, what to do comes out. What
// may be done stands in the server's choices alone.

import { exact, extensions, takeable, targets, zoneOf } from "./pick.js";

/** @typedef {import("./pick.js").Choice} Choice */

/**
 * @typedef {object} Spot what lies under a touch, one of several, the innermost first
 * @property {string} place
 * @property {boolean} held whether just this is held
 * @property {boolean} own whether it is a card of the reader's own hand
 * @property {boolean} thing whether it is a card, a piece or a cell with a card on it, and not a zone
 * @property {boolean} piece
 * @property {boolean} stock
 */

/**
 * What to do: `hold` and `release` the spot `at`, `put` by one of these choices, `attempt` a place (the server plays
 * it or tells why not), `let go` of all, or nothing.
 *
 * @typedef {{do: "hold" | "release", at: number} | {do: "put", choices: Choice[]} | {do: "attempt", place: string}
 *   | {do: "let go"} | {do: "nothing"}} Meaning
 */

/** Where a hand wanted to put something that cannot go there: rather at a place that is one, and not upon a piece.
 * @param {Choice[]} choices @param {Spot[]} spots @returns {Spot | undefined} */
function aim(choices, spots) {
  const known = new Set(choices.map(({ puts }) => puts));
  return spots.find(({ place }) => known.has(place)) ?? spots.find(({ piece }) => !piece);
}

/** With nothing held: a thing that cannot be taken is held if its like sometimes are, else asked about.
 * @param {Choice[]} choices @param {Spot[]} spots @returns {Meaning} */
function wonder(choices, spots) {
  const at = spots.findIndex(({ thing, stock }) => thing || stock);
  if (at < 0 || spots[at].place.startsWith("hand:")) return { do: "nothing" };
  const zones = new Set([...takeable(choices)].map(zoneOf));
  if (spots[at].thing && zones.has(zoneOf(spots[at].place))) return { do: "hold", at };
  return { do: "attempt", place: spots[at].place };
}

/** What a tap means. @param {Choice[]} choices @param {string[]} held @param {Spot[]} spots @returns {Meaning} */
export function tapped(choices, held, spots) {
  const open = targets(choices, held);
  const more = extensions(choices, held);
  for (const [at, { place, held: isHeld }] of spots.entries()) {
    if (isHeld) return { do: "release", at };
    const found = open.get(place);
    if (found) return { do: "put", choices: found };
    if (more.has(place)) return { do: "hold", at };
  }
  const mine = takeable(choices);
  const at = spots.findIndex(({ place, own }) => mine.has(place) || own);
  if (at >= 0) return { do: "hold", at };
  if (!held.length) return wonder(choices, spots);
  const there = aim(choices, spots);
  return there ? { do: "attempt", place: there.place } : { do: "nothing" };
}

/** What letting what is held go means, over a part of the table.
 * @param {Choice[]} choices @param {string[]} held @param {Spot[]} spots
 * @param {"hand" | "board" | ""} over @returns {Meaning} */
export function dropped(choices, held, spots, over) {
  if (over === "hand") return { do: "let go" };
  const fitting = exact(choices, held);
  const open = targets(choices, held);
  const there = spots.find(({ place }) => open.has(place));
  if (there) return { do: "put", choices: fitting.filter(({ puts }) => puts === there.place) };
  const whole = fitting.filter(({ puts }) => !puts); // what is taken up says all: anywhere on the table will do
  if (whole.length && over === "board") return { do: "put", choices: whole };
  const aimed = aim(choices, spots);
  return aimed ? { do: "attempt", place: aimed.place } : { do: "let go" };
}
