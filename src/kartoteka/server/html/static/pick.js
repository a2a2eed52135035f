// What the server's list of choices says of a selection. Pure: no page in here, and no rules.
//
// A choice is {move, label, takes, puts}: the move as written, in words, the places that a hand takes up for it
// (the same place twice for two equal cards) and the place that completes it ("" if none does).

/** @typedef {Required<Messages.Choice>} Choice */

/** Return choices as they came, with what the server leaves out when it is empty.
 * @param {readonly Messages.Choice[] | undefined} choices @returns {Choice[]} */
export const complete = (choices) => (choices ?? []).map((choice) => ({ takes: [], puts: "", ...choice }));

/** Whether every place of `part` stands in `whole`, as often. @param {string[]} part @param {string[]} whole */
export function within(part, whole) {
  const left = [...whole];
  return part.every((place) => {
    const k = left.indexOf(place);
    if (k >= 0) left.splice(k, 1);
    return k >= 0;
  });
}

/** The choices that take up exactly what is held. @param {Choice[]} choices @param {string[]} held */
export const exact = (choices, held) =>
  choices.filter((choice) => choice.takes.length === held.length && within(held, choice.takes));

/** The choices that take up what is held and more. @param {Choice[]} choices @param {string[]} held */
export const wider = (choices, held) =>
  choices.filter((choice) => choice.takes.length > held.length && within(held, choice.takes));

/** Where what is held may be put, each place with its choices.
 * @param {Choice[]} choices @param {string[]} held @returns {Map<string, Choice[]>} */
export function targets(choices, held) {
  const found = new Map();
  for (const choice of exact(choices, held)) {
    if (choice.puts) found.set(choice.puts, [...(found.get(choice.puts) ?? []), choice]);
  }
  return found;
}

/** The places that some choice takes up along with what is held.
 * @param {Choice[]} choices @param {string[]} held @returns {Set<string>} */
export function extensions(choices, held) {
  const found = new Set();
  for (const choice of wider(choices, held)) {
    for (const place of choice.takes) if (within([...held, place], choice.takes)) found.add(place);
  }
  return found;
}

/** All places that some choice takes up. @param {Choice[]} choices @returns {Set<string>} */
export const takeable = (choices) => new Set(choices.flatMap((choice) => choice.takes));

/** The places that may be taken up now. @param {Choice[]} choices @param {string[]} held
 * @param {boolean} many whether several things may be held together; else another one is taken up instead */
export function open(choices, held, many) {
  const more = extensions(choices, held);
  return held.length && many && more.size ? more : takeable(choices);
}

/** Whether what lies at `place` is held along with what is held already, and not instead of it.
 * @param {Choice[]} choices @param {string[]} held @param {string} place @param {boolean} many */
export const together = (choices, held, place, many) =>
  extensions(choices, held).has(place) || (many && held.every((other) => zoneOf(other) === zoneOf(place)));

const SHOWN = 6; // moves with a button of their own at once; the rest is folded

/** What the box of buttons offers: choices with a button of their own, a fold of choices (none: no fold), whether
 * something is held, and whether no move takes up just what is held or more.
 * @typedef {{direct: Choice[], folded: Choice[], holding: boolean, lost: boolean}} Offer */

/** @param {Choice[]} choices @param {string[]} held @returns {Offer} */
export function offer(choices, held) {
  const holding = held.length > 0;
  const fitting = exact(choices, held);
  const few = fitting.length <= SHOWN;
  // With nothing held, what has a place is done by going there; as buttons too if they are few.
  const direct = holding ? fitting.slice(0, SHOWN) : fitting.filter((choice) => !choice.puts || few);
  const all = holding ? [...fitting, ...wider(choices, held)] : choices;
  return { direct, folded: all.length > direct.length ? all : [], holding, lost: holding && !all.length };
}

/** The zone a place lies in: `hand:2` of `hand:2/7h`. @param {string} place */
export const zoneOf = (place) => place.split("/", 1)[0];
